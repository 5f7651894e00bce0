import HTTPServer
import Journal
import Meetings
import Phrases
import Synchronization
import Wire

/// The handlers for grants and check-ins.
enum CheckIns {
    static func grant(_ context: RequestContext, _ request: GrantRequest) async throws -> HTTPResponse {
        let exchange = CodeExchange(services: context.services)
        let outcome =
            if let code = request.code {
                try await exchange.exchange(code: code, context: context)
            } else {
                try await exchange.exchange(joinCode: request.joinCode ?? "", context: context)
            }
        let asked = try await questions(of: outcome.record.session.id, context)?.asked
        return .json(
            GrantBody(
                grant: outcome.grant.text(keys: context.services.keys),
                session: SessionGlimpse(outcome.record.session, of: outcome.record.meeting),
                expiresAt: outcome.expiresAt,
                questions: asked),
            status: 201)
    }

    static func checkIn(_ context: RequestContext, _ request: CheckInRequest) async throws -> HTTPResponse {
        do {
            return answer(try await perform(request, context), context)
        } catch  where request.grant != nil && context.caller.receipt == nil {
            throw FailureOfGrantHolder(reason: error)
        }
    }

    static func answer(_ done: Done, _ context: RequestContext) -> HTTPResponse {
        let answer = HTTPResponse.json(
            encoded: done.body(context).bytes(context.services.encodedSessions),
            status: done.isNew ? 201 : 200)
        return done.isReplayed ? answer.replayed : answer
    }

    /// Returns the questions of the check-in form in the caller's language; nil if the form has no questions.
    static func questions(of session: SessionID, _ context: RequestContext) async throws -> QuestionSet? {
        try await context.storage.lookUp { rows throws(JournalError) in
            try rows.checkInQuestions(of: session)
        }?.localized(in: context.language.rawValue)
    }

    /// The result of a check-in, and the time of its first answer.
    struct Done: Sendable {
        let outcome: CheckIn.Outcome
        /// Nil unless the outcome is `checkedIn`.
        let receipt: Receipt?
        /// The time of the first answer to this check-in. A repeated answer describes the session at this
        /// time.
        let moment: Instant
        var isReplayed = false

        var isNew: Bool {
            if case .checkedIn(_, _, again: false) = outcome { true } else { false }
        }

        func body(_ context: RequestContext) -> CheckInBody {
            let now = moment
            return switch outcome {
            case .checkedIn(let attendee, let record, let again):
                CheckInBody(
                    attendee: AttendeeBody(
                        forAttendee: attendee, identifyBy: record.meeting.identifyBy,
                        sessionIsOver: record.session.isOver(at: now)),
                    session: context.sessionBody(record, for: .attendee, at: now),
                    receipt: receipt?.text(keys: context.services.keys),
                    alreadyCheckedIn: again)
            case .elsewhere(let record):
                CheckInBody(
                    attendee: nil, session: context.sessionBody(record, for: .attendee, at: now),
                    receipt: nil,
                    alreadyCheckedIn: true)
            case .ended(let rule, let record):
                CheckInBody(
                    attendee: nil, session: context.sessionBody(record, for: .attendee, at: now),
                    receipt: nil,
                    alreadyCheckedIn: false, ended: rule.ending(in: context.language))
            }
        }
    }

    /// Checks an attendee in, for the API and the pages.
    static func perform(_ request: CheckInRequest, _ context: RequestContext) async throws -> Done {
        let exchange = CodeExchange(services: context.services, isForClient: false)
        let grant: Grant
        if let text = request.grant {
            guard let known = Grant(text, keys: context.services.keys) else {
                throw context.forged(.grantNotValid)
            }
            grant = known
        } else if let code = request.code {
            grant = try await exchange.exchange(code: code, context: context).grant
        } else {
            grant = try await exchange.exchange(joinCode: request.joinCode ?? "", context: context).grant
        }
        let judged = try await context.storage.judged(
            request.answers, to: QuestionSet.checkIn, of: grant.sessionID)
        let command = CheckIn(
            session: grant.sessionID, moment: grant.moment, method: grant.method, codeAge: grant.codeAge,
            revocation: grant.revocation,
            // If the client sent a code and no grant, it never receives this grant and cannot send it again.
            // The command therefore does not store the grant.
            grant: request.grant == nil ? nil : grant.id,
            receipt: context.caller.receipt,
            name: request.name, email: request.email, number: request.number, answers: request.answers,
            unusable: request.unusable, evidence: DeviceMark.evidence(of: context, in: grant.sessionID),
            patterns: judged, repeats: context.services.repeats)
        let done = try await perform(command, context, by: request.grant == nil ? nil : grant)
        if case .elsewhere = done.outcome {
            await context.slowDown(
                repeatIn: command.session, by: command.grant, on: command.evidence?.device)
        }
        return done
    }

