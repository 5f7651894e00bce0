import Foundation
import Meetings
import Testing

/// The kinds of questions that polls use: words, points, yes or no, and days.
struct PollKindTests {
    private func question(_ kind: Question.Kind) -> Question {
        Question(id: ID(high: 1, low: 7), title: "Q", required: true, kind: kind)
    }

    private func checked(_ answer: Answer, _ kind: Question.Kind) throws -> Answer? {
        let question = question(kind)
        return try QuestionSet(questions: [question]).checked([question.id: answer])[question.id]
    }

    private func reason(_ answer: Answer, _ kind: Question.Kind) -> FieldReason? {
        do throws(Refusal) {
            _ = try QuestionSet(questions: [question(kind)]).checked([question(kind).id: answer])
            return nil
        } catch {
            guard case .invalid(let errors) = error else { return nil }
            return errors.first?.reason
        }
    }

    @Test(arguments: [
        ("Speed", "speed"), ("  Speed! ", "speed"), ("ＳＰＥＥＤ", "speed"), ("#배움", "배움"), ("배움을", "배움"),
        ("배움은", "배움"), ("학교에서", "학교"), ("학교는", "학교"), ("학교가", "학교"), ("고양이", "고양이"), ("회의", "회의"),
        ("만족도", "만족도"), ("효과", "효과"), ("New   York", "new york"), ("!!!", "!!!"), ("ﾊﾝｸﾞﾙ", "ハングル"),
        ("커피를", "커피"), ("사람들에게", "사람들"), ("가을", "가을"), ("배\u{200D}움\u{200B}을", "배움"),
        ("sp\u{AD}eed", "speed"), ("❤️", "❤️"), ("👩‍👩‍👧", "👩‍👩‍👧"),
    ])
    func `a word's key folds case, width, marks and Korean particles`(word: String, key: String) {
        #expect(CloudWord.key(word) == key)
        #expect(CloudWord.key(CloudWord.key(word)) == key)
    }

    @Test func `a text is split at its commas, or else at its spaces`() {
        #expect(CloudWord.words(in: "fast, New York,  ") == ["fast", "New York"])
        #expect(CloudWord.words(in: " 빠른 속도 ") == ["빠른", "속도"])
    }

    @Test func `words are trimmed, and a word that is given twice counts once`() throws {
        let cloud = Question.Kind.wordCloud(most: 2)
        #expect(try checked(.text("Speed, speed"), cloud) == .choices(["Speed"]))
        #expect(try checked(.choices([" a ", "b", ""]), cloud) == .choices(["a", "b"]))
        #expect(reason(.choices(["a", "b", "c"]), cloud) == .count(min: 1, max: 2))
        #expect(reason(.choices([String(repeating: "a", count: 31)]), cloud) == .length(min: 1, max: 30))
        #expect(reason(.choices(["a\u{0}"]), cloud) == .notText)
        // The key of this word has three times as many bytes as the word.
        let vowels = "\u{F40}" + String(repeating: "\u{F77}", count: CloudWord.mostBytes / 3 - 1)
        #expect(reason(.choices([vowels]), cloud) == .length(min: 1, max: 30))
        #expect(reason(.number(1), cloud) == .wrongType(expected: "array"))
    }

    /// The invisible characters that a one-line text refuses. An answer of several lines refuses the last two
    private static let invisibles = [
        "\u{200B}", "\u{FEFF}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}", "\u{200E}", "\u{AD}",
        "\u{202D}", "\u{202E}",
    ]

    @Test(arguments: invisibles)
    func `words and the text of "other" follow the rule of names`(invisible: String) throws {
        let written = "good\(invisible)bye"
        #expect(reason(.choices([written]), .wordCloud(most: 2)) == .notText)
        #expect(reason(.text(written), .wordCloud(most: 2)) == .notText)
        let other = Question.Kind.multipleChoice(
            choices: [
                Question.Choice(id: "a", label: "A"),
                Question.Choice(id: "x", label: LocalizedText("X"), isOther: true),
            ], minSelections: 1, maxSelections: 1)
        #expect(reason(.choices(["x"], other: written), other) == .notText)
        #expect(try checked(.choices(["x"], other: " 👩‍👩‍👧 "), other) == .choices(["x"], other: "👩‍👩‍👧"))
    }

    @Test func `an answer of several lines refuses reversed letters, and no other invisible character`()
        throws
    {
        let lines = Question.Kind.shortAnswer(maxLength: 100)
        for invisible in Self.invisibles.dropLast(2) {
            let written = "good\(invisible)bye\n\tתודה"
            #expect(try checked(.text(written), lines) == .text(written))
        }
        for override in Self.invisibles.suffix(2) {
            #expect(reason(.text("good\(override)bye"), lines) == .notText)
        }
        #expect(reason(.text("\u{200B}\u{2066} \u{FEFF}"), lines) == .missing)
        #expect(reason(.choices(["\u{200B}"]), .wordCloud(most: 2)) == .count(min: 1, max: 2))
    }

    @Test func `a point is a whole number on the scale`() throws {
        let scale = Question.Kind.scale(points: 7, labels: [1: "Never"])
        #expect(try checked(.number(7), scale) == .number(7))
        #expect(reason(.number(8), scale) == .range(min: 1, max: 7))
        #expect(reason(.number(0), scale) == .range(min: 1, max: 7))
        #expect(reason(.number(1.5), scale) == .wrongType(expected: "integer"))
        #expect(reason(.text("7"), scale) == .wrongType(expected: "integer"))
    }

