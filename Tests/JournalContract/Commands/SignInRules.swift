import Journal
import Meetings
import Testing

extension Stage {
    fileprivate func token(
        _ number: Int, of account: AccountID, _ kind: Token.Kind, signIn: Int = 1, minutes: Int = 60
    ) -> Token {
        Token(
            hash: hash(number), accountID: account, kind: kind, signIn: id(signIn), createdAt: now,
            expiresAt: now + .minutes(minutes),
            client: "test")
    }

    /// Signs the account in, by default with tokens 1 and 2.
    fileprivate func signIn(
        _ account: Account, _ access: Int = 1, _ refresh: Int = 2, signIn: Int = 1, minutes: Int = 60
    ) async throws {
        try await perform(
            BeginSignIn(
                access: token(access, of: account.id, .access, signIn: signIn, minutes: minutes),
                refresh: token(refresh, of: account.id, .refresh, signIn: signIn),
                checked: account.passwordHash))
    }

    fileprivate func renew(
        _ number: Int, to access: Int, _ refresh: Int, by client: UInt8 = 7, lifetime: Duration = .minutes(60)
    ) async throws -> RenewSignIn.Outcome {
        try await perform(
            RenewSignIn(
                presented: hash(number), nextAccess: hash(access), nextRefresh: hash(refresh),
                client: [client],
                accessLifetime: .minutes(30), refreshLifetime: lifetime))
    }

    fileprivate func expectTokens(
        _ expected: [Int], of numbers: ClosedRange<Int> = 1...6,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var found: [Int] = []
        for number in numbers {
            let token = try await storage.read { rows throws(JournalError) in
                try rows.token(hash: hash(number))
            }
            if let token, token.use == nil { found.append(number) }
        }
        #expect(found == expected, sourceLocation: sourceLocation)
    }
}

