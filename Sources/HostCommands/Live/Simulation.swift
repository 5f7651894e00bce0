import Client
import Meetings
import Phrases
import Wire

/// Plays a plan against a server. Each simulated attendee gets a grant, checks in and answers, with the same
/// API that the attendee's web page uses.
struct Simulation: Sendable {
    /// The numbers of attendees that a simulation can have.
    static let sizes = 1...100_000

    let client: APIClient
    let key: CurrentKey
    let identifyBy: IdentifyBy
    /// The questions to answer; nil if the session has none.
    let asked: QuestionSetBody?
    let questions: [Question]
    /// How the attendees ask and vote; nil if the session takes no questions from the audience.
    let audience: SimulatedAudience?
    let plan: SimulationPlan
    private let knowledge = FormKnowledge()

    init(
        client: APIClient, key: CurrentKey, identifyBy: IdentifyBy, asked: QuestionSetBody?,
        audience: SimulatedAudience? = nil, plan: SimulationPlan
    ) {
        self.client = client
        self.key = key
        self.identifyBy = identifyBy
        self.asked = asked
        self.audience = audience
        questions = asked?.questions.filter { !$0.isHidden } ?? []
        self.plan = plan
    }

    struct Report: Encodable, Sendable {
        var attendees = 0
        var checkedIn = 0
        /// The number of simulated attendees that had already checked in during an earlier run.
        var repeats = 0
        var responses = 0
        /// The number of attendees who changed their answers afterwards.
        var changes = 0
        /// The number of attendees who sent other answers to a set that is not changeable, and were refused.
        var refusedAnswers = 0
        /// The questions that the attendees asked the host, and their votes for such questions.
        var questionsAsked = 0
        var votes = 0
        /// The votes that the server has counted during the run; equal to `votes` unless others voted too.
        var votesCounted: Int?
        /// The titles of optional questions that nobody answered, because no answer followed their rules.
        var leftOut: [String] = []
        /// The title of a required question that nobody could answer.
        var unanswerable: String?
        var failures = 0
        var firstFailure: String?
        var medianMs = 0.0
        var slowestMs = 0.0
        var seconds = 0.0

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case attendees, checkedIn, repeats, responses, changes, refusedAnswers, questionsAsked, votes,
                votesCounted, leftOut, unanswerable, failures, firstFailure, medianMs, slowestMs, seconds
        }

