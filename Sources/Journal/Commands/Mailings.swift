package import Meetings

/// What a slice of a mailing has done.
package enum MailingProgress: Hashable, Sendable {
    /// There are more mails to queue.
    case unfinished
    case done
    /// Another long command is in progress in the meeting. The next pass continues.
    case busy
    /// The meeting's owner has caused as many mails as the limit of a day allows. A later pass continues.
    case limited(AccountID)
}

/// Queues mails for the next people of a session's roster. Each call is one slice; the progress is stored
/// with the mails of the slice. The mails count for the meeting's owner.
package struct ContinueMailing: Command {
    package let session: SessionID
    package let kind: Mailing.Kind
    package let limit: Int

    package init(_ kind: Mailing.Kind, of session: SessionID, limit: Int = Mailing.Kind.slice) {
        self.session = session
        self.kind = kind
        self.limit = limit
    }

    package func run(in transaction: Transaction) throws(JournalError) -> MailingProgress {
        let (rows, now) = (transaction.rows, transaction.now)
        // The session may have been deleted since the clock chose it.
        guard let found = try rows.session(session) else { return .done }
        // This command must not be parked, because the mails of other meetings would wait behind it.
        guard transaction.jobs.active?.work.meeting != found.meeting.id else { return .busy }
        let record = try transaction.session(session)
        let before = try rows.mailing(kind, of: session)
        var mailing = before ?? Mailing(of: session, kind)
        guard !mailing.isDone else { return .done }
        guard let language = record.meeting.mailLanguage, isDue(record.session, at: now) else {
            // The clock chooses the mailings about new times by their rows, so one that is over must end.
            if kind == .moved {
                mailing.isDone = true
                try rows.save(mailing)
            }
            return .done
        }
        if kind == .feedback, !record.feedback.isOpen(in: record.session, at: now) {
            mailing.isDone = true
            try rows.save(mailing)
            return .done
        }
        guard let payer = try rows.mailPayer(of: record.meeting.id) else { return .done }
        let allowance = try transaction.mailings.allowance(of: payer)
        var (queued, isLimited) = (0, false)
        let people = try rows.peopleToMail(of: record.meeting.id, after: mailing.last, limit: limit)
        for person in people {
            guard let recipient = EmailAddress.normalized(person.email), try isFor(person, rows) else {
                mailing.last = person.id
                continue
            }
            guard queued < allowance else {
                try transaction.mailings.noteLimit(of: payer, in: record.meeting.id)
                isLimited = true
                break
            }
            let mail = OutgoingMail(
                to: recipient, language: language, content(for: record.session), notBefore: now,
                expiresAt: kind.expiry(for: record.session, at: now), owner: OutgoingMail.Owner(person.id),
                meeting: record.meeting.id, session: session)
            if try transaction.mails.queue(mail) { queued += 1 }
            mailing.last = person.id
        }
        mailing.mailed += queued
        mailing.isDone = !isLimited && people.count < limit
        try transaction.mailings.charge(queued, to: payer)
        // A mailing that waits for the limit writes nothing.
        if mailing != before { try rows.save(mailing) }
        return isLimited ? .limited(payer) : mailing.isDone ? .done : .unfinished
    }

    private func isDue(_ session: Session, at now: Instant) -> Bool {
        guard let range = kind.due(at: now) else { return !session.isOver(at: now) }
        return range.contains(kind.followsEnd ? session.endsAt : session.startsAt)
    }

    /// Whether the person expects this mail: reminders are for awaited people, feedback is for attendees.
    private func isFor(_ person: Person, _ rows: any ReadableRows) throws(JournalError) -> Bool {
        guard let attendee = try rows.attendee(of: person.id, in: session),
            try rows.wantsMails(IdentityKey(person.email), about: person.meetingID)
        else { return false }
        if kind != .feedback, let reply = try rows.replies(of: attendee).first,
            reply.status == .no || reply.status == .declined
        {
            return false
        }
        switch kind {
        case .dayBefore, .hourBefore: return attendee.status == .pending
        case .moved: return attendee.status != .excused
        case .feedback:
            guard attendee.status.countsAsCheckedIn else { return false }
            return try !rows.hasAnswered(attendee.id, set: QuestionSet.feedback)
        case .absences: return false
        }
    }

    private func content(for session: Session) -> OutgoingMail.Content {
        switch kind {
        case .dayBefore, .hourBefore: .reminder(startsAt: session.startsAt)
        case .feedback: .feedbackOpen(until: session.feedbackClosesAt)
        case .moved: .moved(startsAt: session.startsAt, endsAt: session.endsAt)
        case .absences: preconditionFailure("MailAbsences queues mails to hosts")
        }
    }
}

