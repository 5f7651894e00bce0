import Journal
import Meetings
import Testing

/// The waiting deliveries of all web hooks.
private struct Waiting: Hashable {
    let count: Int
    let oldest: Instant?
}

extension Stage {
    fileprivate func hook(
        _ number: Int = 1, of meeting: MeetingID, by host: AccountID, _ events: WebhookEvents = .all
    ) async throws -> Webhook {
        try await perform(
            AddWebhook(
                id: id(700 + number), meeting: meeting, url: "https://example.org/\(number)", events: events,
                secret: [1, 2, 3], actor: host))
    }

    fileprivate func lease(_ hook: Webhook) async throws -> LeaseMails.Outcome {
        try await perform(LeaseMails(on: .hook(hook.id), process: id(1), limit: 100))
    }

    /// Leases what is due, and stores that all of it arrived. Returns the records of the requests, the
    /// smallest sequence first.
    @discardableResult
    fileprivate func delivered(_ hook: Webhook) async throws -> [WebhookDelivery] {
        var found: [WebhookDelivery] = []
        for mail in try await lease(hook).leased {
            let read = try await storage.read { rows throws(JournalError) -> WebhookDelivery? in
                guard case .hook(let message) = mail.content else { return nil }
                return try rows.delivery(of: mail, message)
            }
            found.append(try #require(read))
            try await perform(FinishMail(id: mail.id, process: id(1), outcome: .delivered))
        }
        return found.sorted { $0.message.sequence ?? 0 < $1.message.sequence ?? 0 }
    }

    /// Leases what is due, and stores that the receiver does not take the first of it.
    fileprivate func fail(_ hook: Webhook, after pause: Duration, pausesHook: Bool) async throws {
        let mail = try #require(try await lease(hook).leased.first)
        try await perform(
            FinishMail(
                id: mail.id, process: id(1), outcome: .deferred(reply: "429"), retryAfter: pause,
                pausesHook: pausesHook))
    }

    /// The web hooks with due deliveries.
    fileprivate func due() async throws -> [WebhookID] {
        try await storage.read { [now] rows throws(JournalError) in
            try rows.dueWebhooks(at: now, after: nil, limit: 9).map(\.id)
        }
    }

    fileprivate func waiting(_ limit: Int) async throws -> Waiting {
        try await storage.read { rows throws(JournalError) in
            Waiting(
                count: try rows.waitingDeliveries(limit: limit), oldest: try rows.oldestWaitingDelivery())
        }
    }

    fileprivate func end(of hook: Webhook) async throws -> Webhook.End? {
        try await storage.read { rows throws(JournalError) in try rows.webhook(hook.id)?.end }
    }

    /// Queues so many tests.
    fileprivate func fill(_ hook: Webhook, to count: Int) async throws {
        try await perform(
            Act { [now] transaction throws(JournalError) in
                for _ in 0..<count {
                    let mail = OutgoingMail(
                        to: hook.id.text, language: "en", .hook(.init(.test, at: now)), notBefore: now,
                        expiresAt: now + .hours(1), owner: OutgoingMail.Owner(hook.id),
                        meeting: hook.meeting)
                    try transaction.rows.insert(mail, at: now)
                }
            })
    }

    fileprivate func log(_ hook: Webhook) async throws -> [LoggedDelivery] {
        try await storage.read { rows throws(JournalError) in
            try rows.deliveries(of: hook.id, before: nil, limit: 100)
        }
    }

    /// Returns the records of the request about the only response.
    fileprivate func response(anonymous: Bool) async throws -> WebhookDelivery {
        let (host, session) = try await running(anonymous: anonymous)
        let meeting = try #require(try await record(session)).meeting.id
        let hook = try await hook(of: meeting, by: host, [.response].set)
        try await respond(try await arrive(1, in: session), [stars.id: .rating(4)])
        return try #require(try await delivered(hook).first)
    }

    fileprivate func moments() async throws {
        for kind in Alert.Kind.ofHooks {
            let due = try await storage.read { [now] rows throws(JournalError) in
                try rows.sessionsToAlert(kind, in: kind.due(at: now), after: nil, limit: 9)
            }
            for session in due { try await perform(QueueSessionMoment(kind, of: session)) }
        }
    }
}

extension CommandRule {
    static let webhooks: [CommandRule] = [
        CommandRule("a web hook gets the events that it wants, with their numbers in the session") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            _ = try await stage.arrive(1, in: session)
            let all = try await stage.hook(1, of: record.meeting.id, by: host)
            let corrections = try await stage.hook(2, of: record.meeting.id, by: host, [.corrected].set)
            let person = try await stage.arrive(2, in: session)
            let got = try await stage.delivered(all)
            #expect(got.map(\.message.event) == [.checkIn])
            #expect(got.first?.event?.attendeeID == person.id)
            #expect(got.first?.message.sequence == got.first?.event?.sequence)
            #expect(got.first?.attendee?.name == person.name)
            #expect(try await stage.delivered(corrections).isEmpty)
            #expect(try await stage.record(session)?.meeting.hooked == .all)
            #expect(try await stage.delivered(all).isEmpty, "nothing is sent twice")
        },
        CommandRule("a meeting without web hooks queues nothing") { stage in
            let (host, record) = try await stage.planned()
            let hook = try await stage.hook(of: record.meeting.id, by: host)
            let other = try await stage.meeting(of: host, name: "Other", allowOverlap: true)
            stage.now = at(0)
            _ = try await stage.arrive(1, in: other.session.id)
            #expect(try await stage.log(hook).isEmpty)
            try await stage.perform(RemoveWebhook(id: hook.id, meeting: record.meeting.id, actor: host))
            #expect(try await stage.record(record.session.id)?.meeting.hooked == [])
            _ = try await stage.arrive(1, in: record.session.id)
            #expect(try await stage.log(hook).isEmpty)
        },
        CommandRule("failed deliveries follow the standard's schedule, with one id, and then end") { stage in
            let (host, record) = try await stage.planned()
            let hook = try await stage.hook(of: record.meeting.id, by: host)
            stage.now = at(0)
            _ = try await stage.arrive(1, in: record.session.id)
            var ids: Set<MailID> = []
            for pause in WebhookMessage.pauses {
                let mail = try #require(try await stage.lease(hook).leased.first)
                ids.insert(mail.id)
                try await stage.perform(
                    FinishMail(id: mail.id, process: id(1), outcome: .deferred(reply: "500")))
                stage.now = stage.now + pause - .milliseconds(1)
                #expect(try await stage.lease(hook).leased.isEmpty, "too early after \(pause)")
                stage.now = stage.now + .milliseconds(1)
            }
            let last = try #require(try await stage.lease(hook).leased.first)
            ids.insert(last.id)
            #expect(ids.count == 1)
            let ended = try await stage.perform(
                FinishMail(id: last.id, process: id(1), outcome: .deferred(reply: "500")))
            #expect(ended?.delivery.state == .expired)
            #expect(ended?.delivery.attempts == 10)
            // A host can still send it.
            try await stage.perform(
                RetryWebhook(id: hook.id, meeting: record.meeting.id, delivery: last.id, actor: host))
            #expect(try await stage.lease(hook).leased.map(\.id) == [last.id])
        },
        CommandRule("a receiver can ask for a longer pause") { stage in
            let (host, record) = try await stage.planned()
            let hook = try await stage.hook(of: record.meeting.id, by: host)
            stage.now = at(0)
            _ = try await stage.arrive(1, in: record.session.id)
            let mail = try #require(try await stage.lease(hook).leased.first)
            try await stage.perform(
                FinishMail(
                    id: mail.id, process: id(1), outcome: .deferred(reply: "429"), retryAfter: .minutes(9)))
            stage.now = at(9) - .milliseconds(1)
            #expect(try await stage.lease(hook).leased.isEmpty)
            stage.now = at(9)
            #expect(try await stage.lease(hook).leased.map(\.id) == [mail.id])
        },
        CommandRule("a receiver that is busy pauses its web hook on all servers, and a retry ends the pause")
        {
            stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let busy = try await stage.hook(1, of: meeting, by: host, [.checkIn].set)
            let other = try await stage.hook(2, of: meeting, by: host, [.checkIn].set)
            let test = TestWebhook(id: busy.id, meeting: meeting, actor: host)
            stage.now = at(0)
            _ = try await stage.arrive(1, in: record.session.id)
            // A failure of one event pauses no others.
            try await stage.fail(busy, after: .minutes(60), pausesHook: false)
            #expect(try await stage.perform(test).pausedUntil == nil)
            #expect(try await stage.due() == [busy.id, other.id])
            try await stage.fail(busy, after: .minutes(60), pausesHook: true)
            #expect(try await stage.perform(test).pausedUntil == at(60))
            _ = try await stage.arrive(2, in: record.session.id)
            #expect(try await stage.due() == [other.id])
            stage.now = at(1)
            let again = try await stage.perform(
                RetryWebhook(id: busy.id, meeting: meeting, delivery: nil, actor: host))
            // The host knows that the receiver works again.
            #expect(again.pauseEnd(at: stage.now) == nil)
            #expect(try await stage.due() == [busy.id, other.id])
            try await stage.fail(busy, after: .minutes(60), pausesHook: true)
            #expect(try await stage.perform(test).pausedUntil == at(61))
            // Another server that is still sending stops, too.
            #expect(try await stage.lease(busy).leased.isEmpty)
            #expect(try await stage.due() == [other.id])
            stage.now = at(61)
            #expect(try await stage.perform(test).pausedUntil == nil)
            #expect(try await stage.due() == [busy.id, other.id])
        },
        CommandRule("a web hook ends when its creator is no host any more, and sends nothing that waited") {
            stage in
            let (owner, record) = try await stage.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            let host = try await stage.account(2).id
            try await stage.makeHost(host, of: meeting)
            let (kept, ended) = (
                try await stage.hook(1, of: meeting, by: owner),
                try await stage.hook(2, of: meeting, by: host, [.checkIn].set)
            )
            stage.now = at(0)
            _ = try await stage.arrive(1, in: session)
            try await stage.perform(
                ChangeRole(meeting: meeting, account: host, role: .viewer, actor: owner))
            #expect(try await stage.lease(ended).leased.isEmpty)
            #expect(try await stage.log(ended).isEmpty)
            _ = try await stage.arrive(2, in: session)
            #expect(try await stage.delivered(kept).map(\.message.event) == [.checkIn, .checkIn])
            await expectRefused(.notAllowed) { try await stage.hook(3, of: meeting, by: host) }
        },
        CommandRule("an anonymous response is sent without its person and its answers") { stage in
            let got = try await stage.response(anonymous: true)
            #expect(got.event?.kind == .responded)
            #expect(got.event?.attendeeID == nil)
            #expect(got.attendee == nil)
            #expect(got.response == nil)
        },
        CommandRule("a response with a name is sent with its person and its answers") { stage in
            let got = try await stage.response(anonymous: false)
            #expect(got.event?.kind == .responded)
            #expect(got.attendee?.id == got.event?.attendeeID)
            #expect(got.attendee != nil)
            #expect(got.response?.response.answers == [stars.id: .rating(4)])
        },
        CommandRule("no attempt sends what was erased") { stage in
            let (host, record) = try await stage.planned()
            let hook = try await stage.hook(of: record.meeting.id, by: host, [.checkIn].set)
            stage.now = at(0)
            let person = try await stage.arrive(1, in: record.session.id)
            let mail = try #require(try await stage.lease(hook).leased.first)
            try await stage.perform(
                FinishMail(id: mail.id, process: id(1), outcome: .deferred(reply: "500")))
            try await stage.perform(
                Act { transaction throws(JournalError) in try transaction.rows.delete(person.id) })
            stage.now = at(1)
            let again = try #require(try await stage.delivered(hook).first)
            #expect(again.event?.attendeeID == person.id)
            #expect(again.attendee == nil)
        },
        CommandRule("each moment of a session is sent once, and again if the session moves") { stage in
            let (host, record) = try await stage.planned()
            let hook = try await stage.hook(
                of: record.meeting.id, by: host, [.sessionStarted, .sessionEnded].set)
            stage.now = at(1)
            for _ in 1...2 { try await stage.moments() }
            #expect(try await stage.delivered(hook).map(\.message.event) == [.sessionStarted])
            _ = try await stage.edit(record.session.id, by: host, from: 10, to: 60)
            stage.now = at(11)
            for _ in 1...2 { try await stage.moments() }
            #expect(try await stage.delivered(hook).map(\.message.event) == [.sessionStarted])
            stage.now = at(61)
            for _ in 1...2 { try await stage.moments() }
            #expect(try await stage.delivered(hook).map(\.message.event) == [.sessionEnded])
        },
        CommandRule("a meeting has a limited number of web hooks, and a deleted one makes room") { stage in
            let (host, record) = try await stage.planned()
            for number in 1...Webhook.mostOfMeeting {
                _ = try await stage.hook(number, of: record.meeting.id, by: host)
            }
            await expectRefused(.limitReached(.webhook, limit: Webhook.mostOfMeeting)) {
                try await stage.hook(9, of: record.meeting.id, by: host)
            }
            try await stage.perform(RemoveWebhook(id: id(701), meeting: record.meeting.id, actor: host))
            _ = try await stage.hook(9, of: record.meeting.id, by: host)
        },
        CommandRule("the action log has each change of a web hook, and two rotations keep the first secret") {
            stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let hook = try await stage.hook(of: meeting, by: host)
            for secret: [UInt8] in [[1], [2]] {
                let rotated = try await stage.perform(
                    RotateWebhook(id: hook.id, meeting: meeting, secret: secret, actor: host))
                #expect(rotated.secret == secret && rotated.previousSecret == hook.secret)
            }
            try await stage.perform(RemoveWebhook(id: hook.id, meeting: meeting, actor: host))
            let actions = try await stage.storage.read { rows throws(JournalError) in
                try rows.actions(in: meeting, before: nil, limit: 9)
            }
            // Actions of the same moment have no order.
            let kinds: [ActionRecord.Kind] = [
                .webhookAdded, .webhookRotated, .webhookRotated, .webhookDeleted,
            ]
            #expect(actions.map(\.kind.rawValue).sorted() == kinds.map(\.rawValue))
        },
        CommandRule("too many waiting deliveries disable the web hook until a host enables it") { stage in
            let (host, record) = try await stage.planned()
            let hook = try await stage.hook(of: record.meeting.id, by: host)
            try await stage.fill(hook, to: Webhook.mostWaiting)
            stage.now = at(0)
            _ = try await stage.arrive(1, in: record.session.id)
            _ = try await stage.arrive(2, in: record.session.id)
            #expect(try await stage.end(of: hook) == .tooManyWaiting)
            #expect(try await stage.record(record.session.id)?.meeting.hooked == [])
            let again = try await stage.perform(
                RetryWebhook(id: hook.id, meeting: record.meeting.id, delivery: nil, actor: host))
            #expect(again.end == nil)
            // Many deliveries are deleted in steps.
            try await stage.perform(RemoveWebhook(id: hook.id, meeting: record.meeting.id, actor: host))
            while try await stage.perform(ForgetWebhooks()) {}
            #expect(try await stage.log(hook).isEmpty)
        },
        CommandRule(
            "switched off, a meeting gets no web hook, and those that exist stay and get no events",
            limits: AccountLimits(webhooks: .off)
        ) { stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            await expectRefused(.webhooksOff) { try await stage.hook(of: meeting, by: host) }
            // The operator has switched them off later.
            let hook = Webhook(
                id: id(709), meeting: meeting, createdBy: host, url: "https://example.org/", events: .all,
                secret: [1], createdAt: stage.now)
            try await stage.perform(
                Act { transaction throws(JournalError) in
                    try transaction.rows.insert(hook)
                    try transaction.rows.setHooked(.all, of: meeting)
                })
            stage.now = at(0)
            _ = try await stage.arrive(1, in: record.session.id)
            try await stage.moments()
            #expect(try await stage.log(hook).isEmpty)
            await expectRefused(.webhooksOff) {
                try await stage.perform(TestWebhook(id: hook.id, meeting: meeting, actor: host))
            }
            await expectRefused(.webhooksOff) {
                try await stage.perform(
                    RetryWebhook(id: hook.id, meeting: meeting, delivery: nil, actor: host))
            }
            let stored = try await stage.storage.read { rows throws(JournalError) in
                try rows.webhook(hook.id)
            }
            #expect(stored == hook)
            try await stage.perform(RemoveWebhook(id: hook.id, meeting: meeting, actor: host))
        },
        CommandRule("waiting deliveries are counted up to a limit, and the oldest is found") { stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let hooks = [
                try await stage.hook(1, of: meeting, by: host),
                try await stage.hook(2, of: meeting, by: host),
            ]
            #expect(try await stage.waiting(10) == Waiting(count: 0, oldest: nil))
            for minute in 0...2 {
                stage.now = at(minute)
                _ = try await stage.arrive(minute + 1, in: record.session.id)
            }
            #expect(try await stage.waiting(10) == Waiting(count: 6, oldest: at(0)))
            #expect(try await stage.waiting(4) == Waiting(count: 4, oldest: at(0)))
            for hook in hooks { try await stage.delivered(hook) }
            #expect(try await stage.waiting(10) == Waiting(count: 0, oldest: nil))
        },
        CommandRule("the data of an account has its web hooks, and no deleted one and no other host's") {
            stage in
            let (owner, record) = try await stage.planned()
            let meeting = record.meeting.id
            let host = try await stage.account(2).id
            try await stage.makeHost(host, of: meeting)
            let own = try await stage.hook(1, of: meeting, by: host, [.checkIn].set)
            _ = try await stage.hook(2, of: meeting, by: owner)
            _ = try await stage.hook(3, of: meeting, by: host)
            try await stage.perform(RemoveWebhook(id: id(703), meeting: meeting, actor: host))
            let data = try await stage.storage.read { rows throws(JournalError) in
                try rows.data(ofAccount: host)
            }
            #expect(data?.webhooks.map(\.hook) == [own])
            #expect(data?.webhooks.map(\.meeting.id) == [meeting])
        },
        CommandRule("web hooks that come and go between check-ins get exactly the events of their time") {
            stage in
            let (host, record) = try await stage.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            stage.now = at(0)
            let first = try await stage.hook(1, of: meeting, by: host)
            _ = try await stage.arrive(1, in: session)
            // The meeting wants the same events before and after.
            let second = try await stage.hook(2, of: meeting, by: host)
            _ = try await stage.arrive(2, in: session)
            try await stage.perform(RemoveWebhook(id: first.id, meeting: meeting, actor: host))
            let third = try await stage.hook(3, of: meeting, by: host)
            _ = try await stage.arrive(3, in: session)
            #expect(try await stage.log(first).isEmpty)
            #expect(try await stage.log(second).count == 2)
            #expect(try await stage.log(third).count == 1)
        },
        CommandRule("a suspended host's web hooks get no events, and get them again with the account") {
            stage in
            let (owner, record) = try await stage.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            let host = try await stage.account(2).id
            try await stage.makeHost(host, of: meeting)
            let own = try await stage.hook(1, of: meeting, by: host)
            let other = try await stage.hook(2, of: meeting, by: owner)
            stage.now = at(0)
            _ = try await stage.arrive(1, in: session)
            _ = try await stage.perform(SuspendAccount(id: host))
            _ = try await stage.arrive(2, in: session)
            #expect(try await stage.log(own).count == 1)
            _ = try await stage.perform(ResumeAccount(id: host))
            _ = try await stage.arrive(3, in: session)
            #expect(try await stage.log(own).count == 2)
            #expect(try await stage.log(other).count == 3)
        },
        CommandRule("deliveries that a failed batch or a refused command queued are not counted") { stage in
            let (host, record) = try await stage.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            let hook = try await stage.hook(of: meeting, by: host, [.checkIn].set)
            stage.now = at(0)
            // One event less than the limit waits.
            try await stage.fill(hook, to: Webhook.mostWaiting - 2)
            _ = try await stage.arrive(1, in: session)
            for _ in 1...3 {
                await expectRefused(.notAllowed) {
                    try await stage.perform(
                        Act { transaction throws(JournalError) in
                            try transaction.record(.checkedIn, in: session, by: .server)
                            throw .refused(.notAllowed)
                        })
                }
            }
            _ = try await stage.arrive(2, in: session)
            #expect(try await stage.end(of: hook) == nil)
            // Deliveries that have ended make room, although the writer remembers more.
            for mail in try await stage.lease(hook).leased.prefix(2) {
                try await stage.perform(FinishMail(id: mail.id, process: id(1), outcome: .delivered))
            }
            _ = try await stage.arrive(3, in: session)
            _ = try await stage.arrive(4, in: session)
            #expect(try await stage.end(of: hook) == nil)
            _ = try await stage.arrive(5, in: session)
            #expect(try await stage.end(of: hook) == .tooManyWaiting)
        },
        CommandRule("a receiver that is gone disables the web hook") { stage in
            let (host, record) = try await stage.planned()
            let hook = try await stage.hook(of: record.meeting.id, by: host)
            try await stage.perform(DisableGoneWebhook(hook.id))
            stage.now = at(0)
            _ = try await stage.arrive(1, in: record.session.id)
            #expect(try await stage.log(hook).isEmpty)
            await expectRefused(.notFound(.webhook)) {
                try await stage.perform(
                    TestWebhook(id: hook.id, meeting: record.meeting.id, actor: host))
            }
        },
        CommandRule("the deletion of a meeting deletes its web hooks and their deliveries") { stage in
            let (host, record) = try await stage.planned()
            let hook = try await stage.hook(of: record.meeting.id, by: host)
            stage.now = at(0)
            _ = try await stage.arrive(1, in: record.session.id)
            try await stage.perform(
                DeleteMeeting(id: record.meeting.id, confirmation: record.meeting.name, actor: host))
            #expect(try await stage.lease(hook).leased.isEmpty)
            #expect(try await stage.log(hook).isEmpty)
        },
    ]
}

extension [WebhookEvent] {
    fileprivate var set: WebhookEvents { WebhookEvents(self) }
}
