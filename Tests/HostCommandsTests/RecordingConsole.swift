import CommandLine
import HostCommands
import Synchronization

/// A console that records its output, and answers prompts with texts from the test.
final class RecordingConsole: Console {
    private struct State {
        var out: [UInt8] = []
        var err = ""
        var typed: [String]
        var asked: [(prompt: String, hidden: Bool)] = []
    }

    private let state: Mutex<State>
    private let input: String
    let outIsTerminal: Bool
    let inIsTerminal: Bool
    let width: Int?
    let errIsTerminal: Bool
    let lostOutput: String?
    var errWidth: Int? { errIsTerminal ? 80 : nil }

    /// Creates a console. Standard input is a terminal only if `typed` is not nil.
    init(
        typed: [String]? = nil, input: String = "", outIsTerminal: Bool = false, errIsTerminal: Bool = false,
        width: Int? = nil, lostOutput: String? = nil
    ) {
        state = Mutex(State(typed: typed ?? []))
        inIsTerminal = typed != nil
        self.input = input
        self.outIsTerminal = outIsTerminal
        self.errIsTerminal = errIsTerminal
        self.width = width
        self.lostOutput = lostOutput
    }

    func out(_ bytes: [UInt8]) { state.withLock { $0.out += bytes } }
    func err(_ text: String) { state.withLock { $0.err += text } }

    func ask(_ prompt: String, hidden: Bool) async -> String? {
        state.withLock { state in
            state.asked.append((prompt, hidden))
            return state.typed.isEmpty ? nil : state.typed.removeFirst()
        }
    }

    func readInput() async -> [UInt8] { Array(input.utf8) }
    func restoreTerminal() -> Bool { false }

    var printed: String { state.withLock { String(decoding: $0.out, as: UTF8.self) } }
    var complained: String { state.withLock { $0.err } }
    var asked: [(prompt: String, hidden: Bool)] { state.withLock { $0.asked } }
}

/// Runs a command line without a settings file, against an address without a server.
func run(
    _ arguments: [String], console: RecordingConsole = RecordingConsole(),
    environment: [String: String] = [:],
    extra: [CommandDeclaration] = []
) async -> (code: Int32, out: String, err: String) {
    let standing = ["XDG_CONFIG_HOME": "/nonexistent", "QRING_SERVER": "http://127.0.0.1:1"]
    let code = await HostCommands.run(
        arguments: arguments, environment: standing.merging(environment) { $1 }, extra: extra,
        console: console, catchesSignals: false)
    return (code, console.printed, console.complained)
}
