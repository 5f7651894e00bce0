package import Meetings

/// Gives people seats, and keeps the order of the waiting list. An accepted reply is an awaited attendee.
struct Replies {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// The most people who get a seat in one transaction, so that no check-in waits long.
    static let mostPromoted = 100
    /// The time after which a mail that could not be sent is given up.
    private static let lifetime = Duration.hours(72)

    // MARK: Seats

    /// Gives the reply another status, with the attendee's record and the counts. The caller saves the
    /// settings.
    @discardableResult
    func set(
        _ status: Reply.Status, guests: Int, of before: Reply, _ settings: inout ReplySettings,
        by actor: Event.Actor
    ) throws(JournalError) -> Reply {
        var reply = before
        reply.status = status
        reply.guests = status.wantsSeat ? guests : 0
        reply.changedAt = transaction.now
        if let news = reply.news, !news.holds(for: status) { reply.news = nil }
        switch status {
        case .waiting, .requested:
            // A person who wants more seats than before goes to the end.
            if before.status != status || reply.guests > before.guests {
                reply.place = settings.nextPlace
                settings.nextPlace += 1
            }
        default: reply.place = 0
        }
        settings.counts.remove(before)
        settings.counts.add(reply)
        if status == .accepted { try expect(&reply, by: actor) }
        var released: Attendee?
        if before.status == .accepted, status != .accepted {
            released = try release(&reply)
            reply.madeAttendee = false
        }
        try rows.update(reply)
        if let released {
            try transaction.attendees.remove(released)
            let event = try transaction.record(
                .removed, in: reply.sessionID, attendee: released.id, by: actor,
                EventData(before: released.status))
            transaction.publish(.removed(released.id), at: event)
        }
        return reply
    }

    /// Finds or creates the awaited attendee of an accepted reply.
    private func expect(_ reply: inout Reply, by actor: Event.Actor) throws(JournalError) {
        guard reply.attendee == nil else { return }
        let record = try transaction.session(reply.sessionID)
        let key = record.meeting.identifyBy == .name ? IdentityKey(reply.name) : reply.key
        var holder: Attendee?
        if let key { holder = try transaction.attendees.known(by: key, in: reply.sessionID) }
        if let found = holder, try isFree(found, in: record) {
            reply.attendee = found.id
            return
        }
        guard record.headCount.known < CheckIn.mostAttendees else {
            throw .refused(.limitReached(.attendee, limit: CheckIn.mostAttendees))
        }
        let attendee = Attendee(
            id: transaction.newAttendeeID(), sessionID: reply.sessionID, name: reply.name,
            identity: reply.identity)
        let event = try transaction.record(
            .added, in: reply.sessionID, attendee: attendee.id, by: actor, EventData(status: .pending))
        try transaction.attendees.insert(attendee, key: holder == nil ? key : nil, grant: nil)
        transaction.publish(.changed(attendee), at: event)
        (reply.attendee, reply.madeAttendee) = (attendee.id, true)
    }

    /// Whether a reply may belong to the attendee. Several people may have the same name, so a record of a
    /// name that has a reply, or has checked in, is another person.
    private func isFree(_ attendee: Attendee, in record: SessionRecord) throws(JournalError) -> Bool {
        guard record.meeting.identifyBy == .name else { return true }
        if attendee.status.countsAsCheckedIn { return false }
        return try rows.replies(of: attendee.id).isEmpty
    }

    /// Returns the awaited attendee whom the end of an acceptance removes; nil if the roster, a host or
    /// another reply expects the person anyway, or if the person came.
    private func release(_ reply: inout Reply) throws(JournalError) -> Attendee? {
        guard reply.madeAttendee, let id = reply.attendee, let attendee = try rows.attendee(id),
            attendee.wasOnlyExpected, attendee.note.isEmpty, try rows.person(inSlotOf: id) == nil,
            try rows.replies(of: id).allSatisfy({ $0.id == reply.id })
        else { return nil }
        reply.attendee = nil
        return attendee
    }

