import Journal
import Meetings
import Synchronization
import Testing

private let day = 24 * 60

extension Stage {
    /// Creates host 1 and a meeting of host 1 with these people on its roster, two days before its session.
    fileprivate func announced(_ people: Int = 2, from: Int = 2 * day, reminders: Reminders = .korean)
        async throws -> (host: AccountID, record: SessionRecord)
    {
        let host = try await account(1).id
        let record = try await meeting(of: host, from: from, to: from + 60)
        for number in 1...people {
            _ = try await add(
                "P\(number)", email: "P\(number)@Example.org", to: record.meeting.id, by: host)
        }
        _ = try await add("No address", email: "", to: record.meeting.id, by: host)
        try await perform(EditMeeting(id: record.meeting.id, reminders: reminders, actor: host))
        return (host, record)
    }

    /// Does what the server's clock does: queues what is due, in slices of one person.
    fileprivate func mailing() async throws {
        for kind in Mailing.Kind.toRosters {
            let due = try await storage.read { [now] rows throws(JournalError) in
                try rows.sessionsToMail(kind, in: kind.due(at: now), after: nil, limit: 9)
            }
            for session in due {
                while try await perform(ContinueMailing(kind, of: session.id, limit: 1)) == .unfinished {}
            }
        }
        while try await !perform(ContinueCancellations(limit: 1)) {}
    }

    /// Queues and sends what is due. Returns the languages of the mails.
    fileprivate func languages() async throws -> Set<String> {
        try await mailing()
        let leased = try await perform(LeaseMails(process: id(1), limit: 100)).leased
        for mail in leased {
            _ = try await perform(FinishMail(id: mail.id, process: id(1), outcome: .delivered))
        }
        return Set(leased.map(\.language))
    }

    /// Leases and sends what is due. Returns the recipients with the contents, ordered by recipient.
    @discardableResult
    fileprivate func sent() async throws -> [(to: String, content: OutgoingMail.Content)] {
        let leased = try await perform(LeaseMails(process: id(1), limit: 100)).leased
        for mail in leased {
            _ = try await perform(FinishMail(id: mail.id, process: id(1), outcome: .delivered))
        }
        return leased.map { ($0.recipient, $0.content) }.sorted { $0.0 < $1.0 }
    }

    /// Invites the address by mail. Returns what the owner learns about the mail.
    fileprivate func invite(_ email: String, to meeting: MeetingID, by owner: AccountID) async throws -> Bool?
    {
        let invite = InviteMember(
            meeting: meeting, email: email, role: .viewer, actor: owner,
            mail: InviteMember.Mail(language: "ko") { _ in "/host" })
        return try await perform(invite).1.isMailed
    }

    fileprivate func verify(_ account: Account) async throws {
        try await perform(
            Act { transaction throws(JournalError) in
                var verified = account
                verified.verified = true
                try transaction.rows.update(verified)
            })
    }

    /// Creates a meeting of host 1 with host 2 as another owner, who is no operator.
    fileprivate func secondOwner() async throws -> (meeting: MeetingID, owner: Account) {
        let (host, record) = try await planned()
        let second = try await account(2)
        let (invitation, _) = try await perform(
            InviteMember(meeting: record.meeting.id, email: second.email, role: .owner, actor: host))
        try await perform(AcceptInvitation(invitation: invitation.id, hasLink: true, actor: second.id))
        return (record.meeting.id, second)
    }

    fileprivate func mailed() async throws -> [OutgoingMail.Kind] {
        try await mailing()
        return try await sent().map(\.content.kind)
    }
}

