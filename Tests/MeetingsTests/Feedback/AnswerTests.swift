import Foundation
import Meetings
import Testing

struct AnswerTests {
    private let choice = Question(
        id: QuestionID(high: 0, low: 1), title: "Which?", required: true,
        kind: .multipleChoice(
            choices: ["a", "b", "c", "d"].map { .init(id: $0, label: $0) }, minSelections: 2, maxSelections: 3
        ))
    private let text = Question(
        id: QuestionID(high: 0, low: 2), title: "Why?", kind: .shortAnswer(maxLength: 3))
    private let stars = Question(id: QuestionID(high: 0, low: 3), title: "How?", kind: .rating(scale: 5))

    private var set: QuestionSet { QuestionSet(questions: [choice, text, stars]) }

    private func reason(_ answer: Answer, to question: Question) throws -> FieldReason? {
        do {
            _ = try QuestionSet(questions: [question]).checked([question.id: answer])
            return nil
        } catch .invalid(let errors) {
            let error = try #require(errors.first)
            #expect(errors.count == 1)
            #expect(error.field == "/answers/\(question.id)")
            return error.reason
        }
    }

    @Test func `an answer has as many choices as the question allows`() throws {
        #expect(try reason(.choices(["a"]), to: choice) == .count(min: 2, max: 3))
        #expect(try reason(.choices(["a", "b"]), to: choice) == nil)
        #expect(try reason(.choices(["a", "b", "c"]), to: choice) == nil)
        #expect(try reason(.choices(["a", "b", "c", "d"]), to: choice) == .count(min: 2, max: 3))
        #expect(try reason(.choices(["a", "a"]), to: choice) == .repeated)
        #expect(try reason(.choices(["a", "x"]), to: choice) == .unknownChoice)
        #expect(try reason(.choices(["a", "A"]), to: choice) == .unknownChoice)
    }

    @Test func `choices are stored in the question's order`() throws {
        #expect(
            try set.checked([choice.id: .choices(["d", "a", "c"])]) == [choice.id: .choices(["a", "c", "d"])])
    }

    @Test func `a text has as many characters as the question allows, and is stored as written`() throws {
        #expect(try reason(.text("abc"), to: text) == nil)
        #expect(try reason(.text("가나다"), to: text) == nil)
        #expect(try reason(.text("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦"), to: text) == nil)
        #expect(try reason(.text("abcd"), to: text) == .length(min: 1, max: 3))
        #expect(
            try QuestionSet(questions: [text]).checked([text.id: .text(" a ")]) == [text.id: .text(" a ")])
    }

    @Test func `stars range from one to the scale`() throws {
        for count in 1...5 { #expect(try reason(.rating(count), to: stars) == nil) }
        for count in [0, -1, 6, Int.max, Int.min] {
            #expect(try reason(.rating(count), to: stars) == .range(min: 1, max: 5))
        }
    }

    @Test func `an answer of another kind has the wrong type`() throws {
        #expect(try reason(.text("a"), to: choice) == .wrongType(expected: "array"))
        #expect(try reason(.rating(1), to: choice) == .wrongType(expected: "array"))
        #expect(try reason(.choices(["a"]), to: text) == .wrongType(expected: "string"))
        #expect(try reason(.rating(1), to: text) == .wrongType(expected: "string"))
        #expect(try reason(.choices(["a"]), to: stars) == .wrongType(expected: "integer"))
        #expect(try reason(.text("5"), to: stars) == .wrongType(expected: "integer"))
    }

    @Test(arguments: [Answer.text(""), .text(" \n\u{3000}"), .choices([])])
    func `an empty answer counts as no answer`(
        answer: Answer
    ) throws {
        let kept = try QuestionSet(questions: [text, stars]).checked([text.id: answer, stars.id: .rating(4)])
        #expect(kept == [stars.id: .rating(4)])
        #expect(throws: Refusal.invalid([FieldError("/answers/\(choice.id)", .missing)])) {
            try set.checked([choice.id: answer])
        }
    }

    @Test func `a response without any answer is refused`() {
        let optional = QuestionSet(questions: [text, stars])
        #expect(throws: Refusal.invalid([FieldError("/answers", .noAnswers)])) { try optional.checked([:]) }
        #expect(throws: Refusal.invalid([FieldError("/answers", .noAnswers)])) {
            try optional.checked([text.id: .text(" ")])
        }
    }

    @Test func `all errors are reported at once`() {
        let (one, other) = (QuestionID(high: 9, low: 1), QuestionID(high: 9, low: 2))
        let expected = [
            FieldError("/answers/\(choice.id)", .missing),
            FieldError("/answers/\(text.id)", .length(min: 1, max: 3)),
            FieldError("/answers/\(stars.id)", .range(min: 1, max: 5)),
            FieldError("/answers/\(one)", .unknownQuestion),
            FieldError("/answers/\(other)", .unknownQuestion),
        ]
        #expect(throws: Refusal.invalid(expected)) {
            try set.checked([
                other: .rating(1), stars.id: .rating(6), one: .text("x"), text.id: .text("abcd"),
            ])
        }
    }

    @Test
    func `unusable values are reported in the order of their questions, and unknown names last`() {
        let unusable = UnusableAnswers(
            values: [
                choice.id: .wrongType(expected: "array"),
                QuestionID(high: 9, low: 1): .wrongType(expected: "string"),
            ],
            names: ["a/b"])
        let expected = [
            FieldError("/answers/\(choice.id)", .wrongType(expected: "array")),
            FieldError("/answers/\(stars.id)", .range(min: 1, max: 5)),
            FieldError("/answers/\(QuestionID(high: 9, low: 1))", .unknownQuestion),
            FieldError("/answers/a~1b", .unknownQuestion),
        ]
        #expect(throws: Refusal.invalid(expected)) {
            try set.checked([stars.id: .rating(6)], besides: unusable)
        }
    }

    @Test(arguments: [
        (Answer.choices(["a", "b"]), #"["a","b"]"#), (.text("3"), #""3""#), (.rating(3), "3"),
        (.choices([]), "[]"),
    ])
    func `an answer's JSON is its value`(answer: Answer, text: String) throws {
        #expect(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(Answer.self, from: Data(text.utf8)) == answer)
    }
}
