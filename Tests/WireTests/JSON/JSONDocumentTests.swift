import Testing
import Wire

struct JSONDocumentTests {
    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\":1,}", "{\"a\":1}}", "{\"a\":1} x", "{}{}", "nul", "{'a':1}", "{a:1}",
        "// c\n{}", "[01]", "[1.]",
        "[+1]", "[NaN]",
        "[\"\t\"]", "[\"\\x\"]", "[\"\\ud800\"]", "\u{FEFF}{}", "{\"a\":1,\"a\":2}",
        "{\"a\":{\"b\":1,\"b\":1}}",
        "{\"a\\u0000\":1}",
        "[1e999]",
    ])
    func `the parser refuses malformed or ambiguous JSON`(text: String) {
        #expect(fault(text) == .notJSON)
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22],
            [0x22, 0xE3, 0x81, 0x22],
            [0x7B, 0x7D, 0x00], [0x00], [0x22, 0x00, 0x22],
        ] as [[UInt8]])
    func `the parser refuses invalid UTF-8 and NUL`(bytes: [UInt8]) {
        #expect(fault(bytes) == .notJSON)
    }

    private func fault(_ bytes: [UInt8]) -> JSONFault.Reason? {
        do throws(JSONFault) {
            _ = try JSONDocument(bytes)
            return nil
        } catch { return error.reason }
    }

    private func fault(_ text: String) -> JSONFault.Reason? { fault(Array(text.utf8)) }

    @Test func `the parser limits the nesting of objects and arrays`() {
        for (start, end) in [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]")] {
            let each = start.count(where: "[{".contains)
            func nested(_ levels: Int) -> String {
                String(repeating: start, count: levels / each) + (start.hasSuffix(":") ? "1" : "")
                    + String(repeating: end, count: levels / each)
            }
            #expect(fault(nested(JSONLimits.mostLevels)) == nil)
            #expect(fault(nested(JSONLimits.mostLevels + each)) == .tooDeep)
            #expect(fault(String(repeating: start, count: 10_000)) == .tooDeep)
        }
        // A closed array no longer counts as nesting, and brackets inside strings never count.
        #expect(fault("[" + String(repeating: "[[]],", count: 1000) + "[]]") == nil)
        #expect(fault(#"["\#(String(repeating: "[", count: 1000))\"[{"]"#) == nil)
    }

    @Test func `the parser limits the length of a name, but not of a string`() {
        let name = String(repeating: "가", count: JSONLimits.mostKeyBytes / 3) + "n"
        #expect(fault(#"{"\#(name)":1}"#) == nil && fault(#"{"a":{"\#(name)n":1}}"#) == .keyTooLong)
        #expect(fault(#"{"\#(name)n" : 1}"#) == .keyTooLong)
        #expect(fault(#"{"a":"\#(name)n","b":["\#(name)n"]}"#) == nil)
        // The limit counts the bytes as written: an escape such as `\u00e9` has six bytes.
        let escapes = String(repeating: "\\u00e9", count: JSONLimits.mostKeyBytes / 6)
        #expect(fault(#"{"\#(escapes)":1}"#) == nil && fault(#"{"\#(escapes)\u00e9":1}"#) == .keyTooLong)
    }

    @Test(arguments: ["-0.5e3", #""a,b:c""#, "{}", #"{"a":1}"#])
    func `the limit of values counts values of every kind, but no names`(unit: String) {
        let each = unit == #"{"a":1}"# ? 2 : 1
        let units = Array(repeating: unit, count: JSONLimits.mostValues / each).dropLast().joined(
            separator: ", ")
        #expect(fault("[" + units + "]") == nil)
        #expect(fault("[" + units + "," + unit + (each == 1 ? "" : ",1") + "]") == .tooManyValues)
        #expect(fault("[" + units + "," + unit + ",") == .tooManyValues)
    }

    @Test func `a JSON fault has the line number where it occurred`() {
        func line(_ text: String) -> Int? {
            do throws(JSONFault) {
                _ = try JSONDocument(Array(text.utf8))
                return nil
            } catch { return error.line }
        }
        #expect(line("{\n\n\"a\": 1,}") == 3 && line("") == 1)
        #expect(line("[\n[\n" + String(repeating: "[", count: 40)) == 3)
        #expect(line("{\n\"\(String(repeating: "n", count: 5000))\":1}") == 2)
        // The array itself counts as a value, too.
        #expect(line("[" + String(repeating: "1,\n", count: 300_000)) == JSONLimits.mostValues)
    }

    @Test func `the parser accepts or refuses every short text of JSON's marks, and never traps`() {
        var texts: [[UInt8]] = [[]]
        for _ in 1...4 {
            texts = texts.flatMap { text in #"[]{}:,"\1"#.utf8.map { text + [$0] } }
            for text in texts { #expect([nil, .notJSON].contains(fault(text))) }
        }
        #expect(fault("[[]]") == nil && fault("[[]}") == .notJSON)
    }

    @Test func `a value of one type cannot be read as another type`() throws {
        let root = try document(
            #"{"s":"x","i":-7,"r":1.5,"e":1e2,"t":true,"f":false,"n":null,"a":[1],"o":{"k":1}}"#
        ).root
        #expect(
            root["s"]?.string == "x" && root["i"]?.integer == -7 && root["t"]?.bool == true
                && root["f"]?.bool == false)
        #expect(
            root["n"]?.isNull == true && root["a"]?.isArray == true && root["o"]?.isObject == true
                && root.isObject)
        for key in ["i", "r", "e", "t", "f", "n", "a", "o"] { #expect(root[key]?.string == nil) }
        for key in ["s", "r", "t", "f", "n", "a", "o"] { #expect(root[key]?.integer == nil) }
        #expect(root["e"]?.integer == 100)
        for key in ["s", "i", "r", "n", "a", "o"] { #expect(root[key]?.bool == nil) }
        #expect(root["missing"] == nil && root["s"]?["x"] == nil && root["a"]?["0"] == nil)
        #expect(root["o"]?.elements.isEmpty == true && root["a"]?.members.isEmpty == true)
    }

    @Test func `the parser reads numbers at their limits`() throws {
        let root = try document("[9223372036854775807,-9223372036854775808,0,-0]").root
        #expect(root.elements.map(\.integer) == [.max, .min, 0, 0])
    }

    @Test func `an integer beyond 64 bits is valid JSON, but cannot be read as an integer`() throws {
        for text in ["9223372036854775808", "-9223372036854775809", "1\(String(repeating: "0", count: 300))"]
        {
            let root = try document("{\"big\":\(text),\"small\":7,\"name\":\"Kim\"}").root
            #expect(root["big"] != nil && root["big"]?.integer == nil && root["big"]?.string == nil)
            #expect(root["small"]?.integer == 7 && root["name"]?.string == "Kim")
        }
        let root = try document("[9223372036854775808,7,1.5,\"\\u0000\"]").root
        #expect(root.elements.map(\.integer) == [nil, 7, nil, nil])
        #expect(root.elements.map(\.number) == [0x1p63, 7, 1.5, nil])
        #expect(root.elements.last?.string == "\0")
    }

    @Test func `a whole number reads as an integer in every notation, up to 2 to the power of 53`() throws {
        let root = try document(
            "[5.0,5e0,50e-1,-0.0,9007199254740992.0,9007199254740993.0,9007199254740994.0,1e300,0.5]"
        ).root
        #expect(root.elements.map(\.integer) == [5, 5, 5, 0, 1 << 53, 1 << 53, nil, nil, nil])
    }

    @Test func `the parser decodes strings and names`() throws {
        let root = try document("{\"k\":\"김\\n\\u00e9\\ud83d\\ude00\",\"ключ\":[\"\"],\"a/b~c\":1}").root
        #expect(root["k"]?.string == "김\né😀")
        #expect(root["ключ"]?.elements.map(\.string) == [""])
        #expect(root.members.map(\.key) == ["a/b~c", "k", "ключ"])
    }

    @Test func `the parser ignores space around the value, and accepts a value of any type`() throws {
        #expect(try document(" \n\t{} \r\n").root.isObject)
        #expect(try document("3").root.integer == 3)
        #expect(try document("null").root.isNull)
    }

    @Test(arguments: [
        #"{"name":"Kim","email":"kim@example.org"}"#, " {\n\t\"\" : \"\" ,\r\n\"b\":\"\u{7F}\"} ",
        #"{"이름":"김 민준 😀"}"#,
        "{\"marks\":\"e\(String(repeating: "\u{301}", count: 100))\"}", #"{"b":"{}[],:","a":"1"}"#,
        "{\((1...16).map { "\"n\($0)\":\"v\($0)\"" }.joined(separator: ","))}",
        "{\((1...17).map { "\"n\($0)\":\"v\($0)\"" }.joined(separator: ","))}",
    ])
    func `an object of texts has the same members as a document and inside an array`(text: String) throws {
        let object = try document(text).root
        // Only a whole document is read without Jansson.
        let parsed = try #require(try document("[\(text)]").root.elements.first)
        #expect(object.isObject && !object.isArray && !object.isNull && object.elements.isEmpty)
        #expect(object.string == nil && object.integer == nil && object.number == nil && object.bool == nil)
        #expect(object.members.count == parsed.members.count && !object.members.isEmpty)
        for (one, other) in zip(object.members, parsed.members) {
            #expect(one.key.utf8.elementsEqual(other.key.utf8))
            let text = try #require(one.value.string)
            #expect(text.utf8.elementsEqual(try #require(other.value.string).utf8))
            #expect(object[one.key]?.string == text)
            #expect(one.value.integer == nil && !one.value.isObject && one.value["x"] == nil)
        }
        #expect(object["missing"] == nil)
    }

    @Test(arguments: [
        #"{"a":"1","a":"2"}"#, #"{"a":"1"} x"#, #"{"a":"1",}"#, #"{"a":"1""#, #"{"a":"1"#, #"{"a" "1"}"#,
        #"{"a":"1" "b":"2"}"#, "{\"a\":\"\n\"}", "{\"a\n\":\"1\"}", #"{,"a":"1"}"#, #"{"a":"1"}{}"#,
    ])
    func `the parser refuses a malformed object of texts`(text: String) { #expect(fault(text) == .notJSON) }

    @Test func `the parser refuses invalid UTF-8 in an object of texts`() {
        for bytes in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE3, 0x81]] as [[UInt8]] {
            #expect(fault(Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8)) == .notJSON)
            #expect(fault(Array(#"{""#.utf8) + bytes + Array(#"":"a"}"#.utf8)) == .notJSON)
        }
    }

    @Test func `a name is found by its bytes, not by its letters`() throws {
        // The Kelvin sign is canonically equivalent to K, and é has two spellings.
        let root = try document("{\"K\":\"1\",\"\u{E9}\":\"2\"}").root
        #expect(root["\u{212A}"] == nil && root["e\u{301}"] == nil)
        #expect(root["K"]?.string == "1" && root["\u{E9}"]?.string == "2")
    }

    @Test func `a value stays valid after its document is released`() throws {
        var node = try #require(
            try JSONDocument(Array(#"{"a":[{"b":"deep"}]}"#.utf8)).root["a"]?.elements.first)
        // If the first tree had been freed, these parses would reuse its memory.
        for _ in 0..<100 { #expect(fault(#"{"a":[{"b":"else"}]}"#) == nil) }
        #expect(node["b"]?.string == "deep")
        node = try #require(node["b"])
        #expect(node.string == "deep")
    }
}
