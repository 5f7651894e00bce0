import Meetings
import Phrases
import Testing

@testable import Wire

private let walk = """
    {
      "id": "9",
      "title": "Walk",
      "description": "Tell us about the walk.\\nIt is short.",
      "questions": [
        {"id": 1, "name": "path", "type": "single-option", "title": "Q 1", "question": "Which path?",
         "choices": [{"id": 1, "label": "Shore", "value": 1}, {"id": 2, "label": "Hill", "value": 2}]},
        {"id": 2, "name": "far", "type": "numeric", "title": "Q 2", "question": "How far?",
         "choices": [{"id": 1, "label": "Kilometres", "value": 1, "min": 0, "max": 40}]},
        {"id": 3, "type": "multi-option", "title": "Q 3", "question": "What was seen?",
         "choices": [{"id": "fox", "label": "A fox", "value": "fox"}, \
          {"id": "owl", "label": "An owl", "value": "owl"}, \
          {"id": "elk", "label": "An elk"}]},
        {"id": 4, "name": "else", "type": "text", "question": "What else?", \
          "choices": [{"id": 1, "hint": "a word", "value": 1}]}
      ]
    }
    """

struct QuestionnaireFileTests {
    @Test func `an imported questionnaire has its title, its description and every question`() throws {
        let content = try QuestionFile(Array(walk.utf8), language: nil).content
        #expect(
            content.about.title == "Walk"
                && content.about.description == "Tell us about the walk.\nIt is short.")
        let questions = try #require(content.questions)
        #expect(questions.map(\.title) == ["Which path?", "How far?", "What was seen?", "What else?"])
        #expect(questions.map(\.detail) == ["Q 1", "Q 2", "Q 3", .none])
        #expect(questions.map(\.name) == ["path", "far", "3", "else"])
        #expect(
            questions[0].kind
                == .multipleChoice(
                    choices: [
                        .init(id: "1", value: "1", label: "Shore"), .init(id: "2", value: "2", label: "Hill"),
                    ],
                    minSelections: 1, maxSelections: 1))
        #expect(
            questions[1].kind == .number(min: 0, max: 40, decimals: 0)
                && questions[1].placeholder == "Kilometres")
        guard case .multipleChoice(let seen, 1, 3) = questions[2].kind else {
            Issue.record("not several")
            return
        }
        #expect(seen.map(\.id) == ["fox", "owl", "elk"])
        #expect(questions[3].kind == .shortAnswer(maxLength: 5000) && questions[3].placeholder == "a word")
        #expect(questions.allSatisfy { $0.required && $0.rules.isEmpty })
    }

    @Test func `a questionnaire is unchanged after it is written in our format and read again`() throws {
        let content = try QuestionFile(Array(walk.utf8), language: "en").content
        var set = QuestionSet(questions: content.questions ?? [])
        set.take(content.about)
        let again = try QuestionFile(WireJSON.bytes(QuestionFileBody(set)), language: nil).content
        #expect(
            again.questions == set.questions && again.about.title == set.title
                && again.about.description == set.description)
    }

    @Test func `a choice keeps a value beside its id, and a question may be optional`() throws {
        let written = walk.replacing(
            #""label": "Hill", "value": 2"#, with: #""label": "Hill", "value": "hill""#
        )
        .replacing(#""name": "else", "type""#, with: #""name": "else", "required": false, "type""#)
        let content = try QuestionFile(Array(written.utf8), language: "en").content
        let set = QuestionSet(questions: try #require(content.questions))
        guard case .multipleChoice(let choices, _, _) = set.questions[0].kind else {
            Issue.record("no choices")
            return
        }
        #expect(choices.map(\.id) == ["1", "2"] && choices.map(\.value) == ["1", "hill"])
        #expect(set.questions.map(\.required) == [true, true, true, false])
        let bytes = WireJSON.bytes(QuestionFileBody(set))
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""id":"2","value":"hill""#))
        #expect(try QuestionFile(bytes, language: nil).content.questions == set.questions)
    }

    /// The shapes of the format's own description: a choice with `question` and `hint`, a question with only
    /// a `title`, and values of every type. `Tests/Fixtures/questionnaire-shapes.json` has them all.
    @Test func `the shapes of the format's description are read`() throws {
        let file = try RepositoryFile.text("Tests/Fixtures/questionnaire-shapes.json")
        let content = try QuestionFile(Array(file.utf8), language: nil).content
        let questions = try #require(content.questions)
        #expect(
            questions.map(\.title) == [
                "Which path?", "How far?", "What else?", "Your name", "How warm?", "Which of these?",
            ])
        #expect(questions.map(\.detail) == ["Q 1", .none, "Q 3", .none, "Q 5\nIn degrees", .none])
        #expect(
            questions.map(\.placeholder) == [
                .none, .none, "one word", "Name – as on the badge", "about 20", .none,
            ])
        guard case .multipleChoice(let choices, 1, 1) = questions[0].kind,
            case .multipleChoice(let several, 1, 3) = questions[5].kind
        else {
            Issue.record("no choices")
            return
        }
        #expect(choices.map(\.value) == ["short", "2", "2.5", "true", "false", nil, nil, nil])
        #expect(choices.map(\.id) == ["1", "2", "3", "4", "5", "6", "7", "8"])
        #expect(choices[6...].map(\.label) == ["Other – Which? – its name", "Why none of these?"])
        #expect(several.map(\.id) == ["10", "-0.5", "true"])
        #expect(questions[4].kind == .number(min: -20, max: 50, decimals: 0))
        var set = QuestionSet(questions: questions)
        set.take(content.about)
        let again = try QuestionFile(WireJSON.bytes(QuestionFileBody(set)), language: nil).content
        #expect(again.questions == questions)
    }

    @Test func `numbers are from 0 to 100 unless the file says otherwise`() throws {
        for (bounds, kind) in [
            ("", Question.Kind.number(min: 0, max: 100, decimals: 0)),
            (#", "min": 5"#, .number(min: 5, max: 100, decimals: 0)),
            (#", "min": 500"#, .number(min: 500, max: nil, decimals: 0)),
            (#", "max": -3"#, .number(min: nil, max: -3, decimals: 0)),
            (#", "min": 1, "max": 900"#, .number(min: 1, max: 900, decimals: 0)),
        ] {
            let written = walk.replacing(#", "min": 0, "max": 40"#, with: bounds)
            let questions = try QuestionFile(Array(written.utf8), language: "en").content.questions
            #expect(questions?[1].kind == kind, "\(bounds)")
        }
    }

    @Test func `a questionnaire without questions names that fault`() {
        let empty = #"{"id": "9", "title": "Walk", "questions": []}"#
        #expect(
            throws: Refusal.invalid([
                FieldError("/questions", .count(min: 1, max: QuestionSet.mostQuestions), line: 1)
            ])
        ) { try QuestionFile(Array(empty.utf8), language: nil) }
    }

    @Test(arguments: [
        (
            #"{"id": 2, "label": "Hill""#, #"{"id": 1, "label": "Hill""#,
            "/questions/0/choices:7 repeated"
        ),
        (#"{"id": 2, "name": "far""#, #"{"id": 1, "name": "far""#, "/questions/1/id:8 repeated"),
        (#""label": "A fox", "#, "", "/questions/2/choices/0/label:11 missing"),
        (
            #""label": "A fox""#, #""label": "A fox", "min": 1"#,
            "/questions/2/choices/0/min:11 not_representable"
        ),
        (
            #""label": "A fox""#,
            #""label": "A fox", "hint": "\#(String(repeating: "f", count: 193))""#,
            "/questions/2/choices/0/hint:11 length"
        ),
        (#""value": "fox""#, #""value": [1]"#, "/questions/2/choices/0/value:11 wrong_type"),
        (#""value": "fox""#, #""value": "f\u200bx""#, "/questions/2/choices/0/value:11 not_text"),
        (#""question": "What else?", "#, "", "/questions/3/question:12 missing"),
        (
            #""title": "Q 3", "question": "What was seen?""#, #""title": "a\nb""#,
            "/questions/2/title:10 not_text"
        ),
        (#""type": "text""#, #""type": "drawing""#, "/questions/3/type:12 not_one_of"),
        (#""min": 0"#, #""min": 50"#, "/questions/1/choices/0/min:9 reversed_bounds"),
        (#""title": "Walk""#, #""title": "Walk", "theme": "green""#, "/theme:3 unknown_field"),
        (#""name": "else""#, #""name": "path""#, "/questions:5 repeated"),
    ]) func `the reader names each unsupported part of a questionnaire with its line`(
        old: String, new: String, fault: String
    ) {
        do {
            _ = try QuestionFile(Array(walk.replacing(old, with: new).utf8), language: nil)
            Issue.record("read")
        } catch {
            guard case .invalid(let errors)? = error as? Refusal else {
                Issue.record(error)
                return
            }
            let said = errors.map { "\($0.field):\($0.line ?? 0) \(FieldProblem($0, in: .english).code)" }
            #expect(said.contains(fault), "\(said)")
        }
    }
}
