import Foundation
import Meetings
import Testing

struct IdentityKeyTests {
    @Test(arguments: [
        ("Kim@Example.ORG ", "kim@example.org"), ("\t\n kim@example.org\r\n", "kim@example.org"),
        ("KIM민준", "kim민준"),
        ("ÉCOLE@example.org", "e\u{301}cole@example.org"),
        ("김민준", "김민준".decomposedStringWithCanonicalMapping),
        ("\u{3000}김민준\u{A0}", "김민준"), ("\u{212A}im", "kim"), ("ΟΔΟΣ", "οδοσ"), ("20260017", " 20260017"),
    ])
    func `texts that differ in case, composition and surrounding space have one key`(
        one: String, other: String
    ) {
        #expect(IdentityKey(one) == IdentityKey(other))
        #expect(Array(IdentityKey(one).text.utf8) == Array(IdentityKey(other).text.utf8))
    }

    @Test(arguments: [
        ("kim@example.org", "kim@example.com"), ("k im", "kim"), ("김민준", "김민중"), ("Jose", "José"),
        ("0017", "17"),
    ])
    func `texts with any other difference have two keys`(one: String, other: String) {
        #expect(IdentityKey(one) != IdentityKey(other))
    }

    @Test func `a key that is made from a key's text, or from a stored key, is the same key`() {
        for written in ["Kim@Example.org", " Ünïcøde ", "김민준", "STRASSE", "İstanbul", "ǅ", "\u{345}α", ""] {
            let key = IdentityKey(written)
            #expect(Array(IdentityKey(key.text).text.utf8) == Array(key.text.utf8), "\(written)")
            #expect(IdentityKey(stored: key.text) == key)
        }
    }
}

struct PersonalTextTests {
    @Test(arguments: ["x", "가", "e\u{301}", "👩‍👩‍👧‍👦", "🇰🇷", "👍🏽"])
    func `a name has 1 to 100 characters, of any number of bytes`(character: String) {
        let hundred = String(repeating: character, count: 100)
        #expect(hundred.count == 100 || character == "🇰🇷")
        #expect(PersonalText.normalized(character) != nil)
        #expect(PersonalText.normalized(hundred)?.count == hundred.count)
        #expect(PersonalText.normalized(hundred + character) == nil)
        #expect(PersonalText.normalized("  " + hundred + "\n") == PersonalText.normalized(hundred))
    }

    @Test(arguments: ["", " ", "\n\t ", "\u{3000}", "\u{A0}\u{2003}"]) func `white space alone is not a name`(
        written: String
    ) {
        #expect(PersonalText.normalized(written) == nil)
    }

    @Test(arguments: [
        "a\nb", "a\tb", "a\u{0}b", "a\u{7F}b", "a\u{85}b", "김\u{1B}[31m민준", "\u{7F}a", "a\u{9B}31m",
    ])
    func `control characters in a name are refused`(written: String) {
        #expect(PersonalText.normalized(written) == nil)
    }

    /// The last escape in each name is the tested character: reversed direction, isolates, marks, zero-width
    /// spaces. Some names consist only of fillers.
    @Test(arguments: [
        "Kim\u{202E}nimdA", "Kim\u{2066}x\u{2069}", "Kim\u{200E}", "a\u{200B}b", "a\u{2060}b", "a\u{FEFF}b",
        "a\u{AD}b", "a\u{2028}b",
        "a\u{2029}b",
        "a\u{E0067}b", "\u{3164}", "\u{115F}\u{1160}", "\u{200D}", "\u{200C} \u{200D}", "김\u{061C}민준",
        "\u{2800}\u{2800}", "\u{1D159}", "\u{301}", "\u{20DD}", "\u{FFFC}", "a\u{FFFF}b", "a\u{1FFFE}b",
    ])
    func `invisible characters that change how a name is read are refused`(written: String) {
        #expect(PersonalText.normalized(written) == nil)
        #expect(throws: FieldReason.notText) { try PersonalText.checked(written) }
    }

    @Test(arguments: [
        "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️", "김민준", "훈민정음 ᄒᆞᆫ글", "می\u{200C}خواهم", "क्\u{200D}ष",
        "Zoë", "O’Neil", "7️⃣", "⠅⠊⠍", "한\u{302E}",
    ])
    func `emoji, flags and scripts that need joiners are valid in names`(written: String) {
        #expect(PersonalText.normalized(written) == written.precomposedStringWithCanonicalMapping)
    }

    @Test func `a name is stored composed and trimmed`() throws {
        let name = try #require(PersonalText.normalized(" 김민준\t".decomposedStringWithCanonicalMapping))
        #expect(Array(name.utf8) == Array("김민준".utf8))
        #expect(PersonalText.normalized("\r\nAda Lovelace ") == "Ada Lovelace")
    }

    @Test func `a character of thousands of scalars is refused before characters are counted`() {
        #expect(PersonalText.normalized("a" + String(repeating: "\u{301}", count: 10_000)) == nil)
    }

    @Test func `the caller sets the largest number of characters`() {
        #expect(PersonalText.normalized("abc", limit: 3) == "abc")
        #expect(PersonalText.normalized("abcd", limit: 3) == nil)
        #expect(PersonalText.normalized("가나다라", limit: 3) == nil)
    }
}

struct EmailAddressTests {
    @Test(arguments: [
        "kim@example.org", "a@b", "kim+tag@sub.example.org", "김@한국.kr", "o'neil@example.org", "x@1.2.3.4",
        ".-k@x-y.org",
    ])
    func `a plausible address is accepted`(written: String) {
        #expect(EmailAddress.normalized(" \(written)\n") == written)
    }

    @Test(arguments: [
        "", "@", "kim", "kim@", "@example.org", "kim@@example.org", "kim@a@b", "kim@.org", "kim@example.",
        "kim@exa..mple", "kim@-a.org", "kim@a.-b.org", "kim@a.b-.org", "kim@a.b-", "kim@.", "kim@a.org.",
        "kim@a@", "@a@b",
        "kim@a-.org", "k im@example.org", "kim@exam ple.org", "kim\u{0}@example.org",
        "kim@example.org\u{7F}x", "<kim@example.org>",
        "\"kim\"@example.org", "kim,lee@example.org", "kim;lee@example.org", "mailto:kim@example.org",
        "kim@[127.0.0.1]", "kim\\@a.org",
        "kim\u{2028}@example.org", "k\u{202E}im@example.org", "김\u{200B}@example.org",
        "kim\r\nBcc: lee@example.org",
    ])
    func `a malformed address is refused`(written: String) {
        #expect(EmailAddress.normalized(written) == nil)
    }

    @Test func `an address has at most 254 bytes, and at most 64 bytes before the at sign`() {
        let local = String(repeating: "k", count: 64)
        let host = String(repeating: "a.", count: 94) + "a"
        #expect((local + "@" + host).utf8.count == 254)
        #expect(EmailAddress.normalized(local + "@" + host) != nil)
        #expect(EmailAddress.normalized(local + "@" + host + "a") == nil)
        #expect(EmailAddress.normalized(local + "k@a.org") == nil)
    }
}
