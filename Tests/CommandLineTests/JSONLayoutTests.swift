import Terminal
import Testing

@testable import CommandLine

struct JSONLayoutTests {
    private func laidOut(_ json: String, isTall: Bool = true, paint: Paint = .none) -> String {
        String(
            decoding: JSONLayout(paint: paint, isTall: isTall).applied(to: Array(json.utf8)), as: UTF8.self)
    }

    @Test func `each member and element has its own line, and empty values stay on one`() {
        #expect(
            laidOut(#"{"a":1,"b":[true,null],"c":{},"d":[]}"#) == """
                {
                  "a": 1,
                  "b": [
                    true,
                    null
                  ],
                  "c": {},
                  "d": []
                }
                """)
        #expect(laidOut(#"{ "a" : [ ] }"#) == "{\n  \"a\": []\n}")
    }

    @Test func `texts keep their brackets and escapes, and lose the control of the terminal`() {
        #expect(laidOut(#""{\"a\":[1,\\""#) == #""{\"a\":[1,\\""#)
        #expect(laidOut("\"\u{9B}2J\u{202E}한\"") == #""\u009b2J\u202e한""#)
    }

    @Test func `colours tell keys, texts, numbers, flags and null apart`() {
        let paint = Paint(isOn: true, theme: .terminal, colours: 8)
        #expect(
            laidOut(#"{"a":["x",-1.5e3,false,null]}"#, isTall: false, paint: paint)
                == "{\u{1B}[1;34m\"a\"\u{1B}[0m:[\u{1B}[32m\"x\"\u{1B}[0m,\u{1B}[36m-1.5e3\u{1B}[0m,"
                + "\u{1B}[33mfalse\u{1B}[0m,\u{1B}[90mnull\u{1B}[0m]}")
    }

    @Test func `any bytes are laid out without a trap`() {
        for text in ["", "{", "]", "\"", "\"\\", "nul", "{\"a\":", ",,", "\u{0}"] { _ = laidOut(text) }
    }
}