        static let fields = CodingKeys.allCases.map(\.rawValue)
    }

    private struct Outcome: Sendable {
        var isCheckedIn = false
        var isRepeat = false
        var hasResponded = false
        var hasChanged = false
        var wasRefused = false
        var audience = SimulatedAudience.Outcome()
        var failure: APIError?
        /// The time from the request for the grant until the server acknowledged the check-in.
        var latency: Duration?
    }

    static let mostAttempts = 6

    /// Runs the plan and returns its report.
    /// - Parameter progress: receives the number of finished attendees, after each one.
    func run(_ progress: @Sendable (Int) -> Void = { _ in }) async -> Report {
        let clock = ContinuousClock()
        let start = clock.now
        var report = Report()
        var latencies: [Duration] = []
        await withTaskGroup(of: Outcome.self) { group in
            for person in plan.people { group.addTask { await play(person, since: start) } }
            for await outcome in group {
                report.attendees += 1
                if outcome.isCheckedIn { report.checkedIn += 1 }
                if outcome.isRepeat { report.repeats += 1 }
                if outcome.hasResponded { report.responses += 1 }
                if outcome.hasChanged { report.changes += 1 }
                if outcome.wasRefused { report.refusedAnswers += 1 }
                report.questionsAsked += outcome.audience.questions
                report.votes += outcome.audience.votes
                if let failure = outcome.failure, failure != .cancelled {
                    report.failures += 1
                    report.firstFailure = report.firstFailure ?? Self.text(failure)
                }
                if let latency = outcome.latency { latencies.append(latency) }
                progress(report.attendees)
            }
        }
        let leftOut = knowledge.leftOut
        func title(_ question: Question) -> String { question.title.text(in: client.language.rawValue) }
        report.leftOut = questions.filter { leftOut.skipped.contains($0.id) }.map(title)
        report.unanswerable = questions.first { $0.id == leftOut.unanswerable }.map(title)
        latencies.sort()
        report.medianMs = latencies.isEmpty ? 0 : latencies[latencies.count / 2] / .milliseconds(1)
        report.slowestMs = (latencies.last ?? .zero) / .milliseconds(1)
        report.seconds = start.duration(to: clock.now) / .seconds(1)
        return report
    }

    private func play(_ person: SimulationPlan.Person, since start: ContinuousClock.Instant) async -> Outcome
    {
        var outcome = Outcome()
        do throws(APIError) {
            guard await sleep(until: start + person.arrivesAfter) else { throw .cancelled }
            let began = ContinuousClock.now
            let grant = try await patiently { () async throws(APIError) in
                try await client.grant(for: try await key.get())
            }
            var checkIn = NewCheckIn(.grant(grant.grant), name: person.name)
            switch identifyBy {
            case .email: checkIn.email = person.email
            case .number: checkIn.number = person.number
            case .name: break
            }
            checkIn.consentNumber = grant.consent?.number
            // Use one idempotency key for all attempts, so that the server does not count a repeated check-in
            // twice.
            let (asked, idempotencyKey) = (checkIn, APICall.randomKey())
            let answer = try await patiently { () async throws(APIError) in
                try await client.checkIn(asked, idempotencyKey: idempotencyKey)
            }
            outcome.latency = began.duration(to: .now)
            guard let receipt = answer.receipt else {
                outcome.isRepeat = true
                return outcome
            }
            outcome.isCheckedIn = true
            let attendee = client.speaking(for: .bearer(receipt))
            if let audience {
                outcome.audience = try await audience.play(
                    as: attendee, in: answer.session.id, seed: person.answerSeed, self)
            }
            guard let thinking = person.thinksFor, !questions.isEmpty else { return outcome }
            guard await sleep(until: .now + thinking) else { throw .cancelled }
            outcome.hasResponded = try await respond(
                as: attendee, in: answer.session.id, seed: person.answerSeed)
            guard outcome.hasResponded, person.changesAnswers else { return outcome }
            guard await sleep(until: .now + thinking) else { throw .cancelled }
            do throws(APIError) {
                outcome.hasChanged = try await respond(
                    as: attendee, in: answer.session.id, seed: person.answerSeed &+ 1, repeats: true)
            } catch {
                guard self.asked?.changeable != true, error.code == .alreadyResponded else { throw error }
                outcome.wasRefused = true
            }
        } catch {
            outcome.failure = error
        }
        return outcome
    }

    /// Sends the answers. Returns false if the form is not meant for this attendee, or if it cannot be
    /// answered.
    /// - Parameter repeats: whether the attendee has answered before; then the server may refuse the answers.
    private func respond(
        as attendee: APIClient, in session: SessionID, seed: UInt64, repeats: Bool = false
    ) async throws(APIError) -> Bool {
        guard let asked else { return false }
        // Allow one attempt for each form of text of each question, because an attempt may rule out only one
        // form.
        for _ in 0..<(questions.count + 1) * SimulatedAnswers.TextForm.allCases.count {
            let simulated = knowledge.taught(
                SimulatedAnswers(questions: questions, language: client.language))
            let answers = simulated.answers(seed: seed)
            guard !answers.isEmpty else { return false }
            do throws(APIError) {
                return try await patiently { () async throws(APIError) in
                    try await attendee.respond(
                        in: session, set: asked.set, answers, promise: asked.promise
                    ).ended == nil
                }
            } catch {
                // The server stored an earlier attempt whose response was lost.
                if error.code == .alreadyResponded, !repeats { return true }
                let wrong = Responding.wrong(error, questions).map(\.question)
                guard !wrong.isEmpty else { throw error }
                guard knowledge.refuse(wrong, by: simulated) else { return false }
            }
        }
        return false
    }

    /// Repeats the call if the server is busy or the connection breaks, as the attendee's web page does. If
    /// the run is cancelled, a request that was sent still gets its answer, so that the report counts
    /// everything that the server has stored.
    func patiently<Value: Sendable>(_ call: @escaping @Sendable () async throws(APIError) -> Value)
        async throws(APIError) -> Value
    {
        var attempt = 1
        while true {
            guard !Task.isCancelled else { throw .cancelled }
            let sent = Task<Result<Value, APIError>, Never> {
                do throws(APIError) { return .success(try await call()) } catch { return .failure(error) }
            }
            do throws(APIError) {
                return try await sent.value.get()
            } catch {
                guard attempt < Self.mostAttempts, let delay = error.retryAfter,
                    await sleep(until: .now + delay)
                else { throw error }
                attempt += 1
            }
        }
    }

    /// Sleeps until the moment. Returns false if the task was cancelled.
    private func sleep(until moment: ContinuousClock.Instant) async -> Bool {
        (try? await Task.sleep(until: moment, clock: .continuous)) != nil
    }

    private static func text(_ error: APIError) -> String {
        switch error {
        case .problem(let problem): "\(problem.title). \(problem.detail)"
        case .unreachable(_, let detail): detail
        case .timedOut: "timed out"
        case .notQRing(_, let status): "status \(status)"
        case .cancelled: "cancelled"
        }
    }
}

