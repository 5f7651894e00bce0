/// A personal pass: a signed QR code by which the door lets in one person of a roster. The signature proves
/// that the server issued the pass. Only this record says whether it is still valid.
package struct Pass: Hashable, Sendable {
    package let id: PassID
    package let person: PersonID
    /// The only session that the pass opens; nil for all sessions of the person's meeting.
    package let session: SessionID?
    package let createdAt: Instant
    /// The moment since which the pass opens nothing; nil if it is valid.
    package var revokedAt: Instant?

    /// The most passes of one person, including the revoked ones. The oldest revoked ones make room, and then
    /// the oldest ones for sessions that are over.
    package static let mostOfPerson = 100

    package init(
        id: PassID, person: PersonID, session: SessionID? = nil, createdAt: Instant, revokedAt: Instant? = nil
    ) {
        self.id = id
        self.person = person
        self.session = session
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }

    package var isValid: Bool { revokedAt == nil }
}

package typealias PassID = ID<Pass>

/// A key that signs the passes of one meeting. After a rotation, the passes of the earlier keys stay valid.
package struct PassKey: Hashable, Sendable {
    package let meeting: MeetingID
    /// 1 for the meeting's first key. The newest key signs.
    package let number: Int
    package let publicKey: [UInt8]
    /// The sealed secret key.
    package let secret: [UInt8]
    package let createdAt: Instant

    /// The most keys of one meeting. A pass holds the number in two bytes.
    package static let mostOfMeeting = 100

    package init(
        meeting: MeetingID, number: Int, publicKey: [UInt8], secret: [UInt8], createdAt: Instant
    ) {
        self.meeting = meeting
        self.number = number
        self.publicKey = publicKey
        self.secret = secret
        self.createdAt = createdAt
    }
}

/// The bytes in the QR code of a pass. They hold no name.
///
/// | bytes | meaning |
/// |---|---|
/// | 1 | the version of this layout |
/// | 2 | the number of the meeting's key |
/// | 16 | the meeting |
/// | 10 | the random part of the pass's id |
/// | 64 | the Ed25519 signature of `message` |
package struct PassPayload: Hashable, Sendable {
    package let key: UInt16
    package let meeting: MeetingID
    package let pass: PassID
    package let signature: [UInt8]

    private static let version: UInt8 = 1
    private static let lengthBeforeSignature = 1 + 2 + 16 + idLength
    private static let idLength = 10
    /// The number of bytes.
    package static let length = lengthBeforeSignature + 64

    /// Makes the payload of a pass.
    /// - Parameter sign: returns the signature of these bytes.
    package init(key: UInt16, meeting: MeetingID, pass: PassID, signedBy sign: ([UInt8]) -> [UInt8]) {
        (self.key, self.meeting, self.pass) = (key, meeting, pass)
        signature = sign(Self.message(Self.content(key, meeting, pass)))
    }

    /// Reads a payload. Returns nil if the length, the version or the number of the key is wrong. The caller
    /// verifies the signature.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes[0] == Self.version,
            let meeting = MeetingID(bytes: bytes[3..<19]),
            let pass = PassID(
                bytes: [UInt8](repeating: 0, count: 16 - Self.idLength)
                    + bytes[19..<Self.lengthBeforeSignature])
        else { return nil }
        key = UInt16(bytes[1]) << 8 | UInt16(bytes[2])
        (self.meeting, self.pass) = (meeting, pass)
        signature = Array(bytes[Self.lengthBeforeSignature...])
    }

    package var bytes: [UInt8] { Self.content(key, meeting, pass) + signature }

    /// The signed bytes. They begin with a text of their own, so that no signature for another purpose is
    /// the signature of a pass.
    package var message: [UInt8] { Self.message(Self.content(key, meeting, pass)) }

    private static func message(_ content: [UInt8]) -> [UInt8] {
        Array("QRing personal pass\0".utf8) + content
    }

    private static func content(_ key: UInt16, _ meeting: MeetingID, _ pass: PassID) -> [UInt8] {
        [version, UInt8(key >> 8), UInt8(key & 0xFF)] + meeting.bytes + pass.bytes.suffix(idLength)
    }
}
