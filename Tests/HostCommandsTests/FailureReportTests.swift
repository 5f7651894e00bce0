import Client
import CommandLine
import Meetings
import Phrases
import Testing
import Wire

@testable import HostCommands

struct FailureReportTests {
    private func report(_ problem: Problem, of name: String, _ language: Language = .english) throws
        -> [String]
    {
        let command = try #require(HostCommands.all.first { $0.name == name })
        return FailureReport(.api(.problem(problem)), command: command, language: language).lines
    }

    @Test func `control characters in a problem's texts cannot move the terminal's cursor`() throws {
        let hostile = "\u{1b}[2J\u{9b}2J\u{7f}\n\u{202e}x"
        var problem = Problem(code: .confirmationNeeded, in: .english, ["name": hostile, "count": "1"])
        let rule = Rule(.not(.text("a")), message: LocalizedText(hostile))
        problem.errors = [FieldProblem(FieldError("/answers/\(hostile)", .rule(rule), line: 3), in: .english)]
        problem.requestId = hostile
        let lines = try report(problem, of: "respond")
        #expect(
            lines.count == 2 && lines[1].contains("x") && lines[1].hasPrefix("  line 3, answer to "),
            "\(lines)"
        )
        for line in lines { #expect(line.unicodeScalars.allSatisfy { !$0.isControl && $0 != "\u{202e}" }) }
    }

    @Test(
        arguments: [
            ("attendee add", "/checkedInAt", "--at"), ("meeting create", "/session/endsAt", "--ends"),
            ("meeting create", "/name", "NAME"), ("meeting edit", "/name", "--name"),
            ("meeting create", "/session/questions/2/title", "question 3, title"),
            ("question set", "/questions/0/choices/1/label", "question 1, choice 2, label"),
            ("attendee merge", "/into", "INTO"), ("session edit", "/startsAt", "--starts"),
            ("poll", "/questions/0/title", "question 1, QUESTION"), ("session edit", "/", nil),
        ])
    func `an error names the option, the argument or the question, and never a JSON pointer`(
        command: String, pointer: String, subject: String?
    ) throws {
        var problem = Problem(code: .invalidFields, in: .english)
        problem.errors = [FieldProblem(FieldError(pointer, .missing), in: .english)]
        let line = try report(problem, of: command).last ?? ""
        #expect(line == "  \(subject.map { "\($0): " } ?? "")This is required.", "\(line)")
    }

    @Test(arguments: [Language.english, .korean])
    func `a conflict of versions is explained without words of the API`(language: Language) throws {
        for code in [ProblemCode.versionMismatch, .preconditionRequired, .idempotencyKeyUsed] {
            let text = try report(Problem(code: code, in: language), of: "session edit", language)
                .joined(separator: "\n")
            for word in ["ETag", "If-Match", "Idempotency", "confirm=", "errors"] {
                #expect(!text.contains(word), "\(text)")
            }
        }
    }

    @Test(arguments: ["signup", "password reset"])
    func `the message about a short password names no option, because the person can have typed it`(
        command: String
    ) throws {
        var problem = Problem(code: .invalidFields, in: .english)
        problem.errors = [FieldProblem(FieldError("/password", .length(min: 8, max: 128)), in: .english)]
        let limits = PasswordText.length
        #expect(
            try report(problem, of: command).last
                == "  The password must have \(limits.lowerBound) to \(limits.upperBound) characters.")
    }

    @Test func `a time that the server refuses is explained in the forms that the option accepts`() throws {
        var problem = Problem(code: .invalidFields, in: .english)
        problem.errors = [FieldProblem(FieldError("/checkedInAt", .notATime), in: .english)]
        #expect(
            try report(problem, of: "attendee add").last?.hasPrefix("  --at: This is not a time.") == true)
    }
}
