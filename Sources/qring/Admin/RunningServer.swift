import Client
import CommandLine
import FoundationEssentials
import HostCommands
import Journal
import Meetings
import Outbound
import Phrases
import Server
import Synchronization
import Wire

/// The data of a server, for commands that read and change it as the server does.
enum OperatorData: Sendable {
    /// The command opens the data. If a server has the data folder open, the server runs the command line
    /// instead, with the answers that the console has recorded.
    case stored(RecordingConsole)
    /// The server that runs the command has the data open.
    case served(Storage, folder: String)
}

/// The console of a command that a server may have to repeat. It remembers what the person has typed.
final class RecordingConsole: Console {
    private let console = StandardConsole()
    private let typed = Mutex<(answers: [String], input: [UInt8])>(([], []))

    var answers: [String] { typed.withLock { $0.answers } }
    var input: [UInt8] { typed.withLock { $0.input } }

    func ask(_ prompt: String, hidden: Bool) async -> String? {
        let answer = await console.ask(prompt, hidden: hidden)
        if let answer { typed.withLock { $0.answers.append(answer) } }
        return answer
    }

    func readInput() async -> [UInt8] {
        let bytes = await console.readInput()
        typed.withLock { $0.input = bytes }
        return bytes
    }

    var outIsTerminal: Bool { console.outIsTerminal }
    var inIsTerminal: Bool { console.inIsTerminal }
    var errIsTerminal: Bool { console.errIsTerminal }
    var width: Int? { console.width }
    var errWidth: Int? { console.errWidth }
    var height: Int? { console.height }
    var lostOutput: String? { console.lostOutput }
    func out(_ bytes: [UInt8]) { console.out(bytes) }
    func err(_ text: String) { console.err(text) }
    func page(through command: String, environment: [String: String]) {
        console.page(through: command, environment: environment)
    }
    func endPaging() { console.endPaging() }
    func restoreTerminal() -> Bool { console.restoreTerminal() }
}

/// The console of a command that a server runs. It gives the recorded answers, and collects the output.
private final class AnsweringConsole: Console {
    private struct State {
        var answers: ArraySlice<String>
        var out: [UInt8] = []
        var err = ""
    }

    private let state: Mutex<State>
    private let input: [UInt8]
    let inIsTerminal: Bool
    let width: Int?
    let errWidth: Int?
    var outIsTerminal: Bool { width != nil }
    let lostOutput: String? = nil

    init(_ command: OperatorCommand) {
        state = Mutex(State(answers: command.answers[...]))
        (input, inIsTerminal) = (Array(command.input.utf8), command.asks)
        // Any program of the server's user can connect.
        (width, errWidth) = (Self.usable(command.width), Self.usable(command.errWidth))
    }

    private static func usable(_ width: Int?) -> Int? { width.map { min(max($0, 1), 10_000) } }

    func answer(_ code: Int32) -> OperatorAnswer {
        state.withLock {
            OperatorAnswer(code: code, out: String(decoding: $0.out, as: UTF8.self), err: $0.err)
        }
    }

    func out(_ bytes: [UInt8]) { state.withLock { $0.out += bytes } }
    func err(_ text: String) { state.withLock { $0.err += text } }
    func ask(_ prompt: String, hidden: Bool) async -> String? { state.withLock { $0.answers.popFirst() } }
    func readInput() async -> [UInt8] { input }
    func restoreTerminal() -> Bool { false }
}

/// Runs the operator's commands in the server that has the data open.
struct ServedCommands: OperatorCommands {
    let folder: String

    func run(_ command: OperatorCommand, on storage: Storage) async -> OperatorAnswer {
        let console = AnsweringConsole(command)
        let commands = commands(on: .served(storage, folder: folder)).map {
            // The process that was started by the operator has read the file of settings.
            $0.with(.config) { call in call }
        }
        let set = CommandSet(
            commands, version: ProductVersion.text, headline: Messages.headline, overviewExamples: [],
            sections: [], otherCommands: Messages.headline, topics: [], valueCandidates: { _, _, _, _ in [] })
        let code = await set.run(
            arguments: command.words, environment: command.environment, console: console,
            catchesSignals: false, preferences: Preferences())
        return console.answer(code)
    }
}

