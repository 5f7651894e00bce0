internal import Client
internal import CommandLine
internal import Phrases
internal import Synchronization
internal import Wire

/// A change that may be long. On a terminal, shows its progress on one line of standard error, which
/// disappears at the end.
struct LongChange {
    private let call: Invocation
    private let doing: Phrase
    private let command: String
    private let bar: ProgressBar

    /// - Parameters:
    ///   - doing: the progress line, with the placeholders `done` and `total`.
    ///   - command: the command, without `qring`, that shows the result after an interrupt.
    init(_ call: Invocation, _ doing: Phrase, seenBy command: String) {
        self.call = call
        self.doing = doing
        self.command = command
        bar = ProgressBar(call)
    }

    /// Shows that the request is on its way.
    func wait(_ what: Phrase, _ values: [String: String]) { bar.wait(what, values) }

    /// Sends the change, and returns its result. If the user interrupts the command while the server works,
    /// says on a terminal that the server goes on.
    func sent<Value>(
        _ send: (JobFollower) async throws(APIError) -> Value
    ) async throws(CommandFailure) -> Value {
        let hasBegun = Flag()
        let follower = JobFollower(progress: { [doing, bar] job in
            hasBegun.set()
            guard job.state == .running else { return }
            bar.wait(doing, ["done": Self.grouped(job.done), "total": Self.grouped(job.total)])
        })
        defer { bar.end() }
        do throws(APIError) {
            return try await send(follower)
        } catch {
            bar.end()
            if error == .cancelled, hasBegun.isSet, call.console.errIsTerminal {
                call.note(CommandPhrases.Messages.serverGoesOn, ["command": command])
            }
            throw .api(error)
        }
    }

    /// Returns the number with a comma before each group of three digits.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digits[index])
        }
    }

    private final class Flag: Sendable {
        private let flag = Atomic(false)
        var isSet: Bool { flag.load(ordering: .acquiring) }
        func set() { flag.store(true, ordering: .releasing) }
    }
}

extension CommandPhrases.Messages {
    static let serverGoesOn = Phrase(
        "Interrupted, but the server completes the change. To see the result: qring {command}")
    static let identifying = Phrase("Changing how attendees are identified: {done} of {total}")
    static let renewingCodes = Phrase("Renewing the codes: {done} of {total}")
    static let recomputing = Phrase("Recomputing the statuses: {done} of {total}")
    static let addingSession = Phrase("Adding the session: {done} of {total}")
    static let addingSessions = Phrase("Adding the sessions: {done} of {total}")
}
