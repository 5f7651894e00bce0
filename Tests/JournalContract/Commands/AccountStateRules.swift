import Journal
import Meetings
import Testing

extension Stage {
    /// Signs the account in with the tokens `number` and `number + 1`; the sign-in's id is `number`.
    fileprivate func signIn(_ account: Account, _ number: Int) async throws {
        func token(_ hashed: Int, _ kind: Token.Kind) -> Token {
            Token(
                hash: hash(hashed), accountID: account.id, kind: kind, signIn: id(number), createdAt: now,
                expiresAt: now + .minutes(60), client: "test")
        }
        try await perform(
            BeginSignIn(
                access: token(number, .access), refresh: token(number + 1, .refresh),
                checked: account.passwordHash))
    }

    fileprivate func signIns(_ account: Account) async throws -> [ID<Token>] {
        try await storage.read { rows throws(JournalError) in try rows.signIns(of: account.id).map(\.signIn) }
    }
}

extension CommandRule {
    static let accountStates: [CommandRule] = [
        CommandRule("a suspension ends sign-ins, rooms and screens at once, and only of this account") {
            stage in
            let (other, host) = (try await stage.account(1), try await stage.account(2))
            try await stage.signIn(host, 1)
            try await stage.signIn(other, 3)
            let suspended = try await stage.perform(SuspendAccount(id: host.id))
            #expect(suspended.state == .suspended && suspended.suspendedAt == stage.now)
            #expect(
                stage.announced.endedRights == [.account(host.id), .presentersOfAccount(host.id)])
            #expect(try await stage.signIns(host).isEmpty)
            #expect(try await stage.signIns(other) == [id(3)])
            await expectRefused(.accountSuspended) { try await stage.signIn(host, 5) }
            let renewal = RenewSignIn(
                presented: hash(2), nextAccess: hash(7), nextRefresh: hash(8), client: [1],
                accessLifetime: .minutes(30), refreshLifetime: .minutes(60))
            await expectRefused(.accountSuspended) { try await stage.perform(renewal) }
            #expect(try await stage.perform(SuspendAccount(id: host.id)) == suspended)
        },
        CommandRule("a resumed account can sign in again, and its old sign-ins stay ended") { stage in
            _ = try await stage.account(1)
            let host = try await stage.account(2)
            try await stage.signIn(host, 1)
            _ = try await stage.perform(SuspendAccount(id: host.id))
            let resumed = try await stage.perform(ResumeAccount(id: host.id))
            #expect(resumed.state == .unverified && resumed.version == host.version + 2)
            #expect(try await stage.perform(ResumeAccount(id: host.id)) == resumed)
            #expect(try await stage.signIns(host).isEmpty)
            try await stage.signIn(host, 5)
            #expect(try await stage.signIns(host) == [id(5)])
        },
        CommandRule("the only operator who can sign in cannot be suspended or leave") { stage in
            let first = try await stage.perform(
                CreateAccount(
                    email: "a@b.example", name: "A", passwordHash: "$", profile: .init(), signUp: .open,
                    proof: .setUp))
            await expectRefused(.lastOperator) { try await stage.perform(SuspendAccount(id: first.id)) }
            let second = try await stage.perform(
                CreateAccount(
                    email: "c@d.example", name: "C", passwordHash: "$", profile: .init(), signUp: .open,
                    proof: .dataFolder))
            _ = try await stage.perform(SuspendAccount(id: second.id))
            await expectRefused(.lastOperator) { try await stage.perform(SuspendAccount(id: first.id)) }
            await expectRefused(.lastOperator) {
                try await stage.perform(DeleteAccount(id: first.id, checked: "$", confirmation: nil))
            }
            try await stage.perform(DeleteAccount(id: second.id, checked: "$", confirmation: nil))
        },
        CommandRule("a suspended account's invitation can be accepted only after it is resumed") { stage in
            _ = try await stage.account(9)
            let (host, record) = try await stage.planned()
            let second = try await stage.account(2)
            let (invitation, _) = try await stage.perform(
                InviteMember(meeting: record.meeting.id, email: second.email, role: .host, actor: host))
            let accept = AcceptInvitation(invitation: invitation.id, hasLink: true, actor: second.id)
            _ = try await stage.perform(SuspendAccount(id: host))
            await expectRefused(.invitationNotValid) { try await stage.perform(accept) }
            _ = try await stage.perform(ResumeAccount(id: host))
            let (_, role) = try await stage.perform(accept)
            #expect(role == .host)
        },
        CommandRule("a suspended account's links open nothing until it is resumed") { stage in
            _ = try await stage.account(9)
            let (host, record) = try await stage.planned()
            let link = try await stage.perform(
                AddPresenterLink(session: record.session.id, hash: hash(9), actor: host))
            func opens() async throws -> Bool {
                try await stage.storage.read { rows throws(JournalError) in
                    try rows.session(shownBy: link) != nil
                }
            }
            #expect(try await opens())
            _ = try await stage.perform(SuspendAccount(id: host))
            #expect(try await !opens())
            _ = try await stage.perform(ResumeAccount(id: host))
            #expect(try await opens())
        },
        CommandRule("a new password without the old one ends every sign-in") { stage in
            let host = try await stage.account(1)
            try await stage.signIn(host, 1)
            try await stage.signIn(host, 3)
            let reset = try await stage.perform(ResetPassword(id: host.id, hash: "$new"))
            #expect(reset.passwordHash == "$new" && reset.version == host.version + 1)
            #expect(stage.announced.endedRights == [.account(host.id)])
            #expect(try await stage.signIns(host).isEmpty)
            await expectRefused(.passwordChanged) { try await stage.signIn(host, 5) }
            await expectRefused(.notFound(.account)) {
                try await stage.perform(ResetPassword(id: id(99), hash: "$"))
            }
        },
        CommandRule("an account ends one of its own sign-ins, and nobody else's") { stage in
            let (host, other) = (try await stage.account(1), try await stage.account(2))
            try await stage.signIn(host, 1)
            try await stage.signIn(host, 3)
            await expectRefused(.notFound(.token)) {
                try await stage.perform(EndOwnSignIn(account: other.id, signIn: id(1)))
            }
            try await stage.perform(EndOwnSignIn(account: host.id, signIn: id(1)))
            #expect(stage.announced.endedRights == [.signIn(id(1))])
            #expect(try await stage.signIns(host) == [id(3)])
        },
    ]
}
