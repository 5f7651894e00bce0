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
                .init("watch \"Study group\" --json", Help.json),
            ], positionals: [.init("SESSION", Help.session, required: false)],
            options: [
                .json(fields: WatchLine.fields), .value("since", "EPOCH:N", Help.since),
                .value("until", "GOAL", Help.until),
                .value("timeout", "DURATION", Help.timeout), .flag("bell", CommandPhrases.Alerts.bell),
                .flag("notify", CommandPhrases.Alerts.notify),
            ], run: Watching.run),
        CommandDeclaration(
            "simulate", Help.simulate,
            examples: [.init("simulate @ --attendees 200 --over 30s", Help.simulateExample)],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [
                .number("attendees", "N", Simulation.sizes, Help.attendees),
                .value("over", "DURATION", Help.over),
                .value("seed", "N", Help.seed),
                .value("set", "NAME", Help.set), .value("parallel", "N", Help.parallel),
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
    static let skipped = Phrase(
        "Question skipped, because no generated answer meets its rules: {title}",
        "규칙에 맞는 답변을 만들지 못해 건너뛴 질문: {title}")
    static let unanswerable = Phrase(
        "Nobody could answer, because no generated answer meets the rules of \"{title}\".",
        "\"{title}\"의 규칙에 맞는 답변을 만들지 못해 아무도 답하지 못했습니다.")
}

extension CommandPhrases.Help {
    static let watch = Phrase("follow a session live, one line per update", "회차를 실시간으로 보기, 소식마다 한 줄")
    static let watchExample = Phrase(
        "until 50 people are checked in, for at most a minute",
        "50명이 체크인할 때까지, 최대 1분")
    static let since = Phrase(
        "resume after this update: EPOCH:N, as --json prints it",
        "이 소식 다음부터: --json이 출력한 EPOCH:N")
    static let until = Phrase("stop at checked-in=N or responses=N", "checked-in=N 또는 responses=N이 되면 종료")
    static let timeout = Phrase("give up after this time, with exit code 124", "이 시간이 지나면 종료 코드 124로 종료")
    static let simulate = Phrase(
        "simulate attendees who check in and answer through the real API",
        "실제 API로 체크인하고 답하는 가상 참석자")
    static let simulateExample = Phrase("200 people within half a minute", "30초 동안 200명")
    static let over = Phrase(
        "the time in which all attendees arrive (default 30s)",
        "참석자가 모두 도착할 때까지의 시간(기본 30s)")
    static let parallel = Phrase("the largest number of parallel requests (default 32)", "최대 동시 요청 수(기본 32)")
}

extension CommandPhrases.Messages {
    static let simulated = Phrase(
        "{checkedIn} checked in and {responses} answered in {time}; median {median}, slowest {slowest}.",
        "{time} 동안 {checkedIn}명이 체크인하고 {responses}명이 답변했습니다. 중앙값 {median}, 최대 {slowest}.")
    static let simulatedAudience = Phrase(
        "They asked {questions} {questions|question|questions} and cast {votes} {votes|vote|votes}.",
        "질문 {questions}개와 추천 {votes}개를 보냈습니다.")
}

extension CommandPhrases.Progress {
    static let attendees = Phrase("attendees", "참석자")
}
