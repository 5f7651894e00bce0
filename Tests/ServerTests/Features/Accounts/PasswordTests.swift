import Meetings
import Secrets
import Testing

struct PasswordTests {
    @Test
    func `requests and the hasher have the same length limit, which counts composed bytes`() {
        #expect(PasswordText.mostBytes == PasswordHasher.longestPasswordBytes)
        #expect(
            PasswordText.fits(String(repeating: "a", count: 1024))
                && !PasswordText.fits(String(repeating: "a", count: 1025)))
        #expect(PasswordText.fits(String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 341)))
        #expect(!PasswordText.fits(String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 342)))
        #expect(!PasswordText.fits(String(repeating: "\u{0301}", count: 1_000_000)))
    }
}
