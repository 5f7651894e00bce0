import Journal
import Meetings
import Testing

extension Stage {
    /// Creates a named token, whose sign-in has the same number as its hash.
    fileprivate func name(
        _ number: Int, _ account: AccountID, _ access: TokenLimits.Access = .read,
        meeting: MeetingID? = nil, minutes: Int = 60
    ) async throws {
        try await perform(
            CreateNamedToken(
                token: Token(
                    hash: hash(number), accountID: account, kind: .named, signIn: id(number), createdAt: now,
                    expiresAt: now + .minutes(minutes), client: "token \(number)",
                    limits: TokenLimits(access: access, meeting: meeting))))
    }

    fileprivate func token(_ number: Int) async throws -> Token? {
        try await storage.read { rows throws(JournalError) in try rows.token(hash: hash(number)) }
    }
}

extension CommandRule {
    static let namedTokens: [CommandRule] = [
        CommandRule("a named token keeps its name and limits, and is listed with the sign-ins") { stage in
            let (host, record) = try await stage.planned()
            try await stage.name(11, host, .write)
            stage.now = stage.now + .seconds(1)
            try await stage.name(12, host, meeting: record.meeting.id)
            let listed = try await stage.storage.read { rows throws(JournalError) in
                try rows.signIns(of: host)
            }
            #expect(listed.map(\.client) == ["token 12", "token 11"])
            #expect(
                listed.map(\.limits) == [
                    TokenLimits(access: .read, meeting: record.meeting.id),
                    TokenLimits(access: .write, meeting: nil),
                ])
            #expect(try await stage.token(11) == listed[1])
        },
        CommandRule("a named token cannot renew a sign-in") { stage in
            let host = try await stage.account(1).id
            try await stage.name(11, host, .write)
            await expectRefused(.wrongCredentials) {
                try await stage.perform(
                    RenewSignIn(
                        presented: hash(11), nextAccess: hash(12), nextRefresh: hash(13), client: [1],
                        accessLifetime: .minutes(30), refreshLifetime: .minutes(60)))
            }
        },
        CommandRule("a token for a meeting needs a membership, and any token an account in good standing") {
            stage in
            let (host, record) = try await stage.planned()
            let other = try await stage.account(2).id
            await expectRefused(.notAllowed) {
                try await stage.name(11, other, meeting: record.meeting.id)
            }
            await expectRefused(.notAllowed) { try await stage.name(11, host, meeting: id(99)) }
            await expectRefused(.notFound(.account)) { try await stage.name(11, id(98)) }
            _ = try await stage.perform(SuspendAccount(id: other))
            await expectRefused(.accountSuspended) { try await stage.name(11, other) }
        },
        CommandRule("an account has a limited number of named tokens, and expired ones do not count") {
            stage in
            let (host, other) = (try await stage.account(1).id, try await stage.account(2).id)
            for number in 1...TokenLimits.mostTokens {
                try await stage.name(100 + number, host, minutes: number == 1 ? 1 : 60)
            }
            await expectRefused(.limitReached(.token, limit: TokenLimits.mostTokens)) {
                try await stage.name(11, host)
            }
            try await stage.name(12, other)
            stage.now = stage.now + .minutes(1)
            try await stage.name(11, host)
        },
        CommandRule("a named token ends by its id, with a new password, a suspension and the account") {
            stage in
            _ = try await stage.account(1)
            for number in 2...4 {
                let host = try await stage.account(number)
                try await stage.name(10 * number, host.id)
                try await stage.name(10 * number + 1, host.id)
                try await stage.perform(EndOwnSignIn(account: host.id, signIn: id(10 * number)))
                #expect(stage.announced.endedRights == [.signIn(id(10 * number))])
                #expect(try await stage.token(10 * number) == nil)
                #expect(try await stage.token(10 * number + 1) != nil)
                switch number {
                case 2: _ = try await stage.perform(ResetPassword(id: host.id, hash: "$new"))
                case 3: _ = try await stage.perform(SuspendAccount(id: host.id))
                default:
                    try await stage.perform(
                        DeleteAccount(id: host.id, checked: host.passwordHash, confirmation: nil))
                }
                #expect(stage.announced.endedRights.contains(.account(host.id)))
                #expect(try await stage.token(10 * number + 1) == nil)
            }
        },
    ]
}
