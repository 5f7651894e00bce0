import HTTPServer
import Journal
import Meetings
import Phrases
import Synchronization
import Wire

/// Grants, check-ins and what an attendee may do with their own record.
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
        answer(try await perform(request, context), context)
    }

    static func answer(_ done: Done, _ context: RequestContext) -> HTTPResponse {
        let answer = HTTPResponse.json(
            done.body(context), status: done.isNew ? 201 : 200)
        return done.isReplayed ? answer.replayed : answer
    }

    /// What is asked with the check-in, in the caller's language; nil where nothing is.
    static func questions(of session: SessionID, _ context: RequestContext) async throws -> QuestionSet? {
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.questionSet(QuestionSet.checkIn, of: session)
        }
        guard let found, found.openByHand != false, !found.asked.isEmpty else { return nil }
        return found.told(in: context.language.rawValue)
    }

    /// What a check-in came to.
    struct Done: Sendable {
        let outcome: CheckIn.Outcome
        /// When it was answered first: what the clock shows in it is of then.
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
                        attendee, identifyBy: record.meeting.identifyBy,
                        sessionIsOver: record.session.isOver(at: now)),
                    session: context.sessionBody(record, for: .attendee, at: now),
                    receipt: Receipt(for: attendee.id).text(keys: context.services.keys),
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

    /// The one way in, for the API and the pages.
    static func perform(_ request: CheckInRequest, _ context: RequestContext) async throws -> Done {
        let grant: Grant
        if let text = request.grant {
            guard let known = Grant(text, keys: context.services.keys) else {
                throw context.forged(.grantNotValid)
            }
            grant = known
        } else if let code = request.code {
            grant = try await CodeExchange(services: context.services).exchange(code: code, context: context)
                .grant
        } else {
            grant = try await CodeExchange(services: context.services).exchange(
                joinCode: request.joinCode ?? "", context: context
            ).grant
        }
        let judged = try await context.storage.judged(
            request.answers, to: QuestionSet.checkIn, of: grant.sessionID)
        let command = CheckIn(
            session: grant.sessionID, moment: grant.moment, method: grant.method, codeAge: grant.codeAge,
            // One that was never given to anybody cannot come again: it needs no place in an index.
            grant: request.grant == nil ? nil : grant.id,
            receiptHolder: context.caller.attendeeID,
            name: request.name, email: request.email, number: request.number, answers: request.answers,
            unusable: request.unusable, evidence: DeviceMark.evidence(of: context, in: grant.sessionID),
            patterns: judged)
        let done = try await perform(command, context, by: request.grant == nil ? nil : grant)
        if done.isNew, !done.isReplayed { context.services.metrics.checkIns.add(1, ordering: .relaxed) }
        return done
    }

    private static func perform(_ command: CheckIn, _ context: RequestContext, by grant: Grant?) async throws
        -> Done
    {
        let moment = context.now
        // A receipt says who it is; a grant, that it is its holder.
        let known = context.caller.attendeeID == nil ? grant : nil
        guard let key = known.flatMap({ context.idempotencyKey?.of($0) }) ?? context.idempotencyKey else {
            return Done(outcome: try await context.storage.perform(command), moment: moment)
        }
        let outcome = try await context.storage.perform(
            Keyed(command, key: key.retryKey) {
                let done = Done(outcome: $0, moment: moment)
                return (done, CheckInReference.bytes(of: done))
            })
        switch outcome {
        case .new(let done): return done
        case .repeated(let content):
            guard let reference = CheckInReference(content) else { throw RequestError(.internalError) }
            return try await reference.done(context.storage)
        }
    }

    // MARK: One's own record

    static func current(_ context: RequestContext) async throws -> HTTPResponse {
        let id = context.attendeeID
        let found = try await context.storage.read {
            rows throws(JournalError) -> (Attendee, SessionRecord)? in
            guard let attendee = try rows.attendee(behind: id),
                let record = try rows.session(attendee.sessionID)
            else { return nil }
            return (attendee, record)
        }
        guard let (attendee, record) = found else { throw Refusal.receiptNotValid }
        return try await ownRecord(attendee, record, context)
    }

    static func mend(_ context: RequestContext, _ request: MendNameRequest) async throws -> HTTPResponse {
        let (attendee, record) = try await context.storage.perform(
            MendOwnName(attendee: context.attendeeID, name: request.name))
        return try await ownRecord(attendee, record, context)
    }

    static func withdraw(_ context: RequestContext) async throws -> HTTPResponse {
        let erased = try await context.storage.perform(WithdrawCheckIn(attendee: context.attendeeID))
        for id in erased { context.services.rooms?.end(attendee: id) }
        return .noContent
    }

    private static func ownRecord(_ attendee: Attendee, _ record: SessionRecord, _ context: RequestContext)
        async throws -> HTTPResponse
    {
        let responded = try await context.storage.read { rows throws(JournalError) -> [String] in
            var responded: [String] = []
            for set in try rows.questionSets(of: record.session.id)
            where try rows.hasAnswered(attendee.id, set: set.name) {
                responded.append(set.name)
            }
            return responded
        }
        let now = context.now
        return .json(
            OwnRecordBody(
                attendee: AttendeeBody(
                    attendee, identifyBy: record.meeting.identifyBy,
                    sessionIsOver: record.session.isOver(at: now)),
                session: context.sessionBody(record, for: .attendee),
                responded: responded))
    }
}