    /// Gives free seats to the people who wait longest. If the first one needs more seats than are free,
    /// nobody behind gets one. Returns whether more people can get one at once.
    func promote(_ settings: inout ReplySettings, in record: SessionRecord) throws(JournalError) -> Bool {
        guard transaction.isSettled(record.meeting.id), !record.session.isOver(at: transaction.now),
            record.session.namesDeletedAt == nil
        else { return false }
        var left = Self.mostPromoted
        while settings.counts.waiting > 0, let first = try rows.firstWaiting(in: settings.session),
            settings.fits(first.seats)
        {
            guard left > 0 else { return true }
            guard try transaction.headCount(of: settings.session).known < CheckIn.mostAttendees else {
                return false
            }
            let promoted = try set(.accepted, guests: first.guests, of: first, &settings, by: .server)
            try tell(.promoted, about: promoted, in: record)
            left -= 1
        }
        return false
    }

    /// Deletes the reply with its mails, and gives its seats to others.
    func remove(_ reply: Reply, by actor: Event.Actor) throws(JournalError) {
        guard var settings = try rows.replySettings(of: reply.sessionID) else { return }
        var reply = reply
        if reply.status == .accepted {
            reply = try set(.no, guests: 0, of: reply, &settings, by: actor)
        }
        settings.counts.remove(reply)
        try rows.delete(reply.id)
        try rows.deleteMails(of: OutgoingMail.Owner(reply.id))
        _ = try promote(&settings, in: try transaction.session(reply.sessionID))
        try rows.save(settings)
    }

    /// Deletes the replies of an attendee whose record is about to be deleted. During a job, the pass of the
    /// waiting lists gives the seats to others.
    func end(of attendee: AttendeeID) throws(JournalError) {
        // A removal can promote the next reply of the same attendee, so each one is read again.
        while var reply = try rows.replies(of: attendee).first {
            // The caller deletes the record.
            (reply.attendee, reply.madeAttendee) = (nil, false)
            try rows.update(reply)
            try remove(reply, by: .server)
        }
    }

    /// Gives the replies of one attendee to another record of the same person.
    func move(from old: AttendeeID, to new: AttendeeID) throws(JournalError) {
        for var reply in try rows.replies(of: old) {
            (reply.attendee, reply.madeAttendee) = (new, false)
            try rows.update(reply)
        }
    }

    /// Deletes at most `limit` replies of a session whose names are being deleted, and switches replies off.
    /// Returns whether there are more.
    func forget(in session: SessionID, limit: Int) throws(JournalError) -> Bool {
        guard var settings = try rows.replySettings(of: session), settings.counts.all > 0 else {
            return false
        }
        settings.mode = .off
        let found = try rows.replies(of: session, status: nil, after: nil, limit: limit)
        for reply in found {
            settings.counts.remove(reply)
            try rows.delete(reply.id)
            try rows.deleteMails(of: OutgoingMail.Owner(reply.id))
        }
        // The end of the rows decides, so that a wrong count cannot keep names for ever.
        if found.count < limit { settings.counts = ReplyCounts() }
        try rows.save(settings)
        return found.count == limit
    }

    // MARK: Mails

    enum Mailed {
        case queued
        /// The payer or the address has reached a limit.
        case limited
        /// Nobody gets this mail.
        case unwanted
    }

