import Meetings
import Patterns

/// Patterns on RE2, as the program has them.
struct Matching: PatternMatching {
    private let patterns = Patterns()

    func refusal(of pattern: String) -> String? { patterns.refusal(of: pattern) }
    func matches(_ text: String, _ pattern: String) -> Bool { patterns.matches(text, pattern) }
}
