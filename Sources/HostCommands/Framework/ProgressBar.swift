package import Phrases
internal import Synchronization

/// One line on the terminal behind standard error, written over itself ten times a second at most; nothing
/// where there is no terminal.
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

    /// Of work that did not tell how much it is (`all` is 0) nothing is shown.
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

    /// Of what is done in one step, whose share nobody knows: that it is under way.
    package func wait(_ what: Phrase, _ values: [String: String]) {
        guard isShown else { return }
        let line = call.text(what, values)
        state.withLock { $0.line = line }
        call.console.err("\r\u{1B}[K" + line)
    }

    /// Prints above the bar.
    package func above(_ print: () -> Void) {
        let line = state.withLock { $0.line }
        guard isShown, let line else { return print() }
        call.console.err("\r\u{1B}[K")
        print()
        call.console.err(line)
    }

    /// Takes the line away. Harmless where nothing was shown.
    package func end() {
        let wasShown = state.withLock { state in
            defer { state = State() }
            return state.line != nil
        }
        if wasShown { call.console.err("\r\u{1B}[K") }
    }
}
