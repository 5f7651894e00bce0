import Testing

@testable import WebSockets

struct FrameFormatTests {
    @Test(arguments: [0, 1, 125, 126, 127, 65_535, 65_536])
    func `a frame's length field has the shortest encoding`(length: Int) {
        let payload = [UInt8](repeating: 0x61, count: length)
        let bytes = Frame.encode(text: payload, from: 0, to: 1).bytes
        let header = length < 126 ? 2 : length < 65_536 ? 4 : 10
        #expect(bytes.count == header + length)
        #expect(bytes[0] == 0x81)
        switch header {
        case 2: #expect(bytes[1] == UInt8(length))
        case 4: #expect(bytes[1...3] == [126, UInt8(length >> 8), UInt8(length & 0xff)])
        default:
            #expect(
                bytes[1...9] == [
                    127, 0, 0, 0, 0, 0, UInt8(length >> 16), UInt8(length >> 8 & 0xff), UInt8(length & 0xff),
                ])
        }
        #expect(bytes.suffix(length) == payload[...])
    }

    /// The examples are from RFC 6455 §5.7.
    @Test func `encoding gives the examples of the standard`() {
        #expect(FrameFormat.encode(.text, Array("Hello".utf8)) == [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f])
        #expect(
            FrameFormat.encode(.text, Array("Hello".utf8), mask: 0x37fa_213d)
                == [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58])
        #expect(FrameFormat.close(code: 1001, reason: []) == [0x88, 0x02, 0x03, 0xe9])
    }

    @Test func `a close reason is cut to at most 123 bytes, never within a character`() {
        #expect(CloseCode.fitting("gone") == Array("gone".utf8))
        #expect(CloseCode.fitting(String(repeating: "a", count: 123)).count == 123)
        #expect(CloseCode.fitting(String(repeating: "a", count: 124)).count == 123)
        #expect(
            CloseCode.fitting(String(repeating: "모", count: 42))
                == Array(String(repeating: "모", count: 41).utf8))
        #expect(
            CloseCode.fitting("a" + String(repeating: "모", count: 41))
                == Array(("a" + String(repeating: "모", count: 40)).utf8))
    }
}

struct FrameRunTests {
    static func frame(_ text: some Collection<UInt8>, _ from: UInt64, _ to: UInt64) -> Frame {
        Frame.encode(text: text, from: from, to: to)
    }

    @Test func `each subscriber gets the frames after its position`() {
        var run = FrameRun(Self.frame("a".utf8, 4, 5))
        let length = run.bytes.count
        let taken = [("b", 5, 5), ("c", 5, 8), ("d", 9, 10), ("d", 7, 10)].map { text, from, to in
            run.append(Self.frame(text.utf8, UInt64(from), UInt64(to)))
        }
        #expect(taken == [true, true, false, false])
        #expect(run.to == 8)
        #expect(run.bytes.count == 3 * length)
        #expect(run.share(of: 4).map { [$0.offset, $0.frames] } == [0, 3])
        #expect(run.share(of: 5).map { [$0.offset, $0.frames] } == [length, 2])
        for position in [UInt64(0), 3, 6, 7, 8, 9] { #expect(run.share(of: position) == nil) }
    }

    @Test func `a run accepts no frame that makes the run too long`() {
        let half = [UInt8](repeating: 0x61, count: FrameRun.mostBytes / 2)
        var run = FrameRun(Self.frame(half, 0, 1))
        let taken = [Self.frame(half, 1, 2), Self.frame(half.dropLast(8), 1, 2)].map { run.append($0) }
        #expect(taken == [false, true])
    }
}

struct MessageAssemblyTests {
    func add(_ text: String, to assembly: inout MessageAssembly, announced: Int = 0, isLast: Bool)
        -> MessageAssembly.Outcome
    {
        Array(text.utf8).withUnsafeBytes {
            assembly.add($0, announced: announced, isLast: isLast, longest: 8, mostPieces: 3)
        }
    }

    @Test func `the pieces of a message are joined, and the next message starts empty`() {
        var assembly = MessageAssembly()
        #expect(add("ab", to: &assembly, announced: 1, isLast: false) == .incomplete)
        #expect(add("c", to: &assembly, isLast: false) == .incomplete)
        #expect(add("", to: &assembly, isLast: true) == .message(Array("abc".utf8)))
        #expect(add("", to: &assembly, isLast: true) == .message([]))
        #expect(add("12345678", to: &assembly, isLast: true) == .message(Array("12345678".utf8)))
    }

    @Test func `a message with one byte too many is rejected, also if the length is only announced`() {
        var assembly = MessageAssembly()
        #expect(add("123456789", to: &assembly, isLast: true) == .tooBig)
        #expect(add("1", to: &assembly, announced: 8, isLast: false) == .tooBig)
        #expect(add("1234", to: &assembly, announced: 4, isLast: false) == .incomplete)
        #expect(add("56789", to: &assembly, isLast: true) == .tooBig)
    }

    @Test func `a message with too many pieces is rejected`() {
        var assembly = MessageAssembly()
        for _ in 0..<3 { #expect(add("", to: &assembly, isLast: false) == .incomplete) }
        #expect(add("", to: &assembly, isLast: false) == .tooManyPieces)
    }
}

struct PeerTableTests {
    @Test func `an old identity never finds the new peer in the same slot`() throws {
        let mailbox = try LoopMailbox(number: 0, settings: WebSocketSettings())
        let loop = ServerLoop(mailbox, handler: Recorder())
        var table = PeerTable()
        func add() -> PeerID {
            let id = table.nextID()
            table.insert(
                Peer(
                    id, WebSocketConnection(id, on: loop), named: "", holding: nil,
                    settings: WebSocketSettings(), at: 0))
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
