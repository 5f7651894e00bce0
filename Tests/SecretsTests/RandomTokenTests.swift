import Testing

@testable import Secrets

struct RandomTokenTests {
    /// The expected text is `base64.urlsafe_b64encode(bytes(range(32)))` in Python, and the expected hash
    /// is `hashlib.blake2b(bytes(range(32)), digest_size=32)`.
    @Test func `a token's text is base64url, and its stored hash is BLAKE2b`() throws {
        let token = try #require(RandomToken(text: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"))
        #expect(token.text == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
        #expect(hex(token.storedHash) == "cb2f5160fc1f7e05a55ef49d340b48da2e5a78099d53393351cd579dd42503d6")
    }

    @Test func `a token that is read from its text has the same hash`() throws {
        for _ in 0..<200 {
            let token = RandomToken()
            #expect(token.text.utf8.count == RandomToken.textLength)
            #expect(try #require(RandomToken(text: token.text)).storedHash == token.storedHash)
        }
    }

    @Test func `1,000 random tokens are all different`() {
        let tokens = (0..<1000).map { _ in RandomToken() }
        #expect(Set(tokens.map(\.text)).count == 1000)
        #expect(Set(tokens.map(\.storedHash)).count == 1000)
    }

    @Test(arguments: [
        "", "A", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        // The second text has unused last bits that are not zero.
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8A", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9",
        "+AECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "/AECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
        " AECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh\n",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh\0", "éAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh",
    ])
    func `a text is rejected unless it is the one base64url spelling of 32 bytes`(text: String) {
        #expect(RandomToken(text: text) == nil)
    }
}
