import Journal
import Meetings

extension MemoryRows {
    func session(_ id: SessionID) throws(JournalError) -> SessionRecord? { try tables().record(id) }

    func session(joinCode: String) throws(JournalError) -> SessionRecord? {
        try tables().records { $0.joinCode == joinCode }.first
    }

    func latestSession(of meeting: MeetingID) throws(JournalError) -> SessionRecord? {
        try tables().latest(of: meeting)
    }

    func sessions(of meeting: MeetingID, before round: Int?, limit: Int) throws(JournalError)
        -> [SessionRecord]
    {
        noteRead(of: meeting)
        let found = try tables().records { $0.meetingID == meeting && $0.round < round ?? .max }
        return Array(found.sorted { $0.session.round > $1.session.round }.prefix(limit))
    }

    func sessionIDs(of meeting: MeetingID) throws(JournalError) -> [SessionID] {
        try tables().sessions.values.map(\.session).filter { $0.meetingID == meeting }.map(\.id)
    }

    func headCount(of session: SessionID) throws(JournalError) -> HeadCount? {
        try tables().sessions[session]?.headCount
    }

    func size(of meeting: MeetingID) throws(JournalError) -> MeetingSize {
        var size = MeetingSize(checkIns: 0, rows: try personCount(of: meeting))
        for entry in try tables().sessions.values where entry.session.meetingID == meeting {
            size.checkIns += entry.headCount.checkedIn
            size.rows += Int(entry.sequence) + 2 * entry.headCount.known
            size.rows += try questionSets(of: entry.session.id).reduce(0) { $0 + $1.questions.count }
        }
        return size
    }

    func sessionCount(of meeting: MeetingID) throws(JournalError) -> Int {
        try tables().records { $0.meetingID == meeting }.count
    }

    func sessionOpenForCheckIn(of meeting: MeetingID, at now: Instant) throws(JournalError) -> SessionRecord?
    {
        try tables().records { $0.meetingID == meeting && $0.checkInIsOpen(at: now) }.max {
            $0.startsBefore($1)
        }
    }

    func sessionsRecordingLeaving(
        of meeting: MeetingID, except session: SessionID, openAt now: Instant, limit: Int
    ) throws(JournalError) -> [SessionID] {
        let found = try tables().records {
            $0.meetingID == meeting && $0.id != session && $0.recordsLeaving && $0.checkInIsOpen(at: now)
        }
        return found.map(\.session).sorted { ($0.endsAt, $0.id) < ($1.endsAt, $1.id) }.prefix(limit).map(\.id)
    }

    func sessionsWithRotatingCodes(openAt now: Instant, orBefore soon: Instant, limit: Int)
        throws(JournalError) -> [SessionRecord]
    {
        let found = try tables().records {
            $0.codeKind == .rotating && $0.checkInOpensAt <= soon && now <= $0.checkInClosesAt
        }
        return Array(
            found.sorted { ($0.session.endsAt, $0.session.id) < ($1.session.endsAt, $1.session.id) }.prefix(
                limit))
    }

    func sessionOpeningNext(of meeting: MeetingID, after now: Instant) throws(JournalError) -> SessionRecord?
    {
        try tables().records { $0.meetingID == meeting && $0.checkInOpensAt > now }.min { left, right in
            let (first, second) = (left.session.checkInOpensAt, right.session.checkInOpensAt)
            return first == second ? left.session.id < right.session.id : first < second
        }
    }

    func sessionsOverlapping(
        _ startsAt: Instant, _ endsAt: Instant, ownedBy account: AccountID, except: SessionID?, limit: Int
    ) throws(JournalError) -> [SessionRecord] {
        let tables = try tables()
        let found = tables.records { session in
            tables.members[Tables.Membership(account: account, meeting: session.meetingID)] == .owner
                && session.id != except
                && overlaps(startsAt, endsAt, with: session)
        }
        return Array(found.sorted { $0.startsBefore($1) }.prefix(limit))
    }

    func sessions(
        of account: AccountID, atDoor: Bool, overlapping range: Range<Instant>,
        after last: (Instant, SessionID)?, limit: Int
    ) throws(JournalError) -> [SessionRecord] {
        let tables = try tables()
        let found = tables.records { session in
            let role = tables.members[Tables.Membership(account: account, meeting: session.meetingID)]
            return role.map { atDoor ? $0.isAtDoor : $0.isReader } ?? false
                && session.endsAt > range.lowerBound && session.startsAt < range.upperBound
                && last.map { $0 < (session.startsAt, session.id) } ?? true
        }
        return Array(found.sorted { $0.startsBefore($1) }.prefix(limit))
    }