private typealias Messages = CommandPhrases.RunningServer

/// The commands that need the journal, so that a running server must run them.
func commands(on data: OperatorData) -> [CommandDeclaration] {
    userCommands(on: data) + personCommands(on: data) + mailChanges(on: data)
        + certificateKeyCommands(on: data)
}

extension Invocation {
    /// The time zone of the person who has typed the command. The server that runs it can have another one.
    var zone: Zone { environment["TZ"].flatMap { Zone($0) } ?? .current }

    /// The variables that decide how the output looks.
    private var environmentOfOutput: [String: String] {
        var variables = environment.filter {
            ["TERM", "NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG"].contains($0.key)
        }
        variables["QRING_LANG"] = language.rawValue
        variables["TZ"] = zone.name
        return variables
    }

    private static let mostTries = 10

    /// Lets the server that has the data folder open run this command line, and prints its answer.
    /// The server sends all of its JSON, which this process shapes. A program of `--jq` could stop the
    /// server.
    /// - Returns: the exit code; nil if no server answers at the folder's socket.
    func runInServer(_ recorded: RecordingConsole) async throws(CommandFailure) -> ExitCode? {
        guard OperatorSocket.isOpen(in: dataFolderPath) else { return nil }
        var request = OutboundRequest("POST", "http://localhost/command", timeout: .seconds(600))
        request.unixSocket = OperatorSocket.path(in: dataFolderPath)
        var words = command.path + arguments.writtenWithoutJSON + (wantsJSON ? ["--json"] : [])
        var input = recorded.input
        if let path = arguments.value("password-file"), path != "-" {
            // The server may be in another folder, so it reads the file from its input.
            input = Array(try await contents(of: path).prefix { $0 != UInt8(ascii: "\n") })
            words = words.map { $0 == "--password-file=\(path)" ? "--password-file=-" : $0 }
            if let option = words.firstIndex(of: "--password-file") { words[option + 1] = "-" }
        }
        let typed = OperatorCommand(
            words: words, environment: environmentOfOutput, width: wantsJSON ? nil : console.width,
            errWidth: console.errWidth, answers: recorded.answers,
            input: String(decoding: input, as: UTF8.self), asks: mayAsk)
        guard let body = try? JSONEncoder().encode(typed) else { return nil }
        request.body = Array(body)
        let transport = HTTPTransport(environment: environment)
        var response: OutboundResponse
        var tries = 0
        do {
            repeat {
                if tries > 0 { try await Task.sleep(for: .seconds(1)) }
                tries += 1
                // The server refuses before it runs anything if it runs other commands.
                response = try await transport.send(request)
            } while response.status == 503 && tries < Self.mostTries
        } catch TransportError.responseTooLarge {
            throw .failed(Messages.tooLarge)
        } catch {
            let isInterrupted = error is CancellationError || error as? TransportError == .cancelled
            throw .said(isInterrupted ? .interrupted : .failed, Messages.unclear, [:], next: nil)
        }
        guard response.status == 200,
            let answer = try? JSONDecoder().decode(OperatorAnswer.self, from: Data(response.body)),
            let code = ExitCode(rawValue: answer.code)
        else { throw .failed(Messages.refused, ["status": "\(response.status)"]) }
        if wantsJSON, code == .success {
            out(json: Array(answer.out.utf8))
            try checkJSON()
        } else {
            console.out(answer.out)
        }
        console.err(answer.err)
        try checkOutput()
        return code
    }
}

extension CommandPhrases {
    enum RunningServer {
        static let headline = Phrase("Commands that the running server executes")
        static let unclear = Phrase(
            "The answer of the running server is missing. Check whether the command has had its effect "
                + "before you repeat it.")
        static let tooLarge = Phrase(
            "The answer of the running server is larger than 16 MB. Stop the server, and run the command "
                + "again.")
        static let refused = Phrase(
            "The running server did not run the command (status {status}). Try again in a minute. If it "
                + "happens again, stop the server first.")
    }
}
