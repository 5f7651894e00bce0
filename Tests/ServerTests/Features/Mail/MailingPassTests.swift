import Journal
import Meetings
import Testing

@testable import Server

@Suite(.timeLimit(.minutes(1))) struct MailingPassTests {
    @Test func `an account at its limit delays the reminders of no other account`() async throws {
        try await Site.open { site in
            try await site.storage.perform(
                Act { transaction throws(JournalError) in
                    func announce(_ numbers: Range<Int>, to recipient: String) throws(JournalError)
                        -> AccountID
                    {
                        let owner = try transaction.account("host-of-\(recipient)").id
                        for number in numbers {
                            // The ids rise with the numbers.
                            let meeting = Meeting(
                                id: .make(at: start + .milliseconds(number)), name: "Meeting",
                                createdAt: transaction.now)
                            let session = Session(
                                id: .make(at: transaction.now), meetingID: meeting.id, round: 1,
                                startsAt: at(60), endsAt: at(120), joinCode: JoinCode.random())
                            _ = try CreateMeeting(
                                meeting: meeting, session: session, sets: [], owner: owner,
                                allowOverlap: true
                            ).run(in: transaction)
                            _ = try AddPerson(
                                meeting: meeting.id,
                                draft: PersonDraft(name: "P", email: recipient, number: ""),
                                actor: owner
                            ).run(in: transaction)
                            _ = try EditMeeting(id: meeting.id, reminders: .english, actor: owner)
                                .run(in: transaction)
                        }
                        return owner
                    }
                    let hour = transaction.now.startOfHour
                    try transaction.rows.countMails(
                        AccountLimits().mostMailsPerDay, causedBy: announce(0..<60, to: "kim@example.org"),
                        in: hour, forgetting: hour - .hours(24))
                    _ = try announce(60..<61, to: "lee@example.org")
                })
            await site.pass(to: start + .seconds(1))
            try await eventually("the reminder of the other account") {
                try await site.storage.read { rows throws(JournalError) in
                    try rows.mailCount(
                        to: IdentityKey("lee@example.org"), of: .meetings, since: start, limit: 9) == 1
                }
            }
        }
    }

    @Test func `the pass mails the news of replies that had to wait`() async throws {
        try await Site.open { site in
            let session = try await site.cast().session
            try await site.storage.perform(
                Act { transaction throws(JournalError) in
                    let now = transaction.now
                    var settings = ReplySettings(session: session, mode: .open, code: "CODE")
                    for (number, from) in [now + .seconds(5), now + .hours(2)].enumerated() {
                        let reply = Reply(
                            id: .make(at: now), sessionID: session, name: "P\(number)",
                            identity: "p\(number)@example.org", status: .accepted, isProved: true,
                            language: "en", createdAt: now, news: .promoted, newsFrom: from)
                        settings.counts.add(reply)
                        try transaction.rows.insert(reply)
                    }
                    try transaction.rows.save(settings)
                })
            await site.pass(to: start + .seconds(20))
            func mails(_ number: Int) async throws -> Int {
                try await site.storage.read { rows throws(JournalError) in
                    try rows.mailCount(
                        to: IdentityKey("p\(number)@example.org"), of: .meetings, since: start, limit: 9)
                }
            }
            try await eventually("the news is in the queue") { try await mails(0) == 1 }
            #expect(try await mails(1) == 0)
        }
    }
}
