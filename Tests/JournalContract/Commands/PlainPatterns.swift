import Meetings

/// Matches a pattern as plain text, and refuses a pattern that contains "(". Commands need a pattern engine;
/// this engine keeps the rules free of RE2.
struct PlainPatterns: PatternMatching {
    func refusal(of pattern: String) -> String? { pattern.contains("(") ? "missing )" : nil }
    func matches(_ text: String, _ pattern: String) -> Bool { text.contains(pattern) }
}
