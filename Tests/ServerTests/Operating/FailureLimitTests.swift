import Foundation
import FrontDoor
import Journal
import Meetings
import Secrets
import Testing
import WebSockets

@testable import Server

@Suite struct FailureLimitTests {
    private let limit = FailureLimits.Limit(failures: 3, within: .minutes(10))

    @Test func `an attempt waits after as many failures as the limit allows, until the time is over`() {
        let limits = FailureLimits()
        for _ in 1...3 {
            #expect(limits.wait("a", limit, at: start) == nil)
            limits.failed("a", limit, at: start)
        }
        #expect(limits.wait("a", limit, at: start) == 601)
        #expect(limits.wait("b", limit, at: start) == nil)
        #expect(limits.wait("a", limit, at: at(10) - .milliseconds(1)) == 1)
        #expect(limits.wait("a", limit, at: at(10)) == nil)
        limits.failed("a", limit, at: at(10))
        #expect(limits.wait("a", limit, at: at(10)) == nil)
    }

    @Test func `a success clears the failures, and a clock that is set back lengthens no wait`() {
        let limits = FailureLimits()
        for _ in 1...3 { limits.failed("a", limit, at: start) }
        #expect(limits.wait("a", limit, at: start - .milliseconds(1)) == nil)
        #expect(limits.wait("a", limit, at: start) != nil)
        limits.succeeded("a")
        #expect(limits.wait("a", limit, at: start) == nil)
    }

