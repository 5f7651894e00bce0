import Meetings

/// Matches by looking for the pattern as a plain text, and refuses what has a bracket: what commands ask of
/// the engine, without one.
struct PlainPatterns: PatternMatching {
    func refusal(of pattern: String) -> String? { pattern.contains("(") ? "missing )" : nil }
    func matches(_ text: String, _ pattern: String) -> Bool { text.contains(pattern) }
}
