internal import Client
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The home view without a terminal: a line for each session, and another whenever one has changed.
enum HomeLines {
    static func run(_ call: Invocation, _ host: APIClient) async throws(CommandFailure) -> ExitCode {
        var home = HomeState()
        for await update in RoomClient(host, rooms: [.home]).updates() {
            let now = SystemTime.now
            switch update {
            case .home(let frame):
                let before = home
                home.take(update, now: now)
                if frame.snapshot != nil {
                    for session in home.order(at: now) { call.out(line(session, call)) }
                }
                if let session = frame.session { call.out(line(session, call)) }
                for id in frame.removed ?? [] {
                    guard let gone = before.sessions.first(where: { $0.id == id }) else { continue }
                    call.out(
                        CommandPhrases.Messages.deleted, ["name": TerminalEscaping.safe(gone.meetingName)])
                }
            case .reconnecting(let delay, _):
                call.note(
                    CommandPhrases.Dashboard.reconnecting,
                    ["time": String((delay.wholeMilliseconds + 999) / 1000)])
            case .refused(let problem): throw .api(.problem(problem))
            case .ended(let end): return try Watching.ended(end, at: call)
            case .joined, .snapshot, .frame: break
            }
        }
        return .interrupted
    }

    private static func line(_ session: SessionBody, _ call: Invocation) -> String {
        let name = call.text(
            CommandPhrases.Messages.meetingMade,
            ["name": TerminalEscaping.safe(session.meetingName), "round": String(session.round)])
        return [
            session.startsAt.wall(in: .named(session.timeZone)), name,
            call.text(SessionSummary.phase(session.phase)),
            SessionSummary.counts(session.attendance, session.feedback, call),
        ].joined(separator: "  ")
    }
}