/// The simulated attendees, with the times of their arrivals and answers. The seed determines all of them.
struct SimulationPlan: Sendable {
    struct Person: Sendable {
        let name: String
        let email: String
        let number: String
        /// The time from the start of the simulation to the arrival.
        let arrivesAfter: Duration
        /// The time from check-in to the answer; nil if this attendee does not answer.
        let thinksFor: Duration?
        let answerSeed: UInt64
        /// Whether this attendee sends other answers later: one of ten does. If the set does not allow it,
        /// they must be refused.
        var changesAnswers: Bool { answerSeed % 10 == 0 }
    }

    let people: [Person]
    /// The percentage of attendees who answer.
    static let answeringPercent = 85

    init(attendees: Int, over: Duration, seed: UInt64, language: Language) {
        var random = SeededRandom(seed: seed)
        let names = CommandPhrases.Sample.people.map { $0.text(in: language) }
        let tag = String(random.next() & 0xFFFF_FFFF, radix: 36)
        // Most people arrive early, so use the square of an evenly distributed number.
        let arrivals = (0..<attendees).map { _ in
            let share = Double.random(in: 0...1, using: &random)
            return over * (share * share)
        }.sorted()
        people = arrivals.enumerated().map { index, arrival in
            let first = names[index % names.count]
            let answers = Int.random(in: 0..<100, using: &random) < Self.answeringPercent
            let thinking = Double.random(in: 0.05...0.25, using: &random)
            return Person(
                name: index < names.count ? first : "\(first) \(index + 1)",
                email: "\(tag)-\(index + 1)@example.org",
                number: "\(tag)-\(index + 1)", arrivesAfter: arrival,
                thinksFor: answers ? over * thinking : nil,
                answerSeed: random.next())
        }
    }
}

/// The key that currently checks attendees in. A static code never changes; a rotating code is requested
/// again if the key is older than five seconds.
actor CurrentKey {
    private static let lifetime = Duration.seconds(5)

    private let host: APIClient
    private let session: SessionID
    private let isRotating: Bool
    private var key: CheckInKey
    private var askedAt = ContinuousClock.now

    /// Returns nil if the session shows this host neither a code nor a join code.
    init?(of session: SessionBody, _ host: APIClient) {
        guard let key = Self.key(of: session) else { return nil }
        self.host = host
        self.session = session.id
        isRotating = session.codeKind == .rotating
        self.key = key
    }

    func get() async throws(APIError) -> CheckInKey {
        guard isRotating, ContinuousClock.now - askedAt > Self.lifetime else { return key }
        askedAt = .now
        let session = try await host.session(session).body
        key = Self.key(of: session) ?? key
        return key
    }

    private static func key(of session: SessionBody) -> CheckInKey? {
        session.checkInUrl.flatMap { CodeText($0)?.key } ?? session.joinCode.map { .joinCode($0) }
    }
}
