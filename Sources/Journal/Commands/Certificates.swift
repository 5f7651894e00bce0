package import Meetings

/// Finds, adds and revokes certificates, and stores the keys that sign them.
struct Certificates {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// Stores the key as the server's next one, if the server has none yet, or none that can sign any more.
    /// - Throws: `limitReached` if the server has `CertificateKey.most` keys.
    func requireKey(orNext key: NewSigningKey) throws(JournalError) {
        let newest = try rows.newestCertificateKey()?.number
        if key.isNeeded(after: newest) { _ = try add(key) }
    }

    /// Stores the server's next key. Returns its number.
    /// - Throws: `limitReached` if the server has `CertificateKey.most` keys.
    func add(_ key: NewSigningKey) throws(JournalError) -> Int {
        let number = (try rows.newestCertificateKey()?.number ?? 0) + 1
        guard number <= CertificateKey.most else {
            throw .refused(.limitReached(.certificateKey, limit: CertificateKey.most))
        }
        try rows.insert(
            CertificateKey(
                number: number, publicKey: key.publicKey, secret: key.secret, createdAt: transaction.now))
        return number
    }

    /// Revokes a certificate. The revocation outlives the record. A revoked certificate stays as it is.
    func revoke(_ certificate: Certificate, byHost: Bool = false) throws(JournalError) {
        guard certificate.isValid else { return }
        var certificate = certificate
        certificate.revokedAt = transaction.now
        certificate.isRevokedByHost = byHost
        try rows.update(certificate)
        try rows.insertRevocation(of: certificate.id, at: transaction.now)
    }

    /// Revokes the certificate about the session of an attendee who does not count as checked in any more.
    func revoke(of attendee: AttendeeID) throws(JournalError) {
        if let certificate = try rows.certificate(of: attendee) { try revoke(certificate) }
    }

    enum Issue {
        case issued, existing
        /// A host has revoked the person's certificate about the same sessions.
        case revokedByHost
    }

    /// Issues a certificate, unless there is a valid one that says the same. A valid one about the same
    /// sessions that says something else is replaced: it ends now.
    /// - Parameters:
    ///   - lacksSessions: whether the share leaves out sessions whose names were deleted. Then a valid
    ///     certificate that counts more sessions stays, because nobody can count them again.
    ///   - isNamed: whether a host has named the person, who then gets a new certificate after a host's
    ///     revocation.
    /// - Throws: `limitReached` if the person has `Certificate.mostOfPerson` valid certificates about series.
    func issue(
        _ subject: Certificate.Subject, in meeting: MeetingID, lacksSessions: Bool = false, isNamed: Bool
    ) throws(JournalError) -> Issue {
        let earlier: [Certificate]
        switch subject {
        case .session(let attendee): earlier = try rows.certificate(of: attendee).map { [$0] } ?? []
        case .series(let person, _): earlier = try rows.certificates(of: person)
        }
        if earlier.contains(where: { $0.isValid && $0.subject == subject }) { return .existing }
        if lacksSessions, earlier.contains(where: { $0.isValid && $0.subject.hasMore(than: subject) }) {
            return .existing
        }
        let replaced = earlier.filter { $0.subject.isAboutSameSessions(as: subject) }
        if !isNamed, replaced.contains(where: \.isRevokedByHost) { return .revokedByHost }
        for certificate in replaced {
            try revoke(certificate)
            try rows.delete(certificate.id)
        }
        if case .series = subject {
            let rest = earlier.filter { !$0.subject.isAboutSameSessions(as: subject) }
            if rest.count >= Certificate.mostOfPerson {
                guard let revoked = rest.first(where: { !$0.isValid }) else {
                    throw .refused(.limitReached(.certificate, limit: Certificate.mostOfPerson))
                }
                try rows.delete(revoked.id)
            }
        }
        try rows.insert(
            Certificate(id: .makeShort(), meeting: meeting, subject: subject, issuedAt: transaction.now))
        return .issued
    }
}

extension Certificate.Subject {
    fileprivate func isAboutSameSessions(as other: Certificate.Subject) -> Bool {
        switch (self, other) {
        case (.session(let one), .session(let other)): one == other
        case (.series(let one, let share), .series(let other, let otherShare)):
            one == other && share.firstAt == otherShare.firstAt && share.lastAt == otherShare.lastAt
        default: false
        }
    }

    /// Whether this is a share of more sessions between the same first and last one.
    fileprivate func hasMore(than other: Certificate.Subject) -> Bool {
        guard isAboutSameSessions(as: other), case .series(_, let share) = self,
            case .series(_, let otherShare) = other
        else { return false }
        return share.held > otherShare.held
    }
}

