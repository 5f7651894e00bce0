import Client
import CommandLine
import Glibc
import HostCommands
import Meetings
import Outbound
import Phrases
import Threads
import Wire

/// Runs one benchmark, from the start of the server to its end.
package enum Benchmark {
    /// Runs a benchmark. It ends at most about twenty seconds after the plan's time, and leaves no process
    /// and no file behind. Refused requests are counted, not thrown.
    /// - Throws: `stopped` if the task is cancelled.
    package static func run(_ plan: BenchPlan) async throws(BenchError) -> BenchReport {
        let stop = StopFlag()
        let result: Result<BenchReport, BenchError> = await withTaskCancellationHandler {
            do throws(BenchError) {
                return .success(
                    try await plan.comparesSocketIO ? compared(plan, stop) : run(plan, stop))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            stop.set()
        }
        if stop.isSet { throw .stopped }
        return try result.get()
    }

    /// The runs with each kind of client. Memory is the same in each run, and processor time is not.
    private static func rounds(_ plan: BenchPlan) -> Int { plan.kind == .idle ? 1 : 3 }

    /// Measures the rooms' own clients and clients of Socket.IO in turn, each with a new server, because
    /// memory that the first ones leave would belong to the others.
    private static func compared(_ plan: BenchPlan, _ stop: StopFlag) async throws(BenchError) -> BenchReport
    {
        var other = plan
        other.client = .socketIO
        var pairs: [(own: BenchReport, socketIO: BenchReport)] = []
        for _ in 0..<rounds(plan) {
            pairs.append((try await run(plan, stop), try await run(other, stop)))
        }
        pairs.sort { BenchReport.ratio($0) < BenchReport.ratio($1) }
        let (own, socketIO) = pairs[pairs.count / 2]
        var report = own
        report.refused = pairs.reduce(0) { $0 + $1.own.refused + $1.socketIO.refused }
        report.firstRefusal =
            pairs.lazy.compactMap { $0.own.firstRefusal ?? $0.socketIO.firstRefusal }.first
        report.socketIO = BenchReport.SocketIO(
            memoryPerWatcherKB: socketIO.memoryPerWatcherKB,
            serverCPUMicroseconds: socketIO.serverCPUMicroseconds,
            bytesPerDelivery: socketIO.bytesPerDelivery,
            ratio: Figures.rounded(BenchReport.ratio((own, socketIO)), to: 3))
        return report
    }

    private static func run(_ plan: BenchPlan, _ stop: StopFlag) async throws(BenchError) -> BenchReport {
        LoopbackSocket.raiseLimit()
        signal(SIGPIPE, SIG_IGN)
        let report = BenchReport(plan, on: try MachineLine(folder: plan.folder))
        let server = try await onThread("server") { () throws(BenchError) in
            try BenchServer(in: plan.folder, log: plan.log, database: plan.database, stop: stop)
        }
        var others: [BenchServer] = []
        var sqlite: (server: BenchServer, meeting: BenchMeeting)?
        let result: Result<BenchReport, BenchError>
        do throws(BenchError) {
            let meeting = try await BenchMeeting.make(
                at: server, sessions: plan.sessions, webhooks: plan.webhooks ?? 0)
            for _ in 1..<plan.nodes {
                others.append(
                    try await onThread("server") { () throws(BenchError) in
                        try BenchServer(
                            in: plan.folder, log: plan.log, database: plan.database, besides: server,
                            stop: stop)
                    })
            }
            if plan.database != nil, plan.against == nil {
                let server = try await onThread("server") { () throws(BenchError) in
                    try BenchServer(in: plan.folder, log: plan.log, stop: stop)
                }
                others.append(server)
                sqlite = (server, try await BenchMeeting.make(at: server, sessions: plan.sessions))
            }
            let scene = Scene(
                plan: plan, server: server, others: Array(others.prefix(plan.nodes - 1)), sqlite: sqlite,
                meeting: meeting, stop: stop)
            result = .success(
                try await onThread("load") { () throws(BenchError) in
                    switch plan.kind {
                    case .checkIn: try scene.checkIn(report)
                    case .fanOut: try scene.fanOut(report)
                    case .storm: try scene.storm(report)
                    case .idle: try scene.idle(report)
                    case .hall: try scene.hall(report)
                    case .responses: try scene.responses(report)
                    case .read: try scene.read(report)
                    case .abuse: try scene.abuse(report)
                    }
                })
        } catch {
            result = .failure(error)
        }
        try await onThread("end") { [others] in for server in others + [server] { server.stop() } }
        return try result.get()
    }
}

extension BenchPlan {
    /// An upper limit for the check-ins per second of any server. The warm-up and all rounds take their
    /// people from the same sequence, so the sessions must have room for all of them.
    private static let mostPerSecond = 25_000.0
    /// The sessions into which people check in at once if there is a database.
    private static let sessionsOfDatabase = 6

    var sessions: Int {
        switch kind {
        case .checkIn where webhooks != nil: 2 * Scene.pairsOfHooked
        case .checkIn:
            max(
                Int(seconds * 2.5 * Self.mostPerSecond) / CheckInRequests.mostInSession + 1,
                database == nil ? 1 : Self.sessionsOfDatabase) + (watchesElsewhere ? 1 : 0)
        // Ten minutes of check-ins for each session.
        case .abuse: 6
        case .read: ReadStage.sessions
        default: 1
        }
    }
}

/// The surroundings of a benchmark: its plan, its server and its meeting.
struct Scene: Sendable {
    let plan: BenchPlan
    let server: BenchServer
    /// The other servers of the same database.
    var others: [BenchServer] = []
    /// A server on SQLite, with which servers on PostgreSQL are compared.
    var sqlite: (server: BenchServer, meeting: BenchMeeting)?
    let meeting: BenchMeeting
    let stop: StopFlag

    var requests: CheckInRequests { requests(into: meeting, port: server.port) }

    func requests(into meeting: BenchMeeting, port: UInt16) -> CheckInRequests {
        // Nobody checks in to a session that is watched elsewhere.
        let sessions = plan.watchesElsewhere ? meeting.sessions.dropLast() : meeting.sessions[...]
        return CheckInRequests(codes: sessions.map(\.code), port: port, inTurn: plan.database != nil)
    }
    var room: String {
        let watched = plan.watchesElsewhere ? meeting.sessions.count - 1 : 0
        return "session:\(meeting.sessions[watched].id)"
    }

    /// The time, the processor times of the server and the generator, and the server's metrics, at one
    /// moment.
    struct Usage {
        let at: UInt64
        let server: UInt64
        let generator: UInt64
        let metrics: MetricsReading

        init(_ server: BenchServer) {
            metrics = server.metrics
            at = MonotonicTime.now
            self.server = server.processorTime
            generator = MonotonicTime.processorTime(of: getpid())
        }
    }

    /// Adds the figures that every benchmark has for `items` between two moments.
    func complete(_ report: inout BenchReport, items: Int, from before: Usage, to after: Usage) {
        report.items = items
        report.seconds = Figures.rounded((after.at - before.at).seconds, to: 3)
        report.serverCPUMicroseconds = Figures.rounded(
            Double(after.server - before.server) / 1000 / Double(max(1, items)), to: 2)
        report.generatorCPUMicroseconds = Figures.rounded(
            Double(after.generator - before.generator) / 1000 / Double(max(1, items)), to: 2)
        report.commits = CommitSummary(from: before.metrics, to: after.metrics)
    }
}

/// The kind of a benchmark and its parameters.
package struct BenchPlan: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case checkIn = "check-in"
        case fanOut = "fan-out"
        case storm
        case idle
        case hall
        case responses
        case read
        case abuse
    }

    package let kind: Kind
    /// The duration of the measured part, 0.2–60 seconds. The default is 5. A storm ends after its check-ins,
    /// or after 60 seconds at the latest. For abuse, the duration for each route, 0.01–60 seconds, and the
    /// default is 0.5. For reads, the duration for each of them, and the default is 2.
    package var seconds: Double
    /// The number of HTTP connections, 1–1,024. Each connection sends one request at a time. The default is
    /// 64.
    package var connections = 64
    /// The number of watchers, up to 10,000. The default is 0 for check-ins, 2,000 for fan-out and storm, and
    /// 5,000 for idle.
    package var watchers: Int
    /// Whether the watchers of `checkIn` watch a session to which nobody checks in.
    package var watchesElsewhere = false
    /// The web hooks of each meeting that `checkIn` compares with one without any; nil to compare nothing.
    package var webhooks: Int?
    /// An empty PostgreSQL database; nil for SQLite.
    package var database: String?
    /// The number of servers that share the database and the load.
    package var nodes = 1
    /// The protocol of the watchers.
    var client = Crowd.Client.rooms
    /// Whether `idle` and `fanOut` also measure clients of Socket.IO.
    package var comparesSocketIO = false
    /// The most that a client of Socket.IO may cost, as a multiple of the cost of a watcher of `/rooms`.
    package var mostRatio = 1.3
    /// The number of check-ins in a storm, or of people who respond, 1–50,000. The default is 10,000.
    package var checkIns = 10_000
    /// The attendees among whom `read` searches, 1–100,000, and at least `attendees`.
    package var searched = 100_000
    /// Whether the command fails if a figure of `read` or `responses` misses its floor.
    package var mustReachFloors = false
    /// The rate per second, 1–1,000: check-ins of fan-out and abuse, or answers and votes of a hall.
    /// The default of fan-out is 20, because the room flushes at least as often and each check-in then gets
    /// its own frame. The default of abuse is 500, and of a hall 400.
    package var rate: Int
    /// The sizes of the meetings that the worst requests of `abuse` work on. The documented limits are
    /// 100,000 attendees, 20,000 people on a roster, 2,000 sessions and 1 MB. For a hall, the attendees who
    /// answer and vote, 1–5,000; the default is 500. For reads, the attendees of the large session whose
    /// pages are read, 1–100,000; the default is 60,000.
    package var attendees: Int
    package var roster = 200
    package var meetingSessions = 20
    package var fileBytes = 65_536
    /// The connections that send the worst requests, each for an account of its own.
    package var abusers = 4
    /// The requests of `abuse` for each route that needs a person or a record of its own for each.
    package var requests = 20
    /// The longest time in milliseconds that a check-in may take during `abuse`.
    package var limitMs = 100
    /// The folder for temporary data. It must be on a disk, because the benchmark measures commits.
    package var folder = "/var/tmp"
    /// The value of the server's option `--log`.
    package var log = "silent"
    /// The port of another service on this machine. The benchmark measures both services in turn; nil if
    /// there is no other service.
    package var against: UInt16?

    package init(_ kind: Kind) {
        self.kind = kind
        seconds =
            switch kind {
            case .storm: 60
            case .abuse: 0.5
            case .read: 2
            default: 5
            }
        attendees =
            switch kind {
            case .hall: 500
            case .read: 60_000
            default: 1000
            }
        rate =
            switch kind {
            case .abuse: 500
            case .hall: 400
            default: 20
            }
        watchers =
            switch kind {
            case .checkIn, .responses, .read, .abuse: 0
            case .fanOut, .storm, .hall: 2000
            case .idle: 5000
            }
    }
}

