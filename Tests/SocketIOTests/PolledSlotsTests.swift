import Seeds
import Testing
import WebSockets

@testable import SocketIO

/// Tests of the limits of sessions that poll.
@Suite(.timeLimit(.minutes(1)))
struct PolledSlotsTests {
    /// Opens sessions of an address, named by the address and a number.
    private static func fill(
        _ slots: inout PolledSlots, _ origin: String, _ count: Int, proved: Bool = false,
        joining: Bool = false
    ) {
        for number in 0..<count {
            #expect(slots.admit(origin) == .admitted)
            slots.open("\(origin)\(number)", of: origin)
            if proved { slots.prove("\(origin)\(number)") }
            if joining { slots.join("\(origin)\(number)") }
        }
    }

    @Test func `an address has a limit, and a session that ends gives its slot back once`() {
        var slots = PolledSlots(ofOrigin: 2, inAll: 9)
        Self.fill(&slots, "a", 2, proved: true, joining: true)
        #expect(slots.admit("a") == .refused)
        slots.free("a0")
        slots.free("a0")
        #expect(slots.admit("a") == .admitted)
        #expect(slots.admit("a") == .refused)
        slots.cancel("a")
        #expect(slots.admit("a") == .admitted)
    }

    @Test func `if all slots are taken, the oldest session without a room gives way`() {
        var slots = PolledSlots(ofOrigin: 2, inAll: 4)
        Self.fill(&slots, "a", 2)
        Self.fill(&slots, "b", 2)
        slots.join("a0")
        slots.free("a1")
        Self.fill(&slots, "c", 1)
        #expect(slots.admit("d") == .replacing("b0"))
        slots.open("d0", of: "d")
        #expect(slots.admit("d") == .replacing("b1"))
        slots.open("d1", of: "d")
        #expect(slots.admit("d") == .replacing("d0"))
    }

    @Test func `in a full address, a new session replaces the oldest one without a token`() {
        var slots = PolledSlots(ofOrigin: 3, inAll: 9)
        Self.fill(&slots, "a", 3)
        Self.fill(&slots, "b", 1)
        slots.prove("a0")
        #expect(slots.admit("a") == .replacing("a1"))
        slots.open("a3", of: "a")
        slots.prove("a3")
        #expect(slots.admit("a") == .replacing("a2"))
        slots.open("a4", of: "a")
        slots.prove("a4")
        // Everybody there has shown a token. The oldest one without a room gives way, and another address is
        // not asked.
        slots.join("a0")
        #expect(slots.admit("a") == .replacing("a3"))
        slots.open("a5", of: "a")
        slots.prove("a5")
        for sid in ["a4", "a5"] { slots.join(sid) }
        #expect(slots.admit("a") == .refused)
        #expect(slots.admit("b") == .admitted)
    }

    @Test func `a thousand abandoned sessions of an address leave a slot to the next one, and stay few`() {
        var slots = PolledSlots(ofOrigin: 1_000, inAll: 5_000)
        for number in 0..<10_000 {
            let admission = slots.admit("a")
            #expect(admission == (number < 1_000 ? .admitted : .replacing("a\(number - 1_000)")))
            slots.open("a\(number)", of: "a")
        }
        for number in 9_000..<10_000 { slots.free("a\(number)") }
        #expect(slots.admit("a") == .admitted)
    }

    @Test func `if all have joined a room, the address with the most sessions gives its newest one`() {
        var slots = PolledSlots(ofOrigin: 6, inAll: 8)
        Self.fill(&slots, "a", 6, joining: true)
        Self.fill(&slots, "b", 2, joining: true)
        for (number, expected) in ["a5", "a4", "a3"].enumerated() {
            #expect(slots.admit("c") == .replacing(expected))
            slots.open("c\(number)", of: "c")
            slots.join("c\(number)")
        }
        // Each of the others has three now, so a fourth session would only take one from its equal.
        #expect(slots.admit("c") == .refused)
        #expect(slots.admit("d") != .refused)
    }

