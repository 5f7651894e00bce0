import Foundation
import Meetings
import Testing

struct QuestionTests {
    private static let id = QuestionID(high: 1, low: 2)
    private static let options = [Question.Choice(id: "a", label: "Yes"), .init(id: "b", label: "No")]

    static let ofEachKind = [
        Question(
            id: id, title: "Which?", detail: "More", required: true,
            kind: .multipleChoice(choices: options, minSelections: 1, maxSelections: 2)),
        Question(id: id, title: "Why?", kind: .shortAnswer(maxLength: 500)),
        Question(id: id, title: "How?", kind: .rating(scale: 5)),
    ]

    @Test(arguments: ofEachKind) func `a question round-trips through JSON`(question: Question) throws {
        #expect(try JSONDecoder().decode(Question.self, from: JSONEncoder().encode(question)) == question)
    }

    @Test func `a question's JSON has the shape of the API`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let texts = try Self.ofEachKind.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        let id = Self.id.text
        #expect(
            texts == [
                #"{"choices":[{"id":"a","label":"Yes"},{"id":"b","label":"No"}],"detail":"More","#
                    + #""id":"\#(id)","kind":"multipleChoice","maxSelections":2,"minSelections":1,"#
                    + #""required":true,"title":"Which?"}"#,
                #"{"detail":"","id":"\#(id)","kind":"shortAnswer","#
                    + #""maxLength":500,"required":false,"title":"Why?"}"#,
                #"{"detail":"","id":"\#(id)","kind":"rating","required":false,"scale":5,"title":"How?"}"#,
            ])
    }

    @Test(arguments: [
        #"{"id":"\#(id)","kind":"rating","title":"How?","required":false}"#,
        #"{"id":"\#(id)","kind":"essay","title":"How?","required":false}"#,
        #"{"id":"x","kind":"rating","title":"How?","required":false,"scale":5}"#,
        #"{"id":"\#(id)","kind":"shortAnswer","title":"","required":false}"#,
        #"{"id":"\#(id)","kind":"multipleChoice","title":"","required":false,"choices":[]}"#,
    ])
    func `a question without the fields of its kind is refused`(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Question.self, from: Data(text.utf8)) }
    }

    @Test(arguments: ofEachKind) func `a question whose texts changed still asks the same`(question: Question)
    {
        var reworded = question
        reworded.title = "Otherwise?"
        reworded.detail = ""
        if case .multipleChoice(let choices, let least, let most) = question.kind {
            reworded.kind = .multipleChoice(
                choices: choices.map { .init(id: $0.id, label: "…") }, minSelections: least,
                maxSelections: most)
        }
        #expect(question.asksTheSame(as: reworded))
    }

    @Test(arguments: ofEachKind)
    func `a question with another id, requirement, kind or range asks something else`(
        question: Question
    ) {
        var others = [
            Question(
                id: .makeTimeless(), title: question.title, required: question.required, kind: question.kind)
        ]
        others.append(
            Question(
                id: question.id, title: question.title, required: !question.required, kind: question.kind))
        let kinds: [Question.Kind] = [
            .multipleChoice(choices: Self.options.reversed(), minSelections: 1, maxSelections: 2),
            .multipleChoice(
                choices: Self.options + [.init(id: "c", label: "")], minSelections: 1, maxSelections: 2),
            .multipleChoice(choices: Self.options, minSelections: 2, maxSelections: 2),
            .multipleChoice(choices: Self.options, minSelections: 1, maxSelections: 1),
            .shortAnswer(maxLength: 499), .rating(scale: 4),
        ]
        others += kinds.map {
            Question(id: question.id, title: question.title, required: question.required, kind: $0)
        }
        for other in others {
            #expect(!question.asksTheSame(as: other))
            #expect(!other.asksTheSame(as: question))
        }
    }
}
