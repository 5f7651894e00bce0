import Foundation
import Meetings
import Phrases
import Testing

@testable import Wire

/// A form with every kind of question and rule in the format, in the JSON that the format's servers send. The
/// texts were written for this test.
private let everything = """
    {
      "status": 200,
      "data": {
        "forms": [
          {"name": "nick", "question": "별명?", "required": true, "type": "text", "placeholder": "별명",
           "validate": [
             {"type": "not", "target": "", "validateText": "별명을 쓰세요."},
             {"type": "minMaxLength", "target": [2, 10], "validateText": "두 자에서 열 자까지."},
             {"type": "pattern", "target": "/^[a-z가-힣]+$/i", "validateText": "글자만."}
           ]},
          {"name": "again", "question": "다시 한 번?", "required": false, "type": "text", "placeholder": "",
           "validate": [{"type": "sameAS", "target": "$nick", "validateText": "같아야 합니다."}]},
          {"name": "year", "question": "몇 년째?", "required": true, "type": "number", "placeholder": 0,
           "validate": [{"type": "not", "target": -1, "validateText": "숫자를."}, \
            {"type": "minMax", "target": ["-", 80], "validateText": ""}]},
          {"name": "mood", "question": "기분?", "required": false, \
            "type": "radioNumber", "placeholder": 0, "validate": []},
          {"name": "fruit", "question": "과일?", "required": false, "type": "checkbox",
           "placeholder": [{"label": "배", "value": "pear", "checked": true}, \
            {"label": "감", "value": "kaki", "checked": false}],
           "validate": [{"type": "not", "target": [], "validateText": "하나는."}]},
          {"name": "cup", "question": "잔?", "required": true, "type": "radio",
           "placeholder": [{"label": "큰", "value": "L", "checked": false}, \
            {"label": "작은", "value": "S", "checked": true}],
           "validate": [{"type": "sameAS", "target": ["L"], "validateText": "큰 것만."}]},
          {"name": "why", "question": "왜?", "required": false, "type": "radioWithInput",
           "placeholder": [{"label": "맛", "value": "taste", "checked": false}, \
            {"label": "기타", "value": "extra", "checked": false}],
           "validate": [{"type": "minMaxLength", "target": [1, "-"], "validateText": "하나는."}]}
        ],
        "escapeValidate": [
          {"name": "year", "type": "minMax", "target": [1, "-"]},
          {"name": "cup", "type": "not", "target": "S"}
        ]
      }
    }
    """

struct FormFileTests {
    private func read(_ text: String, language: String? = nil) throws -> ImportedQuestions {
        try QuestionFile(Array(text.utf8), language: language).content
    }

    private func faults(_ text: String) -> [String] {
        do {
            _ = try QuestionFile(Array(text.utf8), language: nil)
            return []
        } catch let fault as JSONFault {
            return ["\(fault.line) \(Problem(fault, in: .english).code)"]
        } catch {
            guard case .invalid(let errors)? = error as? Refusal else { return ["\(error)"] }
            return errors.map { "\($0.field):\($0.line ?? 0) \(FieldProblem($0, in: .english).code)" }
        }
    }

