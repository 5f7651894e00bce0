package import Meetings
package import Wire

/// A certificate as a reader received it, in one of its two forms. Nobody has verified it yet.
package enum CertificateEvidence: Sendable {
    case code(CertificatePayload, address: String)
    case badge(OpenBadge.Read)

    /// The address of the server in the certificate's own address, in lower case; nil if it has none.
    package var server: String? {
        switch self {
        case .code(_, let address): CertificateCode.server(in: address)
        case .badge(let badge): CertificateCode.server(in: badge.url)
        }
    }

    /// The text of the QR code, without the address.
    package var code: String {
        switch self {
        case .code(let payload, _): CertificateCode.text(of: payload)
        case .badge(let badge): badge.url.split(separator: "/").last.map(String.init) ?? ""
        }
    }

    /// Whether a key of this set has signed the certificate. A badge must also name the server of its address
    /// as its issuer. The issuer of the set proves nothing, because every server writes its own.
    package func isGenuine(by keys: CertificateKeysBody) -> Bool {
        switch self {
        case .code(let payload, _): keys.isGenuine(payload)
        case .badge(let badge): badge.isGenuine(by: keys) && badge.issuer.lowercased() == server
        }
    }

    /// Whether a saved set of keys belongs to the server in the certificate's address. A certificate without
    /// an address belongs to any set.
    package func isOfServer(of keys: CertificateKeysBody) -> Bool {
        server == nil || server == keys.issuer.lowercased()
    }

    /// The most certificates of one file. `qring certificate print` writes no more.
    package static let mostInFile = 2_000
    /// The most servers whose certificates are in one file. A reader asks each of them.
    package static let mostServers = 3

    /// Whether the certificates are of few enough servers to ask all of them.
    package static func hasFewServers(_ found: [CertificateEvidence]) -> Bool {
        Set(found.compactMap(\.server)).count <= mostServers
    }
}
