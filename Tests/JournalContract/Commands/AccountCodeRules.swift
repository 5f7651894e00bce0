import Journal
import Meetings
import Testing

extension Stage {
    fileprivate func request(
        _ purpose: AccountCode.Purpose = .passwordReset, _ email: String = "host2@example.org",
        code: Int = 1
    ) async throws {
        try await perform(
            RequestAccountCode(
                purpose: purpose, to: email, subject: subject(email), code: "\(code)", codeMAC: hash(code),
                linkHash: hash(code + 100), path: "/", language: "en"))
    }

    /// One record for each address, whatever the purpose, is enough for these rules.
    private func subject(_ email: String) -> [UInt8] { Array(IdentityKey(email).text.utf8) }

    fileprivate func reset(
        _ proof: AccountCode.Proof, _ email: String = "host2@example.org", to password: String = "$new"
    ) async throws -> Bool {
        try await perform(ResetPasswordByCode(subject: subject(email), proof: proof, hash: password))
    }

    fileprivate func verify(_ proof: AccountCode.Proof, _ email: String = "host2@example.org")
        async throws -> Bool
    {
        try await perform(VerifyAddress(subject: subject(email), proof: proof))
    }

    /// Judges a proof without using it up.
    fileprivate func isRight(_ proof: AccountCode.Proof, _ email: String = "host2@example.org")
        async throws -> Bool
    {
        try await perform(CheckAccountCode(subject: subject(email), proof: proof))
    }

    fileprivate func record(_ email: String = "host2@example.org") async throws -> AccountCode? {
        let subject = subject(email)
        return try await storage.read { rows throws(JournalError) in try rows.accountCode(subject) }
    }

    fileprivate func mailCount(_ email: String = "host2@example.org") async throws -> Int {
        let since = now - .hours(48)
        return try await storage.read { rows throws(JournalError) in
            try rows.mailCount(to: IdentityKey(email), of: .codes, since: since, limit: 100)
        }
    }

    fileprivate func requestPhone(
        _ phone: String = "+821012345678", code: Int = 1, opensAccounts: Bool = true
    ) async throws {
        try await perform(
            RequestAccountCode(
                purpose: .phoneSignIn, to: phone, opensAccounts: opensAccounts, subject: subject(phone),
                code: "\(code)", codeMAC: hash(code), linkHash: hash(code + 100), path: "", language: "ko"))
    }

    fileprivate func signIn(phone: String = "+821012345678", _ code: Int = 1, tokens: Int = 11) async throws
        -> BeginPhoneSignIn.Outcome?
    {
        try await perform(
            BeginPhoneSignIn(
                phone: phone, subject: subject(phone), proof: .code(hash(code)), name: nil, language: "ko",
                tokens: .init(
                    access: hash(tokens), refresh: hash(tokens + 1), accessLifetime: .minutes(30),
                    refreshLifetime: .minutes(60), client: "test", address: "192.0.2.1")))
    }

    fileprivate func two() async throws -> Account {
        _ = try await account(1)
        return try await account(2)
    }
}

