internal import Compression
package import Meetings
import Secrets
package import Wire

/// A certificate as an Open Badge: a Verifiable Credential that is signed as a JWT. The payload is the
/// credential itself, and the header has the public key (Open Badges 3.0 §8.2). Any reader of Open Badges can
/// verify it.
package enum OpenBadge {
    /// The most bytes of a credential that is read.
    package static let mostBytes = 20_000
    /// The keyword of the text in a PNG image that contains the credential (Open Badges 3.0 §5.3.1).
    private static let keyword = Array("openbadgecredential".utf8)

    /// Returns the signed credential.
    /// - Parameters:
    ///   - url: the certificate's own address, which is the id of the credential.
    ///   - issuer: the server's address.
    package static func credential(
        _ statement: CertificateStatement, url: String, issuer: String, criteria: String, key number: UInt16,
        publicKey: [UInt8], signedBy sign: ([UInt8]) -> [UInt8]
    ) -> String {
        let jwk = CertificateKeysBody.Key(number: Int(number), x: Base64.url.encode(publicKey))
        let header = Base64.url.encode(WireJSON.bytes(Header(jwk: jwk)))
        let content = Credential(statement, url: url, issuer: issuer, criteria: criteria)
        let signed = "\(header).\(Base64.url.encode(WireJSON.bytes(content)))"
        return "\(signed).\(Base64.url.encode(sign(Array(signed.utf8))))"
    }

    /// A credential whose signature was not verified yet.
    package struct Read: Sendable {
        /// The address of the certificate.
        package let url: String
        package let issuer: String
        package let name: String
        package let achievement: String
        package let criteria: String
        private let signed: [UInt8]
        private let signature: [UInt8]
        private let keyNumber: String
        private let x: String

        /// Reads a credential. Returns nil for any other text.
        package init?(_ text: String) {
            guard text.utf8.count <= OpenBadge.mostBytes else { return nil }
            let parts = text.trimmed.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3,
                let header = Base64.url.decode(parts[0]), let payload = Base64.url.decode(parts[1]),
                let signature = Base64.url.decode(parts[2]),
                let read = try? WireJSON.decode(Header.self, from: header), read.alg == "EdDSA",
                let credential = try? WireJSON.decode(Credential.self, from: payload)
            else { return nil }
            url = credential.id
            issuer = credential.issuer.id
            name = credential.credentialSubject.identifier.first?.identityHash ?? ""
            achievement = credential.credentialSubject.achievement.name
            criteria = credential.credentialSubject.achievement.criteria.narrative
            signed = Array("\(parts[0]).\(parts[1])".utf8)
            self.signature = signature
            (keyNumber, x) = (read.jwk.kid, read.jwk.x)
        }

        /// Whether a key of this set has signed the credential. The key in the header alone proves nothing,
        /// because anybody can make one.
        package func isGenuine(by keys: CertificateKeysBody) -> Bool {
            guard let number = UInt16(keyNumber), let known = keys.publicKey(number),
                Base64.url.decode(x) == known
            else { return false }
            return Ed25519Key.verifies(signature, of: signed, by: known)
        }
    }

    // MARK: PNG

    private static let pngStart: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]
    /// The length, the type and the checksum of a chunk.
    private static let chunkFrame = 12

    /// Whether a file begins as a PNG image does.
    package static func isPNG(_ file: [UInt8]) -> Bool { file.starts(with: pngStart) }

    /// Returns the image with the credential in an `iTXt` chunk (PNG, third edition, §11.3.3.4) behind its
    /// header. Traps unless `image` is a PNG image.
    package static func png(_ image: [UInt8], with credential: String) -> [UInt8] {
        precondition(isPNG(image), "an image that this program has drawn")
        // The first chunk is IHDR, with 13 bytes.
        let headerEnd = pngStart.count + chunkFrame + 13
        // No compression, no language, no translated keyword.
        let content = Array("iTXt".utf8) + keyword + [0, 0, 0, 0, 0] + Array(credential.utf8)
        let chunk =
            bigEndian(UInt32(content.count - 4)) + content
            + bigEndian(Checksum.of(content))
        return image[..<headerEnd] + chunk + image[headerEnd...]
    }

    /// Returns the credential in a PNG image; nil if there is none.
    package static func credential(in image: [UInt8]) -> String? {
        guard isPNG(image) else { return nil }
        var rest = image[pngStart.count...]
        while rest.count >= chunkFrame {
            let length = Int(rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
            guard rest.count >= chunkFrame + length else { return nil }
            let type = rest.dropFirst(4).prefix(4)
            let content = rest.dropFirst(8).prefix(length)
            if type.elementsEqual("iTXt".utf8), content.starts(with: keyword + [0]) {
                guard content.count <= mostBytes + 100 else { return nil }
                // The flag and the method of compression, then two texts that end with a zero.
                let behind = content.dropFirst(keyword.count + 1)
                guard behind.count > 4, behind.first == 0 else { return nil }
                let texts = behind.dropFirst(2).split(
                    separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
                guard texts.count == 3 else { return nil }
                return String(validating: texts[2], as: UTF8.self)
            }
            rest = rest.dropFirst(chunkFrame + length)
        }
        return nil
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) }
    }

    // MARK: JSON

    private struct Header: Codable {
        var alg = "EdDSA"
        var typ = "JWT"
        let jwk: CertificateKeysBody.Key
    }

    /// The credential, with the claims that repeat its fields for readers of JWTs.
    private struct Credential: Codable {
        enum CodingKeys: String, CodingKey {
            case context = "@context"
            case id, type, name, issuer, validFrom, credentialSubject, iss, jti, nbf
        }

        var context = [
            "https://www.w3.org/ns/credentials/v2",
            "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json",
        ]
        let id: String
        var type = ["VerifiableCredential", "OpenBadgeCredential"]
        let name: String
        let issuer: Issuer
        let validFrom: Instant
        let credentialSubject: Subject
        let iss: String
        let jti: String
        let nbf: Int64

        init(_ statement: CertificateStatement, url: String, issuer: String, criteria: String) {
            (id, jti) = (url, url)
            name = statement.meeting
            self.issuer = Issuer(id: issuer, name: issuer)
            iss = issuer
            validFrom = statement.issuedAt
            nbf = statement.issuedAt.milliseconds / 1000
            let title = statement.title.isEmpty ? statement.meeting : statement.title
            credentialSubject = Subject(
                identifier: [Identifier(identityHash: statement.name)],
                achievement: Achievement(
                    id: "\(url)#achievement", name: title, description: criteria,
                    criteria: Criteria(narrative: criteria)))
        }
    }

    private struct Issuer: Codable {
        let id: String
        var type = ["Profile"]
        let name: String
    }

    private struct Subject: Codable {
        var type = ["AchievementSubject"]
        let identifier: [Identifier]
        let achievement: Achievement
    }

    private struct Identifier: Codable {
        var type = "IdentityObject"
        /// The name itself, because `hashed` is false.
        let identityHash: String
        var identityType = "name"
        var hashed = false
    }

    private struct Achievement: Codable {
        let id: String
        var type = ["Achievement"]
        let name: String
        let description: String
        let criteria: Criteria
    }

    private struct Criteria: Codable { let narrative: String }
}
