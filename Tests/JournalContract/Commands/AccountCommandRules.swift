import Journal
import Meetings
import Testing

extension Stage {
    fileprivate func signUp(_ email: String, _ mode: SignUp) async throws -> Account {
        try await storage.perform(CreateAccount(email: email, name: "Name", passwordHash: "$", profile: .init(), signUp: mode))
    }

    fileprivate func token(_ number: Int, of account: AccountID, _ kind: Token.Kind, signIn: Int = 1, minutes: Int = 60) -> Token {
        Token(
            hash: hash(number), accountID: account, kind: kind, signIn: id(signIn), createdAt: now, expiresAt: now + .minutes(minutes),
            client: "test")
    }

    fileprivate func tokenStands(_ number: Int) async throws -> Bool {
        try await storage.read { rows throws(JournalError) in try rows.token(hash: hash(number)) } != nil
    }
}

extension CommandRule {
    static let accountCommands: [CommandRule] = [
        CommandRule("the first account is the operator's in every mode, the others only where sign-up is open") { stage in
            for mode in [SignUp.closed, .invite] {
                _ = try? await stage.signUp("never@example.org", mode)
            }
            let count = try await stage.storage.read { rows throws(JournalError) in try rows.accountCount() }
            #expect(count == 1)
            await expectRefused(.signUpClosed) { try await stage.signUp("second@example.org", .closed) }
            await expectRefused(.signUpClosed) { try await stage.signUp("second@example.org", .invite) }
            for (mode, isWelcome) in [(SignUp.closed, false), (.invite, true)] {
                let invited = CreateAccount(
                    email: "invited@example.org", name: "Name", passwordHash: "$", profile: .init(), signUp: mode, isInvited: true)
                if isWelcome {
                    try await stage.perform(invited)
                } else {
                    await expectRefused(.signUpClosed) { try await stage.perform(invited) }
                }
            }
            let second = try await stage.signUp("second@example.org", .open)
            #expect(!second.admin && second.version == 1 && second.createdAt == stage.now)
            let first = try await stage.storage.read { rows throws(JournalError) in
                try rows.account(email: IdentityKey("never@example.org"))
            }
            #expect(first?.admin == true)
        },
        CommandRule("of two first accounts in one batch one is the operator's") { stage in
            let results = try await stage.together(
                { try await stage.signUp("a@example.org", .invite) }, { try await stage.signUp("b@example.org", .invite) },
            )
            #expect(try results[0].get().admin)
            #expect(throws: JournalError.refused(.signUpClosed)) { try results[1].get() }
        },
        CommandRule("an address is taken in any case, alone or in one batch") { stage in
            _ = try await stage.signUp("Kim@Example.org", .open)
            await expectRefused(.emailTaken) { try await stage.signUp(" kim@example.ORG", .open) }
            let results = try await stage.together(
                { try await stage.signUp("lee@example.org", .open) }, { try await stage.signUp("LEE@example.org", .open) },
                { try await stage.signUp("park@example.org", .open) },
            )
            _ = try results[0].get()
            #expect(throws: JournalError.refused(.emailTaken)) { try results[1].get() }
            _ = try results[2].get()
        },
        CommandRule("an account changes what is given, and two editors do not overwrite each other") { stage in
            let account = try await stage.account(1)
            let edit = EditAccount(
                id: account.id, name: "New", passwordHash: nil, profile: .init(phone: "010"), expected: .version(1))
            let edited = try await stage.perform(edit)
            #expect(edited.name == "New" && edited.passwordHash == account.passwordHash && edited.version == 2)
            await expectRefused(.versionMismatch(current: 2)) { try await stage.perform(edit) }
            let again = try await stage.perform(
                EditAccount(id: account.id, name: nil, passwordHash: "$2", profile: .init(locale: "ko"), expected: .any))
            #expect(again.name == "New" && again.passwordHash == "$2")
            #expect(again.profile == .init(phone: "010", locale: "ko"))
            await expectRefused(.notFound(.account)) {
                try await stage.perform(
                    EditAccount(id: .makeTimeless(), name: nil, passwordHash: nil, profile: .init(), expected: .any))
            }
        },
        CommandRule("who owns nothing alone goes without a word; meetings with another owner stay") { stage in
            let (host, record) = try await stage.planned()
            let other = try await stage.account(2).id
            try await stage.perform(
                Act { transaction throws(JournalError) in try transaction.rows.setRole(.owner, of: other, in: record.meeting.id) })
            try await stage.perform(DeleteAccount(id: host, confirmation: nil))
            #expect(try await stage.record(record.session.id) == record)
            await expectRefused(.notFound(.account)) { try await stage.perform(DeleteAccount(id: host, confirmation: nil)) }
        },
        CommandRule("meetings that nobody else owns go with the account, when its address is given") { stage in
            let (host, record) = try await stage.planned()
            let next = try await stage.perform(
                ContinueMeeting(meeting: record.meeting.id, startsAt: at(100), endsAt: at(160), actor: host))
            let viewer = try await stage.account(2).id
            try await stage.perform(
                Act { transaction throws(JournalError) in try transaction.rows.setRole(.host, of: viewer, in: record.meeting.id) })
            stage.now = at(50)
            _ = try await stage.arrive(1, in: record.session.id)
            _ = try await stage.arrive(1, in: next.session.id)
            for confirmation in [nil, "host2@example.org"] {
                await expectRefused(.confirmationNeeded(name: "host1@example.org", checkIns: 2)) {
                    try await stage.perform(DeleteAccount(id: host, confirmation: confirmation))
                }
            }
            try await stage.perform(DeleteAccount(id: host, confirmation: "HOST1@example.org"))
            #expect(try await stage.record(record.session.id) == nil)
            #expect(stage.announced.last(next.session.id)?.isDeleted == true)
            #expect(try await stage.attendees(of: next.session.id).isEmpty)
        },
    ]

