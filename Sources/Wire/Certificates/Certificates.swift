package import Meetings

/// The request that issues certificates: for a session, to one person or to everybody who checked in; or for
/// a share of a series, to one person or to everybody on the roster.
package struct CreateCertificatesRequest: Readable, Sendable {
    /// The person on the roster; nil for everybody.
    package let personId: PersonID?
    /// An attendee of the session, also without a person on the roster.
    package let attendeeId: AttendeeID?
    /// The session; nil for a share of the series.
    package let sessionId: SessionID?
    /// The smallest share of the sessions that are over, in percent; nil for any share above zero.
    package let atLeastPercent: Int?
    /// The first and the last day on which counted sessions begin; nil for no limit.
    package let from: CivilDate?
    package let until: CivilDate?

    package init(reading fields: Fields) {
        personId = fields.id("personId", of: Person.self)
        attendeeId = fields.id("attendeeId", of: Attendee.self)
        sessionId = fields.id("sessionId", of: Session.self)
        atLeastPercent = fields.integer("atLeastPercent", 1...100)
        from = fields.date("from").flatMap { CivilDate($0) }
        until = fields.date("until").flatMap { CivilDate($0) }
        if sessionId != nil {
            for name in ["atLeastPercent", "from", "until"] where fields.has(name) {
                fields.fail(name, .notTogether(with: fields.pointer("sessionId")))
            }
        } else if attendeeId != nil {
            fields.fail("sessionId", .missing)
        }
        if attendeeId != nil, personId != nil {
            fields.fail("personId", .notTogether(with: fields.pointer("attendeeId")))
        }
        if let from, let until, from.daysSince1970 > until.daysSince1970 {
            fields.fail("until", .endsBeforeStart)
        }
    }
}

/// The result of a request for certificates.
package struct CertificatesCreatedBody: Codable, Hashable, Sendable {
    package var created: Int
    /// The number of people who had the same certificate already.
    package var existing: Int
    /// The number of people who do not get one: their share is below the limit, or they are not checked in.
    package var notEntitled: Int
    /// The number of people whose name is too long for a certificate.
    package var nameTooLong: Int
    /// The number of attendees of the session who are not on the roster of the meeting. They have typed their
    /// names themselves, so only a host's request for one of them issues a certificate.
    package var walkIns: Int
    /// The number of people whose certificate a host has revoked. Only a host's request for one of them
    /// issues another one.
    package var revoked: Int

    package init(
        created: Int = 0, existing: Int = 0, notEntitled: Int = 0, nameTooLong: Int = 0, walkIns: Int = 0,
        revoked: Int = 0
    ) {
        self.created = created
        self.existing = existing
        self.notEntitled = notEntitled
        self.nameTooLong = nameTooLong
        self.walkIns = walkIns
        self.revoked = revoked
    }
}

/// A certificate, for the hosts of its meeting.
package struct CertificateBody: Codable, Hashable, Sendable {
    package let id: CertificateID
    /// The person, of a certificate about a series.
    package let personId: PersonID?
    /// The attendee, of a certificate about a session.
    package let attendeeId: AttendeeID?
    /// Nil if the name was deleted.
    package let name: String?
    /// The session; nil for a series.
    package let sessionId: SessionID?
    package let series: SeriesBody?
    package let issuedAt: Instant
    package let revokedAt: Instant?
    package let mailedAt: Instant?
    /// The content of the QR code, which holds the whole certificate. Nil if the certificate is revoked, or
    /// if the name was deleted.
    package let url: String?

    package struct SeriesBody: Codable, Hashable, Sendable {
        package let firstStartsAt: Instant
        package let lastStartsAt: Instant
        package let attended: Int
        package let held: Int
    }

    package init(_ certificate: Certificate, name: String?, session: SessionID?, url: String?) {
        id = certificate.id
        self.name = name
        sessionId = session
        (issuedAt, revokedAt, mailedAt) = (
            certificate.issuedAt, certificate.revokedAt, certificate.mailedAt
        )
        self.url = url
        switch certificate.subject {
        case .session(let attendee): (attendeeId, personId, series) = (attendee, nil, nil)
        case .series(let person, let share):
            (attendeeId, personId) = (nil, person)
            series = SeriesBody(
                firstStartsAt: share.firstAt, lastStartsAt: share.lastAt, attended: share.attended,
                held: share.held)
        }
    }
}