extension Transaction {
    var certificates: Certificates { Certificates(transaction: self) }
}

/// The shares of some people of the same sessions.
package struct SeriesShares: Sendable {
    package let people: [(person: PersonID, share: SeriesShare)]
    /// Whether the shares leave out sessions between the first and the last one, because their names were
    /// deleted.
    package let lacksSessions: Bool

    package init(_ people: [(person: PersonID, share: SeriesShare)] = [], lacksSessions: Bool = false) {
        (self.people, self.lacksSessions) = (people, lacksSessions)
    }
}

/// Issues certificates for a part of the attendees of a session, or of the people on a roster. A holder of a
/// valid certificate that says the same gets no other one, so a repetition changes nothing.
///
/// The caller counts the shares of a series before, on one consistent state of the rows: a long series costs
/// one probe for each session and person, which must not hold up check-ins.
/// - Throws: `limitReached` if a person has `Certificate.mostOfPerson` valid certificates about series, or
///   the server has too many keys.
package struct IssueCertificates: Command {
    package struct Outcome: Hashable, Sendable {
        package var created = 0
        /// The number of people who had this certificate already.
        package var existing = 0
        /// The number of people whose name does not fit into a certificate.
        package var tooLong = 0
        /// The number of subjects who are gone, do not count as checked in any more, or were only partially
        /// present.
        package var gone = 0
        /// The number of people whose certificate a host has revoked.
        package var revoked = 0

        package init() {}
    }

    package let meeting: MeetingID
    /// At most `mostAtOnce`.
    package let subjects: [Certificate.Subject]
    package let key: NewSigningKey
    /// Whether the shares leave out sessions whose names were deleted.
    package let lacksSessions: Bool
    /// Whether a host has named the only subject.
    package let isNamed: Bool
    /// Whether an earlier command of the same request has issued certificates. Then the action log names it.
    package let isNoted: Bool
    package let actor: AccountID

    /// The most subjects of one command, so that it takes a few milliseconds.
    package static let mostAtOnce = 200

    package init(
        for subjects: [Certificate.Subject], in meeting: MeetingID, key: NewSigningKey,
        lacksSessions: Bool = false, isNamed: Bool = false, isNoted: Bool = false, actor: AccountID
    ) {
        self.meeting = meeting
        self.isNamed = isNamed
        self.subjects = subjects
        self.key = key
        self.lacksSessions = lacksSessions
        self.isNoted = isNoted
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        _ = try transaction.rights.meeting(meeting, managedBy: actor)
        var outcome = Outcome()
        if !subjects.isEmpty { try transaction.certificates.requireKey(orNext: key) }
        for subject in subjects {
            guard let name = try name(of: subject, transaction.rows, at: transaction.now) else {
                outcome.gone += 1
                continue
            }
            guard CertificateStatement.fits(name: name) else {
                outcome.tooLong += 1
                continue
            }
            switch try transaction.certificates.issue(
                subject, in: meeting, lacksSessions: lacksSessions, isNamed: isNamed)
            {
            case .issued: outcome.created += 1
            case .existing: outcome.existing += 1
            case .revokedByHost: outcome.revoked += 1
            }
        }
        if outcome.created > 0, !isNoted {
            try transaction.note(.certificatesIssued, by: .account(actor), in: meeting)
        }
        return outcome
    }

    /// Returns the name of a person who may get the certificate; nil for others.
    private func name(of subject: Certificate.Subject, _ rows: any ReadableRows, at now: Instant)
        throws(JournalError) -> String?
    {
        switch subject {
        case .session(let id):
            guard let attendee = try rows.attendee(id), attendee.status.countsAsCheckedIn,
                let record = try rows.session(attendee.sessionID), record.meeting.id == meeting,
                record.session.isOver(at: now), record.session.namesDeletedAt == nil,
                attendee.presence(in: record.session, at: now)?.isPartial != true
            else { return nil }
            return attendee.name
        case .series(let id, _):
            guard let person = try rows.person(id), person.meetingID == meeting else { return nil }
            return person.name
        }
    }
}

