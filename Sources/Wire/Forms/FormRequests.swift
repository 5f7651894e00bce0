package import Meetings

/// Where questions are to be imported from, in the place of a file.
package struct ImportQuestionsRequest: Readable, Sendable {
    package let url: String?

    package init(reading fields: Fields) {
        let written = fields.text("url", 1...2000)
        url = written.flatMap { WebAddress.isUsable($0) ? $0 : nil }
        if written != nil, url == nil { fields.fail("url", .notAWebAddress) }
    }

    /// Whether a body says this rather than holding questions.
    package static func isMeant(by document: JSONDocument) -> Bool {
        document.root["url"] != nil && document.root["questions"] == nil && document.root["data"] == nil
            && document.root["forms"] == nil
    }
}

package enum WebAddress {
    /// `http` or `https`, of visible ASCII, with a host and without a user name.
    package static func isUsable(_ text: String) -> Bool {
        guard text.utf8.allSatisfy({ (33...126).contains($0) && $0 != UInt8(ascii: "\\") }) else {
            return false
        }
        let lower = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lower.hasPrefix($0) }) else { return false }
        let authority = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        return !authority.isEmpty && !authority.contains("@")
    }
}

/// Answers to a published form, by the names of its questions: `{"answers": {…}}`, or the answers by
/// themselves.
package struct FormAnswersRequest: Readable, Sendable {
    package let values: [String: PublishedForm.Value]
    /// The errors of values that could not be read, by field name. The form reports them with all other
    /// errors of the answers.
    package let unread: [String: FieldReason]

    package init(reading fields: Fields) {
        let value = Schema.any([.string(min: 0, max: 5000, format: nil, pattern: nil), .number, Self.list])
        let members = fields.members("answers", of: value, most: Self.most) { key, node in
            .success((key, node))
        }
        self.init(members ?? [])
    }

    private init(_ members: [(key: String, value: JSONNode)]) {
        var (values, unread): ([String: PublishedForm.Value], [String: FieldReason]) = ([:], [:])
        for (key, node) in members {
            switch Self.value(node) {
            case .success(let value): values[key] = value
            case .failure(let reason): unread[key] = reason
            }
        }
        (self.values, self.unread) = (values, unread)
    }

    /// Without the name `answers` around them.
    package init(flat document: JSONDocument) throws(Refusal) {
        let members = document.root.members.filter { !$0.value.isNull }
        guard members.count <= Self.most else {
            throw .invalid([FieldError("", .count(min: 0, max: Self.most))])
        }
        self.init(members)
    }

    private static let most = QuestionSet.mostQuestions
    private static let list = Schema.array(
        .string(min: 0, max: 5000, format: nil, pattern: nil), min: 0, max: 50)

    /// By its JSON type alone; whether it fits its question is the question's to say.
    private static func value(_ node: JSONNode) -> Result<PublishedForm.Value, FieldReason> {
        if let text = node.string { return .success(.text(text)) }
        if let number = node.number { return .success(.number(number)) }
        let texts = node.elements.compactMap(\.string)
        guard node.isArray, texts.count == node.elements.count, texts.count <= 50 else {
            return .failure(.wrongType(expected: "string, number or array"))
        }
        return .success(.texts(texts))
    }
}