extension CommandRule {
    static let signIns: [CommandRule] = [
        CommandRule("a renewal ends the previous pair, and two simultaneous renewals get one pair") { stage in
            let host = try await stage.account(1)
            try await stage.signIn(host)
            let results = try await stage.together(
                { try await stage.renew(2, to: 3, 4) }, { try await stage.renew(2, to: 3, 4) },
            )
            let pair = RenewSignIn.Outcome.renewed(expiresAt: stage.now + .minutes(30), verified: false)
            #expect(try results.map { try $0.get() } == [pair, pair])
            try await stage.expectTokens([3, 4])
            let list = try await stage.storage.read { rows throws(JournalError) in
                try rows.signIns(of: host.id)
            }
            #expect(list.map(\.hash) == [hash(4)])
        },
        CommandRule(
            "a used refresh token gives its pair again for a minute, or the newest pair after renewals"
        ) { stage in
            try await stage.signIn(try await stage.account(1))
            let begin = stage.now
            let pair = try await stage.renew(2, to: 3, 4)
            for seconds in [60, -60] {
                stage.now = begin + .seconds(seconds)
                #expect(try await stage.renew(2, to: 3, 4) == pair)
            }
            stage.now = begin + .seconds(30)
            _ = try await stage.renew(4, to: 5, 6)
            #expect(try await stage.renew(2, to: 3, 4) == .goOn)
            try await stage.expectTokens([5, 6])
        },
        CommandRule("a reuse by another client, or a later one, ends this sign-in and no other") { stage in
            for (seconds, client) in [(61, 7), (0, 8), (-61, 7)] as [(Int, UInt8)] {
                let host = try await stage.account(seconds + 100)
                try await stage.signIn(host)
                try await stage.signIn(host, 5, 6, signIn: 2)
                _ = try await stage.renew(2, to: 3, 4)
                stage.now = stage.now + .seconds(seconds)
                #expect(try await stage.renew(2, to: 3, 4, by: client) == .reused(id(1)))
                try await stage.expectTokens([5, 6])
                await expectRefused(.wrongCredentials) { try await stage.renew(2, to: 3, 4) }
                await expectRefused(.wrongCredentials) { try await stage.renew(4, to: 3, 4) }
                try await stage.perform(EndSignIn(signIn: id(2)))
            }
        },
        CommandRule("the newest used refresh tokens are remembered, and their number is limited") { stage in
            try await stage.signIn(try await stage.account(1), 1001, 1)
            let count = RenewSignIn.mostUsed + 5
            for number in 1...count {
                // This is the fastest rate at which a client may renew for a long time.
                stage.now = stage.now + .minutes(8)
                _ = try await stage.renew(number, to: 1001 + number, number + 1, lifetime: .hours(2160))
            }
            let known = try await stage.storage.read { rows throws(JournalError) in
                var known: [Int] = []
                for number in 1...(count + 1) where try rows.token(hash: hash(number)) != nil {
                    known.append(number)
                }
                return known
            }
            #expect(known == Array(6...(count + 1)))
        },
        CommandRule("renewals faster than any client needs end the sign-in before a used token is forgotten")
        {
            stage in
            try await stage.signIn(try await stage.account(1), 1001, 1)
            for number in 1..<RenewSignIn.mostUsed {
                stage.now = stage.now + .seconds(1)
                #expect(
                    try await stage.renew(number, to: 1001 + number, number + 1, lifetime: .hours(2160))
                        != .reused(id(1)))
            }
            let last = RenewSignIn.mostUsed
            #expect(try await stage.renew(last, to: 1001 + last, last + 1) == .reused(id(1)))
            await expectRefused(.wrongCredentials) { try await stage.renew(1, to: 1002, 2) }
        },
        CommandRule("an expired refresh token or an access token cannot renew a sign-in") { stage in
            try await stage.signIn(try await stage.account(1))
            await expectRefused(.wrongCredentials) { try await stage.renew(1, to: 3, 4) }
            stage.now = stage.now + .minutes(60)
            await expectRefused(.wrongCredentials) { try await stage.renew(2, to: 3, 4) }
        },
        CommandRule("a sign-in is refused if the password changed since it was checked") { stage in
            let host = try await stage.account(1)
            let change = EditAccount(
                id: host.id, name: nil, password: .init(checked: host.passwordHash, hash: "$2"),
                profile: .init(), expected: .any)
            let results = try await stage.together(
                { _ = try await stage.perform(change) }, { try await stage.signIn(host) },
            )
            try results[0].get()
            #expect(throws: JournalError.refused(.passwordChanged)) { try results[1].get() }
            try await stage.expectTokens([])
        },
        CommandRule(
            "a sign-in of an account just deleted is refused, and other commands in its batch succeed"
        ) {
            stage in
            let (host, other) = (try await stage.account(1), try await stage.account(2))
            try await stage.perform(
                DeleteAccount(id: other.id, checked: other.passwordHash, confirmation: nil))
            let results = try await stage.together(
                { try await stage.signIn(other) }, { try await stage.signIn(host, 3, 4, signIn: 2) },
            )
            #expect(throws: JournalError.refused(.wrongCredentials)) { try results[0].get() }
            try results[1].get()
            try await stage.expectTokens([3, 4])
        },
        CommandRule(
            "signing out ends one sign-in with its used tokens; a token is deleted a week after it expired"
        ) { stage in
            let host = try await stage.account(1)
            try await stage.signIn(host, minutes: 1)
            let stay = BeginSignIn.expiredTokensStay
            stage.now = stage.now + .minutes(1) + stay
            try await stage.signIn(try await stage.account(2), 7, 8, signIn: 3)
            try await stage.expectTokens([1, 2])
            stage.now = stage.now + millisecond
            try await stage.signIn(host, 3, 4, signIn: 2)
            try await stage.expectTokens([2, 3, 4])
            _ = try await stage.renew(4, to: 5, 6)
            try await stage.perform(EndSignIn(signIn: id(2)))
            try await stage.expectTokens([2])
            await expectRefused(.wrongCredentials) { try await stage.renew(4, to: 5, 6) }
        },
    ]
}
