import CommandLine
import FoundationEssentials
import Phrases
import Testing

@testable import HostCommands

/// Checks the user's short names of command lines.
struct AliasTests {
    private let folder = "/tmp/qring-alias-\(UInt64.random(in: 0 ... .max))"
    private func qring(_ words: String...) async -> (code: Int32, out: String, err: String) {
        await run(words, environment: ["XDG_CONFIG_HOME": folder])
    }

    @Test func `an alias stands for its line, and the words after it are added`() async {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(await qring("alias", "set", "v", "version --json").code == 0)
        #expect(await qring("v", "version").out.contains("\"version\""))
        #expect(await qring("v", "--jq", ".version", "--lang", "en").code == 0)
        #expect(await qring("alias", "list", "--jq", ".[].line").out == "version --json\n")
        #expect(await qring("alias", "delete", "x").code == ExitCode.notFound.rawValue)
        #expect(await qring("alias", "delete", "v").code == 0)
        #expect(await qring("v").err.contains("unknown command \"v\""))
    }

    @Test(arguments: [
        (["results", "watch @"], "\"results\" is a command"), (["meeting", "watch @"], "is a command"),
        (["-x", "watch @"], "unknown option -x"), (["a/b", "watch @"], "letters, digits and hyphens"),
        (["a", "wacth @"], "Did you mean qring watch?"), (["a", ""], "LINE is missing"),
        (["a", "a"], "\"a\" is an alias"), (["a", "known --json"], "\"known\" is an alias"),
    ])
    func `an alias cannot shadow a command, loop, or begin with an unknown command`(
        words: [String], said: String
    ) async {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(await qring("alias", "set", "known", "version").code == 0)
        let ran = await run(["alias", "set"] + words, environment: ["XDG_CONFIG_HOME": folder])
        #expect(ran.code == ExitCode.usage.rawValue && ran.err.contains(said), "\(ran.err)")
    }

    @Test func `a saved alias never replaces a command, and is expanded once`() {
        let set = HostCommands.commandSet()
        let aliases = ["watch": "results @", "a": "b --x", "b": "a"]
        #expect(set.expanded(["watch", "@"], aliases) == ["watch", "@"])
        #expect(set.expanded(["a", "c d"], aliases) == ["b", "--x", "c d"])
        #expect(set.expanded(["open", "a"], aliases) == ["open", "a"])
    }

    @Test func `Tab offers aliases, and completes the words after them`() {
        let completer = Completer(HostCommands.commandSet(), in: .english)
        let aliases = ["mine": "results @"]
        guard case .words(let words) = completer.answer(["mi"], aliases).wanted else {
            Issue.record("no words")
            return
        }
        #expect(words.contains { $0.word == "mine" && $0.meaning == "results @" })
        guard case .words(let options) = completer.answer(["mine", "--fol"], aliases).wanted else {
            Issue.record("no options")
            return
        }
        #expect(options.contains { $0.word == "--follow" })
    }
}
