import Foundation
import HTTPServer
import Journal
import Meetings
import Testing
import WebSockets

@testable import Server

/// Tests of refresh tokens: each is used once, the same client may repeat the renewal within a minute, and a
/// later reuse ends the sign-in.
@Suite(.timeLimit(.minutes(1))) struct RenewalTests {
    private static let phone = ("User-Agent", "Phone/1")
    private static let thief = ("User-Agent", "Thief/1")

    private func renew(_ site: Site, _ token: String, by agent: (String, String) = phone) async throws
        -> Answer
    {
        try await site.send(
            "POST", "/api/v1/tokens/refresh", json: #"{"refreshToken": "\#(token)"}"#, headers: [agent])
    }

    private func isSignedIn(_ site: Site, _ token: String?) async throws -> Bool {
        try await site.send("GET", "/api/v1/me", bearer: token ?? "").status == 200
    }

    @Test func `a client that lost a renewal's answer gets it again for a minute`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let before = try await site.send("GET", "/api/v1/tokens", bearer: cast[.owner]).items("id")
            let first = try await renew(site, cast.refresh)
            #expect(first.status == 201)
            for seconds in [0, 30, 60] {
                site.clock.set(start + .seconds(seconds))
                let again = try await renew(site, cast.refresh)
                #expect(again.status == 201 && again.body == first.body, "after \(seconds) s")
            }
            #expect(try await isSignedIn(site, first.string("accessToken")))
            // The list has the same sign-ins as before, because a renewal creates no new one.
            let list = try await site.send("GET", "/api/v1/tokens", bearer: first.string("accessToken"))
            #expect(Set(list.items("id")) == Set(before))
        }
    }

    @Test func `a renewal with an older token gets the newest pair, within a minute`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let second = try #require(try await renew(site, cast.refresh).string("refreshToken"))
            let third = try #require(try await renew(site, second).string("refreshToken"))
            let late = try await renew(site, cast.refresh)
            #expect(late.status == 201 && late.string("refreshToken") == third)
            #expect(try await isSignedIn(site, late.string("accessToken")))
        }
    }

    @Test func `a later reuse ends the whole sign-in and its rooms, and the answer says so`() async throws {
        for (seconds, agent) in [(61, Self.phone), (1, Self.thief)] {
            try await Site.open { site in
                let cast = try await site.cast()
                let renewed = try await renew(site, cast.refresh)
                let room = try await site.watch(
                    "session:\(cast.session)", bearer: renewed.string("accessToken"))
                let other = try await site.watch("session:\(cast.session)", bearer: cast[.host])
                site.clock.set(start + .seconds(seconds))
                let reused = try await renew(site, cast.refresh, by: agent)
                #expect(
                    reused.status == 401 && reused.string("code") == "sign_in_ended", "after \(seconds) s")
                #expect(reused.string("detail")?.contains("Sign in again") == true)
                #expect(try await !isSignedIn(site, renewed.string("accessToken")))
                let after = try await renew(site, try #require(renewed.string("refreshToken")))
                #expect(after.status == 401 && after.string("code") == "wrong_credentials")
                #expect(await room.end() == 4001)
                // Another account's sign-in and its room continue.
                #expect(try await isSignedIn(site, cast[.host]))
                #expect(try await other.join("session:\(cast.session)")?.string("joined") != nil)
            }
        }
    }

    @Test func `two simultaneous renewals get the same pair, whichever way they come`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            async let one = renew(site, cast.refresh)
            async let other = renew(site, cast.refresh)
            let (first, second) = (try await one, try await other)
            #expect(first.status == 201 && second.status == 201 && first.body == second.body)
            #expect(try await isSignedIn(site, second.string("accessToken")))
        }
    }

    @Test
    func `two browser tabs that renew at once stay signed in, and an old cookie ends the sign-in`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            func renewed(_ token: String) async throws -> Answer {
                let headers = [
                    ("Sec-Fetch-Site", "same-origin"), ("Cookie", "qring_refresh=\(token)"), Self.phone,
                ]
                return try await site.send("POST", "/host/renew", headers: headers)
            }
            func cookie(_ name: String, _ answer: Answer) -> String? {
                answer.headers.first { $0.name == "set-cookie" && $0.value.hasPrefix(name) }?.value.split(
                    separator: ";"
                ).first.map {
                    String($0.dropFirst(name.count + 1))
                }
            }
            async let one = renewed(cast.refresh)
            async let other = renewed(cast.refresh)
            for tab in [try await one, try await other] {
                #expect(tab.status == 201)
                let access = try #require(cookie("qring_token", tab))
                #expect(
                    try await site.send("GET", "/api/v1/me", headers: [("Cookie", "qring_token=\(access)")])
                        .status == 200)
            }
            site.clock.set(at(2))
            let late = try await renewed(cast.refresh)
            #expect(late.status == 401 && late.string("code") == "sign_in_ended")
            #expect(cookie("qring_refresh", late) == nil)
        }
    }
}
