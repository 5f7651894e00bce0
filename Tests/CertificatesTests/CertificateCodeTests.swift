import Meetings
import QRCodes
import Secrets
import Seeds
import Testing
import Wire

@testable import Certificates

/// A certificate of a session, with a key that signs it.
private struct Signed {
    let key = Ed25519Key(seed: [UInt8](repeating: 7, count: 32))
    let meeting: Meeting
    let statement: CertificateStatement

    init(name: String = "김지수", meeting name2: String = "Study group", title: String = "") throws {
        meeting = Meeting(
            id: .makeTimeless(), name: name2, timeZone: try #require(Zone("Asia/Seoul")),
            createdAt: Instant(milliseconds: 0))
        let session = Session(
            id: .makeTimeless(), meetingID: meeting.id, round: 1, title: title,
            startsAt: Instant(rfc3339: "2026-11-21T10:00:00Z")!,
            endsAt: Instant(rfc3339: "2026-11-21T12:00:00Z")!, joinCode: "ABCDEF")
        let certificate = Certificate(
            id: .makeShort(), meeting: meeting.id, subject: .session(.makeTimeless()),
            issuedAt: Instant(rfc3339: "2026-11-21T20:00:00Z")!)
        statement = try #require(
            CertificateStatement(certificate, name: name, session: session, meeting: meeting))
    }

    var payload: CertificatePayload { CertificatePayload(key: 1, statement, signedBy: key.signature) }
    var code: String { CertificateCode.text(of: payload) }
    var keys: CertificateKeysBody {
        CertificateKeysBody(
            issuer: "https://qring.example.org",
            [
                CertificateKey(
                    number: 1, publicKey: key.publicKey, secret: [], createdAt: Instant(milliseconds: 0))
            ])
    }

    var badge: String {
        OpenBadge.credential(
            statement, url: "HTTPS://QRING.EXAMPLE.ORG/A/\(code)", issuer: "https://qring.example.org",
            criteria: "2026-11-21 19:00 – 21:00 (2 h)", key: 1, publicKey: key.publicKey,
            signedBy: key.signature)
    }
}

@Suite struct CertificateCodeTests {
    @Test func `a certificate is read from its address in any case, and the server's key verifies it`()
        throws
    {
        let signed = try Signed()
        let address = "HTTPS://QRING.EXAMPLE.ORG/A/\(signed.code)"
        for text in [address, address.lowercased(), signed.code, " \(address)\n"] {
            let read = try #require(CertificateCode.payload(in: text))
            #expect(read == signed.payload)
            #expect(signed.keys.isGenuine(read))
        }
        #expect(CertificateCode.server(in: address) == "https://qring.example.org")
        #expect(CertificateCode.server(in: signed.code) == nil)
        #expect(CertificateCode.payload(in: "HTTPS://QRING.EXAMPLE.ORG/P/\(signed.code)") == nil)
    }

    @Test func `a certificate with one changed character is not genuine`() throws {
        let signed = try Signed()
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        var random = SeededNumbers(seed: 99)
        for index in signed.code.indices {
            var code = signed.code
            let other = try #require(alphabet.filter { $0 != code[index] }.randomElement(using: &random))
            code.replaceSubrange(index...index, with: [other])
            #expect(CertificateCode.payload(in: code).map { signed.keys.isGenuine($0) } != true)
        }
    }

    @Test func `a foreign key, another number, and a signature for another purpose verify nothing`() throws {
        let signed = try Signed()
        let foreign = Ed25519Key()
        let forged = CertificatePayload(key: 1, signed.statement, signedBy: foreign.signature)
        #expect(!signed.keys.isGenuine(forged))
        let renumbered = CertificatePayload(key: 2, signed.statement, signedBy: signed.key.signature)
        #expect(!signed.keys.isGenuine(renumbered))
        let bare = CertificatePayload(key: 1, signed.statement) { message in
            signed.key.signature(of: Array(message.dropFirst(18)))
        }
        #expect(!signed.keys.isGenuine(bare))
    }

