import Journal
import Meetings

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
        context.useLanguage(of: record.meeting)
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
        try await exchange(try await found(joinCode: typed, context: context), context: context)
    }

    /// The session of a typed code, and the age of a code that rotates.
    struct Found: Sendable {
        let record: SessionRecord
        fileprivate let age: Duration?
    }

    /// Returns the session of a typed code, even if check-in is not open.
    /// - Throws: the refusal of a wrong code, which counts.
    func found(joinCode typed: String, context: RequestContext) async throws -> Found {
        guard let code = JoinCode.normalized(typed),
            let (record, age) = try await session(joinCode: code, context)
        else {
            throw await context.wrongJoinCode()
        }
        context.useLanguage(of: record.meeting)
        return Found(record: record, age: age)
    }

    /// Exchanges a typed code, whose session is known, for a grant.
    /// - Throws: `check_in_not_open` or `check_in_closed`.
    func exchange(_ found: Found, context: RequestContext) async throws -> Outcome {
        let now = services.clock.now
        if found.age != nil { await context.slowDown(grantTo: found.record.session.id) }
        return try outcome(found.record, .joinCode, at: now, codeAge: found.age)
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
        context.useLanguage(of: found.0)
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
        if let refusal = record.session.refusal(ofCheckInAt: now) {
            throw OutsideWindow(refusal, of: record.meeting)
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
