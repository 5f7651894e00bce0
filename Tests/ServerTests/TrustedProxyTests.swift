import FrontDoor
import HTTPServer
import Testing

@testable import Server

struct TrustedProxyTests {
    private static func reached(_ headers: [(name: String, value: String)], peer: String = "10.0.0.1") throws
        -> Reached?
    {
        TrustedProxies(try AddressRanges("10.0.0.0/8,fd00::/8"))
            .reached(by: HTTPRequestHead(method: "GET", path: "/", headers: HTTPHeaders(headers), peer: peer))
    }

    @Test func `several lines of a header are one list`() throws {
        let lines = [
            (name: "X-Forwarded-For", value: "6.6.6.6"),
            (name: "x-forwarded-for", value: "203.0.113.7, 10.0.0.2"),
        ]
        #expect(try Self.reached(lines)?.client == "203.0.113.7")
        #expect(try Self.reached(lines.reversed())?.client == "6.6.6.6")
    }

    @Test func `a peer that is not trusted says nothing`() throws {
        for peer in ["203.0.113.7", "11.0.0.1", "::1", ""] {
            #expect(
                try Self.reached(
                    [(name: "X-Forwarded-For", value: "6.6.6.6"), (name: "Host", value: "a")], peer: peer)
                    == nil)
        }
        #expect(
            TrustedProxies(AddressRanges()).client(
                of: HTTPRequestHead(method: "GET", path: "/", peer: "127.0.0.1")) == "127.0.0.1")
    }

    @Test func `the host is the proxy's word, or what it asked for itself`() throws {
        #expect(
            try Self.reached([
                (name: "Host", value: "a.example:8443"), (name: "X-Forwarded-Proto", value: "https"),
            ])?.address?.url
                == "https://a.example:8443")
        let named = try Self.reached([
            (name: "Host", value: "inside"), (name: "X-Forwarded-Host", value: "evil.example, b.example"),
        ])
        #expect(named?.host == "b.example" && named?.address?.url == "http://b.example")
        #expect(try Self.reached([(name: "Host", value: "a/b")])?.address == nil)
    }

    @Test func `a session's rooms show the address by which its host asked, and none that a stranger chose`()
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
            #expect(site.services.address.isLoopback)
        }
    }
}
