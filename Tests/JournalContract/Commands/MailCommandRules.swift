import Journal
import Meetings
import Testing

/// A command that queues mails, as the commands of the product do.
private struct QueueMails: Command {
    let mails: [OutgoingMail]
    var thenRefuses = false

    func run(in transaction: Transaction) throws(JournalError) -> Int {
        var queued = 0
        for mail in mails where try transaction.mails.queue(mail) { queued += 1 }
        if thenRefuses { throw .refused(.notAllowed) }
        return queued
    }
}

extension Stage {
    fileprivate func mail(
        _ number: Int, to recipient: String? = nil, from: Duration = .zero, until: Duration = .minutes(10)
    ) -> OutgoingMail {
        OutgoingMail(
            id: id(number), to: recipient ?? "p\(number)@example.org", language: "en",
            .passwordReset(code: "123456", path: "/r"), notBefore: now + from, expiresAt: now + until,
            owner: nil)
    }

    fileprivate func lease(by process: Int = 1, limit: Int = 100) async throws -> [MailID] {
        try await perform(LeaseMails(process: id(process), limit: limit)).leased.map(\.id)
    }

    fileprivate func finish(
        _ number: Int, _ outcome: MailDelivery.Outcome, by process: Int = 1
    ) async throws -> MailDelivery? {
        try await perform(FinishMail(id: id(number), process: id(process), outcome: outcome, chance: 0.5))?
            .delivery
    }

    fileprivate func delivery(_ number: Int) async throws -> MailDelivery? {
        try await storage.read { rows throws(JournalError) in try rows.mail(id(number))?.delivery }
    }
}

extension CommandRule {
    static let mails: [CommandRule] = [
        CommandRule("a mail is queued exactly if the change that causes it is stored, and wakes the sender") {
            stage in
            await expectRefused(.notAllowed) {
                try await stage.perform(QueueMails(mails: [stage.mail(1)], thenRefuses: true))
            }
            #expect(try await stage.delivery(1) == nil)
            let queued = try await stage.perform(QueueMails(mails: [stage.mail(1)]))
            #expect(queued == 1)
            #expect(stage.announced.batches.last?.hasQueuedMail == true)
            #expect(try await stage.lease() == [id(1)])
            #expect(stage.announced.batches.last?.hasQueuedMail == false)
        },
        CommandRule("one address gets ten codes in 24 hours, and other addresses get theirs") { stage in
            let most = OutgoingMail.Quota.codes.mostPerDay
            let many = (1...most + 2).map { stage.mail($0, to: $0 % 2 == 0 ? "a@b.example" : "A@B.example") }
            let queued = try await stage.perform(QueueMails(mails: many))
            #expect(queued == most)
            #expect(try await stage.perform(QueueMails(mails: [stage.mail(500)])) == 1)
            stage.now = stage.now + .hours(24)
            #expect(
                try await stage.perform(QueueMails(mails: [stage.mail(501, to: "a@b.example")])) == 0)
            stage.now = stage.now + millisecond
            #expect(
                try await stage.perform(QueueMails(mails: [stage.mail(501, to: "a@b.example")])) == 1)
        },
        CommandRule("a leased mail belongs to one process until its lease ends") { stage in
            try await stage.perform(QueueMails(mails: [stage.mail(1), stage.mail(2, from: .minutes(1))]))
            #expect(try await stage.lease() == [id(1)])
            #expect(try await stage.lease(by: 2) == [])
            #expect(try await stage.finish(1, .delivered, by: 2) == nil)
            stage.now = stage.now + MailDelivery.leaseLength
            #expect(try await stage.lease(by: 2) == [id(2), id(1)])
            // The first process was too slow: its result no longer counts.
            #expect(try await stage.finish(1, .delivered) == nil)
            #expect(try await stage.finish(1, .delivered, by: 2)?.state == .sent)
            #expect(try await stage.delivery(1)?.attempts == 2)
        },
        CommandRule("a deferred mail waits longer each time, and expires in time") { stage in
            try await stage.perform(QueueMails(mails: [stage.mail(1, until: .seconds(20))]))
            for pause in [5, 10] {
                #expect(try await stage.lease() == [id(1)])
                let delivery = try await stage.finish(1, .deferred(reply: "421 later"))
                #expect(delivery?.state == .waiting && delivery?.reply == "421 later")
                #expect(delivery?.nextAttempt == stage.now + .seconds(pause))
                stage.now = stage.now + .seconds(pause)
            }
            #expect(try await stage.lease() == [id(1)])
            let last = try await stage.finish(1, .deferred(reply: "421 later"))
            #expect(last?.state == .expired && last?.attempts == 3)
        },
        CommandRule("a mail that has expired in the queue is not leased") { stage in
            try await stage.perform(QueueMails(mails: [stage.mail(1)]))
            stage.now = stage.now + .minutes(10)
            let outcome = try await stage.perform(LeaseMails(process: id(1), limit: 9))
            #expect(outcome.leased == [] && outcome.expired.map(\.id) == [id(1)])
            #expect(outcome.expired.first?.delivery == (try await stage.delivery(1)))
            #expect(try await stage.delivery(1)?.state == .expired)
        },
        CommandRule("a refused mail ends, and the operator can retry or drop it") { stage in
            try await stage.perform(QueueMails(mails: [stage.mail(1), stage.mail(2)]))
            _ = try await stage.lease()
            #expect(try await !stage.perform(RetryMail(id: id(1))))
            #expect(try await !stage.perform(DropMail(id: id(1))))
            for number in 1...2 {
                #expect(try await stage.finish(number, .refused(reply: "550\nno"))?.reply == "550 no")
            }
            #expect(try await stage.lease() == [])
            #expect(try await stage.perform(RetryMail(id: id(1))))
            #expect(try await stage.lease() == [id(1)])
            #expect(try await stage.perform(DropMail(id: id(2))))
            #expect(try await !stage.perform(RetryMail(id: id(2))))
            #expect(try await !stage.perform(RetryMail(id: id(3))))
            stage.now = stage.now + Retention().mails
            #expect(try await stage.perform(ForgetMails(limit: 10)) == 0)
            stage.now = stage.now + millisecond
            #expect(try await stage.perform(ForgetMails(limit: 10)) == 1)
        },
        CommandRule("a process gives up its leases at its end, and those of crashed ones at its start") {
            stage in
            try await stage.perform(QueueMails(mails: [stage.mail(1), stage.mail(2)]))
            #expect(try await stage.lease(limit: 1) == [id(1)])
            #expect(try await stage.lease(by: 2) == [id(2)])
            try await stage.perform(ReleaseMails(.process(id(1))))
            #expect(try await stage.lease(by: 3) == [id(1)])
            try await stage.perform(ReleaseMails(.everybodyBut(id(4))))
            #expect(try await stage.lease(by: 4) == [id(1), id(2)])
        },
    ]
}
