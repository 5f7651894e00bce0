/// A certificate of attendance: a signed statement about one person. The holder's copy contains the whole
/// statement, so this record has no name. It says only for whom the server issued the certificate, and
/// whether a host has revoked it.
package struct Certificate: Hashable, Sendable {
    /// What the certificate is about.
    package enum Subject: Hashable, Sendable {
        /// The attendee was in one session.
        case session(AttendeeID)
        /// The person was in some of the sessions of a series.
        case series(PersonID, SeriesShare)
    }

    package let id: CertificateID
    package let meeting: MeetingID
    package let subject: Subject
    package let issuedAt: Instant
    /// The moment since which the certificate is not valid; nil if it is valid.
    package var revokedAt: Instant?
    /// Whether a host has revoked it. Then the person gets another one only if a host names the person.
    package var isRevokedByHost: Bool
    /// The moment at which the person got a mail with the certificate; nil if there was none.
    package var mailedAt: Instant?

    /// The most certificates about series of one person. The oldest revoked ones make room.
    package static let mostOfPerson = 100
    /// After a mail with the certificate, so long no host can send another one.
    package static let pauseBetweenMails = Duration.seconds(600)

    package init(
        id: CertificateID, meeting: MeetingID, subject: Subject, issuedAt: Instant, revokedAt: Instant? = nil,
        isRevokedByHost: Bool = false, mailedAt: Instant? = nil
    ) {
        self.id = id
        self.meeting = meeting
        self.subject = subject
        self.issuedAt = issuedAt
        self.revokedAt = revokedAt
        self.isRevokedByHost = isRevokedByHost
        self.mailedAt = mailedAt
    }

    package var isValid: Bool { revokedAt == nil }
}

package typealias CertificateID = ID<Certificate>

extension ID where Of == Certificate {
    /// The id without its first ten characters, which are zeros: 16 characters, for people.
    package var number: String { String(text.suffix(16)) }

    /// Reads a number as `number` writes it. Returns nil for any other text.
    package init?(number: String) {
        guard number.utf8.count == 16 else { return nil }
        self.init("0000000000\(number)")
    }
}

/// A person's share of the sessions of a series that are over. Sessions from which the person was excused are
/// in neither number.
package struct SeriesShare: Hashable, Sendable {
    /// The starts of the first and the last session of the series that were counted.
    package let firstAt: Instant
    package let lastAt: Instant
    /// The number of sessions in which the person was present or late.
    package let attended: Int
    /// The number of sessions, without those from which the person was excused.
    package let held: Int

    package init(firstAt: Instant, lastAt: Instant, attended: Int, held: Int) {
        self.firstAt = firstAt
        self.lastAt = lastAt
        self.attended = attended
        self.held = held
    }

    /// Whether the person was in at least one session, and in at least this share of them. No rounding makes
    /// a share larger than it is.
    /// - Parameter percent: 0 to 100.
    package func isAtLeast(percent: Int) -> Bool { attended > 0 && attended * 100 >= percent * held }
}

/// A key of the server that signs certificates. The newest key signs. All public keys stay for ever, because
/// certificates are kept for years.
package struct CertificateKey: Hashable, Sendable {
    /// 1 for the server's first key.
    package let number: Int
    package let publicKey: [UInt8]
    /// The sealed secret key.
    package let secret: [UInt8]
    package let createdAt: Instant

    /// The most keys of a server. A certificate holds the number in two bytes.
    package static let most = 1000

    package init(number: Int, publicKey: [UInt8], secret: [UInt8], createdAt: Instant) {
        self.number = number
        self.publicKey = publicKey
        self.secret = secret
        self.createdAt = createdAt
    }
}

/// Whether a certificate can be trusted, as the server that issued it says.
package enum CertificateVerdict: String, Hashable, Sendable, Codable, CaseIterable {
    /// The server has issued the certificate, and no host has revoked it.
    case valid
    /// The server has issued the certificate, and a host has revoked it.
    case revoked
    /// The signature is genuine, but the server has deleted its record of the certificate, for example
    /// because the meeting was deleted. The certificate was not revoked before.
    case unknown
    /// The text is not a certificate of this server, or somebody has changed it.
    case notGenuine
}
