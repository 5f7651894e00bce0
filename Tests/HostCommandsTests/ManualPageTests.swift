import CommandLine
import Phrases
import Testing

@testable import HostCommands

struct ManualPageTests {
    @Test(arguments: Language.forHosts)
    func `every command has a manual page with its summary, options and examples`(language: Language) throws {
        let pages = ManualPage.all(of: HostCommands.commandSet(), in: language, date: "2026-11-20")
        let groups = Set(pages.map(\.fileName)).subtracting(
            HostCommands.all.map { "qring-\($0.path.joined(separator: "-")).1" } + ["qring.1"])
        #expect(groups.contains("qring-meeting.1") && groups.contains("qring-meeting-members.1"))
        #expect(pages.count == HostCommands.all.count + groups.count + 1)
        let names = pages[0].text.split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("\\fBqring ") && $0.hasSuffix("\\fR") }
        let sorted = HostCommands.all.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        #expect(names == sorted.map { "\\fB\(Roff.escaped("qring \($0.name)"))\\fR" })
        for command in HostCommands.all {
            let page = try #require(
                pages.first { $0.fileName == "qring-\(command.path.joined(separator: "-")).1" })
            for option in command.allOptions {
                #expect(page.text.contains("\\fB\(Roff.escaped("--\(option.name)"))\\fR"))
            }
            for example in command.examples {
                #expect(page.text.contains(Roff.escaped("qring \(example.line)")))
            }
            #expect(page.text.contains(Roff.escaped(command.summary.text(in: language))))
        }
        for code in ExitCode.allCases { #expect(pages[0].text.contains("\\fB\(code.rawValue)\\fR")) }
    }

    @Test func `text is escaped so that roff reads no part of it as a command`() {
        #expect(Roff.escaped(".a\\b -c 'd'") == "\\&.a\\eb \\-c \\(aqd\\(aq")
        #expect(Roff.placeholder("[SESSION|MEETING]") == "[\\fISESSION\\fR|\\fIMEETING\\fR]")
    }

    @Test func `the message for a folder that cannot be created names the folder`() async {
        let result = await run(["help", "--man", "/proc/nonexistent"])
        #expect(result.code == 1)
        #expect(result.err.contains("/proc/nonexistent"))
    }
}
