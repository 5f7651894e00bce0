package import CommandLine
import Dispatch
import HostCommands
import Meetings
import Phrases
import Synchronization

/// The commands `qring bench …`. Each command starts its own server, measures it and prints the results.
package enum BenchCommands {
    private typealias Messages = CommandPhrases.Bench

    package static var all: [CommandDeclaration] {
        [
            command(
                .checkIn, Messages.checkIn,
                [.init("bench check-in --connections 512", Messages.checkInExample)],
                [
                    seconds, connections, watchers(Messages.noWatchers),
                    .flag("elsewhere", Messages.elsewhere),
                    .value("against", "PORT", Messages.against),
                    .value("webhooks", "N", Messages.webhooks),
                    .value("database", "URL", Messages.database), .value("nodes", "N", Messages.nodes),
                ]),
            command(
                .fanOut, Messages.fanOut, [.init("bench fan-out --watchers 2000", Messages.fanOutExample)],
                [seconds, connections, watchers(Messages.watchers), .value("rate", "N", Messages.rate)]
                    + socketIO),
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
                [seconds, watchers(Messages.idleWatchers)] + socketIO),
            command(
                .hall, Messages.hall, [.init("bench hall --attendees 500", Messages.hallExample)],
                [
                    .value("attendees", "N", Messages.hallAttendees),
                    .value("rate", "N", Messages.hallRate), connections, watchers(Messages.watchers),
                ]),
            command(
                .responses, Messages.responses,
                [.init("bench responses --connections 64", Messages.responsesExample)],
                [.value("check-ins", "N", Messages.responders), connections, floors]),
            command(
                .read, Messages.read, [.init("bench read --attendees 60000", Messages.readExample)],
                [
                    .value("seconds", "N", Messages.readSeconds),
                    .value("attendees", "N", Messages.readAttendees),
                    .value("searched", "N", Messages.searched), connections, floors,
                ]),
            command(
                .abuse, Messages.abuse,
                [
                    .init(
                        "bench abuse --attendees 100000 --roster 20000 --sessions 2000 --file-kb 1024",
                        Messages.abuseExample)
                ],
                [
                    .value("attendees", "N", Messages.attendees), .value("roster", "N", Messages.roster),
                    .value("sessions", "N", Messages.sessions), .value("file-kb", "N", Messages.fileKB),
                    .value("abusers", "N", Messages.abusers),
                    .value("requests", "N", Messages.requests), .value("rate", "N", Messages.abuseRate),
                    .value("seconds", "N", Messages.abuseSeconds), .value("limit", "MS", Messages.limit),
                    connections,
                ]),
        ]
    }

    private static let connections = CommandDeclaration.Option.value("connections", "N", Messages.connections)

    private static let floors = CommandDeclaration.Option.flag("floors", Messages.floors)

    private static let seconds = CommandDeclaration.Option.value("seconds", "N", Messages.seconds)

    private static let socketIO: [CommandDeclaration.Option] = [
        .flag("socket-io", Messages.socketIO), .value("most-ratio", "N", Messages.mostRatio),
    ]

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
            // Print the figures first. If the server has refused requests, the command fails, so that a
            // script does not trust the figures.
            if let unexpected = report.unexpected?.min(by: { $0.key < $1.key }) {
                throw .failed(
                    Messages.unexpected, ["route": unexpected.key, "status": String(unexpected.value)])
            }
            if let slow = report.tooSlow, let first = slow.first {
                throw .failed(
                    Messages.tooSlow,
                    ["count": String(slow.count), "limit": String(plan.limitMs), "route": first])
            }
            if plan.mustReachFloors, let missed = report.missed, !missed.isEmpty {
                throw .failed(Messages.missed, ["figures": missed.joined(separator: "; ")])
            }
            if let other = report.socketIO, other.ratio > plan.mostRatio {
                throw .failed(
                    Messages.socketIOTooCostly,
                    ["ratio": Figures.text(other.ratio, 2), "limit": Figures.text(plan.mostRatio, 2)])
            }
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
        case .unlisted(let routes):
            .failed(Messages.unlisted, ["routes": routes.joined(separator: ", ")])
        case .crowd(let joined, let count):
            .failed(Messages.noCrowd, ["joined": String(joined), "count": String(count)])
        }
    }
}

