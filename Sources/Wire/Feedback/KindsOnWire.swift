package import Meetings
package import Phrases

// The kinds of questions in requests, results and files: the two tables, and one section for each kind.

/// What the name of a kind decides. No property has a default, so the compiler names each one that a new kind
/// lacks.
struct KindOnWire: Sendable {
    /// The fields of the kind in the API's description of a question.
    let schema: [Schema.Field]
    /// Returns the kind that a client's request describes, and records its errors.
    let read: @Sendable (KindFields) -> Question.Kind
    /// Returns the rows of a result, with their names in this language.
    let rows: @Sendable (TallyBody, Language) -> [ResultRow]
    /// Returns the counts of these rows.
    let counts: @Sendable (TallyBody) -> [Int]
    /// Returns the most frequent answers.
    let mode: @Sendable (TallyBody, TallyCount) -> [String]
    /// Whether the rows begin with the highest count. People then see the most frequent answers by this.
    let isOrderedByCount: Bool
    /// Whether each answer is a text, which results list.
    let isTextAlone: Bool
    /// The sign that people read after a number of this kind: `★`. Empty if there is none.
    let unit: String
}

extension Question.KindName {
    /// The table of the kinds by name.
    var onWire: KindOnWire {
        switch self {
        case .multipleChoice: .multipleChoice
        case .shortAnswer: .shortAnswer
        case .rating: .rating
        case .number: .number
        case .wordCloud: .wordCloud
        case .scale: .scale
        case .yesNo: .yesNo
        case .date: .date
        case .ranking: .ranking
        }
    }
}

/// What a kind with its limits decides.
struct ShownKind {
    /// Adds the figures of a result. The words are those of a word cloud.
    let tally: (inout TallyBody, TallyCount, [WordCount]) -> Void
    /// Returns the parts of an answer as people read them in this place.
    let parts: (Answer, Language, AnswerPlace) -> [String]
    /// Returns what the hall's screen shows while people answer.
    let asked: () -> AskedQuestion.Parts
}

extension Question.Kind {
    /// The table of the kinds with their limits.
    var shown: ShownKind {
        switch self {
        case .multipleChoice(let choices, _, _): .multipleChoice(choices)
        case .shortAnswer: .shortAnswer
        case .rating(let scale): .rating(scale)
        case .number(_, _, let decimals): .number(decimals)
        case .wordCloud(let most): .wordCloud(most)
        case .scale(let points, let labels): .scale(points, labels)
        case .yesNo: .yesNo
        case .date: .date
        case .ranking(let choices, _): .ranking(choices)
        }
    }
}

/// Where people read an answer.
package enum AnswerPlace: Sendable {
    /// A page, with one part a line.
    case page
    /// A cell of a file for spreadsheets. Points have no labels there, because programs read the cell.
    case cell
}

extension Question {
    /// Returns the parts of an answer as people read them: labels instead of ids.
    package func parts(of answer: Answer, in language: Language, _ place: AnswerPlace) -> [String] {
        kind.shown.parts(answer, language, place)
    }
}

/// One row of a result.
package struct ResultRow: Hashable, Sendable {
    /// The answer that the row counts, as `TallyBody.mode` names it; nil for a span of numbers or days.
    package let answer: String?
    /// The name of the row in a file.
    package let name: String
    /// The value of the answer for other programs.
    package let value: String?
    /// The title of the row on a screen.
    package let title: String
    package let count: Int
    /// The average points of a ranked choice, which stand in place of the count; nil for other kinds.
    package var points: Points?

    package struct Points: Hashable, Sendable {
        package let average: Double
        /// The points of a choice that everybody ranks best.
        package let most: Int
        /// The number of people who ranked the choice best.
        package let first: Int
    }

    init(_ answer: String?, _ name: String, value: String? = nil, title: String? = nil, count: Int) {
        self.answer = answer
        self.name = name
        self.value = value
        self.title = title ?? name
        self.count = count
    }
}

