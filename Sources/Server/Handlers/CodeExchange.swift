import HTTPServer
import Journal
import Meetings

/// Exchanges what was scanned or typed for a grant.
struct CodeExchange: Sendable {
    let services: Services

    struct Outcome: Sendable {
        let grant: Grant
        let record: SessionRecord

        /// Until check-in closes, and never less than a few minutes, so that who scans at the last moment can still type.
        var expiresAt: Instant { max(record.session.checkInClosesAt, grant.moment + CheckIn.shortestGrant) }
    }

    /// Throws `code_not_valid`, `check_in_not_open` or `check_in_closed`.
    func exchange(code text: String) async throws -> Outcome {
        guard let code = CheckInCode(text) else { throw Refusal.codeNotValid }
        let found = try await services.storage.session(code.sessionID)
        guard let record = found, code.isGenuine(for: record.session, keys: services.keys) else { throw Refusal.codeNotValid }
        return try outcome(record, .qr)
    }

    /// The same for a typed code. Failures are counted by address, and generously: a hall sits behind one.
    func exchange(joinCode typed: String, context: RequestContext) async throws -> Outcome {
        let key = "join code from \(context.request.peer)"
        try context.requireAttempt(key, FailureLimits.joinCode)
        var found: SessionRecord?
        if let code = JoinCode.normalized(typed) {
            found = try await services.storage.read { rows throws(JournalError) in try rows.session(joinCode: code) }
        }
        guard let record = found else {
            services.limits.failed(key, FailureLimits.joinCode, at: context.now)
            throw Refusal.codeNotValid
        }
        return try outcome(record, .joinCode)
    }

    /// The poster's code: the session that is open, or when the next one opens.
    func exchange(meetingCode text: String) async throws -> Outcome {
        guard let code = MeetingCode(text) else { throw Refusal.codeNotValid }
        let now = services.clock.now
        let found = try await services.storage.read {
            rows throws(JournalError) -> (Meeting, open: SessionRecord?, next: SessionRecord?, last: SessionRecord?)? in
            guard let meeting = try rows.meeting(code.meetingID) else { return nil }
            return (
                meeting, try rows.sessionOpenForCheckIn(of: meeting.id, at: now), try rows.sessionOpeningNext(of: meeting.id, after: now),
                try rows.latestSession(of: meeting.id)
            )
        }
        guard let found, code.isGenuine(for: found.0, keys: services.keys) else { throw Refusal.codeNotValid }
        if let open = found.open { return try outcome(open, .qr) }
        if let next = found.next { throw Refusal.checkInNotOpen(opensAt: next.session.checkInOpensAt) }
        throw Refusal.checkInClosed(closedAt: found.last?.session.checkInClosesAt)
    }

    private func outcome(_ record: SessionRecord, _ method: CheckInMethod) throws -> Outcome {
        let now = services.clock.now
        let session = record.session
        if now < session.checkInOpensAt { throw Refusal.checkInNotOpen(opensAt: session.checkInOpensAt) }
        if now > session.checkInClosesAt { throw Refusal.checkInClosed(closedAt: session.checkInClosesAt) }
        return Outcome(grant: Grant(for: session.id, at: now, method: method), record: record)
    }
}
