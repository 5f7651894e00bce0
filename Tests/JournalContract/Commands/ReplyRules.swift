import Journal
import Meetings
import Seeds
import Testing

extension Stage {
    /// Sets the seats of a session and opens it for replies.
    @discardableResult
    fileprivate func ask(
        _ session: SessionID, _ mode: ReplySettings.Mode = .open, capacity: Int?? = nil, guests: Int = 0,
        by host: AccountID
    ) async throws -> ReplySettings {
        try await perform(
            SetReplies(
                of: session, mode: mode, capacity: capacity, mostGuests: guests, code: "CODE\(session)",
                actor: host)
        ).0
    }

    fileprivate func send(
        _ number: Int, _ answer: Reply.Answer = .yes, guests: Int = 0, to session: SessionID
    ) async throws -> Reply {
        try await perform(
            SendReply(
                to: "CODE\(session)", name: "Person \(number)", identity: "p\(number)@example.org",
                answer: answer, guests: guests, language: "en"))
    }

    fileprivate func change(
        _ reply: Reply, _ answer: Reply.Answer?, guests: Int = 0, proves: Bool = false
    ) async throws -> Reply {
        try await perform(ChangeReply(reply.id, answer: answer, guests: guests, proves: proves))
    }

    fileprivate func decide(
        _ decision: DecideReply.Decision, _ reply: Reply, by host: AccountID
    ) async throws -> Reply {
        try await perform(DecideReply(decision, about: reply.id, in: reply.sessionID, actor: host))
    }

    fileprivate func reply(_ reply: Reply) async throws -> Reply? {
        try await storage.read { rows throws(JournalError) in try rows.reply(reply.id) }
    }

    fileprivate func replies(to session: SessionID) async throws -> [Reply] {
        try await storage.read { rows throws(JournalError) in
            try rows.replies(of: session, status: nil, after: nil, limit: 1000)
        }
    }

    fileprivate func settings(of session: SessionID) async throws -> ReplySettings {
        try #require(
            try await storage.read { rows throws(JournalError) in try rows.replySettings(of: session) })
    }

    /// Returns the news of the mails in the queue, with the reply of each.
    fileprivate func news() async throws -> [(ReplyID, ReplyNews?)] {
        try await storage.read { rows throws(JournalError) in
            try rows.dueMails(on: .mail, at: Instant(milliseconds: .max / 2), limit: 10_000).compactMap {
                switch $0.content {
                case .reply(let id, let news): (id, news)
                case .replyConfirmation(let id): (id, nil)
                default: nil
                }
            }
        }
    }

    /// Expects that the counts equal the rows, that every accepted person is expected, and that nobody waits
    /// for a seat that is free.
    fileprivate func expectSeated(_ session: SessionID, sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        let (replies, settings) = (try await replies(to: session), try await settings(of: session))
        var counts = ReplyCounts()
        for reply in replies { counts.add(reply) }
        #expect(settings.counts == counts, sourceLocation: sourceLocation)
        let waiting = replies.filter { $0.status == .waiting }
        if let first = waiting.first {
            #expect(!settings.fits(first.seats), sourceLocation: sourceLocation)
            #expect(waiting.map(\.place) == waiting.map(\.place).sorted(), sourceLocation: sourceLocation)
        }
        let attendees = Set(try await attendees(of: session).map(\.id))
        for reply in replies {
            if let attendee = reply.attendee {
                #expect(attendees.contains(attendee), sourceLocation: sourceLocation)
            }
            #expect(reply.status != .accepted || reply.attendee != nil, sourceLocation: sourceLocation)
            #expect(reply.status == .accepted || !reply.madeAttendee, sourceLocation: sourceLocation)
        }
        try await expectWhole(session, sourceLocation: sourceLocation)
    }

    /// Creates a meeting with a door of the host, whose session takes replies.
    fileprivate func asked(
        _ mode: ReplySettings.Mode = .open, capacity: Int?, guests: Int = 0, identifyBy: IdentifyBy = .email
    ) async throws -> (host: AccountID, record: SessionRecord, session: SessionID) {
        let (host, record) = try await planned(identifyBy: identifyBy)
        try await ask(record.session.id, mode, capacity: .some(capacity), guests: guests, by: host)
        return (host, record, record.session.id)
    }
}