/// Revokes a certificate. From the commit on, this server says that it is not valid.
/// - Throws: `notFound` if the meeting has no such certificate.
package struct RevokeCertificate: Command {
    package let id: CertificateID
    package let meeting: MeetingID
    package let actor: AccountID

    package init(id: CertificateID, meeting: MeetingID, actor: AccountID) {
        (self.id, self.meeting, self.actor) = (id, meeting, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        // An end of rights does not wait for a job in the meeting.
        try transaction.rows.requireHost(actor, of: meeting)
        guard let certificate = try transaction.rows.certificate(id), certificate.meeting == meeting else {
            throw .refused(.notFound(.certificate))
        }
        guard certificate.isValid else { return }
        try transaction.certificates.revoke(certificate, byHost: true)
        try transaction.note(.certificateRevoked, by: .account(actor), in: meeting)
    }
}

/// Gives the server another key for its next certificates. Certificates of the earlier keys stay valid.
/// Returns the number of the key.
/// - Throws: `limitReached` if the server has `CertificateKey.most` keys.
package struct ReplaceCertificateKey: Command {
    package let key: NewSigningKey

    package init(by key: NewSigningKey) { self.key = key }

    package func run(in transaction: Transaction) throws(JournalError) -> Int {
        let number = try transaction.certificates.add(key)
        try transaction.note(.certificateKeyReplaced, by: .server)
        return number
    }
}

/// Queues mails with the certificates of one person, or of a part of a meeting's certificates. A certificate
/// is mailed once, unless a host names its person after `Certificate.pauseBetweenMails`. The mails count for
/// the meeting's payer.
package struct MailCertificates: Command {
    package enum Receivers: Sendable {
        case person(PersonID)
        /// The next `mostAtOnce` certificates of the meeting after this position.
        case everybody(after: CertificateCursor?)
    }

    package struct Outcome: Hashable, Sendable {
        package var queued = 0
        /// The number of valid certificates whose holder is not on the roster, has no address, or wants no
        /// mails.
        package var withoutAddress = 0
        /// The number of certificates that were mailed before.
        package var mailedBefore = 0
        /// Whether the payer or a recipient has reached the limit of a day, so that mails are missing. The
        /// host does not learn which of them, because the host may not own the address.
        package var isLimited = false
        /// The position after which the list continues; nil at its end.
        package var next: CertificateCursor?

        package init() {}
    }

    package let meeting: MeetingID
    package let receivers: Receivers
    package let key: NewSigningKey
    /// The tag of the mails' language if the meeting has none.
    package let language: String
    package let isNoted: Bool
    package let actor: AccountID

    /// The most certificates of one command.
    package static let mostAtOnce = 200
    /// The time after which a mail that could not be sent is given up.
    private static let lifetime = Duration.hours(72)

    package init(
        of meeting: MeetingID, to receivers: Receivers, key: NewSigningKey, language: String,
        isNoted: Bool = false, actor: AccountID
    ) {
        self.meeting = meeting
        self.receivers = receivers
        self.key = key
        self.language = language
        self.isNoted = isNoted
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let (rows, now) = (transaction.rows, transaction.now)
        let found = try transaction.rights.meeting(meeting, managedBy: actor)
        var outcome = Outcome()
        let certificates: [Certificate]
        var repeats = false
        switch receivers {
        case .person(let id):
            guard let person = try rows.person(id), person.meetingID == meeting else {
                throw .refused(.notFound(.person))
            }
            certificates = try rows.certificates(ofPersonAndSlots: id)
            repeats = true
        case .everybody(let cursor):
            certificates = try rows.certificates(of: meeting, after: cursor, limit: Self.mostAtOnce)
            if certificates.count == Self.mostAtOnce {
                outcome.next = certificates.last.map { CertificateCursor($0) }
            }
        }
        guard let payer = try rows.mailPayer(of: meeting) else { return outcome }
        // Otherwise the mails could not be signed after a replacement of all secrets.
        if !certificates.isEmpty { try transaction.certificates.requireKey(orNext: key) }
        let allowance = try transaction.mailings.allowance(of: payer)
        for var certificate in certificates where certificate.isValid {
            if let mailedAt = certificate.mailedAt,
                !repeats || now < mailedAt + Certificate.pauseBetweenMails
            {
                outcome.mailedBefore += 1
                continue
            }
            guard let (person, recipient) = try rows.recipient(of: certificate),
                try rows.wantsMails(IdentityKey(recipient), about: meeting),
                try rows.statement(of: certificate) != nil
            else {
                outcome.withoutAddress += 1
                continue
            }
            guard outcome.queued < allowance else {
                outcome.isLimited = true
                outcome.next = nil
                try transaction.mailings.noteLimit(of: payer, in: meeting)
                break
            }
            let mail = OutgoingMail(
                to: recipient, language: found.language ?? language, .certificate(certificate.id),
                notBefore: now, expiresAt: now + Self.lifetime, owner: OutgoingMail.Owner(person),
                meeting: meeting)
            guard try transaction.mails.queue(mail) else {
                outcome.isLimited = true
                continue
            }
            outcome.queued += 1
            certificate.mailedAt = now
            try rows.update(certificate)
        }
        try transaction.mailings.charge(outcome.queued, to: payer)
        if outcome.queued > 0, !isNoted {
            try transaction.note(.certificatesMailed, by: .account(actor), in: meeting)
        }
        return outcome
    }
}

extension ReadableRows {
    /// Returns the person's certificates about series and about single sessions, also the revoked ones.
    package func certificates(ofPersonAndSlots person: PersonID) throws(JournalError) -> [Certificate] {
        var found = try certificates(of: person)
        for attendee in try attendees(inSlotsOf: person) {
            if let certificate = try certificate(of: attendee) { found.append(certificate) }
        }
        return found.sorted { ($0.issuedAt, $0.id) < ($1.issuedAt, $1.id) }
    }

    /// Returns the person of the roster who holds the certificate; nil if the holder is not on the roster.
    package func holder(of certificate: Certificate) throws(JournalError) -> Person? {
        switch certificate.subject {
        case .series(let person, _): return try self.person(person)
        case .session(let attendee): return try person(inSlotOf: attendee).flatMap(person)
        }
    }

    /// Returns the person who gets mails with the certificate, with the normalized address; nil if the holder
    /// is not on the roster, or has no address.
    func recipient(of certificate: Certificate) throws(JournalError) -> (person: PersonID, address: String)? {
        guard let person = try holder(of: certificate), !person.isArchived,
            let address = EmailAddress.normalized(person.email)
        else { return nil }
        return (person.id, address)
    }

    /// Returns what the certificate says, with the names as they are now. Returns nil if a name was deleted,
    /// or if the person's name became too long.
    package func statement(of certificate: Certificate) throws(JournalError) -> CertificateStatement? {
        switch certificate.subject {
        case .session(let id):
            guard let attendee = try attendee(id), let record = try session(attendee.sessionID),
                record.session.namesDeletedAt == nil, attendee.name != Attendee.deletedName
            else { return nil }
            return CertificateStatement(
                certificate, name: attendee.name, session: record.session, meeting: record.meeting)
        case .series(let id, let share):
            guard let person = try person(id), let meeting = try meeting(certificate.meeting) else {
                return nil
            }
            return CertificateStatement(certificate, name: person.name, share: share, meeting: meeting)
        }
    }

    /// Returns what this server says about a certificate whose signature is genuine.
    package func verdict(on certificate: CertificateID) throws(JournalError)
        -> (verdict: CertificateVerdict, revokedAt: Instant?)
    {
        if let revokedAt = try revocation(of: certificate) { return (.revoked, revokedAt) }
        return (try self.certificate(certificate) == nil ? .unknown : .valid, nil)
    }

    /// Returns what this server says about a statement whose signature is genuine. A statement that differs
    /// from its record is not genuine, because a thief of a key has signed it.
    package func verdict(on statement: CertificateStatement) throws(JournalError)
        -> (verdict: CertificateVerdict, revokedAt: Instant?)
    {
        if let certificate = try certificate(statement.id), !statement.fits(certificate) {
            return (.notGenuine, nil)
        }
        return try verdict(on: statement.id)
    }

    /// Returns the people's shares of the sessions of a meeting that start in a range, are over, and whose
    /// names are stored. Nobody knows any more who was in the other sessions, so they are in neither number.
    /// Partial presence does not count as attended. Reads all sessions of the range, and one slot for each
    /// person and session.
    package func shares(
        of people: [Person], in meeting: Meeting, starting range: ClosedRange<Instant>, at now: Instant
    ) throws(JournalError) -> SeriesShares {
        let all = try sessions(
            of: meeting.id, starting: range.lowerBound..<(range.upperBound + .milliseconds(1)), before: nil,
            limit: ContinueMeeting.mostSessions
        ).map(\.session).filter { $0.isOver(at: now) }
        let sessions = all.filter { $0.namesDeletedAt == nil }
        // The latest session is first.
        guard let last = sessions.first, let first = sessions.last else { return SeriesShares() }
        var shares: [(person: PersonID, share: SeriesShare)] = []
        for person in people {
            let totals = try seriesTotals(
                of: person, key: IdentityKey(ifAny: person.identity(by: meeting.identifyBy)),
                starting: first.startsAt...last.startsAt, at: now)
            shares.append(
                (
                    person.id,
                    SeriesShare(
                        firstAt: first.startsAt, lastAt: last.startsAt,
                        attended: totals.present + totals.late - (totals.partial ?? 0),
                        held: sessions.count - totals.excused)
                ))
        }
        let counted = first.startsAt...last.startsAt
        return SeriesShares(
            shares,
            lacksSessions: all.contains { $0.namesDeletedAt != nil && counted.contains($0.startsAt) })
    }
}
