package import Client
package import CommandLine
import Dashboard
import Meetings
import Outbound
import Phrases
import RecordText
import Wire

/// Plays a whole meeting against a running server: a host, a code to scan, and simulated attendees. It prints
/// the live updates of the session.
package enum Demo {
    private typealias Messages = CommandPhrases.Messages

    package struct Options: Sendable {
        package var attendees = 40
        package var over = Duration.seconds(20)
        /// Whether the demo ends after the last simulated attendee. Otherwise the session stays open.
        package var exits = false
        /// Whether the demo shows the dashboard instead of lines.
        package var showsDashboard = false
        /// Whether phones can reach the server. If so, the demo invites people to scan the code.
        package var isInReach = true
        package var seed = UInt64.random(in: 0...UInt64.max)

        package init() {}

        /// Reads `--attendees N --over 20s --exit`, which `declared` declares.
        package init(_ call: Invocation) throws(CommandFailure) {
            attendees = try call.integer("attendees") ?? attendees
            over = try call.duration("over") ?? over
            exits = call.arguments.has("exit")
            if exits, call.arguments.has("dashboard") { throw .usage(.together("--exit", "--dashboard")) }
            let kind = call.environment["TERM", default: ""]
            showsDashboard =
                !exits && call.console.outIsTerminal && call.console.inIsTerminal && kind != "dumb"
                && !kind.isEmpty
            if let seed = try call.integer("seed", 0...Int.max) { self.seed = UInt64(seed) }
        }

        package static let declared: [CommandDeclaration.Option] = [
            .number("attendees", "N", Simulation.sizes, CommandPhrases.Help.attendees),
            .value("over", "DURATION", CommandPhrases.Help.demoOver),
            .flag("exit", CommandPhrases.Help.demoExit),
            .flag("dashboard", CommandPhrases.Help.demoDashboard),
            .value("seed", "N", CommandPhrases.Help.seed),
        ]
    }

    /// Returns after the summary (with `exits`), when the user leaves the dashboard, or when the task is
    /// cancelled. Without the dashboard, call this function inside `Interruption.cancelling`; the dashboard
    /// handles signals itself.
    /// - Returns: a failure if the sent, seen and stored counts differ.
    package static func run(server: ServerAddress, _ options: Options, _ call: Invocation)
        async throws(CommandFailure) -> ExitCode
    {
        let host = try await DemoMeeting.host(at: server, call)
        let made = try await DemoMeeting.create(host, options, call)
        let session = made.session
        SessionSummary.print(call, session, draws: true, isInReach: options.isInReach)
        if options.isInReach { call.out(Messages.demoPhones) }
        try await tellWhatToTry(host, session, call)
        let asked = try await calling { () async throws(APIError) in
            try await host.questions(of: session.id).body
        }
        guard let key = CurrentKey(of: session, host) else {
            throw .failed(CommandPhrases.Fail.notACode, ["text": ""])
        }
        let plan = SimulationPlan(
            attendees: options.attendees, over: options.over, seed: options.seed, language: call.language)
        let simulation = Simulation(
            client: APIClient(
                server, language: call.language,
                transport: HTTPTransport(parallel: 32, environment: call.environment)),
            key: key, identifyBy: session.identifyBy, asked: asked, plan: plan)
        call.out()
        call.out(
            Messages.demoAttendees,
            ["count": String(options.attendees), "time": DurationText.write(options.over, in: call.language)])
        return options.showsDashboard
            ? try await showDashboard(host, session, simulation, call)
            : try await follow(host, session, simulation, options, call)
    }

    private enum Input: Sendable {
        case update(RoomUpdate)
        case played(Simulation.Report)
        case waitedLongEnough
        /// The user has left the dashboard.
        case left
    }

    /// Shows the dashboard while the simulated attendees arrive. When the user leaves it, prints the summary
    /// below it.
    private static func showDashboard(
        _ host: APIClient, _ session: SessionBody, _ simulation: Simulation, _ call: Invocation
    ) async throws(CommandFailure) -> ExitCode {
        let (inputs, feed) = AsyncStream.makeStream(of: Input.self)
        let room = RoomClient(host, rooms: [.session(session.id)])
        let reader = Task { for await update in room.updates() { feed.yield(.update(update)) } }
        let counting = Task { await count(inputs, feed, host, session, simulation, call) }
        defer {
            reader.cancel()
            counting.cancel()
        }
        let shown = try await DashboardCommand.show(session, of: host, call)
        feed.yield(.left)
        // The dashboard no longer handles signals.
        return try await Interruption.cancelling(call.console) { () async throws(CommandFailure) in
            let (report, view) = await counting.value
            if case .room(let reason) = shown { return try Watching.ended(reason, at: call) }
            let summary = DemoSummary(report, view, allowsCorrections: true, host, session, call)
            let agrees = try await summary.show()
            if case .interrupted = shown { return .interrupted }
            Following.show(
                call,
                [
                    ("serve --data DIR", Messages.nextServe), ("signup", Messages.nextSignUp),
                    ("meeting create NAME --now", Messages.nextFirst),
                ])
            return agrees && report.failures == 0 ? .success : .failed
        }
    }

    /// Counts what the room shows. After the user has left the dashboard, nobody arrives any more, and the
    /// room has 5 s to show the counts that the server has stored.
    private static func count(
        _ inputs: AsyncStream<Input>, _ feed: AsyncStream<Input>.Continuation, _ host: APIClient,
        _ session: SessionBody, _ simulation: Simulation, _ call: Invocation
    ) async -> (Simulation.Report, LiveView) {
        var view = LiveView(startingWith: session)
        var report: Simulation.Report?
        var stored: SessionBody?
        var player: Task<Void, Never>?
        var hasLeft = false
        for await input in inputs {
            switch input {
            case .update(let update):
                _ = view.take(update, call)
                // Start the simulated attendees only after the client has joined the room, so that it sees
                // every arrival.
                if player == nil, !hasLeft, view.isLive {
                    player = Task { feed.yield(.played(await simulation.run())) }
                }
            case .played(let finished): report = finished
            case .left:
                hasLeft = true
                player?.cancel()
                if player == nil { report = Simulation.Report() }
                Task {
                    try? await Task.sleep(for: .seconds(5))
                    feed.yield(.waitedLongEnough)
                }
            case .waitedLongEnough: return (report ?? Simulation.Report(), view)
            }
            guard hasLeft, let report else { continue }
            if stored == nil { stored = try? await host.session(session.id).body }
            if let stored, view.attendance == stored.attendance,
                view.responses == stored.feedback.responses
            {
                return (report, view)
            }
        }
        return (report ?? Simulation.Report(), view)
    }

    private static func follow(
        _ host: APIClient, _ session: SessionBody, _ simulation: Simulation, _ options: Options,
        _ call: Invocation
    ) async throws(CommandFailure) -> ExitCode {
        let (inputs, feed) = AsyncStream.makeStream(of: Input.self)
        let room = RoomClient(host, rooms: [.session(session.id)])
        let reader = Task { for await update in room.updates() { feed.yield(.update(update)) } }
        var player: Task<Void, Never>?
        defer {
            reader.cancel()
            player?.cancel()
        }
        var view = LiveView(startingWith: session)
        var report: Simulation.Report?
        var isSummedUp = false
        for await input in inputs {
            switch input {
            case .update(let update):
                for line in view.take(update, call) { call.out(line.painted(call.paint)) }
                if case .ended(let end) = update { return try Watching.ended(end, at: call) }
                // Start the simulated attendees only after the client has joined the room, so that it sees
                // every arrival.
                if player == nil, view.isLive {
                    player = Task {
                        feed.yield(.played(await simulation.run()))
                        try? await Task.sleep(for: .seconds(5))
                        feed.yield(.waitedLongEnough)
                    }
                }
            case .played(let finished): report = finished
            case .waitedLongEnough, .left: break
            }
            guard let report, !isSummedUp else { continue }
            let isAllSeen = view.seen >= report.checkedIn && view.responses >= report.responses
            var isTimeUp = false
            if case .waitedLongEnough = input { isTimeUp = true }
            guard isAllSeen || isTimeUp else { continue }
            isSummedUp = true
            let agrees = try await DemoSummary(report, view, host, session, call).show()
            if options.exits { return agrees && report.failures == 0 ? .success : .failed }
            call.out(Messages.demoStays)
        }
        return .interrupted
    }

    private static func tellWhatToTry(_ host: APIClient, _ session: SessionBody, _ call: Invocation)
        async throws(CommandFailure)
    {
        let link = try await calling { () async throws(APIError) in
            try await host.createPresenterLink(session.id)
        }
        call.out("\n\(call.text(Messages.hallScreen)): \(link.url)")
        guard let code = session.joinCode else { return }
        call.out(call.text(Messages.tryByHand))
        call.out("  qring checkin \(code) --name NAME --email ADDRESS --server \(host.server.url)")
        call.out("  qring respond")
    }
}