    @Test func `yes and no can be a text or a choice`() throws {
        #expect(try checked(.text("yes"), .yesNo) == .choices(["yes"]))
        #expect(try checked(.choices(["no"]), .yesNo) == .choices(["no"]))
        #expect(reason(.text("maybe"), .yesNo) == .unknownChoice)
        #expect(reason(.choices(["yes", "no"]), .yesNo) == .count(min: 1, max: 1))
        #expect(reason(.number(1), .yesNo) == .wrongType(expected: "string"))
    }

    @Test func `a day is within the question's limits`() throws {
        let kind = Question.Kind.date(earliest: CivilDate("2026-11-01"), latest: CivilDate("2026-11-30"))
        #expect(try checked(.text("2026-11-30"), kind) == .text("2026-11-30"))
        #expect(
            reason(.text("2026-12-01"), kind) == .dateOutside(earliest: "2026-11-01", latest: "2026-11-30"))
        #expect(reason(.text("2026-02-30"), kind) == .notADate)
        #expect(try checked(.text("1900-01-01"), .date(earliest: nil, latest: nil)) == .text("1900-01-01"))
    }

    private static let ranking = Question.Kind.ranking(
        choices: ["a", "b", "c", "d"].map { .init(id: $0, label: $0.uppercased()) }, most: 3)

    @Test func `a ranking keeps the attendee's order and refuses what is no order`() throws {
        let kind = Self.ranking
        #expect(try checked(.choices(["d", "a", "b"]), kind) == .choices(["d", "a", "b"]))
        #expect(try checked(.choices(["c"]), kind) == .choices(["c"]))
        #expect(reason(.choices(["a", "b", "c", "d"]), kind) == .count(min: 1, max: 3))
        #expect(reason(.choices(["a", "a"]), kind) == .repeated)
        #expect(reason(.choices(["a", "e"]), kind) == .unknownChoice)
        #expect(reason(.number(1), kind) == .wrongType(expected: "array"))
        #expect(reason(.text("a, b"), kind) == .wrongType(expected: "array"))
        // What was typed into the fields of a form.
        #expect(reason(.text("1 1 - 2"), kind) == .repeated)
        #expect(reason(.text("1 5 - -"), kind) == .range(min: 1, max: 4))
        #expect(reason(.text("1 x - -"), kind) == .range(min: 1, max: 4))
    }

    @Test func `a ranking counts points, first places and pairs, and anonymous sets store no pairs`() {
        let question = question(Self.ranking)
        for promise in AnswerPromise.allCases {
            var tally = TallyCount(for: question, promise)
            tally.add(.choices(["a", "b", "c"]), to: question)
            tally.add(.choices(["b", "a"]), to: question)
            tally.add(.choices(["b"]), to: question)
            let counts = RankingCounts(tally, choices: 4)
            // Places 1, 2 and 3 of four choices get 4, 3 and 2 points.
            #expect(counts.points == [4 + 3, 3 + 4 + 4, 2, 0])
            #expect(counts.first == [1, 2, 0, 0] && counts.ranked == [2, 3, 1, 0])
            let pairs = [[0, 1, 2, 2], [2, 0, 3, 3], [0, 0, 0, 1], [0, 0, 0, 0]]
            #expect(counts.pairs == (promise == .anonymous ? nil : pairs), "\(promise)")
            tally.remove(.choices(["b"]), from: question)
            tally.remove(.choices(["b", "a"]), from: question)
            tally.remove(.choices(["a", "b", "c"]), from: question)
            #expect(tally == TallyCount(for: question, promise))
        }
    }

    @Test(arguments: [
        Question.Kind.wordCloud(most: 3), .scale(points: 5, labels: [1: "Never", 5: "Always"]), .yesNo,
        .date(earliest: CivilDate("2026-11-01"), latest: nil), ranking,
    ])
    func `a question round-trips through JSON`(kind: Question.Kind) throws {
        let read = try JSONDecoder().decode(Question.self, from: JSONEncoder().encode(question(kind)))
        #expect(read == question(kind))
    }

    @Test func `tallies of all kinds forget removed answers`() {
        let given: [(Question.Kind, [Answer])] = [
            (.wordCloud(most: 2), [.choices(["a", "b"]), .choices(["A"]), .choices(["c"])]),
            (.scale(points: 3, labels: [:]), [.number(1), .number(3), .number(3)]),
            (.yesNo, [.choices(["yes"]), .choices(["no"]), .choices(["yes"])]),
            (Self.ranking, [.choices(["a"]), .choices(["b", "a"]), .choices(["d", "c", "b"])]),
            (
                .date(earliest: nil, latest: nil),
                [.text("2026-11-22"), .text("2026-11-23"), .text("1970-01-01")]
            ),
        ]
        for (kind, answers) in given {
            let question = question(kind)
            var tally = TallyCount(for: question)
            for answer in answers { tally.add(answer, to: question) }
            var fewer = TallyCount(for: question)
            for answer in answers.dropLast() { fewer.add(answer, to: question) }
            tally.remove(answers[2], from: question)
            #expect(tally.agrees(with: fewer), "\(kind)")
        }
    }

    @Test func `each person counts once for a word, however the word is written`() {
        let question = question(.wordCloud(most: 3))
        var tally = TallyCount(for: question)
        tally.add(.choices(["Speed", "speed!"]), to: question)
        tally.add(.choices(["ＳＰＥＥＤ", "배움을"]), to: question)
        #expect(tally.words == ["speed": 2, "배움": 1])
        #expect(tally.takeWords() == ["speed": 2, "배움": 1] && tally.words == nil && tally.answers == 2)
    }
}