    /// Queues a mail about the reply, if the address belongs to the roster or its owner has proved it. Other
    /// addresses get only one mail, which asks for the proof, and which never waits.
    func mail(_ news: ReplyNews, about reply: Reply, in record: SessionRecord) throws(JournalError) -> Mailed
    {
        let (meeting, now) = (record.meeting, transaction.now)
        guard let receiver = try rows.receiver(of: reply, in: meeting),
            receiver.isKnown || news == .received, record.session.endsAt > now,
            try rows.wantsMails(IdentityKey(receiver.address), about: meeting.id),
            let payer = try rows.mailPayer(of: meeting.id)
        else { return .unwanted }
        let atLimit = receiver.isKnown ? Mailed.limited : .unwanted
        guard try transaction.mailings.allowance(of: payer) > 0 else {
            try transaction.mailings.noteLimit(of: payer, in: meeting.id)
            return atLimit
        }
        let isQueued = try transaction.mails.queue(
            OutgoingMail(
                to: receiver.address, language: meeting.language ?? reply.language,
                receiver.isKnown ? .reply(reply.id, news) : .replyConfirmation(reply.id), notBefore: now,
                expiresAt: min(now + Self.lifetime, record.session.endsAt),
                owner: OutgoingMail.Owner(reply.id), meeting: meeting.id, session: record.session.id))
        guard isQueued else { return atLimit }
        try transaction.mailings.charge(1, to: payer)
        return .queued
    }

    /// Mails the person the news about the reply. If a mail must wait, the reply has the news until
    /// `ContinueReplyNews` mails it. A mail waits at the limit of the payer or of the address, and less than
    /// an hour after a mail about a promotion.
    func tell(_ news: ReplyNews, about before: Reply, in record: SessionRecord) throws(JournalError) {
        let now = transaction.now
        var reply = before
        if news == .promoted, let from = reply.newsFrom, now < from {
            reply.news = news
        } else {
            switch try mail(news, about: reply, in: record) {
            case .queued:
                reply.news = nil
                if news == .promoted { reply.newsFrom = now + Reply.pauseBetweenPromotions }
            case .limited: (reply.news, reply.newsFrom) = (news, now.startOfHour + .hours(1))
            case .unwanted: reply.news = nil
            }
        }
        if reply != before { try rows.update(reply) }
    }

    /// Whether a mail about a reply that is about to leave is still true.
    func isWanted(_ mail: OutgoingMail, about id: ReplyID, _ news: ReplyNews?) throws(JournalError) -> Bool {
        guard let reply = try rows.reply(id), let record = try rows.session(reply.sessionID),
            !record.session.isOver(at: transaction.now),
            let receiver = try rows.receiver(of: reply, in: record.meeting),
            receiver.address == mail.recipient,
            try rows.wantsMails(IdentityKey(mail.recipient), about: record.meeting.id)
        else { return false }
        return news?.holds(for: reply.status) ?? !receiver.isKnown
    }

    // MARK: Doors

    /// Returns the reply that counts for the attendee at the door; nil if there is none.
    func atDoor(of attendee: Attendee) throws(JournalError) -> Reply? {
        let found = try rows.replies(of: attendee)
        var reply = found.first { $0.status == .accepted } ?? found.first
        // If the staff lets the person in, the reply belongs to this record.
        reply?.attendee = attendee.id
        return reply
    }

    /// Returns why the door asks before it lets a person in; nil if it need not ask.
    func objection(to reply: Reply?, in record: SessionRecord) throws(JournalError) -> DoorVerdict? {
        switch reply?.status {
        case .waiting, .requested: return .waiting
        case .declined, .no: return .declined
        case nil, .invited, .maybe, .accepted: break
        }
        guard let settings = try rows.replySettings(of: record.session.id), let capacity = settings.capacity
        else { return nil }
        let seats = reply?.seats ?? 1
        // Count the guests inside only if all guests could fill the session.
        if record.peopleInside + settings.counts.guests + seats <= capacity { return nil }
        return try rows.occupancy(of: record, settings, capacity).taken + seats > capacity ? .full : nil
    }

    /// Gives a person whom the staff lets in a seat, also beyond the capacity.
    func acceptAtDoor(_ reply: Reply, by actor: Event.Actor) throws(JournalError) -> Reply {
        guard reply.status != .accepted, var settings = try rows.replySettings(of: reply.sessionID) else {
            return reply
        }
        let accepted = try set(.accepted, guests: reply.guests, of: reply, &settings, by: actor)
        try rows.save(settings)
        return accepted
    }
}

