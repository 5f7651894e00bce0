package import Meetings

/// All that the database stores about one attendee of one session, as far as one reader may see it.
package struct AttendanceData: Sendable {
    package let attendee: Attendee
    package let record: SessionRecord
    /// The text that the attendee agreed to; nil if there is none.
    package var consent: Consent?
    /// The certificate about the session; nil if there is none.
    package var certificate: Certificate?
    /// The records from before corrections, with the hosts' reasons; empty in the attendee's own export.
    package var corrections: [CorrectionRecord] = []
    /// The names of the question sets that the attendee has answered, with any promise.
    package var answered: [String] = []
    /// The responses that the reader may see, with their sets.
    package var responses: [(set: QuestionSet, response: Response)] = []
    package var questions: [AudienceQuestion] = []
    /// The questions for which the attendee has voted; empty unless the reader may see votes.
    package var votes: [AudienceQuestion] = []
    /// The attendee's part in groups of interest; nil if there is none that the reader may see.
    package var groups: GroupsData?
    /// What offline doors did for the attendee, with the doors.
    package var doorEntries: [(entry: StoredDoorEntry, door: Satellite?)] = []
    /// The replies to the session, without those of names alone.
    package var replies: [Reply] = []
    package var mails: [MailRecord] = []
    /// The devices of the attendee, with their messages among `mails`. A host sees neither.
    package var devices: [Device] = []
}

/// An attendee's part in the groups of interest of a session.
package struct GroupsData: Sendable {
    package let profile: MatchPerson.Profile?
    package let isExcluded: Bool
    /// The lines of text that the attendee wrote to people whom the attendee met.
    package var lines: [String] = []
    /// The texts of the attendee's reports about others.
    package var reports: [String] = []
}

/// The reader of an export.
package enum DataReader: Sendable {
    /// The holder of this receipt sees all own answers and votes. A receipt proves what a phone typed, and
    /// not that the roster's name is the holder's, so the roster's values and the hosts' notes are left out.
    case attendee(Receipt)
    /// A host sees no answer, question or vote whose promise hides the name.
    case host
    /// A person who has the data folder sees everything.
    case folder
}

/// A person of a roster, with the records in all sessions of the meeting.
package struct PersonData: Sendable {
    package let person: Person
    package let meeting: Meeting
    package var attendances: [AttendanceData] = []
    /// The records that a host has removed, as long as the removal can be undone.
    package var removed: [CorrectionRecord] = []
    package var mails: [MailRecord] = []
    /// The replies by the person's address and number.
    package var replies: [Reply] = []
    /// The personal passes, also the revoked ones.
    package var passes: [Pass] = []
    /// The certificates about series, also the revoked ones.
    package var certificates: [Certificate] = []
    /// Whether the person wants no mails about the meeting.
    package var isUnsubscribed = false
}

/// An account with all rows that name it.
package struct AccountData: Sendable {
    package let account: Account
    package var signIns: [Token] = []
    /// The meetings with the account's role, newest first; at most `most`.
    package var memberships: [(meeting: Meeting, role: Role)] = []
    package var invitations: [(invitation: MeetingInvitation, meeting: Meeting)] = []
    package var links: [PresenterLink] = []
    /// The web hooks that the account has created, with the names of their meetings.
    package var webhooks: [(hook: Webhook, meeting: Meeting)] = []
    package var mails: [MailRecord] = []
    package var devices: [Device] = []
    /// The meetings about which the owner of the address wants no mails; nil means all meetings. Empty unless
    /// the address is verified.
    package var unsubscriptions: [Meeting?] = []

    /// The most meetings, links and mails in an export.
    package static let most = 10_000
}

extension ReadableRows {
    /// Returns the replies in the meeting by the person's address and number, with or without a record.
    package func replies(by person: Person) throws(JournalError) -> [Reply] {
        var found: [Reply] = []
        for key in [person.draft.emailKey, person.draft.numberKey].compactMap({ $0 }) {
            for reply in try replies(by: key, limit: AccountData.most)
            where try session(reply.sessionID)?.meeting.id == person.meetingID { found.append(reply) }
        }
        return found
    }

