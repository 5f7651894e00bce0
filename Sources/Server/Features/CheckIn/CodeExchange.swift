import HTTPServer
import Journal
import Meetings

/// Exchanges what was scanned or typed for a grant.
struct CodeExchange: Sendable {
    let services: Services

    struct Outcome: Sendable {
        let grant: Grant
        let record: SessionRecord

        /// Until check-in closes, and never less than a few minutes, so that who scans at the last moment can
        /// still type.
        var expiresAt: Instant { max(record.session.checkInClosesAt, grant.moment + CheckIn.shortestGrant) }
    }

    /// Throws `code_not_valid`, `check_in_not_open` or `check_in_closed`.
    func exchange(code text: String, context: RequestContext) async throws -> Outcome {
        guard let code = CheckInCode(text) else { throw context.forged(.codeNotValid) }
        let found = try await context.storage.session(code.sessionID)
        guard let record = found else { throw context.forged(.codeNotValid) }
        switch code.judge(for: record.session, at: services.codeClock.now, keys: services.keys) {
        case .good(let age): return try outcome(record, .qr, codeAge: age)
        case .outOfTime: throw Refusal.codeNotValid
        case .forged: throw context.forged(.codeNotValid)
        }
    }

    /// The same for a typed code. A right one is always taken: a hall sits behind one address, and one
    /// phone's guesses must not lock it out. Wrong ones are counted by address; past the limit they are told
    /// to wait.
    func exchange(joinCode typed: String, context: RequestContext) async throws -> Outcome {
        guard let code = JoinCode.normalized(typed),
            let (record, age) = try await session(joinCode: code, context)
        else {
            throw context.wrong("join code from \(context.origin)", FailureLimits.joinCode, .codeNotValid)
        }
        return try outcome(record, .joinCode, codeAge: age)
    }

    /// A static code is found by its index, a rotating one among the sessions that are open with one.
    private func session(joinCode: String, _ context: RequestContext) async throws -> (
        SessionRecord, age: Duration?
    )? {
        let now = services.clock.now
        let (fixed, rotating) = try await context.storage.read {
            rows throws(JournalError) -> (SessionRecord?, [SessionRecord]) in
            let fixed = try rows.session(joinCode: joinCode)
            if let fixed, fixed.session.codeKind == .static { return (fixed, []) }
            return (nil, try rows.sessionsWithRotatingCodes(openAt: now, limit: 1000))
        }
        if let fixed { return (fixed, nil) }
        let moment = services.codeClock.now
        for record in rotating {
            guard
                let age = RotatingJoinCode.age(
                    of: joinCode, for: record.session, at: moment, keys: services.keys)
            else { continue }
            return (record, age)
        }
        return nil
    }

    /// The poster's code: the session that is open, or when the next one opens.
    func exchange(meetingCode text: String, context: RequestContext) async throws -> Outcome {
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
        if let open = found.open { return try outcome(open, .qr) }
        if let next = found.next {
            throw OutsideWindow(.checkInNotOpen(opensAt: next.session.checkInOpensAt), of: found.0)
        }
        throw OutsideWindow(.checkInClosed(closedAt: found.last?.session.checkInClosesAt), of: found.0)
    }

    private func outcome(_ record: SessionRecord, _ method: CheckInMethod, codeAge: Duration? = nil) throws
        -> Outcome
    {
        let now = services.clock.now
        let session = record.session
        if now < session.checkInOpensAt {
            throw OutsideWindow(.checkInNotOpen(opensAt: session.checkInOpensAt), of: record.meeting)
        }
        if now > session.checkInClosesAt {
            throw OutsideWindow(.checkInClosed(closedAt: session.checkInClosesAt), of: record.meeting)
        }
        return Outcome(
            grant: Grant(for: session.id, at: now, method: method, codeAge: codeAge), record: record)
    }
}

/// A code or grant that is good at another time, and the meeting in whose zone a page tells it.
struct OutsideWindow: Error {
    /// `checkInNotOpen` or `checkInClosed`.
    let refusal: Refusal
    let meeting: Meeting

    init(_ refusal: Refusal, of meeting: Meeting) {
        self.refusal = refusal
        self.meeting = meeting
    }
}
