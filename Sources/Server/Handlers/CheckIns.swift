import HTTPServer
import Journal
import Meetings
import Synchronization
import Wire

/// Grants, check-ins and what an attendee may do with their own record.
enum CheckIns {
    static func grant(_ context: RequestContext, _ request: GrantRequest) async throws -> HTTPResponse {
        let exchange = CodeExchange(services: context.services)
        let outcome =
            if let code = request.code {
                try await exchange.exchange(code: code)
            } else {
                try await exchange.exchange(joinCode: request.joinCode ?? "", context: context)
            }
        return .json(
            GrantBody(
                grant: outcome.grant.text(keys: context.services.keys),
                session: SessionGlimpse(outcome.record.session, of: outcome.record.meeting), expiresAt: outcome.expiresAt),
            status: 201)
    }

    static func checkIn(_ context: RequestContext, _ request: CheckInRequest) async throws -> HTTPResponse {
        let done = try await perform(request, context)
        return .json(done.body(context.services, at: context.now), status: done.isNew ? 201 : 200)
    }

    /// What a check-in came to.
    struct Done: Sendable {
        let outcome: CheckIn.Outcome

        var isNew: Bool {
            if case .checkedIn(_, _, again: false) = outcome { true } else { false }
        }

        func body(_ services: Services, at now: Instant) -> CheckInBody {
            switch outcome {
            case .checkedIn(let attendee, let record, let again):
                CheckInBody(
                    attendee: AttendeeBody(attendee, identifyBy: record.meeting.identifyBy, sessionIsOver: record.session.isOver(at: now)),
                    session: services.sessionBody(record, for: .attendee, at: now),
                    receipt: Receipt(for: attendee.id).text(keys: services.keys), alreadyCheckedIn: again)
            case .elsewhere(let record):
                CheckInBody(
                    attendee: nil, session: services.sessionBody(record, for: .attendee, at: now), receipt: nil,
                    alreadyCheckedIn: true)
            }
        }
    }

    /// The one way in, for the API and the pages.
    static func perform(_ request: CheckInRequest, _ context: RequestContext) async throws -> Done {
        let grant: Grant
        if let text = request.grant {
            guard let known = Grant(text, keys: context.services.keys) else { throw Refusal.grantNotValid }
            grant = known
        } else if let code = request.code {
            grant = try await CodeExchange(services: context.services).exchange(code: code).grant
        } else {
            grant = try await CodeExchange(services: context.services).exchange(joinCode: request.joinCode ?? "", context: context).grant
        }
        let outcome = try await context.storage.perform(
            CheckIn(
                session: grant.sessionID, moment: grant.moment, method: grant.method, codeAge: grant.codeAge,
                // One that was never given to anybody cannot come again: it needs no place in an index.
                grant: request.grant == nil ? nil : grant.id,
                receiptHolder: context.caller.attendeeID,
                name: request.name, email: request.email, number: request.number))
        let done = Done(outcome: outcome)
        if done.isNew { context.services.metrics.checkIns.add(1, ordering: .relaxed) }
        return done
    }

    // MARK: One's own record

    static func current(_ context: RequestContext) async throws -> HTTPResponse {
        let id = context.attendeeID
        let found = try await context.storage.read { rows throws(JournalError) -> (Attendee, SessionRecord)? in
            guard let attendee = try rows.attendee(id), let record = try rows.session(attendee.sessionID) else { return nil }
            return (attendee, record)
        }
        guard let (attendee, record) = found else { throw Refusal.receiptNotValid }
        return try await ownRecord(attendee, record, context)
    }

    static func mend(_ context: RequestContext, _ request: MendNameRequest) async throws -> HTTPResponse {
        let (attendee, record) = try await context.storage.perform(MendOwnName(attendee: context.attendeeID, name: request.name))
        return try await ownRecord(attendee, record, context)
    }

    static func withdraw(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.storage.perform(WithdrawCheckIn(attendee: context.attendeeID))
        return .noContent
    }

    private static func ownRecord(_ attendee: Attendee, _ record: SessionRecord, _ context: RequestContext) async throws -> HTTPResponse {
        let responded = try await context.storage.read { rows throws(JournalError) -> [String] in
            var responded: [String] = []
            for set in try rows.questionSets(of: record.session.id) where try rows.hasAnswered(attendee.id, set: set.name) {
                responded.append(set.name)
            }
            return responded
        }
        let now = context.now
        return .json(
            OwnRecordBody(
                attendee: AttendeeBody(attendee, identifyBy: record.meeting.identifyBy, sessionIsOver: record.session.isOver(at: now)),
                session: context.services.sessionBody(record, for: .attendee, at: now),
                responded: responded))
    }
}
