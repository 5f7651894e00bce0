import HTTPServer
import Journal
import Meetings
import Phrases
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
                questions: asked, consent: outcome.record.meeting.consent),
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
            consentNumber: request.consentNumber, patterns: judged, repeats: context.services.repeats)
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
