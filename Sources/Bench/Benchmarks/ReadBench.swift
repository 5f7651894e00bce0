internal import Threads
internal import Wire

/// The cost of one read for the server, and the latency of its answers.
package struct ReadCost: Encodable, Sendable {
    package let read: String
    package let connections: Int
    package let count: Int
    package let perSecond: Double
    /// The server's processor time for one read, in microseconds.
    package let serverCPUMicroseconds: Double
    package let latency: LatencySummary?
    /// The processor time, divided by that of the same read in a session of 100 attendees: the median of all
    /// rounds. Nil for other reads.
    package var ratio: Double?
    package var floor: Floor?

    /// The most that a figure may be.
    package enum Floor: Encodable, Sendable {
        case microseconds(Double)
        case p50Ms(Double)
        case ratio(Double)

        /// The floor as a text for people.
        var text: String {
            switch self {
            case .microseconds(let most): "\(Figures.text(most, 0)) µs"
            case .p50Ms(let most): "p50 \(Figures.text(most, 1)) ms"
            case .ratio(let most): "× \(Figures.text(most, 1))"
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    /// Whether the figure reaches its floor.
    var reachesFloor: Bool {
        switch floor {
        case nil: true
        case .microseconds(let most): serverCPUMicroseconds <= most
        case .p50Ms(let most): (latency?.p50Ms ?? .infinity) <= most
        case .ratio(let most): (ratio ?? .infinity) <= most
        }
    }

    /// Returns the costs as the table in docs/benchmarks.md.
    static func table(of costs: [ReadCost]) -> String {
        var lines = [
            "| read | connections | server CPU | p50 / p99 ms | floor |", "|---|---|---|---|---|",
        ]
        for cost in costs {
            let latency =
                cost.latency.map { "\(Figures.text($0.p50Ms, 2)) / \(Figures.text($0.p99Ms, 2))" } ?? "–"
            let ratio = cost.ratio.map { ", × \(Figures.text($0, 2))" } ?? ""
            let floor = cost.floor.map { $0.text + (cost.reachesFloor ? "" : ": **not reached**") } ?? ""
            lines.append(
                "| \(cost.read) | \(cost.connections) "
                    + "| \(Figures.text(cost.serverCPUMicroseconds, 1)) µs\(ratio) | \(latency) | \(floor) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The sessions that the reads read: a large one, one of 100 attendees, and one with a poll.
struct ReadStage {
    static let sessions = 3
    private static let small = 100
    private static let responders = 30
    /// The items of a page.
    private static let page = 50
    /// The most pages of a list that are read in turn. They lie far apart in a large session.
    private static let mostPages = 1000

    private let stage: AbuseStage
    private let scene: Scene
    private let paths: [String]
    private let poll: OpenPoll

    /// Creates the poll, and checks in everybody whose pages are read.
    init(_ scene: Scene) throws(BenchError) {
        self.scene = scene
        stage = AbuseStage(scene.plan, scene.server, operatorToken: scene.meeting.token)
        paths = scene.meeting.sessions.map { "/api/v1/sessions/\($0.id)" }
        poll = try OpenPoll(stage, session: paths[2])
        for number in 0..<Self.responders {
            let guest = try stage.guest(of: scene.meeting.sessions[2].code)
            try stage.call(poll.response(number, by: guest.receipt))
        }
        try scene.admit(0..<Self.small, to: scene.meeting.sessions[1].code)
        try scene.admit(0..<scene.plan.attendees, to: scene.meeting.sessions[0].code)
    }

    /// Checks in the other people among whom the searches search, with Korean names.
    func admitSearched() throws(BenchError) {
        let (some, all) = (scene.plan.attendees, max(scene.plan.attendees, scene.plan.searched))
        try scene.admit(some..<all, named: "김민준", to: scene.meeting.sessions[0].code)
    }

    private func get(_ path: String) -> AbuseRequest {
        AbuseRequest(method: "GET", path: path, caller: .bearer(scene.meeting.token))
    }

    var session: AbuseRequest { self.get(paths[2]) }

    /// The reads of one record or page, which do not depend on the number of attendees.
    /// The health check is answered without a handler: its cost is that of the HTTP layer.
    var single: [(name: String, request: AbuseRequest, floor: ReadCost.Floor?)] {
        let code = scene.meeting.sessions[2].code
        return [
            ("health check", AbuseRequest(method: "GET", path: "/healthz", caller: .nobody), nil),
            ("session", session, .microseconds(15)),
            (
                "check-in page", AbuseRequest(method: "GET", path: "/C/\(code)", caller: .nobody),
                .microseconds(20)
            ),
            (
                "check-in page, compressed",
                AbuseRequest(
                    method: "GET", path: "/C/\(code)", caller: .nobody, headers: ["Accept-Encoding: gzip"]),
                nil
            ),
            ("results", get(poll.results), .microseconds(15)),
            ("`qr.png`", get("\(paths[2])/qr.png"), .microseconds(20)),
        ]
    }

    /// The pages of the small and the large session, in random order.
    func lists() throws(BenchError) -> [(name: String, small: [AbuseRequest], large: [AbuseRequest])] {
        [
            ("page of attendees", try attendees(paths[1]), try attendees(paths[0])),
            ("page of the journal", journal(paths[1], Self.small), journal(paths[0], scene.plan.attendees)),
        ]
    }

    private func attendees(_ session: String) throws(BenchError) -> [AbuseRequest] {
        var pages: [AbuseRequest] = []
        var cursor: String?
        repeat {
            if scene.stop.isSet { throw .stopped }
            let page = get(
                "\(session)/attendees?limit=\(Self.page)" + (cursor.map { "&cursor=\($0)" } ?? ""))
            pages.append(page)
            cursor = try stage.call(page)["nextCursor"]?.string
        } while cursor != nil
        return Array(pages.shuffled().prefix(Self.mostPages))
    }

    private func journal(_ session: String, _ events: Int) -> [AbuseRequest] {
        let pages = stride(from: 0, to: events, by: Self.page).map {
            get("\(session)/journal?limit=\(Self.page)&since=\($0)")
        }
        return Array(pages.shuffled().prefix(Self.mostPages))
    }

    /// Searches that find nobody, so that each of them compares everybody. Their letters are in the names.
    var searches: [(name: String, request: AbuseRequest)] {
        [("search `q=example attendee`", "example%20attendee"), ("search `q=준민`", "%EC%A4%80%EB%AF%BC")].map {
            name, text in
            (name, get("\(paths[0])/attendees?q=\(text)"))
        }
    }
}

/// Measures reads, each of them alone.
extension Scene {
    /// The pairs of rounds with pages of a small and a large session.
    private static let pairs = 5

    func read(_ report: BenchReport) throws(BenchError) -> BenchReport {
        let stage = try ReadStage(self)
        var report = report
        var costs: [ReadCost] = []
        for (name, request, floor) in stage.single {
            costs.append(try measure(name, [request], &report, floor: floor))
        }
        for (name, small, large) in try stage.lists() {
            costs += try measurePair(name, small, large, &report)
        }
        try stage.admitSearched()
        for (name, request) in stage.searches {
            // One account runs one search at a time.
            costs.append(try measure(name, [request], &report, connections: 1, floor: .p50Ms(1)))
        }
        costs.append(try measureBesideSearches(stage, &report))
        report.reads = costs
        report.items = costs.reduce(0) { $0 + $1.count }
        report.missed = costs.filter { !$0.reachesFloor }.map { "\($0.read): \($0.floor?.text ?? "")" }
        report.memoryMB = Figures.rounded(Double(server.memory) / 1_048_576, to: 1)
        return report
    }

    /// Sends the requests in turn for the plan's time, after a warm-up of a fifth of it.
    private func measure(
        _ name: String, _ requests: [AbuseRequest], _ report: inout BenchReport, connections: Int? = nil,
        seconds: Double? = nil, floor: ReadCost.Floor? = nil
    ) throws(BenchError) -> ReadCost {
        let bytes = requests.map { $0.bytes(port: server.port, owner: "") }
        let connections = connections ?? plan.connections
        let seconds = seconds ?? plan.seconds
        var load = try RequestLoad(
            port: server.port, connections: connections, accepting: 200...200, stop: stop
        ) { bytes[$0 % bytes.count] }
        let warmUp = load.run(.seconds(seconds / 5))
        let before = server.processorTime
        let outcome = load.run(.seconds(seconds))
        let processor = server.processorTime - before
        if stop.isSet { throw .stopped }
        report.seconds += Figures.rounded((outcome.lastAnswerAt - outcome.startedAt).seconds, to: 3)
        report.refused += warmUp.refused + outcome.refused
        report.firstRefusal = report.firstRefusal ?? warmUp.firstRefusal ?? outcome.firstRefusal
        let count = outcome.latencies.count
        return ReadCost(
            read: name, connections: connections, count: count, perSecond: outcome.rate.rounded(),
            serverCPUMicroseconds: Figures.rounded(Double(processor) / 1000 / Double(max(1, count)), to: 2),
            latency: LatencySummary(nanoseconds: outcome.latencies), floor: floor)
    }

    /// Alternates between the two sessions, and returns the rounds of the median ratio.
    private func measurePair(
        _ name: String, _ small: [AbuseRequest], _ large: [AbuseRequest], _ report: inout BenchReport
    ) throws(BenchError) -> [ReadCost] {
        var rounds: [(small: ReadCost, large: ReadCost)] = []
        for _ in 0..<Self.pairs {
            let seconds = plan.seconds / Double(Self.pairs)
            let few = try measure("\(name) of 100", small, &report, seconds: seconds)
            var many = try measure(
                "\(name) of \(plan.attendees)", large, &report, seconds: seconds, floor: .ratio(1.5))
            many.ratio = Figures.rounded(
                many.serverCPUMicroseconds / max(0.001, few.serverCPUMicroseconds), to: 3)
            rounds.append((few, many))
        }
        rounds.sort { $0.large.ratio ?? 0 < $1.large.ratio ?? 0 }
        let median = rounds[rounds.count / 2]
        return [median.small, median.large]
    }

    /// Measures the shortest read on one connection while another one searches without a pause.
    private func measureBesideSearches(_ stage: ReadStage, _ report: inout BenchReport) throws(BenchError)
        -> ReadCost
    {
        let (port, stop, end) = (server.port, stop, StopFlag())
        let search = stage.searches[0].request.bytes(port: port, owner: "")
        let thread = WatcherThread {
            do throws(BenchError) {
                var load = try RequestLoad(port: port, connections: 1, accepting: 200...200, stop: stop) {
                    _ in search
                }
                _ = load.run(RequestLoad.Bound(end: end))
                return nil
            } catch { return error }
        }
        defer {
            end.set()
            thread.wait()
        }
        return try measure("session, beside searches", [stage.session], &report, connections: 1)
    }
}
