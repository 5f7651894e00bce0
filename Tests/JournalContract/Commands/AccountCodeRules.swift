import Journal
import Meetings
import Testing

extension Stage {
    /// Requests a code. Its handle is `hash(code + 200)`, its link `hash(code + 100)`.
    @discardableResult
    fileprivate func request(
        _ purpose: AccountCode.Purpose = .passwordReset, _ email: String = "host2@example.org",
        code: Int = 1
    ) async throws -> RequestAccountCode.Outcome {
        try await perform(
            RequestAccountCode(
                purpose: purpose, to: email, subject: subject(email), handle: hash(code + 200),
                code: "\(code)", codeMAC: hash(code), linkHash: hash(code + 100), path: "/", language: "en"))
    }

    private func subject(_ address: String) -> [UInt8] { Array(IdentityKey(address).text.utf8) }

    /// Returns a claim with the handle of the code with this number; nil for a claim without a handle.
    fileprivate func claim(
        _ proof: AccountCode.Proof, _ purpose: AccountCode.Purpose, _ address: String, handle: Int? = nil
    ) -> AccountCode.Claim {
        AccountCode.Claim(
            subject: subject(address), purpose: purpose, handle: handle.map { hash($0 + 200) }, proof: proof)
    }

    fileprivate func reset(
        _ proof: AccountCode.Proof, _ email: String = "host2@example.org", to password: String = "$new",
        handle: Int? = nil
    ) async throws -> Bool {
        try await perform(
            ResetPasswordByCode(claim(proof, .passwordReset, email, handle: handle), hash: password))
    }

    fileprivate func verify(
        _ proof: AccountCode.Proof, _ email: String = "host2@example.org", handle: Int? = nil
    ) async throws -> Bool {
        try await perform(VerifyAddress(claim(proof, .verification, email, handle: handle)))
    }

    /// Judges a proof without using it up.
    fileprivate func isRight(_ proof: AccountCode.Proof, _ email: String = "host2@example.org", handle: Int?)
        async throws -> Bool
    {
        try await perform(CheckAccountCode(claim(proof, .verification, email, handle: handle)))
    }