extension BenchPlan {
    init(_ kind: Kind, _ call: Invocation) throws(CommandFailure) {
        self.init(kind)
        if let written = call.arguments.value("seconds") {
            let least = kind == .abuse ? 0.01 : 0.2
            guard let number = Double(written), (least...60).contains(number) else {
                throw .usage(.notReadable("--seconds", written, expected: "\(least), 5, 60"))
            }
            seconds = number
        }
        attendees = try call.integer("attendees", 1...(kind == .hall ? 5_000 : 100_000)) ?? attendees
        roster = try call.integer("roster", 1...20_000) ?? roster
        meetingSessions = try call.integer("sessions", 2...2_000) ?? meetingSessions
        fileBytes = try call.integer("file-kb", 8...1024).map { $0 * 1024 } ?? fileBytes
        abusers = try call.integer("abusers", 1...32) ?? abusers
        requests = try call.integer("requests", 1...1000) ?? requests
        limitMs = try call.integer("limit", 1...60_000) ?? limitMs
        connections = try call.integer("connections", 1...1024) ?? connections
        watchers = try call.integer("watchers", (kind == .checkIn ? 0 : 1)...10_000) ?? watchers
        checkIns = try call.integer("check-ins", 1...50_000) ?? checkIns
        rate = try call.integer("rate", 1...1000) ?? rate
        searched = try call.integer("searched", 1...100_000) ?? searched
        mustReachFloors = call.arguments.has("floors")
        webhooks = try call.integer("webhooks", 0...Webhook.mostOfMeeting)
        database = call.arguments.value("database")
        nodes = try call.integer("nodes", 1...8) ?? nodes
        if nodes > 1, database == nil {
            throw .usage(.missing("--database"))
        }
        watchesElsewhere = call.arguments.has("elsewhere")
        comparesSocketIO = call.arguments.has("socket-io")
        if let written = call.arguments.value("most-ratio") {
            guard let number = Double(written), (1...1000).contains(number) else {
                throw .usage(.outOfRange("--most-ratio", 1...1000))
            }
            mostRatio = number
        }
        against = try call.integer("against", 1...65_535).map { UInt16($0) }
        folder = call.arguments.value("data") ?? folder
        log = call.arguments.value("log") ?? log
    }
}

