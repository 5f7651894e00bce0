internal import Client
package import CommandLine
internal import Dashboard
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

package enum DashboardCommand {
    private typealias Messages = CommandPhrases.Dashboard

    package static let all = [
        CommandDeclaration(
            "dashboard", Messages.summary,
            examples: [
                .init("dashboard", Messages.homeExample), .init("dashboard @", Messages.nearestExample),
            ],
            positionals: [.init("SESSION", Messages.session, required: false)], notes: Messages.notes,
            handlesSignals: true, run: run)
    ]

    private static func run(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let named = call.arguments.positional("SESSION")
        guard call.console.outIsTerminal, call.console.inIsTerminal else {
            return try await Interruption.cancelling(call.console) { () async throws(CommandFailure) in
                named == nil ? try await HomeLines.run(call, host) : try await Watching.run(call)
            }
        }
        var session: SessionBody?
        if let named { session = try await Reference(named, host).session() }
        let kind = call.environment["TERM", default: ""]
        let canMove = kind != "dumb" && !kind.isEmpty
        let look = Look(
            call.language, isUTF8: call.isUTF8 && canMove, isColourful: call.isColourful && canMove)
        let settings = ScreenSettings(isColourful: look.isColourful, isUTF8: look.isUTF8, canMove: canMove)
        guard let screen = await Screen.open(settings) else {
            throw .failed(Messages.noScreen, ["term": kind])
        }
        let end = await DashboardRun(host: host, screen: screen, look: look).run(startingWith: session)
        await screen.close()
        switch end {
        case .quit: return .success
        case .interrupted: return .interrupted
        case .room(let end): return try Watching.ended(end, at: call)
        }
    }
}

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
            call.text(SessionText.phase(session.phase)),
            SessionSummary.counts(session.attendance, session.feedback, call),
        ].joined(separator: "  ")
    }
}
