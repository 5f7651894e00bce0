import Synchronization

/// Regular expressions of strangers, on RE2: time linear in the text, memory bounded, no backtracking. The
/// syntax is RE2's; what it lacks (look-around, back references) is refused when a pattern is written.
package final class Patterns: Sendable {
    /// In characters.
    package static let mostCharacters = 1000
    /// For a pattern's program and caches, in bytes: RE2's own default is 8 MB, and with it a hundred kept
    /// patterns were a gigabyte.
    package static let memory = 1 << 20
    /// Of a pattern's program. Any letter (`\pL`) has 1,200 of them, an address 50. RE2 takes time linear in
    /// the text, but the factor is this one where its automaton grows too large to be kept: 3,600 steps on 64
    /// KB took 3 s.
    package static let mostUnits = 2000
    /// Steps times bytes of one match, some 200 ms at the worst: 16 KB for a pattern of 1,200 steps, 380 KB
    /// for one of 50.
    package static let mostWork = 20_000_000
    private static let mostKept = 100

    private let kept = Mutex<[String: CompiledPattern]>([:])

    package init() {}

    /// Why the pattern is not taken, in RE2's words; nil where it is.
    package func refusal(of pattern: String) -> String? {
        guard pattern.count <= Self.mostCharacters else {
            return "more than \(Self.mostCharacters) characters"
        }
        let made = compiled(pattern)
        return made.error ?? (made.steps > Self.mostUnits ? "pattern too large" : nil)
    }

    /// Whether the text holds a match anywhere; false for a pattern that is not taken, and where the text is
    /// too long for it (`mostWork`).
    package func matches(_ text: String, _ pattern: String) -> Bool {
        guard pattern.count <= Self.mostCharacters else { return false }
        let made = compiled(pattern)
        guard made.steps <= Self.mostUnits, made.steps * text.utf8.count <= Self.mostWork else {
            return false
        }
        return made.matches(text)
    }

    private func compiled(_ pattern: String) -> CompiledPattern {
        if let found = kept.withLock({ $0[pattern] }) { return found }
        // Outside the lock: it may take a millisecond. Two at once make the same.
        let made = CompiledPattern(pattern, memory: Self.memory)
        kept.withLock { kept in
            if kept.count >= Self.mostKept { kept.removeAll(keepingCapacity: true) }
            kept[pattern] = made
        }
        return made
    }
}
