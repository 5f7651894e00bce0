import Secrets
import Testing

@Suite struct HookSignatureTests {
    @Test func `the signature is HMAC-SHA-256 of time and body, as other programs compute it`() {
        // printf '1795000000.{"a":1}' | openssl dgst -sha256 -hmac 'a shared secret'
        #expect(
            HookSignature.text(
                of: Array(#"{"a":1}"#.utf8), at: 1_795_000_000, secret: Array("a shared secret".utf8))
                == "c29ede16ec90f3e6919b626d8185d1e92bf53a18b5b40df3cd9cfc9eacd07513")
    }
}