    @Test func `the set of keys is a JWK set of Ed25519 keys, and is read again`() throws {
        let signed = try Signed()
        let bytes = WireJSON.bytes(signed.keys)
        let read = try WireJSON.decode(CertificateKeysBody.self, from: bytes)
        #expect(read == signed.keys && read.isGenuine(signed.payload))
        #expect(read.keys.first?.kty == "OKP" && read.keys.first?.crv == "Ed25519")
        #expect(read.publicKey(1) == signed.key.publicKey && read.publicKey(2) == nil)
    }

    /// The figures of decision 0099.
    @Test func `the QR code stays small for usual names, and readable for the longest ones`() throws {
        func version(_ signed: Signed) throws -> Int {
            try QRCode.encode("HTTPS://A-RATHER-LONG-NAME.EXAMPLE.ORG/A/\(signed.code)").version
        }
        #expect(try version(Signed()) <= 10)
        let long = try Signed(
            name: String(repeating: "가", count: 66), meeting: String(repeating: "나", count: 100),
            title: String(repeating: "다", count: 100))
        #expect(long.statement.meeting.utf8.count <= CertificateStatement.mostMeetingBytes)
        #expect(long.statement.meeting.hasSuffix("나…") && long.statement.title.hasSuffix("다…"))
        #expect(try version(long) <= 19)
        #expect(CertificateCode.payload(in: long.code) == long.payload)
    }

    @Test func `addresses are found in the bytes of a file, each once`() throws {
        let (one, other) = (try Signed(), try Signed(name: "Lee"))
        let (first, second) = (
            "HTTPS://QRING.EXAMPLE.ORG/A/\(one.code)", "http://127.0.0.1:8080/A/\(other.code)"
        )
        let file = Array("%PDF-1.5 /URI (\(first)) >> x /URI (\(second)) /URI (\(first)) http://x/A/Y".utf8)
        #expect(CertificateCode.addresses(in: file, most: 9) == [first, second])
        #expect(CertificateCode.addresses(in: file, most: 1) == [first])
    }
}

@Suite struct OpenBadgeTests {
    @Test func `a badge is read with its name and verified by the server's key`() throws {
        let signed = try Signed()
        let read = try #require(OpenBadge.Read(signed.badge))
        #expect(read.isGenuine(by: signed.keys))
        #expect(read.name == "김지수" && read.achievement == "Study group")
        #expect(CertificateCode.payload(in: read.url) == signed.payload)
    }

