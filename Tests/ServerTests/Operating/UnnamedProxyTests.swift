import FrontDoor
import Meetings
import Testing

@testable import Server

/// Tests of the notice that requests are forwarded by a proxy that the operator has not named.
@Suite struct UnnamedProxyTests {
    @Test func `an address is reported after 20 requests, and logged once`() {
        let proxies = UnnamedProxies()
        for _ in 1..<UnnamedProxies.leastRequests { #expect(proxies.count("a", at: start) == nil) }
        #expect(proxies.reported(at: start).isEmpty)
        #expect(proxies.count("a", at: start)?.address == "a")
        for _ in 1...50 { #expect(proxies.count("a", at: start) == nil) }
        #expect(proxies.reported(at: start).map(\.requests) == [70])
        #expect(proxies.reported(at: start + UnnamedProxies.memory).isEmpty)
    }

    @Test func `a stranger who sends the header fills neither the log nor the notices`() {
        let proxies = UnnamedProxies()
        for _ in 1...1_000 { _ = proxies.count("proxy", at: start) }
        var lines = 0
        for number in 0..<1_000 {
            for _ in 1...30 where proxies.count("stranger \(number)", at: start + .seconds(number)) != nil {
                lines += 1
            }
        }
        let reported = proxies.reported(at: start + .seconds(1_000))
        #expect(reported.count <= UnnamedProxies.most && reported.first?.address == "proxy")
        #expect(lines <= 1_000 / 60 + 1)
    }

    @Test func `the log, the metrics and the notices name the address; a named proxy is fine`() async throws {
        for isNamed in [false, true] {
            try await Site.open { settings in
                if isNamed, let ranges = try? AddressRanges("loopback") { settings.trustedProxies = ranges }
            } _: { site in
                for number in 1...30 {
                    let name = number % 2 == 0 ? "X-Forwarded-For" : "Forwarded"
                    let headers = [(name, number % 2 == 0 ? "192.0.2.7" : "for=192.0.2.7")]
                    #expect(try await site.send("GET", "/healthz", headers: headers).status == 200)
                }
                _ = try await site.rooms(headers: [(name: "X-Forwarded-For", value: "192.0.2.7")])
                let words = "which is not named as a trusted proxy"
                func metrics() async throws -> String { try await site.send("GET", "/metrics").text }
                if isNamed {
                    #expect(site.services.unnamedProxies.total == 0)
                    #expect(!site.log.all.contains { $0.contains(words) })
                    return
                }
                // The first account is the operator's.
                let body = #"{"email": "host@example.org", "password": "correct horse", "name": "Host"}"#
                #expect(try await site.send("POST", "/api/v1/accounts", json: body).status == 201)
                let token = try await site.send(
                    "POST", "/api/v1/tokens",
                    json: #"{"email": "host@example.org", "password": "correct horse"}"#
                ).string("accessToken")
                try await eventually("all are counted") { site.services.unnamedProxies.total == 31 }
                #expect(site.log.all.count { $0.contains(words) } == 1)
                #expect(
                    try await metrics().contains("qring_unnamed_proxy_requests{address=\"127.0.0.1\"} 31"))
                let notices = try await site.send("GET", "/api/v1/notices", bearer: token)
                #expect(notices.string("items.0.code") == "unnamed_proxy")
                #expect(notices.string("items.0.text")?.contains("127.0.0.1") == true)
            }
        }
    }
}
