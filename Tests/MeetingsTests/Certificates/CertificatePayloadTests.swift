import Meetings
import Seeds
import Testing

@Suite struct CertificatePayloadTests {
    private static let names = ["김지수", "Lee Jun", "Zoë 👩‍👩‍👧", "가", String(repeating: "x", count: 200)]

    /// Returns a statement with random numbers.
    private func statement(_ random: inout SeededNumbers) throws -> CertificateStatement {
        let named = try #require(["Asia/Seoul", "America/St_Johns", "UTC"].randomElement(using: &random))
        let zone = try #require(Zone(named))
        let meeting = Meeting(
            id: .makeTimeless(),
            name: String(repeating: "모임", count: Int.random(in: 1...30, using: &random)), timeZone: zone,
            createdAt: Instant(milliseconds: 0))
        let name = try #require(Self.names.randomElement(using: &random))
        let start = Instant(seconds: Int64.random(in: 0...4_000_000_000, using: &random))
        let issued = Instant(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &random))
        func certificate(_ subject: Certificate.Subject) -> Certificate {
            Certificate(id: .makeShort(), meeting: meeting.id, subject: subject, issuedAt: issued)
        }
        if Bool.random(using: &random) {
            let share = SeriesShare(
                firstAt: start, lastAt: start + .hours(24 * 70),
                attended: Int.random(in: 0...2000, using: &random),
                held: Int.random(in: 0...2000, using: &random))
            return try #require(
                CertificateStatement(
                    certificate(.series(.makeTimeless(), share)), name: name, share: share, meeting: meeting))
        }
        let session = Session(
            id: .makeTimeless(), meetingID: meeting.id, round: 1,
            title: Bool.random(using: &random) ? "" : "첫 회차", startsAt: start,
            endsAt: start + .minutes(Int.random(in: 0...20_160, using: &random)), joinCode: "ABCDEF")
        return try #require(
            CertificateStatement(
                certificate(.session(.makeTimeless())), name: name, session: session, meeting: meeting))
    }

    private func sign(_ message: [UInt8]) -> [UInt8] {
        (0..<64).map { UInt8(truncatingIfNeeded: message.count &+ $0) }
    }

    @Test func `each payload is read as it was made, and within the limit of bytes`() throws {
        var random = SeededNumbers(seed: 4)
        for _ in 0..<500 {
            let payload = CertificatePayload(
                key: UInt16.random(in: 1...1000, using: &random), try statement(&random), signedBy: sign)
            #expect(payload.bytes.count <= CertificatePayload.mostBytes)
            #expect(CertificatePayload(bytes: payload.bytes) == payload)
        }
    }

    @Test func `a changed or shortened payload is refused, or has other signed bytes`() throws {
        var random = SeededNumbers(seed: 5)
        for _ in 0..<200 {
            let payload = CertificatePayload(key: 1, try statement(&random), signedBy: sign)
            let bytes = payload.bytes
            var changed = bytes
            let bit = Int.random(in: 0..<8 * bytes.count, using: &random)
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            if let read = CertificatePayload(bytes: changed) {
                #expect(read.message != payload.message || read.signature != payload.signature)
            }
            let shorter = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
            #expect(CertificatePayload(bytes: shorter)?.bytes != bytes)
            #expect(CertificatePayload(bytes: bytes + [0])?.message != payload.message)
        }
    }

    @Test func `the longest name fits, and a longer one is refused`() throws {
        #expect(CertificateStatement.fits(name: String(repeating: "x", count: 200)))
        #expect(!CertificateStatement.fits(name: String(repeating: "x", count: 201)))
        #expect(CertificateStatement.fits(name: String(repeating: "가", count: 66)))
        #expect(!CertificateStatement.fits(name: String(repeating: "가", count: 67)))
        #expect(!CertificateStatement.fits(name: ""))
    }

    @Test func `a certificate shows the times of the meeting's clock`() throws {
        let meeting = Meeting(
            id: .makeTimeless(), name: "Study group", timeZone: try #require(Zone("Asia/Seoul")),
            createdAt: Instant(milliseconds: 0))
        let start = try #require(Instant(rfc3339: "2026-11-21T16:00:00Z"))
        let session = Session(
            id: .makeTimeless(), meetingID: meeting.id, round: 1, startsAt: start,
            endsAt: start + .minutes(90), joinCode: "ABCDEF")
        let certificate = Certificate(
            id: .makeShort(), meeting: meeting.id, subject: .session(.makeTimeless()),
            issuedAt: start + .hours(2))
        let statement = try #require(
            CertificateStatement(certificate, name: "Kim", session: session, meeting: meeting))
        guard case .session(let startsAt, let minutes) = statement.attendance else {
            Issue.record("another kind")
            return
        }
        #expect(startsAt.text == "2026-11-22 01:00" && minutes == 90)
        #expect(statement.issuedOn.text == "2026-11-22")
    }

    @Test func `a share is never rounded up, and nobody has one without a session`() {
        func share(_ attended: Int, of held: Int) -> SeriesShare {
            SeriesShare(
                firstAt: Instant(milliseconds: 0), lastAt: Instant(milliseconds: 0), attended: attended,
                held: held)
        }
        #expect(share(4, of: 5).isAtLeast(percent: 80))
        #expect(!share(79, of: 99).isAtLeast(percent: 80))
        #expect(!share(0, of: 0).isAtLeast(percent: 0))
        #expect(!share(0, of: 5).isAtLeast(percent: 0))
        #expect(share(1, of: 5).isAtLeast(percent: 0))
        #expect(share(5, of: 5).isAtLeast(percent: 100))
    }
}
