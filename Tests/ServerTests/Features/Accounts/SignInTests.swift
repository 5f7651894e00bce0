import Foundation
import HTTPServer
import Journal
import Meetings
import Testing
import WebSockets

@testable import Secrets
@testable import Server

/// Tests of sign-ins: their tokens, the renewal of tokens, and the events that end a sign-in.
@Suite(.timeLimit(.minutes(2))) struct SignInTests {
    private static let email = "kim@example.org"
    private static let old = "correct horse battery"
    private static let new = "another horse battery"

    /// Creates an account whose password takes a while to check, so that the test can act during the check.
    private func slowAccount(_ site: Site) async throws -> (account: AccountID, hash: String, signIn: SignIn)
    {
        let slow = PasswordHasher(cost: try PasswordCost(passes: 10, memoryKibibytes: 131_072))
        let hash = try await slow.hash(Redacted(Self.old)).encoded
        return try await site.storage.perform(
            Act { transaction throws(JournalError) in
                let account = try transaction.account(Self.email, passwordHash: hash)
                return (account.id, hash, try transaction.signIn(as: account.id, minutes: 60))
            })
    }

    /// Changes the account's password while `request` waits for the check of the old password.
    private func whileChecking(
        _ site: Site, _ account: AccountID, _ request: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let cheap = PasswordHasher(cost: try PasswordCost(passes: 1, memoryKibibytes: 64))
        let hash = try await cheap.hash(Redacted(Self.new)).encoded
        async let answer = request()
        try await eventually("the password is being checked") { site.services.passwords.load > 0 }
        try await site.storage.perform(
            Act { transaction throws(JournalError) in
                guard var found = try transaction.rows.account(account) else { return }
                found.passwordHash = hash
                try transaction.rows.update(found)
                for other in try transaction.rows.signIns(of: account) {
                    try transaction.rows.deleteTokens(signIn: other.signIn)
                }
            })
        return try await answer
    }

    private func tokenCount(_ site: Site, _ account: AccountID) async throws -> Int {
        try await site.storage.read { rows throws(JournalError) in try rows.signIns(of: account).count }
    }

    @Test(arguments: ["/api/v1/tokens", "/host/sign-in"])
    func `a sign-in fails if the password changes while it is checked`(path: String) async throws {
        try await Site.open { site in
            let (account, _, _) = try await slowAccount(site)
            let body = #"{"email": "\#(Self.email)", "password": "\#(Self.old)"}"#
            let answer = try await whileChecking(site, account) {
                try await site.send("POST", path, json: body, headers: [("Sec-Fetch-Site", "same-origin")])
            }
            #expect(answer.status == 401 && answer.string("code") == "wrong_credentials")
            #expect(try await tokenCount(site, account) == 0)
            // The failure counts like any wrong password.
            let right = #"{"email": "\#(Self.email)", "password": "\#(Self.new)"}"#
            #expect(try await site.send("POST", "/api/v1/tokens", json: right).status == 201)
        }
    }

    @Test func `an edit or deletion fails if the password changes while it is checked`()
        async throws
    {
        for (method, json) in [
            ("PATCH", #"{"password": "a third horse battery", "currentPassword": "\#(Self.old)"}"#),
            ("DELETE", #"{"password": "\#(Self.old)"}"#),
        ] {
            try await Site.open { site in
                _ = try await site.cast()
                let (account, _, signIn) = try await slowAccount(site)
                let answer = try await whileChecking(site, account) {
                    try await site.send(
                        method, "/api/v1/me", bearer: BearerToken.access + signIn.access, json: json)
                }
                #expect(answer.status == 401, "\(method)")
                let right = #"{"email": "\#(Self.email)", "password": "\#(Self.new)"}"#
                #expect(try await site.send("POST", "/api/v1/tokens", json: right).status == 201, "\(method)")
            }
        }
    }

    @Test func `a sign-in succeeds if the hash is renewed while the password is checked`() async throws {
        try await Site.open { site in
            let (account, hash, _) = try await slowAccount(site)
            let cheap = PasswordHasher(cost: try PasswordCost(passes: 1, memoryKibibytes: 64))
            let renewed = try await cheap.hash(Redacted(Self.old)).encoded
            let body = #"{"email": "\#(Self.email)", "password": "\#(Self.old)"}"#
            async let answer = site.send("POST", "/api/v1/tokens", json: body)
            try await eventually("the password is being checked") { site.services.passwords.load > 0 }
            try await site.storage.perform(RenewPasswordHash(account: account, from: hash, to: renewed))
            #expect(try await answer.status == 201)
        }
    }

    // MARK: Deletion

    @Test func `an account's deletion needs its password, and wrong ones count as failed sign-ins`()
        async throws
    {
        try await Site.open { site in
            _ = try await site.cast()
            let account = #"{"email": "\#(Self.email)", "password": "\#(Self.old)", "name": "Kim"}"#
            #expect(try await site.send("POST", "/api/v1/accounts", json: account).status == 201)
            let signIn = #"{"email": "\#(Self.email)", "password": "\#(Self.old)"}"#
            let token = try #require(
                try await site.send("POST", "/api/v1/tokens", json: signIn).string("accessToken"))
            let bare = try await site.send("DELETE", "/api/v1/me", bearer: token, json: "{}")
            #expect(bare.status == 422 && bare.string("errors.0.field") == "/password")
            #expect(try await site.send("DELETE", "/api/v1/me", bearer: token).status == 415)
            let wrong = #"{"password": "something else"}"#
            for _ in 1...FailureLimits.signIn.failures {
                let answer = try await site.send("DELETE", "/api/v1/me", bearer: token, json: wrong)
                #expect(answer.status == 401 && answer.string("code") == "wrong_credentials")
            }
            #expect(try await site.send("DELETE", "/api/v1/me", bearer: token, json: wrong).status == 429)
            #expect(try await site.send("POST", "/api/v1/tokens", json: signIn).status == 429)
            #expect(try await site.send("GET", "/api/v1/me", bearer: token).status == 200)
            site.clock.set(at(15))
            #expect(
                try await site.send(
                    "DELETE", "/api/v1/me", bearer: token, json: #"{"password": "\#(Self.old)"}"#
                ).status == 204)
            #expect(try await site.send("GET", "/api/v1/me", bearer: token).status == 401)
        }
    }
}
