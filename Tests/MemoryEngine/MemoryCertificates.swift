import Journal
import Meetings

extension MemoryRows {
    func certificate(_ id: CertificateID) throws(JournalError) -> Certificate? {
        try tables().certificates[id]
    }

    func certificate(of attendee: AttendeeID) throws(JournalError) -> Certificate? {
        try tables().certificates.values.first { $0.subject == .session(attendee) }
    }

    func certificates(of person: PersonID) throws(JournalError) -> [Certificate] {
        try sorted { $0.subject.person == person }
    }

    func attendees(inSlotsOf person: PersonID) throws(JournalError) -> [AttendeeID] {
        try tables().slots.filter { $0.value.person == person }.map(\.key)
    }

    func certificates(of meeting: MeetingID, after cursor: CertificateCursor?, limit: Int)
        throws(JournalError) -> [Certificate]
    {
        let found = try sorted { certificate in
            guard certificate.meeting == meeting else { return false }
            return cursor.map { ($0.issuedAt, $0.id) < (certificate.issuedAt, certificate.id) } ?? true
        }
        return Array(found.prefix(limit))
    }

    private func sorted(where isWanted: (Certificate) -> Bool) throws(JournalError) -> [Certificate] {
        try tables().certificates.values.filter(isWanted).sorted {
            ($0.issuedAt, $0.id) < ($1.issuedAt, $1.id)
        }
    }

    func revocation(of certificate: CertificateID) throws(JournalError) -> Instant? {
        try tables().revokedCertificates[certificate]
    }

    func certificateKey(_ number: Int) throws(JournalError) -> CertificateKey? {
        try tables().certificateKeys.first { $0.number == number }
    }

    func certificateKeys() throws(JournalError) -> [CertificateKey] { try tables().certificateKeys }

    func newestCertificateKey() throws(JournalError) -> CertificateKey? { try tables().certificateKeys.last }

    func insert(_ certificate: Certificate) throws(JournalError) {
        try change("insert certificate") { tables throws(JournalError) in
            let hasSubject =
                switch certificate.subject {
                case .session(let attendee):
                    tables.attendees[attendee] != nil
                        && !tables.certificates.values.contains { $0.subject == certificate.subject }
                case .series(let person, _): tables.people[person] != nil
                }
            guard hasSubject, tables.certificates[certificate.id] == nil,
                tables.meetings[certificate.meeting] != nil
            else { throw conflict("insert certificate", "not unique, or of nobody") }
            tables.certificates[certificate.id] = certificate
        }
    }

    func update(_ certificate: Certificate) throws(JournalError) {
        try change("update certificate") {
            guard $0.certificates[certificate.id] != nil else { return }
            $0.certificates[certificate.id] = certificate
        }
    }

    func delete(_ certificate: CertificateID) throws(JournalError) {
        try change("delete certificate") { $0.certificates[certificate] = nil }
    }

    func insertRevocation(of certificate: CertificateID, at moment: Instant) throws(JournalError) {
        try change("insert revocation") { tables throws(JournalError) in
            guard tables.revokedCertificates[certificate] == nil else {
                throw conflict("insert revocation", "not unique")
            }
            tables.revokedCertificates[certificate] = moment
        }
    }

    func insert(_ key: CertificateKey) throws(JournalError) {
        try change("insert key of certificates") { tables throws(JournalError) in
            guard !tables.certificateKeys.contains(where: { $0.number == key.number }) else {
                throw conflict("insert key of certificates", "not unique")
            }
            tables.certificateKeys.append(key)
        }
    }
}

extension Certificate.Subject {
    var person: PersonID? { if case .series(let person, _) = self { person } else { nil } }
}
