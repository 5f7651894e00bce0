package import Meetings
import Secrets
package import Wire

/// The text in the QR code of a certificate: the payload in Crockford's base32, after `…/A/`. All characters
/// are in the alphanumeric mode of QR codes.
package enum CertificateCode {
    /// The longest text that is read as a certificate, without the server's address.
    package static let mostCharacters = (CertificatePayload.mostBytes * 8 + 4) / 5
    /// The longest address that is read: an address of a server has at most 200 characters.
    private static let mostOfAddress = mostCharacters + 220

    /// Returns the text of a certificate.
    package static func text(of payload: CertificatePayload) -> String { Crockford.encode(payload.bytes) }

    /// Reads the payload of a text: the address of a certificate, or its last part alone. Returns nil if the
    /// text is something else. `isGenuine` decides whether a server has signed the payload.
    package static func payload(in text: String) -> CertificatePayload? {
        guard text.utf8.count <= mostOfAddress else { return nil }
        return Crockford.decode(text, after: "a").flatMap { CertificatePayload(bytes: $0) }
    }

    /// Returns the address of the server in the address of a certificate, in lower case; nil if the text has
    /// none.
    package static func server(in text: String) -> String? {
        guard text.utf8.count <= mostOfAddress else { return nil }
        let text = text.trimmed
        guard let path = text.lowercased().firstRange(of: "/a/") else { return nil }
        let server = text.lowercased()[..<path.lowerBound]
        return server.hasPrefix("http://") || server.hasPrefix("https://") ? String(server) : nil
    }

    /// Returns the addresses of certificates in the bytes of a file, each once, in their order. PDF files of
    /// this program contain them as links, which cairo does not compress.
    /// - Parameter most: the number of addresses after which the search ends.
    package static func addresses(in file: [UInt8], most: Int) -> [String] {
        var found: [String] = []
        var seen: Set<String> = []
        var start = 0
        // Reads one part at a time, because a large file may have millions of them.
        while start < file.count, found.count < most {
            guard isOfAddress[Int(file[start])] else {
                start += 1
                continue
            }
            let end = file[start...].firstIndex { !isOfAddress[Int($0)] } ?? file.count
            defer { start = end }
            guard (65...mostOfAddress).contains(end - start) else { continue }
            let text = String(decoding: file[start..<end], as: UTF8.self)
            guard let scheme = text.lowercased().firstRange(of: "http") else { continue }
            let address = String(text[scheme.lowerBound...])
            guard server(in: address) != nil, payload(in: address) != nil, !seen.contains(address) else {
                continue
            }
            seen.insert(address)
            found.append(address)
        }
        return found
    }

    /// Whether a byte can be part of an address, by its value.
    private static let isOfAddress: [Bool] = {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.:/[]".utf8)
        return (0...255).map { allowed.contains($0) }
    }()

    /// Whether the owner of this key has signed the payload.
    package static func isGenuine(_ payload: CertificatePayload, by publicKey: [UInt8]) -> Bool {
        Ed25519Key.verifies(payload.signature, of: payload.message, by: publicKey)
    }
}

extension CertificateKeysBody {
    /// Makes the set of public keys.
    package init(issuer: String, _ keys: [CertificateKey]) {
        self.init(
            issuer: issuer, keys: keys.map { Key(number: $0.number, x: Base64.url.encode($0.publicKey)) })
    }

    /// Returns the public key with this number; nil if there is none.
    package func publicKey(_ number: UInt16) -> [UInt8]? {
        keys.first { $0.kid == String(number) && $0.crv == "Ed25519" }.flatMap { Base64.url.decode($0.x) }
    }

    /// Whether a key of this set has signed the payload.
    package func isGenuine(_ payload: CertificatePayload) -> Bool {
        publicKey(payload.key).map { CertificateCode.isGenuine(payload, by: $0) } ?? false
    }
}