    @Test func `the payload is the credential itself, with the claims of a JWT beside its fields`() throws {
        let parts = try Signed().badge.split(separator: ".")
        let header = String(decoding: try #require(Base64.url.decode(parts[0])), as: UTF8.self)
        let payload = String(decoding: try #require(Base64.url.decode(parts[1])), as: UTF8.self)
        #expect(header.contains(#""alg":"EdDSA""#) && header.contains(#""jwk":{"kty":"OKP""#))
        #expect(payload.hasPrefix(#"{"@context":["https://www.w3.org/ns/credentials/v2","#))
        #expect(payload.contains(#""type":["VerifiableCredential","OpenBadgeCredential"]"#))
        #expect(payload.contains(#""iss":"https://qring.example.org""#) && !payload.contains(#""vc":"#))
    }

    @Test func `a badge with another key in its header is not genuine, though its signature fits`() throws {
        let signed = try Signed()
        let foreign = Ed25519Key()
        let forged = OpenBadge.credential(
            signed.statement, url: "HTTPS://QRING.EXAMPLE.ORG/A/\(signed.code)",
            issuer: "https://qring.example.org", criteria: "", key: 1, publicKey: foreign.publicKey,
            signedBy: foreign.signature)
        #expect(try #require(OpenBadge.Read(forged)).isGenuine(by: signed.keys) == false)
    }

    @Test func `a badge with a changed character is not genuine`() throws {
        let signed = try Signed()
        let badge = signed.badge
        var random = SeededNumbers(seed: 5)
        for _ in 0..<300 {
            let index = try #require(badge.indices.randomElement(using: &random))
            var changed = badge
            changed.replaceSubrange(index...index, with: [badge[index] == "A" ? "B" : "A"])
            guard let read = OpenBadge.Read(changed) else { continue }
            // The last characters of a base64 text have bits that mean nothing.
            let isSame = read.isGenuine(by: signed.keys)
            #expect(!isSame || index == badge.indices.last)
        }
    }

    @Test func `a PNG image holds the credential, and gives it back`() throws {
        let signed = try Signed()
        let image = try QRCode.encode("HTTPS://QRING.EXAMPLE.ORG/A/\(signed.code)").png(size: 512)
        let badge = OpenBadge.png(image, with: signed.badge)
        #expect(OpenBadge.isPNG(badge) && badge.count > image.count)
        #expect(OpenBadge.credential(in: badge) == signed.badge)
        #expect(OpenBadge.credential(in: image) == nil)
        for count in stride(from: 0, to: badge.count, by: 37) {
            _ = OpenBadge.credential(in: Array(badge.prefix(count)))
        }
        #expect(OpenBadge.credential(in: Array("hello".utf8)) == nil)
    }

    @Test func `a badge of another issuer than the server of its address is not genuine`() throws {
        let signed = try Signed()
        for (issuer, isGenuine) in [
            ("https://qring.example.org", true), ("https://university.example.org", false),
        ] {
            let badge = OpenBadge.credential(
                signed.statement, url: "HTTPS://QRING.EXAMPLE.ORG/A/\(signed.code)", issuer: issuer,
                criteria: "", key: 1, publicKey: signed.key.publicKey, signedBy: signed.key.signature)
            let evidence = CertificateEvidence.badge(try #require(OpenBadge.Read(badge)))
            #expect(evidence.isGenuine(by: signed.keys) == isGenuine)
            #expect(evidence.server == "https://qring.example.org" && evidence.code == signed.code)
        }
    }

    @Test func `saved keys belong only to certificates that name their server`() throws {
        let signed = try Signed()
        for (address, isOfServer) in [
            ("HTTPS://QRING.EXAMPLE.ORG/A/\(signed.code)", true), (signed.code, true),
            ("HTTPS://OTHER.EXAMPLE.ORG/A/\(signed.code)", false),
        ] {
            let evidence = CertificateEvidence.code(signed.payload, address: address)
            #expect(evidence.isOfServer(of: signed.keys) == isOfServer)
        }
    }

    @Test func `certificates of more than a few servers are not all asked`() throws {
        let signed = try Signed()
        for count in [1, CertificateEvidence.mostServers, CertificateEvidence.mostServers + 1] {
            let found = (0..<2 * count).map {
                CertificateEvidence.code(
                    signed.payload, address: "HTTPS://S\($0 % count).EXAMPLE.ORG/A/\(signed.code)")
            }
            #expect(CertificateEvidence.hasFewServers(found) == (count <= CertificateEvidence.mostServers))
        }
    }

    @Test func `a text that is too long is no certificate, whatever it contains`() throws {
        let signed = try Signed()
        let address = "HTTPS://QRING.EXAMPLE.ORG/A/\(signed.code)"
        let filler = String(repeating: "/", count: 2_000)
        #expect(CertificateCode.server(in: address + filler) == nil)
        #expect(CertificateCode.payload(in: "HTTPS:\(filler)A/\(signed.code)") == nil)
        let file = Array("(\(filler)\(address)) (\(address))".utf8)
        #expect(CertificateCode.addresses(in: file, most: 9) == [address])
        let spaces = String(repeating: " ", count: OpenBadge.mostBytes)
        #expect(OpenBadge.Read(signed.badge + spaces) == nil && OpenBadge.Read(signed.badge + " ") != nil)
        let image = try QRCode.encode(address).png(size: 128)
        #expect(OpenBadge.credential(in: OpenBadge.png(image, with: spaces + spaces)) == nil)
    }
}
