/// What a certificate says, as it is printed. It needs no server: the signed bytes in the QR code contain all
/// of it.
package struct CertificateStatement: Hashable, Sendable {
    package enum Attendance: Hashable, Sendable {
        /// The session's start on the meeting's clock, and its length in minutes of this clock.
        case session(startsAt: WallTime, minutes: Int)
        /// The days of the first and the last session of the series that were counted.
        case series(from: CivilDate, until: CivilDate, attended: Int, held: Int)
    }

    package let id: CertificateID
    /// The moment of issue, in whole seconds.
    package let issuedAt: Instant
    /// The day of issue in the meeting's time zone.
    package let issuedOn: CivilDate
    package let name: String
    package let meeting: String
    /// The session's own title; empty if it has none, and for a series.
    package let title: String
    package let attendance: Attendance

    /// The most bytes of UTF-8 of each text, so that the QR code stays readable on paper. A longer name is
    /// refused. A longer name of a meeting, or a longer title, is cut and ends with an ellipsis.
    package static let mostNameBytes = 200
    package static let mostMeetingBytes = 120
    package static let mostTitleBytes = 80

    /// Whether a person's name fits into a certificate.
    package static func fits(name: String) -> Bool { (1...mostNameBytes).contains(name.utf8.count) }

    /// States that an attendee was in a session. Returns nil unless the name fits.
    package init?(_ certificate: Certificate, name: String, session: Session, meeting: Meeting) {
        let start = WallTime(session.startsAt, in: meeting.timeZone)
        let end = WallTime(session.endsAt, in: meeting.timeZone)
        self.init(
            certificate, name: name, title: session.title, meeting: meeting,
            .session(startsAt: start, minutes: max(0, Int(end.minutesSince1970 - start.minutesSince1970))))
    }

    /// States a person's share of a series. Returns nil unless the name fits.
    package init?(_ certificate: Certificate, name: String, share: SeriesShare, meeting: Meeting) {
        self.init(
            certificate, name: name, title: "", meeting: meeting,
            .series(
                from: WallTime(share.firstAt, in: meeting.timeZone).date,
                until: WallTime(share.lastAt, in: meeting.timeZone).date, attended: share.attended,
                held: share.held))
    }

    private init?(
        _ certificate: Certificate, name: String, title: String, meeting: Meeting, _ attendance: Attendance
    ) {
        guard Self.fits(name: name) else { return nil }
        id = certificate.id
        issuedAt = Instant(seconds: certificate.issuedAt.milliseconds / 1000)
        issuedOn = WallTime(issuedAt, in: meeting.timeZone).date
        self.name = name
        self.meeting = Self.cut(meeting.name, to: Self.mostMeetingBytes)
        self.title = Self.cut(title, to: Self.mostTitleBytes)
        self.attendance = attendance
    }

    fileprivate init(
        id: CertificateID, issuedAt: Instant, issuedOn: CivilDate, name: String, meeting: String,
        title: String, attendance: Attendance
    ) {
        self.id = id
        self.issuedAt = issuedAt
        self.issuedOn = issuedOn
        self.name = name
        self.meeting = meeting
        self.title = title
        self.attendance = attendance
    }

    /// Whether the statement fits to the record of a certificate: the id, the second of issue, the kind and
    /// the share. The record has no names, so they are not compared.
    package func fits(_ certificate: Certificate) -> Bool {
        guard id == certificate.id,
            issuedAt.milliseconds / 1000 == certificate.issuedAt.milliseconds / 1000
        else { return false }
        return switch (attendance, certificate.subject) {
        case (.session, .session): true
        case (.series(_, _, let attended, let held), .series(_, let share)):
            attended == share.attended && held == share.held
        default: false
        }
    }

    private static func cut(_ text: String, to most: Int) -> String {
        guard text.utf8.count > most else { return text }
        var text = text
        while text.utf8.count > most - "…".utf8.count { text.removeLast() }
        return text + "…"
    }
}

