import Meetings
import Phrases
import Testing
import Wire

/// The statistics of each kind of question, compared with figures that were counted by hand.
struct StatisticsTests {
    private func tally(_ kind: Question.Kind, _ answers: [Answer], words: [WordCount] = []) -> TallyBody {
        let question = Question(id: QuestionID(high: 0, low: 1), title: "Q", kind: kind)
        var count = TallyCount(for: question, .named)
        for answer in answers { count.add(answer, to: question) }
        return TallyBody(
            question, in: QuestionSet(questions: [question], anonymous: false), count: count, latest: [],
            words: words)
    }

    private static let abc: Question.Kind = .multipleChoice(
        choices: ["a", "b", "c"].map { Question.Choice(id: $0, label: $0) }, minSelections: 1,
        maxSelections: 2)

    @Test func `choices have shares of the people, and the most chosen are the mode`() {
        let tally = tally(
            Self.abc, [.choices(["a", "b"]), .choices(["a"]), .choices(["b", "c"])])
        #expect(tally.choices?.map(\.count) == [2, 2, 1])
        #expect(tally.percents == [66.7, 66.7, 33.3])
        #expect(tally.mode == ["a", "b"] && tally.standardDeviation == nil)
    }

    @Test func `a ranking is ordered by average points, and an order by the question keeps its pairs`() {
        let kind = Question.Kind.ranking(
            choices: ["a", "b", "c"].map { Question.Choice(id: $0, label: $0) }, most: 3)
        let tally = tally(kind, [.choices(["b", "a"]), .choices(["b", "c"]), .choices(["c", "a", "b"])])
        // b: 3 + 3 + 1 of three people; c: 2 + 3; a: 2 + 2.
        #expect(tally.choices?.map(\.id) == ["b", "c", "a"])
        #expect(tally.choices?.map(\.points) == [2.33, 1.67, 1.33])
        #expect(tally.choices?.map(\.first) == [2, 1, 0] && tally.choices?.map(\.count) == [3, 2, 2])
        #expect(tally.pairs == [[0, 2, 2], [1, 0, 2], [1, 1, 0]])
        #expect(tally.mode == nil && tally.percents == [100, 66.7, 66.7])
        let question = Question(id: tally.questionId, title: "Q", kind: kind)
        let ordered = tally.ordered(by: .choices, of: question)
        #expect(ordered.choices?.map(\.id) == ["a", "b", "c"])
        #expect(ordered.pairs == [[0, 1, 1], [2, 0, 2], [2, 1, 0]])
        #expect(ordered.ordered(by: .count, of: question) == tally)
    }

    @Test func `a rating of 2, 4, 4, 5, 5 has the deviation √1.2 and two modes`() {
        // The mean is 4, so the squares are 4, 0, 0, 1, 1: their mean is 1.2, and its root is 1.095….
        let tally = tally(.rating(scale: 5), [2, 4, 4, 5, 5].map { .rating($0) })
        #expect(tally.average == 4 && tally.standardDeviation == 1.1)
        #expect(tally.mode == ["4", "5"] && tally.percents == [0, 20, 0, 40, 40])
    }

    @Test func `points of a scale have an average, a deviation and a mode`() {
        // The mean of 1, 1, 3, 3, 3 is 2.2; the squares are 1.44, 1.44, 0.64, 0.64, 0.64: 4.8 / 5 = 0.96.
        let tally = tally(.scale(points: 3, labels: [:]), [1, 1, 3, 3, 3].map { .number($0) })
        #expect(tally.average == 2.2 && tally.standardDeviation == 0.98)
        #expect(tally.mode == ["3"] && tally.percents == [40, 0, 60])
    }

    @Test func `numbers 2, 4, 4, 4, 5, 5, 7, 9 have the mean 5, the deviation 2 and the mode 4`() {
        let tally = tally(
            .number(min: nil, max: nil, decimals: 0), [2, 4, 4, 4, 5, 5, 7, 9].map { .number($0) })
        #expect(tally.average == 5 && tally.standardDeviation == 2 && tally.mode == ["4"])
        #expect(tally.median == 4.5 && tally.min == 2 && tally.max == 9)
        // 2, 3, 4, 5, 6, 7, 8, 9: 1, 0, 3, 2, 0, 1, 0 and 1 of 8.
        #expect(tally.percents == [12.5, 0, 37.5, 25, 0, 12.5, 0, 12.5])
    }