    /// Collects the data of an attendee. Costs a few probes for each question set of the session.
    package func data(of attendee: Attendee, for reader: DataReader) throws(JournalError) -> AttendanceData? {
        guard let record = try session(attendee.sessionID) else { return nil }
        var data = AttendanceData(attendee: attendee, record: record)
        data.consent = try consent(of: attendee, in: record.meeting.id)
        data.certificate = try certificate(of: attendee.id)
        for name in try questionSetsWithoutQuestions(of: attendee.sessionID).map(\.name)
        where try hasAnswered(attendee.id, set: name) {
            guard let set = try questionSet(name, of: attendee.sessionID) else { continue }
            data.answered.append(name)
            let found: Response? =
                switch reader {
                case .attendee(let receipt): try ownResponse(of: attendee, holding: receipt, to: set)
                case .host: set.promise.showsNames ? try response(of: attendee.id, set: set.name) : nil
                case .folder: try response(of: attendee.id, set: set.name)
                }
            if let found { data.responses.append((set, found)) }
        }
        let records: [AttendeeID]
        switch reader {
        case .attendee(let receipt): records = [receipt.attendeeID]
        case .host, .folder: records = try ids(of: attendee.id)
        }
        for id in records {
            let questions = try audienceQuestions(askedBy: id)
            if case .host = reader {
                data.questions += questions.filter { $0.promise == .named }
                continue
            }
            data.questions += questions
            for vote in try audienceVotes(of: id) where vote.copiedFrom == nil {
                if let question = try audienceQuestion(vote.question) { data.votes.append(question) }
            }
        }
        for id in records {
            for entry in try allDoorEntries(of: id, limit: AccountData.most) {
                data.doorEntries.append((entry, try satellite(entry.entry.satellite)))
            }
        }
        for id in records where data.groups == nil { data.groups = try groups(of: id, for: reader) }
        data.mails = try mails(of: OutgoingMail.Owner(attendee.id), limit: AccountData.most)
        if case .attendee = reader {
            data.replies = try replies(of: attendee.id)
        } else {
            data.replies = try replies(of: attendee)
        }
        if case .host = reader {
        } else {
            for id in records { data.devices += try devices(of: OutgoingMail.Owner(id)) }
            data.mails += try mails(to: data.devices)
        }
        if case .attendee = reader { return data }
        for id in records { data.corrections += try corrections(of: id) }
        return data
    }

    /// Returns the attendee's part in groups of interest. A host sees only a profile whose promise shows the
    /// name, and neither lines of text nor reports.
    private func groups(of id: AttendeeID, for reader: DataReader) throws(JournalError) -> GroupsData? {
        guard let person = try matchPerson(id) else { return nil }
        if case .host = reader {
            guard let profile = person.profile, profile.promise == .named else { return nil }
            return GroupsData(profile: profile, isExcluded: person.isExcluded)
        }
        var data = GroupsData(profile: person.profile, isExcluded: person.isExcluded)
        for request in try matchRequests(of: id) {
            let line = request.from == id ? request.lines.from : request.lines.to
            if !line.isEmpty { data.lines.append(line) }
        }
        for report in try matchReports(of: person.sessionID) where report.by == id && !report.text.isEmpty {
            data.reports.append(report.text)
        }
        return data
    }

    /// Collects the data of a person on a roster. Costs a few probes for each session of the meeting.
    package func data(of person: Person, for reader: DataReader) throws(JournalError) -> PersonData? {
        guard let meeting = try meeting(person.meetingID) else { return nil }
        var data = PersonData(person: person, meeting: meeting)
        for attendee in try attendees(who: person) {
            if let found = try self.data(of: attendee, for: reader) { data.attendances.append(found) }
        }
        data.removed = try removals(of: person)
        data.replies = try replies(by: person)
        if let key = person.draft.emailKey {
            data.isUnsubscribed = try unsubscriptions(of: key).contains(person.meetingID)
        }
        data.mails = try mails(of: OutgoingMail.Owner(person.id), limit: AccountData.most)
        data.passes = try passes(of: person.id)
        data.certificates = try certificates(of: person.id)
        return data
    }

