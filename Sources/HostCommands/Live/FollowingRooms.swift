import Client
import CommandLine
import Meetings
import Phrases
import Terminal
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
        _ call: Invocation, _ host: APIClient, _ session: SessionBody, set: String?,
        order: ResultOrder? = nil
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
            case .update(.heard): continue
            case .update(let update):
                // The room's updates contain only the results of the feedback set. The results of other sets
                // have to be requested by name. So this command requests its results after each update, and
                // does not read the update.
                let lines = view.take(update, call)
                if Watching.isAboutTheConnection(update) {
                    for line in lines { call.console.errLine(line.painted(call.errPaint)) }
                }
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
                    let results = try await host.results(
                        of: session.id, set: set, order: order)
                    if results != shown { show(results, call) }
                    shown = results
                } catch {
                    // If the server is unreachable, wait until the room client reconnects.
                    if case .unreachable = error { continue }
                    throw .api(error)
                }
                try call.checkOutput()
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
    private enum Input: Sendable {
        case update(RoomUpdate)
        /// A second has passed.
        case tick
    }

    static func run(_ call: Invocation, _ host: APIClient, _ session: SessionID) async throws(CommandFailure)
        -> ExitCode
    {
        let client = RoomClient(host, rooms: [.presenter(session)])
        let (inputs, feed) = AsyncStream.makeStream(of: Input.self)
        let reader = Task {
            for await update in client.updates() { feed.yield(.update(update)) }
            feed.finish()
        }
        let countsDown = call.console.outIsTerminal && !call.wantsJSON && call.environment["TERM"] != "dumb"
        let clock =
            countsDown
            ? Task { while (try? await Task.sleep(for: .seconds(1))) != nil { feed.yield(.tick) } } : nil
        defer {
            reader.cancel()
            clock?.cancel()
        }
        var shown: CodeBody?
        var changesAt: ContinuousClock.Instant?
        for await input in inputs {
            switch input {
            case .tick: if let changesAt { countDown(to: changesAt, call) }
            case .update(.snapshot(let snapshot, _, _)):
                show(snapshot.code, &shown, call)
                changesAt = end(of: snapshot.code) ?? changesAt
            case .update(.frame(let frame)):
                show(frame.code, &shown, call)
                changesAt = end(of: frame.code) ?? changesAt
            case .update(.ended(let end)): return try Watching.ended(end, at: call)
            case .update(.refused(let problem)): throw .api(.problem(problem))
            case .update(.joined), .update(.heard), .update(.home), .update(.reconnecting): break
            }
            try call.checkOutput()
        }
        return .interrupted
    }

    /// Returns the moment at which the code changes; nil if it does not rotate.
    private static func end(of code: CodeBody?) -> ContinuousClock.Instant? {
        code?.expiresInMs.map { .now + .milliseconds($0) }
    }

    /// Shows on the last line how long the code is still current.
    private static func countDown(to moment: ContinuousClock.Instant, _ call: Invocation) {
        let left = ContinuousClock.now.duration(to: moment) / .seconds(1)
        let text = call.text(
            CommandPhrases.Messages.newCodeIn, ["seconds": String(max(0, Int(left.rounded(.up))))])
        call.console.out("\r\u{1B}[K" + call.paint.styled(text, .faint))
    }

    /// Prints the code if it has changed. On a terminal, it replaces the previous code; otherwise codes
    /// follow one another.
    private static func show(_ code: CodeBody?, _ shown: inout CodeBody?, _ call: Invocation) {
        guard let code, code.url != shown?.url || code.joinCode != shown?.joinCode else { return }
        shown = code
        if call.wantsJSON { return call.jsonLine(code) }
        if call.console.outIsTerminal { call.console.out("\u{1B}[H\u{1B}[2J") }
        SessionSummary.drawCode(call, code.url)
        call.out(SessionSummary.joinCode(code.joinCode, at: code.url, call))
        call.out(code.url)
    }
}

extension CommandPhrases.Messages {
    static let newCodeIn = Phrase("New code in {seconds} s")
}
