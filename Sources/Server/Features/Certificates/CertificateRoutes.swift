import Meetings
import Wire

extension RouteTable {
    /// The routes for certificates of attendance.
    static let certificates: [Route] = [
        Route(
            .get, "/api/v1/meetings/{id}/certificates", .member(.host, of: .meeting),
            does: "List the certificates of a meeting", query: .page(.person),
            gives: .json(Page<CertificateBody>.self), refuses: .ofScan, CertificateHandlers.list),
        Route(
            .post, "/api/v1/meetings/{id}/certificates", .member(.host, of: .meeting),
            does: "Issue certificates for a session, or for a share of a series",
            reading: CreateCertificatesRequest.self, gives: .json(CertificatesCreatedBody.self),
            refuses: [.limitReached, .meetingIsBusy, .namesDeleted] + .ofScan,
            keys: .ignored(.changesNothing), CertificateHandlers.create),
        Route(
            .delete, "/api/v1/meetings/{id}/certificates/{certificateId}", .member(.host, of: .meeting),
            does: "Revoke a certificate", gives: .noContent, CertificateHandlers.revoke),
        Route(
            .get, "/api/v1/meetings/{id}/certificates/{certificateId}/badge", .member(.host, of: .meeting),
            does: "Sign a certificate as Open Badge", gives: .json(OpenBadgeBody.self),
            CertificateHandlers.badge),
        Route(
            .post, "/api/v1/meetings/{id}/certificate-mails", .member(.host, of: .meeting),
            does: "Send certificates by mail", reading: MailCertificatesRequest.self,
            gives: .json(CertificatesMailedBody.self), refuses: [.limitReached, .meetingIsBusy] + .ofScan,
            keys: .ignored(.changesNothing), CertificateHandlers.mail),
        Route(
            .get, "/api/v1/certificates/{code}", .anyone,
            does: "Verify the content of a certificate's QR code", gives: .json(CertificateVerdictBody.self),
            logsAddress: false, CertificateHandlers.verify),
        Route(
            .get, "/.well-known/qring-keys.json", .anyone,
            does: "Show the public keys that verify certificates", gives: .json(CertificateKeysBody.self),
            CertificateHandlers.keys),
    ]

    /// The page of a phone that scans a certificate.
    static let certificatePages: [Route] = [
        Route(
            .get, "/A/{code}", .anyone, does: "Show a certificate, and say whether it is valid", gives: .page,
            logsAddress: false, CertificatePages.show)
    ]
}
