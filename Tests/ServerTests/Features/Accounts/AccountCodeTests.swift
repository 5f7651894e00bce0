import Foundation
import Journal
import Meetings
import Secrets
import Testing

@testable import Server

/// Tests of the codes that the server sends by mail: verification and new passwords.
@Suite(.timeLimit(.minutes(2))) struct AccountCodeTests {
    private static let verifications = "/api/v1/accounts/verifications"
    private static let resets = "/api/v1/accounts/password-resets"

    /// Signs up an operator and `kim@example.org`. Stops the couriers, so that the mails stay in the queue.
    private func signUp(_ site: Site) async throws {
        for courier in site.server.couriers { await courier.drain(within: .zero) }
        _ = try await site.storage.perform(
            Act { transaction throws(JournalError) in
                _ = try transaction.account("operator@example.org")
                _ = try transaction.account("kim@example.org")
            })
    }

    private func request(_ site: Site, _ path: String, _ email: String) async throws -> Answer {
        try await site.send("POST", path, json: #"{"email": "\#(email)"}"#)
    }

    /// Takes the newest mail from the queue. Returns its code and the token of its link.
    private func mail(_ site: Site, on lane: OutgoingMail.Lane = .mail) async throws -> (
        code: String, token: String, path: String
    ) {
        let leased = try await site.storage.perform(
            LeaseMails(on: lane, process: .makeTimeless(), limit: 10)
        ).leased
        let (code, path) =
            switch try #require(leased.last).content {
            case .verification(let code, let path), .passwordReset(let code, let path): (code, path)
            case .phoneCode(let code): (code, "")
            case .reminder, .moved, .cancelled, .feedbackOpen, .checkedInElsewhere, .invitation, .push,
                .hook, .hookDisabled, .absences, .certificate, .replyConfirmation, .reply:
                ("", "")
            }
        return (code, path.split(separator: "/").last.map(String.init) ?? "", path)
    }

    private func confirm(
        _ site: Site, _ path: String, _ code: String, _ email: String = "kim@example.org",
        password: String? = nil, handle: String? = nil, headers: [(String, String)] = []
    ) async throws -> Answer {
        let more =
            (password.map { #", "password": "\#($0)""# } ?? "")
            + (handle.map { #", "handle": "\#($0)""# } ?? "")
        return try await site.send(
            "PUT", path, json: #"{"email": "\#(email)", "code": "\#(code)"\#(more)}"#, headers: headers)
    }

    @Test func `a browser that sets a new password by mail signs in at once, whoever guesses there`()
        async throws
    {
        try await Site.open { site in
            try await signUp(site)
            _ = try await request(site, Self.resets, "kim@example.org")
            let (mail, ours) = (try await mail(site), ("Sec-Fetch-Site", "same-origin"))
            let password = "a brave new horse"
            let reset = try await confirm(site, Self.resets, mail.code, password: password, headers: [ours])
            #expect(reset.status == 204)
            let cookie = try #require(reset[header: "set-cookie"]?.split(separator: ";").first)
            #expect(cookie.hasPrefix("qring_marks=qsm_"))
            for _ in 1...9 {
                site.services.limits.failed(
                    "sign-in kim@example.org from 127.0.0.1", FailureLimits.signIn, at: site.clock.now)
            }
            let pauses = site.clock.pauses.count
            let signedIn = try await site.send(
                "POST", "/host/sign-in", json: #"{"email": "kim@example.org", "password": "\#(password)"}"#,
                headers: [ours, ("Cookie", String(cookie))])
            #expect(signedIn.status == 201 && site.clock.pauses.count == pauses)
        }
    }

    /// The status and the body, without the parts that are random.
    private func comparable(_ answer: Answer) -> String {
        "\(answer.status) " + answer.text.replacing(#/"(handle|requestId)" ?: ?"[^"]*"/#, with: "…")
    }

    @Test func `the code of the mail verifies the address, also with spaces`() async throws {
        try await Site.open { site in
            try await signUp(site)
            #expect(try await request(site, Self.verifications, "kim@example.org").status == 202)
            let mail = try await mail(site)
            #expect(mail.code.count == 6 && mail.code.allSatisfy(\.isNumber))
            #expect(mail.path.hasPrefix("/host#/verify/kim%40example.org/"))
            let spaced = "\(mail.code.prefix(3)) \(mail.code.suffix(3))"
            let answer = try await confirm(site, Self.verifications, spaced, "KIM@example.org")
            #expect(answer.status == 200 && answer.json("verified") as? Bool == true)
            #expect(
                try await confirm(site, Self.verifications, mail.code).string("code")
                    == "confirmation_code_not_valid")
        }
    }

    @Test func `a new password by the link signs in, ends other sign-ins and refuses the old password`()
        async throws
    {
        try await Site.open { site in
            try await signUp(site)
            let signIn = try await site.storage.perform(
                Act { transaction throws(JournalError) -> SignIn in
                    guard let kim = try transaction.rows.account(email: IdentityKey("kim@example.org"))
                    else { throw .refused(.notFound(.account)) }
                    return try transaction.signIn(as: kim.id, minutes: 60)
                })
            let room = try await site.rooms(bearer: BearerToken.access + signIn.access)
            _ = try await room.join("home")
            _ = try await request(site, Self.resets, "kim@example.org")
            let mail = try await mail(site)
            #expect(mail.path.hasPrefix("/host#/reset/kim%40example.org/"))
            let weak = try await confirm(site, Self.resets, mail.token, password: "password123")
            #expect(weak.status == 422 && weak.string("code") == "invalid_fields")
            let reset = try await confirm(site, Self.resets, mail.token, password: "a brave new horse")
            #expect(reset.status == 204, "\(reset.text)")
            #expect(await room.end() == 4001)
            let (old, new) = (castPassword, "a brave new horse")
            for (password, status) in [(old, 401), (new, 201)] {
                #expect(
                    try await site.send(
                        "POST", "/api/v1/tokens",
                        json: #"{"email": "kim@example.org", "password": "\#(password)"}"#
                    ).status == status)
            }
            #expect(
                try await confirm(site, Self.resets, mail.token, password: "one more horse").status == 422)
        }
    }

    @Test func `known and unknown addresses get the same answers`() async throws {
        try await Site.open { site in
            try await signUp(site)
            for path in [Self.verifications, Self.resets] {
                var seen: [[String]] = []
                for email in ["kim@example.org", "nobody@example.org"] {
                    var answers: [Answer] = []
                    for _ in 1...2 { answers.append(try await request(site, path, email)) }
                    let handle = try #require(answers[0].string("handle"))
                    #expect(handle.count == RandomToken.textLength && answers[1].string("handle") == nil)
                    for shown in Array(repeating: handle, count: 7) + [nil, "nonsense"] {
                        answers.append(
                            try await confirm(
                                site, path, "12345x", email, password: "a good horse", handle: shown))
                    }
                    seen.append(answers.map(comparable))
                }
                #expect(seen[0] == seen[1], "\(path)")
            }
        }
    }

    @Test func `a stranger's wrong codes end no code of its owner, by mail and on the phone`() async throws {
        try await Site.open { site in
            try await signUp(site)
            let sent = try await request(site, Self.resets, "kim@example.org")
            let handle = try #require(sent.string("handle"))
            let mail = try await mail(site)
            for _ in 1...5 {
                let wrong = try await confirm(site, Self.resets, "12345x", password: "a brave new horse")
                #expect(wrong.string("code") == "confirmation_code_not_valid")
            }
            let right = try await confirm(
                site, Self.resets, mail.code, password: "a brave new horse", handle: handle)
            #expect(right.status == 204)
            let code = try await askForCode(site)
            for _ in 1...5 { #expect(try await signIn(site, "12345x").status == 422) }
            #expect(try await signIn(site, code).status == 201)
        }
    }

    @Test func `a right code is accepted although its address has sent too many wrong ones`() async throws {
        try await Site.open { site in
            try await signUp(site)
            _ = try await request(site, Self.verifications, "kim@example.org")
            let mail = try await mail(site)
            for _ in 0..<FailureLimits.code.failures { site.fail("code from 127.0.0.1", FailureLimits.code) }
            let wrong = try await confirm(site, Self.verifications, "1", "other@example.org")
            #expect(wrong.status == 429)
            #expect(try await confirm(site, Self.verifications, mail.code).status == 200)
        }
    }

    // MARK: Phones

    private static let phones = "/api/v1/phone-tokens"
    private static let number = "+821012345678"

    private func askForCode(_ site: Site, _ phone: String = Self.number) async throws -> String {
        let asked = try await site.send("POST", Self.phones, json: #"{"phone": "\#(phone)"}"#)
        #expect(asked.status == 202)
        return try await mail(site, on: .phone).code
    }

    private func signIn(
        _ site: Site, _ code: String, _ phone: String = Self.number, handle: String? = nil
    ) async throws -> Answer {
        let more = handle.map { #", "handle": "\#($0)""# } ?? ""
        return try await site.send(
            "PUT", Self.phones, json: #"{"phone": "\#(phone)", "code": "\#(code)"\#(more)}"#)
    }

    @Test func `a phone signs in, gets an account once, refreshes, and withdraws by a fresh code`()
        async throws
    {
        try await Site.open { site in
            try await signUp(site)
            let code = try await askForCode(site, "010-1234-5678")
            let first = try await signIn(site, code)
            #expect(first.status == 201 && first.json("isNewAccount") as? Bool == true, "\(first.text)")
            #expect(try await signIn(site, code).string("code") == "confirmation_code_not_valid")
            let access = try #require(first.string("accessToken"))
            let me = try await site.send("GET", "/api/v1/me", bearer: access)
            #expect(me.string("phone") == Self.number && me.string("email") == "")
            #expect(me.string("state") == "active" && me.string("name") == "…5678")
            let refresh = try #require(first.string("refreshToken"))
            let renewed = try await site.send(
                "POST", "/api/v1/tokens/refresh", json: #"{"refreshToken": "\#(refresh)"}"#)
            #expect(renewed.status == 201)
            let token = try #require(renewed.string("accessToken"))
            for password in ["", "x", castPassword] {
                let refused = try await site.send(
                    "DELETE", "/api/v1/me", bearer: token, json: #"{"password": "\#(password)"}"#)
                #expect([401, 422].contains(refused.status), "\(refused.text)")
            }
            site.clock.set(site.clock.now + .minutes(1))
            let fresh = try await askForCode(site)
            func withdraw(_ code: String) async throws -> Answer {
                try await site.send("DELETE", "/api/v1/me", bearer: token, json: #"{"code": "\#(code)"}"#)
            }
            #expect(try await withdraw("12345x").string("code") == "confirmation_code_not_valid")
            #expect(try await withdraw(fresh).status == 204)
            #expect(
                try await site.send("GET", "/api/v1/me", bearer: token).string("code") == "account_withdrawn")
        }
    }

    @Test
    func `known and unknown numbers get the same answers, and only known ones a code if sign-up is closed`()
        async throws
    {
        try await Site.open {
            $0.signUp = .closed
        } _: { site in
            try await signUp(site)
            let known = "+821011112222"
            _ = try await site.storage.perform(
                Act { transaction throws(JournalError) in
                    try transaction.rows.insert(
                        Account(
                            id: .make(at: start), email: "", name: "Lee", passwordHash: "", verified: true,
                            createdAt: start, phone: known))
                })
            var seen: [[String]] = []
            for phone in [Self.number, known] {
                var answers = [
                    try await site.send("POST", Self.phones, json: #"{"phone": "\#(phone)"}"#)
                ]
                for _ in 1...7 { answers.append(try await signIn(site, "12345x", phone)) }
                let handle = answers[0].string("handle")
                #expect(handle != nil)
                for _ in 1...7 { answers.append(try await signIn(site, "12345x", phone, handle: handle)) }
                seen.append(answers.map(comparable))
            }
            #expect(seen[0] == seen[1])
            let sent = try await site.storage.perform(
                LeaseMails(on: .phone, process: .makeTimeless(), limit: 10))
            #expect(sent.leased.map(\.recipient) == [known])
            #expect(
                try await site.storage.perform(LeaseMails(process: .makeTimeless(), limit: 10)).leased.isEmpty
            )
        }
    }
}

extension Site {
    fileprivate func fail(_ key: String, _ limit: FailureLimits.Limit) {
        services.limits.failed(key, limit, at: clock.now)
    }
}
