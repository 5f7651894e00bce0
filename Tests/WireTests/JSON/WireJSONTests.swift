import Foundation
import Meetings
import Testing
import Wire

private struct Nest: Codable, Equatable {
    var name: String
    var count: Int?
    var inner: [Nest]?
    var table: [String: [Int?]]?
}

private struct Numbers: Encodable {
    let low = Int64.min
    let high = UInt64.max
    let byte = Int8.min
    let doubles = [0, -0.5, 3.89, 1e16, 1e-7, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
    let float: Float = 0.5
    let flag = true
}

private struct Nothing: Encodable {}

struct WireJSONTests {
    @Test func `a character is escaped at each place of a text of each length`() {
        for length in 1...20 {
            for place in 0..<length {
                for scalar in ["\"", "\\", "\u{1F}", " ", "!", "#", "[", "]", "\u{7F}"] {
                    var pieces = Array(repeating: "a", count: length)
                    pieces[place] = scalar
                    var written = pieces
                    written[place] =
                        ["\"": "\\\"", "\\": "\\\\", "\u{1F}": "\\u001f"][scalar, default: scalar]
                    #expect(WireJSON.bytes(pieces.joined()) == Array("\"\(written.joined())\"".utf8))
                }
            }
        }
        let wide = "한\u{80}\u{A0}é¢🎉"
        #expect(WireJSON.bytes(wide) == Array("\"\(wide)\"".utf8))
    }

    @Test(arguments: [
        ("", #""""#), ("plain", #""plain""#), ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#),
        ("\u{0}\u{1}\u{8}\u{C}\u{1F}", #""\u0000\u0001\u0008\u000c\u001f""#),
        ("\u{7F}", "\"\u{7F}\""), ("김 👩‍👩‍👧 é e\u{301}", "\"김 👩‍👩‍👧 é e\u{301}\""),
        ("\u{2028}</script>", "\"\u{2028}</script>\""),
        ("a\"", #""a\"""#),
        ("\"a", #""\"a""#),
    ])
    func `the writer escapes exactly the characters that JSON requires`(text: String, written: String) throws
    {
        #expect(Array(json(text).utf8) == Array(written.utf8))
        #expect(Array(json([text]).utf8) == Array("[\(written)]".utf8))
        #expect(try WireJSON.decode([String].self, from: WireJSON.bytes([text])) == [text])
    }

    @Test func `Foundation and Jansson read back every scalar of one or two bytes in UTF-8`() throws {
        let scalars = (0..<0x800).compactMap(UnicodeScalar.init).map { "\($0)" }
        let bytes = WireJSON.bytes(scalars)
        #expect(try WireJSON.decode([String].self, from: bytes) == scalars)
        let root = try JSONDocument(WireJSON.bytes(Array(scalars.dropFirst()))).root
        #expect(root.elements.map(\.string) == scalars.dropFirst().map { $0 })
    }

    @Test func `the writer nests objects and arrays, and writes fields in the order of declaration`() throws {
        let nest = Nest(
            name: "a", count: 1,
            inner: [Nest(name: "b", inner: []), Nest(name: "c", count: -2, inner: [Nest(name: "d")])],
            table: ["k": [1, nil, 3]])
        #expect(
            json(nest)
                == #"""
                {"name":"a","count":1,"inner":[{"name":"b","inner":[]},\#
                {"name":"c","count":-2,"inner":[{"name":"d"}]}],\#
                "table":{"k":[1,null,3]}}
                """#
        )
        #expect(try WireJSON.decode(Nest.self, from: WireJSON.bytes(nest)) == nest)
    }

    @Test func `the writer leaves out a field that is nil, but not an array's element`() {
        #expect(json(Nest(name: "a")) == #"{"name":"a"}"#)
        #expect(json([1, nil] as [Int?]) == "[1,null]")
        #expect(json(nil as Int?) == "null")
    }

    @Test func `the writer writes empty arrays and objects completely`() {
        #expect(json([Int]()) == "[]")
        #expect(json([[Int](), []]) == "[[],[]]")
        #expect(json([String: Int]()) == "{}")
        #expect(json([Nothing(), Nothing()]) == "[{},{}]")
    }

    @Test func `the writer writes numbers exactly at their limits`() throws {
        let text = json(Numbers())
        #expect(
            text.hasPrefix(
                #"""
                {"low":-9223372036854775808,"high":18446744073709551615,"byte":-128,\#
                "doubles":[0.0,-0.5,3.89,1e+16,1e-07,
                """#
            ))
        let read = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(read["doubles"] as? [Double] == Numbers().doubles)
        #expect(read["float"] as? Double == 0.5)
        #expect(text.hasSuffix(#""flag":true}"#))
    }

    @Test func `the writer writes null for infinite and undefined numbers`() {
        #expect(json([Double.nan, .infinity, -.infinity]) == "[null,null,null]")
    }

    @Test func `the reader ignores unknown fields, and refuses a body without a required field`() throws {
        #expect(try WireJSON.decode(Pong.self, from: Array(#"{"pong":3,"more":[1]}"#.utf8)).pong == 3)
        #expect(throws: DecodingError.self) { try WireJSON.decode(Pong.self, from: Array("{}".utf8)) }
        #expect(throws: DecodingError.self) { try WireJSON.decode(Pong.self, from: Array("{".utf8)) }
    }
}
