import FrontDoor
import HTTPServer
import Testing

@testable import Server

struct TrustedProxyTests {
    private static func forwarded(_ headers: [(name: String, value: String)], peer: String = "10.0.0.1")
        throws
        -> ForwardedRequest?
    {
        TrustedProxies(try AddressRanges("10.0.0.0/8,fd00::/8"))
            .forwarded(HTTPRequestHead(method: "GET", path: "/", headers: HTTPHeaders(headers), peer: peer))
    }

    @Test func `the server reads several lines of a header as one list`() throws {
        let lines = [
            (name: "X-Forwarded-For", value: "6.6.6.6"),
            (name: "x-forwarded-for", value: "203.0.113.7, 10.0.0.2"),
        ]
        #expect(try Self.forwarded(lines)?.client == "203.0.113.7")
        #expect(try Self.forwarded(lines.reversed())?.client == "6.6.6.6")
    }

    @Test func `the server ignores the headers of a peer that is not trusted`() throws {
        for peer in ["203.0.113.7", "11.0.0.1", "::1", ""] {
            #expect(
                try Self.forwarded(
                    [(name: "X-Forwarded-For", value: "6.6.6.6"), (name: "Host", value: "a")], peer: peer)
                    == nil)
        }
        #expect(
            TrustedProxies(AddressRanges()).client(
                of: HTTPRequestHead(method: "GET", path: "/", peer: "127.0.0.1")) == "127.0.0.1")
    }

    @Test func `the host is the one that the proxy names, or else the proxy's Host header`() throws {
        #expect(
            try Self.forwarded([
                (name: "Host", value: "a.example:8443"), (name: "X-Forwarded-Proto", value: "https"),
            ])?.address?.url
                == "https://a.example:8443")
        let named = try Self.forwarded([
            (name: "Host", value: "inside"), (name: "X-Forwarded-Host", value: "evil.example, b.example"),
        ])
        #expect(named?.host == "b.example" && named?.address?.url == "http://b.example")
        #expect(try Self.forwarded([(name: "Host", value: "a/b")])?.address == nil)
    }

    @Test func `a session's rooms show the address that its host used, and none that a stranger chose`()
        async throws
    {
        let loopback = try AddressRanges("loopback")
        try await Site.open {
            $0.trustedProxies = loopback
        } _: { site in
            let cast = try await site.cast()
            let headers = [("X-Forwarded-Host", "qring.example.org"), ("X-Forwarded-Proto", "https")]
            let path = "/api/v1/sessions/\(cast.session)"
            let id = cast.session
            for bearer in [nil, cast[.stranger], cast[.viewer]] {
                _ = try await site.send("GET", path, bearer: bearer, headers: headers)
                #expect(site.services.addresses.address(for: id).isLoopback)
            }
            #expect(try await site.send("GET", path, bearer: cast[.owner], headers: headers).status == 200)
            #expect(site.services.addresses.address(for: id).url == "https://qring.example.org")
            #expect(site.server.address.isLoopback)
        }
    }

    @Test
    func `a POST with a key answers with its client's address, like the same POST without a key`()
        async throws
    {
        let loopback = try AddressRanges("loopback")
        try await Site.open {
            $0.trustedProxies = loopback
        } _: { site in
            let cast = try await site.cast()
            let proxy = [("X-Forwarded-Host", "qring.example.org"), ("X-Forwarded-Proto", "https")]
            for (name, key) in [("Unkeyed", []), ("Keyed", [("Idempotency-Key", "k")])] {
                for attempt in ["first", "second"] {
                    let answer = try await site.send(
                        "POST", "/api/v1/meetings", bearer: cast[.owner],
                        json: #"""
                            {"name": "\#(name)", "timeZone": "Asia/Seoul",
                             "session": {"startsAt": "2027-01-01T10:00:00Z", "endsAt": "2027-01-01T11:00:00Z",
                                         "allowOverlap": true}}
                            """#, headers: proxy + key)
                    let meeting = answer.string("meeting.meetingUrl") ?? ""
                    let session = answer.string("session.checkInUrl") ?? ""
                    #expect(answer.status == 201, "\(name), \(attempt): \(answer.text)")
                    #expect(
                        meeting.hasPrefix("HTTPS://QRING.EXAMPLE.ORG/M/"), "\(name), \(attempt): \(meeting)")
                    #expect(
                        session.hasPrefix("HTTPS://QRING.EXAMPLE.ORG/C/"), "\(name), \(attempt): \(session)")
                }
            }
        }
    }
}
