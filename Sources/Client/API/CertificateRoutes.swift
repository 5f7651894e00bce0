package import Meetings
package import Wire

/// The receivers of new certificates.
package struct NewCertificates: Encodable, Sendable {
    /// The person; nil for everybody.
    package let personId: PersonID?
    /// The session; nil for a share of the series.
    package let sessionId: SessionID?
    package let atLeastPercent: Int?
    package let from: String?
    package let until: String?

    package init(
        person: PersonID?, session: SessionID?, atLeastPercent: Int? = nil, from: CivilDate? = nil,
        until: CivilDate? = nil
    ) {
        (personId, sessionId) = (person, session)
        self.atLeastPercent = atLeastPercent
        (self.from, self.until) = (from?.text, until?.text)
    }
}

extension APIClient {
    package func createCertificates(_ certificates: NewCertificates, in meeting: MeetingID)
        async throws(APIError) -> CertificatesCreatedBody
    {
        try await post(path(meeting), certificates)
    }

    /// Returns the certificates, also the revoked ones, the oldest first.
    /// - Parameter person: the only person whose certificates are returned; nil for everybody.
    package func certificates(of meeting: MeetingID, person: PersonID? = nil) async throws(APIError)
        -> [CertificateBody]
    {
        try await all(path(meeting), ["person": person?.text])
    }

    package func revokeCertificate(_ id: CertificateID, of meeting: MeetingID) async throws(APIError) {
        _ = try await send(APICall("DELETE", "\(path(meeting))/\(id)"))
    }

    package func openBadge(of id: CertificateID, in meeting: MeetingID) async throws(APIError)
        -> OpenBadgeBody
    {
        try await get("\(path(meeting))/\(id)/badge")
    }

    package func mailCertificates(of meeting: MeetingID, person: PersonID? = nil) async throws(APIError)
        -> CertificatesMailedBody
    {
        struct Body: Encodable { let personId: PersonID? }
        return try await post(
            "/api/v1/meetings/\(meeting)/certificate-mails", Body(personId: person),
            headers: [("Idempotency-Key", APICall.randomKey())])
    }

    /// Returns the public keys of the server that sign certificates.
    package func certificateKeys() async throws(APIError) -> CertificateKeysBody {
        try await get("/.well-known/qring-keys.json")
    }

    /// Returns what the server says about the content of a certificate's QR code.
    package func verifyCertificate(_ code: String) async throws(APIError) -> CertificateVerdictBody {
        try await get("/api/v1/certificates/\(code)")
    }

    private func path(_ meeting: MeetingID) -> String { "/api/v1/meetings/\(meeting)/certificates" }
}
