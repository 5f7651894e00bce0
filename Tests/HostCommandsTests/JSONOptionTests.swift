import CommandLine
import Testing
import Wire

@testable import HostCommands

struct JSONOptionTests {
    @Test func `the JSON fields are those of the body, or of the items in a page or a list`() {
        #expect(FieldNames.of(AccountBody.self).contains("email"))
        #expect(FieldNames.of(Page<AccountBody>.self) == FieldNames.of(AccountBody.self))
        #expect(FieldNames.of([AccountBody].self) == FieldNames.of(AccountBody.self))
        #expect(
            Set(FieldNames.of(SessionBody.self)).isSuperset(of: ["id", "joinCode", "attendance", "startsAt"]))
    }

    @Test(arguments: HostCommands.all.map(\.name))
    func `every command that prints JSON declares its fields`(name: String) throws {
        let command = try #require(HostCommands.all.first { $0.name == name })
        guard command.options.contains(where: { $0.name == "json" }) else { return }
        let fields = try #require(command.jsonFields)
        #expect(!fields.isEmpty && Set(fields).count == fields.count)
    }

    @Test func `an unknown field is rejected before any request, with the list of known fields`() async {
        let result = await run(["meeting", "create", "X", "--now", "--json=meeting,sesion"])
        #expect(result.code == 2)
        #expect(
            result.err.contains("\"sesion\"") && result.err.contains("Did you mean session?")
                && result.err.contains("Known: meeting, session."))
    }

    @Test func `a command prints only the selected JSON fields`() async {
        let number = await run(["version"]).out.dropFirst("qring ".count).dropLast()
        #expect(await run(["version", "--json", "version"]).out == "{\"version\":\"\(number)\"}\n")
        let all = await run(["version", "--json"]).out
        for field in ["version", "optimized", "libraries"] { #expect(all.contains("\"\(field)\":")) }
        #expect(!all.contains("\"commit\":"), "only a release knows its commit")
        #expect(await run(["version", "--json", "number"]).code == 2)
    }

    @Test(
        arguments: [
            // The word after `--json` is the session, unless the word is a field's name or a list with
            // commas.
            (["--json", "standup"], nil, "standup"), (["--json", "id"], "id", nil),
            (["--json", "id,round"], "id,round", nil),
            (["--json=id", "@"], "id", "@"), (["@", "--json"], nil, "@"), (["--json", "@"], nil, "@"),
            (["--json", "--lang", "en"], nil, nil),
        ] as [([String], String?, String?)])
    func `the word after the json option is read as fields or as an argument`(
        words: [String], list: String?, session: String?
    )
        throws
    {
        let command = try #require(HostCommands.all.first { $0.name == "session show" })
        let arguments = try Arguments(words, for: command)
        #expect(arguments.has("json"))
        #expect(arguments.value("json") == list)
        #expect(arguments.positional("SESSION") == session)
    }

    @Test(arguments: [["--json="], ["--json", "id,nope"], ["--json=id,"]])
    func `a malformed list of fields is rejected`(words: [String]) throws {
        let command = try #require(HostCommands.all.first { $0.name == "session show" })
        #expect(throws: UsageError.self) { try Arguments(words, for: command) }
    }
}
