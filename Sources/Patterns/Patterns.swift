import Synchronization

/// Matches regular expressions that users of the server wrote, with RE2. Matching takes time that is linear
/// in the length of the text, uses limited memory, and does not backtrack. The syntax is that of RE2.
/// Look-around and back references are refused when a user saves a pattern.
package final class Patterns: Sendable {
    /// The length of the longest pattern, in characters.
    package static let mostCharacters = 1000
    /// The memory for a pattern's program and caches, in bytes. The default of RE2 is 8 MB, with which the
    /// hundred cached patterns would need almost a gigabyte.
    package static let memory = 1 << 20
    /// The most steps of a pattern's program. A pattern for any letter (`\pL`) has 1,200 steps, and a pattern
    /// for an e-mail address has 50. The time of RE2 is linear in the text. If its automaton is too large for
    /// the cache, the time is also proportional to the steps: 3,600 steps on 64 KB of text took 3 s.
    package static let mostUnits = 2000
    /// The highest product of steps and text bytes of one match, which takes about 200 ms at worst. The limit
    /// allows about 16 KB of text for a pattern of 1,200 steps, and about 390 KB for a pattern of 50 steps.
    package static let mostWork = 20_000_000
    private static let mostCached = 100

    private let cache = Mutex<[String: CompiledPattern]>([:])

    package init() {}

    /// Returns the reason why a pattern is refused, with the message of RE2, or nil if the pattern is
    /// accepted.
    package func refusal(of pattern: String) -> String? {
        guard pattern.count <= Self.mostCharacters else {
            return "more than \(Self.mostCharacters) characters"
        }
        let made = compiled(pattern)
        return made.error ?? (made.steps > Self.mostUnits ? "pattern too large" : nil)
    }

    /// Whether the text contains a match. The result is false if the pattern is refused, or if the text is
    /// too long for the pattern (`mostWork`).
    package func matches(_ text: String, _ pattern: String) -> Bool {
        guard pattern.count <= Self.mostCharacters else { return false }
        let made = compiled(pattern)
        guard made.steps <= Self.mostUnits, made.steps * text.utf8.count <= Self.mostWork else {
            return false
        }
        return made.matches(text)
    }

    private func compiled(_ pattern: String) -> CompiledPattern {
        if let found = cache.withLock({ $0[pattern] }) { return found }
        // The pattern is compiled without the lock, because this may take a millisecond. If two threads
        // compile the same pattern at the same time, their results are equivalent.
        let made = CompiledPattern(pattern, memory: Self.memory)
        cache.withLock { cache in
            if cache.count >= Self.mostCached { cache.removeAll(keepingCapacity: true) }
            cache[pattern] = made
        }
        return made
    }
}