extension TallyBody {
    /// Returns the rows of the result with names in this language.
    package func rows(in language: Language) -> [ResultRow] { kind.onWire.rows(self, language) }
    /// Whether the rows begin with the highest count.
    package var isOrderedByCount: Bool { kind.onWire.isOrderedByCount }
    /// Whether each answer is a text.
    package var isTextAlone: Bool { kind.onWire.isTextAlone }
    /// The sign that people read after a number, such as `★`. Empty if there is none.
    package var unit: String { kind.onWire.unit }

    /// Returns a number for people: at most four decimals, without exponent and grouping.
    package static func text(_ number: Double, in language: Language) -> String {
        language.number(Amount.text((number * 10_000).rounded() / 10_000))
    }
}

/// The fields of all kinds in a client's request. They are read whatever the kind is, so that the description
/// of the request has all of them, and each error is reported.
struct KindFields {
    let fields: Fields
    fileprivate let choices: [ChoiceDraft]?
    fileprivate let minSelections, maxSelections, maxLength, scale, decimals, maxWords, most: Int?
    fileprivate let min, max: Double?
    fileprivate let points: [PointDraft]?
    fileprivate let earliest, latest: CivilDate?

    init(reading fields: Fields) {
        self.fields = fields
        choices = fields.objects("choices", of: ChoiceDraft.self, most: 50)
        minSelections = fields.integer("minSelections", 0...50)
        maxSelections = fields.integer("maxSelections", 1...50)
        maxLength = fields.integer("maxLength", 1...5000)
        scale = fields.integer("scale", 2...10)
        min = fields.number("min", within: Amount.bounds)
        max = fields.number("max", within: Amount.bounds)
        decimals = fields.integer("decimals", 0...Amount.mostDecimals)
        maxWords = fields.integer("maxWords", 1...CloudWord.mostWords)
        most = fields.integer("most", 1...Question.mostRanked)
        points = fields.objects("points", of: PointDraft.self, most: 10)
        earliest = fields.date("earliest").flatMap { CivilDate($0) }
        latest = fields.date("latest").flatMap { CivilDate($0) }
    }

    /// Returns the choices with their ids, and records their errors.
    fileprivate func named(most: Int) -> [Question.Choice] {
        let named = ChoiceDraft.named(choices ?? [])
        if !fields.has("choices") {
            fields.fail("choices", .missing)
        } else if choices != nil, !(2...most).contains(named.count) {
            fields.fail("choices", .count(min: 2, max: most))
        }
        if Set(named.map(\.id)).count != named.count { fields.fail("choices", .repeated) }
        return named
    }
}

/// Returns the parts of an answer that needs no labels.
private func plainParts(_ answer: Answer, _ language: Language, _ place: AnswerPlace) -> [String] {
    switch answer {
    case .text(let text): [text]
    case .number(let number):
        [place == .page ? language.number(Amount.text(number)) : Amount.text(number)]
    case .choices(let words, _): words
    }
}

extension TallyBody {
    /// Adds the figures of stars or points.
    fileprivate mutating func addSteps(_ count: TallyCount) {
        counts = count.counts
        average = count.average.map { ($0 * 100).rounded() / 100 }
        standardDeviation = count.deviation.map { ($0 * 100).rounded() / 100 }
    }

    fileprivate var choiceCounts: [Int] { (choices ?? []).map(\.count) }

    fileprivate var choiceMode: [String] {
        let counted: [(value: String, count: Int)] = (choices ?? []).map { ($0.id, $0.count) }
        return Mode.of(counted)
    }

    fileprivate var stepMode: [String] {
        let counted: [(value: String, count: Int)] = (counts ?? []).enumerated().map {
            (String($0.offset + 1), $0.element)
        }
        return Mode.of(counted)
    }

    fileprivate func choiceRows(_ language: Language) -> [ResultRow] {
        (choices ?? []).map {
            ResultRow(
                $0.id, $0.labels?.text(in: language.rawValue) ?? $0.label, value: $0.value, count: $0.count)
        }
    }
}

// MARK: Multiple choice

