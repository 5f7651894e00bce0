import CommandLine
import Foundation
import HostCommands
import Phrases
import Testing

struct CommandLineTests {
    @Test func `qring without a command prints an overview`() async {
        let result = await run([])
        #expect(result.code == 0)
        #expect(result.out.contains("meeting create") && result.out.contains("watch"))
    }

    @Test(
        arguments: [
            (["meetng", "create"], "Did you mean qring meeting?"),
            (["meeting", "crate"], "Did you mean qring meeting create?"),
            (["continue"], "Did you mean qring meeting continue?"), (["lgoin"], "Did you mean qring login?"),
            (["meeting", "create", "X", "--startz", "now"], "Did you mean --starts?"),
            (["meeting", "create", "X", "--now", "--identify-by", "mail"], "Did you mean email?"),
            (["session", "edit", "@", "--late", "5"], "Did you mean --late-after?"),
            (["meeting", "lst"], "\n  qring help meeting\n"),
            (["meeting", "members", "Study group"], "\n  qring help meeting members\n"),
            (["help", "nonsense"], "\n  qring help\n"),
        ])
    func `a mistyped command or option gets a suggestion or a help command`(line: [String], hint: String)
        async
    {
        let result = await run(line)
        #expect(result.code == 2)
        #expect(result.err.contains(hint), "\(result.err)")
        #expect(result.out.isEmpty)
    }

    @Test(
        arguments: [
            ["meeting", "create"], ["meeting", "create", "X"],
            ["meeting", "create", "X", "Y", "--now"],
            ["meeting", "create", "X", "--for"], ["meeting", "create", "X", "--now", "--now=yes"],
            ["meeting", "create", "X", "--starts", "soon"],
            ["meeting", "create", "X", "--now", "--starts", "19:00"],
            ["meeting", "create", "X", "--now", "--for", "2"],
            ["meeting", "create", "X", "--now", "--zone", "Mars/Olympus"],
            ["meeting", "create", "X", "--now", "--planned", "many"],
            ["meeting", "create", "X", "--now", "--for", "2h", "--for", "3h"],
            ["meeting", "create", "X", "--now", "--for", "2h", "--ends", "19:00"],
            ["watch", "--until", "soon"], ["watch", "--since", "5"],
            ["meeting", "continue", "X"],
            ["meeting", "continue", "X", "--now", "--starts", "19:00"], ["simulate", "@"],
            ["simulate", "@", "--attendees", "0"],
            ["whoami", "--server", "ftp://x"], ["--frobnicate"], ["nothing"],
            ["login", "--email", "a@b.c"],
        ])
    func `an invalid command line is a usage error, and the command prints no output`(line: [String]) async {
        let result = await run(line)
        #expect(result.code == 2, "\(result.err)")
        #expect(!result.err.isEmpty)
        #expect(result.out.isEmpty)
    }

    @Test func `the name of a group alone lists its commands`() async {
        let result = await run(["meeting"])
        #expect(result.code == 0 && result.err.isEmpty)
        #expect(result.out.contains("meeting create") && result.out.contains("meeting members list"))
    }

