package import CommandLine
internal import HostCommands
internal import Phrases

/// The commands `qring bench …`. Each command starts its own server and prints its measurements.
package enum BenchCommands {
    private typealias Messages = CommandPhrases.Bench

    package static var all: [CommandDeclaration] {
        [
            command(
                .checkIn, Messages.checkIn,
                [.init("bench check-in --connections 512", Messages.checkInExample)],
                [
                    seconds, connections, watchers(Messages.noWatchers),
                    .value("against", "PORT", Messages.against),
                ]),
            command(
                .fanOut, Messages.fanOut, [.init("bench fan-out --watchers 2000", Messages.fanOutExample)],
                [seconds, connections, watchers(Messages.watchers), .value("rate", "N", Messages.rate)]),
            command(
                .storm, Messages.storm,
                [.init("bench storm --check-ins 10000 --json", Messages.stormExample)],
                [
                    .value("check-ins", "N", Messages.checkIns),
                    .value("seconds", "N", Messages.stormSeconds), connections,
                    watchers(Messages.watchers),
                ]),
            command(
                .idle, Messages.idle, [.init("bench idle --watchers 5000", Messages.idleExample)],
                [seconds, watchers(Messages.idleWatchers)]),
        ]
    }

    private static let connections = CommandDeclaration.Option.value("connections", "N", Messages.connections)

    private static let seconds = CommandDeclaration.Option.value("seconds", "N", Messages.seconds)

    private static func watchers(_ meaning: Phrase) -> CommandDeclaration.Option {
        .value("watchers", "N", meaning)
    }

    private static func command(
        _ kind: BenchPlan.Kind, _ summary: Phrase, _ examples: [CommandDeclaration.Example],
        _ options: [CommandDeclaration.Option]
    ) -> CommandDeclaration {
        return CommandDeclaration(
            "bench \(kind.rawValue)", summary, examples: examples,
            options: options + [
                .value("data", "DIR", Messages.data),
                .oneOf("log", ["silent", "text", "json"], Messages.log), .json(fields: BenchReport.fields),
            ], notes: Messages.notes, hasServer: false
        ) { call throws(CommandFailure) in
            let plan = try BenchPlan(kind, call)
            let report: BenchReport
            do throws(BenchError) { report = try await Benchmark.run(plan) } catch { throw failure(error) }
            if call.wantsJSON { call.json(report) } else { call.out(BenchTable.text(report, call)) }
            // The command prints the figures even if requests were refused. It then fails, so that a script
            // sees that the server did not handle all requests.
            guard report.refused == 0 else {
                throw .failed(
                    Messages.refused,
                    ["count": String(report.refused), "status": String(report.firstRefusal ?? 0)])
            }
            return .success
        }
    }

    private static func failure(_ error: BenchError) -> CommandFailure {
        switch error {
        case .stopped: .ended(.interrupted)
        case .folder(let path, let reason):
            .failed(CommandPhrases.Fail.fileUnwritable, ["path": path, "reason": reason])
        case .server(let reason): .failed(CommandPhrases.Serve.cannotStart, ["reason": reason])
        case .meeting(let reason): .failed(Messages.noMeeting, ["reason": reason])
        case .system(let call, let reason): .failed(Messages.system, ["call": call, "reason": reason])
        case .crowd(let joined, let count):
            .failed(Messages.noCrowd, ["joined": String(joined), "count": String(count)])
        }
    }
}

extension BenchPlan {
    init(_ kind: Kind, _ call: Invocation) throws(CommandFailure) {
        self.init(kind)
        if let written = call.arguments.value("seconds") {
            guard let number = Double(written), (0.2...60).contains(number) else {
                throw .usage(.notReadable("--seconds", written, expected: "0.2…60"))
            }
            seconds = number
        }
        connections = try call.integer("connections", 1...1024) ?? connections
        watchers = try call.integer("watchers", (kind == .checkIn ? 0 : 1)...10_000) ?? watchers
        checkIns = try call.integer("check-ins", 1...50_000) ?? checkIns
        rate = try call.integer("rate", 1...1000) ?? rate
        against = try call.integer("against", 1...65_535).map { UInt16($0) }
        folder = call.arguments.value("data") ?? folder
        log = call.arguments.value("log") ?? log
    }
}
