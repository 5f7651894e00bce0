import Foundation
import Meetings
import Testing

/// A pattern engine that searches for the pattern as plain text, so that the test needs no real engine.
struct PlainPatterns: PatternMatching {
    func refusal(of pattern: String) -> String? { nil }
    func matches(_ text: String, _ pattern: String) -> Bool { text.contains(pattern) }
}

struct RuleTests {
    private func holds(_ test: Rule.Test, _ answer: Answer, beside answers: Answers = [:]) -> Bool {
        test.holds(for: answer, beside: answers, by: PlainPatterns())
    }

    /// Texts with the number of characters that people count in them.
    private static let lengths: [(text: String, count: Int)] = [
        ("ab", 2), ("가나", 2), ("e\u{301}e\u{301}", 2),
        ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", 2), ("👩‍💻👨‍👩‍👧‍👦", 2),
        ("🇰🇷🇨🇭", 2), ("👍🏽👍", 2), ("a\r\n", 2), ("각", 1), ("\u{1100}\u{1161}\u{11A8}", 1),
        ("👩‍👩‍👧‍👦", 1), ("ㄱㄴㄷ", 3),
        ("z\u{300}\u{301}\u{302}", 1),
    ]

    @Test(arguments: lengths) func `a length is the number of characters that a person counts`(
        text: String, count: Int
    ) {
        #expect(holds(.minMaxLength(min: count, max: count), .text(text)))
        #expect(!holds(.minMaxLength(min: count + 1, max: nil), .text(text)))
        #expect(holds(.minMaxLength(min: count - 1, max: nil), .text(text)))
        #expect(!holds(.minMaxLength(min: nil, max: count - 1), .text(text)))
        #expect(holds(.minMaxLength(min: nil, max: count + 1), .text(text)))
        #expect(holds(.minMaxLength(min: nil, max: nil), .text(text)))
    }

    @Test(arguments: [(0, false), (1, false), (2, true), (3, true), (4, false)])
    func `the length of an answer with choices is their number`(count: Int, isTaken: Bool) {
        let ids = ["a", "b", "c", "d"].prefix(count).map { $0 }
        #expect(holds(.minMaxLength(min: 2, max: 3), .choices(ids)) == isTaken)
    }

    @Test(arguments: [(18.9999, false), (19, true), (20, true), (65, true), (65.0001, false), (-1, false)])
    func `a rule's bounds are allowed values`(number: Double, isTaken: Bool) {
        #expect(holds(.minMax(min: 19, max: 65), .number(number)) == isTaken)
        #expect(holds(.minMax(min: 19, max: nil), .number(number)) == (number >= 19))
        #expect(holds(.minMax(min: nil, max: 65), .number(number)) == (number <= 65))
        #expect(holds(.minMax(min: nil, max: nil), .number(number)))
    }

    @Test func `not and sameAs compare whole values, in any Unicode composition`() {
        #expect(!holds(.not(.text("없음")), .text("없음")))
        #expect(!holds(.not(.text("caf\u{e9}")), .text("cafe\u{301}")))
        #expect(holds(.not(.text("없음")), .text("없음 ")))
        #expect(!holds(.not(.number(0)), .number(0)))
        #expect(holds(.not(.number(0)), .number(0.1)))
        #expect(!holds(.not(.text("a")), .choices(["b", "a"])))
        #expect(holds(.not(.text("a")), .choices(["b"])))
        #expect(holds(.sameAs(.text("yes")), .text("yes")))
        #expect(!holds(.sameAs(.text("yes")), .text("Yes")))
        #expect(holds(.sameAs(.number(4)), .rating(4)))
        #expect(holds(.sameAs(.text("a")), .choices(["a", "b"])))
        #expect(!holds(.sameAs(.text("a")), .choices(["b"])))
    }

    @Test func `sameAs another question needs the same answer, and that question must be answered`() {
        let other = QuestionID(high: 1, low: 1)
        #expect(holds(.sameAsQuestion(other), .text("x"), beside: [other: .text("x")]))
        #expect(!holds(.sameAsQuestion(other), .text("x"), beside: [other: .text("y")]))
        #expect(!holds(.sameAsQuestion(other), .text("x")))
    }

    @Test func `the engine matches patterns against texts only`() {
        #expect(holds(.pattern("b"), .text("abc")))
        #expect(!holds(.pattern("z"), .text("abc")))
        #expect(holds(.pattern("z"), .number(1)))
    }

    private static let tests: [Rule.Test] = [
        .not(.text("")), .not(.number(0)), .not(.number(1.5)), .minMax(min: 19, max: nil),
        .minMax(min: nil, max: 2.5),
        .minMaxLength(min: 1, max: nil), .minMaxLength(min: nil, max: 9), .sameAs(.text("x")),
        .sameAs(.number(3)),
        .sameAsQuestion(QuestionID(high: 1, low: 1)), .pattern("^\\d+$"),
    ]

    @Test(arguments: tests) func `a rule and a branch round-trip through JSON`(test: Rule.Test) throws {
        for message in [LocalizedText.none, "Messages more", LocalizedText(["ko": "더", "en": "More"])] {
            let rule = Rule(test, message: message)
            #expect(try JSONDecoder().decode(Rule.self, from: JSONEncoder().encode(rule)) == rule)
        }
        let branch = Branch(test, next: "more")
        #expect(try JSONDecoder().decode(Branch.self, from: JSONEncoder().encode(branch)) == branch)
    }

    @Test func `a rule applies only to certain kinds of questions`() {
        let choice = Question.Kind.multipleChoice(
            choices: [.init(id: "a", label: "A"), .init(id: "b", label: "B")], minSelections: 1,
            maxSelections: 1)
        let (text, stars) = (Question.Kind.shortAnswer(maxLength: 9), Question.Kind.rating(scale: 5))
        let number = Question.Kind.number(min: nil, max: nil, decimals: 0)
        func kinds(_ test: Rule.Test) -> [Bool] {
            [choice, text, stars, number].map { test.applies(to: $0) }
        }
        #expect(kinds(.not(.text("a"))) == [true, true, false, false])
        #expect(kinds(.not(.text("z"))) == [false, true, false, false])
        #expect(kinds(.sameAs(.number(1))) == [false, false, true, true])
        #expect(kinds(.minMax(min: 1, max: nil)) == [false, false, true, true])
        #expect(kinds(.minMaxLength(min: 1, max: nil)) == [true, true, false, false])
        #expect(kinds(.pattern("a")) == [false, true, false, false])
        #expect(kinds(.sameAsQuestion(QuestionID(high: 1, low: 1))) == [true, true, true, true])
    }
}
