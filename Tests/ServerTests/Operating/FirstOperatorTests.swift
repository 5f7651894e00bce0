import Foundation
import FrontDoor
import HTTPServer
import Journal
import Meetings
import Secrets
import Testing

@testable import Server

/// Tests of the right to create a server's first account, and of the rule that one operator always stays.
@Suite(.timeLimit(.minutes(2))) struct FirstOperatorTests {
    private func signUp(
        _ site: Site, _ name: String = "kim", token: String? = nil, host: String? = nil,
        headers: [(String, String)] = []
    ) async throws -> Answer {
        let given = token.map { #", "setupToken": "\#($0)""# } ?? ""
        let json =
            #"{"email": "\#(name)@example.org", "password": "correct horse battery", "name": "Kim"\#(given)}"#
        return try await site.send("POST", "/api/v1/accounts", json: json, headers: headers, host: host)
    }

    private func token(_ site: Site) async throws -> String {
        try await site.server.announceSetup()
        return try #require(SetupToken.load(at: site.services.settings.setupTokenPath)).text
    }

    private static let proxied = [("X-Forwarded-For", "203.0.113.9")]

    @Test(arguments: SignUp.allCases)
    func `a client on this machine creates the first account, in every sign-up mode`(mode: SignUp)
        async throws
    {
        try await Site.open {
            $0.signUp = mode
            $0.listen = "0.0.0.0:0"
        } _: { site in
            let made = try await signUp(site)
            #expect(made.status == 201 && made.json("admin") as? Bool == true)
            let second = try await signUp(site, "lee")
            #expect(second.status == (mode == .open ? 201 : 403))
            #expect(second.json("admin") as? Bool != true)
        }
    }

    @Test(arguments: [
        ("Forwarded", "for=203.0.113.9"), ("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-Host", "localhost"),
        ("X-Forwarded-Anything", ""),
        ("X-Real-IP", "127.0.0.1"), ("Via", "1.1 proxy"), ("Origin", "https://elsewhere.example"),
        ("Sec-Fetch-Site", "cross-site"),
    ])
    func `a client behind a proxy or on another site's page needs the setup token`(header: (String, String))
        async throws
    {
        try await Site.open { site in
            let refused = try await signUp(site, headers: [header])
            #expect(refused.status == 403 && refused.string("code") == "setup_token_required")
            let terms = try await site.send("GET", "/host/sign-up", headers: [header])
            #expect(terms.json("isFirst") as? Bool == true && terms.json("needsSetupToken") as? Bool == true)
            #expect(try await signUp(site, token: try await token(site), headers: [header]).status == 201)
        }
    }

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST:8080", true), ("127.0.0.1", true), ("127.9.9.9:80", true),
        ("[::1]", true), ("[::1]:8080", true),
        ("127.evil.example", false), ("localhost.evil.example", false), ("evil.example:80", false),
        ("192.0.2.1", false), ("[::2]", false),
        ("::1", false), ("localhost:80:80", false), ("localhost:x", false), ("", false), ("[::1", false),
        ("[127.0.0.1]x", false),
    ])
    func `a client counts as local only if its Host header names this machine`(host: String, isOurs: Bool)
        async throws
    {
        #expect(Loopback.names(host) == isOurs)
        guard !host.isEmpty, host != "[::1" else { return }
        try await Site.open { site in
            let status = try await signUp(site, host: host).status
            #expect(isOurs ? status == 201 : [400, 403].contains(status), "\(status)")
        }
    }

    @Test(arguments: [true, false])
    func `every client needs the setup token behind a public URL or a trusted proxy`(hasURL: Bool)
        async throws
    {
        let proxies = try AddressRanges("loopback")
        try await Site.open { settings in
            if hasURL {
                settings.publicURL = "http://127.0.0.1:8080"
            } else {
                settings.trustedProxies = proxies
            }
        } _: { site in
            let refused = try await signUp(site)
            #expect(refused.string("code") == "setup_token_required")
            #expect(try await signUp(site, token: try await token(site)).status == 201)
        }
    }

    @Test func `the setup token is logged, private, valid for one account, and deleted afterwards`()
        async throws
    {
        try await Site.inFolder { folder in
            let kept = try await Site.open(in: folder) { site in
                let text = try await token(site)
                #expect(site.log.all.contains { $0.contains(text) })
                let mode =
                    try FileManager.default.attributesOfItem(atPath: "\(folder)/setup-token")[
                        .posixPermissions] as? Int
                #expect(mode == 0o600)
                return text
            }
            try await Site.open(in: folder, { $0.signUp = .closed }) { site in
                #expect(try await token(site) == kept)
                let wrong = try await signUp(
                    site, token: "7K3M-7K3M-7K3M-7K3M-7K3M-7K3M", headers: Self.proxied)
                #expect(wrong.status == 422 && wrong.string("code") == "setup_token_not_valid")
                let made = try await signUp(
                    site, token: kept.lowercased().replacing("-", with: " "), headers: Self.proxied)
                #expect(made.status == 201 && made.json("admin") as? Bool == true)
                #expect(!FileManager.default.fileExists(atPath: "\(folder)/setup-token"))
                #expect(
                    try await signUp(site, "lee", token: kept, headers: Self.proxied).string("code")
                        == "sign_up_closed")
            }
            // A setup token file that was left behind is removed when the server starts.
            try Data("\(kept)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/setup-token"))
            try await Site.open(in: folder) { site in
                try await site.server.announceSetup()
                #expect(!FileManager.default.fileExists(atPath: "\(folder)/setup-token"))
            }
        }
    }

    @Test func `the server replaces a token file that is damaged or that others may read`() async throws {
        try await Site.open { site in
            let path = site.services.settings.setupTokenPath
            let first = try await token(site)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            #expect(
                try await signUp(site, token: first, headers: Self.proxied).string("code")
                    == "setup_token_not_valid")
            let second = try await token(site)
            #expect(second != first)
            try Data("short\n".utf8).write(to: URL(fileURLWithPath: path))
            #expect(try await token(site) != second)
        }
    }

    @Test func `the server counts wrong setup tokens by address, and always accepts the right one`()
        async throws
    {
        try await Site.open { site in
            let right = try await token(site)
            for _ in 1...FailureLimits.signUp.failures {
                #expect(try await signUp(site, token: "wrong", headers: Self.proxied).status == 422)
            }
            let wait = try await signUp(site, token: "wrong", headers: Self.proxied)
            #expect(wait.status == 429 && wait[header: "retry-after"] != nil)
            #expect(try await signUp(site, token: right, headers: Self.proxied).status == 201)
        }
    }

    @Test func `exactly one of many simultaneous first sign-ups becomes the operator`() async throws {
        try await Site.open { site in
            let text = try await token(site)
            let answers = try await withThrowingTaskGroup { group in
                for number in 1...6 {
                    group.addTask {
                        try await signUp(site, "kim\(number)", token: number.isMultiple(of: 2) ? text : nil)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.json("admin") as? Bool == true } == 1)
            #expect(answers.allSatisfy { [201, 422].contains($0.status) })
        }
    }

    @Test func `the only operator cannot withdraw, and the answer says what to do first`() async throws {
        try await Site.open { site in
            _ = try await signUp(site)
            let signIn = #"{"email": "kim@example.org", "password": "correct horse battery"}"#
            let bearer = try #require(
                try await site.send("POST", "/api/v1/tokens", json: signIn).string("accessToken"))
            let leave = #"{"password": "correct horse battery"}"#
            let refused = try await site.send("DELETE", "/api/v1/me", bearer: bearer, json: leave)
            #expect(refused.status == 409 && refused.string("code") == "last_operator")
            #expect(refused.string("detail")?.contains("qring admin user make-operator EMAIL") == true)
            _ = try await signUp(site, "lee")
            _ = try await site.storage.perform(MakeOperator(email: "lee@example.org"))
            #expect(try await site.send("DELETE", "/api/v1/me", bearer: bearer, json: leave).status == 204)
        }
    }
}
