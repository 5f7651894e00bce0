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

    private static func cheapHash(_ password: String) async throws -> String {
        let hasher = PasswordHasher(cost: try PasswordCost(passes: 1, memoryKibibytes: 64))
        return try await hasher.hash(Redacted(password)).encoded
    }

    private func account(_ site: Site) async throws -> (account: AccountID, hash: String, signIn: SignIn) {
        let hash = try await Self.cheapHash(Self.old)
        return try await site.storage.perform(
            Act { transaction throws(JournalError) in
                let account = try transaction.account(Self.email, passwordHash: hash)
                return (account.id, hash, try transaction.signIn(as: account.id, minutes: 60))
            })
    }

    /// Runs `act` while `request` waits for the check of its password. The hasher's thread is occupied until
    /// `act` has ended, so that the check cannot end earlier.
    private func whileChecking(
        _ site: Site, _ act: () async throws -> Void, _ request: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let passwords = site.services.passwords
        let end = DispatchSemaphore(value: 0)
        await withCheckedContinuation { begun in
            Task { await passwords.occupyThread(begun, until: end) }
        }
        async let answer = request()
        do {
            try await eventually("the password waits for its check") { passwords.load > 0 }
            try await act()
        } catch {
            end.signal()
            throw error
        }
        end.signal()
        return try await answer
    }

    /// Changes the account's password while `request` waits for the check of the old password.
    private func changingPassword(
        _ site: Site, of account: AccountID, _ request: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let hash = try await Self.cheapHash(Self.new)
        let change = Act { transaction throws(JournalError) in
            guard var found = try transaction.rows.account(account) else { return }
            found.passwordHash = hash
            try transaction.rows.update(found)
            for other in try transaction.rows.signIns(of: account) {
                try transaction.rows.deleteTokens(signIn: other.signIn)
            }
        }
        return try await whileChecking(site, { try await site.storage.perform(change) }, request)
    }

    private func tokenCount(_ site: Site, _ account: AccountID) async throws -> Int {
        try await site.storage.read { rows throws(JournalError) in try rows.signIns(of: account).count }
    }

    @Test(arguments: ["/api/v1/tokens", "/host/sign-in"])
    func `a sign-in fails if the password changes while it is checked`(path: String) async throws {
        try await Site.open { site in
            let (account, _, _) = try await account(site)
            let body = #"{"email": "\#(Self.email)", "password": "\#(Self.old)"}"#
            let answer = try await changingPassword(site, of: account) {
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
                let (account, _, signIn) = try await account(site)
                let answer = try await changingPassword(site, of: account) {
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
            let (account, hash, _) = try await account(site)
            let renewed = try await Self.cheapHash(Self.old)
            let body = #"{"email": "\#(Self.email)", "password": "\#(Self.old)"}"#
            let renewal = RenewPasswordHash(account: account, from: hash, to: renewed)
            let answer = try await whileChecking(site, { _ = try await site.storage.perform(renewal) }) {
                try await site.send("POST", "/api/v1/tokens", json: body)
            }
            #expect(answer.status == 201)
        }
    }

    // MARK: Deletion

    @Test func `an account's deletion needs its password, and wrong ones count for this sign-in alone`()
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
            for _ in 1...FailureLimits.signInByMark.failures {
                let answer = try await site.send("DELETE", "/api/v1/me", bearer: token, json: wrong)
                #expect(answer.status == 401 && answer.string("code") == "wrong_credentials")
            }
            #expect(site.clock.pauses.isEmpty)
            // Over the limit, the passwords of this sign-in wait with those of strangers.
            for _ in 1...3 {
                #expect(try await site.send("DELETE", "/api/v1/me", bearer: token, json: wrong).status == 401)
            }
            #expect(site.clock.pauses == [.seconds(1), .seconds(2)])
            #expect(try await site.send("GET", "/api/v1/me", bearer: token).status == 200)
            #expect(
                try await site.send(
                    "DELETE", "/api/v1/me", bearer: token, json: #"{"password": "\#(Self.old)"}"#
                ).status == 204)
            #expect(try await site.send("GET", "/api/v1/me", bearer: token).status == 401)
        }
    }
}

extension PasswordHasher {
    /// Occupies the hasher's thread until `end` is signalled. Resumes `begun` when the thread is occupied.
    fileprivate func occupyThread(_ begun: CheckedContinuation<Void, Never>, until end: DispatchSemaphore) {
        begun.resume()
        end.wait()
    }
}