extension CommandRule {
    static let replies: [CommandRule] =
        [
            CommandRule("an accepted yes is an awaited attendee, and ends with the yes") { stage in
                let (_, _, session) = try await stage.asked(capacity: 2)
                let one = try await stage.send(1, to: session)
                #expect(one.status == .accepted && one.madeAttendee)
                let awaited = try #require(try await stage.attendees(of: session).first)
                #expect(awaited.status == .pending && awaited.name == "Person 1" && !awaited.walkIn)
                #expect(awaited.identity == "p1@example.org" && one.attendee == awaited.id)
                try await stage.expectSeated(session)
                #expect(try await stage.change(one, .no).status == .no)
                #expect(try await stage.attendees(of: session).isEmpty)
                #expect(try await stage.change(one, .maybe).status == .maybe)
                let again = try await stage.change(one, .yes)
                #expect(again.status == .accepted && again.changes == 3)
                stage.now = at(0)
                let came = try await stage.arrive(1, in: session)
                #expect(came.id == again.attendee)
                await expectRefused(.repliesClosed) { try await stage.change(one, .no) }
                try await stage.expectSeated(session)
            },
            CommandRule("a yes beyond the seats waits, and gets the first free seat in order, with a mail") {
                stage in
                let (host, _, session) = try await stage.asked(capacity: 2)
                let first = try await stage.send(1, to: session)
                _ = try await stage.send(2, to: session)
                let third = try await stage.send(3, to: session)
                let fourth = try await stage.send(4, to: session)
                #expect([third.status, fourth.status] == [.waiting, .waiting])
                #expect(third.place < fourth.place && third.attendee == nil)
                // The address of the third one is proved, and that of the fourth one is not.
                _ = try await stage.change(third, nil, proves: true)
                _ = try await stage.change(first, .no)
                #expect(try await stage.reply(third)?.status == .accepted)
                #expect(try await stage.reply(fourth)?.status == .waiting)
                try await stage.ask(session, capacity: 3, by: host)
                #expect(try await stage.reply(fourth)?.status == .accepted)
                let news = try await stage.news()
                #expect(news.filter { $0.1 == nil }.count == 4)
                #expect(news.filter { $0.1 == .promoted }.map(\.0) == [third.id])
                try await stage.expectSeated(session)
            },
            CommandRule("nobody overtakes the waiting list, also if a smaller party would fit") { stage in
                let (host, _, session) = try await stage.asked(capacity: 3, guests: 2)
                let one = try await stage.send(1, guests: 1, to: session)
                let party = try await stage.send(2, guests: 1, to: session)
                let single = try await stage.send(3, to: session)
                #expect(one.status == .accepted && party.status == .waiting && single.status == .waiting)
                await expectRefused(.noSeats(free: 0)) { try await stage.change(one, .yes, guests: 2) }
                // More guests than before go to the end, and fewer keep their place.
                let larger = try await stage.change(party, .yes, guests: 2)
                #expect(larger.status == .waiting && larger.place > single.place)
                #expect(try await stage.reply(single)?.status == .accepted)
                try await stage.perform(RemoveReply(one.id, in: session, actor: host))
                #expect(try await stage.reply(larger)?.status == .waiting)
                #expect(try await stage.change(larger, .yes, guests: 1).status == .accepted)
                try await stage.expectSeated(session)
            },
            CommandRule("many replies at once take no more seats than there are") { stage in
                let (_, _, session) = try await stage.asked(capacity: 7)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<40 {
                        group.addTask { _ = try await stage.send(number, to: session) }
                    }
                    try await group.waitForAll()
                }
                let counts = try await stage.settings(of: session).counts
                #expect(counts.accepted == 7 && counts.waiting == 33)
                try await stage.expectSeated(session)
            },
            CommandRule("a host accepts and declines requests, and gives seats beyond the capacity") {
                stage in
                let (host, _, session) = try await stage.asked(.approval, capacity: 1)
                var replies: [Reply] = []
                for number in 1...4 { replies.append(try await stage.send(number, to: session)) }
                #expect(replies.allSatisfy { $0.status == .requested })
                for reply in replies { _ = try await stage.change(reply, nil, proves: true) }
                let approve = DecideReply.Decision.approve(beyondCapacity: false)
                #expect(try await stage.decide(approve, replies[0], by: host).status == .accepted)
                #expect(try await stage.decide(approve, replies[0], by: host).status == .accepted)
                #expect(try await stage.decide(approve, replies[1], by: host).status == .waiting)
                #expect(try await stage.decide(.decline, replies[2], by: host).status == .declined)
                await expectRefused(.repliesClosed) { try await stage.change(replies[2], .yes) }
                let beyond = DecideReply.Decision.approve(beyondCapacity: true)
                #expect(try await stage.decide(beyond, replies[3], by: host).status == .accepted)
                #expect(try await stage.settings(of: session).counts.seats == 2)
                let news = try await stage.news().compactMap(\.1)
                #expect(news.filter { $0 == .approved }.count == 2)
                #expect(news.filter { $0 == .declined }.count == 1 && !news.contains(.promoted))
                _ = try await stage.decide(.decline, replies[3], by: host)
                #expect(try await stage.reply(replies[1])?.status == .waiting)
                _ = try await stage.decide(.decline, replies[0], by: host)
                #expect(try await stage.reply(replies[1])?.status == .accepted)
                try await stage.expectSeated(session)
                let steward = try await stage.account(2).id
                await expectRefused(.notAllowed) { try await stage.decide(approve, replies[2], by: steward) }
            },
            CommandRule("a seat that goes to and fro is mailed once in an hour, and the last state is mailed")
            {
                stage in
                let (host, _, session) = try await stage.asked(capacity: 1)
                let one = try await stage.send(1, to: session)
                let two = try await stage.send(2, to: session)
                for reply in [one, two] { _ = try await stage.change(reply, nil, proves: true) }
                func mails() async throws -> Int {
                    try await stage.perform(ContinueReplyNews())
                    return try await stage.news().count { $0.0 == two.id && $0.1 == .promoted }
                }
                /// Person 1 replies no, so that person 2 gets the seat.
                func promote() async throws {
                    _ = try await stage.change(two, .no, proves: true)
                    _ = try await stage.change(one, .yes, proves: true)
                    _ = try await stage.change(two, .yes, proves: true)
                    _ = try await stage.change(one, .no, proves: true)
                    #expect(try await stage.reply(two)?.status == .accepted)
                }
                try await promote()
                #expect(try await mails() == 1)
                try await promote()
                #expect(try await mails() == 1)
                #expect(try await stage.reply(two)?.news == .promoted)
                stage.now = stage.now + Reply.pauseBetweenPromotions - millisecond
                #expect(try await mails() == 1)
                stage.now = stage.now + millisecond
                #expect(try await mails() == 2)
                #expect(try await mails() == 2)
                // A person without a seat does not hear of the seat.
                try await promote()
                _ = try await stage.change(two, .no, proves: true)
                #expect(try await stage.reply(two)?.news == nil)
                // A host's decision does not wait, and replaces what does.
                _ = try await stage.change(two, .yes, proves: true)
                _ = try await stage.decide(.decline, try #require(try await stage.reply(two)), by: host)
                #expect(try await stage.news().contains { $0.0 == two.id && $0.1 == .declined })
                stage.now = stage.now + .hours(2)
                #expect(try await mails() == 2)
                try await stage.expectSeated(session)
            },
            CommandRule(
                "news that meets the payer's limit is mailed when there is a new allowance",
                limits: AccountLimits(mostMailsPerDay: 2)
            ) { stage in
                stage.now = at(-1600)
                let (host, record, session) = try await stage.asked(capacity: 1)
                let one = try await stage.send(1, to: session)
                let two = try await stage.send(2, to: session)
                let stranger = try await stage.send(3, to: session)
                for reply in [one, two] { _ = try await stage.change(reply, nil, proves: true) }
                _ = try await stage.change(one, .no, proves: true)
                #expect(try await stage.reply(two)?.news == .promoted)
                // Nobody owes a mail to an address that anybody may have typed.
                #expect(try await stage.reply(stranger)?.news == nil)
                for hours in [1, 23] {
                    stage.now = at(-1600) + .hours(hours)
                    #expect(try await !stage.perform(ContinueReplyNews()))
                    #expect(try await !stage.news().contains { $0.1 == .promoted })
                }
                // One at a time, and a mail that waits keeps no other one waiting.
                stage.now = at(-1600) + .hours(26)
                while try await stage.perform(ContinueReplyNews(limit: 1)) {}
                #expect(try await stage.news().filter { $0.1 == .promoted }.map(\.0) == [two.id])
                #expect(try await stage.reply(two)?.news == nil)
                _ = try await stage.decide(.decline, two, by: host)
                _ = try await stage.decide(.approve(beyondCapacity: true), two, by: host)
                #expect(try await stage.reply(two)?.news == .approved)
                // The end of the session ends what nobody has learned.
                stage.now = record.session.endsAt
                while try await stage.perform(ContinueReplyNews(limit: 1)) {}
                #expect(try await stage.replies(to: session).allSatisfy { $0.news == nil })
            },
            CommandRule("the proof of an address ends the link on the page, and begins the changes again") {
                stage in
                let (_, _, session) = try await stage.asked(capacity: nil)
                let reply = try await stage.send(1, to: session)
                for number in 0..<Reply.mostChanges {
                    _ = try await stage.change(reply, number % 2 == 0 ? .no : .maybe)
                }
                await expectRefused(.limitReached(.replyChange, limit: Reply.mostChanges)) {
                    try await stage.change(reply, .yes)
                }
                #expect(try await stage.change(reply, .yes, proves: true).status == .accepted)
                await expectRefused(.repliesClosed) { try await stage.change(reply, .no) }
                #expect(try await stage.reply(reply)?.status == .accepted)
                #expect(try await stage.change(reply, .no, proves: true).changes == 2)
            },
            CommandRule("a first reply mails a stranger unless the roster or a reply has the address") {
                stage in
                let (host, record, session) = try await stage.asked(capacity: nil)
                _ = try await stage.add("Kim", email: "p1@example.org", to: record.meeting.id, by: host)
                _ = try await stage.send(2, to: session)
                for (number, expected) in [(1, false), (2, false), (3, true)] {
                    let isStranger = try await stage.storage.read { rows throws(JournalError) in
                        try rows.mailsStranger(IdentityKey("p\(number)@example.org"), in: session)
                    }
                    #expect(isStranger == expected)
                }
            },
            CommandRule("nobody replies for an address twice, or to a closed session") { stage in
                let (host, _, session) = try await stage.asked(capacity: nil, guests: 1)
                _ = try await stage.send(1, .no, to: session)
                await expectRefused(.alreadyReplied) { try await stage.send(1, to: session) }
                await expectRefused(.invalid([FieldError("/guests", .range(min: 0, max: 1))])) {
                    try await stage.send(2, guests: 2, to: session)
                }
                await expectRefused(.notFound(.page)) {
                    try await stage.perform(
                        SendReply(
                            to: "OTHER", name: "A", identity: "a@example.org", answer: .yes, guests: 0,
                            language: "en"))
                }
                try await stage.ask(session, .off, by: host)
                await expectRefused(.repliesClosed) { try await stage.send(3, to: session) }
                try await stage.ask(session, by: host)
                stage.now = at(61)
                await expectRefused(.repliesClosed) { try await stage.send(3, to: session) }
                try await stage.expectSeated(session)
            },
            CommandRule("the person of a roster keeps the slot, and a mailed link replies") { stage in
                let (host, record) = try await stage.planned()
                let session = record.session.id
                let kim = try await stage.add(
                    "Kim", email: "p1@example.org", to: record.meeting.id, by: host)
                try await stage.ask(session, capacity: 1, by: host)
                let mailed = try await stage.perform(
                    MailReplyLinks(of: session, to: .everybody(after: nil), language: "en", actor: host))
                #expect(mailed.queued == 1 && mailed.next == nil)
                let again = try await stage.perform(
                    MailReplyLinks(of: session, to: .everybody(after: nil), language: "en", actor: host))
                #expect(again.queued == 0 && again.mailedBefore == 1)
                let mailedAt = stage.now
                for (pause, queued) in [
                    (Reply.pauseBetweenMails - millisecond, 0), (Reply.pauseBetweenMails, 1),
                    (Reply.pauseBetweenMails, 0),
                ] {
                    stage.now = mailedAt + pause
                    let named = try await stage.perform(
                        MailReplyLinks(of: session, to: .person(kim.id), language: "en", actor: host))
                    #expect(named.queued == queued && named.mailedBefore == 1 - queued)
                }
                let invited = try #require(try await stage.replies(to: session).first)
                #expect(invited.status == .invited && invited.name == "Kim" && invited.invitedAt != nil)
                // Somebody else types the address: the reply is Kim's, and has the roster's name.
                let sent = try await stage.send(1, to: session)
                #expect(sent.id == invited.id && sent.name == "Kim" && sent.status == .accepted)
                #expect(!sent.madeAttendee)
                let slots = try await stage.attendees(of: session)
                #expect(slots.map(\.name) == ["Kim"] && slots.map(\.id) == [sent.attendee])
                #expect(try await stage.change(sent, .no).status == .no)
                #expect(try await stage.attendees(of: session) == slots)
                #expect(Set(try await stage.news().map(\.1)) == [.invited, .received])
                #expect(try await stage.news().count == 3)
                // The end of the slot ends the reply.
                try await stage.perform(RemovePerson(meeting: record.meeting.id, id: kim.id, actor: host))
                #expect(try await stage.replies(to: session).isEmpty)
                try await stage.expectSeated(session)
            },
            CommandRule("the removal and the erasure of a person free the seat at once") { stage in
                let (host, _, session) = try await stage.asked(capacity: 1)
                let one = try await stage.send(1, to: session)
                let two = try await stage.send(2, to: session)
                let three = try await stage.send(3, to: session)
                try await stage.perform(RemoveAttendee(attendee: try #require(one.attendee), actor: host))
                #expect(try await stage.reply(one) == nil)
                #expect(try await stage.reply(two)?.status == .accepted)
                try await stage.perform(EraseAddress(address: "p2@example.org"))
                #expect(try await stage.reply(two) == nil)
                #expect(try await stage.reply(three)?.status == .accepted)
                #expect(try await stage.news().map(\.0) == [three.id])
                try await stage.expectSeated(session)
            },
            CommandRule("replies end with the names of their session") { stage in
                let (_, _, session) = try await stage.asked(capacity: 1)
                for number in 1...3 { _ = try await stage.send(number, to: session) }
                stage.now = at(60 * 24 * 400)
                var place: AttendeeID?
                while case .more(let next) = try await stage.perform(
                    ForgetNames(of: session, after: place, lifetime: .hours(24)))
                { place = next }
                #expect(try await stage.replies(to: session).isEmpty)
                #expect(try await stage.settings(of: session).mode == .off)
                #expect(try await stage.news().isEmpty)
                try await stage.expectSeated(session)
            },
            CommandRule("a merge of records moves the reply to the remaining one") { stage in
                let (host, _, session) = try await stage.asked(capacity: nil)
                let one = try await stage.send(1, to: session)
                stage.now = at(0)
                let came = try await stage.arrive(2, in: session)
                _ = try await stage.perform(
                    MergeAttendees(attendee: try #require(one.attendee), into: came.id, actor: host))
                #expect(try await stage.reply(one)?.attendee == came.id)
                try await stage.expectSeated(session)
            },
            CommandRule("two replies of one record end one by one, and neither takes the other with it") {
                stage in
                let (host, _, session) = try await stage.asked(capacity: 2)
                let one = try await stage.send(1, to: session)
                let two = try await stage.send(2, to: session)
                let three = try await stage.send(3, to: session)
                try await stage.perform(
                    MergeAttendees(
                        attendee: try #require(one.attendee), into: try #require(two.attendee), actor: host))
                #expect(try await stage.change(two, .no).status == .no)
                #expect(try await stage.reply(one)?.status == .accepted)
                #expect(try await stage.reply(three)?.status == .accepted)
                try await stage.expectSeated(session)
                #expect(try await stage.change(two, .yes).status == .waiting)
                // The removal frees a seat for the next reply of the same record, and then ends it, too.
                let record = try #require(try await stage.reply(one)?.attendee)
                try await stage.perform(RemoveAttendee(attendee: record, actor: host))
                #expect(try await stage.reply(one) == nil)
                #expect(try await stage.reply(two) == nil)
                try await stage.expectSeated(session)
                #expect(try await stage.settings(of: session).counts.all == 1)
            },
            CommandRule("the door asks about a person who waits, also if a host has added the person") {
                stage in
                let (host, _, session) = try await stage.asked(capacity: 1)
                let one = try await stage.send(1, to: session)
                let two = try await stage.send(2, to: session)
                let added = try await stage.perform(
                    AddAttendee(
                        session: session, name: "Kim", email: "p2@example.org", note: nil, status: nil,
                        actor: host)
                ).0
                stage.now = at(0)
                let guest = Admit.Guest.identity(IdentityKey("p2@example.org"))
                let asked = try await stage.perform(Admit(guest, to: session, actor: host))
                #expect(asked.verdict == .waiting && asked.reply?.id == two.id)
                let admitted = try await stage.perform(Admit(guest, to: session, anyway: true, actor: host))
                #expect(admitted.verdict == .admitted)
                #expect(try await stage.reply(two)?.attendee == added.id)
                await expectRefused(.repliesClosed) { try await stage.change(two, .no) }
                try await stage.perform(RemoveAttendee(attendee: added.id, erases: true, actor: host))
                #expect(try await stage.reply(two) == nil)
                #expect(try await stage.reply(one)?.status == .accepted)
                try await stage.expectSeated(session)
            },
            CommandRule("the erasure of a person who waits deletes the reply, which belongs to no record") {
                stage in
                let (host, _, session) = try await stage.asked(capacity: 1)
                _ = try await stage.send(1, to: session)
                let two = try await stage.send(2, to: session)
                stage.now = at(0)
                let came = try await stage.arrive(2, in: session)
                try await stage.perform(RemoveAttendee(attendee: came.id, erases: true, actor: host))
                #expect(try await stage.reply(two) == nil)
                try await stage.expectSeated(session)
            },
            CommandRule("a waiting list is looked at only if its first party fits before the session's end") {
                stage in
                let (_, record, session) = try await stage.asked(capacity: 3, guests: 2)
                func isFound() async throws -> Bool {
                    try await stage.storage.read { [now = stage.now] rows throws(JournalError) in
                        try !rows.sessionsWithWaiting(at: now, after: nil, limit: 9).isEmpty
                    }
                }
                _ = try await stage.send(1, guests: 1, to: session)
                _ = try await stage.send(2, guests: 1, to: session)
                #expect(try await stage.settings(of: session).counts.waiting == 1)
                #expect(try await !isFound())
                // As after a job that freed a seat.
                try await stage.perform(
                    Act { transaction throws(JournalError) in
                        guard var settings = try transaction.rows.replySettings(of: session) else { return }
                        settings.capacity = 4
                        try transaction.rows.save(settings)
                    })
                #expect(try await isFound())
                stage.now = record.session.endsAt + millisecond
                #expect(try await !isFound())
            },
            CommandRule("the door asks about people without a seat, and about more people than seats") {
                stage in
                let (host, _, session) = try await stage.asked(capacity: 3, guests: 1)
                let coming = try await stage.send(1, guests: 1, to: session)
                let waiting = try await stage.send(2, guests: 1, to: session)
                _ = try await stage.send(3, .no, to: session)
                stage.now = at(0)
                func admit(_ guest: Admit.Guest, anyway: Bool = false) async throws -> Admit.Outcome {
                    try await stage.perform(Admit(guest, to: session, anyway: anyway, actor: host))
                }
                func key(_ number: Int) -> Admit.Guest { .identity(IdentityKey("p\(number)@example.org")) }
                let first = try await admit(key(1))
                #expect(first.verdict == .admitted && first.reply?.guests == 1)
                #expect(first.occupancy == Occupancy(capacity: 3, taken: 2))
                #expect(try await stage.reply(coming)?.attendee == first.attendee?.id)
                #expect(try await admit(key(2)).verdict == .waiting)
                #expect(try await admit(.reply(waiting.id)).verdict == .waiting)
                #expect(try await admit(key(3)).verdict == .declined)
                #expect(try await admit(.walkIn(name: "Lee")).verdict == .admitted)
                let full = try await admit(.walkIn(name: "Park"))
                #expect(full.verdict == .full && full.sequence == nil)
                let events = try await stage.events(of: session).count
                #expect(try await admit(.walkIn(name: "Park")).verdict == .full)
                #expect(try await stage.events(of: session).count == events)
                let anyway = try await admit(key(2), anyway: true)
                #expect(anyway.verdict == .admitted && anyway.reply?.status == .accepted)
                #expect(anyway.occupancy == Occupancy(capacity: 3, taken: 5))
                // The undo of the admission leaves the seat, and nobody loses the place twice.
                try await stage.perform(
                    UndoAdmission(in: session, sequence: try #require(anyway.sequence), actor: host))
                #expect(try await stage.reply(waiting)?.status == .accepted)
                try await stage.expectSeated(session)
            },
            CommandRule("names identify several people, who all have a reply") { stage in
                let (_, _, session) = try await stage.asked(capacity: nil, identifyBy: .name)
                for _ in 0..<2 {
                    let reply = try await stage.perform(
                        SendReply(
                            to: "CODE\(session)", name: "Kim", identity: "", answer: .yes, guests: 0,
                            language: "ko"))
                    #expect(reply.status == .accepted)
                }
                #expect(try await stage.attendees(of: session).count == 2)
                stage.now = at(0)
                let came = try #require(try await stage.checkIn(1, in: session, name: "Kim").attendee)
                #expect(try await stage.replies(to: session).contains { $0.attendee == came.id })
                try await stage.expectSeated(session)
            },
        ]
        + (1...3).map { seed in
            CommandRule("seats are given in order after random replies, changes and edits, seed \(seed)") {
                stage in
                let (host, _, session) = try await stage.asked(capacity: 5, guests: 3)
                var crowd = ReplyingCrowd(
                    stage: stage, host: host, session: session,
                    random: SeededNumbers(seed: 20_261_130 + UInt64(seed)))
                for _ in 0..<200 { try await crowd.step() }
                #expect(crowd.promotions > 10)
            }
        }
}

/// A session with random replies. The seed is fixed, so every run makes the same changes.
private struct ReplyingCrowd {
    let stage: Stage
    let host: AccountID
    let session: SessionID
    var random: SeededNumbers
    /// The replies that were promoted while their addresses were proved.
    private var mailed: Set<ReplyID> = []
    private(set) var promotions = 0

    init(stage: Stage, host: AccountID, session: SessionID, random: SeededNumbers) {
        (self.stage, self.host, self.session, self.random) = (stage, host, session, random)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func step() async throws {
        // An address gets a limited number of mails in a day.
        stage.now = stage.now + .milliseconds(10)
        let before = try await stage.replies(to: session)
        let seats = try await stage.settings(of: session).counts.seats
        var subject: ReplyID?
        var isBeyond = false
        do throws(JournalError) {
            (subject, isBeyond) = try await change(before)
        } catch {
            if case .failed = error { throw error }
            #expect(try await stage.replies(to: session) == before, "\(error)")
        }
        let after = try await stage.replies(to: session)
        let settings = try await stage.settings(of: session)
        if let capacity = settings.capacity, !isBeyond {
            #expect(settings.counts.seats <= max(capacity, seats))
        }
        // The promoted people are the first ones who waited.
        let others = before.filter { $0.status == .waiting && $0.id != subject }
        let status = Dictionary(uniqueKeysWithValues: after.map { ($0.id, $0.status) })
        let promoted = others.filter { status[$0.id] == .accepted }
        #expect(promoted.map(\.id) == others.prefix(promoted.count).map(\.id))
        promotions += promoted.count
        let mails = Set(try await stage.news().filter { $0.1 == .promoted }.map(\.0))
        for reply in promoted where reply.isProved && !mailed.insert(reply.id).inserted {
            // No second mail leaves within the hour.
            #expect(after.first { $0.id == reply.id }?.news == .promoted)
        }
        // A party that became smaller can be promoted by its own change.
        for reply in after where reply.id == subject && reply.isProved && mails.contains(reply.id) {
            #expect(mailed.contains(reply.id) || reply.status == .accepted)
            mailed.insert(reply.id)
        }
        mailed = mailed.filter { status[$0] != nil }
        #expect(mails == mailed)
        #expect(after.allSatisfy { $0.news?.holds(for: $0.status) != false })
        try await stage.expectSeated(session)
    }

    /// Makes one change. Returns the reply that it is about, and whether it may go beyond the capacity.
    private mutating func change(_ replies: [Reply]) async throws(JournalError) -> (ReplyID?, Bool) {
        let storage = stage.storage
        let one = replies.randomElement(using: &random)
        let answer = Reply.Answer.allCases.randomElement(using: &random) ?? .yes
        let guests = number(0...3)
        switch number(0...11) {
        case 0, 1, 2, 3:
            let who = number(0...40)
            let reply = try await storage.perform(
                SendReply(
                    to: "CODE\(session)", name: "P\(who)", identity: "p\(who)@example.org",
                    answer: number(0...3) == 0 ? answer : .yes, guests: guests, language: "en"))
            return (reply.id, false)
        case 4, 5, 6:
            guard let one else { return (nil, false) }
            _ = try await storage.perform(
                ChangeReply(one.id, answer: answer, guests: guests, proves: number(0...1) == 0))
            return (one.id, false)
        case 7:
            let capacity: Int? = number(0...9) == 0 ? nil : number(1...12)
            let mode: ReplySettings.Mode = number(0...3) == 0 ? .approval : .open
            _ = try await storage.perform(
                SetReplies(
                    of: session, mode: mode, capacity: .some(capacity), code: "CODE\(session)", actor: host))
            return (nil, false)
        case 8, 9:
            guard let one else { return (nil, false) }
            let beyond = number(0...5) == 0
            _ = try await storage.perform(
                DecideReply(
                    number(0...2) == 0 ? .decline : .approve(beyondCapacity: beyond), about: one.id,
                    in: session, actor: host))
            return (one.id, beyond)
        case 10:
            guard let one else { return (nil, false) }
            try await storage.perform(RemoveReply(one.id, in: session, actor: host))
            return (one.id, false)
        default:
            guard let attendee = one?.attendee else { return (nil, false) }
            try await storage.perform(RemoveAttendee(attendee: attendee, actor: host))
            return (one?.id, false)
        }
    }
}