extension CommandPhrases.Help {
    static let demoOver = Phrase("the time in which all attendees arrive (default 20s)")
    static let demoExit = Phrase("print lines instead of the dashboard, and exit when everybody has arrived")
    static let demoDashboard = Phrase("show the dashboard (the default on a terminal)")
}

extension CommandPhrases.Messages {
    static let hallScreen = Phrase("For the hall's screen")
    static let demoPhones = Phrase("Phones on the same network can scan the code and check in, too.")
    static let demoAttendees = Phrase(
        "{count} simulated {count|attendee arrives|attendees arrive} over {time}.")
    static let demoStays = Phrase("The server keeps running. Press Ctrl-C to stop it.")
    static let nextServe = Phrase("start a server of your own that keeps its data")
    static let nextSignUp = Phrase("create your account on that server")
    static let nextFirst = Phrase("create your first meeting, with a code for phones")
    static let tryByHand = Phrase("Try these commands in another terminal:")
}

/// Creates the demo's host and meeting.
enum DemoMeeting {
    private typealias Messages = CommandPhrases.Messages

    /// Creates an account for the demo, with a random password. The account's sign-in is not saved.
    static func host(at server: ServerAddress, _ call: Invocation) async throws(CommandFailure) -> APIClient {
        let client = try call.client(at: server)
        let account = NewAccount(
            email: "demo-\(APICall.randomKey().prefix(10))@example.org", password: APICall.randomKey(),
            name: call.text(Messages.demoHost),
            locale: call.language.rawValue)
        do throws(APIError) {
            _ = try await client.signUp(account)
            let token = try await client.signIn(
                email: account.email, password: account.password, client: "qring demo")
            return client.speaking(for: .bearer(token.accessToken))
        } catch {
            guard error.code == .signUpClosed else { throw .api(error) }
            throw .said(
                .notAllowed, CommandPhrases.Fail.demoSignUpClosed, [:], next: "qring serve --signup open")
        }
    }

    static func create(_ host: APIClient, _ options: Demo.Options, _ call: Invocation)
        async throws(CommandFailure) -> NewMeetingBody
    {
        let now = SystemTime.now.wholeSecond
        var session = NewSession(startsAt: now, endsAt: now + .hours(2))
        session.questions = SampleQuestions.all(in: call.language)
        var meeting = NewMeeting(name: call.text(Messages.demoMeeting), session: session)
        meeting.timeZone = Zone.current.name
        meeting.plannedCount = options.attendees
        let asked = meeting
        return try await calling { () async throws(APIError) in
            try await host.createMeeting(asked, idempotencyKey: APICall.randomKey())
        }
    }
}

extension CommandPhrases.Messages {
    static let demoMeeting = Phrase("QRing demo")
    static let demoHost = Phrase("Demo host")
}

extension CommandPhrases.Fail {
    static let demoSignUpClosed = Phrase("this server accepts no new accounts, but the demo needs one.")
}
