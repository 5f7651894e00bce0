import Client
import CommandLine
import Meetings
import Phrases
import Testing
import Wire

@testable import HostCommands

struct FailureReportTests {
    @Test func `control characters in a problem's texts cannot move the terminal's cursor`() {
        let hostile = "\u{1b}[2J\u{9b}2J\u{7f}\n\u{202e}x"
        var problem = Problem(code: .confirmationNeeded, in: .english, ["name": hostile, "count": "1"])
        let rule = Rule(.not(.text("a")), message: LocalizedText(hostile))
        problem.errors = [FieldProblem(FieldError("/answers/\(hostile)", .rule(rule), line: 3), in: .english)]
        problem.requestId = hostile
        let lines = FailureReport(.api(.problem(problem)), command: "respond", language: .english).lines
        #expect(
            lines.count == 2 && lines[1].contains("x") && lines[1].hasPrefix("  line 3 /answers/"), "\(lines)"
        )
        for line in lines { #expect(line.unicodeScalars.allSatisfy { !$0.isControl && $0 != "\u{202e}" }) }
    }
}