    func nearestSession(of account: AccountID, at now: Instant) throws(JournalError) -> SessionRecord? {
        let tables = try tables()
        let own = tables.records {
            tables.members[Tables.Membership(account: account, meeting: $0.meetingID)]?.isReader ?? false
        }
        let running = own.filter { $0.session.startsAt <= now && now <= $0.session.endsAt }
        return running.max { $0.startsBefore($1) }
            ?? own.filter { $0.session.startsAt > now }.min { $0.startsBefore($1) }
    }

    func insert(_ session: Session) throws(JournalError) {
        try change("insert session") { tables throws(JournalError) in
            guard tables.meetings[session.meetingID] != nil, tables.sessions[session.id] == nil,
                tables.isUnique(session)
            else {
                throw conflict("insert session", "not unique, or of no meeting")
            }
            tables.sessions[session.id] = Tables.SessionEntry(session: session)
        }
    }

    func update(_ session: Session) throws(JournalError) {
        try change("update session") { tables throws(JournalError) in
            guard tables.isUnique(session) else { throw conflict("update session", "not unique") }
            tables.sessions[session.id]?.session = session
        }
    }

    func delete(_ session: SessionID) throws(JournalError) {
        try change("delete session") { $0.remove(session) }
    }

    func saveCounters(of session: SessionID, sequence: Int64, headCount: HeadCount) throws(JournalError) {
        try change("save counters") { tables in
            tables.sessions[session]?.sequence = sequence
            tables.sessions[session]?.headCount = headCount
        }
    }
}

extension SessionRecord {
    /// True if this session starts before the other. If both start at once, the smaller id is first.
    fileprivate func startsBefore(_ other: SessionRecord) -> Bool {
        session.startsAt == other.session.startsAt
            ? session.id < other.session.id : session.startsAt < other.session.startsAt
    }
}

extension Tables {
    func record(_ id: SessionID) -> SessionRecord? {
        guard let entry = sessions[id], let meeting = meetings[entry.session.meetingID] else { return nil }
        return SessionRecord(
            session: entry.session, meeting: meeting, headCount: entry.headCount, sequence: entry.sequence,
            feedback: sets[SetKey(session: id, set: QuestionSet.feedback)]?.set.summary ?? .none)
    }

    func records(where isWanted: (Session) -> Bool) -> [SessionRecord] {
        sessions.values.filter { isWanted($0.session) }.compactMap { record($0.session.id) }
    }

    func latest(of meeting: MeetingID) -> SessionRecord? {
        records { $0.meetingID == meeting }.max { $0.session.round < $1.session.round }
    }

    fileprivate func isUnique(_ session: Session) -> Bool {
        !sessions.values.contains { other in
            other.session.id != session.id
                && (other.session.joinCode == session.joinCode
                    || other.session.meetingID == session.meetingID && other.session.round == session.round)
        }
    }

    mutating func remove(_ session: SessionID) {
        sessions[session] = nil
        replySettings[session] = nil
        replies = replies.filter { $0.value.sessionID != session }
        passes = passes.filter { $0.value.session != session }
        satellites = satellites.filter { $0.value.session != session }
        doorEntries = doorEntries.filter { $0.value.session != session }
        for entry in attendees.values where entry.attendee.sessionID == session { remove(entry.attendee.id) }
        events[session] = nil
        for (key, entry) in sets where key.session == session {
            for question in entry.set.questions { tallies[question.id] = nil }
            let questions = Set(entry.set.questions.map(\.id))
            moderatedTexts = moderatedTexts.filter { !questions.contains($0.key.question) }
            moderatedWords = moderatedWords.filter { !questions.contains($0.key) }
            textModeration[key] = nil
            sets[key] = nil
        }
        responses = responses.filter { $0.value.response.sessionID != session }
        mails = mails.filter { $0.value.mail.session != session }
        mailings = mailings.filter { $0.key.session != session }
        devices = devices.filter { $0.value.owner.session != session }
        alerts = alerts.filter { $0.key.session != session }
        links = links.filter { $0.value.sessionID != session }
        corrections = corrections.filter { $0.key.session != session }
        traces = traces.filter { $0.value.sessionID != session }
        audienceSettings[session] = nil
        removedVotes = removedVotes.filter { $0.key.session != session }
        audienceQuestions = audienceQuestions.filter { $0.value.sessionID != session }
        audienceVotes = audienceVotes.filter { audienceQuestions[$0.key.question] != nil }
        forgetMatching(of: session, withReports: true)
        matchSettings[session] = nil
        matchingSessions.remove(session)
    }

    mutating func remove(_ attendee: AttendeeID) {
        attendees[attendee] = nil
        for (id, reply) in replies where reply.attendee == attendee { replies[id]?.attendee = nil }
        slots[attendee] = nil
        doorRecords[attendee] = nil
        certificates = certificates.filter { $0.value.subject != .session(attendee) }
        removeMails(of: OutgoingMail.Owner(attendee))
        answered = answered.filter { $0.attendee != attendee }
        responses = responses.filter { $0.value.response.attendeeID != attendee }
    }
}
