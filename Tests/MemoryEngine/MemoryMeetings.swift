import Journal
import Meetings

extension MemoryRows {
    func meeting(_ id: MeetingID) throws(JournalError) -> Meeting? { try tables().meetings[id] }

    func meetingCount(ownedBy account: AccountID) throws(JournalError) -> Int {
        try tables().members.count { $0.key.account == account && $0.value == .owner }
    }

    func role(of account: AccountID, in meeting: MeetingID) throws(JournalError) -> Role? {
        try tables().members[Tables.Membership(account: account, meeting: meeting)]
    }

    func memberships(of account: AccountID, limit: Int) throws(JournalError) -> [MeetingID] {
        Array(
            try tables().members.keys.filter { $0.account == account }.map(\.meeting).sorted().prefix(limit))
    }

    func soleMeetingCount(of account: AccountID) throws(JournalError) -> Int {
        try soleMeetings(of: account).count
    }

    func soleMeetingCheckIns(of account: AccountID) throws(JournalError) -> Int {
        var count = 0
        for meeting in try soleMeetings(of: account) { count += try size(of: meeting).checkIns }
        return count
    }

    private func soleMeetings(of account: AccountID) throws(JournalError) -> [MeetingID] {
        let tables = try tables()
        // An account that is being deleted does not count.
        let owners = tables.members.filter { $0.value == .owner }.keys.filter {
            $0.account == account || tables.accounts[$0.account] != nil
        }
        return owners.filter { $0.account == account }.map(\.meeting).filter { meeting in
            !owners.contains { $0.meeting == meeting && $0.account != account }
        }
    }

    func members(of meeting: MeetingID) throws(JournalError) -> [(account: AccountID, role: Role)] {
        let order = Role.allCases
        return try tables().members.filter { $0.key.meeting == meeting }.map {
            (account: $0.key.account, role: $0.value)
        }
        .sorted { left, right in
            left.role == right.role
                ? left.account < right.account
                : (order.firstIndex(of: left.role) ?? 0) < (order.firstIndex(of: right.role) ?? 0)
        }
    }

    func meetings(of account: AccountID, at now: Instant, after cursor: MeetingCursor?, limit: Int)
        throws(JournalError) -> [SessionRecord]
    {
        let tables = try tables()
        let own = tables.members.filter { $0.key.account == account && $0.value.isReader }
        let latest = own.keys.compactMap { tables.latest(of: $0.meeting) }
        let listed = latest.map { MeetingListing(record: $0, ended: $0.session.isOver(at: now)) }.sorted {
            $0.cursor < $1.cursor
        }
        return listed.filter { listing in cursor.map { $0 < listing.cursor } ?? true }.prefix(limit).map(
            \.record)
    }

    func insert(_ meeting: Meeting) throws(JournalError) {
        try change("insert meeting") { tables throws(JournalError) in
            guard tables.meetings[meeting.id] == nil else { throw conflict("insert meeting", "not unique") }
            tables.meetings[meeting.id] = meeting
        }
    }

    func update(_ meeting: Meeting) throws(JournalError) {
        try change("update meeting") { tables in
            guard let old = tables.meetings[meeting.id] else { return }
            tables.meetings[meeting.id] = Meeting(
                id: old.id, name: meeting.name, description: meeting.description, venue: meeting.venue,
                timeZone: meeting.timeZone,
                identifyBy: meeting.identifyBy, regulars: meeting.regulars,
                joinedRound: meeting.joinedRound, reminders: meeting.reminders, language: meeting.language,
                accent: meeting.accent, consent: meeting.consent, absenceRule: meeting.absenceRule,
                hooked: old.hooked,
                codeVersion: meeting.codeVersion, codesRevokedAt: meeting.codesRevokedAt,
                createdAt: old.createdAt, version: meeting.version)
        }
    }

    func delete(_ meeting: MeetingID) throws(JournalError) {
        try change("delete meeting") { tables in
            for entry in tables.sessions.values where entry.session.meetingID == meeting {
                tables.remove(entry.session.id)
            }
            tables.members = tables.members.filter { $0.key.meeting != meeting }
            tables.mails = tables.mails.filter { $0.value.mail.meeting != meeting }
            tables.unsubscriptions = tables.unsubscriptions.filter { $0.meeting != meeting }
            tables.people = tables.people.filter { $0.value.meetingID != meeting }
            tables.rosterVersions[meeting] = nil
            tables.meetings[meeting] = nil
            tables.images[meeting] = nil
            tables.consents[meeting] = nil
            tables.heldWords[meeting] = nil
            tables.webhooks = tables.webhooks.filter { $0.value.meeting != meeting }
            tables.passes = tables.passes.filter { tables.people[$0.value.person] != nil }
            tables.passKeys[meeting] = nil
            tables.certificates = tables.certificates.filter { $0.value.meeting != meeting }
            tables.invitations = tables.invitations.filter { $0.value.meetingID != meeting }
        }
    }

    func setRole(_ role: Role?, of account: AccountID, in meeting: MeetingID) throws(JournalError) {
        try change("set role") { tables throws(JournalError) in
            guard role == nil || tables.accounts[account] != nil && tables.meetings[meeting] != nil else {
                throw conflict("set role", "of no account or meeting")
            }
            tables.members[Tables.Membership(account: account, meeting: meeting)] = role
        }
    }
}

private struct MeetingListing {
    let record: SessionRecord
    let ended: Bool
    var cursor: MeetingCursor {
        MeetingCursor(ended: ended, startsAt: record.session.startsAt, id: record.meeting.id)
    }
}

extension MeetingCursor {
    /// Orders meetings that are not over by start, ascending, and then ended meetings by start, descending.
    /// Ids break ties.
    fileprivate static func < (left: MeetingCursor, right: MeetingCursor) -> Bool {
        if left.ended != right.ended { return !left.ended }
        let (first, second) = left.ended ? (right, left) : (left, right)
        return first.startsAt == second.startsAt ? first.id < second.id : first.startsAt < second.startsAt
    }
}