extension KindOnWire {
    fileprivate static let multipleChoice = KindOnWire(
        schema: [
            .init(name: "choices", isRequired: true, schema: .array(ChoiceDraft.schema, min: 2, max: 50)),
            .init(name: "minSelections", isRequired: true, schema: .integer(min: 1, max: 50)),
            .init(name: "maxSelections", isRequired: true, schema: .integer(min: 1, max: 50)),
        ],
        read: { asked in
            let fields = asked.fields
            let named = asked.named(most: 50)
            if named.count(where: \.isOther) > 1 { fields.fail("choices", .oneOther) }
            let (fewest, highest) = (asked.minSelections, asked.maxSelections)
            let most = min(highest ?? max(1, fewest ?? 1), max(1, named.count))
            let least = max(1, fewest ?? 1)
            if let fewest, let highest, fewest > highest {
                fields.fail("minSelections", .reversedBounds)
            } else if asked.choices != nil, least > most {
                fields.fail("minSelections", .range(min: 1, max: most))
            }
            return .multipleChoice(choices: named, minSelections: min(least, most), maxSelections: most)
        },
        rows: { $0.choiceRows($1) }, counts: { $0.choiceCounts }, mode: { tally, _ in tally.choiceMode },
        isOrderedByCount: true, isTextAlone: false, unit: "")
}

extension ShownKind {
    fileprivate static func multipleChoice(_ choices: [Question.Choice]) -> ShownKind {
        ShownKind(
            tally: { tally, count, _ in
                tally.choices = zip(choices, count.counts)
                    .map {
                        TallyBody.ChoiceCount(
                            id: $0.id, label: $0.label.plain, labels: $0.label.byLanguage, value: $0.value,
                            count: $1)
                    }
                    .enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
                    .map(\.element)
            },
            parts: { answer, language, place in
                guard case .choices(let ids, let other) = answer else {
                    return plainParts(answer, language, place)
                }
                let chosen = choices.filter { ids.contains($0.id) }
                func label(_ choice: Question.Choice) -> String { choice.label.text(in: language.rawValue) }
                switch place {
                case .page: return chosen.map(label) + [other].compactMap { $0 }
                case .cell:
                    return chosen.map { choice in
                        guard choice.isOther, let other else { return label(choice) }
                        return "\(label(choice)): \(other)"
                    }
                }
            },
            asked: { .init(of: choices) })
    }
}

private struct ChoiceDraft: Readable {
    let id: String?
    let value: String?
    let label: LocalizedText
    let isOther: Bool
    let isChecked: Bool

    init(reading fields: Fields) {
        id = fields.name("id", most: 40)
        value = fields.name("value", most: 40)
        label = fields.localized("label", "labels", required: true, most: 200, isLine: true) ?? .none
        isOther = fields.bool("other") ?? false
        isChecked = fields.bool("checked") ?? false
    }

    static let schema = Schema.object(
        [.init(name: "id", isRequired: true, schema: Schema.text(1...40))]
            + Schema.localized("label", "labels", 0...200)
            + [
                .init(name: "value", isRequired: false, schema: Schema.text(1...40)),
                .init(name: "other", isRequired: false, schema: .boolean),
                .init(name: "checked", isRequired: false, schema: .boolean),
            ])

    static func named(_ drafts: [ChoiceDraft]) -> [Question.Choice] {
        drafts.enumerated().map { index, draft in
            Question.Choice(
                id: draft.id ?? name(index), value: draft.value, label: draft.label,
                isOther: draft.isOther, isChecked: draft.isChecked)
        }
    }

    /// Returns the name of the choice at `index`: a … z, then a1, b1, ….
    private static func name(_ index: Int) -> String {
        let letter = String(UnicodeScalar(UInt8(97 + index % 26)))
        return index < 26 ? letter : letter + String(index / 26)
    }
}

// MARK: Short answer

extension KindOnWire {
    fileprivate static let shortAnswer = KindOnWire(
        schema: [.init(name: "maxLength", isRequired: true, schema: .integer(min: 1, max: 5000))],
        read: { .shortAnswer(maxLength: $0.maxLength ?? 500) },
        rows: { _, _ in [] }, counts: { _ in [] }, mode: { _, _ in [] },
        isOrderedByCount: false, isTextAlone: true, unit: "")
}

