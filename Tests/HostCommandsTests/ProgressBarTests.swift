import CommandLine
import HostCommands
import Phrases
import Testing

struct ProgressBarTests {
    @Test func `the progress bar is shown only if standard error is a terminal`() throws {
        let command = try #require(HostCommands.all.first { $0.name == "simulate" })
        for isTerminal in [false, true] {
            let console = RecordingConsole(errIsTerminal: isTerminal)
            let call = try Invocation(
                command: command, arguments: try Arguments(["@", "--attendees", "1"], for: command),
                environment: [:], console: console, language: .english,
                commandSet: HostCommands.commandSet())
            let bar = ProgressBar(call)
            bar.show(Phrase("copying"), 1, of: 2)
            bar.above { call.out("line") }
            bar.end()
            #expect(console.printed == "line\n")
            #expect(console.complained.contains("50%") == isTerminal)
            #expect(console.complained.hasSuffix("\u{1B}[K") == isTerminal)
        }
    }
}
