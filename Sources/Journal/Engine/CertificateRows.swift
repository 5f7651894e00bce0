package import Meetings

/// The queries for certificates, and for the keys that sign them.
package protocol CertificateReading: AnyObject {
    func certificate(_ id: CertificateID) throws(JournalError) -> Certificate?
    /// Returns the certificate about the attendee's session; nil if there is none.
    func certificate(of attendee: AttendeeID) throws(JournalError) -> Certificate?
    /// Returns the person's certificates about series, also the revoked ones, the oldest first; at most
    /// `Certificate.mostOfPerson`.
    func certificates(of person: PersonID) throws(JournalError) -> [Certificate]
    /// Returns the ids of the attendees who are the person's slots, in any order.
    func attendees(inSlotsOf person: PersonID) throws(JournalError) -> [AttendeeID]
    /// Returns the certificates of the meeting after `cursor`, also the revoked ones, the oldest first.
    func certificates(of meeting: MeetingID, after cursor: CertificateCursor?, limit: Int)
        throws(JournalError) -> [Certificate]
    /// Returns the moment at which a certificate was revoked. It outlives the certificate's record. Nil if
    /// the certificate was not revoked.
    func revocation(of certificate: CertificateID) throws(JournalError) -> Instant?
    func certificateKey(_ number: Int) throws(JournalError) -> CertificateKey?
    /// Returns all keys of the server, the oldest first; at most `CertificateKey.most`.
    func certificateKeys() throws(JournalError) -> [CertificateKey]
    /// Returns the key that signs; nil if the server has issued no certificate yet.
    func newestCertificateKey() throws(JournalError) -> CertificateKey?
    /// Returns the person's totals over the sessions of the meeting that start in `range`, are over, and
    /// whose names are stored, as `seriesTotals` does. Costs one probe for each of these sessions.
    func seriesTotals(
        of person: Person, key: IdentityKey?, starting range: ClosedRange<Instant>, at now: Instant
    ) throws(JournalError) -> SeriesTotals
}

/// The position after which a list of certificates continues.
package struct CertificateCursor: Hashable, Sendable {
    package let issuedAt: Instant
    package let id: CertificateID

    package init(issuedAt: Instant, id: CertificateID) { (self.issuedAt, self.id) = (issuedAt, id) }
    package init(_ certificate: Certificate) {
        self.init(issuedAt: certificate.issuedAt, id: certificate.id)
    }
}

/// The writes of certificates. A certificate is deleted with its attendee, its person and its meeting. A
/// revocation and a key are never deleted.
package protocol CertificateWriting: AnyObject {
    func insert(_ certificate: Certificate) throws(JournalError)
    func update(_ certificate: Certificate) throws(JournalError)
    func delete(_ certificate: CertificateID) throws(JournalError)
    func insertRevocation(of certificate: CertificateID, at moment: Instant) throws(JournalError)
    func insert(_ key: CertificateKey) throws(JournalError)
}