    @Test func `numbers with decimals have a deviation with two decimals more`() {
        // 0.1, 0.1, 0.4: the mean is 0.2, the squares 0.01, 0.01, 0.04: their mean is 0.02.
        let tally = tally(.number(min: 0, max: 1, decimals: 1), [0.1, 0.1, 0.4].map { .number($0) })
        #expect(tally.standardDeviation == 0.141 && tally.mode == ["0.1"])
    }

    @Test func `yes and no, days and words have a mode and shares`() {
        let votes = tally(.yesNo, [.choices(["no"]), .choices(["no"]), .choices(["yes"]), .choices(["no"])])
        #expect(votes.percents == [25, 75] && votes.mode == ["no"])
        let days = tally(
            .date(earliest: nil, latest: nil),
            ["2026-11-21", "2026-11-23", "2026-11-23"].map { .text($0) })
        #expect(days.percents == [33.3, 66.7] && days.mode == ["2026-11-23"])
        let words = tally(
            .wordCloud(most: 2), [.choices(["tea", "milk"]), .choices(["tea"])],
            words: [WordCount(word: "tea", count: 2), WordCount(word: "milk", count: 1)])
        #expect(words.percents == [100, 50] && words.mode == ["tea"])
    }

    @Test func `no answer stands out if each was given once, if there are too many, or if there are none`() {
        let kind = Question.Kind.number(min: nil, max: nil, decimals: 0)
        #expect(tally(kind, [1, 2, 3].map { .number($0) }).mode == nil)
        #expect(tally(kind, [7].map { .number($0) }).mode == ["7"])
        #expect(
            tally(kind, ((1...11).map(Double.init) + (1...11).map(Double.init)).map { .number($0) }).mode
                == nil)
        let none = tally(kind, [])
        #expect(none.mode == nil && none.standardDeviation == nil && none.percents == nil)
        #expect(tally(Self.abc, []).percents == nil)
    }

    @Test func `wide bins give a deviation within their width, and no mode`() throws {
        // The numbers 0, 10, 20, …, 9,990: the deviation of n steps of 10 is 10 · √((n² − 1) / 12).
        let tally = tally(
            .number(min: nil, max: nil, decimals: 0), (0..<1000).map { .number(Double($0 * 10)) })
        let precision = try #require(tally.precision)
        #expect(precision > 1 && tally.mode == nil)
        #expect(abs(try #require(tally.standardDeviation) - 2886.75) < precision)
    }

    @Test func `texts that look equal are counted together, and emoji that differ are not`() {
        let texts = EqualTexts([
            "Good", "Go\u{200B}od", "\u{FEFF}good", "good\u{2060}", "\u{2066}GOOD\u{2069}", "go\u{AD}od",
            "go\u{200D}od",
        ])
        #expect(texts.counts == [EqualTexts.Count(text: "Good", count: 7)])
        let flags = EqualTexts(["🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👨‍👩‍👧", "👨👩👧", "می\u{200C}خواهم", "میخواهم"])
        #expect(flags.counts.count == 6)
    }

    @Test func `equal texts are counted without regard to case, width and spaces`() {
        let texts = EqualTexts(["Good", " good ", "ＧＯＯＤ", "좋아요", "bad", "좋아요"])
        #expect(
            texts.counts.map(\.text) == ["Good", "좋아요", "bad"] && texts.counts.map(\.count) == [3, 2, 1])
        #expect(
            texts.repeated == [
                EqualTexts.Count(text: "Good", count: 3), EqualTexts.Count(text: "좋아요", count: 2),
            ])
        // Texts with the same count do not depend on the order of adding.
        #expect(
            EqualTexts(["b", "a", "b", "a"]).repeated == EqualTexts(["a", "b", "a", "b"]).repeated)
    }

    @Test func `the table of statistics has rows, figures and repeated texts`() throws {
        let rating = tally(.rating(scale: 2), [1, 2, 2].map { .rating($0) })
        let text = tally(.shortAnswer(maxLength: 50), [.text("=1"), .text("=1"), .text("b")])
        let question = Question(id: text.questionId, title: "Q", kind: .shortAnswer(maxLength: 50))
        let shown = ["=1", "=1", "b"].enumerated().map { index, written in
            ShownResponse(
                Response(
                    id: ResponseID(high: 0, low: UInt64(index)), sessionID: SessionID(high: 0, low: 1),
                    set: "feedback", attendeeID: nil, answers: [question.id: .text(written)],
                    at: Instant(seconds: 0)))
        }
        let repeated = RepeatedTexts.among(shown, to: QuestionSet(questions: [question]))
        let table = StatisticsTable([rating, text], repeated, TableForm(in: .english))
        // Both questions have the same id here, so both list the text.
        let lines = String(decoding: table.bytes, as: UTF8.self).split(separator: "\r\n")
        #expect(
            lines == [
                "Question,Answer or figure,Value,Percent,Choice's value", "Q,Answers,3,,", "Q,1,1,33.3,",
                "Q,2,2,66.7,", "Q,Average,1.67,,", "Q,Standard deviation,0.47,,", "Q,Most frequent,2,,",
                "Q,'=1,2,66.7,", "Q,Answers,3,,", "Q,'=1,2,66.7,",
            ])
    }

    private static let paths: Question.Kind = .multipleChoice(
        choices: [
            Question.Choice(id: "1", value: "10", label: LocalizedText("Shore")),
            Question.Choice(id: "2", value: "9.5", label: LocalizedText(["en": "Hill", "ko": "언덕"])),
            Question.Choice(id: "3", label: LocalizedText("Wood")),
            Question.Choice(id: "4", value: "-1", label: LocalizedText("Bog")),
        ], minSelections: 1, maxSelections: 4)

    private func lines(_ tally: TallyBody) -> [String] {
        let table = StatisticsTable([tally], [], TableForm(in: .english))
        return String(decoding: table.bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    @Test func `the table of statistics has the label and the value of a choice, and never its id`() {
        let answers = [["1", "2"], ["2", "1"], ["4"]].map { Answer.choices($0) }
        #expect(
            lines(tally(Self.paths, answers)).dropFirst() == [
                "Q,Answers,3,,", "Q,Shore,2,66.7,10", "Q,Hill,2,66.7,9.5", "Q,Bog,1,33.3,-1", "Q,Wood,0,0,",
                "Q,Most frequent,\"Shore; Hill\",,\"10; 9.5\"",
            ])
        let votes = tally(.yesNo, [.choices(["no"])])
        #expect(lines(votes).last == "Q,Most frequent,No,,")
        let scale = tally(.scale(points: 2, labels: [2: "Often"]), [.number(2)])
        #expect(lines(scale)[2...3] == ["Q,1,0,0,", "Q,Often,1,100,2"])
        #expect(lines(scale).last == "Q,Most frequent,Often,,2")
    }

    @Test(arguments: [
        (ResultOrder.choices, ["1", "2", "3", "4"], [33.3, 66.7, 100, 0]),
        (.count, ["3", "2", "1", "4"], [100, 66.7, 33.3, 0]),
        // Numbers from the lowest, then the label of the choice without a value.
        (.value, ["4", "2", "1", "3"], [0, 66.7, 33.3, 100]),
    ])
    func `the choices of a result can be ordered, and shares follow their choices`(
        order: ResultOrder, ids: [String], percents: [Double]
    ) {
        let question = Question(id: QuestionID(high: 0, low: 1), title: "Q", kind: Self.paths)
        let tally = tally(Self.paths, [["1", "2", "3"], ["2", "3"], ["3"]].map { .choices($0) })
        let ordered = tally.ordered(by: order, of: question)
        #expect(ordered.choices?.map(\.id) == ids && ordered.percents == percents)
        #expect(ordered.mode == tally.mode)
    }
}
