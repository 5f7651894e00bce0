import Testing

@testable import WebSockets

/// Frames without a mask, by what came.
@Suite(.timeLimit(.minutes(1)))
struct MaskCountTests {
    @Test(arguments: [(0, 6), (125, 6), (126, 8), (65_535, 8), (65_536, 14)])
    func `a masked frame has at least so many bytes more, and one byte less is none`(payload: Int, header: Int) {
        for pieces in [[payload], [payload / 2, payload - payload / 2]] {
            var count = MaskCount()
            count.begin(head: 200)
            for (index, piece) in pieces.enumerated() { count.took(piece, isEnd: index == pieces.count - 1) }
            #expect(!count.isBroken(taken: Int64(200 + header + payload)))
            #expect(count.isBroken(taken: Int64(200 + header + payload - 1)))
        }
    }

    @Test func `a frame that is still arriving counts for nothing`() {
        var count = MaskCount()
        count.begin(head: 200)
        count.took(100, isEnd: false)
        #expect(!count.isBroken(taken: 200))
    }

    @Test func `what is not known is held against nobody`() {
        var count = MaskCount()
        count.begin(head: 0)
        count.took(100, isEnd: true)
        #expect(!count.isBroken(taken: 1))
        count.begin(head: 200)
        #expect(!count.isBroken(taken: -1))
    }

    @Test func `a client that sends with its upgrade, or at once behind it, is heard where it masks`() async throws {
        let server = try WebSocketServer(loops: 1, handler: ServerTests.echo())
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        for _ in 0..<100 { try client.send(text: "masked") }
        for _ in 0..<100 { #expect(try client.receive().text == "masked") }
        try client.send([0x81, 3, 0x61, 0x62, 0x63])
        #expect(try client.closeCode() == 1002)
    }
}
