import Meetings
import Testing
import Wire

private struct Outer: Readable {
    let name: String
    let count: Int
    let inner: Inner?
    let list: [Inner]
    let map: [Int]

    init(reading fields: Fields) {
        name = fields.name("name", required: true) ?? ""
        count = fields.integer("count", 1...9) ?? 5
        inner = fields.object("inner", as: Inner.self)
        list = fields.objects("list", of: Inner.self, most: 3) ?? []
        map =
            fields.members("map", of: .integer(min: nil, max: nil), most: 2) { _, node in
                node.integer.map { .success($0) } ?? .failure(.notText)
            } ?? []
    }
}

private struct Inner: Readable {
    let flag: Bool
    let leaves: [Leaf]

    init(reading fields: Fields) {
        flag = fields.bool("flag/~", required: true) ?? false
        leaves = fields.objects("leaves", of: Leaf.self, most: 2) ?? []
    }
}

private struct Leaf: Readable {
    let at: Instant?

    init(reading fields: Fields) { at = fields.instant("at", required: true) }
}

private struct Kinds: Readable {
    let line: String?

    init(reading fields: Fields) {
        _ = fields.name("name", most: 3)
        line = fields.line("line", most: 3)
        _ = fields.text("text", 2...3)
        _ = fields.email("email")
        _ = fields.integer("integer", -1...1)
        _ = fields.bool("bool")
        _ = fields.instant("instant")
        _ = fields.date("date")
        _ = fields.zone("zone")
        _ = fields.choice("choice", of: Role.self)
        _ = fields.id("id", of: Session.self)
        _ = fields.names("names", 0...2, characters: 3)
    }
}

