/// Counts texts that are equal apart from spaces, width, capital letters and invisible characters.
package struct EqualTexts: Sendable {
    /// A text, in the spelling that was added first, and the number of texts that are equal to it.
    package struct Count: Hashable, Sendable, Codable {
        package let text: String
        package let count: Int

        package init(text: String, count: Int) {
            self.text = text
            self.count = count
        }
    }

    /// The most texts that `repeated` lists.
    package static let most = 100

    private var places: [String: Int] = [:]
    /// The texts in the order in which each was added first.
    package private(set) var counts: [Count] = []

    package init(_ texts: [String] = []) { for text in texts { add(text) } }

    package mutating func add(_ text: String) {
        let key = Self.key(text)
        if let place = places[key] {
            counts[place] = Count(text: counts[place].text, count: counts[place].count + 1)
        } else {
            places[key] = counts.count
            counts.append(Count(text: text, count: 1))
        }
    }

    /// The number of different texts that were added at least twice.
    package var repeatedCount: Int { counts.count { $0.count > 1 } }

    /// The texts that were added at least twice, the most frequent first, at most `most`. Texts with the same
    /// count are in the order of their keys, so that the order does not depend on the order of adding.
    package var repeated: [Count] {
        let found = counts.filter { $0.count > 1 }.map { (key: Self.key($0.text), count: $0) }
        return Array(
            found.sorted { ($1.count.count, $0.key) < ($0.count.count, $1.key) }.map(\.count).prefix(
                Self.most))
    }

    /// Returns the text in the form for comparing, and with single spaces.
    private static func key(_ text: String) -> String {
        text.foldedForComparing.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
