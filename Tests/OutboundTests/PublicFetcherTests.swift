import Outbound
import Synchronization
import Testing
import TinyServer

/// Checks that `PublicFetcher` fetches files only from addresses of the public Internet.
struct PublicFetcherTests {
    private func address(_ text: String) -> [UInt8] {
        if text.contains(":") {
            let halves = text.split(separator: "::", omittingEmptySubsequences: false).map {
                $0.split(separator: ":").map { UInt16($0, radix: 16)! }
            }
            let back = halves.count > 1 ? halves[1] : []
            let groups = halves[0] + [UInt16](repeating: 0, count: 8 - halves[0].count - back.count) + back
            return groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        }
        return text.split(separator: ".").map { UInt8($0)! }
    }

    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255",
        "127.0.0.1", "127.255.255.255",
        "169.254.0.0", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.2.9",
        "192.88.99.1", "192.168.0.0",
        "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1",
        "239.255.255.255", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::7f00:1", "::ffff:7f00:1", "::ffff:a00:1", "64:ff9b::7f00:1",
        "64:ff9b:1::1", "100::1", "fc00::1",
        "fdff::1", "fe80::1", "fec0::1", "ff02::1", "2001::1", "2001:1ff::1", "2001:db8::1", "2002:7f00:1::1",
        "3fff::1", "4000::1",
    ]) func `an address outside the public Internet is rejected`(text: String) {
        #expect(!PublicInternet.contains(address(text)), "\(text)")
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255",
        "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0",
        "223.255.255.255", "2001:200::1", "2606:4700::1", "2001:db7::1", "2003::1", "3fff:1000::1",
        "::ffff:101:101", "64:ff9b::101:101",
    ]) func `a public address next to a reserved range is accepted`(text: String) {
        #expect(PublicInternet.contains(address(text)), "\(text)")
    }

    @Test func `an address with neither 4 nor 16 bytes is rejected`() {
        for count in [0, 1, 3, 5, 15, 17] {
            #expect(!PublicInternet.contains([UInt8](repeating: 8, count: count)))
        }
    }

    private func loopback(_ bytes: [UInt8]) -> Bool { bytes == [127, 0, 0, 1] }

    @Test func `the fetcher rejects every name of this machine and sends no request to it`() async throws {
        let server = try TinyServer { _ in .init() }
        let fetching = PublicFetcher(userAgent: "test")
        for host in [
            "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0.0.0.0",
            "[::ffff:127.0.0.1]", "[::1]",
        ] {
            await #expect(throws: TransportError.addressRefused, "\(host)") {
                try await fetching.fetch("http://\(host):\(server.port)/", mostBytes: 100)
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `the fetcher requests an allowed address without credentials and without a proxy`()
        async throws
    {
        let server = try TinyServer { _ in .init(body: "{\"questions\": []}") }
        let fetching = PublicFetcher(userAgent: "test", alsoFrom: loopback)
        let answer = try await fetching.fetch("http://127.0.0.1:\(server.port)/q.json?x=1", mostBytes: 100)
        #expect(answer.status == 200 && answer.body == Array("{\"questions\": []}".utf8))
        let asked = try #require(server.requests.first)
        #expect(
            asked.method == "GET" && asked.target == "/q.json?x=1" && asked.headers["authorization"] == nil
                && asked.headers["cookie"] == nil)
        // Each request has a new connection, so the fetcher checks the address for every request.
        _ = try await fetching.fetch("http://127.0.0.1:\(server.port)/again", mostBytes: 100)
        #expect(server.requests.map(\.connection) == [1, 2])
    }

    @Test func `the fetcher checks the address of each redirect and stops after three redirects`()
        async throws
    {
        let inside = try TinyServer { _ in .init() }
        let port = inside.port
        let server = try TinyServer { request in
            switch request.target {
            case "/inside": .init(status: 302, headers: ["Location: http://localhost:\(port)/secret"])
            case "/loop": .init(status: 302, headers: ["Location: /loop"])
            case "/file": .init(status: 302, headers: ["Location: file:///etc/passwd"])
            case "/far": .init(status: 302, headers: ["Location: /near"])
            default: .init(body: "{}")
            }
        }
        // Both servers have the address 127.0.0.1, so `loopback` allows both. `firstOnly` below allows only
        // the first connection, and so rejects the redirect to the other server.
        let fetching = PublicFetcher(userAgent: "test", alsoFrom: loopback)
        let strict = PublicFetcher(userAgent: "test")
        #expect(try await fetching.fetch("\(server.url)/far", mostBytes: 100).status == 200)
        await #expect(throws: TransportError.self) {
            try await fetching.fetch("\(server.url)/loop", mostBytes: 100)
        }
        await #expect(throws: TransportError.self) {
            try await fetching.fetch("\(server.url)/file", mostBytes: 100)
        }
        await #expect(throws: TransportError.addressRefused) {
            try await strict.fetch("\(server.url)/inside", mostBytes: 100)
        }
        let once = OneConnection()
        let firstOnly = PublicFetcher(userAgent: "test", alsoFrom: { _ in once.take() })
        await #expect(throws: TransportError.addressRefused) {
            try await firstOnly.fetch("\(server.url)/inside", mostBytes: 100)
        }
        #expect(inside.requests.isEmpty)
    }

    @Test func `the fetcher rejects a body that is larger than the limit`()
        async throws
    {
        let server = try TinyServer { _ in .init(body: String(repeating: "x", count: 101)) }
        let fetching = PublicFetcher(userAgent: "test", alsoFrom: loopback)
        await #expect(throws: TransportError.responseTooLarge) {
            try await fetching.fetch(server.url, mostBytes: 100)
        }
        #expect(try await fetching.fetch(server.url, mostBytes: 101).body.count == 101)
    }
}

/// Allows the first connection and rejects every other connection.
private final class OneConnection: Sendable {
    private let count = Atomic<Int>(0)

    func take() -> Bool { count.add(1, ordering: .relaxed).newValue == 1 }
}
