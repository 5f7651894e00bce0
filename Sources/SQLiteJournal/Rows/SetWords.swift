import Journal
import Meetings

/// What is said of a question set, and where it leads: one column of JSON.
struct SetWords: Codable {
    let title: LocalizedText
    let description: LocalizedText
    let next: String?

    private static let none = "{}"

    private enum CodingKeys: String, CodingKey {
        case title, description, next
    }

    init(_ set: QuestionSet) {
        title = set.title
        description = set.description
        next = set.next
    }

    init(_ row: Row, _ column: Int32) throws(JournalError) {
        self = row.text(column) == Self.none ? SetWords(QuestionSet()) : try row.json(column)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decodeIfPresent(LocalizedText.self, forKey: .title) ?? .none
        description = try container.decodeIfPresent(LocalizedText.self, forKey: .description) ?? .none
        next = try container.decodeIfPresent(String.self, forKey: .next)
    }

    /// Written with every response, and mostly empty.
    var json: String {
        get throws(JournalError) {
            title.isEmpty && description.isEmpty && next == nil ? Self.none : try JSONText.of(self)
        }
    }
}
