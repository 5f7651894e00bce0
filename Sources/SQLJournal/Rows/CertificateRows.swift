package import Journal
package import Meetings

enum CertificateColumn: Int32, Columns {
    case id, meeting, attendee, person, firstAt, lastAt, attended, held, issuedAt, revokedAt, mailedAt
    case revokedByHost

    static let table = "certificates"

    var writing: ColumnWriting {
        switch self {
        case .id: .key
        case .meeting, .attendee, .person, .firstAt, .lastAt, .attended, .held, .issuedAt: .once
        case .revokedAt, .mailedAt, .revokedByHost: .always
        }
    }

    func bind(_ certificate: Certificate, to parameters: inout Parameters) {
        var (attendee, person, share): (AttendeeID?, PersonID?, SeriesShare?)
        switch certificate.subject {
        case .session(let id): attendee = id
        case .series(let id, let ofSeries): (person, share) = (id, ofSeries)
        }
        switch self {
        case .id: parameters.bind(certificate.id)
        case .meeting: parameters.bind(certificate.meeting)
        case .attendee: parameters.bind(attendee)
        case .person: parameters.bind(person)
        case .firstAt: parameters.bind(share?.firstAt)
        case .lastAt: parameters.bind(share?.lastAt)
        case .attended: parameters.bind(share?.attended)
        case .held: parameters.bind(share?.held)
        case .issuedAt: parameters.bind(certificate.issuedAt)
        case .revokedAt: parameters.bind(certificate.revokedAt)
        case .mailedAt: parameters.bind(certificate.mailedAt)
        case .revokedByHost: parameters.bind(certificate.isRevokedByHost)
        }
    }
}

enum CertificateKeyColumn: Int32, Columns {
    case number, publicKey, secret, createdAt

    static let table = "certificate_keys"

    var writing: ColumnWriting {
        switch self {
        case .number: .key
        case .publicKey, .secret, .createdAt: .once
        }
    }

    func bind(_ key: CertificateKey, to parameters: inout Parameters) {
        switch self {
        case .number: parameters.bind(key.number)
        case .publicKey: parameters.bind(key.publicKey)
        case .secret: parameters.bind(key.secret)
        case .createdAt: parameters.bind(key.createdAt)
        }
    }
}

extension Writing where Column == CertificateColumn {
    fileprivate static let insertCertificate = insert("insert certificate")
    fileprivate static let updateCertificate = update("update certificate")
}

extension Writing where Column == CertificateKeyColumn {
    fileprivate static let insertCertificateKey = insert("insert key of certificates")
}

extension Query {
    private static let columns = CertificateColumn.selected()
    private static let keyColumns = CertificateKeyColumn.selected()
    fileprivate static let certificate = Query(
        "find certificate", "SELECT \(columns) FROM certificates WHERE id = ?")
    fileprivate static let certificateOfAttendee = Query(
        "find an attendee's certificate", "SELECT \(columns) FROM certificates WHERE attendee = ?")
    fileprivate static let certificatesOfPerson = Query(
        "list a person's certificates",
        """
        SELECT \(columns) FROM certificates WHERE person = ? ORDER BY issued_at, id
            LIMIT \(Certificate.mostOfPerson)
        """)
    fileprivate static let attendeesInSlots = Query(
        "list a person's slots", "SELECT attendee FROM places WHERE person = ?")
    fileprivate static let certificatesOfMeeting = Query(
        "list certificates",
        """
        SELECT \(columns) FROM certificates WHERE meeting = ?1 AND (issued_at, id) > (?2, ?3)
        ORDER BY issued_at, id LIMIT ?4
        """)
    fileprivate static let deleteCertificate = Query(
        "delete certificate", "DELETE FROM certificates WHERE id = ?")
    fileprivate static let revocation = Query(
        "find revocation", "SELECT revoked_at FROM revoked_certificates WHERE id = ?")
    fileprivate static let insertRevocation = Query(
        "insert revocation", "INSERT INTO revoked_certificates (id, revoked_at) VALUES (?, ?)")
    fileprivate static let certificateKey = Query(
        "find key of certificates", "SELECT \(keyColumns) FROM certificate_keys WHERE number = ?")
    fileprivate static let certificateKeys = Query(
        "list keys of certificates",
        "SELECT \(keyColumns) FROM certificate_keys ORDER BY number LIMIT \(CertificateKey.most)")
    fileprivate static let newestCertificateKey = Query(
        "find newest key of certificates",
        "SELECT \(keyColumns) FROM certificate_keys ORDER BY number DESC LIMIT 1")
}