/// Queues the next mails about deleted sessions. Returns whether none is left.
package struct ContinueCancellations: Command {
    package let limit: Int

    package init(limit: Int = Mailing.Kind.slice) { self.limit = limit }

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        try transaction.mailings.continueCancellations(of: nil, limit: limit)
    }
}

/// Ends the mails to the holder of an unsubscribe link.
package struct Unsubscribe: Command {
    /// The reason why the address got the mail.
    package enum Receiver: Hashable, Sendable {
        /// The roster had this person with this address.
        case person(PersonID)
        /// An owner of the meeting invited the address.
        case invited(to: MeetingID)
    }

    package let receiver: Receiver
    /// The address to which the link was sent.
    package let address: IdentityKey
    /// Whether the receiver wants no mails about any meeting of this server.
    package let fromAll: Bool

    package init(_ receiver: Receiver, at address: IdentityKey, fromAll: Bool = false) {
        self.receiver = receiver
        self.address = address
        self.fromAll = fromAll
    }

    /// Returns false if there is nothing to end: the person is no longer on a roster or has another address
    /// now, or the meeting of the invitation was deleted.
    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        let rows = transaction.rows
        switch receiver {
        case .person(let id):
            guard let person = try rows.person(id), IdentityKey(person.email) == address else { return false }
            try rows.unsubscribe(address, from: fromAll ? nil : person.meetingID)
        case .invited(let meeting):
            let isDeleted = try rows.meeting(meeting) == nil
            if isDeleted, !fromAll { return false }
            try rows.unsubscribe(address, from: fromAll ? nil : meeting)
        }
        return true
    }
}

/// The mails to the people of rosters, in the transaction of the change that causes them.
struct Mailings {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    // MARK: The limit of each account

    /// Returns how many mails the account may still cause within 24 hours. The hour in which the day began
    /// does not count, so the day has 23 to 24 hours.
    func allowance(of account: AccountID) throws(JournalError) -> Int {
        try transaction.limits.mostMailsPerDay
            - rows.mailCount(causedBy: account, after: transaction.now.startOfHour - .hours(24))
    }

    func charge(_ count: Int, to account: AccountID) throws(JournalError) {
        guard count > 0 else { return }
        let hour = transaction.now.startOfHour
        try rows.countMails(count, causedBy: account, in: hour, forgetting: hour - .hours(24))
    }

    /// Records in the meeting's action log that mails wait for the limit, at most once a day.
    func noteLimit(of account: AccountID, in meeting: MeetingID) throws(JournalError) {
        let day = transaction.now - .hours(24)
        let recent = try rows.actions(in: meeting, before: nil, limit: 100)
        guard !recent.contains(where: { $0.kind == .mailsLimited && $0.at > day }) else { return }
        try transaction.note(.mailsLimited, by: .server, in: meeting, of: account)
    }

    // MARK: Changes that cause mails

    /// Begins the mails about new times, if a reminder has announced the old ones. A reminder whose moment is
    /// still to come is repeated.
    func noteMoved(_ before: Session, _ after: Session) throws(JournalError) {
        guard (before.startsAt, before.endsAt) != (after.startsAt, after.endsAt),
            !after.isOver(at: transaction.now)
        else { return }
        var mailed = 0
        for kind in [Mailing.Kind.dayBefore, .hourBefore] {
            guard var mailing = try rows.mailing(kind, of: after.id) else { continue }
            mailed += mailing.mailed
            if let moment = kind.moment(for: after), moment > transaction.now {
                (mailing.last, mailing.isDone) = (nil, false)
                try rows.save(mailing)
            }
        }
        if mailed > 0 { try rows.save(Mailing(of: after.id, .moved)) }
    }