    /// Returns the person's attendees in all sessions of the meeting: those in the person's slots, and those
    /// with the person's e-mail address or number.
    package func attendees(who person: Person) throws(JournalError) -> [Attendee] {
        var found: [Attendee] = []
        let keys = [person.draft.emailKey, person.draft.numberKey].compactMap { $0 }
        for session in try sessionIDs(of: person.meetingID).sorted() {
            var here: [Attendee] = []
            if let slot = try attendee(of: person.id, in: session) { here.append(slot) }
            for key in keys {
                guard let other = try attendee(in: session, key: key),
                    !here.contains(where: { $0.id == other.id })
                else { continue }
                here.append(other)
            }
            found += here
        }
        return found
    }

    /// Returns the ids of all records to erase with the person, also of removed attendees whose removal can
    /// still be undone. Costs a few probes for each session of the meeting, and reads the removals of a day.
    package func recordsToErase(of person: Person) throws(JournalError) -> [AttendeeID] {
        try attendees(who: person).map(\.id) + removals(of: person).compactMap(\.attendeeID)
    }

    /// Returns the removals of attendees who were this person, as long as they can be undone.
    private func removals(of person: Person) throws(JournalError) -> [CorrectionRecord] {
        let keys = [person.draft.emailKey, person.draft.numberKey].compactMap { $0 }
        let anyTime = Instant(milliseconds: Int64.max)
        var found: [CorrectionRecord] = []
        for correction in try correctionsToForget(at: anyTime, limit: Int(Int32.max)) {
            guard case .removed(let whole) = correction.before,
                whole.person == person.id || whole.keys.key.map({ keys.contains($0) }) ?? false,
                try session(correction.sessionID)?.meeting.id == person.meetingID
            else { continue }
            found.append(correction)
        }
        return found
    }

    /// Collects the data of an account. Reads a row for each of its meetings.
    package func data(ofAccount id: AccountID) throws(JournalError) -> AccountData? {
        guard let account = try account(id) else { return nil }
        var data = AccountData(account: account)
        data.signIns = try signIns(of: id)
        for meeting in try memberships(of: id, limit: AccountData.most).sorted(by: >) {
            guard let found = try self.meeting(meeting), let role = try role(of: id, in: meeting) else {
                continue
            }
            data.memberships.append((found, role))
        }
        for invitation in try invitations(of: id) {
            guard let meeting = try meeting(invitation.meetingID) else { continue }
            data.invitations.append((invitation, meeting))
        }
        data.links = try presenterLinks(createdBy: id, limit: AccountData.most)
        for hook in try webhooks(createdBy: id) where hook.end != .deleted {
            guard let meeting = try meeting(hook.meeting) else { continue }
            data.webhooks.append((hook, meeting))
        }
        data.devices = try devices(of: OutgoingMail.Owner(id))
        data.mails = try mails(of: OutgoingMail.Owner(id), limit: AccountData.most) + mails(to: data.devices)
        if account.verified { data.unsubscriptions = try unsubscribedMeetings(of: account.email) }
        return data
    }

    /// Returns the messages to the devices.
    private func mails(to devices: [Device]) throws(JournalError) -> [MailRecord] {
        var found: [MailRecord] = []
        for device in devices { found += try mails(of: OutgoingMail.Owner(device.id), limit: 1000) }
        return found
    }

    /// Returns the meetings about which the owner of the address wants no mails; nil means all meetings.
    package func unsubscribedMeetings(of address: String) throws(JournalError) -> [Meeting?] {
        var found: [Meeting?] = []
        for id in try unsubscriptions(of: IdentityKey(address)) {
            if let id {
                if let meeting = try meeting(id) { found.append(meeting) }
            } else {
                found.append(nil)
            }
        }
        return found
    }
}