    @Test func `the number of stored failures is limited, and the newest failures stay stored`() {
        let limits = FailureLimits()
        for number in 0..<110_000 { limits.failed("\(number)", limit, at: start + .milliseconds(number)) }
        #expect(limits.keyCount <= 100_000)
        let last = start + .milliseconds(110_000)
        for _ in 1...2 { limits.failed("109999", limit, at: last) }
        #expect(limits.wait("109999", limit, at: last) != nil)
        // Expired entries are removed first.
        for number in 0..<20_000 { limits.failed("later \(number)", limit, at: last + .minutes(20)) }
        #expect(limits.keyCount <= 20_000)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8::9", "2001:db8:0:0::/64"), ("::1", "0:0:0:0::/64"), ("fe80::1%eth0", "fe80:0:0:0::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
    ])
    func `all addresses of one network count as one origin`(address: String, origin: String) {
        #expect((address.contains(":") ? Origin.network(ofIPv6: address) : address) == origin)
    }

    // MARK: Through the server

    /// Adds one failure fewer than the limit.
    private func fill(_ site: Site, _ key: String, _ limit: FailureLimits.Limit) {
        for _ in 1..<limit.failures { site.services.limits.failed(key, limit, at: site.clock.now) }
    }

    private func expectToWait(_ answer: Answer, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(
            answer.status == 429 && answer.string("code") == "too_many_attempts",
            sourceLocation: sourceLocation)
        let seconds = answer[header: "retry-after"].flatMap { Int($0) } ?? 0
        #expect((1...901).contains(seconds), sourceLocation: sourceLocation)
    }

    @Test func `the server makes forgers wait from the limit on, and still accepts genuine codes and tokens`()
        async throws
    {
        let bad =
            [
                ("/api/v1/grants", #"{"code": "0123456789ABCDEFGHJKMNPQRSTVWXYZ0123456789"}"#, nil, 422),
                (
                    "/api/v1/check-ins", #"{"grant": "qgr_0", "name": "Kim", "email": "k@example.org"}"#, nil,
                    422
                ),
                ("/api/v1/sessions/00000000000000000000000000/responses", #"{"answers": {}}"#, "qrc_0", 401),
                ("/api/v1/tokens/refresh", #"{"refreshToken": "qrt_0"}"#, nil, 401),
            ] as [(String, String, String?, Int)]
        for (path, json, bearer, status) in bad {
            try await Site.open { site in
                let cast = try await site.cast()
                fill(site, "forgery from 127.0.0.1", FailureLimits.forgery)
                #expect(
                    try await site.send("POST", path, bearer: bearer, json: json).status == status, "\(path)")
                expectToWait(try await site.send("POST", path, bearer: bearer, json: json))
                let code = #"{"code": "\#(site.code(of: cast.record.session))"}"#
                #expect(try await site.send("POST", "/api/v1/grants", json: code).status == 201)
                let checkIn = #"{"grant": "\#(cast.grant)", "name": "Kim", "email": "kim@example.org"}"#
                #expect(try await site.send("POST", "/api/v1/check-ins", json: checkIn).status == 201)
                #expect(
                    try await site.send("GET", "/api/v1/check-ins/current", bearer: cast[.attendee]).status
                        == 200)
                let refresh = #"{"refreshToken": "\#(cast.refresh)"}"#
                #expect(try await site.send("POST", "/api/v1/tokens/refresh", json: refresh).status == 201)
                site.clock.set(at(10))
                #expect(try await site.send("POST", path, bearer: bearer, json: json).status == status)
            }
        }
    }

    @Test
    func `rooms make forgers wait from the same limit on, and still accept genuine tokens`()
        async throws
    {
        let forged = [
            "qrc_0", "qgr_0", "nonsense", "", BearerToken.access + RandomToken().text,
            BearerToken.presenter + RandomToken().text,
            BearerToken.refresh + RandomToken().text,
        ]
        try await Site.open { site in
            let cast = try await site.cast()
            func end(_ token: String, byMessage: Bool) async throws -> String? {
                let caller = try await site.rooms(bearer: byMessage ? nil : token)
                if byMessage { try caller.say(#"{"authorize": "\#(token)"}"#) }
                #expect(await caller.end() == 4001)
                return caller.connection.closed?.reason
            }
            func isWaiting(_ origin: String = "127.0.0.1") -> Bool {
                site.services.limits.wait("forgery from \(origin)", FailureLimits.forgery, at: site.clock.now)
                    != nil
            }
            for token in forged {
                for byMessage in [false, true] {
                    site.services.limits.succeeded("forgery from 127.0.0.1")
                    fill(site, "forgery from 127.0.0.1", FailureLimits.forgery)
                    // An expired token was genuine, so it does not count as a forgery.
                    if let expired = cast[.expired] {
                        #expect(try await end(expired, byMessage: byMessage) == "not_authorized")
                    }
                    #expect(!isWaiting())
                    #expect(try await end(token, byMessage: byMessage) == "not_authorized", "\(token)")
                    #expect(isWaiting(), "\(token)")
                    #expect(try await end(token, byMessage: byMessage) == "too_many_attempts", "\(token)")
                }
            }
            // Rooms and requests share the same count.
            expectToWait(try await site.send("POST", "/api/v1/grants", json: #"{"code": "0"}"#))
            let rooms = [
                (cast[.viewer], "session"), (cast[.presenter], "presenter"), (cast[.attendee], "audience"),
                (cast.grant, "audience"),
            ]
            for (token, room) in rooms { _ = try await site.watch("\(room):\(cast.session)", bearer: token) }
            #expect(try await end(cast[.expired] ?? "", byMessage: true) == "not_authorized")
        }
    }

    @Test func `the server counts forgers in rooms behind a proxy by their own address`() async throws {
        try await Site.open { settings in
            if let proxies = try? AddressRanges("loopback") { settings.trustedProxies = proxies }
        } _: { site in
            let client = (name: "X-Forwarded-For", value: "2001:db8:1:2::7")
            fill(site, "forgery from 2001:db8:1:2::/64", FailureLimits.forgery)
            for reason in ["not_authorized", "too_many_attempts"] {
                let caller = try await site.rooms(bearer: "qrc_0", headers: [client])
                #expect(await caller.end() == 4001)
                #expect(caller.connection.closed?.reason == reason)
            }
            let neighbour = try await site.rooms(bearer: "qrc_0")
            #expect(await neighbour.end() == 4001)
            #expect(neighbour.connection.closed?.reason == "not_authorized")
        }
    }

    @Test func `a renewed poster and a missing token do not count as forgeries`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let old = #"{"code": "\#(site.code(of: cast.record.session))"}"#
            for _ in 1...3 {
                _ = try await site.storage.perform(
                    EditSession(id: cast.session, renewsCode: true, actor: cast.owner))
            }
            fill(site, "forgery from 127.0.0.1", FailureLimits.forgery)
            for _ in 1...3 {
                #expect(try await site.send("POST", "/api/v1/grants", json: old).status == 422)
                #expect(try await site.send("GET", "/api/v1/check-ins/current").status == 401)
            }
        }
    }

    @Test func `a client with wrong join codes has to wait from the limit on, but right codes never wait`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            fill(site, "join code from 127.0.0.1", FailureLimits.joinCode)
            let wrong = #"{"joinCode": "ZZZZZZ"}"#
            #expect(try await site.send("POST", "/api/v1/grants", json: wrong).status == 422)
            expectToWait(try await site.send("POST", "/api/v1/grants", json: wrong))
            let right = #"{"joinCode": "\#(cast.record.session.joinCode)"}"#
            #expect(try await site.send("POST", "/api/v1/grants", json: right).status == 201)
            #expect(
                try await site.send("POST", "/", form: "joinCode=\(cast.record.session.joinCode)").status
                    == 200)
        }
    }

    @Test func `refused sign-ups make one address wait a minute, but not an invited person`() async throws {
        try await Site.open { site in
            _ = try await site.cast()
            func signUp(_ email: String, _ more: String = "") async throws -> Answer {
                try await site.send(
                    "POST", "/api/v1/accounts",
                    json: #"{"email": "\#(email)", "password": "correct horse", "name": "New"\#(more)}"#)
            }
            #expect(try await signUp("taken@example.org").status == 201)
            fill(site, "sign-up from 127.0.0.1", FailureLimits.signUp)
            #expect(try await signUp("other@example.org").status == 201)
            #expect(try await signUp("taken@example.org").status == 409)
            expectToWait(try await signUp("new@example.org"))
            let invitation = Invitation.text(for: "new@example.org", until: at(60), keys: site.keys)
            #expect(try await signUp("new@example.org", #", "invitation": "\#(invitation)""#).status == 201)
            site.clock.set(at(1))
            #expect(try await signUp("later@example.org").status == 201)
        }
    }

    @Test
    func `one address makes 100 new accounts an hour, and a hall behind it still checks in and signs in`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            func signUp(_ name: String, _ more: String = "") async throws -> Answer {
                try await site.send(
                    "POST", "/api/v1/accounts",
                    json: """
                        {"email": "\(name)@example.org", "password": "correct horse", "name": "New"\(more)}
                        """)
            }
            fill(site, "new account from 127.0.0.1", FailureLimits.newAccount)
            #expect(try await signUp("last").status == 201)
            let refused = try await signUp("over")
            #expect((refused.status, refused.string("code")) == (429, "too_many_sign_ups"))
            #expect(refused[header: "retry-after"] == "3601")
            let invitation = Invitation.text(for: "over@example.org", until: at(60), keys: site.keys)
            #expect(try await signUp("over", #", "invitation": "\#(invitation)""#).status == 201)
            #expect(
                try await site.send(
                    "POST", "/api/v1/tokens",
                    json: #"{"email": "last@example.org", "password": "correct horse"}"#
                ).status == 201)
            let code = CheckInCode.text(of: cast.record.session, at: site.clock.now, keys: site.keys)
            #expect(
                try await site.send("POST", "/api/v1/grants", json: #"{"code": "\#(code)"}"#).status == 201)
            site.clock.set(at(60))
            #expect(try await signUp("later").status == 201)
        }
    }

    @Test func `a large body of an unknown caller is refused before the client sends it`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            // The request has a head only, so an answer shows that the server did not wait for the body.
            func put(bearer: String?) async throws -> Answer {
                try await site.send(
                    "PUT", "/api/v1/meetings/\(cast.meeting)/image", bearer: bearer,
                    headers: [("Content-Length", "4000000"), ("Expect", "100-continue")])
            }
            for bearer in [nil, "no token", BearerToken.access + String(repeating: "0", count: 43)] {
                let answer = try await put(bearer: bearer)
                #expect((answer.status, answer.string("code")) == (401, "not_signed_in"))
                #expect(answer[header: "x-request-id"] != nil)
            }
            #expect(try await put(bearer: cast[.viewer]).status == 403)
            // A client that sends the body nevertheless gets the same answer.
            let sent = try await site.send(
                "PUT", "/api/v1/meetings/\(cast.meeting)/image", bearer: "no token",
                bytes: [UInt8](repeating: 1, count: 4_000_000))
            #expect((sent.status, sent.string("code")) == (401, "not_signed_in"))
        }
    }

    @Test func `wrong invitations count as failures if sign-up is by invitation`() async throws {
        try await Site.open { settings in
            settings.signUp = .invite
        } _: { site in
            _ = try await site.storage.perform(
                Act { transaction throws(JournalError) in try transaction.signIn("operator", minutes: 60) })
            fill(site, "sign-up from 127.0.0.1", FailureLimits.signUp)
            let body =
                #"""
                {"email": "a@example.org", "password": "correct horse", \#
                "name": "New", "invitation": "qin_0"}
                """#
            let refused = try await site.send("POST", "/api/v1/accounts", json: body)
            #expect((refused.status, refused.string("code")) == (422, "invitation_not_valid"))
            expectToWait(try await site.send("POST", "/api/v1/accounts", json: body))
        }
    }

    @Test func `an address has to wait after 60 e-mail checks a minute`() async throws {
        try await Site.open { site in
            let path = "/api/v1/accounts/availability?email=a@example.org"
            fill(site, "availability 127.0.0.1", FailureLimits.availability)
            #expect(try await site.send("GET", path).status == 200)
            expectToWait(try await site.send("GET", path))
            site.clock.set(at(1))
            #expect(try await site.send("GET", path).status == 200)
        }
    }

    @Test func `an address that has sent too many wrong passwords still learns which one is right`()
        async throws
    {
        try await Site.open { site in
            _ = try await site.storage.perform(
                Act { transaction throws(JournalError) in try transaction.account("kim@example.org") })
            let (key, limit) = ("sign-in from 127.0.0.1", FailureLimits.signInFromAddress)
            for _ in 0..<limit.failures { site.services.limits.failed(key, limit, at: site.clock.now) }
            func signIn(_ password: String) async throws -> Int {
                try await site.send(
                    "POST", "/api/v1/tokens",
                    json: #"{"email": "kim@example.org", "password": "\#(password)"}"#
                ).status
            }
            #expect(try await signIn("wrong password") == 401)
            #expect(try await signIn(castPassword) == 201)
        }
    }

    @Test func `the next sign-in replaces a hash of another cost, and ends no other sign-in`() async throws {
        try await Site.open { site in
            let cheap = PasswordHasher(cost: try PasswordCost(passes: 1, memoryKibibytes: 64))
            let hash = try await cheap.hash(Redacted("correct horse"))
            let (account, signIn) = try await site.storage.perform(
                Act { transaction throws(JournalError) in
                    let account = try CreateAccount(
                        email: "host@example.org", name: "Host", passwordHash: hash.encoded, profile: .init(),
                        signUp: .open, proof: .setUp
                    ).run(in: transaction)
                    return (account, try transaction.signIn(as: account.id, minutes: 60))
                })
            let body = #"{"email": "host@example.org", "password": "correct horse"}"#
            #expect(try await site.send("POST", "/api/v1/tokens", json: body).status == 201)
            let kept = try #require(
                try await site.storage.read { rows throws(JournalError) in try rows.account(account.id) })
            #expect(try !PasswordHash(encoded: kept.passwordHash).needsRenewal(for: .interactive))
            #expect(kept.version == account.version && kept.passwordHash != hash.encoded)
            #expect(
                try await site.send("GET", "/api/v1/me", bearer: BearerToken.access + signIn.access).status
                    == 200)
            #expect(try await site.send("POST", "/api/v1/tokens", json: body).status == 201)
            let again = try await site.storage.read { rows throws(JournalError) in
                try rows.account(account.id)
            }
            #expect(again?.passwordHash == kept.passwordHash)
        }
    }
}