/// What a certificate says.
package struct CertificateStatementBody: Codable, Hashable, Sendable {
    package let id: CertificateID
    package let name: String
    package let meeting: String
    package let title: String?
    package let issuedAt: Instant
    /// The day of issue in the meeting's time zone.
    package let issuedOn: String
    package let session: SessionBody?
    package let series: SeriesBody?

    package struct SessionBody: Codable, Hashable, Sendable {
        /// The start on the meeting's clock, such as `2026-11-21 19:00`.
        package let startsAt: String
        package let minutes: Int
    }

    package struct SeriesBody: Codable, Hashable, Sendable {
        package let from: String
        package let until: String
        package let attended: Int
        package let held: Int
    }

    package init(_ statement: CertificateStatement) {
        id = statement.id
        name = statement.name
        meeting = statement.meeting
        title = statement.title.isEmpty ? nil : statement.title
        (issuedAt, issuedOn) = (statement.issuedAt, statement.issuedOn.text)
        switch statement.attendance {
        case .session(let startsAt, let minutes):
            (session, series) = (SessionBody(startsAt: startsAt.text, minutes: minutes), nil)
        case .series(let from, let until, let attended, let held):
            session = nil
            series = SeriesBody(from: from.text, until: until.text, attended: attended, held: held)
        }
    }
}

/// What the server says about the content of a QR code.
package struct CertificateVerdictBody: Codable, Hashable, Sendable {
    package let verdict: CertificateVerdict
    package let revokedAt: Instant?
    /// Nil if the certificate is not genuine.
    package let certificate: CertificateStatementBody?

    package init(
        _ verdict: CertificateVerdict, revokedAt: Instant? = nil, _ statement: CertificateStatement? = nil
    ) {
        self.verdict = verdict
        self.revokedAt = revokedAt
        certificate = statement.map { CertificateStatementBody($0) }
    }
}

/// A certificate as Open Badge (Open Badges 3.0 of 1EdTech, §8.2: VC-JWT).
package struct OpenBadgeBody: Codable, Hashable, Sendable {
    /// The signed credential: a compact JWS (RFC 7515 §3.1).
    package let credential: String

    package init(credential: String) { self.credential = credential }
}

/// The public keys of a server that sign certificates: a JWK set (RFC 7517 §5) of Ed25519 keys (RFC 8037).
package struct CertificateKeysBody: Codable, Hashable, Sendable {
    /// The server's address. It is no member of the standard, so other readers ignore it.
    package let issuer: String
    package let keys: [Key]

    package struct Key: Codable, Hashable, Sendable {
        package let kty: String
        package let crv: String
        package let alg: String
        package let use: String
        /// The key's number, which certificates contain.
        package let kid: String
        /// The public key in base64url.
        package let x: String

        package init(number: Int, x: String) {
            (kty, crv, alg, use) = ("OKP", "Ed25519", "EdDSA", "sig")
            kid = String(number)
            self.x = x
        }
    }

    package init(issuer: String, keys: [Key]) { (self.issuer, self.keys) = (issuer, keys) }
}

/// The request that sends certificates by mail.
package struct MailCertificatesRequest: Readable, Sendable {
    /// The person whose certificates are sent, also once more; nil for all certificates that were not sent.
    package let personId: PersonID?

    package init(reading fields: Fields) { personId = fields.id("personId", of: Person.self) }
}

/// The result of a request that sends certificates by mail.
package struct CertificatesMailedBody: Codable, Hashable, Sendable {
    package var queued: Int
    /// The number of certificates whose holder has no address, or wants no more mails.
    package var withoutAddress: Int
    /// The number of certificates that were sent before.
    package var mailedBefore: Int
    /// Whether the limit of mails in 24 hours was reached. A later request sends the rest.
    package var limitReached: Bool

    package init(
        queued: Int = 0, withoutAddress: Int = 0, mailedBefore: Int = 0, limitReached: Bool = false
    ) {
        self.queued = queued
        self.withoutAddress = withoutAddress
        self.mailedBefore = mailedBefore
        self.limitReached = limitReached
    }
}
