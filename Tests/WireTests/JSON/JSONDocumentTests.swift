import Testing
import Wire

struct JSONDocumentTests {
    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\":1,}", "{\"a\":1}}", "{\"a\":1} x", "{}{}", "nul", "{'a':1}", "{a:1}", "// c\n{}", "[01]", "[1.]",
        "[+1]", "[NaN]",
        "[\"\t\"]", "[\"\\x\"]", "[\"\\ud800\"]", "\u{FEFF}{}", "{\"a\":1,\"a\":2}", "{\"a\":{\"b\":1,\"b\":1}}",
        "{\"a\\u0000\":1}",
        "[1e999]",
    ])
    func `what is no JSON, or could be read in two ways, is refused`(text: String) {
        #expect(JSONDocument(Array(text.utf8)) == nil)
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22],
            [0x22, 0xE3, 0x81, 0x22],
            [0x7B, 0x7D, 0x00], [0x00], [0x22, 0x00, 0x22],
        ] as [[UInt8]])
    func `invalid UTF-8 and NUL are refused`(bytes: [UInt8]) {
        #expect(JSONDocument(bytes) == nil)
    }

    @Test func `nesting has a limit, and beyond it nothing breaks`() {
        func nested(_ depth: Int) -> [UInt8] { [UInt8](repeating: 0x5B, count: depth) + [UInt8](repeating: 0x5D, count: depth) }
        #expect(JSONDocument(nested(1000)) != nil)
        #expect(JSONDocument(nested(3000)) == nil)
        #expect(JSONDocument([UInt8](repeating: 0x5B, count: 65_536)) == nil)
        #expect(JSONDocument(Array(String(repeating: "{\"a\":", count: 10_000).utf8)) == nil)
    }

    @Test func `each type is what it is and no other`() throws {
        let root = try document(#"{"s":"x","i":-7,"r":1.5,"e":1e2,"t":true,"f":false,"n":null,"a":[1],"o":{"k":1}}"#).root
        #expect(root["s"]?.string == "x" && root["i"]?.integer == -7 && root["t"]?.bool == true && root["f"]?.bool == false)
        #expect(root["n"]?.isNull == true && root["a"]?.isArray == true && root["o"]?.isObject == true && root.isObject)
        for key in ["i", "r", "e", "t", "f", "n", "a", "o"] { #expect(root[key]?.string == nil) }
        for key in ["s", "r", "t", "f", "n", "a", "o"] { #expect(root[key]?.integer == nil) }
        #expect(root["e"]?.integer == 100)
        for key in ["s", "i", "r", "n", "a", "o"] { #expect(root[key]?.bool == nil) }
        #expect(root["missing"] == nil && root["s"]?["x"] == nil && root["a"]?["0"] == nil)
        #expect(root["o"]?.elements.isEmpty == true && root["a"]?.members.isEmpty == true)
    }

    @Test func `numbers are read at their limits`() throws {
        let root = try document("[9223372036854775807,-9223372036854775808,0,-0]").root
        #expect(root.elements.map(\.integer) == [.max, .min, 0, 0])
    }

    @Test func `an integer beyond 64 bits is JSON, and no integer of ours`() throws {
        for text in ["9223372036854775808", "-9223372036854775809", "1\(String(repeating: "0", count: 300))"] {
            let root = try document("{\"big\":\(text),\"small\":7,\"name\":\"Kim\"}").root
            #expect(root["big"] != nil && root["big"]?.integer == nil && root["big"]?.string == nil)
            #expect(root["small"]?.integer == 7 && root["name"]?.string == "Kim")
        }
        let root = try document("[9223372036854775808,7,1.5,\"\\u0000\"]").root
        #expect(root.elements.map(\.integer) == [nil, 7, nil, nil])
        #expect(root.elements.map(\.number) == [0x1p63, 7, 1.5, nil])
        #expect(root.elements.last?.string == "\0")
    }

    @Test func `a whole number is one however it is written, as far as that is exact`() throws {
        let root = try document("[5.0,5e0,50e-1,-0.0,9007199254740992.0,9007199254740993.0,9007199254740994.0,1e300,0.5]").root
        #expect(root.elements.map(\.integer) == [5, 5, 5, 0, 1 << 53, 1 << 53, nil, nil, nil])
    }

    @Test func `texts and keys are read as they are`() throws {
        let root = try document("{\"k\":\"김\\n\\u00e9\\ud83d\\ude00\",\"ключ\":[\"\"],\"a/b~c\":1}").root
        #expect(root["k"]?.string == "김\né😀")
        #expect(root["ключ"]?.elements.map(\.string) == [""])
        #expect(root.members.map(\.key) == ["a/b~c", "k", "ключ"])
    }

    @Test func `space around the value is nothing, and any value may stand alone`() throws {
        #expect(try document(" \n\t{} \r\n").root.isObject)
        #expect(try document("3").root.integer == 3)
        #expect(try document("null").root.isNull)
    }

    @Test func `a value outlives its document`() throws {
        var node = try #require(JSONDocument(Array(#"{"a":[{"b":"deep"}]}"#.utf8))?.root["a"]?.elements.first)
        // Whatever is parsed next would take the memory of a tree that was given back.
        for _ in 0..<100 { #expect(JSONDocument(Array(#"{"a":[{"b":"else"}]}"#.utf8)) != nil) }
        #expect(node["b"]?.string == "deep")
        node = try #require(node["b"])
        #expect(node.string == "deep")
    }
}
