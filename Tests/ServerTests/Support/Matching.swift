import Meetings
import Patterns

/// Matches patterns with RE2, as the program does.
struct Matching: PatternMatching {
    private let patterns = Patterns()

    func refusal(of pattern: String) -> String? { patterns.refusal(of: pattern) }
    func matches(_ text: String, _ pattern: String) -> Bool { patterns.matches(text, pattern) }
}
