import Journal
import Meetings

extension MemoryRows {
    func sessionsToMail(
        _ kind: Mailing.Kind, in range: Range<Instant>?, after last: SessionToMail?, limit: Int
    ) throws(JournalError) -> [SessionToMail] {
        let tables = try tables()
        let first = (meeting: MeetingID(high: 0, low: 0), id: SessionID(high: 0, low: 0))
        let found = tables.sessions.values.map(\.session).filter { session in
            let mailing = tables.mailings[Tables.MailingKey(session: session.id, kind: kind)]
            guard let range else { return mailing?.isDone == false && session.id > last?.id ?? first.id }
            let isOn = tables.meetings[session.meetingID].map {
                kind == .absences ? $0.absenceRule?.mail == true : $0.reminders != .off
            }
            return isOn == true && range.contains(kind.followsEnd ? session.endsAt : session.startsAt)
                && mailing?.isDone != true
                && (session.meetingID, session.id) > (last?.meeting ?? first.meeting, last?.id ?? first.id)
        }
        let sorted = found.sorted {
            range == nil ? $0.id < $1.id : ($0.meetingID, $0.id) < ($1.meetingID, $1.id)
        }
        return sorted.prefix(limit).map { SessionToMail($0.id, of: $0.meetingID) }
    }

    func mailing(_ kind: Mailing.Kind, of session: SessionID) throws(JournalError) -> Mailing? {
        try tables().mailings[Tables.MailingKey(session: session, kind: kind)]
    }

    func cancellations(of meeting: MeetingID?, limit: Int) throws(JournalError) -> [Cancellation] {
        let found = try tables().cancellations.values.filter {
            meeting == nil || $0.announced.meeting == meeting
        }
        return Array(found.sorted { $0.announced.session < $1.announced.session }.prefix(limit))
    }

    func peopleToMail(of meeting: MeetingID, after last: PersonID?, limit: Int) throws(JournalError)
        -> [Person]
    {
        let found = try tables().people.values.filter {
            $0.meetingID == meeting && !$0.isArchived && !$0.email.isEmpty
                && $0.id > last ?? PersonID(high: 0, low: 0)
        }
        return Array(found.sorted { $0.id < $1.id }.prefix(limit))
    }

    func isUnsubscribed(_ recipient: IdentityKey, from meeting: MeetingID) throws(JournalError) -> Bool {
        try tables().unsubscriptions.contains {
            $0.recipient == recipient && ($0.meeting == nil || $0.meeting == meeting)
        }
    }

    func unsubscriptions(of recipient: IdentityKey) throws(JournalError) -> [MeetingID?] {
        try tables().unsubscriptions.filter { $0.recipient == recipient }.map(\.meeting).sorted {
            ($0?.text ?? "") < ($1?.text ?? "")
        }
    }

    func save(_ mailing: Mailing) throws(JournalError) {
        try change("save mailing") { tables in
            tables.mailings[Tables.MailingKey(session: mailing.session, kind: mailing.kind)] = mailing
        }
    }

    func save(_ cancellation: Cancellation) throws(JournalError) {
        try change("save cancellation") { tables in
            tables.cancellations[cancellation.announced.session] = cancellation
        }
    }

    func deleteCancellation(of session: SessionID) throws(JournalError) {
        try change("delete cancellation") { $0.cancellations[session] = nil }
    }

    func unsubscribe(_ recipient: IdentityKey, from meeting: MeetingID?) throws(JournalError) {
        try change("unsubscribe") { tables -> Void in
            tables.unsubscriptions.insert(Tables.Unsubscription(recipient: recipient, meeting: meeting))
        }
    }

    func forgetUnsubscription(_ recipient: IdentityKey, from meeting: MeetingID?) throws(JournalError) {
        try change("forget unsubscription") { tables in
            tables.unsubscriptions = tables.unsubscriptions.filter {
                $0.recipient != recipient || meeting != nil && $0.meeting != meeting
            }
        }
    }
}
