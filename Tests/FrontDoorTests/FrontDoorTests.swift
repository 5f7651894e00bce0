import Foundation
import FrontDoor
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FrontDoorTests {
    /// An open front door that passes each connection to the test as a `Visitor`.
    private final class House: Sendable {
        let visitors: AsyncStream<Visitor>
        let door: FrontDoor

        init(listen: String = "127.0.0.1:0", _ settings: DoorSettings = DoorSettings()) throws {
            let (visitors, arrivals) = AsyncStream.makeStream(of: Visitor.self)
            self.visitors = visitors
            door = try FrontDoor(
                listen: try #require(ListenAddress(listen)), settings: settings)
            door.open(
                onHTTP: { descriptor, peer, _ in
                    arrivals.yield(Visitor(descriptor: descriptor, peer: peer, isUpgrade: false))
                },
                onUpgrade: { descriptor, peer, _ in
                    arrivals.yield(Visitor(descriptor: descriptor, peer: peer, isUpgrade: true))
                })
        }

        deinit { door.close() }

        func next() async throws -> Visitor {
            var iterator = visitors.makeAsyncIterator()
            return try #require(await iterator.next())
        }
    }

    private final class Visitor: Sendable {
        let descriptor: CInt
        let peer: PeerAddress
        let isUpgrade: Bool

        init(descriptor: CInt, peer: PeerAddress, isUpgrade: Bool) {
            (self.descriptor, self.peer, self.isUpgrade) = (descriptor, peer, isUpgrade)
        }

        deinit { close(descriptor) }

        /// The received bytes that are in the socket now. Reading does not wait for more bytes.
        var bytes: [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            return count > 0 ? Array(buffer[..<count]) : []
        }
    }

    @Test func `the door hands over a plain HTTP connection with every byte still in the socket`()
        async throws
    {
        let house = try House()
        let caller = try Caller(port: house.door.port)
        caller.send("GET /healthz HTTP/1.1\r\n")
        let visitor = try await house.next()
        #expect(!visitor.isUpgrade && visitor.peer.address == "127.0.0.1" && visitor.peer.port != 0)
        #expect(visitor.bytes == Array("GET /healthz HTTP/1.1\r\n".utf8))
        let flags = fcntl(visitor.descriptor, F_GETFL)
        #expect(flags & O_NONBLOCK != 0 && fcntl(visitor.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        var noDelay: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        getsockopt(visitor.descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &noDelay, &length)
        #expect(noDelay != 0)
    }

    @Test func `the door hands over an upgrade after its last byte, even if each byte arrives alone`()
        async throws
    {
        let house = try House()
        let request = UpgradeGrammarTests.request()
        let caller = try Caller(port: house.door.port)
        let whole = try Caller(port: house.door.port)
        for byte in request.dropLast() { caller.send([byte]) }
        whole.send(request)
        let first = try await house.next()
        #expect(first.isUpgrade && first.bytes == request)
        caller.send([request[request.count - 1]])
        let second = try await house.next()
        #expect(second.isUpgrade && second.bytes == request)
    }

    @Test func `bare line feeds, a body before an upgrade, and two upgrades go to the HTTP server`()
        async throws
    {
        let house = try House()
        let upgrade = String(decoding: UpgradeGrammarTests.request(), as: UTF8.self)
        for text in [
            upgrade.replacing("\r\n", with: "\n"), "POST / HTTP/1.1\nContent-Length: 1\n\nx" + upgrade,
            upgrade + upgrade,
        ] {
            let caller = try Caller(port: house.door.port)
            caller.send(text)
            let visitor = try await house.next()
            #expect(!visitor.isUpgrade)
        }
    }

    @Test func `the door closes a client that sends nothing, or too little, before the deadline`()
        async throws
    {
        var settings = DoorSettings()
        settings.decisionDeadline = .milliseconds(50)
        let house = try House(settings)
        let silent = try Caller(port: house.door.port)
        let half = try Caller(port: house.door.port)
        half.send("GET /rooms HTTP/1.1\r\nHost: ")
        #expect(try await silent.end().isEmpty)
        #expect(try await half.end().isEmpty)
    }

    @Test
    func `if a client ends its output, an incomplete request is closed and a complete one is served`()
        async throws
    {
        var settings = DoorSettings()
        settings.decisionDeadline = .seconds(600)
        let house = try House(settings)
        let leaving = try Caller(port: house.door.port)
        leaving.send("GET /rooms")
        leaving.finishSending()
        #expect(try await leaving.end().isEmpty)
        let brief = try Caller(port: house.door.port)
        brief.send("GET / HTTP/1.0\r\n\r\n")
        brief.finishSending()
        #expect(try await house.next().isUpgrade == false)
    }

    @Test func `if too many clients wait, the door closes the client that has waited longest`() async throws {
        var settings = DoorSettings()
        settings.waitingLimit = 2
        settings.decisionDeadline = .seconds(600)
        let house = try House(settings)
        let callers = try (0..<3).map { _ in try Caller(port: house.door.port) }
        #expect(try await callers[0].end().isEmpty)
        for caller in callers[1...] {
            caller.send("GET / HTTP/1.1\r\n")
            #expect(try await house.next().isUpgrade == false)
        }
    }

    @Test func `a door on IPv6 also accepts IPv4 clients and reports their IPv4 address`() async throws {
        let house = try House(listen: "[::]:0")
        for (ipv6, address) in [(true, "::1"), (false, "127.0.0.1")] {
            let caller = try Caller(port: house.door.port, ipv6: ipv6)
            caller.send("GET / HTTP/1.1\r\n")
            #expect(try await house.next().peer.address == address)
        }
    }

    @Test func `a second door at the same port fails with an error that names the address`() throws {
        let house = try House()
        let taken = try #require(ListenAddress("127.0.0.1:\(house.door.port)"))
        #expect(throws: FrontDoorError.addressInUse(taken)) {
            try FrontDoor(listen: taken)
        }
    }

    @Test func `clients that connect before the door opens are served after it opens`() async throws {
        let (visitors, arrivals) = AsyncStream.makeStream(of: Visitor.self)
        let door = try FrontDoor(
            listen: try #require(ListenAddress("127.0.0.1:0")))
        let caller = try Caller(port: door.port)
        caller.send("GET / HTTP/1.1\r\n")
        door.open(
            onHTTP: { descriptor, peer, _ in
                arrivals.yield(Visitor(descriptor: descriptor, peer: peer, isUpgrade: false))
            },
            onUpgrade: { descriptor, peer, _ in
                arrivals.yield(Visitor(descriptor: descriptor, peer: peer, isUpgrade: true))
            })
        var iterator = visitors.makeAsyncIterator()
        #expect(await iterator.next()?.isUpgrade == false)
        try await offPool { door.close() }
    }

    @Test func `a door that accepts no more still waits for the first bytes of its clients`() async throws {
        let house = try House()
        let early = try Caller(port: house.door.port)
        early.send("G")
        // The next client is decided after the first one was accepted.
        let other = try Caller(port: house.door.port)
        other.send("GET / HTTP/1.1\r\n")
        _ = try await house.next()
        async let stopped: Void = house.door.stopAccepting(within: .seconds(60))
        early.send("ET / HTTP/1.1\r\n")
        #expect(try await house.next().bytes == Array("GET / HTTP/1.1\r\n".utf8))
        await stopped
    }

    @Test func `a door that inherits a listening socket serves the clients that waited there`() async throws {
        let house = try House()
        let copy = try #require(house.door.duplicateListener())
        await house.door.stopAccepting(within: .seconds(60))
        // The kernel accepts this client for the next door.
        let caller = try Caller(port: house.door.port)
        caller.send("GET / HTTP/1.1\r\n")
        try await offPool { [door = house.door] in door.close() }
        let (visitors, arrivals) = AsyncStream.makeStream(of: PeerAddress.self)
        let address = try #require(ListenAddress(of: copy))
        let door = try FrontDoor(listen: address, inherited: copy)
        #expect(door.port == house.door.port && address.description == "127.0.0.1:\(door.port)")
        door.open(
            onHTTP: { descriptor, peer, _ in
                close(descriptor)
                arrivals.yield(peer)
            }, onUpgrade: { descriptor, _, _ in close(descriptor) })
        var iterator = visitors.makeAsyncIterator()
        #expect(await iterator.next()?.address == "127.0.0.1")
        try await offPool { door.close() }
    }

    @Test func `the address of a bound socket is read as it was written`() throws {
        for text in ["[::]:0", "[::1]:0", "0.0.0.0:0"] {
            let house = try House(listen: text)
            let copy = try #require(house.door.duplicateListener())
            defer { close(copy) }
            let expected = text.dropLast() + "\(house.door.port)"
            #expect(ListenAddress(of: copy)?.description == String(expected))
        }
    }

    @Test func `a closed door closes waiting clients, leaves served clients open, and accepts nobody`()
        async throws
    {
        let house = try House()
        let served = try Caller(port: house.door.port)
        served.send("GET / HTTP/1.1\r\n")
        let visitor = try await house.next()
        let waiting = try Caller(port: house.door.port)
        try await offPool { [door = house.door] in
            door.close()
            door.close()
        }
        #expect(try await waiting.end().isEmpty)
        #expect(send(visitor.descriptor, "x", 1, CInt(MSG_NOSIGNAL)) == 1)
        #expect(throws: CallerError.self) { try Caller(port: house.door.port) }
    }

    @Test func `the limit of descriptors is the requested number, or the system's lower maximum`() {
        var before = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &before)
        let limit = DescriptorLimit.raise(to: 8_192)
        #expect(limit == min(8_192, UInt(before.rlim_max)))
        #expect(DescriptorLimit.raise() == min(65_536, UInt(before.rlim_max)))
    }
}