    fileprivate func records(_ email: String = "host2@example.org") async throws -> [AccountCode] {
        let (subject, since) = (subject(email), now - AccountCode.day)
        return try await storage.read { rows throws(JournalError) in
            try rows.accountCodes(of: subject, since: since)
        }
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
                handle: hash(code + 200), code: "\(code)", codeMAC: hash(code), linkHash: hash(code + 100),
                path: "", language: "ko"))
    }

    fileprivate func signIn(
        phone: String = "+821012345678", _ code: Int = 1, tokens: Int = 11, handle: Int? = nil
    ) async throws -> BeginPhoneSignIn.Outcome? {
        try await perform(
            BeginPhoneSignIn(
                phone: phone, claim(.code(hash(code)), .phoneSignIn, phone, handle: handle), name: nil,
                language: "ko",
                tokens: .init(
                    access: hash(tokens), refresh: hash(tokens + 1), accessLifetime: .minutes(30),
                    refreshLifetime: .minutes(60), client: "test", address: "192.0.2.1")))
    }

    /// Signs up with an address that must be verified. The code is the one with the number 1.
    fileprivate func signUp(_ email: String) async throws {
        _ = try await perform(
            CreateAccount(
                email: email, name: "New", passwordHash: "$", profile: .init(locale: "ko"), signUp: .open,
                proof: .none,
                verification: RequestAccountCode(
                    purpose: .verification, to: email, subject: subject(email), handle: hash(201),
                    code: "1", codeMAC: hash(1), linkHash: hash(101), path: "/", language: "en")))
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
            #expect(try await stage.records().map(\.account) == [nil])
            for handle in [nil, 1] {
                #expect(try await !stage.reset(.code(hash(1)), to: "$again", handle: handle))
            }
            // After a used code, another one is sent at once.
            #expect(try await stage.request(code: 2).isNew)
        },
        CommandRule("a stranger without the handle ends no code, with five wrong codes or a hundred") {
            stage in
            _ = try await stage.two()
            try await stage.request(.verification)
            for _ in 1...AccountCode.mostTries { #expect(try await !stage.verify(.code(hash(9)))) }
            #expect(try await stage.records().map(\.tries) == [0])
            for _ in 1...AccountCode.mostGuesses { #expect(try await !stage.verify(.code(hash(9)))) }
            #expect(try await stage.records().map(\.guesses) == [AccountCode.mostGuesses])
            #expect(try await !stage.verify(.code(hash(1))))
            #expect(try await stage.verify(.code(hash(1)), handle: 1))
        },
        CommandRule("a client without a handle gets a hundred guesses, and the last one may be right") {
            stage in
            _ = try await stage.two()
            try await stage.request(.verification)
            for _ in 1..<AccountCode.mostGuesses { #expect(try await !stage.verify(.code(hash(9)))) }
            #expect(try await stage.verify(.code(hash(1))))
        },
        CommandRule("a guess is compared with all living codes, and each comparison counts in all") { stage in
            _ = try await stage.two()
            for code in 1...4 {
                try await stage.request(.verification, code: code)
                stage.now = stage.now + .minutes(1)
            }
            for _ in 1...33 { #expect(try await !stage.verify(.code(hash(9)))) }
            #expect(try await stage.records().map(\.guesses).reduce(0, +) == AccountCode.mostGuesses)
            #expect(try await !stage.verify(.code(hash(2))))
            #expect(try await stage.verify(.code(hash(2)), handle: 2))
            // A day after the codes, guesses are free again.
            stage.now = stage.now + AccountCode.day
            try await stage.request(.passwordReset, code: 5)
            #expect(try await stage.reset(.code(hash(5))))
        },
        CommandRule("a handle has five tries, and its code is valid afterwards by link and without handle") {
            stage in
            _ = try await stage.two()
            try await stage.request(.verification)
            stage.now = stage.now + .minutes(1)
            try await stage.request(.verification, code: 2)
            for _ in 1...AccountCode.mostTries + 2 {
                #expect(try await !stage.verify(.code(hash(9)), handle: 1))
            }
            #expect(try await stage.records().map(\.tries) == [AccountCode.mostTries, 0])
            #expect(try await !stage.verify(.code(hash(1)), handle: 1))
            #expect(try await !stage.verify(.link(hash(9))))
            #expect(try await stage.isRight(.code(hash(2)), handle: 2))
            // A stranger who has requested a code for somebody else cannot end it.
            #expect(try await stage.isRight(.code(hash(1)), handle: nil))
            #expect(try await stage.verify(.link(hash(101))))
        },
        CommandRule("the fifth code may be the right one, and a wrong link costs no try") { stage in
            _ = try await stage.two()
            try await stage.request(.verification)
            for _ in 1..<AccountCode.mostTries {
                #expect(try await !stage.verify(.code(hash(9)), handle: 1))
            }
            for _ in 1...9 { #expect(try await !stage.verify(.link(hash(9)), handle: 1)) }
            #expect(try await stage.verify(.code(hash(1)), handle: 1))
        },
        CommandRule("a handle belongs to one code, one purpose and one address") { stage in
            _ = try await stage.two()
            try await stage.request(.verification)
            try await stage.request(.passwordReset, code: 2)
            try await stage.request(.verification, "host1@example.org", code: 3)
            for handle in [2, 3, 4] { #expect(try await !stage.verify(.code(hash(1)), handle: handle)) }
            #expect(try await !stage.verify(.code(hash(2)), handle: 2))
            #expect(try await stage.records().map(\.tries) == [0, 0])
            #expect(try await stage.verify(.code(hash(1)), handle: 1))
            #expect(try await stage.reset(.code(hash(2)), handle: 2))
        },
        CommandRule("a code is valid for ten minutes, and its last millisecond counts") { stage in
            _ = try await stage.two()
            let begin = stage.now
            try await stage.request(.verification)
            stage.now = begin + AccountCode.lifetime - .milliseconds(1)
            #expect(try await stage.isRight(.code(hash(1)), handle: 1))
            #expect(try await stage.isRight(.link(hash(101)), handle: 1))
            stage.now = begin + AccountCode.lifetime
            for handle in [nil, 1] {
                #expect(try await !stage.verify(.code(hash(1)), handle: handle))
                #expect(try await !stage.verify(.link(hash(101)), handle: handle))
            }
        },
        CommandRule("a new code comes after a minute and not before, and ends no older one") { stage in
            _ = try await stage.two()
            let begin = stage.now
            let first = try await stage.request(.verification)
            #expect(first == .init(isNew: true, nextMessageAt: begin + AccountCode.pause))
            stage.now = begin + AccountCode.pause - .milliseconds(1)
            let second = try await stage.request(.verification, code: 2)
            #expect(second == .init(isNew: false, nextMessageAt: begin + AccountCode.pause))
            #expect(try await stage.mailCount() == 1)
            stage.now = begin + AccountCode.pause
            #expect(try await stage.request(.verification, code: 3).isNew)
            #expect(try await stage.mailCount() == 2)
            #expect(try await !stage.verify(.code(hash(2)), handle: 2))
            #expect(try await stage.isRight(.code(hash(3)), handle: 3))
            #expect(try await stage.verify(.code(hash(1)), handle: 1))
        },
        CommandRule("an address gets five codes a day for a purpose, and the same answers without account") {
            stage in
            _ = try await stage.two()
            let begin = stage.now
            var seen: [[RequestAccountCode.Outcome]] = []
            for (email, first) in [("host2@example.org", 0), ("nobody@example.org", 20)] {
                stage.now = begin
                var answers: [RequestAccountCode.Outcome] = []
                for number in 1...6 {
                    answers.append(try await stage.request(.passwordReset, email, code: first + number))
                    stage.now = stage.now + .minutes(1)
                }
                #expect(answers.map(\.isNew) == Array(repeating: true, count: 5) + [false])
                #expect(answers.suffix(2).allSatisfy { $0.nextMessageAt == begin + AccountCode.day })
                #expect(try await stage.request(.verification, email, code: first + 7).isNew)
                #expect(try await stage.records(email).count == 6)
                seen.append(answers)
            }
            #expect(seen[0] == seen[1])
            #expect(try await stage.mailCount() == 6)
            stage.now = begin + .minutes(10)
            #expect(try await !stage.reset(.code(hash(6)), handle: 6))
            #expect(try await stage.reset(.code(hash(5)), handle: 5))
            stage.now = begin + AccountCode.day
            #expect(try await stage.request(code: 12).isNew)
        },
        CommandRule("requests that send nothing take no code from a verified account or from a new one") {
            stage in
            _ = try await stage.two()
            try await stage.request(.verification, code: 90)
            #expect(try await stage.verify(.code(hash(90))))
            for number in 2...6 {
                stage.now = stage.now + .minutes(1)
                for purpose in [AccountCode.Purpose.verification, .passwordReset] {
                    let code = 10 * number + Int(purpose.rawValue)
                    try await stage.request(purpose, "new@example.org", code: code)
                }
                try await stage.request(.verification, code: number)
            }
            #expect(try await stage.mailCount() == 1)
            #expect(try await stage.request(code: 7).isNew)
            #expect(try await stage.reset(.code(hash(7)), handle: 7))
            try await stage.signUp("new@example.org")
            #expect(try await stage.mailCount("new@example.org") == 1)
            #expect(try await stage.verify(.code(hash(1)), "new@example.org", handle: 1))
            #expect(try await stage.request(.passwordReset, "new@example.org", code: 9).isNew)
        },
        CommandRule("a new password by a code ends the other codes for one") { stage in
            _ = try await stage.two()
            try await stage.request()
            stage.now = stage.now + .minutes(1)
            try await stage.request(code: 2)
            #expect(try await stage.reset(.code(hash(1)), handle: 1))
            #expect(try await !stage.reset(.code(hash(2)), to: "$again", handle: 2))
            #expect(try await !stage.reset(.link(hash(102)), to: "$again"))
        },
        CommandRule("an address without an account costs the same records and accepts nothing") { stage in
            _ = try await stage.two()
            for email in ["nobody@example.org", "host2@example.org"] {
                let code = email.hasPrefix("nobody") ? 1 : 2
                try await stage.request(.verification, email, code: code)
                #expect(try await !stage.verify(.code(hash(9)), email))
                #expect(try await !stage.verify(.code(hash(9)), email, handle: code))
                let record = try #require(try await stage.records(email).first)
                #expect(record.tries == 1 && record.guesses == 1)
            }
            #expect(try await stage.mailCount("nobody@example.org") == 0)
            for proof in [AccountCode.Proof.code(hash(1)), .link(hash(101))] {
                for handle in [nil, 1] {
                    #expect(try await !stage.verify(proof, "nobody@example.org", handle: handle))
                }
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
            await expectRefused(.emailTaken) { try await stage.signUp("host1@example.org") }
            #expect(try await stage.mailCount("host1@example.org") == 0)
            try await stage.signUp("new@example.org")
            let mail = try await stage.perform(LeaseMails(process: id(1), limit: 9)).leased.first
            #expect(mail?.recipient == "new@example.org" && mail?.language == "ko")
            #expect(try await stage.verify(.code(hash(1)), "new@example.org"))
        },
        CommandRule("codes are deleted in slices when they no longer count, and newer ones stay") { stage in
            for number in 1...3 {
                try await stage.request(.verification, "p\(number)@example.org", code: number)
            }
            stage.now = stage.now + AccountCode.day + .milliseconds(1)
            try await stage.request(.verification, "p4@example.org", code: 4)
            #expect(try await stage.perform(ForgetAccountCodes(limit: 2)) == 2)
            #expect(try await stage.perform(ForgetAccountCodes(limit: 2)) == 1)
            let before = stage.now - AccountCode.day
            let isAny = try await stage.storage.read { rows throws(JournalError) in
                try rows.hasAccountCode(sentBefore: before)
            }
            #expect(!isAny)
            #expect(try await stage.records("p4@example.org").count == 1)
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
            try await stage.requestPhone("+821011112222", code: 2, opensAccounts: false)
            #expect(try await stage.signIn(phone: "+821011112222") == nil)
            #expect(try await stage.records("+821011112222").map(\.guesses) == [1])
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
            try await stage.requestPhone("+821011112222", code: 5)
            _ = try await stage.signIn(phone: "+821011112222", 5, tokens: 21)
            stage.now = stage.now + .minutes(1)
            try await stage.requestPhone(code: 2)
            try await stage.requestPhone("+821011112222", code: 3)
            func delete(_ phone: String, _ code: Int) async throws {
                try await stage.perform(
                    DeleteAccount(
                        id: kim.id, .code(stage.claim(.code(hash(code)), .phoneSignIn, phone, handle: code)),
                        confirmation: nil, meetings: .delete))
            }
            await expectRefused(.confirmationCodeNotValid) { try await delete("+821011112222", 3) }
            await expectRefused(.confirmationCodeNotValid) { try await delete("+821012345678", 9) }
            try await delete("+821012345678", 2)
            #expect(try await stage.records("+821012345678").allSatisfy { $0.account == nil })
            stage.now = stage.now + .minutes(1)
            try await stage.requestPhone(code: 4)
            #expect(try await stage.signIn(4, tokens: 41)?.isNewAccount == true)
        },
        CommandRule("a deleted account's code is deleted with it") { stage in
            let host = try await stage.two()
            try await stage.request()
            try await stage.perform(
                DeleteAccount(id: host.id, checked: host.passwordHash, confirmation: nil))
            #expect(try await stage.records().isEmpty)
        },
    ]
}
