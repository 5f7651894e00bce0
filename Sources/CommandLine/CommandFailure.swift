package import Phrases

/// The exit codes of all commands. The published contract lists them.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case success = 0
    case failed = 1
    case usage = 2
    /// The user is not signed in, or has no permission.
    case notAllowed = 4
    case notFound = 5
    case conflict = 6
    case timedOut = 124
    /// Ctrl-C or a signal ended the command.
    case interrupted = 130
}

/// The reason why a command failed.
package enum CommandFailure: Error, Sendable {
    case usage(UsageError)
    /// A message with its values. `next` is the command line that the user may type next.
    case said(ExitCode, Phrase, [String: String], next: String?)
    /// An error from a module that the commands use, such as an error of the API.
    case caused(any FailureCause)
    /// The command has reported the failure itself.
    case ended(ExitCode)

    package static func failed(_ phrase: Phrase, _ values: [String: String] = [:], next: String? = nil)
        -> CommandFailure
    {
        .said(.failed, phrase, values, next: next)
    }

    package var exitCode: ExitCode {
        switch self {
        case .usage: .usage
        case .caused(let cause): cause.exitCode
        case .said(let code, _, _, _), .ended(let code): code
        }
    }

    /// Whether the command has reported the failure itself.
    var isReported: Bool { if case .ended = self { true } else { false } }

    /// Returns one sentence that says what went wrong, without the program's name.
    package func sentence(in language: Language) -> String {
        let line = FailureReport(self, command: nil, language: language).lines.first ?? ""
        return line.hasPrefix("qring: ") ? String(line.dropFirst(7)) : line
    }
}

/// An error that can end a command.
package protocol FailureCause: Error {
    var exitCode: ExitCode { get }
    /// Returns the lines for standard error; empty if the user needs no report.
    func report(in context: FailureContext) -> [String]
}

/// The facts that the wording of a failure depends on.
package struct FailureContext: Sendable {
    /// The command that failed; nil if the command line named no command.
    package let command: CommandDeclaration?
    package let language: Language
    package let environment: [String: String]

    /// Returns the first line of a report.
    package func headline(_ phrase: Phrase, _ values: [String: String] = [:]) -> String {
        "qring: \(phrase.text(in: language, values))"
    }

    /// Returns a line that shows the command to type next.
    package func next(_ line: String) -> String { "  \(line)" }
}

/// The lines that a command writes to standard error when it fails.
package struct FailureReport {
    package let lines: [String]

    /// - Parameter command: the failed command, so that the report can name its options and point to its
    ///   help.
    package init(
        _ failure: CommandFailure, command: CommandDeclaration?, language: Language,
        environment: [String: String] = [:]
    ) {
        let context = FailureContext(command: command, language: language, environment: environment)
        switch failure {
        case .ended: lines = []
        case .caused(let cause): lines = cause.report(in: context)
        case .said(_, let phrase, let values, let following):
            lines = [context.headline(phrase, values)] + (following.map { [context.next($0)] } ?? [])
        case .usage(let error):
            // If the command is unknown, point to the help of its group, which lists the existing commands.
            let about =
                if case .unknownCommand(_, let group, _) = error { group } else {
                    command.map { [$0.name] } ?? []
                }
            lines = [
                "qring: \(error.text(in: language))",
                context.next((["qring", "help"] + about).joined(separator: " ")),
            ]
        }
    }
}

extension UsageError {
    func text(in language: Language) -> String {
        typealias Usage = CommandPhrases.Usage
        func sentence(_ phrase: Phrase, _ values: [String: String], near: String? = nil) -> String {
            let sentence = phrase.text(in: language, values)
            return near.map { "\(sentence) \(Usage.didYouMean.text(in: language, ["word": $0]))" } ?? sentence
        }
        return switch self {
        case .unknownCommand(let word, _, let near):
            sentence(Usage.unknownCommand, ["word": word], near: near.map { "qring \($0)" })
        case .unknownOption(let word, let near): sentence(Usage.unknownOption, ["word": word], near: near)
        case .missingValue(let option): sentence(Usage.missingValue, ["option": option])
        case .valueForFlag(let option): sentence(Usage.valueForFlag, ["option": option])
        case .notOneOf(let option, let value, let choices, let near):
            sentence(
                Usage.notOneOf,
                ["option": option, "value": value, "choices": choices.joined(separator: ", ")], near: near)
        case .repeated(let option): sentence(Usage.repeated, ["option": option])
        case .unknownField(let field, let known, let near):
            sentence(Usage.unknownField, ["field": field], near: near) + " "
                + Usage.knownFields.text(in: language, ["known": known.joined(separator: ", ")])
        case .unexpected(let word): sentence(Usage.unexpected, ["word": word])
        case .missing(let name): sentence(Usage.missing, ["name": name])
        case .notReadable(let option, let value, let expected):
            sentence(Usage.notReadable, ["option": option, "value": value, "expected": expected])
        case .outOfRange(let option, let range):
            sentence(
                range.upperBound == .max ? Usage.atLeast : Usage.outOfRange,
                [
                    "option": option, "least": String(range.lowerBound), "most": String(range.upperBound),
                ])
        case .together(let one, let other): sentence(Usage.together, ["one": one, "other": other])
        case .oneNeeded(let options): sentence(Usage.oneNeeded, ["options": options.joined(separator: ", ")])
        }
    }
}

extension CommandPhrases {
    enum Usage {
        static let earlierOrder = Phrase(
            "Write the session first: {command}. The next version accepts only this order.")
        static let didYouMean = Phrase("Did you mean {word}?")
        static let unknownCommand = Phrase("unknown command \"{word}\".")
        static let unknownOption = Phrase("unknown option {word}.")
        static let missingValue = Phrase("{option} needs a value.")
        static let valueForFlag = Phrase("{option} takes no value.")
        static let notOneOf = Phrase("{option} must be one of {choices}, not \"{value}\".")
        static let repeated = Phrase("{option} can be given only once.")
        static let perhapsField = Phrase(
            "\"{word}\" after --json was read as an argument. The fields are: {known}.")
        static let unknownField = Phrase("unknown field \"{field}\".")
        static let knownFields = Phrase("Known: {known}.")
        static let unexpected = Phrase("unexpected argument \"{word}\".")
        static let missing = Phrase("{name} is missing.")
        static let notReadable = Phrase("{option} cannot be \"{value}\". Write, for example, {expected}.")
        static let outOfRange = Phrase("{option} must be a number from {least} to {most}.")
        static let atLeast = Phrase("{option} must be a number of at least {least}.")
        static let together = Phrase("{one} and {other} cannot be used together.")
        static let oneNeeded = Phrase("one of {options} is required.")
    }
}
