import Journal
import Meetings
import QRCodes
import Secrets
import Seeds
import Testing

@testable import Server

/// Tests of the text in the QR code of a pass: only the server's own signature opens anything.
@Suite struct PassCodeTests {
    private let keys: Keys
    private let meeting = MeetingID(high: 7, low: 9)

    init() throws {
        try Secrets.start()
        keys = Keys(try #require(ServerSecret(bytes: [UInt8](repeating: 3, count: 32))))
    }

    private func key(_ number: Int = 1, of meeting: MeetingID? = nil) -> PassKey {
        let owner = meeting ?? self.meeting
        let new = PassCode.newKey(of: owner, keys: keys)
        return PassKey(
            meeting: owner, number: number, publicKey: new.publicKey, secret: new.secret,
            createdAt: Instant(milliseconds: 0))
    }

    private func text(of pass: PassID, by key: PassKey) throws -> String {
        try #require(PassCode.Signer(key, keys: keys)).text(of: pass)
    }

    private func isGenuine(_ text: String, by key: PassKey) -> Bool {
        PassCode.payload(in: text).map { PassCode.isGenuine($0, by: key) } ?? false
    }

    @Test func `a pass is read again from its address, in any case, and from the bare code`() throws {
        let (key, pass) = (key(), PassID.makeShort())
        let code = try text(of: pass, by: key)
        let address = try #require(PublicAddress(url: "https://qring.example.org"))
        for written in [
            code, code.lowercased(), address.passURL(code: code), "https://elsewhere.example/p/\(code)",
        ] {
            let payload = try #require(PassCode.payload(in: written))
            #expect(payload.pass == pass && payload.meeting == meeting && payload.key == 1)
            #expect(PassCode.isGenuine(payload, by: key))
        }
        for other in ["", "/", "P/", "https://qring.example.org/C/\(code)", "\(code)/", "x\(code)"] {
            #expect(PassCode.payload(in: other) == nil)
        }
    }

    @Test func `every flipped bit makes a pass invalid, for twenty seeds`() throws {
        for seed in UInt64(1)...20 {
            var random = SeededNumbers(seed: seed)
            let key = key()
            let pass = PassID(high: random.next() & 0xFFFF, low: random.next())
            let bytes = try #require(Crockford.decode(try text(of: pass, by: key)))
            #expect(bytes.count == PassPayload.length)
            for bit in 0..<bytes.count * 8 {
                var changed = bytes
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(!isGenuine(Crockford.encode(changed), by: key), "seed \(seed), bit \(bit)")
            }
        }
    }

    @Test func `every cut and every longer text is refused`() throws {
        let key = key()
        let code = try text(of: .makeShort(), by: key)
        for length in 0..<code.count { #expect(!isGenuine(String(code.prefix(length)), by: key)) }
        for length in 1..<code.count { #expect(!isGenuine(String(code.suffix(length)), by: key)) }
        #expect(!isGenuine(code + "0", by: key) && !isGenuine(code + code, by: key))
    }

    @Test func `the key of another meeting, another number or another server is refused`() throws {
        let (own, second, foreign) = (key(), key(2), key(of: MeetingID(high: 7, low: 10)))
        let code = try text(of: .makeShort(), by: own)
        #expect(isGenuine(code, by: own))
        for other in [second, foreign, key()] { #expect(!isGenuine(code, by: other)) }
        let elsewhere = Keys(try #require(ServerSecret(bytes: [UInt8](repeating: 4, count: 32))))
        #expect(PassCode.Signer(own, keys: elsewhere) == nil)
    }

    @Test func `a signature for another purpose does not sign a pass`() throws {
        let key = Ed25519Key()
        let stored = PassKey(
            meeting: meeting, number: 1, publicKey: key.publicKey, secret: [],
            createdAt: Instant(milliseconds: 0))
        let real = PassPayload(key: 1, meeting: meeting, pass: .makeShort(), signedBy: key.signature)
        #expect(PassCode.isGenuine(real, by: stored))
        // The same content without the text in front of it.
        let bare = PassPayload(key: 1, meeting: meeting, pass: real.pass) { _ in
            key.signature(of: Array(real.bytes.dropLast(64)))
        }
        #expect(!PassCode.isGenuine(bare, by: stored))
    }

    @Test func `the QR code of a host name with 30 characters has version 9 at most`() throws {
        let host = "a-rather-long-name.example.org"
        #expect(host.count == 30)
        let address = try #require(PublicAddress(url: "https://\(host)"))
        let url = address.passURL(code: try text(of: .makeShort(), by: key()))
        #expect(url.allSatisfy { !$0.isLowercase })
        #expect(try QRCode.encode(url).version <= 9)
    }
}