extension Transaction {
    var replies: Replies { Replies(transaction: self) }
}

extension ReadableRows {
    /// Returns the replies of an attendee: those of the record, or else the one by the same address or number
    /// that belongs to no record. A person who waits or was declined has none. Anybody may have typed the
    /// address, so the owner of the record does not see that one.
    package func replies(of attendee: Attendee) throws(JournalError) -> [Reply] {
        let found = try replies(of: attendee.id)
        guard found.isEmpty, let key = IdentityKey(ifAny: attendee.identity),
            let reply = try reply(in: attendee.sessionID, key: key), reply.attendee == nil
        else { return found }
        return [reply]
    }

    /// Returns the address that gets mails about a reply: that of the roster, or the one that identifies the
    /// person. `isKnown` is false for an address that anybody may have typed.
    package func receiver(of reply: Reply, in meeting: Meeting) throws(JournalError) -> (
        address: String, isKnown: Bool
    )? {
        if let attendee = reply.attendee, let id = try person(inSlotOf: attendee), let person = try person(id)
        {
            guard !person.isArchived, let address = EmailAddress.normalized(person.email) else { return nil }
            return (address, true)
        }
        guard meeting.identifyBy == .email, let address = EmailAddress.normalized(reply.identity) else {
            return nil
        }
        return (address, reply.isProved)
    }

    /// Whether a first reply by this address would cause a mail to somebody who is not on the roster.
    package func mailsStranger(_ address: IdentityKey, in session: SessionID) throws(JournalError) -> Bool {
        if try reply(in: session, key: address) != nil { return false }
        guard let attendee = try attendee(in: session, key: address) else { return true }
        return try person(inSlotOf: attendee.id) == nil
    }

    /// Returns how many seats of the session are taken now; nil if it has no limit.
    package func occupancy(of record: SessionRecord) throws(JournalError) -> Occupancy? {
        guard let settings = try replySettings(of: record.session.id), let capacity = settings.capacity else {
            return nil
        }
        return try occupancy(of: record, settings, capacity)
    }

    fileprivate func occupancy(of record: SessionRecord, _ settings: ReplySettings, _ capacity: Int)
        throws(JournalError) -> Occupancy
    {
        let guests = settings.counts.guests > 0 ? try guestsInside(of: record.session.id) : 0
        return Occupancy(capacity: capacity, taken: record.peopleInside + guests)
    }
}

extension SessionRecord {
    /// The people inside, or checked in if the session does not record leaving, without their guests.
    fileprivate var peopleInside: Int {
        headCount.checkedIn - (session.recordsLeaving ? headCount.left : 0)
    }
}

// MARK: - People who reply

