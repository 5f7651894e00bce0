internal import Client
internal import Meetings
internal import Outbound
internal import Threads
internal import Wire

/// A hall whose attendees are checked in: an open poll with a question of each kind that results draw, and
/// questions from the audience. Each attendee answers the poll once, and votes for three questions.
struct HallStage: Sendable {
    /// The requests of all attendees, in random order.
    let requests: [[UInt8]]
    private let host: APIClient
    private let session: SessionID
    private let attendees: Int

    private static let audienceQuestions = 20
    private static let votes = 3
    private static let words = ["Speed", "Trust", "Coffee", "속도", "배움을"]
    /// The attendees who check in at the same time.
    private static let parallel = 16

    /// Prepares the hall.
    /// - Parameter attendees: their number, up to 5,000.
    static func make(
        at server: BenchServer, _ meeting: BenchMeeting, attendees: Int
    ) async throws(BenchError) -> HallStage {
        guard let address = ServerAddress("http://127.0.0.1:\(server.port)") else {
            throw .meeting("\(server.port)")
        }
        let client = APIClient(address, transport: HTTPTransport(parallel: parallel))
        let host = client.speaking(for: .bearer(meeting.token))
        let (session, code) = meeting.sessions[0]
        do {
            let poll = try await host.createPoll(
                in: session, NewPoll(questions: drafts, promise: .hidden, open: true, shared: true))
            _ = try await host.editAudience(of: session, AudienceChange(open: true), seen: .anything)
            var asked: [AudienceQuestionID] = []
            for number in 1...audienceQuestions {
                asked.append(try await host.ask("Question \(number)", in: session, promise: nil).id)
            }
            var receipts: [String] = []
            for first in stride(from: 0, to: attendees, by: parallel) {
                receipts += try await checkIn(first..<min(attendees, first + parallel), code, client)
            }
            let stage = HallRequests(port: server.port, session: session, poll: poll, asked: asked)
            var random = SystemRandomNumberGenerator()
            let requests = receipts.indices.flatMap { index in
                [stage.response(of: receipts[index], index, words[index % words.count])]
                    + (0..<votes).map { stage.vote(of: receipts[index], for: index + $0) }
            }
            return HallStage(
                requests: requests.shuffled(using: &random), host: host, session: session,
                attendees: attendees)
        } catch {
            throw .meeting(String(describing: error))
        }
    }

    private static var drafts: [QuestionDraft] {
        var choice = QuestionDraft(.multipleChoice, "Which?")
        choice.choices = [.init("A"), .init("B"), .init("C")]
        var scale = QuestionDraft(.scale, "How sure?")
        scale.scale = 7
        return [choice, scale, QuestionDraft(.yesNo, "A break?"), QuestionDraft(.wordCloud, "One word?")]
    }

    private static func checkIn(_ people: Range<Int>, _ code: String, _ client: APIClient) async throws
        -> [String]
    {
        try await withThrowingTaskGroup(of: String?.self) { group in
            for person in people {
                group.addTask {
                    try await client.checkIn(
                        NewCheckIn(
                            .code(code), name: "Attendee \(person)", email: "phone\(person)@bench.example"),
                        idempotencyKey: APICall.randomKey()
                    ).receipt
                }
            }
            return try await group.reduce(into: []) { receipts, receipt in
                if let receipt { receipts.append(receipt) }
            }
        }
    }

    /// Returns how many answers and votes the server has not counted: 0 if all are there.
    func missing() async throws(BenchError) -> Int {
        do {
            let responses = try await host.results(of: session, set: "poll-1").responses
            let votes = try await host.allAudienceQuestions(of: session).reduce(0) { $0 + $1.votes }
            return abs(attendees - responses) + abs(attendees * Self.votes - votes)
        } catch {
            throw .meeting(String(describing: error))
        }
    }
}

/// Writes the requests of a hall's attendees as bytes.
private struct HallRequests {
    let port: UInt16
    let session: SessionID
    let poll: QuestionSetBody
    let asked: [AudienceQuestionID]

    func response(of receipt: String, _ number: Int, _ word: String) -> [UInt8] {
        let ids = poll.questions.map(\.id.text)
        // The server names the choices of a new question `a`, `b` and `c`.
        let choices = ["a", "b", "c"]
        let body = """
            {"set":"\(poll.set)","promise":"hidden","answers":{\
            "\(ids[0])":["\(choices[number % choices.count])"],"\(ids[1])":\(1 + number % 7),\
            "\(ids[2])":"\(number % 3 == 0 ? "no" : "yes")","\(ids[3])":["\(word)"]}}
            """
        return request("POST", "/responses", receipt, body)
    }

    func vote(of receipt: String, for number: Int) -> [UInt8] {
        request("PUT", "/audience-questions/\(asked[number % asked.count])/vote", receipt, "")
    }

    private func request(_ method: String, _ path: String, _ receipt: String, _ body: String) -> [UInt8] {
        Array(
            """
            \(method) /api/v1/sessions/\(session)\(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Authorization: Bearer \(receipt)\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """.utf8)
    }
}

extension Scene {
    /// Sends the answers and votes of a hall at an even rate while watchers follow the session's room.
    func hall(_ report: BenchReport, _ stage: HallStage) throws(BenchError) -> BenchReport {
        try withCrowd { board throws(BenchError) in
            var report = report
            let requests = stage.requests
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
            report.refused = outcome.refused + counts.lost
            report.firstRefusal = outcome.firstRefusal
            return report
        }
    }
}
