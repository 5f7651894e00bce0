import Foundation
import Journal
import Meetings
import Secrets
import Testing

@testable import Server

/// Tests of the marks by which a client shows that it signed in to an account before.
@Suite(.timeLimit(.minutes(5)))
struct SignInMarkTests {
    private static let (host, right) = ("host@example.org", "correct horse")

    private func signUp(_ site: Site, _ email: String = host) async throws {
        let body = #"{"email": "\#(email)", "password": "\#(Self.right)", "name": "Host"}"#
        #expect(try await site.send("POST", "/api/v1/accounts", json: body).status == 201)
    }

    private func signIn(
        _ site: Site, _ password: String = right, _ email: String = host, mark: String? = nil,
        bearer: String? = nil
    ) async throws -> Answer {
        let more = mark.map { #", "mark": "\#($0)""# } ?? ""
        return try await site.send(
            "POST", "/api/v1/tokens", bearer: bearer,
            json: #"{"email": "\#(email)", "password": "\#(password)"\#(more)}"#)
    }

    /// Sends wrong passwords without a mark. Returns the delays before their checks.
    private func guess(_ site: Site, _ count: Int, _ email: String = host) async throws -> [Duration] {
        let before = site.clock.pauses.count
        for _ in 0..<count { #expect(try await signIn(site, "wrong", email).status == 401) }
        return Array(site.clock.pauses.dropFirst(before))
    }

    @Test func `a host with a mark signs in at once, however many wrong passwords the hall sends`()
        async throws
    {
        try await Site.open { site in
            try await signUp(site)
            let mark = try #require(try await signIn(site).string("mark"))
            #expect(try await guess(site, 20).last == .seconds(30))
            let pauses = site.clock.pauses.count
            let marked = try await signIn(site, mark: mark)
            #expect(marked.status == 201 && marked.string("mark") == mark)
            #expect(site.clock.pauses.count == pauses)
            // Without a mark, the right password gets in after its wait, and brings another mark.
            let late = try await signIn(site)
            #expect(late.status == 201 && late.string("mark").map { $0 != mark } == true)
            #expect(site.clock.pauses.dropFirst(pauses) == [.seconds(30)])
        }
    }

    @Test func `a sign-in with a mark does not make the guesses of strangers faster`() async throws {
        try await Site.open { site in
            try await signUp(site)
            let mark = try #require(try await signIn(site).string("mark"))
            #expect(try await guess(site, 3) == [.seconds(1), .seconds(2)])
            #expect(try await signIn(site, mark: mark).status == 201)
            #expect(try await guess(site, 1) == [.seconds(4)])
        }
    }

    @Test func `a mark has a count of its own, and over it its passwords wait with those of strangers`()
        async throws
    {
        try await Site.open { site in
            try await signUp(site)
            let mark = try #require(try await signIn(site).string("mark"))
            for _ in 1...FailureLimits.signInByMark.failures {
                #expect(try await signIn(site, "wrong", mark: mark).status == 401)
            }
            #expect(site.clock.pauses.isEmpty)
            for _ in 1...2 { #expect(try await signIn(site, "wrong", mark: mark).status == 401) }
            #expect(site.clock.pauses == [.seconds(1)])
            #expect(try await signIn(site, mark: mark).status == 201)
            #expect(site.clock.pauses == [.seconds(1), .seconds(2)])
            // Another mark of the account has another count.
            let other = try #require(try await signIn(site).string("mark"))
            #expect(other != mark)
            _ = try await guess(site, 2)
            let pauses = site.clock.pauses.count
            #expect(try await signIn(site, mark: other).status == 201)
            #expect(site.clock.pauses.count == pauses)
        }
    }

    @Test func `a wrong password tells after how long the next one is checked`() async throws {
        try await Site.open { site in
            try await signUp(site)
            _ = try await guess(site, 4)
            let answer = try await signIn(site, "wrong")
            #expect(answer.status == 401 && answer.string("code") == "wrong_credentials")
            #expect(answer[header: "retry-after"] == "16")
            #expect(answer.string("detail")?.contains("checked 16 s from now") == true)
        }
    }

    @Test func `an address without an account waits and answers as one with an account`() async throws {
        try await Site.open { site in
            try await signUp(site)
            #expect(try await guess(site, 9) == (try await guess(site, 9, "nobody@example.org")))
            let (known, unknown) = (
                try await signIn(site, "wrong"), try await signIn(site, "wrong", "nobody@example.org")
            )
            #expect(known.string("detail") == unknown.string("detail"))
            #expect(known[header: "retry-after"] == unknown[header: "retry-after"])
        }
    }

    @Test func `a new password, a deletion and another account void a mark; a sign-out does not`()
        async throws
    {
        try await Site.open { site in
            try await signUp(site, "operator@example.org")
            try await signUp(site)
            let first = try await signIn(site)
            let (mark, token) = (
                try #require(first.string("mark")), try #require(first.string("accessToken"))
            )
            let other = try #require(
                try await signIn(site, Self.right, "operator@example.org").string("mark"))
            _ = try await guess(site, 2)
            /// Whether the server checks the next password of the mark at once.
            func isKnown(_ mark: String, _ password: String = Self.right) async throws -> Bool {
                site.services.limits.failed(
                    "sign-in \(Self.host) from 127.0.0.1", FailureLimits.signIn, at: site.clock.now)
                let before = site.clock.pauses.count
                #expect(try await signIn(site, password, mark: mark).status == 201)
                return site.clock.pauses.count == before
            }
            #expect(try await isKnown(mark))
            for invalid in [
                other, "qsm_0", "nonsense", String(mark.dropLast()) + "0", mark.lowercased() + "0",
            ]
            where invalid != mark {
                #expect(try await !isKnown(invalid), "\(invalid)")
            }
            #expect(try await site.send("DELETE", "/api/v1/tokens/current", bearer: token).status == 204)
            #expect(try await isKnown(mark))
            let again = try #require(try await signIn(site, mark: mark).string("accessToken"))
            let new = "a brave new horse"
            let me = try await site.send("GET", "/api/v1/me", bearer: again)
            let change = try await site.send(
                "PATCH", "/api/v1/me", bearer: again,
                json: #"{"password": "\#(new)", "currentPassword": "\#(Self.right)"}"#,
                headers: [
                    ("If-Match", try #require(me[header: "etag"] ?? me.int("version").map { "\"v\($0)\"" }))
                ])
            #expect(change.status == 200, "\(change.text)")
            #expect(try await !isKnown(mark, new))
            let newest = try #require(try await signIn(site, new).string("mark"))
            #expect(try await isKnown(newest, new))
            let end = #"{"password": "\#(new)"}"#
            #expect(try await site.send("DELETE", "/api/v1/me", bearer: again, json: end).status == 204)
            try await signUp(site)
            #expect(try await !isKnown(newest))
        }
    }

    @Test func `a token gives a count of its own for its own account only`() async throws {
        try await Site.open { site in
            try await signUp(site, "operator@example.org")
            try await signUp(site)
            let stranger = try #require(
                try await signIn(site, Self.right, "operator@example.org").string("accessToken"))
            for _ in 1...3 { #expect(try await signIn(site, "wrong", bearer: stranger).status == 401) }
            #expect(site.clock.pauses == [.seconds(1), .seconds(2)])
        }
    }

    @Test func `the browser keeps its marks in a cookie that no script reads, the newest first`() async throws
    {
        try await Site.open { site in
            func sent(_ email: String, _ cookie: String?) async throws -> (value: String, attributes: String)
            {
                let answer = try await site.send(
                    "POST", "/host/sign-in", json: #"{"email": "\#(email)", "password": "\#(Self.right)"}"#,
                    headers: [("Sec-Fetch-Site", "same-origin")]
                        + (cookie.map { [("Cookie", "qring_marks=\($0)")] } ?? []))
                #expect(answer.status == 201)
                let header = try #require(
                    answer.headers.first {
                        $0.name == "set-cookie" && $0.value.hasPrefix("qring_marks=")
                    })
                let parts = header.value.dropFirst("qring_marks=".count).split(
                    separator: ";", maxSplits: 1)
                return (String(parts[0]), String(parts[1]))
            }
            for number in 0...5 { try await signUp(site, "\(number)@example.org") }
            let first = try await sent("0@example.org", nil)
            #expect(first.attributes.contains("Path=/host/sign-in;"))
            #expect(first.attributes.contains("HttpOnly; SameSite=Lax"))
            #expect(try await sent("0@example.org", first.value).value == first.value)
            var cookie = first.value
            for number in 1...5 { cookie = try await sent("\(number)@example.org", cookie).value }
            #expect(cookie.split(separator: ".").count == SignInMark.mostInCookie)
            #expect(!cookie.contains(first.value))
            _ = try await guess(site, 5, "5@example.org")
            let pauses = site.clock.pauses.count
            #expect(try await sent("5@example.org", cookie).value == cookie)
            #expect(site.clock.pauses.count == pauses)
        }
    }

    @Test func `servers of one database share the delays`() async throws {
        try await Site.open { site in
            let key = site.keys.attempts
            let there = FailureLimits(key: key)
            let here = FailureLimits(key: key) { there.receive($0, at: start) }
            for count in 1...3 {
                here.failed("a", FailureLimits.signIn, at: start)
                #expect(there.failures("a", FailureLimits.signIn, at: start).count == count)
            }
            #expect(there.failures("a", FailureLimits.signIn, at: at(1)).age == .minutes(1))
            here.succeeded("a")
            #expect(there.failures("a", FailureLimits.signIn, at: start).count == 0)
        }
    }
}