/// Stores a person's first reply, which the page of the session sends.
/// - Throws: `notFound` if no session has the code; `alreadyReplied` if somebody has replied with this
///   address or number; `repliesClosed` if the session is over, or the person has checked in;
///   `limitReached` if the session has `Reply.most` replies; as `ReplySettings.status`.
package struct SendReply: Command {
    package let code: String
    /// The person's name, normalized.
    package let name: String
    /// The address or number by which the meeting identifies people, normalized; empty if it uses names.
    package let identity: String
    package let answer: Reply.Answer
    package let guests: Int
    /// The tag of the page's language.
    package let language: String
    /// Whether an address that is not on the roster gets a mail that asks for a proof.
    package let mailsStrangers: Bool

    package init(
        to code: String, name: String, identity: String, answer: Reply.Answer, guests: Int, language: String,
        mailsStrangers: Bool = true
    ) {
        self.mailsStrangers = mailsStrangers
        self.code = code
        self.name = name
        self.identity = identity
        self.answer = answer
        self.guests = guests
        self.language = language
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Reply {
        let rows = transaction.rows
        guard var settings = try rows.replySettings(code: code) else { throw .refused(.notFound(.page)) }
        let record = try transaction.session(settings.session)
        try transaction.requireSettled(record.meeting.id)
        try record.requireReplies(at: transaction.now)
        let kind = record.meeting.identifyBy
        if kind != .name, identity.isEmpty {
            throw .refused(.invalid([FieldError(kind == .email ? "/email" : "/number", .missing)]))
        }
        let key = kind == .name ? nil : IdentityKey(identity)
        // The roster may have another address now than the one that the person was invited by.
        var (attendee, earlier): (Attendee?, Reply?)
        if let key {
            attendee = try transaction.attendees.known(by: key, in: settings.session)
            earlier = try attendee.flatMap { found throws(JournalError) in
                try rows.replies(of: found.id).first
            }
            if earlier == nil { earlier = try rows.reply(in: settings.session, key: key) }
        }
        if attendee?.status.countsAsCheckedIn == true { throw .refused(.repliesClosed) }
        if let earlier, earlier.status != .invited { throw .refused(.alreadyReplied) }
        let status = try settings.judged(answer, guests, before: earlier)
        let isInvited = earlier != nil
        if !isInvited, settings.counts.all >= Reply.most {
            throw .refused(.limitReached(.reply, limit: Reply.most))
        }
        var reply =
            earlier
            ?? Reply(
                id: .make(at: transaction.now), sessionID: settings.session, name: name,
                identity: kind == .name ? "" : identity, status: .invited, attendee: attendee?.id,
                language: language, createdAt: transaction.now)
        if !isInvited {
            // Only a roster's name is better than a typed one.
            if let attendee, try rows.person(inSlotOf: attendee.id) != nil { reply.name = attendee.name }
            settings.counts.add(reply)
            try rows.insert(reply)
        }
        reply = try transaction.replies.set(status, guests: guests, of: reply, &settings, by: .attendee)
        try rows.save(settings)
        let isKnown = try rows.receiver(of: reply, in: record.meeting)?.isKnown == true
        if mailsStrangers || isKnown {
            try transaction.replies.tell(.received, about: reply, in: record)
        }
        return reply
    }
}

/// Changes a reply by the person's own link. Nil for the answer only proves the address. The proof ends the
/// link on the page, because a stranger may have it, and begins the count of changes again.
/// - Throws: `notFound` if the reply is gone; `repliesClosed` if the session is over, if the person has
///   checked in, or if the link has ended; `limitReached` after `Reply.mostChanges` changes; as
///   `ReplySettings.status`.
package struct ChangeReply: Command {
    package let id: ReplyID
    package let answer: Reply.Answer?
    package let guests: Int
    /// Whether the link was mailed to the address, so that its use proves the address.
    package let proves: Bool

    package init(_ id: ReplyID, answer: Reply.Answer?, guests: Int = 0, proves: Bool = false) {
        (self.id, self.answer, self.guests, self.proves) = (id, answer, guests, proves)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Reply {
        let rows = transaction.rows
        guard var reply = try rows.reply(id), var settings = try rows.replySettings(of: reply.sessionID)
        else { throw .refused(.notFound(.page)) }
        let record = try transaction.session(reply.sessionID)
        try transaction.requireSettled(record.meeting.id)
        try record.requireReplies(at: transaction.now)
        if proves, !reply.isProved {
            (reply.isProved, reply.changes) = (true, 0)
            try rows.update(reply)
        }
        guard proves || !reply.isProved else { throw .refused(.repliesClosed) }
        guard let answer else { return reply }
        var holder = try reply.attendee.flatMap(rows.attendee)
        if holder == nil, let key = reply.key {
            holder = try transaction.attendees.known(by: key, in: reply.sessionID)
        }
        if holder?.status.countsAsCheckedIn == true { throw .refused(.repliesClosed) }
        let status = try settings.judged(answer, guests, before: reply)
        guard status != reply.status || status.wantsSeat && guests != reply.guests else { return reply }
        guard reply.changes < Reply.mostChanges else {
            throw .refused(.limitReached(.replyChange, limit: Reply.mostChanges))
        }
        reply.changes += 1
        reply = try transaction.replies.set(status, guests: guests, of: reply, &settings, by: .attendee)
        _ = try transaction.replies.promote(&settings, in: record)
        try rows.save(settings)
        return try rows.reply(id) ?? reply
    }
}

extension ReplySettings {
    fileprivate func judged(_ answer: Reply.Answer, _ guests: Int, before: Reply?) throws(JournalError)
        -> Reply.Status
    {
        do throws(Refusal) { return try status(for: answer, guests: guests, before: before) } catch {
            throw .refused(error)
        }
    }
}

extension SessionRecord {
    /// - Throws: `repliesClosed` after the session's end; `namesDeleted`.
    fileprivate func requireReplies(at now: Instant) throws(JournalError) {
        try requireNames()
        if session.isOver(at: now) { throw .refused(.repliesClosed) }
    }
}

// MARK: - Hosts

/// Sets the seats of a session and whether it asks for replies. A field that is nil keeps its value.
/// - Throws: `notAllowed` unless the actor is a host; `versionMismatch`; `namesDeleted`.
package struct SetReplies: Command {
    package let session: SessionID
    package let mode: ReplySettings.Mode?
    /// The new number of seats; `.some(nil)` for no limit.
    package let capacity: Int??
    package let mostGuests: Int?
    /// The new part of the page's address; the session takes it if it has none yet, or if `renewsCode`.
    package let code: String
    /// Whether the page gets another address, so that the present one ends.
    package let renewsCode: Bool
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        of session: SessionID, mode: ReplySettings.Mode? = nil, capacity: Int?? = nil,
        mostGuests: Int? = nil, code: String, renewsCode: Bool = false, expected: ExpectedVersion = .any,
        actor: AccountID
    ) {
        self.session = session
        self.mode = mode
        self.capacity = capacity
        self.mostGuests = mostGuests
        self.code = code
        self.renewsCode = renewsCode
        self.expected = expected
        self.actor = actor
    }

    /// Returns the settings, and whether `ContinuePromotions` has more to do.
    package func run(in transaction: Transaction) throws(JournalError) -> (ReplySettings, hasMore: Bool) {
        let record = try transaction.rights.session(session, managedBy: actor)
        try record.requireNames()
        let rows = transaction.rows
        let before = try rows.replySettings(of: session)
        try expected.check(before?.version ?? 0)
        var settings = before ?? ReplySettings(session: session, code: code, version: 0)
        if let mode { settings.mode = mode }
        if let capacity { settings.capacity = capacity }
        if let mostGuests { settings.mostGuests = mostGuests }
        if renewsCode { settings.code = code }
        guard settings != before else { return (settings, false) }
        settings.version += 1
        try transaction.record(.edited, in: session, by: .account(actor), EventData(fields: ["replies"]))
        transaction.publishEdit(of: session)
        let hasMore = try transaction.replies.promote(&settings, in: record)
        try rows.save(settings)
        return (settings, hasMore)
    }
}

/// Gives free seats to the next people of a waiting list. Returns whether more people can get one at once.
package struct ContinuePromotions: Command {
    package let session: SessionID

    package init(in session: SessionID) { self.session = session }

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        // The session may have been deleted meanwhile.
        guard try transaction.rows.session(session) != nil,
            var settings = try transaction.rows.replySettings(of: session)
        else { return false }
        let before = settings
        let hasMore = try transaction.replies.promote(&settings, in: try transaction.session(session))
        if settings != before { try transaction.rows.save(settings) }
        return hasMore
    }
}