extension CommandPhrases {
    /// The texts of `qring bench`.
    enum Bench {
        static let checkIn = Phrase("measure durable check-ins of different people by code")
        static let checkInExample = Phrase("with many phones at once")
        static let fanOut = Phrase("measure the cost of sending each check-in to all watchers of a room")
        static let storm = Phrase("measure how soon all watchers have the right count after a rush")
        static let fanOutExample = Phrase("one change, sent to 2,000 watchers")
        static let idleExample = Phrase("the cost of 5,000 idle watchers")
        static let stormExample = Phrase("as one JSON object")
        static let idle = Phrase("measure the memory of idle watchers and the delay of an active one")
        static let hall = Phrase("measure the answers to an open poll and the votes for audience questions")
        static let hallExample = Phrase("a hall in which everybody answers and votes")
        static let hallAttendees = Phrase(
            "attendees who answer the poll and vote three times, 1–5000 (default 500)")
        static let hallRate = Phrase("answers and votes per second (default 400)")
        static let responses = Phrase(
            "measure the responses to three questions beside the check-ins of the same people")
        static let responsesExample = Phrase("as a ratio to check-ins")
        static let responders = Phrase("people who check in and respond, 1–50000 (default 10000)")
        static let read = Phrase("measure the server's cost of pages, lists and searches")
        static let readExample = Phrase("with a large session")
        static let readSeconds = Phrase("seconds for each read, 0.2–60 (default 2)")
        static let readAttendees = Phrase(
            "attendees of the session whose pages are read, 1–100000 (default 60000)")
        static let searched = Phrase("attendees of the session that is searched, 1–100000 (default 100000)")
        static let floors = Phrase("fail if a figure misses its floor (docs/benchmarks.md)")
        static let missed = Phrase("These figures miss their floor: {figures}.")
        static let abuse = Phrase("measure how long check-ins wait for the worst request of each route")
        static let abuseExample = Phrase("at the documented limits")
        static let attendees = Phrase("attendees of the largest session (default 1000)")
        static let roster = Phrase("people on the roster (default 200)")
        static let sessions = Phrase("sessions of a meeting (default 20)")
        static let fileKB = Phrase("size of an uploaded file in KB, 8–1024 (default 64)")
        static let abusers = Phrase(
            "connections that send the worst requests, each for another account (default 4)")
        static let requests = Phrase("requests of each route that needs a new record for each (default 20)")
        static let abuseRate = Phrase("check-ins per second meanwhile (default 500)")
        static let abuseSeconds = Phrase("seconds for each route, 0.01–60 (default 0.5)")
        static let limit = Phrase("fail if a check-in takes longer than this many milliseconds (default 100)")
        static let unexpected = Phrase("{route} did not accept its worst request (status: {status}).")
        static let tooSlow = Phrase(
            "A check-in took longer than {limit} ms during {count} {count|route|routes}, first {route}.")
        static let unlisted = Phrase("the benchmark does not know these routes of the server: {routes}")
        static let seconds = Phrase("how long to measure, in seconds, 0.2–60 (default 5)")
        static let stormSeconds = Phrase("stop sending after this many seconds, 0.2–60 (default 60)")
        static let noWatchers = Phrase(
            "number of clients that watch the session during the measurement (default 0)")
        static let database = Phrase(
            "an empty PostgreSQL database, to compare with SQLite; the data of the benchmark stays in it")
        static let nodes = Phrase(
            "number of servers that share the database and the connections, 1–8 (default 1)")
        static let webhooks = Phrase(
            "compare check-ins to meetings with N web hooks, 0–5, and to meetings without any, and print "
                + "the ratio")
        static let elsewhere = Phrase("make the watchers watch another session, into which nobody checks in")
        static let connections = Phrase("HTTP connections, each with one request at a time (default 64)")
        static let watchers = Phrase("number of clients that watch the session (default 2000)")
        static let idleWatchers = Phrase("number of clients that watch the session (default 5000)")
        static let checkIns = Phrase("number of check-ins (default 10000)")
        static let rate = Phrase("check-ins per second (default 20)")
        static let socketIO = Phrase("measure clients of Socket.IO, too, and print the ratio")
        static let mostRatio = Phrase(
            "with --socket-io: fail if a client costs more than this many watchers of a room (default 1.3)")
        static let socketIOTooCostly = Phrase(
            "A client of Socket.IO costs {ratio} times as much as a watcher of a room, more than {limit}.")
        static let against = Phrase(
            "alternate with another service on this port of this machine, and print the ratio")
        static let data = Phrase("folder for the temporary database (default /var/tmp)")
        static let log = Phrase("the server's log format (default silent)")
        static let notes = Phrase(
            "The command starts its own server on a temporary database and removes both afterwards. "
                + "Compare figures only within one run on one machine: docs/benchmarks.md.")
        static let refused = Phrase(
            "{count} {count|request was|requests were} refused or lost (first status: {status}).")
        static let noMeeting = Phrase("the benchmark could not prepare its meeting: {reason}")
        static let noCrowd = Phrase("only {joined} of {count} clients could watch the session.")
        static let system = Phrase("The system call {call} failed: {reason}.")
    }
}

/// The reason why a benchmark could not run. A request that the server refuses is not an error; the report
/// counts it.
package enum BenchError: Error, Sendable, Equatable {
    case folder(String, reason: String)
    /// The benchmark's server did not start. The value is the last line of its log.
    case server(String)
    /// The meeting could not be created.
    case meeting(String)
    /// A system call failed.
    case system(call: String, reason: String)
    /// Some watchers could not join the room.
    case crowd(joined: Int, of: Int)
    /// The server describes routes that the table of worst requests lacks, or the other way round.
    case unlisted([String])
    case stopped
}

/// A flag that is set when the user stops the benchmark. Every loop of a benchmark checks it.
final class StopFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}

/// Runs blocking work on its own queue, because it must not block a thread of Swift's pool.
func onThread<Value: Sendable>(
    _ name: String, _ work: @escaping @Sendable () throws(BenchError) -> Value
) async throws(BenchError) -> Value {
    let result: Result<Value, BenchError> = await withCheckedContinuation { continuation in
        DispatchQueue(label: "qring.bench.\(name)", qos: .userInitiated).async {
            do throws(BenchError) { continuation.resume(returning: .success(try work())) } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }
    return try result.get()
}
