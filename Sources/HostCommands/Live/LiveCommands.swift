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
                .value("timeout", "DURATION", Help.timeout),
            ], run: Watching.run),
        CommandDeclaration(
            "simulate", Help.simulate,
            examples: [.init("simulate @ --attendees 200 --over 30s", Help.simulateExample)],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [
                .value("attendees", "N", Help.attendees), .value("over", "DURATION", Help.over),
                .value("seed", "N", Help.seed),
                .value("set", "NAME", Help.set), .value("parallel", "N", Help.parallel),
                .json(fields: Simulation.Report.fields),
            ], run: simulate),
    ]

    private static func simulate(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        guard let attendees = try call.integer("attendees", 1...100_000) else {
            throw .usage(.missing("--attendees N"))
        }
        let over = try call.duration("over") ?? .seconds(30)
        let seed = try call.integer("seed", 0...Int.max).map { UInt64($0) } ?? .random(in: 0...UInt64.max)
        let parallel = try call.integer("parallel", 1...512) ?? 32
        let host = try call.host()
        let session = try await Reference(call.arguments.positional("SESSION") ?? "@", host).session()
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
        let simulation = Simulation(
            client: client, key: key, identifyBy: session.identifyBy, asked: asked, plan: plan)
        let progress = ProgressBar(call)
        let report = await simulation.run {
            progress.show(CommandPhrases.Progress.attendees, $0, of: attendees)
        }
        progress.end()
        if call.wantsJSON { call.json(report) } else { tell(report, call) }
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

    static func tell(_ report: Simulation.Report, _ call: Invocation) {
        let values = [
            "checkedIn": String(report.checkedIn), "responses": String(report.responses),
            "time": DurationText.write(.seconds(report.seconds)),
            "median": DurationText.write(.milliseconds(report.medianMs)),
            "slowest": DurationText.write(.milliseconds(report.slowestMs)),
        ]
        call.out(Messages.simulated, values)
    }
}