/// Mails people the news that had to wait, at most to `limit` people. Returns whether there may be more.
package struct ContinueReplyNews: Command {
    package let limit: Int

    package init(limit: Int = 50) { self.limit = limit }

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        let rows = transaction.rows
        let due = try rows.repliesWithNews(at: transaction.now, limit: limit)
        for var reply in due {
            if let news = reply.news, news.holds(for: reply.status),
                let record = try rows.session(reply.sessionID)
            {
                try transaction.replies.tell(news, about: reply, in: record)
            } else {
                reply.news = nil
                try rows.update(reply)
            }
        }
        return due.count == limit
    }
}

/// Accepts or declines a person. A repetition changes nothing and mails nobody.
/// - Throws: `notFound` if the session has no such reply; `changedSince` if the person does not want a seat
///   any more; `notAllowed` unless the actor is a host; `sessionOver`.
package struct DecideReply: Command {
    package enum Decision: Hashable, Sendable {
        /// The person gets a seat, or joins the waiting list if none is free. `beyondCapacity` gives a seat
        /// in any case, before all who wait.
        case approve(beyondCapacity: Bool)
        case decline
    }

    package let id: ReplyID
    package let session: SessionID
    package let decision: Decision
    package let actor: AccountID

    package init(_ decision: Decision, about id: ReplyID, in session: SessionID, actor: AccountID) {
        (self.decision, self.id, self.session, self.actor) = (decision, id, session, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Reply {
        let record = try transaction.rights.session(session, managedBy: actor)
        let rows = transaction.rows
        guard let reply = try rows.reply(id), reply.sessionID == session,
            var settings = try rows.replySettings(of: session)
        else { throw .refused(.notFound(.reply)) }
        if record.session.isOver(at: transaction.now) { throw .refused(.sessionOver) }
        let status: Reply.Status
        switch decision {
        case .decline: status = .declined
        case .approve(let beyond):
            switch reply.status {
            case .accepted: return reply
            case .invited, .no, .maybe: throw .refused(.changedSince)
            case .waiting: status = beyond ? .accepted : .waiting
            case .requested, .declined:
                let hasSeat = settings.counts.waiting == 0 && settings.fits(reply.seats)
                status = beyond || hasSeat ? .accepted : .waiting
            }
        }
        guard status != reply.status else { return reply }
        let decided = try transaction.replies.set(
            status, guests: reply.guests, of: reply, &settings, by: .account(actor))
        switch status {
        case .accepted: try transaction.replies.tell(.approved, about: decided, in: record)
        case .declined: try transaction.replies.tell(.declined, about: decided, in: record)
        default: break
        }
        _ = try transaction.replies.promote(&settings, in: record)
        try rows.save(settings)
        return decided
    }
}

/// Deletes a reply, so that its link ends and the person can reply again. Its seats go to others.
/// - Throws: `notFound` if the session has no such reply; `notAllowed` unless the actor is a host.
package struct RemoveReply: Command {
    package let id: ReplyID
    package let session: SessionID
    package let actor: AccountID

    package init(_ id: ReplyID, in session: SessionID, actor: AccountID) {
        (self.id, self.session, self.actor) = (id, session, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        _ = try transaction.rights.session(session, managedBy: actor)
        guard let reply = try transaction.rows.reply(id), reply.sessionID == session else {
            throw .refused(.notFound(.reply))
        }
        try transaction.replies.remove(reply, by: .account(actor))
    }
}

/// Mails their own links to one person, or to a part of the people on the roster. A person is mailed once,
/// unless a host names the person after `Reply.pauseBetweenMails`.
/// - Throws: `repliesClosed` if the session does not ask for replies, or is over; `notFound` if the roster
///   has no such person, or the session does not expect the person.
package struct MailReplyLinks: Command {
    package enum Receivers: Sendable {
        case person(PersonID)
        /// The next `mostAtOnce` people of the roster after this one.
        case everybody(after: PersonID?)
    }

    package struct Outcome: Hashable, Sendable {
        package var queued = 0
        /// Whether the payer has reached the limit, so that nobody else can be mailed today.
        package var isPayerLimited = false
        /// The number of people without an address, or who want no mails.
        package var withoutAddress = 0
        /// The number of people who were mailed before, or have replied.
        package var mailedBefore = 0
        /// Whether the payer or a recipient has reached the limit of a day, so that mails are missing.
        package var isLimited = false
        /// The person after whom the list continues; nil at its end.
        package var next: PersonID?

        package init() {}
    }

    package let session: SessionID
    package let receivers: Receivers
    /// The tag of the mails' language if the meeting has none.
    package let language: String
    package let actor: AccountID

    package static let mostAtOnce = 100

    package init(of session: SessionID, to receivers: Receivers, language: String, actor: AccountID) {
        self.session = session
        self.receivers = receivers
        self.language = language
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let record = try transaction.rights.session(session, managedBy: actor)
        try record.requireReplies(at: transaction.now)
        let rows = transaction.rows
        guard var settings = try rows.replySettings(of: session), settings.mode != .off else {
            throw .refused(.repliesClosed)
        }
        var outcome = Outcome()
        let people: [Person]
        var repeats = false
        switch receivers {
        case .person(let id):
            people = [try transaction.roster.person(id, of: record.meeting.id)]
            repeats = true
        case .everybody(let last):
            people = try rows.peopleToMail(of: record.meeting.id, after: last, limit: Self.mostAtOnce)
            if people.count == Self.mostAtOnce { outcome.next = people.last?.id }
        }
        for person in people where !outcome.isPayerLimited {
            guard let slot = try rows.attendee(of: person.id, in: session) else {
                if repeats { throw .refused(.notFound(.person)) }
                continue
            }
            try mail(person, slot, record, &settings, repeats, &outcome, transaction)
        }
        if outcome.isPayerLimited { outcome.next = nil }
        try rows.save(settings)
        return outcome
    }

    private func mail(
        _ person: Person, _ slot: Attendee, _ record: SessionRecord, _ settings: inout ReplySettings,
        _ repeats: Bool, _ outcome: inout Outcome, _ transaction: Transaction
    ) throws(JournalError) {
        let rows = transaction.rows
        guard let address = EmailAddress.normalized(person.email), !person.isArchived,
            try rows.wantsMails(IdentityKey(address), about: record.meeting.id)
        else {
            outcome.withoutAddress += 1
            return
        }
        var reply = try rows.replies(of: slot).first
        if let reply {
            let pauseEnd = reply.invitedAt.map { $0 + Reply.pauseBetweenMails }
            let isDone =
                repeats
                ? pauseEnd.map { transaction.now < $0 } == true
                : pauseEnd != nil || reply.status != .invited
            if isDone {
                outcome.mailedBefore += 1
                return
            }
        }
        if reply == nil {
            guard settings.counts.all < Reply.most else {
                throw .refused(.limitReached(.reply, limit: Reply.most))
            }
            let new = Reply(
                id: .make(at: transaction.now), sessionID: session, name: person.name,
                identity: slot.identity, status: .invited, attendee: slot.id,
                language: record.meeting.language ?? language, createdAt: transaction.now)
            try rows.insert(new)
            settings.counts.add(new)
            reply = new
        }
        guard var reply else { return }
        let news: ReplyNews = reply.status == .invited ? .invited : .received
        guard try transaction.replies.mail(news, about: reply, in: record) == .queued else {
            outcome.isLimited = true
            // A recipient who has had too many mails stops nobody else.
            let payer = try rows.mailPayer(of: record.meeting.id)
            let allowance = if let payer { try transaction.mailings.allowance(of: payer) } else { 0 }
            outcome.isPayerLimited = allowance == 0
            return
        }
        reply.invitedAt = transaction.now
        try rows.update(reply)
        outcome.queued += 1
    }
}
