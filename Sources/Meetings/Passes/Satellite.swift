/// A laptop at a door of one session that works without a network. People read "offline door".
package struct Satellite: Hashable, Sendable {
    package let id: SatelliteID
    package let session: SessionID
    /// The name that the host gave: 1–100 characters, NFC.
    package let name: String
    /// The number of the door (`Door.numbers`).
    package let door: Int
    /// Whether the host lets the laptop show names. They are encrypted for the key that is typed at the door.
    package let hasNames: Bool
    /// Whether the host lets the laptop read numbers or addresses, which are encrypted in the same way.
    package let hasNumbers: Bool
    /// The public key for which names and numbers are encrypted; nil if the laptop gets neither.
    package let sealingKey: [UInt8]?
    package let createdAt: Instant
    /// The host who created it. If this account is no longer a host of the meeting, or is suspended, the
    /// laptop counts as revoked.
    package let createdBy: AccountID
    /// The hash of the one-time code by which the laptop joins; nil if the offline door is revoked.
    package var codeHash: [UInt8]?
    /// The hash of the laptop's token; nil before it has joined.
    package var tokenHash: [UInt8]?
    /// The Ed25519 key that verifies the laptop's entries; nil before it has joined.
    package var publicKey: [UInt8]?
    package var joinedAt: Instant?
    /// The last exchange with the server; nil if there was none.
    package var seenAt: Instant?
    /// By how many milliseconds the laptop's clock was ahead of the server's at the last exchange.
    package var offset: Int64?
    /// The moment since which the laptop may do nothing; nil if it is valid.
    package var revokedAt: Instant?
    /// The number of the last entry that is stored here. All earlier ones are stored, too.
    package var received: Int64

    /// The most offline doors of one session, including the revoked ones.
    package static let mostOfSession = 50
    /// The most attendees of a session that has offline doors.
    package static let mostAttendees = 20_000
    /// The time in which a laptop can join by its code.
    package static let codeLifetime = Duration.hours(24 * 7)
    /// The time in which a laptop that has joined can repeat it, because it may have lost the answer.
    package static let repeatWindow = Duration.seconds(600)

    package init(
        id: SatelliteID, session: SessionID, name: String, door: Int, hasNames: Bool = false,
        hasNumbers: Bool = false, sealingKey: [UInt8]? = nil, createdAt: Instant, createdBy: AccountID,
        codeHash: [UInt8]? = nil, tokenHash: [UInt8]? = nil, publicKey: [UInt8]? = nil,
        joinedAt: Instant? = nil,
        seenAt: Instant? = nil, offset: Int64? = nil, revokedAt: Instant? = nil, received: Int64 = 0
    ) {
        (self.id, self.session, self.name, self.door) = (id, session, name, door)
        (self.hasNames, self.hasNumbers, self.sealingKey) = (hasNames, hasNumbers, sealingKey)
        (self.createdAt, self.createdBy) = (createdAt, createdBy)
        (self.codeHash, self.tokenHash, self.publicKey) = (codeHash, tokenHash, publicKey)
        (self.joinedAt, self.seenAt, self.offset) = (joinedAt, seenAt, offset)
        (self.revokedAt, self.received) = (revokedAt, received)
    }

    package var isRevoked: Bool { revokedAt != nil }
}

package typealias SatelliteID = ID<Satellite>