    @Test func `whatever happens, an address without sessions gets one, and the limits hold`() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededNumbers(seed: seed)
        var slots = PolledSlots(ofOrigin: 20, inAll: 60)
        var open: [(sid: String, origin: String)] = []
        for number in 0..<5_000 {
            let (sid, origin) = ("\(number)", "\(Int.random(in: 0..<5, using: &generator))")
            let admission = slots.admit(origin)
            if case .replacing(let replaced) = admission {
                #expect(open.contains { $0.sid == replaced }, "seed \(seed)")
                open.removeAll { $0.sid == replaced }
            }
            if admission != .refused {
                slots.open(sid, of: origin)
                open.append((sid, origin))
            }
            if Bool.random(using: &generator), let one = open.randomElement(using: &generator) {
                slots.join(one.sid)
            }
            if Bool.random(using: &generator), let one = open.randomElement(using: &generator) {
                slots.prove(one.sid)
            }
            if Int.random(in: 0..<40, using: &generator) == 0 {
                slots.free(open.remove(at: Int.random(in: open.indices, using: &generator)).sid)
            }
            let counts = Dictionary(grouping: open, by: \.origin).values.map(\.count)
            #expect(open.count <= 60 && counts.allSatisfy { $0 <= 20 }, "seed \(seed)")
        }
        #expect(slots.admit("new") != .refused, "seed \(seed)")
    }

    @Test func `five addresses that take all slots keep nobody out`() async throws {
        let channels = try WebSocketChannels(loops: 1, settings: Self.settings)
        let engine = EngineServer(channels, mostPolledOfOrigin: 2, mostPolled: 10)
        let server = try WebSocketServer(channels, handler: Sessions(engine: engine))
        func begin(_ origin: String) async -> EngineServer.Answer {
            await engine.answer("GET", [], UpgradeHead(target: Self.path, peer: origin), from: origin)
        }
        var sids: [String] = []
        for origin in ["a", "b", "c", "d", "e"] {
            for _ in 0..<2 {
                let answer = await begin(origin)
                #expect(answer.status == 200)
                sids.append(try #require(Self.sid(answer)))
            }
        }
        let sixth = await begin("f")
        #expect(sixth.status == 200)
        func poll(_ sid: String, from origin: String) async -> Int {
            await engine.answer(
                "POST", Array("1".utf8), UpgradeHead(target: "\(Self.path)&sid=\(sid)", peer: origin),
                from: origin
            ).status
        }
        // The oldest session has ended, and the new one is there.
        #expect(await poll(sids[0], from: "a") == 400)
        #expect(await poll(try #require(Self.sid(sixth)), from: "f") == 200)
        #expect(await poll(sids[1], from: "a") == 200)
        await server.drain()
    }

    private static let path = "/socket.io/?EIO=4&transport=polling"

    private static var settings: WebSocketSettings {
        var settings = WebSocketSettings()
        EngineServer.prepare(&settings, path: "/socket.io/")
        return settings
    }

    private static func sid(_ answer: EngineServer.Answer) -> String? {
        let text = String(decoding: answer.body, as: UTF8.self)
        return text.split(separator: "\"").dropFirst(3).first.map(String.init)
    }

    /// Begins sessions, and does nothing else.
    private struct Sessions: WebSocketHandler {
        let engine: EngineServer

        func opened(_ connection: WebSocketConnection, request: UpgradeHead) {
            _ = engine.opened(connection, request: request, from: request.peer)
        }
        func received(_ text: [UInt8], from connection: WebSocketConnection) {
            _ = engine.received(text, from: connection)
        }
        func fellBehind(_ connection: WebSocketConnection, channel: ChannelID, position: UInt64) {}
        func closed(_ connection: WebSocketConnection, code: UInt16) { _ = engine.closed(connection) }
    }
}
