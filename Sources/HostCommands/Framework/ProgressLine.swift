import Terminal

/// A progress bar as text: share, bar, counts, and how long it will still take.
package struct ProgressLine: Sendable {
    /// `copying`.
    package let what: String
    package let done: Int
    package let all: Int
    package let elapsed: Duration

    package init(_ what: String, done: Int, of all: Int, elapsed: Duration) {
        self.what = what
        self.done = max(0, min(done, all))
        self.all = max(0, all)
        self.elapsed = elapsed
    }

    /// By the pace until now; nil before there is one, and at the end.
    package var remaining: Duration? {
        guard (1..<max(1, all)).contains(done), elapsed > .zero else { return nil }
        return elapsed * (Double(all - done) / Double(done))
    }

    /// - Parameters:
    ///   - width: columns it may take; nil for as many as it likes.
    ///   - plain: `#` instead of blocks.
    package func text(width: Int?, plain: Bool) -> String {
        let share = all == 0 ? 1 : Double(done) / Double(all)
        let percent = String(Int((share * 100).rounded(.down)))
        var tail = "\(String(repeating: " ", count: max(0, 3 - percent.count)))\(percent) %  \(done)/\(all)"
        if let remaining { tail += "  ETA \(Self.clock(remaining))" }
        let room = (width ?? 80) - DisplayWidth.of(what) - DisplayWidth.of(tail) - 6
        let bar = Bars.bar(share, width: max(0, min(30, room)), plain: plain)
        let frame = room < 5 ? "" : "[\(DisplayWidth.padded(bar, to: min(30, room)))] "
        let line = "\(what) \(frame)\(tail)"
        return width.map { DisplayWidth.cut(line, to: $0 - 1) } ?? line
    }

    /// `0:07`, `12:05`, `1:02:03`.
    package static func clock(_ duration: Duration) -> String {
        let seconds = max(0, Int((duration / .seconds(1)).rounded(.up)))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    }
}
