internal import Client
package import CommandLine
internal import Dashboard
internal import Meetings
internal import Phrases
internal import RecordText
package import Terminal
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
        if let named { session = try await Reference(named, host, of: call).session() }
        switch try await show(session, of: host, call) {
        case .quit: return .success
        case .interrupted: return .interrupted
        case .room(let end): return try Watching.ended(end, at: call)
        }
    }

    /// Shows a session, or the host's sessions if it is nil, on the whole screen until the user quits.
    static func show(_ session: SessionBody?, of host: APIClient, _ call: Invocation)
        async throws(CommandFailure) -> DashboardRun.End
    {
        let asksFirst = try call.settings().confirm ?? true
        let lines = try DashboardLines(call, host)
        let screen = try await call.openScreen()
        let look = Look(
            call.language, zone: .current, isUTF8: screen.settings.isUTF8,
            isColourful: screen.settings.isColourful)
        let run = DashboardRun(
            host: host, screen: screen, look: look, asksFirst: asksFirst,
            commands: lines.commands, readEnd: readEnd)
        let end = await run.run(startingWith: session)
        await screen.close()
        return end
    }

    /// Reads the new end of a session: a time as for `session edit --ends`, or minutes such as `+15`.
    private static func readEnd(_ text: String, _ session: SessionBody, _ now: Instant) -> Instant? {
        let isMinutes = text.hasPrefix("+") && text.dropFirst().allSatisfy(\.isWholeNumber)
        return WhenText.end(
            isMinutes ? text + "m" : text, startsAt: session.startsAt, from: session.endsAt, now: now,
            in: .named(session.timeZone))
    }
}

extension Invocation {
    /// Opens the terminal for drawing.
    /// - Throws: `.failed` if there is no terminal, or if `TERM` names an unknown one.
    package func openScreen() async throws(CommandFailure) -> Screen {
        let kind = environment["TERM", default: ""]
        let canMove = kind != "dumb" && !kind.isEmpty
        let settings = ScreenSettings(
            isColourful: isColourful && canMove, isUTF8: isUTF8 && canMove, canMove: canMove, theme: theme)
        guard let screen = await Screen.open(settings) else {
            throw .failed(CommandPhrases.Dashboard.noScreen, ["term": kind])
        }
        return screen
    }
}

/// Shows the home view if there is no terminal: one line for each session, and another line whenever a
/// session changes.
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
            case .joined, .heard, .snapshot, .frame: break
            }
            try call.checkOutput()
        }
        return .interrupted
    }

    private static func line(_ session: SessionBody, _ call: Invocation) -> String {
        let name = call.text(
            CommandPhrases.Messages.meetingMade,
            ["name": TerminalEscaping.safe(session.meetingName), "round": String(session.round)])
        return [
            session.startsAt.labelledWall(in: .named(session.timeZone), for: .current), name,
            call.text(session.phase.phrase),
            SessionSummary.counts(session.attendance, session.feedback, call),
        ].joined(separator: "  ")
    }
}

extension CommandPhrases.Dashboard {
    static let summary = Phrase("show a session live on the whole screen; without SESSION, today's sessions")
    static let session = Phrase(
        "session or meeting: a name, NAME#ROUND, a join code, an id or its end, or @ for the nearest")
    static let homeExample = Phrase("today's sessions; Enter opens one")
    static let nearestExample = Phrase("the running or next session")
    static let notes = Phrase(
        "The screen needs 40×12 cells; from 80×24 on it shows the QR code. NO_COLOR and LANG apply. "
            + "TERM=dumb and locales other than UTF-8 get ASCII. Without a terminal, it prints a line for "
            + "each update, like watch.")
    static let noScreen = Phrase(
        "the terminal type \"{term}\" is unknown; try TERM=xterm-256color or TERM=dumb.")
}
