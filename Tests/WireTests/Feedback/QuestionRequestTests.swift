import Meetings
import Testing
import Wire

struct QuestionRequestTests {
    private func question(_ text: String) throws -> Question {
        try #require(try read(SetQuestionsRequest.self, #"{"questions":[\#(text)]}"#).questions.first)
    }

    private func errorsOf(_ text: String) throws -> [FieldError] {
        try errors(SetQuestionsRequest.self, #"{"questions":[\#(text)]}"#)
    }

    private func choices(_ count: Int) -> String {
        (0..<count).map { #"{"label":"\#($0)"}"# }.joined(separator: ",")
    }

    @Test func `a question without optional fields gets the defaults`() throws {
        let choice = try question(
            #"{"kind":"multipleChoice","title":"Q","choices":[{"label":"A"},{"id":"x","label":"B"}]}"#)
        #expect(
            choice.kind
                == .multipleChoice(
                    choices: [.init(id: "a", label: "A"), .init(id: "x", label: "B")], minSelections: 1,
                    maxSelections: 1))
        #expect(!choice.required && choice.detail == "")
        #expect(try question(#"{"kind":"shortAnswer","title":"Q"}"#).kind == .shortAnswer(maxLength: 500))
        #expect(try question(#"{"kind":"rating","title":"Q"}"#).kind == .rating(scale: 5))
        #expect(
            try question(#"{"id":"\#(Sample.stars.id)","kind":"rating","title":"Q"}"#).id == Sample.stars.id)
    }

    @Test func `choices without ids get the ids a to z in order, then a1 and so on`() throws {
        guard
            case .multipleChoice(let named, _, _) = try question(
                #"{"kind":"multipleChoice","title":"Q","choices":[\#(choices(50))]}"#
            ).kind
        else {
            Issue.record("another kind")
            return
        }
        #expect([named[0].id, named[25].id, named[26].id, named[49].id] == ["a", "z", "a1", "x1"])
        #expect(Set(named.map(\.id)).count == 50)
    }

    @Test(arguments: [
        (#""minSelections":2"#, 2, 2), (#""maxSelections":3"#, 1, 3),
        (#""minSelections":0,"maxSelections":2"#, 1, 2),
        (#""maxSelections":50"#, 1, 3),
        (#""minSelections":3,"maxSelections":3"#, 3, 3),
    ])
    func `the numbers of selections are limited to the number of choices`(said: String, least: Int, most: Int)
        throws
    {
        let question = try question(
            #"{"kind":"multipleChoice","title":"Q","choices":[\#(choices(3))],\#(said)}"#)
        guard case .multipleChoice(_, let minSelections, let maxSelections) = question.kind else {
            Issue.record("another kind")
            return
        }
        #expect((minSelections, maxSelections) == (least, most))
    }

    @Test func `the server names each wrong field of a question once, by its path`() throws {
        #expect(try errorsOf("{}").map(\.field) == ["/questions/0/kind", "/questions/0/title"])
        #expect(
            try errorsOf(#"{"kind":"multipleChoice"}"#) == [
                FieldError("/questions/0/title", .missing), FieldError("/questions/0/choices", .missing),
            ])
        #expect(
            try errorsOf(#"{"kind":"multipleChoice","title":"Q","choices":"x"}"#) == [
                FieldError("/questions/0/choices", .wrongType(expected: "array"))
            ])
        #expect(
            try errorsOf(#"{"kind":"multipleChoice","title":"Q","choices":[\#(choices(1))]}"#) == [
                FieldError("/questions/0/choices", .count(min: 2, max: 50))
            ])
        #expect(
            try errorsOf(#"{"kind":"multipleChoice","title":"Q","choices":[\#(choices(51))]}"#) == [
                FieldError("/questions/0/choices", .count(min: 0, max: 50))
            ])
        #expect(
            try errorsOf(#"{"kind":"multipleChoice","title":"Q","choices":[{"label":"A"},{"label":""}]}"#)
                == [
                    FieldError("/questions/0/choices/1/label", .length(min: 1, max: 200))
                ])
        #expect(
            try errorsOf(
                #"""
                {"kind":"multipleChoice","title":"Q",\#
                "choices":[{"id":"x","label":"A"},{"id":"x","label":"B"}]}
                """#
            ) == [
                FieldError("/questions/0/choices", .repeated)
            ])
        #expect(
            try errorsOf(
                #"""
                {"kind":"multipleChoice","title":"Q","minSelections":3,"maxSelections":2,\#
                "choices":[\#(choices(3))]}
                """#
            ) == [
                FieldError("/questions/0/minSelections", .reversedBounds)
            ])
        #expect(
            try errorsOf(#"{"kind":"essay","title":"Q"}"#) == [
                FieldError(
                    "/questions/0/kind", .notOneOf(Question.KindName.allCases.map(\.rawValue)))
            ])
        #expect(
            try errorsOf(#"{"kind":"rating","title":"\#(chars(201))","detail":"\#(chars(1001))","scale":11}"#)
                .map(\.field) == [
                    "/questions/0/title", "/questions/0/detail", "/questions/0/scale",
                ])
        #expect(
            try errorsOf(#"{"kind":"rating","title":"Q","scale":1}"#) == [
                FieldError("/questions/0/scale", .range(min: 2, max: 10))
            ])
        #expect(
            try errorsOf(#"{"kind":"shortAnswer","title":"Q","maxLength":5001}"#) == [
                FieldError("/questions/0/maxLength", .range(min: 1, max: 5000))
            ])
    }

    @Test func `a set has at most fifty questions, and each question only once`() throws {
        func body(_ count: Int) -> String {
            let questions = Array(repeating: #"{"kind":"rating","title":"Q"}"#, count: count)
            return #"{"questions":[\#(questions.joined(separator: ","))]}"#
        }
        #expect(try read(SetQuestionsRequest.self, body(50)).questions.count == 50)
        #expect(
            try errors(SetQuestionsRequest.self, body(51)) == [
                FieldError("/questions", .count(min: 0, max: 50))
            ])
        #expect(try read(SetQuestionsRequest.self, body(0)).questions.isEmpty)
        #expect(try errors(SetQuestionsRequest.self, "{}") == [FieldError("/questions", .missing)])
        let twice = #"{"id":"\#(Sample.stars.id)","kind":"rating","title":"Q"}"#
        #expect(try errorsOf("\(twice),\(twice)") == [FieldError("/questions", .repeated)])
    }

    @Test func `a set's settings are all optional`() throws {
        #expect(try read(EditQuestionSetRequest.self, "{}").change == QuestionSetChange())
        #expect(
            try read(EditQuestionSetRequest.self, #"{"open":false,"shared":true,"anonymous":null}"#).change
                == QuestionSetChange(open: false, shared: true))
        #expect(
            try errors(EditQuestionSetRequest.self, #"{"open":"yes"}"#) == [
                FieldError("/open", .wrongType(expected: "boolean"))
            ])
    }
}