/// A running meeting, which a host's account creates over the API.
struct BenchMeeting: Sendable {
    let token: String
    /// The meeting's sessions with their check-in codes. A large number of people needs several sessions.
    let sessions: [(id: SessionID, code: String)]

    /// Creates the meeting.
    /// - Parameters:
    ///   - count: the number of sessions, each of a meeting of its own.
    ///   - webhooks: the number of web hooks of the first meeting, the third, and so on.
    static func make(
        at server: BenchServer, sessions count: Int, webhooks: Int = 0
    ) async throws(BenchError) -> BenchMeeting {
        guard let address = ServerAddress("http://127.0.0.1:\(server.port)") else {
            throw .meeting("\(server.port)")
        }
        let client = APIClient(address, transport: HTTPTransport(parallel: 1))
        do throws(APIError) {
            let password = APICall.randomKey()
            let account = NewAccount(email: "host@bench.example", password: password, name: "Host")
            _ = try await client.signUp(account)
            let token = try await client.signIn(
                email: account.email, password: password, client: "qring bench"
            ).accessToken
            let host = client.speaking(for: .bearer(token))
            var sessions: [(id: SessionID, code: String)] = []
            let start = Instant(milliseconds: Int64(time(nil)) * 1000)
            for number in 1...max(1, count) {
                var session = NewSession(startsAt: start, endsAt: start + .hours(2))
                session.allowOverlap = true
                let made = try await host.createMeeting(
                    NewMeeting(name: "Benchmark \(number)", session: session),
                    idempotencyKey: APICall.randomKey())
                guard let code = made.session.checkInUrl?.split(separator: "/").last else {
                    throw .notQRing(url: address.url, status: 201)
                }
                sessions.append((made.session.id, String(code)))
                guard number % 2 == 1 else { continue }
                for hook in 0..<webhooks {
                    // The server refuses to connect to its own machine.
                    _ = try await host.addWebhook(
                        NewWebhook(url: "https://127.0.0.1:65535/\(hook)", events: ["check_in"]),
                        to: made.meeting.id)
                }
            }
            return BenchMeeting(token: token, sessions: sessions)
        } catch {
            throw .meeting(CommandFailure.api(error).sentence(in: .english))
        }
    }
}
