import Foundation
import HTTPServer
import Testing

@testable import Server

/// Tests of sign-ins by cookie on the host's page.
@Suite struct WebSignInTests {
    private static let ours = ("Sec-Fetch-Site", "same-origin")
    private static let owner = #"{"email": "owner@example.org", "password": "correct horse battery"}"#

    /// Returns an answer's cookies by name: the value, and the attributes as they were sent.
    private func cookies(_ answer: Answer) -> [String: (value: String, attributes: String)] {
        var found: [String: (value: String, attributes: String)] = [:]
        for header in answer.headers where header.name == "set-cookie" {
            let parts = header.value.split(separator: ";", maxSplits: 1).map(String.init)
            let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            found[pair[0]] = (pair[1], parts[1])
        }
        return found
    }

    private func signedIn(_ site: Site) async throws -> Answer {
        let account = #"{"email": "owner@example.org", "password": "correct horse battery", "name": "Owner"}"#
        #expect(try await site.send("POST", "/api/v1/accounts", json: account).status == 201)
        return try await site.send("POST", "/host/sign-in", json: Self.owner, headers: [Self.ours])
    }

    @Test func `the server sends the tokens only as cookies that no script can read`() async throws {
        try await Site.open { site in
            let answer = try await signedIn(site)
            #expect(answer.status == 201 && answer.string("expiresAt") != nil)
            #expect(answer.string("accessToken") == nil && answer.string("refreshToken") == nil)
            let cookies = cookies(answer)
            let access = try #require(cookies["qring_token"])
            let refresh = try #require(cookies["qring_refresh"])
            #expect(access.attributes.contains("Path=/;") && refresh.attributes.contains("Path=/host/renew;"))
            for cookie in [access, refresh] { #expect(cookie.attributes.contains("HttpOnly; SameSite=Lax")) }
            let me = try await site.send(
                "GET", "/api/v1/me", headers: [("Cookie", "qring_token=\(access.value)")])
            #expect(me.string("email") == "owner@example.org")
        }
    }

    @Test(arguments: [
        ("Sec-Fetch-Site", "cross-site"), ("Origin", "https://elsewhere.example"), ("X-Nothing", "said"),
    ])
    func `the server refuses a sign-in, renewal or write from another site's page`(_ header: (String, String))
        async throws
    {
        try await Site.open { site in
            let access = try #require(cookies(try await signedIn(site))["qring_token"]).value
            let cookie = ("Cookie", "qring_token=\(access)")
            for path in ["/host/sign-in", "/host/renew", "/host/sign-out", "/api/v1/meetings"] {
                let body = path == "/host/sign-in" ? Self.owner : path == "/api/v1/meetings" ? "{}" : nil
                let answer = try await site.send("POST", path, json: body, headers: [cookie, header])
                #expect(answer.status == 403 && answer.string("code") == "origin_not_allowed", "\(path)")
                #expect(answer[header: "set-cookie"] == nil)
            }
        }
    }

    @Test func `a renewal gives new cookies, and ends the old access token`() async throws {
        try await Site.open { site in
            let first = cookies(try await signedIn(site))
            let refresh = ("Cookie", "qring_refresh=\(try #require(first["qring_refresh"]).value)")
            let renewed = try await site.send("POST", "/host/renew", headers: [Self.ours, refresh])
            #expect(renewed.status == 201)
            let second = try #require(cookies(renewed)["qring_token"]).value
            let old = ("Cookie", "qring_token=\(try #require(first["qring_token"]).value)")
            #expect(try await site.send("GET", "/api/v1/me", headers: [old]).status == 401)
            #expect(
                try await site.send("GET", "/api/v1/me", headers: [("Cookie", "qring_token=\(second)")])
                    .status == 200)
            #expect(
                try await site.send("POST", "/host/renew", headers: [Self.ours]).string("code")
                    == "not_signed_in")
        }
    }

    @Test func `signing out ends the sign-in and deletes the cookies`() async throws {
        try await Site.open { site in
            let given = cookies(try await signedIn(site))
            let cookie = ("Cookie", "qring_token=\(try #require(given["qring_token"]).value)")
            let answer = try await site.send("POST", "/host/sign-out", headers: [Self.ours, cookie])
            #expect(answer.status == 204)
            let taken = cookies(answer)
            for name in ["qring_token", "qring_refresh"] {
                #expect(
                    taken[name]?.value == "" && taken[name]?.attributes.contains("Max-Age=0;") == true,
                    "\(name)")
            }
            #expect(try await site.send("GET", "/api/v1/me", headers: [cookie]).status == 401)
        }
    }
}
