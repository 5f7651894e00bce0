import CommandLine
import Glibc
import Phrases
import Testing

@testable import HostCommands

/// Checks the host's file of keys and commands.
struct DashboardFileTests {
    private let set = HostCommands.commandSet()

    private func read(_ text: String, mode: mode_t = 0o600) throws -> DashboardFile {
        let path = "/tmp/qring-dashboard-\(UInt64.random(in: 0 ... .max)).conf"
        try FileBytes.write(Array(text.utf8), to: path)
        defer { unlink(path) }
        #expect(chmod(path, mode) == 0)
        return try DashboardFile(path, set, in: .english)
    }

    private func fault(_ text: String, mode: mode_t = 0o600) -> String? {
        do {
            _ = try read(text, mode: mode)
            return nil
        } catch let failure as CommandFailure {
            return failure.sentence(in: .english)
        } catch {
            return "\(error)"
        }
    }

    @Test func `a file has keys and commands, and without a file there are none`() throws {
        let file = try read(
            """
            # my evening
            key.z = attendee edit @ {attendee} --status late
            key.9 = badge --copies 2
            command.badge = "my printer" --person {attendee}
            token.badge = yes
            """)
        #expect(file.keys["z"] == "attendee edit @ {attendee} --status late")
        #expect(file.commands["badge"]?.words == ["my printer", "--person", "{attendee}"])
        #expect(file.commands["badge"]?.getsToken == true)
        let none = try DashboardFile("/nonexistent/dashboard.conf", set, in: .english)
        #expect(none.keys.isEmpty && none.commands.isEmpty)
    }

    @Test func `quotes at both ends of a line belong to its words, unless they enclose the whole line`()
        throws
    {
        let file = try read(
            """
            command.badge = "my printer" --label "two words"
            command.list = "ls -l"
            key.z = "attendee list @"
            """)
        #expect(file.commands["badge"]?.words == ["my printer", "--label", "two words"])
        #expect(file.commands["list"]?.words == ["ls", "-l"])
        #expect(file.keys["z"] == "attendee list @")
    }

    @Test(arguments: [
        ("\nkeys.z = results", "line 2: \"keys.z\" must be"),
        ("key.z = resluts @", "line 1: unknown command \"resluts\". Did you mean qring results?"),
        ("key.z = results @ --folow", "line 1: unknown option --folow. Did you mean --follow?"),
        ("key.z = attendee edit @ {atendee}", "line 1: {atendee} is unknown. Did you mean {attendee}?"),
        ("key.q = results", "line 1: the dashboard uses the key q itself"),
        ("key.zz = results", "line 1: write one letter"),
        ("key.z = results\nkey.z = watch", "line 2: key.z can be set only once"),
        ("command.results = ls", "line 1: \"results\" is a command of qring"),
        ("command.a/b = ls", "line 1: the name \"a/b\" must have"),
        ("command.badge =", "line 1: write a program"),
        ("command.badge = ls\ntoken.bagde = yes", "Did you mean badge?"),
        ("command.badge = ls\ntoken.badge = maybe", "line 2: write yes or no"),
        ("results", "line 1: write key = value"),
    ])
    func `a mistake is named with its line, and with the nearest name`(text: String, said: String) {
        let fault = fault(text)
        #expect(fault?.contains(said) == true, "\(fault ?? "none")")
    }

    @Test func `a file that every user may write to is refused`() {
        #expect(fault("key.z = results", mode: 0o666)?.contains("may write to") == true)
        #expect(fault("key.z = results", mode: 0o644) == nil)
    }

    @Test func `a value stays in its word`() {
        #expect(DashboardFile.fill("--x={attendee}", session: "S", attendee: "a b; c") == "--x=a b; c")
    }
}
