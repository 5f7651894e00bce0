import Client
import CommandLine
import Meetings
import Phrases
import Wire

/// Implements `results --follow`: prints the results again whenever they change, until the room closes or on
/// Ctrl-C.
enum FollowingResults {
    private enum Input: Sendable {
        case update(RoomUpdate)
        case due
    }

    /// The delay before results are requested, so that answers that arrive together are shown together.
    private static let pause = Duration.milliseconds(500)

    static func run(
        _ call: Invocation, _ host: APIClient, _ session: SessionBody, set: String?
    ) async throws(CommandFailure) -> ExitCode {
        let (inputs, feed) = AsyncStream.makeStream(of: Input.self)
        let room = RoomClient(host, rooms: [.session(session.id)])
        let reader = Task {
            for await update in room.updates() { feed.yield(.update(update)) }
            feed.finish()
        }
        defer { reader.cancel() }
        var view = LiveView(startingWith: session)
        var shown: ResultsBody?
        var isDue = false
        for await input in inputs {
            switch input {
            case .update(.ended(let end)): return try Watching.ended(end, at: call)
            case .update(let update):
                // The room's updates contain only the results of the feedback set. The results of other sets
                // have to be requested by name. So this command requests its results after each update, and
                // does not read the update.
                let lines = view.take(update, call)
                if Watching.isAboutTheConnection(update) { for line in lines { call.console.errLine(line) } }
                guard !isDue else { continue }
                isDue = true
                let wait = shown == nil ? .zero : pause
                Task {
                    try? await Task.sleep(for: wait)
                    feed.yield(.due)
                }
            case .due:
                isDue = false
                do throws(APIError) {
                    let results = try await host.results(of: session.id, set: set)
                    if results != shown { show(results, call) }
                    shown = results
                } catch {
                    // If the server is unreachable, wait until the room client reconnects.
                    if case .unreachable = error { continue }
                    throw .api(error)
                }
            }
        }
        return .interrupted
    }

    /// Prints the results. On a terminal, they replace the previous results; otherwise they follow one
    /// another.
    private static func show(_ results: ResultsBody, _ call: Invocation) {
        if call.console.outIsTerminal, !call.wantsJSON { call.console.out("\u{1B}[H\u{1B}[2J") }
        ResultCommands.show(results, call)
    }
}

/// Implements `qr --follow`: draws the code, and draws it again whenever the room publishes a new code. It
/// ends when the room closes, or on Ctrl-C.
enum FollowingCode {
    static func run(_ call: Invocation, _ host: APIClient, _ session: SessionID) async throws(CommandFailure)
        -> ExitCode
    {
        let client = RoomClient(host, rooms: [.presenter(session)])
        var shown: CodeBody?
        for await update in client.updates() {
            switch update {
            case .snapshot(let snapshot, _, _): show(snapshot.code, &shown, call)
            case .frame(let frame): show(frame.code, &shown, call)
            case .ended(let end): return try Watching.ended(end, at: call)
            case .refused(let problem): throw .api(.problem(problem))
            case .joined, .home, .reconnecting: break
            }
        }
        return .interrupted
    }

    /// Prints the code if it has changed. On a terminal, it replaces the previous code; otherwise codes
    /// follow one another.
    private static func show(_ code: CodeBody?, _ shown: inout CodeBody?, _ call: Invocation) {
        guard let code, code.url != shown?.url || code.joinCode != shown?.joinCode else { return }
        shown = code
        if call.wantsJSON { return call.json(code) }
        if call.console.outIsTerminal { call.console.out("\u{1B}[H\u{1B}[2J") }
        SessionSummary.drawCode(call, code.url)
        call.out("\(call.text(CommandPhrases.Messages.joinCode)): \(code.joinCode)")
        call.out(code.url)
    }
}
