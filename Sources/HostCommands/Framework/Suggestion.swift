/// "Did you mean …?"
enum Suggestion {
    /// The nearest of `candidates`: at most a third of its letters may have to change (two at least), or it
    /// begins with what was typed.
    static func nearest(to typed: String, among candidates: [String]) -> String? {
        let typed = typed.lowercased()
        guard !typed.isEmpty else { return nil }
        let begun = typed.count >= 2 ? candidates.filter { $0.lowercased().hasPrefix(typed) }.min() : nil
        let ranked = candidates.map { (candidate: $0, distance: distance(typed, $0.lowercased())) }
        if let best = ranked.min(by: { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }),
            best.distance <= max(2, best.candidate.count / 3), best.distance < best.candidate.count
        {
            // One letter is a slip; where two would have to change, the beginning of another word is meant
            // sooner.
            return best.distance >= 2 ? begun ?? best.candidate : best.candidate
        }
        return begun
    }

    /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
    static func distance(_ left: String, _ right: String) -> Int {
        let (a, b) = (Array(left), Array(right))
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i] + [Int](repeating: 0, count: b.count)
            for j in 1...b.count {
                let cost = a[i - 1] == b[j - 1] ? 0 : 1
                row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    row[j] = min(row[j], beforeLast[j - 2] + 1)
                }
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
