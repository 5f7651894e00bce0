internal import Synchronization

/// What a running command reports to the dashboard.
enum CommandEvent: Hashable, Sendable {
    /// Whole lines of output. `isCut` says that lines before them were lost, because there were too many.
    case printed(String, isCut: Bool)
    case asked(String, isHidden: Bool)
    case ended(code: Int32)
}

/// The output and the questions of a command that runs in the dashboard.
package final class CommandRun: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var isCut = false
        var isScheduled = false
        /// Whether the dashboard has not taken the last report yet. Output waits meanwhile.
        var isUnread = false
        var hasEnded = false
        var answer: CheckedContinuation<String?, Never>?
    }

    /// The pause between two reports of output, so that much output does not flood the screen.
    private static let pause = Duration.milliseconds(50)
    /// The most bytes that wait for a report. The first ones are removed.
    private static let mostBytes = 1 << 18

    private let state = Mutex(State())
    private let send: @Sendable (CommandEvent) -> Void

    init(_ send: @escaping @Sendable (CommandEvent) -> Void) { self.send = send }

    package func print(_ bytes: [UInt8]) {
        let isFirst = state.withLock { state in
            state.pending += bytes
            if state.pending.count > Self.mostBytes {
                state.pending.removeFirst(state.pending.count - Self.mostBytes)
                state.isCut = true
            }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isFirst else { return }
        Task {
            try? await Task.sleep(for: Self.pause)
            state.withLock { $0.isScheduled = false }
            report(isAll: false)
        }
    }

    /// Asks the user. Returns nil if the user has stopped the command.
    package func ask(_ prompt: String, hidden: Bool) async -> String? {
        report(isAll: true)
        return await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.answer = continuation }
                return state.hasEnded
            }
            if hasEnded {
                continuation.resume(returning: nil)
            } else {
                send(.asked(prompt, isHidden: hidden))
            }
        }
    }

    func answer(_ text: String?) {
        let waiting = state.withLock { state in
            defer { state.answer = nil }
            return state.answer
        }
        waiting?.resume(returning: text)
    }

    /// Answers the open question and every later one with nil.
    func stop() {
        state.withLock { $0.hasEnded = true }
        answer(nil)
    }

    func end(code: Int32) {
        report(isAll: true)
        send(.ended(code: code))
    }

    /// Notes that the dashboard has taken the last report, and reports what waited.
    func taken() {
        let hasWaited = state.withLock { state in
            state.isUnread = false
            return !state.isScheduled && !state.pending.isEmpty
        }
        if hasWaited { report(isAll: false) }
    }

    /// Reports whole lines, or also the beginning of a line.
    private func report(isAll: Bool) {
        // The lock stays held, so that two reports do not change places.
        state.withLock { state in
            let end = isAll ? state.pending.count : state.pending.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            guard end > 0, isAll || !state.isUnread else { return }
            state.isUnread = true
            send(.printed(String(decoding: state.pending[..<end], as: UTF8.self), isCut: state.isCut))
            state.pending.removeFirst(end)
            state.isCut = false
        }
    }
}
