internal import JSONQueries
internal import Phrases
internal import Synchronization
internal import Terminal

/// Prints the JSON of one command as its options want it: selected fields, JSON Lines, the results of a
/// program of jq, or the text of a template. On a terminal, it lays the JSON out and colours it.
package final class JSONOutput: Sendable {
    private let console: any Console
    private let paint: Paint
    private let selection: JSONSelection?
    private let query: JSONQuery?
    private let template: JSONTemplate?
    private let isLines: Bool
    /// The message of the first run of the program that failed.
    private let failure = Mutex<String?>(nil)

    /// The options with which a command prints JSON instead of text.
    static let options = ["json", "jsonl", "jq", "template"]

    /// - Throws: `.said` if the program of `--jq` is wrong; `.usage` if the template is.
    init(_ command: CommandDeclaration, _ arguments: Arguments, console: any Console, paint: Paint)
        throws(CommandFailure)
    {
        self.console = console
        self.paint = paint
        selection = arguments.value("json").map { JSONSelection($0) }
        isLines = arguments.has("jsonl")
        if let program = arguments.value("jq") {
            do throws(JSONQueryError) { query = try JSONQuery(program) } catch {
                throw .said(.usage, CommandPhrases.Fail.wrongQuery, ["reason": error.reason], next: nil)
            }
        } else {
            query = nil
        }
        if let text = arguments.value("template") {
            if let other = Self.options.dropLast().first(where: arguments.isGiven) {
                throw .usage(.together("--template", "--\(other)"))
            }
            template = try JSONTemplate(
                text, fieldsOf: command.options.first { $0.name == "json" } ?? .json)
        } else {
            template = nil
        }
    }

    /// Prints one JSON text.
    /// - Parameter isLine: whether the text is one of many, and always gets a line of its own.
    func print(_ text: [UInt8], isLine: Bool) {
        if let template { return console.out(template.applied(to: text)) }
        let chosen = selection.map { $0.applied(to: text) } ?? text
        if isLines, let elements = JSONTokens.elements(of: chosen) {
            for element in elements { printOne(Array(element), isLine: true) }
        } else {
            printOne(chosen, isLine: isLine || isLines)
        }
    }

    private func printOne(_ text: [UInt8], isLine: Bool) {
        guard let query else { return write(text, isLine: isLine) }
        do throws(JSONQueryError) {
            try query.run(on: text) { result in
                switch result {
                // On a terminal, a text of other people could move the cursor.
                case .text(let text):
                    console.outLine(console.outIsTerminal ? TerminalEscaping.safeLines(text) : text)
                case .json(let json): write(json, isLine: isLine)
                }
                return !Task.isCancelled && console.lostOutput == nil
            }
        } catch {
            failure.withLock { $0 = $0 ?? error.reason }
        }
    }

    private func write(_ text: [UInt8], isLine: Bool) {
        let laidOut =
            console.outIsTerminal ? JSONLayout(paint: paint, isTall: !isLine).applied(to: text) : text
        console.out(laidOut + [UInt8(ascii: "\n")])
    }

    /// Throws if the program of `--jq` did not fit the data.
    func check() throws(CommandFailure) {
        guard let reason = failure.withLock({ $0 }) else { return }
        throw .failed(CommandPhrases.Fail.queryFailed, ["reason": reason])
    }
}

extension JSONQueryError {
    fileprivate var reason: String {
        switch self {
        case .program(let reason), .run(let reason): TerminalEscaping.safe(reason)
        }
    }
}

extension CommandPhrases.Fail {
    static let wrongQuery = Phrase("--jq cannot be read: {reason}.")
    static let queryFailed = Phrase("--jq failed: {reason}.")
}
