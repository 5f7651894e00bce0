import Phrases
import Testing
import Wire

@testable import HostCommands

struct JSONSelectionTests {
    private func selected(_ list: String, _ text: String) -> String {
        String(decoding: JSONSelection(list).applied(to: Array(text.utf8)), as: UTF8.self)
    }

    @Test(
        arguments: [
            ("id,name", #"{"name":"a","id":"1","x":2}"#, #"{"id":"1","name":"a"}"#),
            ("x", #"{"x":{"y":[1,{"z":","}]},"w":1}"#, #"{"x":{"y":[1,{"z":","}]}}"#),
            ("a", #"{"a":"\"},{\\","b":1}"#, #"{"a":"\"},{\\"}"#), ("b", #"{"a":1}"#, #"{"b":null}"#),
            ("b", "{}", #"{"b":null}"#),
            (
                "id", #"{"items":[{"id":1,"n":2},{"id":3}],"nextCursor":null}"#,
                #"{"items":[{"id":1},{"id":3}],"nextCursor":null}"#
            ),
            ("id", #"{"items":[],"nextCursor":"c"}"#, #"{"items":[],"nextCursor":"c"}"#),
            ("id", #"[{"id":1,"n":[2]},{"n":1}]"#, #"[{"id":1},{"id":null}]"#),
            ("한", #"{"한":"글","b":1}"#, #"{"한":"글"}"#), ("a", "7", "7"),
        ])
    func `chosen fields are given in the order they were asked for`(
        list: String, text: String, expected: String
    ) {
        #expect(selected(list, text) == expected)
    }

    @Test func `fields are those of the body, or of a page's items`() {
        #expect(FieldNames.of(AccountBody.self).contains("email"))
        #expect(FieldNames.of(Page<AccountBody>.self) == FieldNames.of(AccountBody.self))
        #expect(FieldNames.of([AccountBody].self) == FieldNames.of(AccountBody.self))
        #expect(
            Set(FieldNames.of(SessionBody.self)).isSuperset(of: ["id", "joinCode", "attendance", "startsAt"]))
    }

    @Test(arguments: HostCommands.all.map(\.name))
    func `every command that prints JSON says its fields`(name: String) throws {
        let command = try #require(HostCommands.all.first { $0.name == name })
        guard command.options.contains(where: { $0.name == "json" }) else { return }
        let fields = try #require(command.jsonFields)
        #expect(!fields.isEmpty && Set(fields).count == fields.count)
    }

    @Test func `an unknown field is refused before anything is done, with the known ones`() async {
        let result = await run(["meeting", "create", "X", "--now", "--json=meeting,sesion"])
        #expect(result.code == 2)
        #expect(
            result.err.contains("\"sesion\"") && result.err.contains("Did you mean session?")
                && result.err.contains("Known: meeting, session."))
    }

    @Test func `the chosen fields of what a command prints are printed`() async {
        #expect(await run(["version", "--json", "version"]).out == (await run(["version", "--json"]).out))
        #expect(await run(["version", "--json", "number"]).code == 2)
    }

    @Test(
        arguments: [
            // A session may stand behind `--json`, and is one unless it can only be a list.
            (["--json", "standup"], nil, "standup"), (["--json", "id"], "id", nil),
            (["--json", "id,round"], "id,round", nil),
            (["--json=id", "@"], "id", "@"), (["@", "--json"], nil, "@"), (["--json", "@"], nil, "@"),
            (["--json", "--lang", "en"], nil, nil),
        ] as [([String], String?, String?)])
    func `a list behind json is told from an argument`(words: [String], list: String?, session: String?)
        throws
    {
        let command = try #require(HostCommands.all.first { $0.name == "session show" })
        let arguments = try Arguments(words, for: command)
        #expect(arguments.has("json"))
        #expect(arguments.value("json") == list)
        #expect(arguments.positional("SESSION") == session)
    }

    @Test(arguments: [["--json="], ["--json", "id,nope"], ["--json=id,"]])
    func `a list that is none is refused`(words: [String]) throws {
        let command = try #require(HostCommands.all.first { $0.name == "session show" })
        #expect(throws: UsageError.self) { try Arguments(words, for: command) }
    }
}
