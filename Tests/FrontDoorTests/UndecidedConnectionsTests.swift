import Testing

@testable import FrontDoor

@Suite struct WaitingRoomTests {
    private let peer = Peer(address: "192.0.2.7", port: 1)
    private let start = ContinuousClock.now

    @Test func `who came first goes first, at its deadline and not before`() {
        var room = WaitingRoom(limit: 10)
        for number in 1...3 {
            #expect(room.admit(CInt(number), peer: peer, until: start + .seconds(number)) == nil)
        }
        #expect(room.nextDeadline() == start + .seconds(1))
        #expect(room.expire(at: start + .milliseconds(999)) == nil)
        #expect(room.expire(at: start + .seconds(2)) == 1)
        #expect(room.expire(at: start + .seconds(2)) == 2)
        #expect(room.expire(at: start + .seconds(2)) == nil)
        #expect(room.count == 1)
    }

    @Test func `who has left is passed over, also where its number was given again`() {
        var room = WaitingRoom(limit: 10)
        _ = room.admit(1, peer: peer, until: start + .seconds(1))
        room.release(1)
        #expect(room.peer(of: 1) == nil)
        _ = room.admit(1, peer: peer, until: start + .seconds(5))
        #expect(room.expire(at: start + .seconds(4)) == nil)
        #expect(room.nextDeadline() == start + .seconds(5))
        #expect(room.expire(at: start + .seconds(5)) == 1)
        #expect(room.nextDeadline() == nil)
    }

    @Test func `a full room lets the one go that waited longest`() {
        var room = WaitingRoom(limit: 2)
        #expect(room.admit(1, peer: peer, until: start + .seconds(1)) == nil)
        #expect(room.admit(2, peer: peer, until: start + .seconds(1)) == nil)
        #expect(room.admit(3, peer: peer, until: start + .seconds(1)) == 1)
        room.release(2)
        #expect(room.admit(4, peer: peer, until: start + .seconds(1)) == nil)
        #expect(room.admit(5, peer: peer, until: start + .seconds(1)) == 3)
        #expect(Set(room.clear()) == [4, 5] && room.count == 0)
    }

    @Test func `a hundred thousand who come and go leave nothing behind`() {
        var room = WaitingRoom(limit: 10)
        for number in 0..<100_000 {
            _ = room.admit(CInt(number % 5), peer: peer, until: start + .seconds(1))
            room.release(CInt(number % 5))
        }
        #expect(room.count == 0 && room.nextDeadline() == nil)
    }
}

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:0", "127.0.0.1", 0), ("0.0.0.0:8080", "0.0.0.0", 8_080), ("[::]:65535", "::", 65_535),
        ("[fe80::1]:1", "fe80::1", 1),
    ])
    func `a numeric address and a port`(text: String, host: String, port: UInt16) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.host == host && address.port == port && address.description == text)
    }

    @Test(arguments: [
        "", ":1", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "localhost:1",
        "::1:80", "[127.0.0.1]:1",
        "[::1]", "256.0.0.1:1",
    ])
    func `anything else is none`(text: String) {
        #expect(ListenAddress(text) == nil)
    }
}