extension ShownKind {
    fileprivate static var shortAnswer: ShownKind {
        ShownKind(tally: { _, _, _ in }, parts: plainParts, asked: { .init() })
    }
}

// MARK: Rating

extension KindOnWire {
    fileprivate static let rating = KindOnWire(
        schema: [.init(name: "scale", isRequired: true, schema: .integer(min: 2, max: 10))],
        read: { .rating(scale: $0.scale ?? 5) },
        rows: { tally, _ in
            (tally.counts ?? []).enumerated().map { index, count in
                let stars = String(index + 1)
                return ResultRow(stars, stars, title: "\(stars) ★", count: count)
            }
        },
        counts: { $0.counts ?? [] }, mode: { tally, _ in tally.stepMode },
        isOrderedByCount: false, isTextAlone: false, unit: "★")
}

extension ShownKind {
    fileprivate static func rating(_ scale: Int) -> ShownKind {
        ShownKind(
            tally: { tally, count, _ in tally.addSteps(count) }, parts: plainParts,
            asked: { .init(scale: scale) }
        )
    }
}

// MARK: Number

extension KindOnWire {
    fileprivate static let number = KindOnWire(
        schema: [
            .init(name: "min", isRequired: false, schema: .number),
            .init(name: "max", isRequired: false, schema: .number),
            .init(name: "decimals", isRequired: true, schema: .integer(min: 0, max: Amount.mostDecimals)),
        ],
        read: { asked in
            if let min = asked.min, let max = asked.max, min > max {
                asked.fields.fail("min", .reversedBounds)
            }
            return .number(min: asked.min, max: asked.max, decimals: asked.decimals ?? 0)
        },
        rows: { tally, language in
            // A bin does not include `to`. Its title ends with the largest number that the bin can hold.
            let unit = tally.decimals.map { 1 / Double(Amount.scale($0)) } ?? 0
            return (tally.histogram ?? []).map { bar in
                let (from, last) = (
                    TallyBody.text(bar.from, in: language), TallyBody.text(bar.to - unit, in: language)
                )
                return ResultRow(
                    nil, "\(Amount.text(bar.from)) ≤ x < \(Amount.text(bar.to))",
                    title: from == last ? from : "\(from) – \(last)", count: bar.count)
            }
        },
        counts: { ($0.histogram ?? []).map(\.count) },
        mode: { tally, count in
            (count.numbers?.mode ?? []).map {
                Amount.text(Amount.number($0, decimals: tally.decimals ?? 0))
            }
        },
        isOrderedByCount: false, isTextAlone: false, unit: "")
}

extension ShownKind {
    fileprivate static func number(_ decimals: Int) -> ShownKind {
        ShownKind(
            tally: { tally, count, _ in
                tally.summarize(count.numbers ?? NumberCounts(), decimals: decimals)
            }, parts: plainParts, asked: { .init() })
    }
}

// MARK: Word cloud

extension KindOnWire {
    fileprivate static let wordCloud = KindOnWire(
        schema: [
            .init(name: "maxWords", isRequired: true, schema: .integer(min: 1, max: CloudWord.mostWords))
        ],
        read: { .wordCloud(most: $0.maxWords ?? CloudWord.mostWords) },
        rows: { tally, _ in (tally.words ?? []).map { ResultRow($0.word, $0.word, count: $0.count) } },
        counts: { ($0.words ?? []).map(\.count) },
        mode: { tally, _ in
            let counted: [(value: String, count: Int)] = (tally.words ?? []).map { ($0.word, $0.count) }
            return Mode.of(counted)
        },
        isOrderedByCount: true, isTextAlone: false, unit: "")
}

extension ShownKind {
    fileprivate static func wordCloud(_ most: Int) -> ShownKind {
        ShownKind(
            tally: { tally, _, words in tally.words = words }, parts: plainParts,
            asked: { .init(maxWords: most) })
    }
}

// MARK: Scale

