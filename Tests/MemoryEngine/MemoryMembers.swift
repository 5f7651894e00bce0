import Journal
import Meetings

extension MemoryRows {
    func invitation(_ id: MeetingInvitationID) throws(JournalError) -> MeetingInvitation? {
        try tables().invitations[id]
    }

    func invitations(to meeting: MeetingID) throws(JournalError) -> [MeetingInvitation] {
        try tables().invitations.values.filter { $0.meetingID == meeting }.sorted { $0.id < $1.id }
    }

    func invitations(of account: AccountID) throws(JournalError) -> [MeetingInvitation] {
        try tables().invitations.values.filter { $0.accountID == account }.sorted { $0.id < $1.id }
    }

    func image(of meeting: MeetingID) throws(JournalError) -> MeetingImage? { try tables().images[meeting] }
    func hasImage(_ meeting: MeetingID) throws(JournalError) -> Bool { try tables().images[meeting] != nil }

    func checkInFacts(of session: SessionID) throws(JournalError) -> [CheckInFact] {
        let tables = try tables()
        let events = tables.events[session, default: []]
        return tables.attendees.values.map(\.attendee).filter { $0.sessionID == session }.sorted {
            $0.id < $1.id
        }.map { attendee in
            let arrival = events.first { $0.sequence == attendee.arrivalSequence }?.data
            return CheckInFact(attendee, codeAge: arrival?.codeAge, grantAge: arrival?.grantAge)
        }
    }

    func sessions(endedBefore moment: Instant, limit: Int) throws(JournalError) -> [SessionID] {
        let found = try tables().sessions.values.map(\.session).filter { $0.endsAt < moment }
        return Array(found.sorted { ($0.endsAt, $0.id) < ($1.endsAt, $1.id) }.map(\.id).prefix(limit))
    }

    func sessionsHoldingEvidence(endedBefore moment: Instant, limit: Int) throws(JournalError) -> [SessionID]
    {
        let tables = try tables()
        let found = tables.sessions.values.map(\.session).filter {
            $0.endsAt < moment && !tables.withoutEvidence.contains($0.id)
        }
        return Array(found.sorted { ($0.endsAt, $0.id) < ($1.endsAt, $1.id) }.map(\.id).prefix(limit))
    }

    func sessionsWithNames(endedBefore moment: Instant?, closedBefore now: Instant, limit: Int)
        throws(JournalError) -> [SessionID]
    {
        let tables = try tables()
        let losing = tables.names.filter { $0.value == .beingDeleted }.keys.sorted()
        let due = tables.sessions.values.map(\.session).filter { session in
            moment.map { session.endsAt < $0 } ?? false && session.feedbackClosesAt < now
                && tables.names[session.id] == nil
        }
        return Array(
            (losing + due.sorted { ($0.endsAt, $0.id) < ($1.endsAt, $1.id) }.map(\.id)).prefix(limit))
    }

    func setNames(_ names: StoredNames, of session: SessionID) throws(JournalError) {
        try change("set names") { $0.names[session] = names }
    }

    func forgetCorrections(of session: SessionID, limit: Int) throws(JournalError) -> Bool {
        try change("forget corrections") { tables in
            for (id, trace) in tables.traces where trace.sessionID == session {
                tables.traces[id] = MergedTrace(
                    id: id, sessionID: session, into: trace.into, keys: AttendeeKeys())
            }
            let found = tables.corrections.filter {
                $0.value.sessionID == session && $0.value.attendeeID != nil
            }.keys.sorted { $0.sequence < $1.sequence }.prefix(limit)
            for place in found { tables.corrections[place] = nil }
            return found.count == limit
        }
    }

    func consents(of meeting: MeetingID) throws(JournalError) -> [DatedConsent] {
        try tables().consents[meeting] ?? []
    }

    func insert(_ consent: DatedConsent, of meeting: MeetingID) throws(JournalError) {
        try change("insert consent") { tables throws(JournalError) in
            guard tables.meetings[meeting] != nil else { throw conflict("insert consent", "of no meeting") }
            tables.consents[meeting, default: []].append(consent)
        }
    }

    func insert(_ invitation: MeetingInvitation) throws(JournalError) {
        try change("insert invitation") { tables throws(JournalError) in
            guard tables.meetings[invitation.meetingID] != nil, tables.accounts[invitation.invitedBy] != nil
            else {
                throw conflict("insert invitation", "to no meeting, or by no account")
            }
            let key = IdentityKey(invitation.email)
            tables.invitations = tables.invitations.filter {
                $0.value.meetingID != invitation.meetingID || IdentityKey($0.value.email) != key
            }
            tables.invitations[invitation.id] = invitation
        }
    }

    func delete(_ invitation: MeetingInvitationID) throws(JournalError) {
        try change("delete invitation") { $0.invitations[invitation] = nil }
    }

    func deleteInvitations(to email: IdentityKey) throws(JournalError) {
        try change("delete an address's invitations") { tables in
            tables.invitations = tables.invitations.filter { IdentityKey($0.value.email) != email }
        }
    }

    func setImage(_ image: MeetingImage?, of meeting: MeetingID) throws(JournalError) {
        try change("set image") { $0.images[meeting] = image }
    }

    func forgetEvidence(
        of session: SessionID, after last: AttendeeID?, limit: Int
    ) throws(JournalError) -> AttendeeID? {
        try change("forget evidence") { tables in
            let found = tables.attendees.values.map(\.attendee)
                .filter { $0.sessionID == session }.map(\.id)
                .filter { id in last.map { $0 < id } ?? true }.sorted().prefix(limit)
            for id in found { tables.attendees[id]?.attendee.evidence = nil }
            guard found.count < limit else { return found.last }
            tables.withoutEvidence.insert(session)
            return nil
        }
    }
}
