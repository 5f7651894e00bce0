import Outbound
import Synchronization
import Testing
import TinyServer

/// What is fetched for strangers, and from where.
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
    ]) func `an address that is not everybody's is refused`(text: String) {
        #expect(!PublicInternet.contains(address(text)), "\(text)")
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255",
        "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0",
        "223.255.255.255", "2001:200::1", "2606:4700::1", "2001:db7::1", "2003::1", "3fff:1000::1",
        "::ffff:101:101", "64:ff9b::101:101",
    ]) func `its neighbours are taken`(text: String) {
        #expect(PublicInternet.contains(address(text)), "\(text)")
    }

    @Test func `no other number of bytes is an address`() {
        for count in [0, 1, 3, 5, 15, 17] {
            #expect(!PublicInternet.contains([UInt8](repeating: 8, count: count)))
        }
    }

    private func loopback(_ bytes: [UInt8]) -> Bool { bytes == [127, 0, 0, 1] }

    @Test func `this machine is refused by any of its names, and nothing is asked of it`() async throws {
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

    @Test func `an address that is allowed is fetched, with neither credentials nor a proxy`() async throws {
        let server = try TinyServer { _ in .init(body: "{\"questions\": []}") }
        let fetching = PublicFetcher(userAgent: "test", alsoFrom: loopback)
        let answer = try await fetching.fetch("http://127.0.0.1:\(server.port)/q.json?x=1", mostBytes: 100)
        #expect(answer.status == 200 && answer.body == Array("{\"questions\": []}".utf8))
        let asked = try #require(server.requests.first)
        #expect(
            asked.method == "GET" && asked.target == "/q.json?x=1" && asked.headers["authorization"] == nil
                && asked.headers["cookie"] == nil)
        // A connection serves one request: the next one's address is judged anew.
        _ = try await fetching.fetch("http://127.0.0.1:\(server.port)/again", mostBytes: 100)
        #expect(server.requests.map(\.connection) == [1, 2])
    }

    @Test func `a redirect is judged as its address is, and is one of three at most`() async throws {
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
        // `localhost` leads to 127.0.0.1 too: only another port's address tells the two apart, so all but the
        // first connection is refused.
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

    @Test func `a body that is larger than asked for is not taken, whether it says its length or not`()
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

/// Allows the first connection, and no other.
private final class OneConnection: Sendable {
    private let count = Atomic<Int>(0)

    func take() -> Bool { count.add(1, ordering: .relaxed).newValue == 1 }
}
