import Journal
import Meetings

extension WatchedRows {
    func certificate(_ id: CertificateID) throws(JournalError) -> Certificate? { try inner.certificate(id) }
    func certificate(of attendee: AttendeeID) throws(JournalError) -> Certificate? {
        try inner.certificate(of: attendee)
    }
    func certificates(of person: PersonID) throws(JournalError) -> [Certificate] {
        try inner.certificates(of: person)
    }
    func attendees(inSlotsOf person: PersonID) throws(JournalError) -> [AttendeeID] {
        try inner.attendees(inSlotsOf: person)
    }
    func certificates(of meeting: MeetingID, after cursor: CertificateCursor?, limit: Int)
        throws(JournalError) -> [Certificate]
    {
        try inner.certificates(of: meeting, after: cursor, limit: limit)
    }
    func revocation(of certificate: CertificateID) throws(JournalError) -> Instant? {
        try inner.revocation(of: certificate)
    }
    func certificateKey(_ number: Int) throws(JournalError) -> CertificateKey? {
        try inner.certificateKey(number)
    }
    func certificateKeys() throws(JournalError) -> [CertificateKey] { try inner.certificateKeys() }
    func newestCertificateKey() throws(JournalError) -> CertificateKey? { try inner.newestCertificateKey() }
    func seriesTotals(
        of person: Person, key: IdentityKey?, starting range: ClosedRange<Instant>, at now: Instant
    ) throws(JournalError) -> SeriesTotals {
        try inner.seriesTotals(of: person, key: key, starting: range, at: now)
    }
    func insert(_ certificate: Certificate) throws(JournalError) { try inner.insert(certificate) }
    func update(_ certificate: Certificate) throws(JournalError) { try inner.update(certificate) }
    func delete(_ certificate: CertificateID) throws(JournalError) { try inner.delete(certificate) }
    func insertRevocation(of certificate: CertificateID, at moment: Instant) throws(JournalError) {
        try inner.insertRevocation(of: certificate, at: moment)
    }
    func insert(_ key: CertificateKey) throws(JournalError) { try inner.insert(key) }
}
