import Seeds
import Testing

@testable import Meetings

@Suite struct PassPayloadTests {
    @Test func `a payload is read as it was written, for a thousand random passes`() throws {
        var random = SeededNumbers(seed: 5)
        for _ in 0..<1000 {
            let signature = (0..<64).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let written = PassPayload(
                key: UInt16.random(in: .min ... .max, using: &random),
                meeting: MeetingID(high: random.next(), low: random.next()),
                pass: PassID(high: random.next() & 0xFFFF, low: random.next())
            ) { _ in signature }
            let bytes = written.bytes
            #expect(bytes.count == PassPayload.length)
            #expect(PassPayload(bytes: bytes) == written)
            #expect(PassPayload(bytes: Array(bytes.dropLast())) == nil)
            #expect(PassPayload(bytes: bytes + [0]) == nil)
            #expect(PassPayload(bytes: [bytes[0] + 1] + bytes.dropFirst()) == nil)
        }
    }

    @Test func `an id of a pass has 80 random bits and no time`() {
        let ids = Set((0..<1000).map { _ in PassID.makeShort() })
        #expect(ids.count == 1000)
        #expect(ids.allSatisfy { $0.high <= 0xFFFF } && ids.contains { $0.high > 0xFF })
    }
}
