internal import Client
package import CommandLine
internal import Meetings
internal import Outbound
internal import Phrases
internal import Terminal
internal import Wire

package enum LiveCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Messages = CommandPhrases.Messages

    package static let all = [
        CommandDeclaration(
            "watch", Help.watch,
            examples: [
                .init("watch", Help.sessionNearest),
                .init("watch @ --until checked-in=50 --timeout 60s", Help.watchExample),
                .init("watch @ --until ended --quiet", Help.watchEndExample),
                .init("watch \"Study group\" --json", Help.json),
            ], positionals: [.init("SESSION", Help.session, required: false)],
            options: [
                .json(fields: WatchLine.fields), .value("since", "EPOCH:N", Help.since),
                .value("until", "GOAL", Help.until),
                .value("timeout", "DURATION", Help.timeout), .flag("quiet", Help.quiet),
                .flag("compact", Help.compact),
                .flag("bell", CommandPhrases.Alerts.bell),
                .flag("notify", CommandPhrases.Alerts.notify),
            ], run: Watching.run),
        CommandDeclaration(
            "simulate", Help.simulate,
            examples: [.init("simulate @ --attendees 200 --over 30s", Help.simulateExample)],
            positionals: [.init("SESSION", Help.session, required: false)], changesSession: true,
            options: [
                .number("attendees", "N", Simulation.sizes, Help.attendees),
                .value("over", "DURATION", Help.over),
                .value("seed", "N", Help.seed),
                .value("set", "SET", Help.set), .value("parallel", "N", Help.parallel),
                .json(fields: Simulation.Report.fields),
            ], needs: [.one(of: "attendees")], run: simulate),
    ]

    private static func simulate(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let attendees = try call.integer("attendees") ?? 1
        let over = try call.duration("over") ?? .seconds(30)
        let seed = try call.integer("seed", 0...Int.max).map { UInt64($0) } ?? .random(in: 0...UInt64.max)
        let parallel = try call.integer("parallel", 1...512) ?? 32
        let host = try call.host()
        let session = try await Reference("SESSION", of: call, host).session()
        guard let key = CurrentKey(of: session, host) else {
            throw .failed(CommandPhrases.Fail.notACode, ["text": ""])
        }
        let set = call.arguments.value("set")
        let asked = try await calling { () async throws(APIError) -> QuestionSetBody? in
            do throws(APIError) { return try await host.questions(of: session.id, set: set).body } catch {
                guard error.code == .notFound || error.code == .noQuestions else { throw error }
                return nil
            }
        }
        let client = APIClient(
            host.server, language: call.language,
            transport: HTTPTransport(parallel: parallel, environment: call.environment))
        let plan = SimulationPlan(attendees: attendees, over: over, seed: seed, language: call.language)
        let settings = try await calling { () async throws(APIError) in
            try await host.audienceSettings(of: session.id)
        }
        let audience =
            settings.accepting ? SimulatedAudience(settings: settings, language: call.language) : nil
        let votesBefore = try await votes(of: session.id, host, if: audience != nil)
        let simulation = Simulation(
            client: client, key: key, identifyBy: session.identifyBy, asked: asked, audience: audience,
            plan: plan)
        let progress = ProgressBar(call)
        var report = await simulation.run {
            progress.show(CommandPhrases.Progress.attendees, $0, of: attendees)
        }
        progress.end()
        if let votesBefore, let votesAfter = try await votes(of: session.id, host, if: true) {
            report.votesCounted = votesAfter - votesBefore
        }
        if call.wantsJSON { call.json(report) } else { show(report, call) }
        for title in report.leftOut {
            call.note(CommandPhrases.Forms.skipped, ["title": TerminalEscaping.safe(title)])
        }
        if let title = report.unanswerable {
            call.note(CommandPhrases.Forms.unanswerable, ["title": TerminalEscaping.safe(title)])
        }
        if Task.isCancelled { return .interrupted }
        guard report.failures == 0 else {
            throw .failed(
                CommandPhrases.Fail.simulationFailed,
                [
                    "count": String(report.failures), "all": String(report.attendees),
                    "reason": report.firstFailure ?? "",
                ])
        }
        return .success
    }

    /// Returns the sum of the votes for questions from the audience; nil if the session takes none.
    private static func votes(of session: SessionID, _ host: APIClient, if isOpen: Bool)
        async throws(CommandFailure) -> Int?
    {
        guard isOpen else { return nil }
        return try await calling { () async throws(APIError) in try await host.countedVotes(of: session) }
    }

    static func show(_ report: Simulation.Report, _ call: Invocation) {
        let values = [
            "checkedIn": String(report.checkedIn), "responses": String(report.responses),
            "time": DurationText.write(.seconds(report.seconds), in: call.language),
            "median": DurationText.write(.milliseconds(report.medianMs), in: call.language),
            "slowest": DurationText.write(.milliseconds(report.slowestMs), in: call.language),
        ]
        call.out(Messages.simulated, values)
        guard report.questionsAsked + report.votes > 0 else { return }
        call.out(
            Messages.simulatedAudience,
            ["questions": String(report.questionsAsked), "votes": String(report.votes)])
    }
}

extension CommandPhrases.Forms {
    static let skipped = Phrase("Question skipped, because no generated answer meets its rules: {title}")
    static let unanswerable = Phrase(
        "Nobody could answer, because no generated answer meets the rules of \"{title}\".")
}

extension CommandPhrases.Help {
    static let watch = Phrase("follow a session live, one line per update")
    static let watchExample = Phrase("until 50 people are checked in, for at most a minute")
    static let since = Phrase("resume after this line: resumeFrom, as --json prints it")
    static let until = Phrase(
        "stop at checked-in=N, responses=N, opened (check-in), ended, or a time such as 20:30")
    static let compact = Phrase("print only the counts, without names and answers")
    static let quiet = Phrase("print no updates, only wait")
    static let watchEndExample = Phrase("until the session ends, without output")
    static let timeout = Phrase("give up after this time, with exit code 124")
    static let simulate = Phrase("simulate attendees who check in and answer through the real API")
    static let simulateExample = Phrase("200 people within half a minute")
    static let over = Phrase("the time in which all attendees arrive (default 30s)")
    static let parallel = Phrase("the largest number of parallel requests (default 32)")
}

extension CommandPhrases.Messages {
    static let simulated = Phrase(
        "{checkedIn} checked in and {responses} answered in {time}; median {median}, slowest {slowest}.")
    static let simulatedAudience = Phrase(
        "They asked {questions} {questions|question|questions} and cast {votes} {votes|vote|votes}.")
}

extension CommandPhrases.Progress {
    static let attendees = Phrase("attendees")
}