extension KindOnWire {
    fileprivate static let scale = KindOnWire(
        schema: [
            .init(name: "scale", isRequired: true, schema: .integer(min: 2, max: 10)),
            .init(name: "points", isRequired: false, schema: .array(PointDraft.schema, min: 0, max: 10)),
        ],
        read: { asked in
            let points = asked.scale ?? 5
            let labels = (asked.points ?? []).compactMap { draft in draft.point.map { ($0, draft.label) } }
            if Set(labels.map(\.0)).count != labels.count { asked.fields.fail("points", .repeated) }
            if labels.contains(where: { $0.0 > points }) {
                asked.fields.fail("points", .range(min: 1, max: points))
            }
            return .scale(
                points: points,
                labels: Dictionary(labels.filter { !$0.1.isEmpty }) { first, _ in first })
        },
        rows: { tally, language in
            let labels = Dictionary((tally.points ?? []).map { ($0.point, $0) }) { first, _ in first }
            return (tally.counts ?? []).enumerated().map { index, count in
                let point = String(index + 1)
                guard
                    let label = labels[index + 1].map({ $0.labels?.text(in: language.rawValue) ?? $0.label })
                else {
                    return ResultRow(point, point, count: count)
                }
                return ResultRow(point, label, value: point, title: "\(point) \(label)", count: count)
            }
        },
        counts: { $0.counts ?? [] }, mode: { tally, _ in tally.stepMode },
        isOrderedByCount: false, isTextAlone: false, unit: "")
}

extension ShownKind {
    fileprivate static func scale(_ points: Int, _ labels: [Int: LocalizedText]) -> ShownKind {
        ShownKind(
            tally: { tally, count, _ in
                tally.addSteps(count)
                tally.points = TallyBody.Point.listed(labels)
            },
            parts: { answer, language, place in
                guard place == .page, case .number(let number) = answer,
                    let label = Int(exactly: number).flatMap({ labels[$0] })
                else { return plainParts(answer, language, place) }
                return ["\(Amount.text(number)) \(label.text(in: language.rawValue))"]
            },
            asked: { .init(scale: points, points: TallyBody.Point.listed(labels)) })
    }
}

/// The label of a point of a scale.
private struct PointDraft: Readable {
    let point: Int?
    let label: LocalizedText

    init(reading fields: Fields) {
        point = fields.integer("point", required: true, 1...10)
        label = fields.localized("label", "labels", required: true, most: 200, isLine: true) ?? .none
    }

    static let schema = Schema.object(
        [.init(name: "point", isRequired: true, schema: .integer(min: 1, max: 10))]
            + Schema.localized("label", "labels", 0...200))
}

// MARK: Yes or no

extension KindOnWire {
    fileprivate static let yesNo = KindOnWire(
        schema: [], read: { _ in .yesNo },
        rows: { $0.choiceRows($1) }, counts: { $0.choiceCounts }, mode: { tally, _ in tally.choiceMode },
        isOrderedByCount: true, isTextAlone: false, unit: "")
}

extension ShownKind {
    fileprivate static var yesNo: ShownKind {
        ShownKind(
            tally: { tally, count, _ in
                tally.choices = zip(YesNo.allCases, count.counts).map { choice, count in
                    let label = choice.label
                    return TallyBody.ChoiceCount(
                        id: choice.rawValue, label: label.text(in: "en"), labels: label, count: count)
                }
            },
            parts: { answer, language, place in
                plainParts(answer, language, place).map {
                    YesNo(rawValue: $0)?.phrase.text(in: language) ?? $0
                }
            },
            asked: {
                .init(
                    choices: YesNo.allCases.map { .init(label: $0.label.text(in: "en"), labels: $0.label) })
            })
    }
}

extension YesNo {
    /// The answer in the words of a form.
    package var phrase: Phrase {
        switch self {
        case .yes: Phrase.Page.yes
        case .no: Phrase.Page.no
        }
    }

    /// The answer in all languages.
    fileprivate var label: LocalizedText {
        switch self {
        case .yes: Self.yesLabel
        case .no: Self.noLabel
        }
    }

    private static let yesLabel = inAllLanguages(.yes)
    private static let noLabel = inAllLanguages(.no)

