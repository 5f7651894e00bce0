package import Phrases
internal import Synchronization
import Terminal

/// A progress line that overwrites itself, at most ten times a second. It appears only if standard error is a
/// terminal.
package final class ProgressBar: Sendable {
    private struct State {
        var begun: ContinuousClock.Instant?
        var shownAt: ContinuousClock.Instant?
        var line: String?
    }

    private let call: Invocation
    private let state = Mutex(State())
    private static let pause = Duration.milliseconds(100)

    package init(_ call: Invocation) { self.call = call }

    private var isShown: Bool { call.console.errIsTerminal && call.environment["TERM"] != "dumb" }

    /// Shows the progress. Shows nothing if `all` is 0, because the amount of work is not known.
    package func show(_ what: Phrase, _ done: Int, of all: Int) {
        guard isShown, all > 0 else { return }
        let now = ContinuousClock.now
        let elapsed: Duration? = state.withLock { state in
            let begun = state.begun ?? now
            state.begun = begun
            if let last = state.shownAt, now - last < Self.pause, done < all { return nil }
            state.shownAt = now
            return now - begun
        }
        guard let elapsed else { return }
        let line = ProgressLine(call.text(what), done: done, of: all, elapsed: elapsed)
            .text(width: call.console.errWidth, plain: !call.isUTF8)
        state.withLock { $0.line = line }
        call.console.err("\r\u{1B}[K" + line)
    }

    /// Shows that work has started, if its progress cannot be measured.
    package func wait(_ what: Phrase, _ values: [String: String]) {
        guard isShown else { return }
        let line = call.text(what, values)
        state.withLock { $0.line = line }
        call.console.err("\r\u{1B}[K" + line)
    }

    /// Prints text above the progress line.
    package func above(_ print: () -> Void) {
        let line = state.withLock { $0.line }
        guard isShown, let line else { return print() }
        call.console.err("\r\u{1B}[K")
        print()
        call.console.err(line)
    }

    /// Removes the progress line, if it is visible.
    package func end() {
        let wasShown = state.withLock { state in
            defer { state = State() }
            return state.line != nil
        }
        if wasShown { call.console.err("\r\u{1B}[K") }
    }
}

/// A progress bar as text: percentage, bar, counts and the estimated remaining time.
package struct ProgressLine: Sendable {
    /// The kind of work, such as `copying`.
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

    /// The remaining time, estimated from the pace until now; nil at the start and at the end.
    package var remaining: Duration? {
        guard (1..<max(1, all)).contains(done), elapsed > .zero else { return nil }
        return elapsed * (Double(all - done) / Double(done))
    }

    /// Returns the progress line.
    /// - Parameters:
    ///   - width: the terminal's columns; nil for no limit.
    ///   - plain: whether to draw `#` instead of blocks.
    package func text(width: Int?, plain: Bool) -> String {
        let share = all == 0 ? 1 : Double(done) / Double(all)
        let percent = String(Int((share * 100).rounded(.down)))
        var tail = "\(String(repeating: " ", count: max(0, 3 - percent.count)))\(percent)%  \(done)/\(all)"
        if let remaining { tail += "  ETA \(Self.clock(remaining))" }
        let room = (width ?? 80) - DisplayWidth.of(what) - DisplayWidth.of(tail) - 6
        let bar = Bars.bar(share, width: max(0, min(30, room)), plain: plain)
        let frame = room < 5 ? "" : "[\(DisplayWidth.padded(bar, to: min(30, room)))] "
        let line = "\(what) \(frame)\(tail)"
        return width.map { DisplayWidth.cut(line, to: $0 - 1) } ?? line
    }

    /// Writes a duration as `0:07`, `12:05` or `1:02:03`.
    package static func clock(_ duration: Duration) -> String {
        let seconds = max(0, Int((duration / .seconds(1)).rounded(.up)))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    }
}
