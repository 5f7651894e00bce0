import Journal
import Meetings
import Testing

extension RowsRule {
    static let mailings: [RowsRule] = [
        RowsRule("sessions are found by the moments of their mailings, until these are done") { rows in
            var (quiet, loud) = (aMeeting(1), aMeeting(2))
            loud.reminders = .korean
            try rows.batch {
                try rows.insert(quiet)
                try rows.insert(loud)
                for (number, meeting) in [1, 2, 2].enumerated() {
                    try rows.insert(aSession(number + 1, of: meeting, from: 10, to: 20 + number))
                }
            }
            #expect(try rows.meeting(id(2))?.reminders == .korean)
            let range = at(10)..<at(11)
            func due(_ kind: Mailing.Kind, _ range: Range<Instant>?) throws -> [SessionID] {
                try rows.sessionsToMail(kind, in: range, after: nil, limit: 9).map(\.id)
            }
            #expect(try due(.dayBefore, range) == [id(2), id(3)])
            #expect(try due(.dayBefore, at(9)..<at(10)) == [])
            #expect(try due(.feedback, at(22)..<at(23)) == [id(3)])
            #expect(try due(.moved, nil) == [])
            var mailing = Mailing(of: id(2), .dayBefore, last: id(5), mailed: 3)
            try rows.batch {
                try rows.save(mailing)
                try rows.save(Mailing(of: id(2), .moved))
            }
            #expect(try rows.mailing(.dayBefore, of: id(2)) == mailing)
            #expect(try rows.mailing(.hourBefore, of: id(2)) == nil)
            #expect(try due(.dayBefore, range) == [id(2), id(3)])
            #expect(try due(.moved, nil) == [id(2)])
            mailing.isDone = true
            quiet.reminders = .english
            try rows.batch {
                try rows.save(mailing)
                try rows.update(quiet)
                try rows.delete(id(3) as SessionID)
            }
            #expect(try due(.dayBefore, range) == [id(1)])
            try rows.batch { try rows.delete(id(2) as SessionID) }
            #expect(try rows.mailing(.dayBefore, of: id(2)) == nil)
        },
        RowsRule("sessions to mail come in pages, so that none waits behind sessions that wait") {
            rows in
            try rows.batch {
                for meeting in 1...3 {
                    var loud = aMeeting(meeting)
                    loud.reminders = .on
                    try rows.insert(loud)
                    // A meeting's sessions are not in the order of their starts.
                    for round in 1...2 {
                        let number = 10 * round + 4 - meeting
                        try rows.insert(
                            aSession(number, of: meeting, round: round, from: 30 - number, to: 60))
                        try rows.save(Mailing(of: id(number), .moved))
                    }
                }
            }
            for (kind, range) in [
                (Mailing.Kind.dayBefore, at(0)..<at(59)), (.feedback, at(0)..<at(61)), (.moved, nil),
            ] {
                var (found, last): ([SessionToMail], SessionToMail?) = ([], nil)
                repeat {
                    let page = try rows.sessionsToMail(kind, in: range, after: last, limit: 1)
                    last = page.last
                    found += page
                } while last != nil && found.count < 9
                #expect(
                    found.map(\.id)
                        == (range == nil ? [11, 12, 13, 21, 22, 23] : [13, 23, 12, 22, 11, 21])
                        .map { id($0) },
                    "\(kind)")
                #expect(found.allSatisfy { $0.id != id(12) || $0.meeting == id(2) })
            }
        },
        RowsRule("people to mail have an address, are not archived, and come in the order of their ids") {
            rows in
            try rows.batch {
                try rows.insert(aMeeting(1))
                for number in 1...4 {
                    try rows.insert(
                        Person(
                            id: id(10 - number), meetingID: id(1), name: "P\(number)",
                            email: number == 2 ? "" : "p\(number)@example.org", isArchived: number == 3))
                }
            }
            #expect(try rows.peopleToMail(of: id(1), after: nil, limit: 9).map(\.id) == [id(6), id(9)])
            #expect(try rows.peopleToMail(of: id(1), after: id(6), limit: 9).map(\.id) == [id(9)])
            #expect(try rows.peopleToMail(of: id(1), after: nil, limit: 1).map(\.id) == [id(6)])
        },
        RowsRule("a cancellation outlives its meeting, and a wish for no mails does not") { rows in
            let announced = AnnouncedSession(aSession(1), of: aMeeting(1))
            var cancellation = Cancellation(of: announced, in: "ko")
            let key = IdentityKey("Kim@example.org")
            try rows.batch {
                try rows.insert(aMeeting(1))
                try rows.save(cancellation)
                try rows.unsubscribe(key, from: id(1))
                try rows.unsubscribe(key, from: id(1))
            }
            #expect(try rows.isUnsubscribed(IdentityKey("kim@EXAMPLE.org"), from: id(1)))
            #expect(try !rows.isUnsubscribed(key, from: id(2)))
            #expect(try !rows.isUnsubscribed(IdentityKey("lee@example.org"), from: id(1)))
            #expect(try rows.unsubscriptions(of: key) == [id(1)])
            try rows.batch { try rows.forgetUnsubscription(key, from: id(1)) }
            #expect(try !rows.isUnsubscribed(key, from: id(1)))
            try rows.batch {
                try rows.unsubscribe(key, from: id(1))
                try rows.delete(id(1) as MeetingID)
            }
            #expect(try !rows.isUnsubscribed(key, from: id(1)))
            cancellation.last = id(4)
            try rows.batch { try rows.save(cancellation) }
            #expect(try rows.cancellations(of: id(1), limit: 9) == [cancellation])
            #expect(try rows.cancellations(of: nil, limit: 9) == [cancellation])
            #expect(try rows.cancellations(of: id(2), limit: 9) == [])
            try rows.batch {
                try rows.deleteCancellation(of: id(1))
                try rows.unsubscribe(key, from: nil)
            }
            #expect(try rows.cancellations(of: nil, limit: 9) == [])
            #expect(try rows.isUnsubscribed(key, from: id(2)))
            #expect(try rows.unsubscriptions(of: key) == [nil])
            try rows.batch { try rows.forgetUnsubscription(key, from: nil) }
            #expect(try !rows.isUnsubscribed(key, from: id(2)))
        },
    ]
}