extension CommandRule {
    static let accountCodes: [CommandRule] = [
        CommandRule("a right code sets the password once, ends all sign-ins and verifies the address") {
            stage in
            let host = try await stage.two()
            try await stage.request()
            #expect(try await stage.mailCount() == 1)
            #expect(try await stage.reset(.code(hash(1))))
            #expect(stage.announced.endedRights == [.account(host.id)])
            let found = try await stage.storage.read { rows throws(JournalError) in try rows.account(host.id)
            }
            #expect(found?.passwordHash == "$new" && found?.state == .active)
            #expect(try await stage.record() == nil)
            #expect(try await !stage.reset(.code(hash(1)), to: "$again"))
        },
        CommandRule("the link works as the code does, and also after five wrong codes") { stage in
            _ = try await stage.two()
            try await stage.request(.verification)
            for _ in 1...AccountCode.mostTries { #expect(try await !stage.verify(.code(hash(9)))) }
            #expect(try await !stage.verify(.code(hash(1))))
            #expect(try await !stage.verify(.link(hash(9))))
            #expect(try await stage.verify(.link(hash(101))))
        },
        CommandRule("the fifth code may be the right one, and a wrong link costs no try") { stage in
            _ = try await stage.two()
            try await stage.request(.verification)
            for _ in 1..<AccountCode.mostTries { #expect(try await !stage.verify(.code(hash(9)))) }
            for _ in 1...9 { #expect(try await !stage.verify(.link(hash(9)))) }
            #expect(try await stage.verify(.code(hash(1))))
        },
        CommandRule("a code is valid for ten minutes, and its last millisecond counts") { stage in
            _ = try await stage.two()
            let begin = stage.now
            try await stage.request(.verification)
            stage.now = begin + AccountCode.lifetime - .milliseconds(1)
            #expect(try await stage.isRight(.code(hash(1))))
            #expect(try await stage.isRight(.link(hash(101))))
            stage.now = begin + AccountCode.lifetime
            #expect(try await !stage.verify(.code(hash(1))))
            #expect(try await !stage.verify(.link(hash(101))))
        },
        CommandRule("a new code replaces the old one, after a minute and not before") { stage in
            _ = try await stage.two()
            let begin = stage.now
            try await stage.request(.verification)
            stage.now = begin + AccountCode.pause - .milliseconds(1)
            try await stage.request(.verification, code: 2)
            #expect(try await stage.mailCount() == 1)
            stage.now = begin + AccountCode.pause
            try await stage.request(.verification, code: 3)
            #expect(try await stage.mailCount() == 2)
            #expect(try await !stage.verify(.code(hash(1))))
            #expect(try await stage.verify(.code(hash(3))))
        },
        CommandRule("an address gets ten codes a day, and the eleventh request leaves the tenth code") {
            stage in
            _ = try await stage.two()
            for number in 1...11 {
                try await stage.request(code: number)
                stage.now = stage.now + .minutes(1)
            }
            #expect(try await stage.mailCount() == 10)
            #expect(try await !stage.reset(.code(hash(11))))
            #expect(try await stage.reset(.code(hash(10))))
            // Without a valid code, the record looks like that of an unknown address.
            try await stage.request(code: 12)
            #expect(try await stage.mailCount() == 10)
            #expect(try await stage.record()?.account == nil)
            #expect(try await !stage.reset(.code(hash(12))))
        },
        CommandRule("an address without an account costs the same records and accepts nothing") { stage in
            _ = try await stage.two()
            for email in ["nobody@example.org", "host2@example.org"] {
                try await stage.request(.verification, email)
                #expect(try await stage.record(email)?.tries == 0)
                #expect(try await !stage.verify(.code(hash(9)), email))
                #expect(try await stage.record(email)?.tries == 1)
            }
            #expect(try await stage.mailCount("nobody@example.org") == 0)
            for proof in [AccountCode.Proof.code(hash(1)), .link(hash(101))] {
                #expect(try await !stage.verify(proof, "nobody@example.org"))
            }
        },
        CommandRule("a suspended account and a verified address get no code") { stage in
            let host = try await stage.two()
            try await stage.request(.verification)
            #expect(try await stage.verify(.code(hash(1))))
            try await stage.request(.verification, code: 2)
            #expect(try await !stage.verify(.code(hash(2))))
            _ = try await stage.perform(SuspendAccount(id: host.id))
            stage.now = stage.now + .minutes(2)
            try await stage.request(.passwordReset, code: 3)
            #expect(try await !stage.reset(.code(hash(3))))
            #expect(try await stage.mailCount() == 1)
        },
        CommandRule("a sign-up that must be verified queues its mail in the same transaction") { stage in
            _ = try await stage.account(1)
            func signUp(_ email: String) async throws {
                _ = try await stage.perform(
                    CreateAccount(
                        email: email, name: "New", passwordHash: "$", profile: .init(locale: "ko"),
                        signUp: .open, proof: .none,
                        verification: RequestAccountCode(
                            purpose: .verification, to: email, subject: Array(email.utf8), code: "1",
                            codeMAC: hash(1), linkHash: hash(101), path: "/", language: "en")))
            }
            await expectRefused(.emailTaken) { try await signUp("host1@example.org") }
            #expect(try await stage.mailCount("host1@example.org") == 0)
            try await signUp("new@example.org")
            let mail = try await stage.perform(LeaseMails(process: id(1), limit: 9)).leased.first
            #expect(mail?.recipient == "new@example.org" && mail?.language == "ko")
            #expect(try await stage.verify(.code(hash(1)), "new@example.org"))
        },
        CommandRule("expired codes are deleted in slices, and valid ones stay") { stage in
            for number in 1...3 { try await stage.request(.verification, "p\(number)@example.org") }
            stage.now = stage.now + AccountCode.lifetime + .milliseconds(1)
            try await stage.request(.verification, "p4@example.org")
            #expect(try await stage.perform(ForgetAccountCodes(limit: 2)) == 2)
            #expect(try await stage.perform(ForgetAccountCodes(limit: 2)) == 1)
            let now = stage.now
            let isAny = try await stage.storage.read { rows throws(JournalError) in
                try rows.hasAccountCode(expiredBefore: now)
            }
            #expect(!isAny)
            #expect(try await stage.record("p4@example.org") != nil)
        },
        CommandRule("a code to a phone opens an account once, and later signs in to it") { stage in
            _ = try await stage.two()
            try await stage.requestPhone()
            let sent = try await stage.perform(LeaseMails(on: .phone, process: id(1), limit: 9)).leased
            #expect(sent.map(\.content) == [.phoneCode(code: "1")])
            #expect(try await stage.perform(LeaseMails(process: id(1), limit: 9)).leased.isEmpty)
            #expect(try await stage.signIn(9) == nil)
            let first = try #require(try await stage.signIn(1))
            #expect(first.isNewAccount && first.account.state == .active)
            #expect(first.account.address == "+821012345678" && first.account.passwordHash == "")
            #expect(try await stage.signIn(1) == nil)
            stage.now = stage.now + .minutes(1)
            try await stage.requestPhone(code: 2, opensAccounts: false)
            let second = try #require(try await stage.signIn(2, tokens: 21))
            #expect(!second.isNewAccount && second.account.id == first.account.id)
            let tokens = try await stage.storage.read { rows throws(JournalError) in
                try rows.signIns(of: first.account.id).count
            }
            #expect(tokens == 2)
        },
        CommandRule("a phone without an account gets none if it may not, or before the first operator") {
            stage in
            try await stage.requestPhone()
            #expect(try await stage.signIn() == nil)
            _ = try await stage.two()
            try await stage.requestPhone("+821011112222", opensAccounts: false)
            #expect(try await stage.signIn(phone: "+821011112222") == nil)
            #expect(try await stage.record("+821011112222")?.tries == 1)
            #expect(try await stage.mailCount("+821011112222") == 0)
        },
        CommandRule("a suspended account gets no code on the phone, and no sign-in by an earlier one") {
            stage in
            _ = try await stage.two()
            try await stage.requestPhone()
            let kim = try #require(try await stage.signIn()).account
            stage.now = stage.now + .minutes(1)
            try await stage.requestPhone(code: 2)
            _ = try await stage.perform(SuspendAccount(id: kim.id))
            await expectRefused(.accountSuspended) { _ = try await stage.signIn(2, tokens: 21) }
            stage.now = stage.now + .minutes(1)
            try await stage.requestPhone(code: 3)
            #expect(try await stage.signIn(3, tokens: 31) == nil)
        },
        CommandRule("an account of a phone is deleted by a fresh code, and not by another account's") {
            stage in
            _ = try await stage.two()
            try await stage.requestPhone()
            let kim = try #require(try await stage.signIn()).account
            stage.now = stage.now + .minutes(1)
            try await stage.requestPhone("+821011112222")
            _ = try await stage.signIn(phone: "+821011112222", tokens: 21)
            stage.now = stage.now + .minutes(1)
            try await stage.requestPhone(code: 2)
            try await stage.requestPhone("+821011112222", code: 3)
            func delete(_ phone: String, _ code: Int) async throws {
                try await stage.perform(
                    DeleteAccount(
                        id: kim.id, .code(subject: Array(phone.utf8), .code(hash(code))), confirmation: nil,
                        meetings: .delete))
            }
            await expectRefused(.confirmationCodeNotValid) { try await delete("+821011112222", 3) }
            await expectRefused(.confirmationCodeNotValid) { try await delete("+821012345678", 9) }
            try await delete("+821012345678", 2)
            #expect(try await stage.record("+821012345678") == nil)
            stage.now = stage.now + .minutes(1)
            try await stage.requestPhone(code: 4)
            #expect(try await stage.signIn(4, tokens: 41)?.isNewAccount == true)
        },
        CommandRule("a deleted account's code is deleted with it") { stage in
            let host = try await stage.two()
            try await stage.request()
            try await stage.perform(
                DeleteAccount(id: host.id, checked: host.passwordHash, confirmation: nil))
            #expect(try await stage.record() == nil)
        },
    ]
}
