import Seeds
import Testing

@testable import WebSockets

/// Checks the frame reader alone: frames that are cut into pieces, and the bytes that count as overhead.
/// `HostileClientTests` and `Tests/System/test_websocket_protocol.py` check the meaning of each frame over
/// a socket.
struct FrameReaderTests {
    private struct Outcome: Equatable {
        var events: [FrameReader.Event] = []
        var breach: FrameReader.Breach?
    }

    /// Returns the events, and the breach of the protocol if there is one, from reading `bytes` in pieces
    /// of `size`.
    private static func read(_ bytes: [UInt8], size: Int, reader: inout FrameReader) -> Outcome {
        var outcome = Outcome()
        for start in stride(from: 0, to: bytes.count, by: size) where outcome.breach == nil {
            Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { piece in
                var rest = piece[...]
                do throws(FrameReader.Breach) {
                    while let event = try reader.next(in: &rest) { outcome.events.append(event) }
                } catch {
                    outcome.breach = error
                }
            }
        }
        return outcome
    }

    private static func read(_ bytes: [UInt8], size: Int) -> Outcome {
        var reader = reader()
        return read(bytes, size: size, reader: &reader)
    }

    private static func reader() -> FrameReader { FrameReader(longestMessage: 70_000, mostFragments: 3) }

    private static let long = [UInt8](repeating: 0x61, count: 65_536)
    private static let frames: [UInt8] =
        RawClient.frame(0x01, Array("모".utf8.prefix(2))) + RawClient.frame(0x89, [1, 2])
        + RawClient.frame(0x00, [])
        + RawClient.frame(0x80, Array("모".utf8.dropFirst(2))) + RawClient.frame(0x8a, [3])
        + RawClient.frame(0x81, [])
        + RawClient.frame(0x81, long) + RawClient.frame(0x81, Array(long.prefix(200)))
        + RawClient.frame(0x88, [0x0f, 0xa0, 0x62])

    @Test(arguments: [1, 2, 3, 5, 7, 528, 4_080, 1_000_000])
    func `the reader gives the same events for pieces of every size`(size: Int) {
        var reader = Self.reader()
        #expect(
            Self.read(Self.frames, size: size, reader: &reader)
                == Outcome(events: [
                    .ping([1, 2]), .text(Array("모".utf8)), .pong, .text([]), .text(Self.long),
                    .text(Array(Self.long.prefix(200))),
                    .close(code: 4_000),
                ]))
        // The overhead is the ping, the pong, the close frame, the empty fragment and the empty message,
        // each with its header and mask.
        #expect(reader.takeOverhead() == 8 + 7 + 9 + 6 + 6)
        #expect(reader.takeOverhead() == 0)
    }

    /// Reads streams with frames of every kind. Some frames are damaged, and the pieces have random sizes.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `the reader gives the same result for a random stream, complete or in pieces`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<200 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let opcode: UInt8 = [0x0, 0x1, 0x1, 0x8, 0x9, 0xa].randomElement(using: &random) ?? 0
                let payload = Array("모임 ok".utf8.prefix(.random(in: 0...9, using: &random)))
                bytes += RawClient.frame(opcode | (Bool.random(using: &random) ? 0x80 : 0), payload)
            }
            let damaged = Int.random(in: 0..<bytes.count * 2, using: &random)
            if damaged < bytes.count { bytes[damaged] ^= UInt8.random(in: .min ... .max, using: &random) }
            let size = Int.random(in: 1...bytes.count, using: &random)
            #expect(
                Self.read(bytes, size: bytes.count) == Self.read(bytes, size: size),
                "\(bytes) in pieces of \(size)")
        }
    }

    @Test func `a fragment that would exceed the message limit is rejected at its header`() {
        var reader = Self.reader()
        #expect(
            Self.read(RawClient.frame(0x01, Array(Self.long.prefix(60_000))), size: 4_080, reader: &reader)
                == Outcome())
        let header = Array(RawClient.frame(0x00, Array(Self.long.prefix(10_001))).prefix(4))
        #expect(Self.read(header, size: 1, reader: &reader).breach?.code == 1009)
    }

    @Test func `the limit of fragments applies to each message separately`() {
        var reader = Self.reader()
        let three =
            RawClient.frame(0x01, [0x61]) + RawClient.frame(0x00, [0x61]) + RawClient.frame(0x00, [0x61])
        for _ in 0..<3 {
            #expect(
                Self.read(three + RawClient.frame(0x80, [0x62]), size: 5, reader: &reader).events == [
                    .text(Array("aaab".utf8))
                ])
        }
        #expect(
            Self.read(three + RawClient.frame(0x00, [0x62]), size: 5, reader: &reader).breach?.code == 1008)
    }

    @Test(arguments: HostileClientTests.mistakes)
    func `after a mistake of the client, every further byte is a breach`(
        _ mistake: HostileClientTests.Mistake
    ) {
        var reader = FrameReader(longestMessage: 65_536, mostFragments: 100)
        #expect(Self.read(mistake.bytes, size: 1, reader: &reader).breach?.code == mistake.code)
        // More bytes than the smallest counter can count.
        for _ in 0..<300 {
            for byte: UInt8 in [0x00, 0x81, 0xff] {
                let outcome = Self.read([byte], size: 1, reader: &reader)
                #expect(outcome.breach != nil && outcome.events.isEmpty)
            }
        }
    }

    /// Compares the decoder with the standard library for all sequences of two bytes, each followed by six
    /// different tails.
    @Test func `the UTF-8 check agrees with the standard library`() {
        var wrong = 0
        for first in 0...255 as ClosedRange<UInt8> {
            for second in 0...255 as ClosedRange<UInt8> {
                for tail in [[], [0x80], [0xbf], [0x80, 0x80], [0xbf, 0xbf], [0x61]] as [[UInt8]] {
                    let bytes = [first, second] + tail
                    var sequence = UTF8Sequence()
                    let isText = bytes.allSatisfy { sequence.accepts($0) } && sequence.isComplete
                    if isText != (String(validating: bytes, as: UTF8.self) != nil) { wrong += 1 }
                }
            }
        }
        #expect(wrong == 0)
    }
}
