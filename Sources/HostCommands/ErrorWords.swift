internal import CommandLine
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// Says what a problem of the API concerns in the words of the command line: options and arguments of the
/// failed command, and numbers of questions. The API names JSON pointers and headers, which mean nothing to a
/// person who types a command.
struct ErrorWords {
    private typealias Fail = CommandPhrases.Fail
    private let context: FailureContext

    init(_ context: FailureContext) { self.context = context }

    /// The options and arguments that fill a field of the API, if their names differ from the field's name.
    private static let names: [String: [String]] = [
        "startsAt": ["--starts", "--now"], "endsAt": ["--ends", "--for"], "checkedInAt": ["--at"],
        "lateAfterMinutes": ["--late-after"], "plannedCount": ["--planned"], "timeZone": ["--zone"],
        "codeKind": ["--rotating"], "identifyBy": ["--identify-by"], "allowOverlap": ["--allow-overlap"],
        "setupToken": ["--setup-token-file"], "publishedAs": ["--publish"],
        "oncePerDevice": ["--once-per-device"],
        "shared": ["--share"], "maxSelections": ["--most"], "copyOf": ["--again"], "code": ["CODE"],
        "joinCode": ["CODE"], "name": ["--name", "NAME"], "email": ["--email", "EMAIL"], "into": ["INTO"],
        "sequence": ["NUMBER"], "url": ["FILE"], "set": ["--set", "POLL"], "title": ["QUESTION"],
        "choices": ["--choice"], "role": ["--role"], "words": ["--word"], "moderation": ["--moderate"],
        "text": ["--text", "TEXT"], "answer": ["--text"],
    ]

    /// Returns the words for a JSON pointer, such as `--at` for `/checkedInAt` and `question 3, title` for
    /// `/questions/2/title`. Returns nil if the error concerns the whole request.
    func subject(of pointer: String?) -> String? {
        guard let pointer else { return nil }
        var parts = pointer.split(separator: "/").map {
            // RFC 6901 §3 escapes `~` and `/`.
            String($0).replacing("~1", with: "/").replacing("~0", with: "~")
        }
        if parts.first == "session" { parts.removeFirst() }
        guard let last = parts.last else { return nil }
        if parts.count == 1 { return name(of: last) }
        // Name each numbered thing on the way, such as a question and its choice. A command that asks one
        // question has options for its parts.
        var words: [String] = []
        var index = 0
        while index < parts.count {
            let part = parts[index]
            if index + 1 < parts.count, let number = Int(parts[index + 1]) {
                if Self.numbered[part] == nil { words.append(name(of: part)) }
                words.append(
                    text(
                        Self.numbered[part] ?? Fail.entry,
                        ["number": String(number + 1), "line": String(number + 1)]))
                index += 2
            } else if part == "answers", index + 1 < parts.count {
                words.append(text(Fail.answer, ["id": parts[index + 1]]))
                index += 2
            } else {
                words.append(asksOneQuestion ? name(of: part) : label(of: part))
                index += 1
            }
        }
        return words.joined(separator: ", ")
    }

    private static let numbered: [String: Phrase] = [
        "questions": Fail.question, "choices": Fail.choice, "rules": Fail.rule, "lines": Fail.line,
    ]

    /// Returns the option or argument of the failed command that fills this field; otherwise the field's
    /// label.
    private func name(of field: String) -> String {
        // The person can have typed the password, and the message names it.
        if field == "password" { return "" }
        let options = Set((context.command?.options ?? []).map { "--\($0.name)" })
        let arguments = Set((context.command?.positionals ?? []).map(\.name))
        let found = (Self.names[field] ?? []) + ["--\(field)", field.uppercased()]
        if let name = found.first(where: { options.contains($0) || arguments.contains($0) }) { return name }
        return label(of: field)
    }

    private func label(of field: String) -> String { Phrase.Record.fields[field].map { text($0) } ?? field }

    /// Whether the parts of a question are options of the failed command. In other commands an option such as
    /// `--title` belongs to the session.
    private var asksOneQuestion: Bool {
        context.command?.positionals.contains { $0.name == "QUESTION" } == true
    }

    /// Returns the problem's explanation without words of the API.
    func detail(of problem: Problem) -> String {
        switch ProblemCode(rawValue: problem.code) {
        case .versionMismatch, .preconditionRequired: text(Fail.changedMeanwhile)
        case .idempotencyKeyUsed: text(Fail.sentTwice)
        default: problem.detail
        }
    }

    /// Returns the message for one value. An option accepts more forms of a time than the API.
    func message(of error: FieldProblem) -> String {
        switch error.code {
        case "length" where error.field == "/password":
            // The server's message asks the reader of a page to type.
            text(
                Fail.passwordLength,
                [
                    "min": String(PasswordText.length.lowerBound),
                    "max": String(PasswordText.length.upperBound),
                ])
        case "not_a_time": text(Fail.notATime)
        case "outside_the_window": text(Fail.outsideWindow)
        case "same_as":
            // The message names another field by its pointer.
            Self.pointers(in: error.message).reduce(error.message) { message, pointer in
                message.replacing(pointer, with: subject(of: pointer) ?? pointer)
            }
        default: error.message
        }
    }

    private static func pointers(in message: String) -> [String] {
        message.split(separator: " ").map { String($0.prefix { !".,와과".contains($0) }) }
            .filter { $0.hasPrefix("/") && $0.count > 1 }
    }

    private func text(_ phrase: Phrase, _ values: [String: String] = [:]) -> String {
        phrase.text(in: context.language, values)
    }
}

extension CommandPhrases.Fail {
    static let question = Phrase("question {number}")
    static let choice = Phrase("choice {number}")
    static let rule = Phrase("rule {number}")
    static let entry = Phrase("entry {number}")
    static let answer = Phrase("answer to {id}")
    static let changedMeanwhile = Phrase(
        "Somebody changed it meanwhile. Check the new version, then run the command again.")
    static let sentTwice = Phrase(
        "The server has received another request with the same key. Run the command again.")
    static let notATime = Phrase(
        "This is not a time. Write, for example, 19:04, tomorrow 7pm or 2026-11-21 19:00.")
    static let passwordLength = Phrase("The password must have {min} to {max} characters.")
    static let outsideWindow = Phrase(
        "This time is outside the check-in window. Choose a status, too: --status present or --status late.")
}
