internal import Threads
internal import Wire

/// An open poll of three questions, whose responses name nobody.
struct OpenPoll: Sendable {
    private static let questions = #"""
        {"promise":"hidden","open":true,"shared":true,"questions":[
        {"kind":"multipleChoice","title":"Which?","choices":[{"label":"A"},{"label":"B"},{"label":"C"}]},
        {"kind":"scale","title":"How sure?","scale":7},{"kind":"yesNo","title":"A break?"}]}
        """#

    private let path: String
    private let ids: [String]

    /// Creates the poll in a session.
    init(_ stage: AbuseStage, session path: String) throws(BenchError) {
        self.path = path
        let poll = try stage.post(
            "\(path)/polls", Self.questions, as: .bearer(stage.operatorToken))
        ids = poll["questions"]?.elements.compactMap { $0["id"]?.string } ?? []
    }

    /// Returns the request with which an attendee answers.
    func response(_ number: Int, by receipt: String) -> AbuseRequest {
        // The server names the choices of a new question `a`, `b` and `c`.
        let values = [
            #"["\#(["a", "b", "c"][number % 3])"]"#, String(1 + number % 7),
            number % 3 == 0 ? #""no""# : #""yes""#,
        ]
        let answers = zip(ids, values).map { "\"\($0)\":\($1)" }.joined(separator: ",")
        let body = #"{"set":"poll-1","promise":"hidden","answers":{\#(answers)}}"#
        return AbuseRequest(
            method: "POST", path: "\(path)/responses", caller: .bearer(receipt), body: Array(body.utf8))
    }

    /// The path of the poll's results.
    var results: String { "\(path)/results?set=poll-1" }
}

/// Measures responses beside check-ins: in each round, people check in, and then the same people respond.
extension Scene {
    /// The measured rounds. One more, before them, warms up.
    private static let responseRounds = 5
    /// The least rate of responses, as a share of the rate of check-ins.
    private static let leastShare = 0.8

    func responses(_ report: BenchReport) throws(BenchError) -> BenchReport {
        let stage = AbuseStage(plan, server, operatorToken: meeting.token)
        let poll = try OpenPoll(stage, session: "/api/v1/sessions/\(meeting.sessions[0].id)")
        let (people, port) = (requests, server.port)
        let count = max(1, plan.checkIns / Self.responseRounds)
        var (arrivals, responses): ([RequestLoad.Outcome], [RequestLoad.Outcome]) = ([], [])
        var (sent, processor): (Int, UInt64) = (0, 0)
        for round in 0...Self.responseRounds {
            var checkIns = try RequestLoad(port: port, connections: plan.connections, stop: stop) {
                people.bytes(for: round * count + $0)
            }
            var answers: [[UInt8]] = []
            let arrival = checkIns.run(
                RequestLoad.Bound(count: count),
                answered: { answer in
                    guard let receipt = Self.receipt(in: answer) else { return }
                    answers.append(poll.response(answers.count, by: receipt).bytes(port: port, owner: ""))
                })
            sent += answers.count
            let bodies = answers
            var load = try RequestLoad(port: port, connections: plan.connections, stop: stop) { bodies[$0] }
            let before = server.processorTime
            let response = load.run(RequestLoad.Bound(count: bodies.count))
            if round > 0 { processor += server.processorTime - before }
            arrivals.append(arrival)
            responses.append(response)
        }
        var report = report
        let all = arrivals + responses
        report.refused = all.reduce(0) { $0 + $1.refused }
        report.firstRefusal = all.compactMap(\.firstRefusal).first
        let results = try stage.call(
            AbuseRequest(method: "GET", path: poll.results, caller: .bearer(meeting.token)))
        // A missing receipt or response belongs to different work, as a refused request does.
        report.refused += abs((Self.responseRounds + 1) * count - sent)
        report.refused += abs(sent - (results["responses"]?.integer ?? 0))
        arrivals.removeFirst()
        responses.removeFirst()
        let latencies = responses.flatMap(\.latencies)
        let seconds = responses.reduce(0) { $0 + ($1.lastAnswerAt - $1.startedAt).seconds }
        report.items = latencies.count
        report.seconds = Figures.rounded(seconds, to: 3)
        report.perSecond = (Double(latencies.count) / max(1e-9, seconds)).rounded()
        report.latency = LatencySummary(nanoseconds: latencies)
        report.serverCPUMicroseconds = Figures.rounded(
            Double(processor) / 1000 / Double(max(1, latencies.count)), to: 2)
        let beside = comparison(responses, arrivals)
        report.checkIns = beside
        if beside.ratio < Self.leastShare {
            report.missed = ["responses: \(beside.ratio) < \(Self.leastShare)"]
        }
        return report
    }

    /// Returns the receipt in the answer to a check-in.
    private static func receipt(in answer: UnsafeRawBufferPointer) -> String? {
        guard let start = ByteSearch.first("\"receipt\":\"", in: answer) else { return nil }
        let rest = UnsafeRawBufferPointer(rebasing: answer[(start + 11)...])
        guard let end = ByteSearch.first("\"", in: rest) else { return nil }
        return String(decoding: rest[..<end], as: UTF8.self)
    }
}
