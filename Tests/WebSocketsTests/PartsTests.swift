import Testing

@testable import WebSockets

struct FrameFormatTests {
    @Test(arguments: [0, 1, 125, 126, 127, 65_535, 65_536])
    func `a length takes as many bytes as it needs`(length: Int) {
        let payload = [UInt8](repeating: 0x61, count: length)
        let bytes = Frame.encode(text: payload, from: 0, to: 1).bytes
        let header = length < 126 ? 2 : length < 65_536 ? 4 : 10
        #expect(bytes.count == header + length)
        #expect(bytes[0] == 0x81)
        switch header {
        case 2: #expect(bytes[1] == UInt8(length))
        case 4: #expect(bytes[1...3] == [126, UInt8(length >> 8), UInt8(length & 0xff)])
        default: #expect(bytes[1...9] == [127, 0, 0, 0, 0, 0, UInt8(length >> 16), UInt8(length >> 8 & 0xff), UInt8(length & 0xff)])
        }
        #expect(bytes.suffix(length) == payload[...])
    }

    /// RFC 6455 §5.7.
    @Test func `the examples of the standard come out`() {
        #expect(FrameFormat.encode(.text, Array("Hello".utf8)) == [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f])
        #expect(
            FrameFormat.encode(.text, Array("Hello".utf8), mask: 0x37fa_213d)
                == [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58])
        #expect(FrameFormat.close(code: 1001, reason: []) == [0x88, 0x02, 0x03, 0xe9])
    }

    @Test func `a reason is cut at 123 bytes, never within a character`() {
        #expect(CloseCode.fitting("gone") == Array("gone".utf8))
        #expect(CloseCode.fitting(String(repeating: "a", count: 123)).count == 123)
        #expect(CloseCode.fitting(String(repeating: "a", count: 124)).count == 123)
        #expect(CloseCode.fitting(String(repeating: "모", count: 42)) == Array(String(repeating: "모", count: 41).utf8))
        #expect(CloseCode.fitting("a" + String(repeating: "모", count: 41)) == Array(("a" + String(repeating: "모", count: 40)).utf8))
    }
}

struct MessageAssemblyTests {
    func add(_ text: String, to assembly: inout MessageAssembly, announced: Int = 0, isLast: Bool) -> MessageAssembly.Outcome {
        Array(text.utf8).withUnsafeBytes { assembly.add($0, announced: announced, isLast: isLast, longest: 8, mostPieces: 3) }
    }

    @Test func `pieces are joined, and the next message starts anew`() {
        var assembly = MessageAssembly()
        #expect(add("ab", to: &assembly, announced: 1, isLast: false) == .incomplete)
        #expect(add("c", to: &assembly, isLast: false) == .incomplete)
        #expect(add("", to: &assembly, isLast: true) == .message(Array("abc".utf8)))
        #expect(add("", to: &assembly, isLast: true) == .message([]))
        #expect(add("12345678", to: &assembly, isLast: true) == .message(Array("12345678".utf8)))
    }

    @Test func `one byte too many is refused, and so is announcing it`() {
        var assembly = MessageAssembly()
        #expect(add("123456789", to: &assembly, isLast: true) == .tooBig)
        #expect(add("1", to: &assembly, announced: 8, isLast: false) == .tooBig)
        #expect(add("1234", to: &assembly, announced: 4, isLast: false) == .incomplete)
        #expect(add("56789", to: &assembly, isLast: true) == .tooBig)
    }

    @Test func `pieces are counted`() {
        var assembly = MessageAssembly()
        for _ in 0..<3 { #expect(add("", to: &assembly, isLast: false) == .incomplete) }
        #expect(add("", to: &assembly, isLast: false) == .tooManyPieces)
    }
}

struct PeerTableTests {
    @Test func `an old identity never finds the peer that has its place now`() throws {
        let loop = try ServerLoop(number: 0, settings: WebSocketSettings(), handler: Recorder())
        var table = PeerTable()
        func add() -> PeerID {
            let id = table.nextID()
            table.insert(Peer(id, WebSocketConnection(id, on: loop), named: "", at: 0))
            return id
        }
        let first = add()
        let second = add()
        #expect(table.remove(first) != nil)
        #expect(table.remove(first) == nil)
        let third = add()
        #expect(third.slot == first.slot)
        #expect(table[first] == nil)
        #expect(table[third]?.id == third)
        #expect(table[second]?.id == second)
        #expect(table.count == 2)
        #expect(PeerID(third.opaque) == third)
        #expect(table[PeerID(nil)] == nil)
    }
}