/// The bytes in the QR code of a certificate. Numbers begin with their highest byte.
///
/// | bytes | meaning |
/// |---|---|
/// | 1 | the version of this layout |
/// | 2 | the number of the server's key |
/// | 10 | the random part of the certificate's id |
/// | 4 | the moment of issue: seconds since 1970 |
/// | 2 | the day of issue: days since 1970 |
/// | 1 | 0: one session; 1: a share of a series |
/// | 4 + 2 | session: start, in minutes since 1970 on the meeting's clock; length in minutes |
/// | 4 × 2 | series: first day, last day, sessions attended, sessions held |
/// | 3 × (1 + n) | name, meeting and title: the number of bytes, then UTF-8 |
/// | 64 | the Ed25519 signature of `message` |
package struct CertificatePayload: Hashable, Sendable {
    package let key: UInt16
    package let statement: CertificateStatement
    package let signature: [UInt8]

    private static let version: UInt8 = 1
    private static let idLength = 10
    private static let signatureLength = 64
    /// The most bytes.
    package static let mostBytes =
        1 + 2 + idLength + 4 + 2 + 1 + 8 + 3 + CertificateStatement.mostNameBytes
        + CertificateStatement.mostMeetingBytes + CertificateStatement.mostTitleBytes + signatureLength

    /// Makes the payload of a certificate.
    /// - Parameter sign: returns the signature of these bytes.
    package init(key: UInt16, _ statement: CertificateStatement, signedBy sign: ([UInt8]) -> [UInt8]) {
        (self.key, self.statement) = (key, statement)
        signature = sign(Self.message(Self.content(key, statement)))
    }

    /// Reads a payload. Returns nil if the bytes have another layout, or more than one payload. The caller
    /// verifies the signature.
    package init?(bytes: [UInt8]) {
        guard bytes.count <= Self.mostBytes, bytes.count > Self.signatureLength else { return nil }
        var reader = ByteReader(bytes.dropLast(Self.signatureLength))
        guard reader.number(1) == Int64(Self.version), let key = reader.number(2),
            let random = reader.take(Self.idLength),
            let id = CertificateID(bytes: [UInt8](repeating: 0, count: 16 - Self.idLength) + random),
            let seconds = reader.number(4), let day = reader.number(2), let kind = reader.number(1)
        else { return nil }
        let attendance: CertificateStatement.Attendance
        switch kind {
        case 0:
            guard let start = reader.number(4), let length = reader.number(2) else { return nil }
            attendance = .session(startsAt: WallTime(minutesSince1970: start), minutes: Int(length))
        case 1:
            guard let from = reader.number(2), let until = reader.number(2), let attended = reader.number(2),
                let held = reader.number(2)
            else { return nil }
            attendance = .series(
                from: CivilDate(daysSince1970: from), until: CivilDate(daysSince1970: until),
                attended: Int(attended), held: Int(held))
        default: return nil
        }
        guard let name = reader.text(), let meeting = reader.text(), let title = reader.text(), reader.isAtEnd
        else { return nil }
        self.key = UInt16(key)
        statement = CertificateStatement(
            id: id, issuedAt: Instant(seconds: seconds), issuedOn: CivilDate(daysSince1970: day), name: name,
            meeting: meeting, title: title, attendance: attendance)
        signature = Array(bytes.suffix(Self.signatureLength))
    }

    package var bytes: [UInt8] { Self.content(key, statement) + signature }

    /// The signed bytes. They begin with a text of their own, so that no signature for another purpose is
    /// the signature of a certificate.
    package var message: [UInt8] { Self.message(Self.content(key, statement)) }

    private static func message(_ content: [UInt8]) -> [UInt8] {
        Array("QRing certificate\0".utf8) + content
    }

    private static func content(_ key: UInt16, _ statement: CertificateStatement) -> [UInt8] {
        var bytes = [version]
        func put(_ number: Int64, _ count: Int) {
            // Times before 1970 or after the end of the field cannot be told, and become its limits.
            let number = min(max(number, 0), (1 << (8 * count)) - 1)
            for shift in (0..<count).reversed() { bytes.append(UInt8(number >> (8 * shift) & 0xFF)) }
        }
        func put(_ text: String) {
            put(Int64(text.utf8.count), 1)
            bytes += Array(text.utf8)
        }
        put(Int64(key), 2)
        bytes += statement.id.bytes.suffix(idLength)
        put(statement.issuedAt.milliseconds / 1000, 4)
        put(statement.issuedOn.daysSince1970, 2)
        switch statement.attendance {
        case .session(let startsAt, let minutes):
            put(0, 1)
            put(startsAt.minutesSince1970, 4)
            put(Int64(minutes), 2)
        case .series(let from, let until, let attended, let held):
            put(1, 1)
            put(from.daysSince1970, 2)
            put(until.daysSince1970, 2)
            put(Int64(attended), 2)
            put(Int64(held), 2)
        }
        put(statement.name)
        put(statement.meeting)
        put(statement.title)
        return bytes
    }
}

private struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func number(_ count: Int) -> Int64? {
        take(count)?.reduce(0) { $0 << 8 | Int64($1) }
    }

    mutating func text() -> String? {
        number(1).flatMap { take(Int($0)) }.flatMap { String(validating: $0, as: UTF8.self) }
    }
}