extension CommandRule {
    static let mailings: [CommandRule] = [
        CommandRule("people on the roster are reminded a day and an hour before, once each") { stage in
            let (_, record) = try await stage.announced()
            stage.now = record.session.startsAt - .hours(24) - millisecond
            #expect(try await stage.mailed() == [])
            stage.now = stage.now + millisecond
            try await stage.mailing()
            let leased = try await stage.perform(LeaseMails(process: id(1), limit: 9))
            #expect(leased.leased.map(\.recipient).sorted() == ["P1@Example.org", "P2@Example.org"])
            #expect(leased.leased.allSatisfy { $0.language == "ko" })
            #expect(leased.leased.first?.content == .reminder(startsAt: record.session.startsAt))
            #expect(
                leased.sessions[record.session.id]
                    == AnnouncedSession(
                        record.session, of: try #require(try await stage.record(record.session.id)).meeting))
            #expect(try await stage.mailed() == [])
            stage.now = record.session.startsAt - .hours(1)
            _ = try await stage.perform(ReleaseMails(.process(id(1))))
            #expect(try await stage.mailed() == [.reminder, .reminder])
            #expect(try await stage.mailed() == [])
        },
        CommandRule("mails are in the meeting's language, and in English if it has none") { stage in
            let (host, record) = try await stage.announced(reminders: .on)
            let meeting = record.meeting.id
            stage.now = record.session.startsAt - .hours(24)
            #expect(try await stage.languages() == ["en"])
            try await stage.perform(EditMeeting(id: meeting, language: .value("de"), actor: host))
            stage.now = record.session.startsAt - .hours(1)
            #expect(try await stage.languages() == ["de"])
            #expect(try #require(try await stage.record(record.session.id)).meeting.mailLanguage == "de")
            try await stage.perform(EditMeeting(id: meeting, reminders: .korean, actor: host))
            #expect(try #require(try await stage.record(record.session.id)).meeting.mailLanguage == "ko")
        },
        CommandRule("a mailing that stopped between two slices continues with the next person") { stage in
            let (_, record) = try await stage.announced(3)
            stage.now = record.session.startsAt - .hours(24)
            #expect(
                try await stage.perform(ContinueMailing(.dayBefore, of: record.session.id, limit: 2))
                    == .unfinished)
            #expect(try await stage.sent().count == 2)
            #expect(try await stage.mailed() == [.reminder])
            #expect(
                try await stage.perform(ContinueMailing(.dayBefore, of: record.session.id, limit: 2))
                    == .done)
            #expect(try await stage.sent().isEmpty)
        },
        CommandRule("a mailing leaves out a meeting with a long command, and does not wait for it") {
            engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(4))
            let (host, record) = try await stage.announced()
            let session = record.session.id
            stage.now = record.session.startsAt - .hours(24)
            let progress = Mutex<Task<MailingProgress, any Error>?>(nil)
            watched.afterCommit { [stage] commit in
                guard commit == 1 else { return }
                let task = Task.immediate {
                    try await stage.perform(ContinueMailing(.dayBefore, of: session))
                }
                progress.withLock { $0 = task }
            }
            _ = try await stage.load(people(0..<12), to: record.meeting.id, by: host)
            watched.afterCommit(nil)
            #expect(try await progress.withLock { $0 }?.value == .busy)
            #expect(try await stage.perform(ContinueMailing(.dayBefore, of: session)) == .done)
            await stage.storage.close()
        },
        CommandRule("reminders that are late are discarded, before and after they are queued") { stage in
            let (_, record) = try await stage.announced()
            stage.now = record.session.startsAt - .hours(18)
            #expect(try await stage.mailed() == [])
            stage.now = record.session.startsAt - .hours(1)
            try await stage.mailing()
            stage.now = record.session.startsAt - .minutes(30)
            let outcome = try await stage.perform(LeaseMails(process: id(1), limit: 9))
            #expect(outcome.leased.isEmpty && outcome.expired.count == 2)
        },
        CommandRule("without the host's switch there are no mails, also not queued ones") { stage in
            let (host, record) = try await stage.announced(reminders: .off)
            stage.now = record.session.startsAt - .hours(24)
            #expect(try await stage.mailed() == [])
            try await stage.perform(EditMeeting(id: record.meeting.id, reminders: .english, actor: host))
            try await stage.mailing()
            try await stage.perform(EditMeeting(id: record.meeting.id, reminders: .off, actor: host))
            let outcome = try await stage.perform(LeaseMails(process: id(1), limit: 9))
            #expect(outcome.leased.isEmpty && outcome.unwanted == 2)
        },
        CommandRule(
            "mails beyond the owner's limit of a day wait, and hosts read once why",
            limits: AccountLimits(mostMailsPerDay: 3)
        ) { stage in
            let (host, record) = try await stage.announced(5)
            stage.now = record.session.startsAt - .hours(24)
            try await stage.mailing()
            try await stage.mailing()
            #expect(try await stage.sent().count == 3)
            #expect(
                try await stage.perform(ContinueMailing(.dayBefore, of: record.session.id))
                    == .limited(host))
            let actions = try await stage.storage.read { rows throws(JournalError) in
                try rows.actions(in: record.meeting.id, before: nil, limit: 9)
            }
            #expect(actions.count { $0.kind == .mailsLimited && $0.account == host } == 1)
            // The limit is that of the account: another meeting of it has to wait, too.
            let other = try await stage.meeting(of: host, from: 2 * day + 90, to: 2 * day + 120)
            _ = try await stage.add("P9", email: "p9@example.org", to: other.meeting.id, by: host)
            try await stage.perform(EditMeeting(id: other.meeting.id, reminders: .korean, actor: host))
            stage.now = other.session.startsAt - .hours(24)
            #expect(try await stage.mailed().isEmpty)
            // A day later, the account has a new allowance, and the late reminders are discarded.
            let later = try await stage.meeting(of: host, from: 4 * day, to: 4 * day + 60)
            _ = try await stage.add("P8", email: "p8@example.org", to: later.meeting.id, by: host)
            try await stage.perform(EditMeeting(id: later.meeting.id, reminders: .korean, actor: host))
            stage.now = later.session.startsAt - .hours(24)
            #expect(try await stage.mailed() == [.reminder])
        },
        CommandRule(
            "an invitation is mailed if its owner wants it, counts for the owner, and is dropped with it",
            limits: AccountLimits(mostMailsPerDay: 2)
        ) { stage in
            let (host, record) = try await stage.planned()
            func invite(_ name: String, mailed: Bool = true) async throws -> (MeetingInvitation, Bool?) {
                let mail = InviteMember.Mail(language: "ko") { "/host#/invitation/\($0.email)" }
                let (invitation, receiver) = try await stage.perform(
                    InviteMember(
                        meeting: record.meeting.id, email: "\(name)@example.org", role: .viewer,
                        actor: host, mail: mailed ? mail : nil))
                return (invitation, receiver.isMailed)
            }
            let (first, isMailed) = try await invite("kim")
            #expect(isMailed == true)
            #expect(try await invite("lee", mailed: false).1 == nil)
            let sent = try await stage.sent()
            #expect(sent.map(\.to) == ["kim@example.org"])
            #expect(
                sent.first?.content
                    == .invitation(
                        id: first.id, by: "Host 1", to: "Meeting", role: .viewer,
                        path: "/host#/invitation/kim@example.org", meeting: record.meeting.id))
            let (second, _) = try await invite("park")
            #expect(try await invite("choi").1 == false)
            try await stage.perform(
                RevokeInvitation(invitation: second.id, meeting: record.meeting.id, actor: host))
            #expect(try await stage.sent().isEmpty)
        },
        CommandRule(
            "neither the answer to an invitation nor the owner's limit tells that the address wants no mails",
            limits: AccountLimits(mostMailsPerDay: 2)
        ) { stage in
            let (host, record) = try await stage.announced(1)
            let people = try await stage.storage.read { rows throws(JournalError) in
                try rows.peopleToMail(of: record.meeting.id, after: nil, limit: 9)
            }
            #expect(try await stage.perform(unsubscribe(people[0], fromAll: true)))
            var isMailed: [Bool?] = []
            for email in [people[0].email, "kim@example.org", "lee@example.org"] {
                let (_, receiver) = try await stage.perform(
                    InviteMember(
                        meeting: record.meeting.id, email: email, role: .viewer, actor: host,
                        mail: InviteMember.Mail(language: "ko") { _ in "/host" }))
                isMailed.append(receiver.isMailed)
            }
            #expect(isMailed == [true, true, false])
            #expect(try await stage.sent().map(\.to) == ["kim@example.org"])
        },
        CommandRule(
            "an address gets three invitations a day from all accounts, and they use up no other mails"
        ) { stage in
            let (host, record) = try await stage.announced(1)
            stage.now = record.session.startsAt - .hours(24)
            for number in 1...5 {
                let owner = try await stage.account(10 + number)
                let other = try await stage.meeting(of: owner.id)
                // The answer is the same, so that it tells nothing about other invitations.
                let isMailed = try await stage.invite("p1@example.ORG", to: other.meeting.id, by: owner.id)
                #expect(isMailed == true)
                let first = try await stage.sent().map(\.content.kind)
                #expect(first == (number <= 3 ? [.invitation] : []))
                // A host who deletes the meeting or the invitation does not get further mails for it.
                try await stage.perform(
                    DeleteMeeting(id: other.meeting.id, confirmation: nil, actor: owner.id))
            }
            for _ in 1...5 {
                _ = try await stage.invite("lee@example.org", to: record.meeting.id, by: host)
            }
            // Each invitation replaces the one before, and its mail with it.
            #expect(try await stage.sent().map(\.to) == [])
            #expect(try await stage.mailed() == [.reminder])
            stage.now = stage.now + .hours(24) + millisecond
            _ = try await stage.invite("lee@example.org", to: record.meeting.id, by: host)
            #expect(try await stage.sent().map(\.to) == ["lee@example.org"])
        },
        CommandRule("an invited person ends the mails of a meeting or of the server, without an account") {
            stage in
            let host = try await stage.account(1).id
            let meetings = [
                try await stage.meeting(of: host).meeting.id,
                try await stage.meeting(of: host, from: 90, to: 120).meeting.id,
            ]
            let kim = IdentityKey("kim@example.org")
            func invited() async throws -> [MeetingID?] {
                for meeting in meetings {
                    _ = try await stage.invite("Kim@example.org", to: meeting, by: host)
                }
                return try await stage.sent().map { mail in
                    guard case .invitation(_, _, _, _, _, let meeting) = mail.content else { return nil }
                    return meeting
                }
            }
            #expect(try await stage.perform(Unsubscribe(.invited(to: meetings[0]), at: kim)))
            #expect(try await invited() == [meetings[1]])
            // A mail that is queued already is not sent either.
            _ = try await stage.invite("Kim@example.org", to: meetings[1], by: host)
            #expect(try await stage.perform(Unsubscribe(.invited(to: meetings[0]), at: kim, fromAll: true)))
            #expect(try await stage.sent().isEmpty)
            #expect(try await invited().isEmpty)
            try await stage.perform(DeleteMeeting(id: meetings[1], confirmation: nil, actor: host))
            let lee = IdentityKey("lee@example.org")
            #expect(try await !stage.perform(Unsubscribe(.invited(to: meetings[1]), at: lee)))
            #expect(try await stage.perform(Unsubscribe(.invited(to: meetings[1]), at: lee, fromAll: true)))
        },
        CommandRule("people who unsubscribed get no mail, about this meeting or about any") { stage in
            let (host, record) = try await stage.announced(3)
            let people = try await stage.storage.read { rows throws(JournalError) in
                try rows.peopleToMail(of: record.meeting.id, after: nil, limit: 9)
            }
            stage.now = record.session.startsAt - .hours(24)
            #expect(try await stage.perform(unsubscribe(people[0])))
            try await stage.mailing()
            // This mail is queued already.
            #expect(try await stage.perform(unsubscribe(people[1], fromAll: true)))
            #expect(try await stage.sent().map(\.to) == [people[2].email])
            let nobody = IdentityKey(people[2].email)
            #expect(try await !stage.perform(Unsubscribe(.person(id(999)), at: nobody)))
            // The link in a mail to an address that the person had before.
            #expect(
                try await !stage.perform(
                    Unsubscribe(.person(people[0].id), at: nobody, fromAll: true)))
            let other = try await stage.meeting(of: host, from: 4 * day, to: 4 * day + 60)
            for number in 1...3 {
                _ = try await stage.add(
                    "P\(number)", email: "p\(number)@example.org", to: other.meeting.id, by: host)
            }
            try await stage.perform(EditMeeting(id: other.meeting.id, reminders: .korean, actor: host))
            stage.now = other.session.startsAt - .hours(24)
            try await stage.mailing()
            let others = [people[0], people[2]].map { $0.email.lowercased() }.sorted()
            #expect(try await stage.sent().map(\.to) == others)
        },
        CommandRule("an account with a verified address switches its mails off") { stage in
            let (_, record) = try await stage.announced(3)
            for number in 1...2 {
                let account = try await stage.perform(
                    CreateAccount(
                        email: "p\(number)@example.org", name: "P", passwordHash: "$",
                        profile: .init(notifications: false), signUp: .open, proof: .none))
                guard number == 1 else { continue }
                try await stage.verify(account)
            }
            stage.now = record.session.startsAt - .hours(24)
            try await stage.mailing()
            // Anybody can sign up with the address of another person, which nobody has verified then.
            #expect(try await stage.sent().map(\.to) == ["P2@Example.org", "P3@Example.org"])
        },
        CommandRule("a session that moves is announced again, and stale reminders are not sent") { stage in
            let (host, record) = try await stage.announced()
            let session = record.session.id
            _ = try await stage.edit(session, by: host, from: 2 * day + 5, to: 2 * day + 60)
            #expect(try await stage.mailed() == [])
            stage.now = at(day + 5)
            try await stage.mailing()
            _ = try await stage.edit(session, by: host, from: 4 * day, to: 4 * day + 60)
            #expect(try await stage.perform(LeaseMails(process: id(1), limit: 9)).unwanted == 2)
            try await stage.mailing()
            let moved = try await stage.sent()
            #expect(moved.map(\.content).first == .moved(startsAt: at(4 * day), endsAt: at(4 * day + 60)))
            #expect(moved.count == 2)
            #expect(try await stage.mailed() == [])
            stage.now = at(3 * day)
            #expect(try await stage.mailed() == [.reminder, .reminder])
        },
        CommandRule("the deletion of an announced session or meeting is told to the same people") { stage in
            for deletesMeeting in [false, true] {
                let host = try await stage.account(deletesMeeting ? 2 : 3).id
                stage.now = at(-120)
                let record = try await stage.meeting(of: host, from: 2 * day, to: 2 * day + 60)
                let meeting = record.meeting.id
                _ = try await stage.add("P", email: "p@example.org", to: meeting, by: host)
                try await stage.perform(EditMeeting(id: meeting, reminders: .english, actor: host))
                let later = try await stage.perform(
                    ContinueMeeting(
                        meeting: meeting, startsAt: at(9 * day), endsAt: at(9 * day + 60), actor: host))
                stage.now = at(day)
                #expect(try await stage.mailed() == [.reminder])
                // Nobody knows of the later session.
                try await stage.perform(
                    DeleteSession(id: later.session.id, confirmation: nil, actor: host))
                #expect(try await stage.mailed() == [])
                if deletesMeeting {
                    try await stage.perform(DeleteMeeting(id: meeting, confirmation: nil, actor: host))
                } else {
                    let more = ContinueMeeting(
                        meeting: meeting, startsAt: at(20 * day), endsAt: at(20 * day + 60), actor: host)
                    try await stage.perform(more)
                    try await stage.perform(
                        DeleteSession(id: record.session.id, confirmation: nil, actor: host))
                }
                try await stage.mailing()
                let told = try await stage.sent()
                #expect(told.map(\.to) == ["p@example.org"])
                guard case .cancelled(let announced)? = told.first?.content else {
                    Issue.record("\(told)")
                    continue
                }
                #expect(announced.session == record.session.id && announced.startsAt == at(2 * day))
                #expect(try await stage.mailed() == [])
            }
        },
        CommandRule("feedback is announced at the end to the people who came and have not answered") {
            stage in
            let set = QuestionSet(questions: questions, anonymous: false)
            let (host, record) = try await stage.planned(sets: [set])
            for number in 1...3 {
                _ = try await stage.add(
                    "P\(number)", email: "p\(number)@example.org", to: record.meeting.id, by: host)
            }
            try await stage.perform(EditMeeting(id: record.meeting.id, reminders: .english, actor: host))
            stage.now = at(0)
            let first = try await stage.arrive(1, in: record.session.id)
            _ = try await stage.arrive(2, in: record.session.id)
            try await stage.respond(first, [id(1): .rating(4)])
            stage.now = at(60)
            try await stage.mailing()
            let told = try await stage.sent()
            #expect(told.map(\.to) == ["p2@example.org"])
            #expect(told.first?.content == .feedbackOpen(until: record.session.feedbackClosesAt))
        },
        CommandRule("a second phone causes one mail in an hour to the person of the roster") { stage in
            let (host, record) = try await stage.planned()
            _ = try await stage.add("P", email: "p1@example.org", to: record.meeting.id, by: host)
            try await stage.perform(EditMeeting(id: record.meeting.id, reminders: .english, actor: host))
            stage.now = at(0)
            for number in 1...2 { _ = try await stage.arrive(number, in: record.session.id) }
            stage.now = at(1)
            for number in [1, 1, 2] {
                #expect(try await stage.checkIn(number, in: record.session.id).isElsewhere)
            }
            let told = try await stage.sent()
            #expect(told.map(\.to) == ["p1@example.org"])
            #expect(told.first?.content == .checkedInElsewhere(checkedInAt: at(0), triedAt: at(1)))
        },
        CommandRule(
            "the deletion of an account ends the invitations that it mailed, with its name in the queue"
        ) { stage in
            let (meeting, owner) = try await stage.secondOwner()
            _ = try await stage.invite("kim@example.org", to: meeting, by: owner.id)
            try await stage.perform(
                DeleteAccount(id: owner.id, checked: owner.passwordHash, confirmation: nil))
            let (mails, left) = try await stage.storage.read { rows throws(JournalError) in
                (
                    try rows.mails(in: Set(MailDelivery.State.allCases), after: nil, limit: 9),
                    try rows.invitations(to: meeting)
                )
            }
            #expect(left.isEmpty)
            // The queue deletes the content of a dropped mail.
            #expect(mails.map(\.delivery.state) == [.dropped])
            #expect(mails.map(\.recipient) == ["kim@example.org"])
            #expect(try await stage.sent().isEmpty)
        },
        CommandRule("an invitation is not sent while its inviter is suspended") { stage in
            let (meeting, owner) = try await stage.secondOwner()
            _ = try await stage.invite("kim@example.org", to: meeting, by: owner.id)
            _ = try await stage.perform(SuspendAccount(id: owner.id))
            let outcome = try await stage.perform(LeaseMails(process: id(1), limit: 9))
            #expect(outcome.leased.isEmpty && outcome.unwanted == 1)
        },
        CommandRule("a stranger's account with the address of an invited person gives no more invitations") {
            stage in
            let host = try await stage.account(1).id
            for number in 1...5 {
                let stranger = try await stage.account(2)
                let meeting = try await stage.meeting(of: host, from: 100 * number, to: 100 * number + 60)
                _ = try await stage.invite(stranger.email, to: meeting.meeting.id, by: host)
                #expect(try await stage.sent().count == (number <= 3 ? 1 : 0))
                // Nobody has verified the address.
                try await stage.perform(
                    DeleteAccount(id: stranger.id, checked: stranger.passwordHash, confirmation: nil))
            }
        },
        CommandRule("the deletion of an account deletes the mails to its address, also older ones") { stage in
            let (host, record) = try await stage.planned()
            let mail = InviteMember.Mail(language: "ko") { _ in "/host" }
            _ = try await stage.perform(
                InviteMember(
                    meeting: record.meeting.id, email: "host2@example.org", role: .viewer, actor: host,
                    mail: mail))
            let invited = try await stage.account(2)
            #expect(invited.email == "host2@example.org")
            try await stage.verify(invited)
            try await stage.perform(
                DeleteAccount(id: invited.id, checked: invited.passwordHash, confirmation: nil))
            let left = try await stage.storage.read { rows throws(JournalError) in
                try rows.mails(in: Set(MailDelivery.State.allCases), after: nil, limit: 9)
            }
            #expect(left.isEmpty)
        },
        CommandRule("an erasure leaves neither the mails nor the wish for none") { stage in
            let (host, record) = try await stage.announced()
            stage.now = record.session.startsAt - .hours(24)
            let people = try await stage.storage.read { rows throws(JournalError) in
                try rows.peopleToMail(of: record.meeting.id, after: nil, limit: 9)
            }
            #expect(try await stage.perform(unsubscribe(people[1])))
            try await stage.mailing()
            for person in people {
                try await stage.storage.erase(person.id, of: record.meeting.id, by: .account(host))
            }
            #expect(try await stage.sent().isEmpty)
            let isLeft = try await stage.storage.read { rows throws(JournalError) in
                try rows.isUnsubscribed(IdentityKey(people[1].email), from: record.meeting.id)
            }
            #expect(!isLeft)
        },
    ]
}

private func unsubscribe(_ person: Person, fromAll: Bool = false) -> Unsubscribe {
    Unsubscribe(.person(person.id), at: IdentityKey(person.email), fromAll: fromAll)
}
