import HTTPGrammar
import Testing

@Suite struct HTTPGrammarTests {
    @Test func `a token has letters, digits and fifteen signs`() {
        let tokens = (0...255).map(UInt8.init).filter(HTTPGrammar.isToken)
        #expect(
            String(decoding: tokens, as: UTF8.self)
                == "!#$%&'*+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~")
    }

    @Test func `a field value has no control character but the tab`() {
        let others = (0...255).map(UInt8.init).filter { !HTTPGrammar.isFieldText($0) }
        #expect(others == (0...31).filter { $0 != 9 } + [127])
    }

    @Test func `only capital ASCII letters become small`() {
        let text = Array("AZ@[az_Ä".utf8)
        #expect(text.map(HTTPGrammar.lowercased) == Array("az@[az_Ä".utf8))
    }

    @Test(arguments: [("", ""), (" \t ", ""), ("a b", "a b"), ("\t a b  ", "a b"), ("\r\n", "\r\n")])
    func `spaces and tabs around a value do not count`(text: String, trimmed: String) {
        #expect(Array(HTTPGrammar.trimmed(Array(text.utf8))) == Array(trimmed.utf8))
    }
}
