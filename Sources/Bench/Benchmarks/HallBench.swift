internal import Threads
internal import Wire

/// A hall whose attendees are checked in: an open poll with a question of each kind that results draw, and
/// questions from the audience. Each attendee answers the poll once, and votes for three questions.
private struct Hall {
    /// The requests of all attendees, in random order.
    let requests: [[UInt8]]
    private let stage: AbuseStage
    private let host: AbuseRequest.Caller
    private let path: String
    private let attendees: Int

    private static let audienceQuestions = 20
    private static let votes = 3
    private static let words = ["Speed", "Trust", "Coffee", "속도", "배움을"]
    private static let poll = #"""
        {"promise":"hidden","open":true,"shared":true,"questions":[
        {"kind":"multipleChoice","title":"Which?","choices":[{"label":"A"},{"label":"B"},{"label":"C"}]},
        {"kind":"scale","title":"How sure?","scale":7},{"kind":"yesNo","title":"A break?"},
        {"kind":"wordCloud","title":"One word?"}]}
        """#

    /// Creates the hall in the meeting's first session.
    init(_ scene: Scene) throws(BenchError) {
        stage = AbuseStage(scene.plan, scene.server, operatorToken: scene.meeting.token)
        host = .bearer(scene.meeting.token)
        attendees = scene.plan.attendees
        let (session, code) = scene.meeting.sessions[0]
        path = "/api/v1/sessions/\(session)"
        let poll = try stage.post("\(path)/polls", Self.poll, as: host)
        let questions = poll["questions"]?.elements.compactMap { $0["id"]?.string } ?? []
        try stage.call(
            AbuseRequest(
                method: "PATCH", path: "\(path)/audience-settings", caller: host,
                body: Array(#"{"open":true}"#.utf8)))
        var votes: [String] = []
        for number in 1...Self.audienceQuestions {
            let asked = try stage.post(
                "\(path)/audience-questions", #"{"text":"Question \#(number)"}"#, as: host)
            votes.append("\(path)/audience-questions/\(asked["id"]?.string ?? "")/vote")
        }
        var requests: [AbuseRequest] = []
        for number in 0..<attendees {
            let receipt = AbuseRequest.Caller.bearer(try stage.guest(of: code).receipt)
            let answers = Self.answers(number, to: questions)
            requests.append(
                AbuseRequest(
                    method: "POST", path: "\(path)/responses", caller: receipt, body: Array(answers.utf8)))
            for vote in 0..<Self.votes {
                requests.append(
                    AbuseRequest(method: "PUT", path: votes[(number + vote) % votes.count], caller: receipt))
            }
        }
        let port = scene.server.port
        self.requests = requests.shuffled().map { $0.bytes(port: port, owner: "") }
    }

    private static func answers(_ number: Int, to questions: [String]) -> String {
        // The server names the choices of a new question `a`, `b` and `c`.
        let values = [
            #"["\#(["a", "b", "c"][number % 3])"]"#, String(1 + number % 7),
            number % 3 == 0 ? #""no""# : #""yes""#, #"["\#(words[number % words.count])"]"#,
        ]
        let answers = zip(questions, values).map { "\"\($0)\":\($1)" }.joined(separator: ",")
        return #"{"set":"poll-1","promise":"hidden","answers":{\#(answers)}}"#
    }

    /// Returns how many answers and votes the server has not counted: 0 if all are there.
    func missing() throws(BenchError) -> Int {
        func read(_ list: String) throws(BenchError) -> JSONNode {
            try stage.call(AbuseRequest(method: "GET", path: "\(path)/\(list)", caller: host))
        }
        let responses = try read("results?set=poll-1")["responses"]?.integer ?? 0
        let questions = try read("audience-questions?limit=200")["items"]?.elements ?? []
        let votes = questions.reduce(0) { $0 + ($1["votes"]?.integer ?? 0) }
        return abs(attendees - responses) + abs(attendees * Self.votes - votes)
    }
}

extension Scene {
    /// Sends the answers and votes of a hall at an even rate while watchers follow the session's room.
    func hall(_ report: BenchReport) throws(BenchError) -> BenchReport {
        let hall = try Hall(self)
        let requests = hall.requests
        return try withCrowd { board throws(BenchError) in
            var report = report
            var load = try RequestLoad(
                port: server.port, connections: plan.connections, accepting: 200...201, stop: stop
            ) { requests[$0] }
            settle(board)
            board.reset()
            let before = Usage(server)
            let outcome = load.run(
                RequestLoad.Bound(count: requests.count, interval: 1_000_000_000 / UInt64(plan.rate)))
            let sent = (outcome.lastAnswerAt - outcome.startedAt).seconds
            settle(board)
            let counts = board.counts
            complete(&report, items: outcome.latencies.count, from: before, to: Usage(server))
            report.perSecond = outcome.rate.rounded()
            report.latency = LatencySummary(nanoseconds: outcome.latencies)
            report.bytesPerDelivery = (Double(counts.bytes) / Double(max(1, counts.frames))).rounded()
            report.framesPerSecond = Figures.rounded(
                Double(counts.frames) / Double(plan.watchers) / max(1e-9, sent), to: 1)
            report.refused = outcome.refused + counts.lost + (try hall.missing())
            report.firstRefusal = outcome.firstRefusal
            return report
        }
    }
}