extension SQLRows {
    package func certificate(_ id: CertificateID) throws(JournalError) -> Certificate? {
        try connection.first(.certificate, id) { row throws(JournalError) in try row.certificate() }
    }

    package func certificate(of attendee: AttendeeID) throws(JournalError) -> Certificate? {
        try connection.first(.certificateOfAttendee, attendee) { row throws(JournalError) in
            try row.certificate()
        }
    }

    package func certificates(of person: PersonID) throws(JournalError) -> [Certificate] {
        try connection.all(.certificatesOfPerson, person) { row throws(JournalError) in
            try row.certificate()
        }
    }

    package func attendees(inSlotsOf person: PersonID) throws(JournalError) -> [AttendeeID] {
        try connection.all(.attendeesInSlots, person) { row throws(JournalError) in try row.id(0) }
    }

    package func certificates(of meeting: MeetingID, after cursor: CertificateCursor?, limit: Int)
        throws(JournalError) -> [Certificate]
    {
        let cursor =
            cursor
            ?? CertificateCursor(
                issuedAt: Instant(milliseconds: .min), id: CertificateID(high: 0, low: 0))
        return try connection.all(
            .certificatesOfMeeting, meeting, cursor.issuedAt, cursor.id, limit
        ) { row throws(JournalError) in try row.certificate() }
    }

    package func revocation(of certificate: CertificateID) throws(JournalError) -> Instant? {
        try connection.first(.revocation, certificate) { row throws(JournalError) in row.instant(0) }
    }

    package func certificateKey(_ number: Int) throws(JournalError) -> CertificateKey? {
        try connection.first(.certificateKey, number) { row throws(JournalError) in row.certificateKey() }
    }

    package func certificateKeys() throws(JournalError) -> [CertificateKey] {
        try connection.all(.certificateKeys) { row throws(JournalError) in row.certificateKey() }
    }

    package func newestCertificateKey() throws(JournalError) -> CertificateKey? {
        try connection.first(.newestCertificateKey) { row throws(JournalError) in row.certificateKey() }
    }

    package func insert(_ certificate: Certificate) throws(JournalError) {
        try connection.run(.insertCertificate, certificate)
    }

    package func update(_ certificate: Certificate) throws(JournalError) {
        try connection.run(.updateCertificate, certificate)
    }

    package func delete(_ certificate: CertificateID) throws(JournalError) {
        try connection.run(.deleteCertificate, certificate)
    }

    package func insertRevocation(of certificate: CertificateID, at moment: Instant) throws(JournalError) {
        try connection.run(.insertRevocation, certificate, moment)
    }

    package func insert(_ key: CertificateKey) throws(JournalError) {
        try connection.run(.insertCertificateKey, key)
    }
}

extension Row {
    fileprivate func certificate() throws(JournalError) -> Certificate {
        let cells = Cells<CertificateColumn>(self)
        let subject: Certificate.Subject
        if let attendee: AttendeeID = cells.idIfAny(.attendee) {
            subject = .session(attendee)
        } else {
            subject = .series(
                try cells.id(.person),
                SeriesShare(
                    firstAt: cells.instant(.firstAt), lastAt: cells.instant(.lastAt),
                    attended: cells.int(.attended), held: cells.int(.held)))
        }
        return Certificate(
            id: try cells.id(.id), meeting: try cells.id(.meeting), subject: subject,
            issuedAt: cells.instant(.issuedAt), revokedAt: cells.instantIfAny(.revokedAt),
            isRevokedByHost: cells.bool(.revokedByHost), mailedAt: cells.instantIfAny(.mailedAt))
    }

    fileprivate func certificateKey() -> CertificateKey {
        let cells = Cells<CertificateKeyColumn>(self)
        return CertificateKey(
            number: cells.int(.number), publicKey: cells.bytes(.publicKey), secret: cells.bytes(.secret),
            createdAt: cells.instant(.createdAt))
    }
}