/// Erases records of a person in a meeting, at most `most` of them. The last of these commands also deletes
/// the person from the roster. If the server stops between two commands, the person is still on the roster,
/// so that somebody can repeat the erasure.
package struct ErasePerson: Command {
    package let meeting: MeetingID
    package let person: PersonID
    /// The records, from `recordsToErase`. Records that no longer exist are ignored.
    package let records: [AttendeeID]
    package let isLast: Bool
    package let actor: Event.Actor

    /// The most records of one transaction, so that no check-in waits long.
    package static let most = 10

    package init(
        meeting: MeetingID, person: PersonID, records: [AttendeeID], isLast: Bool, by actor: Event.Actor
    ) {
        self.meeting = meeting
        self.person = person
        self.records = records
        self.isLast = isLast
        self.actor = actor
    }

    /// - Throws: `notFound` if the meeting's roster has no such person; `notAllowed` unless the actor is a
    ///   host of the meeting, or the server.
    package func run(in transaction: Transaction) throws(JournalError) {
        let rows = transaction.rows
        let meeting: Meeting
        if case .account(let host) = actor {
            meeting = try transaction.rights.meeting(self.meeting, managedBy: host)
        } else {
            meeting = try transaction.meeting(self.meeting)
            try transaction.requireSettled(meeting.id)
        }
        var person = try transaction.roster.person(person, of: meeting.id)
        // An archived person is awaited in no session, so no new record replaces an erased one. With many
        // sessions, the caller archives the person first, by a command that runs in slices.
        if !person.isArchived {
            person.isArchived = true
            person.version += 1
            try rows.update(person)
            try transaction.roster.follow([.left(person, nameBefore: person.name)], of: meeting, by: actor)
            try transaction.roster.raiseVersion(of: meeting.id)
        }
        for id in records { try erase(id, of: meeting.id, in: transaction) }
        guard isLast else { return }
        for reply in try rows.replies(by: person) { try transaction.replies.remove(reply, by: actor) }
        try rows.delete(person.id)
        try transaction.roster.raiseVersion(of: meeting.id)
        try transaction.note(.erased, by: actor, in: meeting.id)
    }

    private func erase(_ id: AttendeeID, of meeting: MeetingID, in transaction: Transaction)
        throws(JournalError)
    {
        let rows = transaction.rows
        if let attendee = try rows.attendee(id) {
            guard try transaction.session(attendee.sessionID).meeting.id == meeting else { return }
            let (whole, _) = try transaction.corrections.remove(attendee, by: actor)
            return try transaction.corrections.erase(of: whole, by: .other)
        }
        for correction in try rows.corrections(of: id) {
            guard case .removed(let whole) = correction.before,
                try transaction.session(correction.sessionID).meeting.id == meeting
            else { continue }
            try transaction.corrections.erase(of: whole, by: .other)
        }
    }
}

extension Storage {
    /// Erases a person of a roster with all records in the meeting, in short transactions.
    /// - Throws: as `ErasePerson`.
    package func erase(_ person: PersonID, of meeting: MeetingID, by actor: Event.Actor)
        async
        throws(JournalError)
    {
        let found = try await scan { rows throws(JournalError) -> [AttendeeID]? in
            guard let found = try rows.person(person), found.meetingID == meeting else { return nil }
            return try rows.recordsToErase(of: found)
        }
        guard var rest = found?[...] else { throw .refused(.notFound(.person)) }
        repeat {
            let part = rest.prefix(ErasePerson.most)
            rest = rest.dropFirst(ErasePerson.most)
            try await perform(
                ErasePerson(
                    meeting: meeting, person: person, records: Array(part), isLast: rest.isEmpty, by: actor))
        } while !rest.isEmpty
    }
}

/// Erases an attendee's record, for the operator. Does nothing if the record does not exist.
package struct EraseAttendee: Command {
    package let id: AttendeeID

    package init(id: AttendeeID) { self.id = id }

    package func run(in transaction: Transaction) throws(JournalError) {
        guard let attendee = try transaction.rows.attendee(id) else { return }
        let meeting = try transaction.session(attendee.sessionID).meeting.id
        try transaction.requireSettled(meeting)
        let (whole, _) = try transaction.corrections.remove(attendee, by: .server)
        try transaction.corrections.erase(of: whole, by: .other)
        try transaction.note(.erased, by: .server, in: meeting)
    }
}

/// Erases the rows that have only an address: the replies by it, and the invitations and mails to it.
package struct EraseAddress: Command {
    package let address: String

    package init(address: String) { self.address = address }

    package func run(in transaction: Transaction) throws(JournalError) {
        let key = IdentityKey(address)
        for reply in try transaction.rows.replies(by: key, limit: AccountData.most) {
            try transaction.replies.remove(reply, by: .server)
        }
        try transaction.rows.deleteInvitations(to: key)
        try transaction.rows.deleteMails(to: key)
        try transaction.rows.forgetUnsubscription(key, from: nil)
        try transaction.note(.erased, by: .server)
    }
}