struct FieldsTests {
    @Test func `the reader reports all wrong fields at once, each with its path`() throws {
        let found = try errors(
            Outer.self,
            #"""
            {"count": 10, "inner": {"leaves": [{}, {"at": "now"}]}, "map": {"a/b": "x", "~": 1},
             "list": [{"flag/~": 1}, 7, {"flag/~": true, "leaves": [{"at": 5}, null]}]}
            """#)
        #expect(
            found == [
                FieldError("/name", .missing), FieldError("/count", .range(min: 1, max: 9)),
                FieldError("/inner/flag~1~0", .missing),
                FieldError("/inner/leaves/0/at", .missing), FieldError("/inner/leaves/1/at", .notATime),
                FieldError("/list/0/flag~1~0", .wrongType(expected: "boolean")),
                FieldError("/list/1", .wrongType(expected: "object")),
                FieldError("/list/2/leaves/0/at", .wrongType(expected: "string")),
                FieldError("/list/2/leaves/1", .wrongType(expected: "object")),
                FieldError("/map/a~1b", .notText),
            ])
    }

    @Test func `an absent or null field gets its default`() throws {
        let outer = try read(
            Outer.self,
            #"""
            {"name": " x ", "count": null, "inner": null, \#
            "list": null, "map": {"a": null, "b": 2}, "more": 1}
            """#
        )
        #expect((outer.name, outer.count, outer.list.count, outer.map) == ("x", 5, 0, [2]))
        #expect(outer.inner == nil)
    }

    @Test func `a required field that is null counts as missing`() throws {
        #expect(try errors(Outer.self, #"{"name": null}"#) == [FieldError("/name", .missing)])
    }

    @Test func `the reader reports an object or array of wrong type or size once`() throws {
        let found = try errors(
            Outer.self,
            #"{"name": "x", "inner": [], "list": [{}, {}, {}, {}], "map": {"a": 1, "b": 2, "c": 3}}"#)
        #expect(
            found == [
                FieldError("/inner", .wrongType(expected: "object")),
                FieldError("/list", .count(min: 0, max: 3)),
                FieldError("/map", .count(min: 0, max: 2)),
            ])
        #expect(
            try errors(Outer.self, #"{"name": "x", "list": {}, "map": []}"#) == [
                FieldError("/list", .wrongType(expected: "array")),
                FieldError("/map", .wrongType(expected: "object")),
            ])
    }

    @Test(arguments: ["[]", "3", "null", "\"x\""]) func `the reader refuses a body that is not an object`(
        text: String
    ) throws {
        #expect(try errors(Outer.self, text) == [FieldError("", .wrongType(expected: "object"))])
    }

    @Test(
        arguments: [
            (#"{"name": "가나다"}"#, nil), (#"{"name": "가나다라"}"#, FieldReason.length(min: 1, max: 3)),
            (#"{"name": " "}"#, .length(min: 1, max: 3)),
            (#"{"name": "a\nb"}"#, .notText), (#"{"name": "\u001b[0"}"#, .notText),
            (#"{"name": "a\n"}"#, nil),
            (#"{"name": 3}"#, .wrongType(expected: "string")),
            (#"{"line": ""}"#, nil), (#"{"line": " abc "}"#, nil),
            (#"{"line": "abcd"}"#, .length(min: 0, max: 3)),
            (#"{"line": "a\u0007"}"#, .notText),
            (#"{"line": []}"#, .wrongType(expected: "string")), (#"{"text": "a"}"#, .length(min: 2, max: 3)),
            (#"{"text": " \n "}"#, nil),
            (#"{"text": "abcd"}"#, .length(min: 2, max: 3)),
            (#"{"text": true}"#, .wrongType(expected: "string")),
            (#"{"email": " kim@example.org "}"#, nil), (#"{"email": "kim"}"#, .notAnEmail),
            (#"{"email": {}}"#, .wrongType(expected: "string")),
            (#"{"integer": -1}"#, nil), (#"{"integer": 2}"#, .range(min: -1, max: 1)),
            (#"{"integer": -2}"#, .range(min: -1, max: 1)),
            (#"{"integer": 1.0}"#, nil), (#"{"integer": -10e-1}"#, nil),
            (#"{"integer": 1.5}"#, .wrongType(expected: "integer")),
            (#"{"integer": 9007199254740994.0}"#, .range(min: -1, max: 1)),
            (#"{"integer": 9223372036854775808}"#, .range(min: -1, max: 1)),
            (#"{"integer": "1"}"#, .wrongType(expected: "integer")),
            (#"{"bool": false}"#, nil), (#"{"bool": 0}"#, .wrongType(expected: "boolean")),
            (#"{"bool": "true"}"#, .wrongType(expected: "boolean")),
            (#"{"instant": "2026-11-21T19:00:00+09:00"}"#, nil),
            (#"{"instant": "2026-11-21T19:00"}"#, .notATime),
            (#"{"instant": "1970-01-01T00:00:00Z"}"#, nil),
            (#"{"instant": "1970-01-01T00:00:00+09:00"}"#, .notATime),
            (#"{"instant": "1969-12-31T23:59:59Z"}"#, .notATime),
            (#"{"instant": "2199-12-31T23:59:59-00:01"}"#, .notATime),
            (#"{"instant": 1795255200}"#, .wrongType(expected: "string")), (#"{"date": "2000-02-29"}"#, nil),
            (#"{"date": "2001-02-29"}"#, .notADate),
            (#"{"zone": "Asia/Seoul"}"#, nil), (#"{"zone": "KST"}"#, .unknownZone),
            (#"{"choice": "host"}"#, nil),
            (#"{"choice": "Host"}"#, .notOneOf(["owner", "host", "viewer", "steward"])),
            (#"{"choice": 1}"#, .wrongType(expected: "string")),
            (#"{"id": "00000000000000000000000001"}"#, nil), (#"{"id": "1"}"#, .notAnID),
            (#"{"names": []}"#, nil),
            (#"{"names": ["a", "가나다"]}"#, nil),
            (#"{"names": ["a", "b", "c"]}"#, .count(min: 0, max: 2)),
            (#"{"names": ["abcd"]}"#, .length(min: 1, max: 3)),
            (#"{"names": ["a", 1]}"#, .length(min: 1, max: 3)),
            (#"{"names": "a"}"#, .wrongType(expected: "array")),
        ] as [(String, FieldReason?)])
    func `the reader checks each kind of field by the kind's rule`(text: String, reason: FieldReason?) throws
    {
        let found = try errors(Kinds.self, text)
        #expect(found.map(\.reason) == (reason.map { [$0] } ?? []))
    }

    @Test func `an edit may clear a line of text`() throws {
        #expect(try read(Kinds.self, #"{"line": " "}"#).line == "")
        #expect(try read(Kinds.self, #"{"line": null}"#).line == nil)
    }

    @Test func `the reading code also writes the schema of what it reads`() {
        let leaf = Schema.object([
            .init(
                name: "at", isRequired: true,
                schema: .string(min: nil, max: 40, format: "date-time", pattern: nil))
        ])
        let inner = Schema.object([
            .init(name: "flag/~", isRequired: true, schema: .boolean),
            .init(name: "leaves", isRequired: false, schema: .array(leaf, min: 0, max: 2).orNull),
        ])
        #expect(
            Fields.schema(of: Outer.self)
                == .object([
                    .init(
                        name: "name", isRequired: true,
                        schema: .string(min: 1, max: 100, format: nil, pattern: PersonalText.pattern)),
                    .init(name: "count", isRequired: false, schema: .integer(min: 1, max: 9).orNull),
                    .init(name: "inner", isRequired: false, schema: inner.orNull),
                    .init(name: "list", isRequired: false, schema: .array(inner, min: 0, max: 3).orNull),
                    .init(
                        name: "map", isRequired: false,
                        schema: .map(.integer(min: nil, max: nil).orNull).orNull),
                ]))
    }
}
