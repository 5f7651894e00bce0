import Certificates
package import Journal
import Meetings
import Phrases
import Secrets
import Wire

/// A key of the server that signs certificates, with its number.
struct CertificateSigner {
    private let number: UInt16
    private let key: Ed25519Key

    /// Opens a stored key. Returns nil if another secret of a server has sealed it.
    init?(_ stored: CertificateKey, keys: Keys) {
        guard
            let key = Ed25519Key(
                sealed: stored.secret, for: [], publicKey: stored.publicKey, with: keys.certificateKeys),
            let number = UInt16(exactly: stored.number)
        else { return nil }
        (self.number, self.key) = (number, key)
    }

    /// Makes the first or next key of a server.
    /// - Parameter replaced: the number of the newest key, if its secret cannot be opened any more.
    static func newKey(_ keys: Keys, replacing replaced: Int? = nil) -> NewSigningKey {
        let key = Ed25519Key()
        return NewSigningKey(
            publicKey: key.publicKey, secret: key.sealed(for: [], with: keys.certificateKeys),
            replacing: replaced)
    }

    /// Returns the text of a certificate, for `PublicAddress.certificateURL`.
    func text(of statement: CertificateStatement) -> String {
        CertificateCode.text(of: CertificatePayload(key: number, statement, signedBy: key.signature))
    }

    /// Returns the certificate as a signed Open Badge.
    func openBadge(_ statement: CertificateStatement, at address: PublicAddress, in language: Language)
        -> String
    {
        OpenBadge.credential(
            statement, url: address.certificateURL(code: text(of: statement)), issuer: address.url,
            criteria: statement.attendance.text(in: language), key: number, publicKey: key.publicKey,
            signedBy: key.signature)
    }
}

extension PublicAddress {
    func certificateURL(code: String) -> String { "\(url)/A/\(code)".uppercased() }
}

/// The changes of certificate keys that work directly on the data folder.
package enum CertificateKeyAdministration {
    /// Gives the server another key. Returns its number.
    /// - Throws: `SecretsError` if the server's secret cannot be read; `JournalError`.
    package static func replaceKey(_ storage: Storage, folder: String) async throws -> Int {
        let keys = try Keys(folder: folder)
        return try await storage.perform(ReplaceCertificateKey(by: CertificateSigner.newKey(keys)))
    }
}
