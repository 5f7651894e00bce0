import Journal
import Meetings
import Testing

private let token = "token-of-this-phone"

extension Stage {
    @discardableResult
    fileprivate func register(
        _ number: Int, for caller: RegisterDevice.Caller, token: String = token, language: String = "ko"
    ) async throws -> (device: Device, isNew: Bool) {
        try await perform(
            RegisterDevice(
                id: id(500 + number), caller: caller, platform: .fcm, token: token, language: language))
    }

    fileprivate func devices(of owner: OutgoingMail.Owner) async throws -> [DeviceID] {
        try await storage.read { rows throws(JournalError) in try rows.devices(of: owner).map(\.id) }
    }

    /// Does what the server's clock does: queues what is due. Each slice is one device or person.
    fileprivate func alert() async throws {
        for kind in Alert.Kind.ofDevices {
            let due = try await storage.read { [now] rows throws(JournalError) in
                try rows.sessionsToAlert(kind, in: kind.due(at: now), after: nil, limit: 9)
            }
            for session in due {
                var after: ID<Alert>?
                while true {
                    let last = after
                    let next = try await storage.read { rows throws(JournalError) in
                        try rows.next(kind, of: session.id, after: last)
                    }
                    let slice = ContinueAlert(
                        kind, of: session, after: last, next: Array(next.prefix(1)), hasMore: next.count > 1)
                    guard try await perform(slice) == .unfinished else { break }
                    after = next.first
                }
            }
        }
    }

    /// Leases and sends what is due. Returns the devices with the messages, ordered by device.
    @discardableResult
    fileprivate func sent() async throws -> [(to: DeviceID, message: PushMessage)] {
        let leased = try await perform(LeaseMails(on: .device, process: id(1), limit: 100))
        for mail in leased.leased {
            #expect(leased.devices[mail.id]?.id.text == mail.recipient)
            _ = try await perform(FinishMail(id: mail.id, process: id(1), outcome: .delivered))
        }
        return leased.leased.compactMap { mail in
            guard case .push(let message) = mail.content, let device = DeviceID(mail.recipient) else {
                return nil
            }
            return (device, message)
        }.sorted { $0.to < $1.to }
    }

    fileprivate func alerted() async throws -> [PushMessage] {
        try await alert()
        return try await sent().map(\.message)
    }

    /// Creates host 1 with a meeting whose roster has account 2, whose address is verified.
    fileprivate func rostered() async throws -> (host: AccountID, record: SessionRecord, member: Account) {
        let (host, record) = try await planned()
        var member = try await account(2)
        member.verified = true
        try await perform(
            Act { [member] transaction throws(JournalError) in try transaction.rows.update(member) })
        _ = try await add("Member", email: member.email.uppercased(), to: record.meeting.id, by: host)
        return (host, record, member)
    }

    /// Creates a session with groups of interest, in which two attendees take part.
    fileprivate func two() async throws -> (host: AccountID, session: SessionID, people: [Attendee]) {
        let (host, record) = try await planned()
        let session = record.session.id
        now = at(0)
        try await perform(EditMatchSettings(session: session, open: true, actor: host))
        var people: [Attendee] = []
        for number in 1...2 {
            people.append(try await arrive(number, in: session))
            try await perform(
                JoinMatching(
                    session: session, receipt: Receipt(for: people[number - 1]), nickname: "N\(number)",
                    keywords: ["chess"]))
        }
        return (host, session, people)
    }