    /// Begins the mails about a session that is being deleted, if a reminder has announced it.
    func noteDeleted(_ session: Session, of meeting: Meeting) throws(JournalError) {
        guard let language = meeting.mailLanguage, !session.isOver(at: transaction.now) else { return }
        for kind in [Mailing.Kind.dayBefore, .hourBefore] {
            guard let mailing = try rows.mailing(kind, of: session.id), mailing.mailed > 0 else { continue }
            return try rows.save(Cancellation(of: AnnouncedSession(session, of: meeting), in: language))
        }
    }

    /// Does the same for all sessions of a meeting that is being deleted.
    func noteDeleted(_ meeting: MeetingID) throws(JournalError) {
        guard let meeting = try rows.meeting(meeting), meeting.reminders != .off else { return }
        for session in try rows.idsOfSessionsNotOver(of: meeting.id, at: transaction.now) {
            if let record = try rows.session(session) { try noteDeleted(record.session, of: meeting) }
        }
    }

    /// Queues at most `limit` mails about deleted sessions. Returns whether none is left. They do not count
    /// for an account, because each receiver got a reminder that counted.
    func continueCancellations(of meeting: MeetingID?, limit: Int) throws(JournalError) -> Bool {
        guard var cancellation = try rows.cancellations(of: meeting, limit: 1).first else { return true }
        let (announced, now) = (cancellation.announced, transaction.now)
        let people = try rows.peopleToMail(of: announced.meeting, after: cancellation.last, limit: limit)
        for person in people {
            guard announced.endsAt > now, let recipient = EmailAddress.normalized(person.email),
                try rows.wantsMails(IdentityKey(recipient), about: announced.meeting)
            else { continue }
            try transaction.mails.queue(
                OutgoingMail(
                    to: recipient, language: cancellation.language, .cancelled(announced),
                    notBefore: now, expiresAt: announced.endsAt,
                    // The mail belongs to no meeting, because it must survive the meeting.
                    owner: OutgoingMail.Owner(person.id)))
        }
        guard people.count == limit, announced.endsAt > now else {
            try rows.deleteCancellation(of: announced.session)
            return try rows.cancellations(of: meeting, limit: 1).isEmpty
        }
        cancellation.last = people.last?.id
        try rows.save(cancellation)
        return false
    }

    /// Queues a mail to a person of the roster who had checked in when another phone tried it again. One mail
    /// is enough in an hour.
    func noteTriedElsewhere(_ attendee: Attendee, in record: SessionRecord) throws(JournalError) {
        let now = transaction.now
        guard let language = record.meeting.mailLanguage, let checkedInAt = attendee.checkedInAt,
            let id = try rows.person(inSlotOf: attendee.id), let person = try rows.person(id),
            let recipient = EmailAddress.normalized(person.email), !person.isArchived,
            try rows.wantsMails(IdentityKey(person.email), about: person.meetingID)
        else { return }
        let earlier = try rows.mails(of: OutgoingMail.Owner(id), limit: 100)
        guard !earlier.contains(where: { $0.kind == .checkedInElsewhere && $0.queuedAt > now - .hours(1) }),
            let payer = try rows.mailPayer(of: record.meeting.id), try allowance(of: payer) > 0
        else { return }
        let isQueued = try transaction.mails.queue(
            OutgoingMail(
                to: recipient, language: language,
                .checkedInElsewhere(checkedInAt: checkedInAt, triedAt: now), notBefore: now,
                expiresAt: now + .hours(1), owner: OutgoingMail.Owner(id), meeting: record.meeting.id,
                session: record.session.id))
        if isQueued { try charge(1, to: payer) }
    }

