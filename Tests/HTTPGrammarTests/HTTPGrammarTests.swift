import HTTPGrammar
import Testing

@Suite struct HTTPGrammarTests {
    @Test func `a token may contain letters, digits and fifteen other characters`() {
        let tokens = (0...255).map(UInt8.init).filter(HTTPGrammar.isToken)
        #expect(
            String(decoding: tokens, as: UTF8.self)
                == "!#$%&'*+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~")
    }

    @Test func `a field value may contain the tab but no other control character`() {
        let others = (0...255).map(UInt8.init).filter { !HTTPGrammar.isFieldText($0) }
        #expect(others == (0...31).filter { $0 != 9 } + [127])
    }

    @Test func `a field value has no combining marks, whatever its bytes`() {
        #expect(HTTPGrammar.text(ofValue: Array("a, b;q=0.5".utf8)) == "a, b;q=0.5")
        let text = HTTPGrammar.text(ofValue: Array("e\u{301}".utf8) + [0xFF])
        #expect(text == "e\u{CC}\u{81}\u{FF}")
        let all = HTTPGrammar.text(ofValue: Array(0...255))
        #expect(all.unicodeScalars.allSatisfy { $0.properties.canonicalCombiningClass == .notReordered })
        #expect(all.unicodeScalars.count == 256)
    }

    @Test func `lowercasing changes only the ASCII capitals`() {
        let text = Array("AZ@[az_Ä".utf8)
        #expect(text.map(HTTPGrammar.lowercased) == Array("az@[az_Ä".utf8))
    }

    @Test(arguments: [("", ""), (" \t ", ""), ("a b", "a b"), ("\t a b  ", "a b"), ("\r\n", "\r\n")])
    func `trimming removes the spaces and tabs around a value`(text: String, trimmed: String) {
        #expect(Array(HTTPGrammar.trimmed(Array(text.utf8))) == Array(trimmed.utf8))
    }
}