    fileprivate func ask(_ other: Attendee, by person: Attendee) async throws -> MatchRequest {
        let profile = try await storage.read { rows throws(JournalError) in
            try rows.matchPerson(other.id)?.profile?.id
        }
        return try await perform(
            AskToMeet(
                session: person.sessionID, receipt: Receipt(for: person), to: try #require(profile))
        ).request
    }

    fileprivate func answer(_ request: MatchRequest, by person: Attendee, _ accepts: Bool) async throws {
        _ = try await perform(
            AnswerMatchRequest(
                session: person.sessionID, receipt: Receipt(for: person), request: request.id,
                accepts: accepts))
    }
}

extension CommandRule {
    static let devices: [CommandRule] = [
        CommandRule("the same token again is the same device, and each owner has ten at most") { stage in
            let host = try await stage.account(1).id
            let caller = RegisterDevice.Caller.account(host)
            let (first, isNew) = try await stage.register(0, for: caller)
            #expect(isNew && first.owner == .account(host) && first.language == "ko")
            let (again, isNewAgain) = try await stage.register(0, for: caller, language: "en")
            #expect(!isNewAgain && again.id == first.id && again.language == "en")
            for number in 1..<Device.mostOfOwner { try await stage.register(number, for: caller) }
            await expectRefused(.limitReached(.device, limit: Device.mostOfOwner)) {
                try await stage.register(10, for: caller)
            }
            // The limit of one owner leaves another one alone, also with the same token.
            let other = try await stage.account(2).id
            #expect(try await stage.register(20, for: .account(other)).isNew)
            await expectRefused(.notFound(.device)) {
                try await stage.perform(RemoveDevice(id: first.id, caller: .account(other)))
            }
            try await stage.perform(RemoveDevice(id: first.id, caller: caller))
            #expect(try await stage.register(0, for: caller).isNew)
        },
        CommandRule("an attendee's device ends with the receipts, the session or the feedback window") {
            stage in
            let (host, record) = try await stage.planned()
            stage.now = at(0)
            let people = [
                try await stage.arrive(1, in: record.session.id),
                try await stage.arrive(2, in: record.session.id),
                try await stage.arrive(3, in: record.session.id),
            ]
            let receipts = people.map { Receipt(for: $0) }
            for number in 0...2 { try await stage.register(number, for: .attendee(receipts[number])) }
            try await stage.perform(WithdrawCheckIn(receipt: receipts[0]))
            #expect(try await stage.devices(of: OutgoingMail.Owner(people[0].id)) == [])
            await expectRefused(.receiptNotValid) {
                try await stage.register(0, for: .attendee(receipts[0]))
            }
            try await stage.perform(
                CorrectAttendee(attendee: people[1].id, endsReceipts: true, actor: host))
            #expect(try await stage.devices(of: OutgoingMail.Owner(people[1].id)) == [])
            stage.now = record.session.feedbackClosesAt
            #expect(try await stage.perform(ForgetDevices()) == nil)
            #expect(try await stage.devices(of: OutgoingMail.Owner(people[2].id)) == [id(502)])
            stage.now = stage.now + millisecond
            await expectRefused(.sessionOver) { try await stage.register(9, for: .attendee(receipts[2])) }
            #expect(try await stage.perform(ForgetDevices()) == nil)
            #expect(try await stage.devices(of: OutgoingMail.Owner(people[2].id)) == [])
        },
        CommandRule("a merged attendee's device stays with its receipt, and a removal deletes it") { stage in
            let (host, record) = try await stage.planned()
            stage.now = at(0)
            let (kept, merged) = (
                try await stage.arrive(1, in: record.session.id),
                try await stage.arrive(2, in: record.session.id)
            )
            try await stage.register(1, for: .attendee(Receipt(for: merged)))
            try await stage.perform(MergeAttendees(attendee: merged.id, into: kept.id, actor: host))
            #expect(try await stage.devices(of: OutgoingMail.Owner(merged.id)) == [id(501)])
            #expect(try await !stage.register(1, for: .attendee(Receipt(for: merged))).isNew)
            try await stage.perform(RemoveAttendee(attendee: kept.id, actor: host))
            #expect(try await stage.devices(of: OutgoingMail.Owner(merged.id)) == [])
        },
        CommandRule("an account's devices end with its password and with the account") { stage in
            _ = try await stage.account(1)
            let account = try await stage.account(2)
            try await stage.register(1, for: .account(account.id))
            _ = try await stage.perform(ResetPassword(id: account.id, hash: "$new"))
            #expect(try await stage.devices(of: OutgoingMail.Owner(account.id)) == [])
            try await stage.register(1, for: .account(account.id))
            try await stage.perform(
                DeleteAccount(id: account.id, .dataFolder, confirmation: nil, meetings: .delete))
            #expect(try await stage.devices(of: OutgoingMail.Owner(account.id)) == [])
        },
        CommandRule("a request's answer reaches only the devices of the attendee who asked") { stage in
            let (_, session, people) = try await stage.two()
            for number in 0...1 {
                try await stage.register(number, for: .attendee(Receipt(for: people[number])))
            }
            // Another account whose address one of them has typed gets nothing.
            let other = try await stage.account(2).id
            try await stage.register(7, for: .account(other))
            let declined = try await stage.ask(people[1], by: people[0])
            #expect(try await stage.sent().isEmpty)
            try await stage.answer(declined, by: people[1], false)
            try await stage.answer(declined, by: people[1], false)
            var sent = try await stage.sent()
            #expect(sent.map(\.to) == [id(500)] && sent.map(\.message) == [.declined])
            let accepted = try await stage.ask(people[0], by: people[1])
            try await stage.answer(accepted, by: people[0], true)
            sent = try await stage.sent()
            #expect(sent.map(\.to) == [id(501)] && sent.map(\.message) == [.matched])
            // A request that its sender withdraws is no answer.
            try await stage.perform(EndMatching(.match, session: session, receipt: Receipt(for: people[0])))
            let withdrawn = try await stage.ask(people[0], by: people[1])
            try await stage.answer(withdrawn, by: people[1], false)
            #expect(try await stage.sent().isEmpty)
        },
        CommandRule("of two attendees who ask each other, the first one gets the message") { stage in
            let (_, _, people) = try await stage.two()
            for number in 0...1 {
                try await stage.register(number, for: .attendee(Receipt(for: people[number])))
            }
            _ = try await stage.ask(people[1], by: people[0])
            _ = try await stage.ask(people[1], by: people[0])
            #expect(try await stage.sent().isEmpty)
            _ = try await stage.ask(people[0], by: people[1])
            let sent = try await stage.sent()
            #expect(sent.map(\.to) == [id(500)] && sent.map(\.message) == [.matched])
        },
        CommandRule("a device gets 50 messages a day, also if its owner registers it again") { stage in
            let (_, session, people) = try await stage.two()
            let caller = RegisterDevice.Caller.attendee(Receipt(for: people[0]))
            try await stage.register(1, for: caller)
            let attendee = people[0].id
            func queue(_ count: Int) async throws {
                for _ in 0..<count {
                    try await stage.perform(
                        Act { transaction throws(JournalError) in
                            try transaction.devices.queue(.declined, to: attendee, in: session)
                        })
                }
            }
            try await queue(30)
            #expect(try await stage.sent().count == 30)
            try await stage.perform(RemoveDevice(id: id(501), caller: caller))
            try await stage.register(1, for: caller)
            try await queue(30)
            #expect(try await stage.sent().count == 20)
            stage.now = stage.now + .hours(24) - .minutes(1)
            try await queue(1)
            #expect(try await stage.sent().isEmpty)
        },
        CommandRule("a deleted device gets no message, and a token that is gone leaves every owner") {
            stage in
            let (_, _, people) = try await stage.two()
            let caller = RegisterDevice.Caller.attendee(Receipt(for: people[0]))
            try await stage.register(1, for: caller)
            try await stage.register(2, for: .attendee(Receipt(for: people[1])))
            let request = try await stage.ask(people[1], by: people[0])
            try await stage.answer(request, by: people[1], true)
            try await stage.perform(RemoveDevice(id: id(501), caller: caller))
            let leased = try await stage.perform(LeaseMails(on: .device, process: id(1), limit: 9))
            #expect(leased.leased.isEmpty && leased.unwanted == 1)
            try await stage.register(1, for: caller)
            #expect(try await stage.perform(RemoveGoneDevice(id(501))))
            #expect(try await stage.devices(of: OutgoingMail.Owner(people[1].id)) == [])
            #expect(try await !stage.perform(RemoveGoneDevice(id(501))))
        },
        CommandRule("the start reaches attendees' devices and awaited accounts, once for each moment") {
            stage in
            let (host, record, member) = try await stage.rostered()
            let session = record.session
            stage.now = session.checkInOpensAt
            let early = try await stage.arrive(5, in: session.id)
            try await stage.register(5, for: .attendee(Receipt(for: early)))
            try await stage.register(6, for: .attendee(Receipt(for: early)), token: "another-phone-of-them")
            try await stage.register(2, for: .account(member.id))
            // An account that is on no roster of the meeting.
            try await stage.register(3, for: .account(host))
            #expect(try await stage.alerted() == [.checkInOpens(at: session.checkInOpensAt)])
            #expect(try await stage.alerted() == [])
            stage.now = session.startsAt - millisecond
            #expect(try await stage.alerted() == [])
            stage.now = session.startsAt
            try await stage.alert()
            let sent = try await stage.sent()
            #expect(sent.map(\.to) == [id(502), id(505), id(506)])
            #expect(Set(sent.map(\.message)) == [.sessionStarts(at: session.startsAt)])
            #expect(try await stage.alerted() == [])
        },
        CommandRule("a device that is registered after the start gets no message about it") { stage in
            let session = try await stage.planned().record.session
            stage.now = session.startsAt + millisecond
            let person = try await stage.arrive(1, in: session.id)
            try await stage.register(1, for: .attendee(Receipt(for: person)))
            #expect(try await stage.alerted() == [])
        },
        CommandRule("a moved session is announced again at its new start, and never at the old one") {
            stage in
            let (host, record, member) = try await stage.rostered()
            try await stage.register(2, for: .account(member.id))
            stage.now = record.session.startsAt
            try await stage.alert()
            // The host moves the session before the message has left.
            let moved = record.session.startsAt + .minutes(20)
            try await stage.perform(
                EditSession(id: record.session.id, startsAt: moved, endsAt: moved + .minutes(60), actor: host)
            )
            #expect(try await stage.sent().isEmpty)
            stage.now = moved
            #expect(try await stage.alerted() == [.sessionStarts(at: moved)])
        },
        CommandRule("a late alert is discarded, and so is one that nobody wants any more") { stage in
            let (host, record, member) = try await stage.rostered()
            try await stage.register(2, for: .account(member.id))
            stage.now = record.session.startsAt + PushMessage.lifetime
            #expect(try await stage.alerted() == [])
            let next = try await stage.meeting(of: host, name: "Other", from: 200, to: 260)
            _ = try await stage.add("Member", email: member.email, to: next.meeting.id, by: host)
            stage.now = next.session.startsAt
            try await stage.alert()
            var silent = member
            silent.profile.notifications = false
            try await stage.perform(
                Act { [silent] transaction throws(JournalError) in try transaction.rows.update(silent) })
            #expect(try await stage.sent().isEmpty)
        },
        CommandRule("a slice that another node has queued queues nothing") { stage in
            let (_, record, member) = try await stage.rostered()
            try await stage.register(2, for: .account(member.id))
            stage.now = record.session.startsAt
            let session = SessionToAlert(record.session.id, at: record.session.startsAt)
            let next = try await stage.storage.read { rows throws(JournalError) in
                try rows.next(.startForAccounts, of: session.id, after: nil)
            }
            let slice = ContinueAlert(.startForAccounts, of: session, after: nil, next: next, hasMore: true)
            #expect(try await stage.perform(slice) == .unfinished)
            #expect(try await stage.perform(slice) == .elsewhere)
            #expect(try await stage.sent().count == 1)
        },
    ]
}
