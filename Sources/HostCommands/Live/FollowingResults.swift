internal import Client
internal import CommandLine
internal import Meetings
internal import Phrases
internal import Wire

/// `results --follow`: the results again whenever they have changed, until the room's end or Ctrl-C.
enum FollowingResults {
    private enum Input: Sendable {
        case update(RoomUpdate)
        case due
    }

    /// Answers that come together are shown together.
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
                // What the room tells of the feedback set is only a reason to ask: other sets are asked for
                // by name.
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
                    // A server that is away is awaited by the room, which is then joined again.
                    if case .unreachable = error { continue }
                    throw .api(error)
                }
            }
        }
        return .interrupted
    }

    /// On a terminal in the place of what was there before; elsewhere one below the other.
    private static func show(_ results: ResultsBody, _ call: Invocation) {
        if call.console.outIsTerminal, !call.wantsJSON { call.console.out("\u{1B}[H\u{1B}[2J") }
        ResultCommands.tell(results, call)
    }
}