    /// Queues the mail that an owner wants for an invitation, if the address accepts it. Returns false only
    /// if the owner has reached the limit of a day. The invitation counts for the owner also if the address
    /// gets no mail, so that neither the answer nor the owner's limit tells anything about the address: it
    /// may want no mails, and other owners may have used up its invitations of the day.
    func invite(
        _ invitation: MeetingInvitation, to meeting: Meeting, by inviter: Account, owner: AccountID?,
        in language: String, path: String
    ) throws(JournalError) -> Bool {
        guard try allowance(of: inviter.id) > 0 else { return false }
        try charge(1, to: inviter.id)
        guard try rows.wantsMails(IdentityKey(invitation.email), about: meeting.id) else { return true }
        // The mail belongs to no meeting: if the meeting is deleted, the mail still counts for the address.
        let mail = OutgoingMail(
            id: Self.mail(of: invitation.id), to: invitation.email, language: language,
            .invitation(
                id: invitation.id, by: inviter.name, to: meeting.name, role: invitation.role, path: path,
                meeting: meeting.id),
            notBefore: transaction.now, expiresAt: min(invitation.expiresAt, transaction.now + .hours(24)),
            owner: owner.map { OutgoingMail.Owner($0) })
        try transaction.mails.queue(mail)
        return true
    }

    /// Ends the mail of an invitation that nobody can accept any more. The queue forgets its content.
    func endInvitation(_ invitation: MeetingInvitationID) throws(JournalError) {
        guard let record = try rows.mail(Self.mail(of: invitation)), record.delivery.state.keepsContent else {
            return
        }
        var delivery = record.delivery
        delivery.end(.dropped, at: transaction.now)
        try rows.save(delivery, of: record.id)
    }

    /// Returns the id of the one mail of an invitation, by which its end finds the mail.
    private static func mail(of invitation: MeetingInvitationID) -> MailID {
        MailID(sameAs: invitation)
    }

    /// Whether a mail that is about to leave is still wanted: the host has not switched mails off, the person
    /// has not unsubscribed, the session still has the times that the mail announces, and the invitation can
    /// still be accepted. Codes are always wanted.
    func isWanted(_ mail: OutgoingMail) throws(JournalError) -> Bool {
        let startsAt: Instant?
        switch mail.content {
        // `Devices.receiver` and `delivery(of:_:)` decide about messages to devices and web hooks.
        case .verification, .passwordReset, .phoneCode, .push, .hook, .hookDisabled: return true
        case .absences: return try isWanted(absences: mail)
        case .replyConfirmation(let id): return try transaction.replies.isWanted(mail, about: id, nil)
        case .reply(let id, let news): return try transaction.replies.isWanted(mail, about: id, news)
        // `LeaseMails` decides whether the certificate is still valid.
        case .certificate:
            guard let meeting = mail.meeting else { return false }
            return try rows.wantsMails(IdentityKey(mail.recipient), about: meeting)
        case .cancelled(let announced):
            return try rows.wantsMails(IdentityKey(mail.recipient), about: announced.meeting)
        case .reminder(let announced): startsAt = announced
        case .moved(let announced, _): startsAt = announced
        case .feedbackOpen, .checkedInElsewhere: startsAt = nil
        case .invitation(let id, _, _, _, _, _):
            guard let invitation = try rows.invitation(id),
                try rows.isValid(invitation, at: transaction.now)
            else { return false }
            return try rows.wantsMails(IdentityKey(mail.recipient), about: invitation.meetingID)
        }
        guard let id = mail.session, let record = try rows.session(id), record.meeting.reminders != .off,
            startsAt == nil || startsAt == record.session.startsAt
        else { return false }
        if case .moved(_, let endsAt) = mail.content, endsAt != record.session.endsAt { return false }
        return try rows.wantsMails(IdentityKey(mail.recipient), about: record.meeting.id)
    }
}

extension ReadableRows {
    /// Returns the account for which the mails of a meeting count: of its owners, the oldest account. Nil if
    /// the meeting has no owner any more.
    package func mailPayer(of meeting: MeetingID) throws(JournalError) -> AccountID? {
        try members(of: meeting).filter { $0.role == .owner }.map(\.account).min()
    }

    /// Whether the owner of an address wants mails about the meeting: the owner has not unsubscribed, and has
    /// not switched them off in an account. An unverified address may be somebody else's, so the switch of
    /// such an account has no effect.
    func wantsMails(_ recipient: IdentityKey, about meeting: MeetingID) throws(JournalError) -> Bool {
        guard try !isUnsubscribed(recipient, from: meeting) else { return false }
        guard let account = try account(email: recipient), account.verified else { return true }
        return account.profile.notifications ?? true
    }
}

extension Transaction {
    var mailings: Mailings { Mailings(transaction: self) }
}