    static let signIns: [CommandRule] = [
        CommandRule("a renewal ends the pair before it, and a used refresh token renews nothing") { stage in
            let host = try await stage.account(1).id
            try await stage.perform(
                KeepSignIn(access: stage.token(1, of: host, .access), refresh: stage.token(2, of: host, .refresh)))
            let renewal = KeepSignIn(
                access: stage.token(3, of: host, .access), refresh: stage.token(4, of: host, .refresh), replacing: hash(2))
            let second = KeepSignIn(
                access: stage.token(5, of: host, .access), refresh: stage.token(6, of: host, .refresh), replacing: hash(2))
            let results = try await stage.together(
                { try await stage.perform(renewal) }, { try await stage.perform(second) },
            )
            try results[0].get()
            #expect(throws: JournalError.refused(.wrongCredentials)) { try results[1].get() }
            for (number, stands) in [(1, false), (2, false), (3, true), (4, true), (5, false), (6, false)] {
                #expect(try await stage.tokenStands(number) == stands, "\(number)")
            }
        },
        CommandRule("an expired refresh token, and an access token, renew nothing") { stage in
            let host = try await stage.account(1).id
            try await stage.perform(
                KeepSignIn(access: stage.token(1, of: host, .access), refresh: stage.token(2, of: host, .refresh)))
            func renew(_ number: Int) async throws {
                try await stage.perform(
                    KeepSignIn(
                        access: stage.token(3, of: host, .access), refresh: stage.token(4, of: host, .refresh), replacing: hash(number)))
            }
            await expectRefused(.wrongCredentials) { try await renew(1) }
            stage.now = stage.now + .minutes(60)
            await expectRefused(.wrongCredentials) { try await renew(2) }
        },
        CommandRule("a sign-in of an account that has just gone is refused, and its neighbours are kept") { stage in
            let host = try await stage.account(1).id
            let other = try await stage.account(2).id
            let results = try await stage.together(
                { _ = try await stage.perform(DeleteAccount(id: host, confirmation: nil)) },
                {
                    try await stage.perform(
                        KeepSignIn(access: stage.token(1, of: host, .access), refresh: stage.token(2, of: host, .refresh)))
                },
                {
                    try await stage.perform(
                        KeepSignIn(
                            access: stage.token(3, of: other, .access, signIn: 2), refresh: stage.token(4, of: other, .refresh, signIn: 2)))
                },
            )
            try results[0].get()
            #expect(throws: JournalError.refused(.wrongCredentials)) { try results[1].get() }
            try results[2].get()
            #expect(try await stage.tokenStands(3))
        },
        CommandRule("signing out ends one sign-in; expired tokens go with the next one") { stage in
            let host = try await stage.account(1).id
            try await stage.perform(
                KeepSignIn(access: stage.token(1, of: host, .access, minutes: 1), refresh: stage.token(2, of: host, .refresh)))
            stage.now = stage.now + .minutes(1) + millisecond
            try await stage.perform(
                KeepSignIn(access: stage.token(3, of: host, .access, signIn: 2), refresh: stage.token(4, of: host, .refresh, signIn: 2)))
            #expect(try await stage.tokenStands(1) == false)
            try await stage.perform(EndSignIn(signIn: id(2)))
            #expect(try await stage.tokenStands(2))
            #expect(try await stage.tokenStands(3) == false)
            #expect(try await stage.tokenStands(4) == false)
        },
    ]

    static let presenterCommands: [CommandRule] = [
        CommandRule("a presenter link is added until the end, found by its hash, and revoked") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(60)
            let link = try await stage.perform(AddPresenterLink(session: session, hash: hash(1), actor: host))
            #expect(link.sessionID == session && link.createdAt == stage.now)
            let found = try await stage.storage.read { rows throws(JournalError) in try rows.presenterLink(hash: hash(1)) }
            #expect(found == link)
            stage.now = at(60) + millisecond
            await expectRefused(.sessionOver) {
                try await stage.perform(AddPresenterLink(session: session, hash: hash(2), actor: host))
            }
            let revoke = RevokePresenterLink(session: session, link: link.id, actor: host)
            let stranger = try await stage.account(2).id
            await expectRefused(.notAllowed) {
                try await stage.perform(RevokePresenterLink(session: session, link: link.id, actor: stranger))
            }
            try await stage.perform(revoke)
            await expectRefused(.notFound(.presenterLink)) { try await stage.perform(revoke) }
        },
        CommandRule("a link is revoked through its own session only, and there are so many and no more") { stage in
            let (host, record) = try await stage.planned()
            let other = try await stage.meeting(of: host, from: 100, to: 160)
            let link = try await stage.perform(AddPresenterLink(session: record.session.id, hash: hash(1), actor: host))
            await expectRefused(.notFound(.presenterLink)) {
                try await stage.perform(RevokePresenterLink(session: other.session.id, link: link.id, actor: host))
            }
            for number in 2...AddPresenterLink.mostLinks {
                _ = try await stage.perform(AddPresenterLink(session: record.session.id, hash: hash(number), actor: host))
            }
            await expectRefused(.limitReached(.presenterLink, limit: AddPresenterLink.mostLinks)) {
                try await stage.perform(AddPresenterLink(session: record.session.id, hash: hash(99), actor: host))
            }
        },
    ]
}
