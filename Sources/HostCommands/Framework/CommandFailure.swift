package import Client
package import Phrases
internal import Terminal
internal import Wire

/// Why a command did not do what it was asked: the cause, and what to type next.
package enum CommandFailure: Error, Sendable {
    case usage(UsageError)
    case api(APIError)
    case settings(SettingsFileError)
    /// `next` is a command line.
    case said(ExitCode, Phrase, [String: String], next: String?)
    /// Everything was said already.
    case ended(ExitCode)

    package static func failed(_ phrase: Phrase, _ values: [String: String] = [:], next: String? = nil)
        -> CommandFailure
    {
        .said(.failed, phrase, values, next: next)
    }

    package var exitCode: ExitCode {
        switch self {
        case .usage: .usage
        case .api(let error): error.exitCode
        case .settings: .failed
        case .said(let code, _, _, _), .ended(let code): code
        }
    }

    /// What went wrong, in one sentence and without the program's name.
    package func sentence(in language: Language) -> String {
        let line = FailureReport(self, command: nil, language: language).lines.first ?? ""
        return line.hasPrefix("qring: ") ? String(line.dropFirst(7)) : line
    }
}

extension APIError {
    package var exitCode: ExitCode {
        switch self {
        case .problem(let problem):
            switch problem.status {
            case 401, 403: .notAllowed
            case 404: .notFound
            case 409, 412: .conflict
            default: .failed
            }
        case .timedOut: .timedOut
        case .cancelled: .interrupted
        case .unreachable, .notQRing: .failed
        }
    }
}

/// What is written to standard error about a failure.
struct FailureReport {
    let lines: [String]

    /// - Parameter command: the one that failed, for the pointer to its help.
    /// - Parameter hasToken: whether `QRING_TOKEN` speaks for the host, which signing in again would not
    ///   change.
    init(_ failure: CommandFailure, command: String?, language: Language, hasToken: Bool = false) {
        typealias Fail = CommandPhrases.Fail
        func text(_ phrase: Phrase, _ values: [String: String] = [:]) -> String {
            phrase.text(in: language, values)
        }
        func next(_ line: String) -> String { "  \(line)" }
        switch failure {
        case .ended: lines = []
        case .said(_, let phrase, let values, let following):
            lines = ["qring: \(text(phrase, values))"] + (following.map { [next($0)] } ?? [])
        case .usage(let error):
            // Of a word that no command has, the help of its group lists those that there are.
            let about =
                if case .unknownCommand(_, let group, _) = error { group } else { command.map { [$0] } ?? [] }
            lines = [
                "qring: \(error.text(in: language))",
                next((["qring", "help"] + about).joined(separator: " ")),
            ]
        case .settings(let error):
            switch error {
            case .notReadable(let path, let reason):
                lines = ["qring: \(text(Fail.settingsUnreadable, ["path": path, "reason": reason]))"]
            case .notWritable(let path, let reason):
                lines = ["qring: \(text(Fail.settingsUnwritable, ["path": path, "reason": reason]))"]
            case .notSettings(let path):
                lines = [
                    "qring: \(text(Fail.settingsBroken, ["path": path]))", next("mv \(path) \(path).broken"),
                ]
            }
        case .api(.unreachable(let url, let detail)):
            lines = [
                "qring: \(text(Fail.unreachable, ["url": url, "detail": detail]))", next("qring serve"),
                next("… --server URL"),
            ]
        case .api(.timedOut(let url)):
            lines = ["qring: \(text(Fail.timedOut, ["url": url]))", next("qring whoami --server \(url)")]
        case .api(.notQRing(let url, let status)):
            lines = [
                "qring: \(text(Fail.notQRing, ["url": url, "status": String(status)]))",
                next("… --server URL"),
            ]
        case .api(.cancelled): lines = []
        // What the server says to programs, of tokens and headers, is of no use to somebody who typed `qring
        // meeting list`.
        case .api(.problem(let problem)) where hasToken && problem.code == ProblemCode.notSignedIn.rawValue:
            lines = ["qring: \(text(Fail.tokenRefused))", next("unset QRING_TOKEN")]
        case .api(.problem(let problem)) where Self.endsASignIn(problem, command):
            lines = ["qring: \(text(Fail.signInOver))", next("qring login")]
        case .api(.problem(let problem)):
            var said = ["qring: \(problem.title). \(problem.detail)"]
            for error in problem.errors ?? [] {
                // What is wrong with all of what was sent has no field.
                let place = [error.line.map { text(Fail.line, ["line": String($0)]) }, error.field]
                    .compactMap(\.self).filter {
                        !$0.isEmpty
                    }
                said.append("  \(place.joined(separator: " "))\(place.isEmpty ? "" : ": ")\(error.message)")
            }
            if problem.status >= 500, let id = problem.requestId {
                said.append("  \(text(Fail.requestID, ["id": id]))")
            }
            if let following = Self.next(after: problem) { said.append(next(following)) }
            // A problem may quote names and messages that somebody else wrote, and any server may have sent
            // it.
            lines = said.map(TerminalEscaping.safe)
        }
    }

    /// A saved sign-in that is refused, or cannot be renewed: nobody typed anything wrong.
    private static func endsASignIn(_ problem: Problem, _ command: String?) -> Bool {
        switch ProblemCode(rawValue: problem.code) {
        case .notSignedIn: true
        case .wrongCredentials: command != "login"
        default: false
        }
    }

    private static func next(after problem: Problem) -> String? {
        switch ProblemCode(rawValue: problem.code) {
        case .sessionOverlap: "… --allow-overlap"
        case .emailTaken, .signInEnded: "qring login"
        case .setupTokenRequired: "… --setup-token-file FILE"
        case .lastOperator: "qring admin user operator EMAIL"
        case .receiptNotValid: "qring checkin CODE --name … --email …"
        default: nil
        }
    }
}

extension UsageError {
    func text(in language: Language) -> String {
        typealias Usage = CommandPhrases.Usage
        func said(_ phrase: Phrase, _ values: [String: String], near: String? = nil) -> String {
            let sentence = phrase.text(in: language, values)
            return near.map { "\(sentence) \(Usage.didYouMean.text(in: language, ["word": $0]))" } ?? sentence
        }
        return switch self {
        case .unknownCommand(let word, _, let near):
            said(Usage.unknownCommand, ["word": word], near: near.map { "qring \($0)" })
        case .unknownOption(let word, let near): said(Usage.unknownOption, ["word": word], near: near)
        case .missingValue(let option): said(Usage.missingValue, ["option": option])
        case .valueForFlag(let option): said(Usage.valueForFlag, ["option": option])
        case .notOneOf(let option, let value, let choices, let near):
            said(
                Usage.notOneOf,
                ["option": option, "value": value, "choices": choices.joined(separator: ", ")], near: near)
        case .repeated(let option): said(Usage.repeated, ["option": option])
        case .unknownField(let field, let known, let near):
            said(Usage.unknownField, ["field": field], near: near) + " "
                + Usage.knownFields.text(in: language, ["known": known.joined(separator: ", ")])
        case .unexpected(let word): said(Usage.unexpected, ["word": word])
        case .missing(let name): said(Usage.missing, ["name": name])
        case .notReadable(let option, let value, let expected):
            said(Usage.notReadable, ["option": option, "value": value, "expected": expected])
        case .together(let one, let other): said(Usage.together, ["one": one, "other": other])
        case .oneNeeded(let options): said(Usage.oneNeeded, ["options": options.joined(separator: ", ")])
        }
    }
}