    private static func perform(_ command: CheckIn, _ context: RequestContext, by grant: Grant?) async throws
        -> Done
    {
        let moment = context.now
        let withReceipt = CheckInWithReceipt(command)
        // The receipt identifies the attendee. If the client sent no receipt, the grant identifies the
        // client.
        let known = context.caller.receipt == nil ? grant : nil
        guard let key = known.flatMap({ context.idempotencyKey?.of($0) }) ?? context.idempotencyKey else {
            let (outcome, receipt) = try await context.storage.checkIn(withReceipt)
            return Done(outcome: outcome, receipt: receipt, moment: moment)
        }
        let outcome = try await context.storage.perform(
            Keyed(withReceipt, key: key.retryKey) {
                let done = Done(outcome: $0.outcome, receipt: $0.receipt, moment: moment)
                return (done, CheckInReference.bytes(of: done))
            })
        switch outcome {
        case .new(let done): return done
        case .repeated(let content):
            guard let reference = CheckInReference(content) else { throw RequestError(.internalError) }
            return try await reference.done(in: command.session, context.storage)
        }
    }
}

extension ReadableRows {
    /// Returns the questions of a session's check-in form; nil if the form has no questions.
    func checkInQuestions(of session: SessionID) throws(JournalError) -> QuestionSet? {
        guard let set = try questionSet(QuestionSet.checkIn, of: session), set.openByHand != false,
            !set.asked.isEmpty
        else { return nil }
        return set
    }
}

/// Exchanges a scanned or typed code for a grant.
struct CodeExchange: Sendable {
    let services: Services
    /// Whether a client receives the grant.
    var isForClient = true

    struct Outcome: Sendable {
        let grant: Grant
        let record: SessionRecord

        /// The last moment at which the grant can check in.
        var expiresAt: Instant { record.session.grantExpiresAt(exchangedAt: grant.moment) }
    }

    /// Exchanges a scanned code for a grant.
    /// - Throws: `code_not_valid`, `check_in_not_open` or `check_in_closed`.
    func exchange(code text: String, context: RequestContext) async throws -> Outcome {
        guard let code = CheckInCode(text) else { throw context.forged(.codeNotValid) }
        let now = services.clock.now
        let found = try await context.storage.session(code.sessionID)
        guard let record = found else { throw context.forged(.codeNotValid) }
        switch code.judge(for: record.session, at: services.codeClock.now, keys: services.keys) {
        case .good(let age):
            if age != nil { await context.slowDown(grantTo: record.session.id) }
            return try outcome(record, .qr, at: now, codeAge: age)
        case .outOfTime: throw Refusal.codeNotValid
        case .forged: throw context.forged(.codeNotValid)
        }
    }

    /// Exchanges a valid scanned code for a grant. Returns nil if the code is not valid, or if it rotates,
    /// because grants of rotating codes are counted and may be delayed.
    /// - Parameter record: the session as of the last commit.
    /// - Throws: `check_in_not_open` or `check_in_closed`.
    func exchangeAtOnce(_ code: CheckInCode, for record: SessionRecord) throws -> Outcome? {
        guard
            code.judge(for: record.session, at: services.codeClock.now, keys: services.keys)
                == .good(age: nil)
        else { return nil }
        return try outcome(record, .qr, at: services.clock.now)
    }

    /// Exchanges a typed code for a grant. A valid code is always accepted, because all phones in a hall
    /// share one address, and the guesses of one phone must not lock the others out. Wrong codes are counted
    /// by address and by browser. The answers are delayed more and more. Above the limit, wrong codes
    /// get 429.
    func exchange(joinCode typed: String, context: RequestContext) async throws -> Outcome {
        let now = services.clock.now
        guard let code = JoinCode.normalized(typed),
            let (record, age) = try await session(joinCode: code, context)
        else {
            throw await context.wrongJoinCode()
        }
        if age != nil { await context.slowDown(grantTo: record.session.id) }
        return try outcome(record, .joinCode, at: now, codeAge: age)
    }

