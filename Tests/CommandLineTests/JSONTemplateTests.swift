import Testing

@testable import CommandLine

struct JSONTemplateTests {
    private static let declared = CommandDeclaration.Option.json(
        fields: ["name", "status", "a"], below: { ["a.b"] })

    private func applied(_ template: String, _ text: String) throws -> String {
        try JSONTemplate(template, fieldsOf: .json).applied(to: Array(text.utf8))
    }

    private func fault(_ template: String) -> CommandFailure? {
        do throws(CommandFailure) {
            _ = try JSONTemplate(template, fieldsOf: Self.declared)
            return nil
        } catch { return error }
    }

    @Test(
        arguments: [
            (
                #"{name}\t{n}\n"#, #"{"items":[{"name":"A","n":1},{"name":"B","n":-2.5}],"nextCursor":null}"#,
                "A\t1\nB\t-2.5\n"
            ),
            (#"{n};"#, #"[{"n":1},{"n":2}]"#, "1;2;"),
            (#"{n}\n"#, #"{"n":9007199254740993}"#, "9007199254740993\n"),
            (#"{n}"#, "[]", ""), (#"{a.b}|{a}"#, #"{"a":{"b":true,"c":2}}"#, #"true|{"b":true,"c":2}"#),
            (#"{a.b}"#, #"{"a":[{"b":"x"},{"c":1},{"b":"y"}]}"#, "x, , y"),
            (#"{a}"#, #"{"a":[1,"two"]}"#, "1, two"),
            (#"<{a}{b}{a.c}>"#, #"{"a":null}"#, "<>"), (#"{{{a}}}\\"#, #"{"a":1}"#, #"{1}\"#),
            ("no field", #"{"a":1}"#, "no field"), ("{한}", #"{"한":"글"}"#, "글"), ("{a}", "7", ""),
        ])
    func `each row of the answer is printed by the template`(
        template: String, text: String, expected: String
    ) throws {
        #expect(try applied(template, text) == expected)
    }

    @Test func `a value stays on its line and sends nothing to the terminal`() throws {
        let json = #"{"a":"\"two\"\nlines\t\u001B[2J\u009b1m\u202e","b":{"c":"\#u{9B}2J"}}"#
        #expect(try applied("{a}|{b}", json) == #""two" lines [2J1m|{"c":"2J"}"#)
    }

    @Test(arguments: ["", "{", "}", "{}", "{name", "name}", #"\"#, #"\x"#, "{name}}", "{{name}"])
    func `a malformed template is refused`(template: String) {
        guard case .usage(.notReadable("--template", template, _)) = fault(template) else {
            Issue.record("\(template) is accepted")
            return
        }
    }

    @Test(arguments: ["nofield", "a.c", "name ", "a.", "."])
    func `an unknown field is refused with the known ones`(field: String) {
        guard case .usage(.unknownField(field, known: ["name", "status", "a"], _)) = fault("{a.b}{\(field)}")
        else {
            Issue.record("\(field) is accepted")
            return
        }
    }

    @Test func `a template has at most 4,096 bytes`() {
        #expect(fault(String(repeating: "x", count: 4096)) == nil)
        #expect(fault(String(repeating: "x", count: 4097)) != nil)
    }
}
