import CommandLine
import HostCommands
import Synchronization
import Testing

@testable import Bench

@Suite struct CommandLineTests {
    @Test(
        arguments: [
            ["check-in", "--seconds", "0"], ["check-in", "--seconds", "61"], ["check-in", "--seconds", "x"],
            ["check-in", "--connections", "0"], ["check-in", "--connections", "1025"],
            ["check-in", "--against", "65536"],
            ["check-in", "--watchers", "-1"], ["fan-out", "--rate", "0"], ["storm", "--rate", "1"],
            ["idle", "--connections", "4"],
            ["storm", "--check-ins", "50001"],
            ["idle", "--watchers", "10001"], ["idle", "--log", "loud"], ["everything"],
            ["abuse", "--attendees", "100001"], ["abuse", "--roster", "20001"], ["abuse", "--sessions", "1"],
            ["abuse", "--file-kb", "1025"], ["abuse", "--abusers", "0"], ["abuse", "--limit", "0"],
            ["read", "--attendees", "0"], ["read", "--searched", "100001"], ["read", "--rate", "5"],
            ["responses", "--check-ins", "0"], ["check-in", "--floors"],
            ["abuse", "--watchers", "5"], ["check-in", "--roster", "5"],
        ])
    func `the bench command rejects an invalid command line as a usage error`(_ words: [String]) async {
        let code = await HostCommands.run(
            arguments: ["bench"] + words, environment: [:], extra: BenchCommands.all,
            console: SilentConsole(), catchesSignals: false)
        #expect(code == ExitCode.usage.rawValue)
    }

    @Test func `each benchmark has a help text in both languages`() async {
        for kind in BenchPlan.Kind.allCases {
            for language in ["en", "ko"] {
                let console = SilentConsole()
                let code = await HostCommands.run(
                    arguments: ["bench", kind.rawValue, "--help", "--lang", language], environment: [:],
                    extra: BenchCommands.all,
                    console: console, catchesSignals: false)
                #expect(
                    code == 0 && console.text.contains("qring bench \(kind.rawValue)")
                        && console.text.contains("--json"))
            }
        }
    }
}

private final class SilentConsole: Console {
    private let written = Mutex("")
    var text: String { written.withLock { $0 } }
    let (outIsTerminal, inIsTerminal) = (false, false)
    let width: Int? = nil

    func out(_ bytes: [UInt8]) { written.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
    func err(_ text: String) {}
    func ask(_ prompt: String, hidden: Bool) async -> String? { nil }
    func readInput() async -> [UInt8] { [] }
    func restoreTerminal() -> Bool { false }
}