    private static func inAllLanguages(_ answer: YesNo) -> LocalizedText {
        LocalizedText(
            Dictionary(
                uniqueKeysWithValues: Language.allCases.map {
                    ($0.rawValue.lowercased(), answer.phrase.text(in: $0))
                }))
    }
}

// MARK: Date

extension KindOnWire {
    fileprivate static let date = KindOnWire(
        schema: [Schema.day("earliest"), Schema.day("latest")],
        read: { asked in
            if let earliest = asked.earliest, let latest = asked.latest,
                earliest.daysSince1970 > latest.daysSince1970
            {
                asked.fields.fail("earliest", .reversedBounds)
            }
            return .date(earliest: asked.earliest, latest: asked.latest)
        },
        rows: { tally, _ in
            (tally.dates ?? []).map {
                $0.from == $0.to
                    ? ResultRow($0.from, $0.from, count: $0.count)
                    : ResultRow(nil, "\($0.from) – \($0.to)", count: $0.count)
            }
        },
        counts: { ($0.dates ?? []).map(\.count) },
        mode: { _, count in
            (count.numbers?.mode ?? []).map { CivilDate(daysSince1970: Int64($0)).text }
        },
        isOrderedByCount: false, isTextAlone: false, unit: "")
}

extension ShownKind {
    fileprivate static var date: ShownKind {
        ShownKind(
            tally: { tally, count, _ in tally.summarize(days: count.numbers ?? NumberCounts()) },
            parts: plainParts, asked: { .init() })
    }
}

// MARK: Ranking

extension KindOnWire {
    fileprivate static let ranking = KindOnWire(
        schema: [
            .init(
                name: "choices", isRequired: true,
                schema: .array(ChoiceDraft.schema, min: 2, max: Question.mostRanked)),
            .init(name: "most", isRequired: true, schema: .integer(min: 1, max: Question.mostRanked)),
        ],
        read: { asked in
            let choices = asked.named(most: Question.mostRanked)
            for (index, choice) in choices.enumerated() {
                if choice.isOther { asked.fields.fail("choices/\(index)/other", .notTogether(with: "kind")) }
                if choice.isChecked {
                    asked.fields.fail("choices/\(index)/checked", .notTogether(with: "kind"))
                }
            }
            return .ranking(choices: choices, most: min(asked.most ?? .max, max(1, choices.count)))
        },
        rows: { tally, language in
            zip(tally.choiceRows(language), tally.choices ?? []).map { row, choice in
                var row = row
                row.points = choice.points.map {
                    ResultRow.Points(
                        average: $0, most: tally.choices?.count ?? 0, first: choice.first ?? 0)
                }
                return row
            }
        },
        counts: { $0.choiceCounts }, mode: { _, _ in [] },
        isOrderedByCount: true, isTextAlone: false, unit: "")
}

extension ShownKind {
    fileprivate static func ranking(_ choices: [Question.Choice]) -> ShownKind {
        ShownKind(
            tally: { tally, count, _ in
                let counts = RankingCounts(count, choices: choices.count)
                func average(_ index: Int) -> Double {
                    guard count.answers > 0 else { return 0 }
                    return (Double(counts.points[index]) / Double(count.answers) * 100).rounded() / 100
                }
                let order = choices.indices.sorted {
                    (-counts.points[$0], $0) < (-counts.points[$1], $1)
                }
                tally.choices = order.map { index in
                    TallyBody.ChoiceCount(
                        id: choices[index].id, label: choices[index].label.plain,
                        labels: choices[index].label.byLanguage, value: choices[index].value,
                        count: counts.ranked[index], points: average(index), first: counts.first[index])
                }
                tally.pairs = counts.pairs.map { pairs in
                    order.map { one in order.map { other in pairs[one][other] } }
                }
            },
            parts: { answer, language, place in
                guard case .choices(let ids, _) = answer else { return plainParts(answer, language, place) }
                let labels = ids.compactMap { id in
                    choices.first { $0.id == id }?.label.text(in: language.rawValue)
                }
                switch place {
                case .page: return labels.enumerated().map { "\($0.offset + 1). \($0.element)" }
                case .cell: return labels
                }
            },
            asked: { .init(of: choices) })
    }
}