    /// Finds the session of a join code. The table has the rotating codes, and an index of the database the
    /// static ones. If sessions share a rotating code by chance, the code leads to the session that showed it
    /// last, or to the one whose check-in closes first.
    private func session(joinCode: String, _ context: RequestContext) async throws -> (
        SessionRecord, age: Duration?
    )? {
        let moment = services.codeClock.now
        var best: (record: SessionRecord, age: Duration)?
        for id in try await services.joinCodes.sessions(with: joinCode) {
            guard let record = try await context.storage.session(id), record.session.codeKind == .rotating,
                let age = RotatingJoinCode.age(
                    of: joinCode, for: record.session, at: moment, keys: services.keys)
            else { continue }
            if let best, (best.age, best.record.session.endsAt) <= (age, record.session.endsAt) { continue }
            best = (record, age)
        }
        if let best { return (best.record, best.age) }
        let fixed = try await context.storage.read { rows throws(JournalError) in
            try rows.session(joinCode: joinCode)
        }
        guard let fixed, fixed.session.codeKind == .static else { return nil }
        return (fixed, nil)
    }

    /// Returns the session that is open for check-in, with a grant in exchange for the poster's code. The
    /// grant is nil if the session's code rotates: a poster stays the same, so its code does not prove that
    /// anybody sees the screen.
    /// - Throws: `check_in_not_open` with the opening time of the next session.
    func exchange(meetingCode text: String, context: RequestContext) async throws -> (
        SessionRecord, Outcome?
    ) {
        guard let code = MeetingCode(text) else { throw context.forged(.codeNotValid) }
        let now = services.clock.now
        let found = try await context.storage.read {
            rows throws(JournalError) -> (
                Meeting, open: SessionRecord?, next: SessionRecord?, last: SessionRecord?
            )? in
            guard let meeting = try rows.meeting(code.meetingID) else { return nil }
            return (
                meeting, try rows.sessionOpenForCheckIn(of: meeting.id, at: now),
                try rows.sessionOpeningNext(of: meeting.id, after: now),
                try rows.latestSession(of: meeting.id)
            )
        }
        guard let found, code.isGenuine(for: found.0, keys: services.keys) else {
            throw context.forged(.codeNotValid)
        }
        if let open = found.open {
            return (open, open.session.codeKind == .rotating ? nil : try outcome(open, .qr, at: now))
        }
        if let next = found.next {
            throw OutsideWindow(.checkInNotOpen(opensAt: next.session.checkInOpensAt), of: found.0)
        }
        throw OutsideWindow(.checkInClosed(closedAt: found.last?.session.checkInClosesAt), of: found.0)
    }

    /// Returns the grant for a valid code.
    /// - Parameter record: the session and the meeting as they were read to judge the code. So the grant is
    ///   as old as the code, even if a host has renewed all codes meanwhile.
    private func outcome(
        _ record: SessionRecord, _ method: CheckInMethod, at now: Instant, codeAge: Duration? = nil
    ) throws -> Outcome {
        let session = record.session
        if now < session.checkInOpensAt {
            throw OutsideWindow(.checkInNotOpen(opensAt: session.checkInOpensAt), of: record.meeting)
        }
        if now > session.checkInClosesAt {
            throw OutsideWindow(.checkInClosed(closedAt: session.checkInClosesAt), of: record.meeting)
        }
        return Outcome(
            grant: Grant(
                for: record, at: now, method: method, codeAge: codeAge, isForClient: isForClient),
            record: record)
    }
}

/// The error for a valid code or grant outside the check-in window. Pages show times in the time zone of
/// `meeting`.
struct OutsideWindow: Error {
    /// The refusal: `checkInNotOpen` or `checkInClosed`.
    let refusal: Refusal
    let meeting: Meeting

    init(_ refusal: Refusal, of meeting: Meeting) {
        self.refusal = refusal
        self.meeting = meeting
    }
}
