package import Meetings

extension ReadableRows {
    /// Returns what the person did in the meeting's sessions that count for its absence rule and end at
    /// `until` or earlier, the latest first. Costs a few probes for each session.
    package func pastAttendance(
        of person: Person, in meeting: Meeting, until: Instant, limit: Int = ContinueMeeting.mostSessions
    ) throws(JournalError) -> [PastAttendance] {
        try pastAttendance(
            of: person, key: IdentityKey(ifAny: person.identity(by: meeting.identifyBy)),
            since: meeting.absenceRule?.start(in: meeting.timeZone), until: until, limit: limit)
    }

    /// Adds the people of a part of the roster who newly meet the meeting's rule in a session that is over.
    /// Returns the position after which the roster continues; nil after its last person. Archived people are
    /// left out.
    /// - Parameter limit: the most people of the part.
    package func addNewAbsences(
        in record: SessionRecord, after position: RosterPosition?, limit: Int, to found: inout NewAbsences
    ) throws(JournalError) -> RosterPosition? {
        guard let rule = record.meeting.absenceRule else { return nil }
        let people = try people(
            of: record.meeting.id, archived: false, text: nil, after: position, limit: limit)
        for person in people {
            guard let attendee = try attendee(of: person.id, in: record.session.id),
                attendee.status == .pending || attendee.status == .absent,
                let absences = try newlyMet(rule, by: person, in: record)
            else { continue }
            found.add(NewAbsences.Person(person.id, absences))
        }
        return people.count == limit ? people.last?.position : nil
    }

    private func newlyMet(_ rule: AbsenceRule, by person: Person, in record: SessionRecord)
        throws(JournalError) -> Absences?
    {
        let (session, end) = (record.session.id, record.session.endsAt)
        // A row alone needs the latest sessions only, unless many of them were excused.
        if let row = rule.inARow, rule.inAll == nil {
            let limit = row + 9
            let latest = try pastAttendance(of: person, in: record.meeting, until: end, limit: limit)
            let absences = Absences(latest)
            if latest.count < limit || absences.lastCame != nil || absences.inARow > row + 1 {
                return rule.newlyMet(in: session, by: latest)
            }
        }
        return rule.newlyMet(
            in: session, by: try pastAttendance(of: person, in: record.meeting, until: end))
    }
}

/// Queues the mails to the owners and hosts of a meeting about the people who newly meet its absence rule in
/// a session. The progress is stored with the mails, so the session causes them once, also if the server
/// crashes, or if several servers have looked for the people. The people get no mail.
package struct MailAbsences: Command {
    package let session: SessionID
    package let found: NewAbsences

    package init(in session: SessionID, of found: NewAbsences) {
        (self.session, self.found) = (session, found)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> MailingProgress {
        let (rows, now) = (transaction.rows, transaction.now)
        // The session may have been deleted since the clock chose it.
        guard let record = try rows.session(session) else { return .done }
        guard transaction.isSettled(record.meeting.id) else { return .busy }
        var mailing = try rows.mailing(.absences, of: session) ?? Mailing(of: session, .absences)
        guard !mailing.isDone, record.meeting.absenceRule?.mail == true,
            let due = Mailing.Kind.absences.due(at: now), due.contains(record.session.endsAt)
        else { return .done }
        if !found.people.isEmpty {
            guard let payer = try rows.mailPayer(of: record.meeting.id) else { return .done }
            let receivers = try transaction.mailings.hosts(of: record.meeting.id)
            guard try receivers.count <= transaction.mailings.allowance(of: payer) else {
                try transaction.mailings.noteLimit(of: payer, in: record.meeting.id)
                return .limited(payer)
            }
            for host in receivers {
                let mail = OutgoingMail(
                    to: host.email, language: host.profile.locale ?? "en",
                    .absences(people: found, path: "/host#/meetings/\(record.meeting.id)"), notBefore: now,
                    expiresAt: Mailing.Kind.absences.expiry(for: record.session, at: now),
                    owner: OutgoingMail.Owner(host.id), meeting: record.meeting.id, session: session)
                if try transaction.mails.queue(mail) { mailing.mailed += 1 }
            }
            try transaction.mailings.charge(mailing.mailed, to: payer)
        }
        mailing.isDone = true
        try rows.save(mailing)
        return .done
    }
}

extension Mailings {
    /// Returns the owners and hosts of a meeting who get mails about it: their address is verified, and they
    /// have not switched mails off.
    fileprivate func hosts(of meeting: MeetingID) throws(JournalError) -> [Account] {
        var hosts: [Account] = []
        for member in try transaction.rows.members(of: meeting) where member.role.isHost {
            if let host = try mailedHost(member.account, of: meeting) { hosts.append(host) }
        }
        return hosts
    }

    /// Returns the account, with its normalized address, if it is a host or owner who gets mails now.
    private func mailedHost(_ id: AccountID, of meeting: MeetingID) throws(JournalError) -> Account? {
        let rows = transaction.rows
        guard let role = try rows.role(of: id, in: meeting), role.isHost,
            var account = try rows.account(id), account.verified, account.suspendedAt == nil,
            let address = EmailAddress.normalized(account.email),
            try rows.wantsMails(IdentityKey(address), about: meeting)
        else { return nil }
        account.email = address
        return account
    }

    /// Whether a mail about absences is still wanted when it leaves: the rule has its mail, and the receiver
    /// is still a host who gets mails at this address.
    func isWanted(absences mail: OutgoingMail) throws(JournalError) -> Bool {
        guard let id = mail.meeting, let meeting = try transaction.rows.meeting(id),
            meeting.absenceRule?.mail == true, let owner = mail.owner,
            let host = try mailedHost(AccountID(sameAs: owner.id), of: id)
        else { return false }
        return host.email == mail.recipient
    }

    /// Returns the present names of these people. Erased and archived people have none.
    func names(of found: NewAbsences, on meeting: MeetingID) throws(JournalError) -> [PersonID: String] {
        var names: [PersonID: String] = [:]
        for entry in found.people {
            guard let person = try transaction.rows.person(entry.id), person.meetingID == meeting,
                !person.isArchived
            else { continue }
            names[person.id] = person.name
        }
        return names
    }
}