    @Test func `a command whose output is lost fails with the reason`() async {
        for line in [["version"], ["help"], ["meeting"], ["watch", "--help"]] {
            let console = RecordingConsole(lostOutput: "No space left on device")
            let result = await run(line, console: console)
            #expect(result.code == 1)
            #expect(
                result.err == "qring: standard output cannot be written: No space left on device.\n",
                "\(result.err)")
        }
    }

    @Test func `no caption of an example repeats the command's summary`() {
        for command in HostCommands.all {
            let page = HelpText.page(command, in: .english)
            let summary = command.summary.english
            #expect(!page.split(separator: "\n").dropFirst().contains { $0.hasSuffix("      " + summary) })
        }
    }

    @Test func `the command line is checked before any request to the server`() async {
        let result = await run(["simulate", "@", "--attendees", "0"])
        #expect(!result.err.contains("127.0.0.1"))
    }

    @Test(arguments: [["whoami"], ["meeting", "list"], ["watch"], ["results", "@"], ["attendee", "list"]])
    func `a user who is not signed in gets the login command to type`(line: [String]) async {
        let result = await run(line)
        #expect(result.code == 4)
        #expect(result.err.contains("qring login --server http://127.0.0.1:1"))
    }

    @Test func `the message for an unreachable server names the server and the next step`() async {
        let result = await run(["whoami"], environment: ["QRING_TOKEN": "t"])
        #expect(result.code == 1)
        #expect(result.err.contains("http://127.0.0.1:1") && result.err.contains("qring serve"))
    }

    @Test func `without a terminal, login requires a password file`() async {
        let result = await run(["login", "--email", "a@b.c"])
        #expect(result.code == 2)
        #expect(result.err.contains("--password-file"))
    }

    @Test func `signup asks for nothing if there is no server`() async {
        let console = RecordingConsole(typed: ["a@b.c", "A", "password1", "password1"])
        let result = await run(["signup"], console: console)
        #expect(result.code == 1 && console.asked.isEmpty)
        #expect(result.err.contains("http://127.0.0.1:1") && result.err.contains("qring serve"))
    }

    @Test func `at a terminal, a new password is hidden and typed twice`() async throws {
        let console = RecordingConsole(typed: ["password1", "password2"])
        let command = try #require(HostCommands.all.first { $0.name == "signup" })
        let call = try Invocation(
            command: command, arguments: try Arguments([], for: command), environment: [:], console: console,
            language: .english, commandSet: HostCommands.commandSet())
        do {
            _ = try await call.password(twice: true)
            Issue.record("the passwords differ")
        } catch {
            #expect(error.sentence(in: .english).contains("two passwords differ"))
        }
        #expect(console.asked.map(\.hidden) == [true, true])
    }

    @Test func `no command has an option for a secret`() {
        for command in HostCommands.all {
            #expect(
                !command.allOptions.contains { ["password", "token", "receipt"].contains($0.name) },
                "\(command.name)")
        }
    }

    @Test func `the next session takes every option of the first one that concerns a session`() throws {
        func options(_ name: String) throws -> Set<String> {
            Set(try #require(HostCommands.all.first { $0.name == name }).allOptions.map(\.name))
        }
        // The others are settings of the meeting.
        #expect(
            try options("meeting create").subtracting(try options("meeting continue")) == [
                "accent", "consent", "language", "regulars", "zone",
            ])
    }

    @Test func `respond without a saved check-in names the checkin command`() async {
        let result = await run(["respond", "--answers", "-"])
        #expect(result.code == 5)
        #expect(result.err.contains("qring checkin"))
    }

    @Test func `the version command and the version option print the same text`() async {
        let asked = await run(["--version"])
        #expect(asked.code == 0)
        #expect(asked.out == (await run(["version"]).out))
        #expect(asked.err.isEmpty)
    }

    @Test func `the version is printed as text or as JSON`() async {
        #expect(await run(["version"]).out.hasPrefix("qring "))
        #expect(await run(["version", "--json"]).out.hasPrefix(#"{"version":""#))
    }

    @Test(
        arguments: [
            (["--lang", "ko", "nothing"], [:], true), (["nothing", "--lang=ko"], [:], true),
            (["nothing"], ["QRING_LANG": "ko"], true),
            (["nothing"], ["LANG": "ko_KR.UTF-8"], true), (["nothing"], ["LANG": "C"], false),
            (["nothing", "--lang", "en"], ["QRING_LANG": "ko"], false),
        ] as [([String], [String: String], Bool)])
    func `the language option overrides QRING_LANG, and QRING_LANG overrides the terminal's locale`(
        line: [String], environment: [String: String], korean: Bool
    ) async {
        let result = await run(line, environment: environment)
        #expect(result.err.contains("알 수 없는 명령입니다") == korean, "\(result.err)")
    }

    @Test func `a program can add its own commands to the command set`() async {
        let serve = CommandDeclaration(
            "serve", Phrase("start"), options: [.value("listen", "ADDRESS", Phrase("a"))]
        ) {
            (call) async throws(CommandFailure) in
            call.out("on \(call.arguments.value("listen") ?? "?")")
            return .conflict
        }
        let result = await run(["serve", "--listen", "127.0.0.1:9"], extra: [serve])
        #expect(result.code == 6)
        #expect(result.out == "on 127.0.0.1:9\n")
        #expect(await run(["help"], extra: [serve]).out.contains("serve"))
    }

    @Test func `the message for a missing file has its path and the reason in one sentence`() async {
        let result = await run(["login", "--email", "a@b.c", "--password-file", "/nonexistent/word"])
        #expect(result.code == 1)
        #expect(
            result.err.hasPrefix("qring: /nonexistent/word cannot be read: No such file or directory.\n"),
            "\(result.err)")
    }
}
