import Meetings
import Testing

/// Tests answers to number questions, the choice "other", hidden questions, rules, eligibility and branches.
struct FormAnswerTests {
    private func reason(
        _ answer: Answer, to question: Question, beside others: [Question] = [], _ given: Answers = [:]
    ) throws
        -> FieldReason?
    {
        let set = QuestionSet(questions: [question] + others)
        let all = given.merging([question.id: answer]) { $1 }
        do throws(Refusal) {
            _ = try set.checked(all, by: PlainPatterns())
            return nil
        } catch {
            guard case .invalid(let errors) = error else { return nil }
            #expect(errors.map(\.field) == ["/answers/\(question.id)"])
            return errors.first?.reason
        }
    }

    private func number(_ min: Double?, _ max: Double?, _ decimals: Int, rules: [Rule] = []) -> Question {
        Question(
            id: QuestionID(high: 0, low: 1), title: "How many?",
            kind: .number(min: min, max: max, decimals: decimals), rules: rules)
    }

    @Test(
        arguments: [(-1, false), (0, true), (1, true), (119, true), (120, true), (121, false)]
            as [(Double, Bool)])
    func `a number lies within its bounds, both included`(value: Double, isTaken: Bool) throws {
        #expect(
            try reason(.number(value), to: number(0, 120, 0)) == (isTaken ? nil : .between(min: 0, max: 120)))
    }

    @Test func `a number may have as many decimals as the question allows`() throws {
        #expect(try reason(.number(0.5), to: number(nil, nil, 0)) == .decimals(most: 0))
        #expect(try reason(.number(0.25), to: number(nil, nil, 2)) == nil)
        #expect(try reason(.number(0.125), to: number(nil, nil, 2)) == .decimals(most: 2))
        #expect(try reason(.number(0.1 + 0.2), to: number(nil, nil, 1)) == nil)
        #expect(try reason(.number(0.0001), to: number(nil, nil, 4)) == nil)
        let kept = try QuestionSet(questions: [number(nil, nil, 1)]).checked([
            QuestionID(high: 0, low: 1): .number(0.1 + 0.2)
        ])
        #expect(kept.values.first == .number(0.3))
    }

    @Test(arguments: [1e9, -1e9, 1e9 + 1, -1e9 - 1, 1e300, .infinity, .nan])
    func `a number without a bound is refused beyond one thousand million`(value: Double) throws {
        let isTaken = abs(value) <= 1e9
        #expect(
            try reason(.number(value), to: number(nil, nil, 0))
                == (isTaken ? nil : .between(min: -1e9, max: 1e9)))
    }

    private let choice = Question(
        id: QuestionID(high: 0, low: 2), title: "Which?",
        kind: .multipleChoice(
            choices: [.init(id: "a", label: "A"), .init(id: "x", label: "Other", isOther: true)],
            minSelections: 1, maxSelections: 2))

    @Test func `a text for "other" is optional, and is refused if "other" is not chosen`() throws {
        #expect(try reason(.choices(["a", "x"], other: "Tea"), to: choice) == nil)
        #expect(try reason(.choices(["x"]), to: choice) == nil)
        #expect(try reason(.choices(["a"], other: "Tea"), to: choice) == .otherNotChosen)
        #expect(try reason(.choices(["a"], other: "  "), to: choice) == nil)
        #expect(try reason(.choices(["x"], other: String(repeating: "가", count: 200)), to: choice) == nil)
        #expect(try reason(.choices(["x"], other: String(repeating: "👩‍💻", count: 200)), to: choice) == nil)
        #expect(
            try reason(.choices(["x"], other: String(repeating: "가", count: 201)), to: choice)
                == .length(min: 1, max: 200))
        #expect(try reason(.choices(["x"], other: "a\u{1b}[2J"), to: choice) == .notText)
        let kept = try QuestionSet(questions: [choice]).checked([
            choice.id: .choices(["x", "a"], other: "Tea")
        ])
        #expect(kept == [choice.id: .choices(["a", "x"], other: "Tea")])
    }

    @Test func `an answer that breaks rules gets one error, with the first broken rule`() throws {
        let rules = [
            Rule(.minMaxLength(min: 2, max: nil), message: "Two"), Rule(.pattern("@"), message: "An @"),
        ]
        let text = Question(
            id: QuestionID(high: 0, low: 3), title: "Mail", kind: .shortAnswer(maxLength: 50), rules: rules)
        #expect(try reason(.text("a"), to: text) == .rule(rules[0]))
        #expect(try reason(.text("ab"), to: text) == .rule(rules[1]))
        #expect(try reason(.text("a@"), to: text) == nil)
        // An empty answer counts as no answer, so it breaks no rule.
        let other = Question(id: QuestionID(high: 0, low: 4), title: "Stars", kind: .rating(scale: 5))
        #expect(throws: Never.self) {
            try QuestionSet(questions: [text, other]).checked([text.id: .text(""), other.id: .rating(1)])
        }
    }

    @Test func `a missing required answer is refused with the message of the rule against empty answers`()
        throws
    {
        for test in [Rule.Test.not(.text("")), .minMaxLength(min: 1, max: nil)] {
            let text = Question(
                id: QuestionID(high: 0, low: 3), title: "Name", required: true,
                kind: .shortAnswer(maxLength: 50),
                rules: [Rule(test, message: "이름을 입력해주세요.")])
            #expect(try reason(.text(" "), to: text) == .missingWithMessage("이름을 입력해주세요."))
            var silent = text
            silent.rules[0].message = .none
            #expect(try reason(.text(""), to: silent) == .missing)
        }
    }

    @Test func `a hidden question needs no answer, and an answer to it is refused`() throws {
        var hidden = Question(
            id: QuestionID(high: 0, low: 5), title: "Old", required: true, kind: .rating(scale: 5))
        hidden.isHidden = true
        let set = QuestionSet(questions: [hidden, choice])
        #expect(try set.checked([choice.id: .choices(["a"])]) == [choice.id: .choices(["a"])])
        #expect(throws: Refusal.invalid([FieldError("/answers/\(hidden.id)", .unknownQuestion)])) {
            try set.checked([choice.id: .choices(["a"]), hidden.id: .rating(4)])
        }
    }

    @Test func `all errors are listed in the order of the questions`() {
        let first = number(0, 1, 0)
        let text = Question(
            id: QuestionID(high: 0, low: 3), title: "T", kind: .shortAnswer(maxLength: 9),
            rules: [Rule(.pattern("@"))])
        let last = Question(
            id: QuestionID(high: 0, low: 6), title: "Last", required: true, kind: .rating(scale: 5))
        let expected = [
            FieldError("/answers/\(text.id)", .rule(text.rules[0])),
            FieldError("/answers/\(first.id)", .between(min: 0, max: 1)),
            FieldError("/answers/\(last.id)", .missing),
        ]
        #expect(throws: Refusal.invalid(expected)) {
            try QuestionSet(questions: [text, first, last]).checked(
                [first.id: .number(9), text.id: .text("x")], by: PlainPatterns())
        }
    }

    @Test(arguments: [(18, true), (19, false), (20, false)] as [(Double, Bool)])
    func `an attendee under nineteen is not eligible, and gets the rule's message`(age: Double, isEnded: Bool)
    {
        var asked = number(0, 120, 0)
        asked.eligibility = [Rule(.minMax(min: 19, max: nil), message: "Adults only")]
        let set = QuestionSet(questions: [asked])
        #expect(
            set.ending(for: [asked.id: .number(age)], by: PlainPatterns())
                == (isEnded ? asked.eligibility[0] : nil))
        #expect(set.ending(for: [:], by: PlainPatterns()) == nil)
    }

    @Test func `the first branch whose condition holds decides the next set, else the set's own next`() {
        var asked = choice
        asked.branches = [
            Branch(.sameAs(.text("x")), next: "others"), Branch(.sameAs(.text("a")), next: "as"),
        ]
        var set = QuestionSet(next: "end", questions: [asked])
        func next(_ ids: [String]) -> String? {
            set.next(after: [asked.id: .choices(ids)], by: PlainPatterns())
        }
        #expect(next(["a", "x"]) == "others")
        #expect(next(["a"]) == "as")
        #expect(set.next(after: [:], by: PlainPatterns()) == "end")
        #expect(set.possibleNextSets == ["others", "as", "end"])
        set.next = nil
        #expect(set.next(after: [:], by: PlainPatterns()) == nil)
    }

    @Test func `a copy has new ids, and its rules refer to the copied questions`() {
        var again = Question(
            id: QuestionID(high: 0, low: 7), title: "Again", kind: .shortAnswer(maxLength: 9))
        let first = Question(
            id: QuestionID(high: 0, low: 8), name: "mail", title: "Mail", kind: .shortAnswer(maxLength: 9))
        again.rules = [Rule(.sameAsQuestion(first.id))]
        let set = QuestionSet(
            title: "T", description: "D", next: "n", questions: [first, again], shared: true, responses: 4,
            version: 9)
        let copy = set.copied(at: Instant(seconds: 1_795_255_200))
        #expect(Set(copy.questions.map(\.id)).isDisjoint(with: [first.id, again.id]))
        #expect(copy.questions[1].rules == [Rule(.sameAsQuestion(copy.questions[0].id))])
        #expect(
            copy.title == "T" && copy.description == "D" && copy.next == "n" && !copy.shared
                && copy.responses == 0)
        #expect(copy.questions[0].name == "mail")
        #expect(!set.copied(as: QuestionSet.checkIn, at: Instant(seconds: 0)).anonymous)
    }
}
