package import Meetings

/// Creates a meeting with its first session, owned by the account.
package struct CreateMeeting: Command {
    package let meeting: Meeting
    package let session: Session
    package let sets: [QuestionSet]
    package let owner: AccountID
    package let allowOverlap: Bool

    package init(
        meeting: Meeting, session: Session, sets: [QuestionSet], owner: AccountID, allowOverlap: Bool
    ) {
        self.meeting = meeting
        self.session = session
        self.sets = sets
        self.owner = owner
        self.allowOverlap = allowOverlap
    }

    package func run(in transaction: Transaction) throws(JournalError) -> SessionRecord {
        guard try transaction.rows.account(owner) != nil else { throw .refused(.notFound(.account)) }
        for set in sets {
            try transaction.requireOwnIDs(set.questions, field: "/session/questions")
            try transaction.requireGoodRules(of: set, field: "/session/questions")
        }
        try transaction.rows.insert(meeting)
        try transaction.rows.setRole(.owner, of: owner, in: meeting.id)
        return try transaction.add(session, to: meeting, sets: sets, by: owner, allowOverlap: allowOverlap)
    }
}

extension Transaction {
    /// Adds a session, unless it overlaps one of its owners'.
    func add(
        _ session: Session, to meeting: Meeting, sets: [QuestionSet], by account: AccountID,
        allowOverlap: Bool
    ) throws(JournalError) -> SessionRecord {
        if !allowOverlap { try requireNoOverlap(session) }
        var session = session
        session.joinCode = try freeJoinCode(first: session.joinCode)
        try rows.insert(session)
        for set in sets { try save(set, of: session.id) }
        try placeRoster(of: meeting, in: session.id)
        try record(.created, in: session.id, by: .account(account))
        return try self.session(session.id)
    }

    func requireNoOverlap(_ session: Session) throws(JournalError) {
        let others = try sessionsInTheWay(of: session)
        if !others.isEmpty { throw .refused(.sessionOverlap(others)) }
    }

    /// A billion codes and few sessions: the second try nearly always succeeds.
    func freeJoinCode(first: String) throws(JournalError) -> String {
        var code = first
        while try rows.session(joinCode: code) != nil { code = JoinCode.random() }
        return code
    }

    func deleteMeeting(_ id: MeetingID) throws(JournalError) {
        var before: Int?
        repeat {
            let page = try rows.sessions(of: id, before: before, limit: 200)
            for record in page { forget(record.session.id) }
            before = page.count < 200 ? nil : page.last?.session.round
        } while before != nil
        try rows.delete(id)
    }
}
