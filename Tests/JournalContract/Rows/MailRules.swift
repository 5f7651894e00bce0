import Journal
import Meetings
import Testing

private func aMail(
    _ number: Int, to recipient: String = "kim@example.org", from: Int = 0, until: Int = 60,
    owner: OutgoingMail.Owner? = nil, meeting: MeetingID? = nil, session: SessionID? = nil
) -> OutgoingMail {
    OutgoingMail(
        id: id(number), to: recipient, language: "ko", .verification(code: "00\(1000 + number)", path: "/v"),
        notBefore: at(from), expiresAt: at(until), owner: owner, meeting: meeting, session: session)
}

extension RowsRule {
    static let mails: [RowsRule] = [
        RowsRule("a mail is due from its moment on, with all its fields, and the earliest one is first") {
            rows in
            let first = aMail(
                2, to: "김@Example.org", from: 1, owner: OutgoingMail.Owner(id(7) as AccountID),
                meeting: id(8), session: id(9))
            try rows.batch {
                try rows.insert(aMail(1, from: 2), at: at(0))
                try rows.insert(first, at: at(0))
            }
            #expect(try rows.dueMails(on: .mail, at: at(1) - .milliseconds(1), limit: 9) == [])
            #expect(try rows.dueMails(on: .mail, at: at(1), limit: 9) == [first])
            #expect(try rows.dueMails(on: .mail, at: at(2), limit: 9) == [first, aMail(1, from: 2)])
            #expect(try rows.dueMails(on: .mail, at: at(2), limit: 1) == [first])
            #expect(try rows.nextMailMoment(on: .mail) == at(1))
            let record = try #require(try rows.mail(id(2)))
            #expect(record.kind == .verification && record.recipient == "김@Example.org")
            #expect(record.queuedAt == at(0) && record.expiresAt == at(60))
            #expect(record.delivery == MailDelivery(from: at(1)))
            #expect(try rows.mail(id(3)) == nil)
        },
        RowsRule("the state of a delivery is stored, and only waiting mails are due") { rows in
            var delivery = MailDelivery(from: at(0))
            delivery.lease(by: id(5), at: at(1))
            try rows.batch {
                for number in 1...3 { try rows.insert(aMail(number), at: at(0)) }
                try rows.save(delivery, of: id(1))
            }
            #expect(try rows.leasedMails().map(\.id) == [id(1)])
            #expect(try rows.mail(id(1))?.delivery == delivery)
            #expect(try rows.dueMails(on: .mail, at: at(1), limit: 9).map(\.id) == [id(2), id(3)])
            #expect(try rows.dueMails(on: .mail, at: at(6), limit: 9).map(\.id) == [id(2), id(3), id(1)])
            delivery.finish(.refused(reply: "550 unknown"), expiresAt: at(60), at: at(2), chance: 0)
            try rows.batch { try rows.save(delivery, of: id(1)) }
            #expect(try rows.mail(id(1))?.delivery == delivery)
            #expect(try rows.dueMails(on: .mail, at: at(60), limit: 9).map(\.id) == [id(2), id(3)])
            #expect(try rows.mailCounts() == [.waiting: 2, .refused: 1])
            #expect(try rows.mails(in: [.refused], after: nil, limit: 9).map(\.id) == [id(1)])
            let all = try pages { (last: MailRecord?) in
                try rows.mails(in: Set(MailDelivery.State.allCases), after: last?.id, limit: 2)
            }
            #expect(all.map(\.id) == [id(1), id(2), id(3)])
            // A refused mail can be sent after all.
            delivery.retry(at: at(9))
            try rows.batch { try rows.save(delivery, of: id(1)) }
            #expect(try rows.dueMails(on: .mail, at: at(9), limit: 9).last == aMail(1))
        },
        RowsRule(
            "the mails of an address are counted by moment, by spelling-independent address, and by quota"
        ) {
            rows in
            try rows.batch {
                try rows.insert(aMail(1, to: "Kim@Example.org"), at: at(0))
                try rows.insert(aMail(2), at: at(1))
                try rows.insert(aMail(3, to: "lee@example.org"), at: at(1))
            }
            let key = IdentityKey("kim@example.ORG")
            #expect(try rows.mailCount(to: key, of: .codes, since: at(0), limit: 9) == 2)
            #expect(try rows.mailCount(to: key, of: .codes, since: at(1), limit: 9) == 1)
            #expect(try rows.mailCount(to: key, of: .codes, since: at(0), limit: 1) == 1)
            #expect(try rows.mailCount(to: key, of: .meetings, since: at(0), limit: 9) == 0)
        },
        RowsRule("an account's mails of a day are counted by hour, and go with the account") { rows in
            func count(after moment: Instant) throws -> Int {
                try rows.mailCount(causedBy: id(1), after: moment)
            }
            try rows.batch {
                try rows.insert(anAccount(1))
                try rows.insert(anAccount(2))
                try rows.countMails(2, causedBy: id(1), in: at(60), forgetting: at(0))
                try rows.countMails(3, causedBy: id(1), in: at(60), forgetting: at(0))
                try rows.countMails(4, causedBy: id(1), in: at(120), forgetting: at(0))
                try rows.countMails(9, causedBy: id(2), in: at(60), forgetting: at(0))
            }
            #expect(try count(after: at(59)) == 9)
            #expect(try count(after: at(60)) == 4)
            try rows.batch { try rows.countMails(1, causedBy: id(1), in: at(180), forgetting: at(60)) }
            #expect(try count(after: at(0)) == 5)
            #expect(try rows.mailCount(causedBy: id(2), after: at(0)) == 9)
            try rows.batch { try rows.delete(id(1) as AccountID) }
            #expect(try count(after: at(0)) == 0)
        },
        RowsRule("mails go with their owner, their session and their meeting") { rows in
            try rows.batch {
                try rows.insert(aMeeting(20))
                try rows.insert(aSession(1, of: 20))
                try rows.insert(anAttendee(5), key: nil, grant: nil)
                try rows.insert(aMail(1, owner: OutgoingMail.Owner(id(7) as AccountID)), at: at(0))
                try rows.insert(aMail(2, owner: OutgoingMail.Owner(id(5) as AttendeeID)), at: at(0))
                try rows.insert(aMail(3, session: id(1)), at: at(0))
                try rows.insert(aMail(4, meeting: id(20)), at: at(0))
                try rows.insert(aMail(5, owner: OutgoingMail.Owner(id(9) as PersonID)), at: at(0))
                try rows.insert(aMail(6), at: at(0))
            }
            func left() throws -> [Int] { try (1...6).filter { try rows.mail(id($0)) != nil } }
            try rows.batch { try rows.delete(id(5) as AttendeeID) }
            #expect(try left() == [1, 3, 4, 5, 6])
            try rows.batch { try rows.delete(id(9) as PersonID) }
            #expect(try left() == [1, 3, 4, 6])
            try rows.batch { try rows.hide(id(20) as MeetingID) }
            #expect(try rows.dueMails(on: .mail, at: at(9), limit: 9).map(\.id) == [id(1), id(6)])
            try rows.batch { while try !rows.eraseSome(of: id(20), limit: 1000) {} }
            #expect(try left() == [1, 6])
            try rows.batch { try rows.hide(id(7) as AccountID) }
            #expect(try left() == [6])
        },
        RowsRule("ended mails are deleted oldest first, at most as many as requested") { rows in
            try rows.batch {
                for number in 1...4 {
                    try rows.insert(aMail(number), at: at(0))
                    var delivery = MailDelivery(from: at(0))
                    if number < 4 { delivery.end(.sent, at: at(number)) }
                    try rows.save(delivery, of: id(number))
                }
            }
            #expect(try !rows.hasMail(endedBefore: at(1)))
            #expect(try rows.hasMail(endedBefore: at(1) + .milliseconds(1)))
            #expect(try rows.batch { try rows.deleteMails(endedBefore: at(1), limit: 9) } == 0)
            #expect(try rows.batch { try rows.deleteMails(endedBefore: at(9), limit: 2) } == 2)
            #expect(try (1...4).filter { try rows.mail(id($0)) != nil } == [3, 4])
            #expect(try rows.batch { try rows.deleteMails(endedBefore: at(9), limit: 2) } == 1)
        },
    ]
}