    @Test func `the reader reads every kind of question, rule and eligibility rule of a form`() throws {
        let questions = try #require(try read(everything, language: "ko").questions)
        #expect(questions.map(\.name) == ["nick", "again", "year", "mood", "fruit", "cup", "why"])
        #expect(questions.map(\.required) == [true, false, true, false, false, true, false])
        #expect(
            questions.map(\.placeholder) == [
                LocalizedText(["ko": "별명"]), .none, LocalizedText(["ko": "0"]), .none, .none, .none, .none,
            ])
        #expect(questions[0].title == LocalizedText(["ko": "별명?"]))
        #expect(questions[0].kind == .shortAnswer(maxLength: 5000))
        #expect(
            questions[0].rules.map(\.test) == [
                .not(.text("")), .minMaxLength(min: 2, max: 10), .pattern("(?i)^[a-z가-힣]+$"),
            ])
        #expect(questions[0].rules[1].message == LocalizedText(["ko": "두 자에서 열 자까지."]))
        #expect(questions[1].rules.map(\.test) == [.sameAsQuestion(questions[0].id)])
        #expect(questions[2].kind == .number(min: nil, max: nil, decimals: 0))
        #expect(questions[2].rules.map(\.test) == [.not(.number(-1)), .minMax(min: nil, max: 80)])
        #expect(questions[2].rules[1].message.isEmpty)
        #expect(questions[2].eligibility == [Rule(.minMax(min: 1, max: nil))])
        #expect(questions[3].kind == .rating(scale: 7))
        guard case .multipleChoice(let fruit, 1, 2) = questions[4].kind,
            case .multipleChoice(let cup, 1, 1) = questions[5].kind
        else {
            Issue.record("not what is chosen: \(questions[4].kind)")
            return
        }
        #expect(
            fruit.map(\.id) == ["pear", "kaki"] && fruit.map(\.isChecked) == [true, false]
                && fruit[0].label == LocalizedText(["ko": "배"]))
        #expect(questions[4].rules.map(\.test) == [.minMaxLength(min: 1, max: nil)])
        #expect(cup.map(\.isChecked) == [false, true] && !cup.contains(where: \.isOther))
        #expect(
            questions[5].rules.map(\.test) == [.sameAs(.text("L"))]
                && questions[5].eligibility.map(\.test) == [.not(.text("S"))])
        #expect(questions[6].other?.id == "extra")
    }

    @Test func `a form is unchanged after it is written and read again, in each language`() throws {
        let set = QuestionSet(questions: try #require(try read(everything, language: "ko").questions))
        #expect(SubveyBody.losses(of: set).isEmpty)
        let written = WireJSON.bytes(SubveyBody(set, in: "ko", words: nil))
        let again = try QuestionFile(written, language: "ko").content.questions(over: set.questions)
        #expect(again == set.questions)
        // Qring's own format preserves everything, including the ids.
        let own = try QuestionFile(WireJSON.bytes(QuestionFileBody(set)), language: nil).content
        #expect(own.questions == set.questions && own.promise.promise == set.promise)
        // The written form has the shape of the original: the same order of keys, and "-" for open bounds.
        let text = String(decoding: written, as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"""
                {"status":200,"data":{"forms":[{"name":"nick","question":"별명?",\#
                "required":true,"type":"text","placeholder":"별명",\#
                "validate":[{"type":"not","target":"","validateText":"별명을 쓰세요."}
                """#
            ))
        #expect(
            text.contains(
                #"""
                "escapeValidate":[{"name":"year","type":"minMax","target":[1,"-"]},\#
                {"name":"cup","type":"not","target":"S"}]}}
                """#
            ))
        #expect(text.contains(#""type":"radioNumber","placeholder":0,"validate":[]"#))
        #expect(text.contains(#"{"type":"sameAS","target":"$nick","validateText":"같아야 합니다."}"#))
    }

    @Test func `a scale with labels of its own, and a file in CP949, are read and written again`() throws {
        let scale =
            #"{"label": "나쁨", "value": "1", "checked": false}, {"label": "2", "value": "2", "#
            + #""checked": false}, {"label": "좋음", "value": "3", "checked": false}"#
        let labelled = everything.replacing(
            #""type": "radioNumber", "placeholder": 0"#,
            with: #""type": "radioNumber", "placeholder": [\#(scale)]"#)
        let set = QuestionSet(questions: try #require(try read(labelled, language: "ko").questions))
        #expect(
            set.questions[3].kind
                == .scale(
                    points: 3, labels: [1: LocalizedText(["ko": "나쁨"]), 3: LocalizedText(["ko": "좋음"])]))
        #expect(SubveyBody.losses(of: set).isEmpty)
        let written = WireJSON.bytes(SubveyBody(set, in: "ko", words: nil))
        #expect(
            try QuestionFile(written, language: "ko").content.questions(over: set.questions) == set.questions)
        #expect(
            faults(labelled.replacing(#""value": "3""#, with: #""value": "4""#)).contains {
                $0.hasSuffix("not_representable")
            })
        // "기분" in CP949.
        let korean = #"{"forms": [{"name": "a", "type": "text", "question": "기분"}]}"#
        var bytes = Array(korean.utf8)
        let place = try #require(bytes.firstRange(of: Array("기분".utf8)))
        bytes.replaceSubrange(place, with: [0xB1, 0xE2, 0xBA, 0xD0])
        #expect(
            try QuestionFile(bytes, language: "ko").content.questions?[0].title == LocalizedText(["ko": "기분"])
        )
    }

    @Test func `a rule may name another field without a mark, and is written without it again`() throws {
        let bare = everything.replacing("$nick", with: "nick")
        let set = QuestionSet(questions: try #require(try read(bare, language: "ko").questions))
        #expect(set.questions[1].rules.map(\.test) == [.sameAsQuestion(set.questions[0].id, bare: true)])
        #expect(SubveyBody.losses(of: set).isEmpty)
        let written = WireJSON.bytes(SubveyBody(set, in: "ko", words: nil))
        let text = String(decoding: written, as: UTF8.self)
        #expect(text.contains(#"{"type":"sameAS","target":"nick","validateText":"같아야 합니다."}"#))
        #expect(
            try QuestionFile(written, language: "ko").content.questions(over: set.questions) == set.questions)
        #expect(
            try QuestionFile(WireJSON.bytes(QuestionFileBody(set)), language: nil).content.questions
                == set.questions)
        // Both spellings of the rule mean the same. A text is only a text if no field has that name, or if it
        // is the rule's own field.
        let spelled = bare.replacing(#""sameAS", "target": "nick""#, with: #""sameAs", "target": "nick""#)
        #expect(try read(spelled).questions?[1].rules.first?.test.kind == .sameAs)
        for text in ["nickname", "again", "$"] {
            let literal = everything.replacing("$nick", with: text)
            #expect(try read(literal).questions?[1].rules.map(\.test) == [.sameAs(.text(text))], "\(text)")
        }
        // A rule that compares the field `again` with itself is refused.
        #expect(
            faults(everything.replacing("$nick", with: "$again")) == [
                "/data/forms/1/validate/0/target:12 unknown_question"
            ])
    }

    @Test func `if a rule uses an ambiguous name, the error contains the rule's line`() {
        // "L" is a choice of the cup. After the renaming, "L" is also a field.
        let both = everything.replacing(#""name": "mood""#, with: #""name": "L""#)
        #expect(faults(both).isEmpty)
        #expect(
            faults(both.replacing(#""target": ["L"]"#, with: #""target": "L""#)) == [
                "/data/forms/5/validate/0/target:21 ambiguous_name"
            ])
        #expect(faults(both.replacing(#""target": ["L"]"#, with: #""target": "$L""#)).isEmpty)
        // Two fields have the same name, and a rule refers to that name.
        #expect(
            faults(everything.replacing(#""name": "mood""#, with: #""name": "nick""#)) == [
                "/data/forms/1/validate/0/target:12 ambiguous_name", "/data/forms/3/name:15 repeated",
            ])
    }

    @Test func `a form cannot contain a text that would be read as a field's name`() {
        let first = Question(
            id: .makeTimeless(), name: "nick", title: "N",
            kind: .shortAnswer(maxLength: SubveyBody.mostCharacters))
        var again = first.renamed(by: [first.id: .makeTimeless()])
        again.name = "again"
        for (text, isLost) in [("nick", true), ("$nick", true), ("again", false), ("yes", false)] {
            again.rules = [Rule(.sameAs(.text(text)))]
            let lost = SubveyBody.losses(of: QuestionSet(questions: [first, again])).map(\.field)
            #expect(lost == (isLost ? ["/questions/1/rules/0/target"] : []), "\(text)")
        }
    }

    @Test func `the form in the documentation has every kind and rule, and is served as it is written`()
        throws
    {
        let page = try RepositoryFile.text("docs/protocol.md")
        let blocks = page.components(separatedBy: "```json\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
        let example = try #require(blocks.first { $0.contains("escapeValidate") })
        for kind in SubveyForm.Kind.allCases {
            #expect(example.contains(#""type": "\#(kind.rawValue)""#), "\(kind)")
        }
        // `sameAs` is another spelling of `sameAS`.
        for kind in SubveyRule.Kind.allCases where kind != .sameAs {
            #expect(example.contains(#""type": "\#(kind.rawValue)""#), "\(kind)")
        }
        let questions = try #require(try QuestionFile(Array(example.utf8), language: "en").content.questions)
        #expect(questions.allSatisfy { $0.rules.allSatisfy { !$0.message.isEmpty } })
        let served = SubveyBody(QuestionSet(questions: questions), in: "en", words: .english)
        #expect(try WireJSON.decode(SubveyBody.self, from: Array(example.utf8)) == served)
        #expect(SubveyBody.losses(of: QuestionSet(questions: questions)).isEmpty)
    }

    @Test(arguments: [
        ("/^[a-z]+$/i", "(?i)^[a-z]+$"), ("/^a$/", "^a$"), ("/\\p{L}/u", "\\p{L}"), ("/a.b/gs", "(?s)a.b"),
        ("/x/mi", "(?mi)x"), ("^a$", "^a$"), ("(?i)a", "(?i)a"), ("/a/b c", "/a/b c"),
    ])
    func `a pattern is served as it was written`(written: String, pattern: String) throws {
        let escaped = written.replacing("\\", with: "\\\\")
        let file = everything.replacing("/^[a-z가-힣]+$/i", with: escaped)
        let questions = try #require(try QuestionFile(Array(file.utf8), language: "ko").content.questions)
        #expect(questions[0].rules[2].test == .pattern(pattern))
        func served(_ questions: [Question]) -> SubveyTarget {
            SubveyBody(QuestionSet(questions: questions), in: "ko", words: .korean).data.forms[0].validate[2]
                .target
        }
        // A host's own flags are written as JavaScript reads them.
        #expect(served(questions) == .text(written == "(?i)a" ? "/a/i" : written))
        let again = try QuestionFile(
            WireJSON.bytes(QuestionFileBody(QuestionSet(questions: questions))), language: nil)
        #expect(again.content.questions == questions)
        var edited = questions
        edited[0].rules[2] = Rule(.pattern("b"), written: nil)
        #expect(served(edited) == .text("b"))
    }

    @Test func `the reader checks patterns with the given engine, and reports them with all other errors`() {
        let wrong = everything.replacing("/^[a-z가-힣]+$/i", with: "(").replacing("$nick", with: "$nobody")
        do {
            _ = try QuestionFile(Array(wrong.utf8), language: nil, patterns: NoPatterns())
            Issue.record("taken")
        } catch {
            guard case .invalid(let errors)? = error as? Refusal else {
                Issue.record(error)
                return
            }
            #expect(
                errors.map(\.field) == ["/data/forms/0/validate/2/target", "/data/forms/1/validate/0/target"])
            #expect(errors.first?.reason == .badPattern("patterns are not supported"))
        }
    }

    @Test func `a form's answer always contains the next form's id, even if the id is null`() {
        func text(_ next: String?) -> String {
            String(
                decoding: WireJSON.bytes(SubveyAnswerBody(FormOutcome(isSuccess: true, nextTypeId: next))),
                as: UTF8.self)
        }
        #expect(text("1") == #"{"status":200,"data":{"isSuccess":true,"nextTypeId":"1"}}"#)
        #expect(text(nil) == #"{"status":200,"data":{"isSuccess":true,"nextTypeId":null}}"#)
    }

    @Test func `a file in another language adds its language to the same questions, and keeps their ids`()
        throws
    {
        let korean = try #require(try read(everything, language: "ko").questions)
        let english = try read(
            everything.replacing("별명?", with: "Nickname?").replacing("하나는.", with: "At least one."),
            language: "en")
        let both = english.questions(over: korean)
        #expect(both.map(\.id) == korean.map(\.id))
        #expect(both[0].title == LocalizedText(["ko": "별명?", "en": "Nickname?"]))
        #expect(both[6].rules[0].message == LocalizedText(["ko": "하나는.", "en": "At least one."]))
        // A file with a different field name contains different questions.
        let other = try read(
            everything.replacing(#""name": "mood""#, with: #""name": "moods""#), language: "en"
        ).questions(over: korean)
        #expect(other[0].title == LocalizedText(["en": "별명?"]) && other[0].id != korean[0].id)
    }

    @Test func `the reader names each unsupported part with its line, and imports nothing`() {
        #expect(
            faults(everything.replacing(#""name": "mood","#, with: #""name": "mood", "color": "red","#)) == [
                "/data/forms/3/color:15 unknown_field"
            ])
        #expect(
            faults(
                everything.replacing(
                    #""type": "radioNumber", "placeholder": 0"#,
                    with: #""type": "radioNumber", "placeholder": 3"#))
                == ["/data/forms/3/placeholder:15 not_representable"])
        #expect(
            faults(everything.replacing("$nick", with: "$nobody")) == [
                "/data/forms/1/validate/0/target:12 unknown_question"
            ])
        #expect(
            faults(
                everything.replacing(
                    #"{"name": "year", "type": "minMax""#, with: #"{"name": "years", "type": "minMax""#))
                == ["/data/escapeValidate/0/name:27 unknown_question"])
        #expect(
            faults(everything.replacing(#""target": [1, "-"]}"#, with: #""target": [1, "-"], "next": "x"}"#))
                == ["/data/escapeValidate/0/next:27 unknown_field"])
        #expect(
            faults(everything.replacing("/i\"", with: "/iy\"")) == [
                "/data/forms/0/validate/2/target:9 not_representable"
            ])
        #expect(
            faults(everything.replacing(#""target": [2, 10]"#, with: #""target": [10, 2]"#)) == [
                "/data/forms/0/validate/1/target:8 reversed_bounds"
            ])
        #expect(
            faults(everything.replacing(#""target": ["-", 80]"#, with: #""target": [80, 1]"#))
                == ["/data/forms/2/validate/1/target:14 reversed_bounds"])
        #expect(
            faults(everything.replacing(#""target": -1"#, with: #""target": """#)) == [
                "/data/forms/2/validate/0/type:14 rule_does_not_apply"
            ])
        #expect(
            faults(everything.replacing(#""value": "kaki""#, with: #""value": "pear""#)) == [
                "/data/forms/4/placeholder:17 repeated"
            ])
        #expect(
            faults(everything.replacing(#""type": "checkbox""#, with: #""type": "slider""#)).contains(
                "/data/forms/4/type:16 not_one_of"))
        #expect(
            faults(everything.replacing(#""question": "왜?","#, with: "")) == [
                "/data/forms/6/question:22 missing"
            ])
        // The reader reports all errors at once, in the order of their lines.
        let many = everything.replacing("$nick", with: "$x").replacing(
            #""status": 200"#, with: #""status": 200, "x": 1"#
        )
        .replacing("/i\"", with: "/iy\"")
        #expect(
            faults(many) == [
                "/x:2 unknown_field", "/data/forms/0/validate/2/target:9 not_representable",
                "/data/forms/1/validate/0/target:12 unknown_question",
            ])
    }

    @Test func `the reader refuses a file that is not JSON or not a question file, with the reason`() {
        #expect(faults("{\n\"data\": {\n\"forms\": [,]}}") == ["3 not_json"])
        #expect(faults("") == ["1 not_json"])
        #expect(faults("\u{FEFF}{\n\n\"a\": 1,}") == ["3 not_json"])
        #expect(faults("{\"data\":\n" + String(repeating: "[", count: 100)) == ["2 json_too_deep"])
        for text in ["[]", "{}", "1", "null", #"{"data": []}"#, #"{"items": []}"#] {
            #expect(faults(text) == [":1 unknown_format"], "\(text)")
        }
        #expect(faults("\u{FEFF}{}") == [":1 unknown_format"])
    }

    @Test func `the reader takes only the next form's name from an answer that contains one`() throws {
        let content = try read(#"{"status": 200, "data": {"isSuccess": true, "nextTypeId": "1"}}"#)
        #expect(content.questions == nil && content.about.next == "1")
        #expect(try read(#"{"status": 200, "data": {"isSuccess": true}}"#).about.next == "")
        #expect(
            faults(#"{"status": 200, "data": {"isSuccess": true, "nextTypeId": "Type 1"}}"#) == [
                "/data/nextTypeId:1 not_a_set_name"
            ])
        #expect(
            faults(#"{"status": 200, "data": {"isSuccess": false}}"#) == [
                "/data/isSuccess:1 not_representable"
            ])
    }

    @Test func `a form lists the parts that it cannot contain, and the server sends the nearest form`() {
        let id = QuestionID.makeTimeless()
        let asked = Question(
            id: id, name: "n", title: "N", detail: "More", kind: .number(min: 0, max: 9, decimals: 1),
            branches: [Branch(.minMax(min: 5, max: nil), next: "more")])
        let scale = Question(id: .makeTimeless(), name: "s", title: "S", kind: .rating(scale: 3))
        let set = QuestionSet(title: "T", questions: [asked, scale], anonymous: false)
        #expect(
            SubveyBody.losses(of: set).map(\.field) == [
                "/title", "/questions/0/detail", "/questions/0/branches", "/questions/0/min",
                "/questions/0/max", "/questions/0/decimals",
                "/questions/1/scale",
            ])
        let served = SubveyBody(set, in: "ko", words: .korean).data.forms
        #expect(
            served[0].validate == [
                .init(type: "minMax", target: .bounds(0, 9), validateText: "0 이상 9 이하의 수를 입력하세요.")
            ])
        #expect(served[1].type == "radio")
        #expect(
            served[1].placeholder
                == .options(["1", "2", "3"].map { .init(label: $0, value: $0, checked: false) }))
    }
}
