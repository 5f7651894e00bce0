import Testing

@testable import FrontDoor

@Suite struct UndecidedConnectionsTests {
    private let peer = PeerAddress(address: "192.0.2.7", port: 1)
    private let start = ContinuousClock.now

    @Test func `connections expire at their deadline, in the order of their arrival`() {
        var undecided = UndecidedConnections(limit: 10)
        for number in 1...3 {
            #expect(undecided.add(CInt(number), peer: peer, until: start + .seconds(number)) == nil)
        }
        #expect(undecided.nextDeadline() == start + .seconds(1))
        #expect(undecided.expire(at: start + .milliseconds(999)) == nil)
        #expect(undecided.expire(at: start + .seconds(2)) == 1)
        #expect(undecided.expire(at: start + .seconds(2)) == 2)
        #expect(undecided.expire(at: start + .seconds(2)) == nil)
        #expect(undecided.count == 1)
    }

    @Test func `a removed connection never expires, even if its descriptor is in use again`() {
        var undecided = UndecidedConnections(limit: 10)
        _ = undecided.add(1, peer: peer, until: start + .seconds(1))
        undecided.remove(1)
        #expect(undecided.peer(of: 1) == nil)
        _ = undecided.add(1, peer: peer, until: start + .seconds(5))
        #expect(undecided.expire(at: start + .seconds(4)) == nil)
        #expect(undecided.nextDeadline() == start + .seconds(5))
        #expect(undecided.expire(at: start + .seconds(5)) == 1)
        #expect(undecided.nextDeadline() == nil)
    }

    @Test func `a connection beyond the limit displaces the oldest connection`() {
        var undecided = UndecidedConnections(limit: 2)
        #expect(undecided.add(1, peer: peer, until: start + .seconds(1)) == nil)
        #expect(undecided.add(2, peer: peer, until: start + .seconds(1)) == nil)
        #expect(undecided.add(3, peer: peer, until: start + .seconds(1)) == 1)
        undecided.remove(2)
        #expect(undecided.add(4, peer: peer, until: start + .seconds(1)) == nil)
        #expect(undecided.add(5, peer: peer, until: start + .seconds(1)) == 3)
        #expect(Set(undecided.clear()) == [4, 5] && undecided.count == 0)
    }

    @Test func `100,000 connections that are added and removed leave no entry behind`() {
        var undecided = UndecidedConnections(limit: 10)
        for number in 0..<100_000 {
            _ = undecided.add(CInt(number % 5), peer: peer, until: start + .seconds(1))
            undecided.remove(CInt(number % 5))
        }
        #expect(undecided.count == 0 && undecided.nextDeadline() == nil)
    }
}

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:0", "127.0.0.1", 0), ("0.0.0.0:8080", "0.0.0.0", 8_080), ("[::]:65535", "::", 65_535),
        ("[fe80::1]:1", "fe80::1", 1),
    ])
    func `a numeric address with a port is a listen address`(text: String, host: String, port: UInt16) throws
    {
        let address = try #require(ListenAddress(text))
        #expect(address.host == host && address.port == port && address.description == text)
    }

    @Test func `an absolute path is a listen address`() {
        let path = "/" + String(repeating: "x", count: 106)
        #expect(ListenAddress("unix:\(path)")?.path == path)
        #expect(ListenAddress("unix:/run/q.sock")?.description == "unix:/run/q.sock")
    }

    @Test(arguments: [
        "", ":1", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "localhost:1",
        "::1:80", "[127.0.0.1]:1",
        "[::1]", "256.0.0.1:1", "unix:", "unix:relative", "unix:@name", "/path",
        "unix:/" + String(repeating: "x", count: 107),
    ])
    func `any other text is not a listen address`(text: String) {
        #expect(ListenAddress(text) == nil)
    }
}
