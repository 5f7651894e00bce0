// The kinds of questions: their cases, their names, the table of their definitions, and one section for each
// kind. Other layers have a table of their own. The compiler names each table that lacks a kind.

extension Question {
    /// The kinds of questions, with the limits of their answers.
    package enum Kind: Hashable, Sendable {
        /// A question with 2–50 choices. An attendee chooses from `minSelections` to `maxSelections` of them.
        case multipleChoice(choices: [Choice], minSelections: Int, maxSelections: Int)
        /// A question for a text of 1–`maxLength` characters, as people count them; `maxLength` is 1–5,000.
        case shortAnswer(maxLength: Int)
        /// A question for 1–`scale` stars; `scale` is 2–10.
        case rating(scale: Int)
        /// A question for a number from `min` to `max`, both included, with at most `decimals` digits (0–4)
        /// after the decimal point. A nil bound means no limit, but all numbers are within `Amount.bounds`.
        case number(min: Double?, max: Double?, decimals: Int)
        /// A question for 1–`most` words, which results show as a word cloud (`CloudWord`); `most` is 1–3.
        case wordCloud(most: Int)
        /// A question for a point from 1 to `points`; `points` is 2–10. Each point can have a label of 1–200
        /// characters in each language.
        case scale(points: Int, labels: [Int: LocalizedText])
        /// A question for yes or no (`YesNo`).
        case yesNo
        /// A question for a day from `earliest` to `latest`, both included. Nil means no limit, but all days
        /// are in the years 1900–2199.
        case date(earliest: CivilDate?, latest: CivilDate?)
        /// A question with 2–12 choices (`mostRanked`), which attendees put in order: the best first, at most
        /// `most` of them.
        case ranking(choices: [Choice], most: Int)
    }

    /// The most choices of a ranking.
    package static let mostRanked = 12
    /// The place of an unranked choice in a text of places: `2 1 -`. Such a text holds places from a form
    /// that are not a valid order.
    package static let noPlace = "-"

    /// The names of the kinds in JSON.
    package enum KindName: String, Sendable, Codable, CaseIterable {
        case multipleChoice, shortAnswer, rating, number, wordCloud, scale, yesNo, date, ranking
    }

    /// The texts of answers that the results list and that hosts moderate.
    package enum ListedTexts: Sendable {
        case none
        /// The newest texts.
        case texts
        /// The most frequent words. Their counts are in rows of their own.
        case words
    }
}

/// The definition of one kind in this layer. No requirement has a default, so the compiler names each one
/// that a new kind lacks.
protocol KindDefinition {
    /// The kind's name in JSON.
    static var name: Question.KindName { get }
    /// The same kind as a case.
    var kind: Question.Kind { get }

    // MARK: JSON

    init(from container: KeyedDecodingContainer<Question.Key>) throws
    func encode(to container: inout KeyedEncodingContainer<Question.Key>) throws

    // MARK: Texts for people

    /// Returns the kind after `change` of each of its texts. `change` receives this kind's text, and the
    /// text at the same place of `other`, if it is a question of this kind.
    func changingTexts(
        beside other: Question.Kind?, _ change: (LocalizedText, LocalizedText?) -> LocalizedText
    ) -> Question.Kind
    /// Returns whether answers to `other` are also valid answers to this kind. Texts for people may differ.
    func asksTheSame(as other: Question.Kind) -> Bool

    // MARK: Answers

    /// Returns the answer in its stored form, or the error. The answer is not empty.
    func checked(_ answer: Answer) -> Result<Answer, FieldError>
    /// Returns the answer that a client of a published form means; nil if the value is empty.
    func answer(of value: PublishedForm.Value) -> Answer?
    /// The conditions of `minMax`, `minMaxLength` and `pattern` that apply to the answers.
    var limits: Set<Rule.Kind> { get }
    /// Returns whether an answer can equal `value`.
    func compares(with value: Rule.Value) -> Bool
    /// The texts of the answers that the results list.
    var listed: Question.ListedTexts { get }

    // MARK: Tally

    /// The number of `TallyCount.counts` in sets with this promise; 0 for a kind that has none.
    func countedRows(_ promise: AnswerPromise) -> Int
    /// Returns whether a tally can count this answer.
    func counts(_ answer: Answer) -> Bool
    /// Adds `difference` to the counts of an answer.
    func count(_ answer: Answer, by difference: Int, in tally: inout TallyCount)
}

extension Question.Kind {
    /// The table of the kinds in this layer.
    var definition: any KindDefinition {
        switch self {
        case .multipleChoice(let choices, let least, let most):
            MultipleChoice(choices: choices, least: least, most: most)
        case .shortAnswer(let maxLength): ShortAnswer(maxLength: maxLength)
        case .rating(let scale): Rating(scale: scale)
        case .number(let min, let max, let decimals): Number(min: min, max: max, decimals: decimals)
        case .wordCloud(let most): WordCloud(most: most)
        case .scale(let points, let labels): Scale(points: points, labels: labels)
        case .yesNo: YesOrNo()
        case .date(let earliest, let latest): Date(earliest: earliest, latest: latest)
        case .ranking(let choices, let most): Ranking(choices: choices, most: most)
        }
    }
}

extension Question.KindName {
    /// The same table by name.
    var definition: any KindDefinition.Type {
        switch self {
        case .multipleChoice: MultipleChoice.self
        case .shortAnswer: ShortAnswer.self
        case .rating: Rating.self
        case .number: Number.self
        case .wordCloud: WordCloud.self
        case .scale: Scale.self
        case .yesNo: YesOrNo.self
        case .date: Date.self
        case .ranking: Ranking.self
        }
    }
}

extension Question {
    /// The kind's name in JSON.
    package var kindName: KindName { type(of: kind.definition).name }

    /// Whether answers to the question can contain texts. The results list these texts.
    package var takesTexts: Bool { kind.definition.listed == .texts }
    /// Whether the answers are words, and each word has its count in a row.
    package var countsWords: Bool { kind.definition.listed == .words }

    /// The choice "other", for which an attendee can write a text; nil if the question has no such choice.
    package var other: Choice? {
        guard case .multipleChoice(let choices, _, _) = kind else { return nil }
        return choices.first(where: \.isOther)
    }
}

private typealias Checked = Result<Answer, FieldError>

private func wrong(_ reason: FieldReason) -> Checked { .failure(FieldError("", reason)) }

private func isNumber(_ value: Rule.Value) -> Bool { if case .number = value { true } else { false } }

/// A kind whose limits contain no text for people.
private protocol KindWithoutTexts: KindDefinition {}

extension KindWithoutTexts {
    func changingTexts(
        beside other: Question.Kind?, _ change: (LocalizedText, LocalizedText?) -> LocalizedText
    ) -> Question.Kind { kind }
    func asksTheSame(as other: Question.Kind) -> Bool { kind == other }
}

/// A kind whose answers are whole numbers from 1 to `steps`, as stars and points are.
private protocol KindOfSteps: KindDefinition {
    var steps: Int { get }
}

extension KindOfSteps {
    func checked(_ answer: Answer) -> Checked {
        guard case .number(let number) = answer, number == number.rounded() else {
            return wrong(.wrongType(expected: "integer"))
        }
        return counts(answer) ? .success(answer) : wrong(.range(min: 1, max: steps))
    }

    /// Returns the number that a client sent as one text.
    fileprivate func step(of value: PublishedForm.Value) -> Answer? {
        guard value.texts.count == 1 else { return value.asSent }
        return Int(value.texts[0]).map { .number(Double($0)) } ?? value.asSent
    }

    var limits: Set<Rule.Kind> { [.minMax] }
    var listed: Question.ListedTexts { .none }
    func countedRows(_ promise: AnswerPromise) -> Int { steps }

    func compares(with value: Rule.Value) -> Bool { isNumber(value) }

    func counts(_ answer: Answer) -> Bool {
        guard case .number(let number) = answer else { return false }
        return Int(exactly: number).map((1...steps).contains) ?? false
    }

    func count(_ answer: Answer, by difference: Int, in tally: inout TallyCount) {
        if case .number(let number) = answer { tally.counts[Int(number) - 1] += difference }
    }
}

// MARK: Multiple choice

private struct MultipleChoice: KindDefinition {
    let choices: [Question.Choice]
    let least: Int
    let most: Int

    static var name: Question.KindName { .multipleChoice }
    var kind: Question.Kind {
        .multipleChoice(choices: choices, minSelections: least, maxSelections: most)
    }
    private var other: Question.Choice? { choices.first(where: \.isOther) }

    init(choices: [Question.Choice], least: Int, most: Int) {
        self.choices = choices
        self.least = least
        self.most = most
    }

    init(from container: KeyedDecodingContainer<Question.Key>) throws {
        choices = try container.decode([Question.Choice].self, forKey: .choices)
        least = try container.decode(Int.self, forKey: .minSelections)
        most = try container.decode(Int.self, forKey: .maxSelections)
    }

    func encode(to container: inout KeyedEncodingContainer<Question.Key>) throws {
        try container.encode(choices, forKey: .choices)
        try container.encode(least, forKey: .minSelections)
        try container.encode(most, forKey: .maxSelections)
    }

    func changingTexts(
        beside other: Question.Kind?, _ change: (LocalizedText, LocalizedText?) -> LocalizedText
    ) -> Question.Kind {
        var others: [Question.Choice] = []
        if case .multipleChoice(let choices, _, _) = other { others = choices }
        return .multipleChoice(
            choices: choices.changingLabels(beside: others, change), minSelections: least,
            maxSelections: most)
    }

    func asksTheSame(as other: Question.Kind) -> Bool {
        guard case .multipleChoice(let others, least, most) = other else { return false }
        return choices.map(\.id) == others.map(\.id) && choices.map(\.isOther) == others.map(\.isOther)
    }

    func checked(_ answer: Answer) -> Checked {
        guard case .choices(let ids, let text) = answer else { return wrong(.wrongType(expected: "array")) }
        guard Set(ids).count == ids.count else { return wrong(.repeated) }
        guard ids.allSatisfy({ id in choices.contains { $0.id == id } }) else { return wrong(.unknownChoice) }
        guard (least...most).contains(ids.count) else { return wrong(.count(min: least, max: most)) }
        var own = text.flatMap { $0.isVisible ? $0 : nil }
        if let written = own {
            guard let other, ids.contains(other.id) else { return wrong(.otherNotChosen) }
            do throws(FieldReason) {
                own = try PersonalText.checked(written, limit: Question.Choice.mostOtherCharacters)
            } catch { return wrong(error) }
        }
        // Sort the choices in the order of the question, so that the order of clicks reveals nothing.
        return .success(.choices(choices.map(\.id).filter(ids.contains), other: own))
    }

    func answer(of value: PublishedForm.Value) -> Answer? {
        if case .number = value { return value.asSent }
        let written = value.texts.filter { !$0.allSatisfy(\.isWhitespace) }
        let unknown = written.filter { text in !choices.contains { $0.id == text } }
        // If an attendee writes a text for the choice "other", the client sends the text in place of the
        // choice's id.
        guard let other, unknown.count == 1 else { return written.isEmpty ? nil : .choices(written) }
        let chosen = written.filter { $0 != unknown[0] && $0 != other.id }
        return .choices(chosen + [other.id], other: unknown[0])
    }

    var limits: Set<Rule.Kind> { [.minMaxLength] }
    var listed: Question.ListedTexts { other == nil ? .none : .texts }
    func countedRows(_ promise: AnswerPromise) -> Int { choices.count }

    func compares(with value: Rule.Value) -> Bool {
        guard case .text(let id) = value else { return false }
        return choices.contains { $0.id == id }
    }

    func counts(_ answer: Answer) -> Bool {
        guard case .choices(let ids, _) = answer else { return false }
        return ids.allSatisfy { id in choices.contains { $0.id == id } }
    }

    func count(_ answer: Answer, by difference: Int, in tally: inout TallyCount) {
        guard case .choices(let ids, _) = answer else { return }
        for (index, choice) in choices.enumerated() where ids.contains(choice.id) {
            tally.counts[index] += difference
        }
    }
}

extension [Question.Choice] {
    /// Returns the choices after `change` of each label, which receives the label at the same place of
    /// `others` too.
    fileprivate func changingLabels(
        beside others: [Question.Choice], _ change: (LocalizedText, LocalizedText?) -> LocalizedText
    ) -> [Question.Choice] {
        enumerated().map { index, choice in
            var choice = choice
            choice.label = change(choice.label, index < others.count ? others[index].label : nil)
            return choice
        }
    }
}

// MARK: Short answer

private struct ShortAnswer: KindWithoutTexts {
    let maxLength: Int

    static var name: Question.KindName { .shortAnswer }
    var kind: Question.Kind { .shortAnswer(maxLength: maxLength) }

    init(maxLength: Int) { self.maxLength = maxLength }

    init(from container: KeyedDecodingContainer<Question.Key>) throws {
        maxLength = try container.decode(Int.self, forKey: .maxLength)
    }

    func encode(to container: inout KeyedEncodingContainer<Question.Key>) throws {
        try container.encode(maxLength, forKey: .maxLength)
    }

    func checked(_ answer: Answer) -> Checked {
        guard case .text(let text) = answer else { return wrong(.wrongType(expected: "string")) }
        guard text.count <= maxLength else { return wrong(.length(min: 1, max: maxLength)) }
        return text.hasUnfitForLines ? wrong(.notText) : .success(.text(text))
    }

    func answer(of value: PublishedForm.Value) -> Answer? { value.asSent }

    var limits: Set<Rule.Kind> { [.minMaxLength, .pattern] }
    var listed: Question.ListedTexts { .texts }
    func countedRows(_ promise: AnswerPromise) -> Int { 0 }

    func compares(with value: Rule.Value) -> Bool { !isNumber(value) }
    func counts(_ answer: Answer) -> Bool { if case .text = answer { true } else { false } }
    func count(_ answer: Answer, by difference: Int, in tally: inout TallyCount) {}
}

// MARK: Rating

private struct Rating: KindWithoutTexts, KindOfSteps {
    let scale: Int

    static var name: Question.KindName { .rating }
    var kind: Question.Kind { .rating(scale: scale) }

    init(scale: Int) { self.scale = scale }

    init(from container: KeyedDecodingContainer<Question.Key>) throws {
        scale = try container.decode(Int.self, forKey: .scale)
    }

    func encode(to container: inout KeyedEncodingContainer<Question.Key>) throws {
        try container.encode(scale, forKey: .scale)
    }

    var steps: Int { scale }

    func answer(of value: PublishedForm.Value) -> Answer? {
        scale == Question.formScale ? value.asSent : step(of: value)
    }
}

// MARK: Number

private struct Number: KindWithoutTexts {
    let min: Double?
    let max: Double?
    let decimals: Int

    static var name: Question.KindName { .number }
    var kind: Question.Kind { .number(min: min, max: max, decimals: decimals) }

    init(min: Double?, max: Double?, decimals: Int) {
        self.min = min
        self.max = max
        self.decimals = decimals
    }

    init(from container: KeyedDecodingContainer<Question.Key>) throws {
        min = try container.decodeIfPresent(Double.self, forKey: .min)
        max = try container.decodeIfPresent(Double.self, forKey: .max)
        decimals = try container.decodeIfPresent(Int.self, forKey: .decimals) ?? 0
    }

    func encode(to container: inout KeyedEncodingContainer<Question.Key>) throws {
        try container.encodeIfPresent(min.map(PlainNumber.init), forKey: .min)
        try container.encodeIfPresent(max.map(PlainNumber.init), forKey: .max)
        try container.encode(decimals, forKey: .decimals)
    }

    func checked(_ answer: Answer) -> Checked {
        guard case .number(let number) = answer else { return wrong(.wrongType(expected: "number")) }
        let bounds = (min ?? Amount.bounds.lowerBound)...(max ?? Amount.bounds.upperBound)
        guard bounds.contains(number) else {
            return wrong(.between(min: bounds.lowerBound, max: bounds.upperBound))
        }
        guard let steps = Amount.units(number, decimals: decimals) else {
            return wrong(.decimals(most: decimals))
        }
        return .success(.number(Amount.number(steps, decimals: decimals)))
    }

    func answer(of value: PublishedForm.Value) -> Answer? { value.asSent }

    var limits: Set<Rule.Kind> { [.minMax] }
    var listed: Question.ListedTexts { .none }
    func countedRows(_ promise: AnswerPromise) -> Int { 0 }

    func compares(with value: Rule.Value) -> Bool { isNumber(value) }

    private func units(_ answer: Answer) -> Int? {
        guard case .number(let number) = answer else { return nil }
        return Amount.units(number, decimals: decimals)
    }

    func counts(_ answer: Answer) -> Bool { units(answer) != nil }
    func count(_ answer: Answer, by difference: Int, in tally: inout TallyCount) {
        if let units = units(answer) { tally.change(units, by: difference) }
    }
}

// MARK: Word cloud

private struct WordCloud: KindWithoutTexts {
    let most: Int

    static var name: Question.KindName { .wordCloud }
    var kind: Question.Kind { .wordCloud(most: most) }

    init(most: Int) { self.most = most }

    init(from container: KeyedDecodingContainer<Question.Key>) throws {
        most = try container.decode(Int.self, forKey: .maxWords)
    }

    func encode(to container: inout KeyedEncodingContainer<Question.Key>) throws {
        try container.encode(most, forKey: .maxWords)
    }

    func checked(_ answer: Answer) -> Checked {
        switch answer {
        case .text(let text): checked(CloudWord.words(in: text))
        case .choices(let words, _): checked(words.map(CloudWord.trimmed).filter(\.isVisible))
        case .number: wrong(.wrongType(expected: "array"))
        }
    }

    /// Checks the words. A word that is given twice counts once.
    private func checked(_ words: [String]) -> Checked {
        var keys: Set<String> = []
        let different = words.filter { keys.insert(CloudWord.key($0)).inserted }
        guard (1...most).contains(different.count) else { return wrong(.count(min: 1, max: most)) }
        do throws(FieldReason) {
            let checked = try different.map { word throws(FieldReason) in
                let checked = try PersonalText.checked(word, limit: CloudWord.mostCharacters)
                guard CloudWord.key(checked).utf8.count <= CloudWord.mostBytes else {
                    throw .length(min: 1, max: CloudWord.mostCharacters)
                }
                return checked
            }
            return .success(.choices(checked))
        } catch { return wrong(error) }
    }

    func answer(of value: PublishedForm.Value) -> Answer? { value.asSent }

    var limits: Set<Rule.Kind> { [] }
    var listed: Question.ListedTexts { .words }
    func countedRows(_ promise: AnswerPromise) -> Int { 0 }

    func compares(with value: Rule.Value) -> Bool { false }
    func counts(_ answer: Answer) -> Bool { if case .choices = answer { true } else { false } }
    func count(_ answer: Answer, by difference: Int, in tally: inout TallyCount) {
        guard case .choices(let words, _) = answer else { return }
        for key in Set(words.map(CloudWord.key)) { tally.change(key, by: difference) }
    }
}

// MARK: Scale

private struct Scale: KindOfSteps {
    let points: Int
    let labels: [Int: LocalizedText]

    static var name: Question.KindName { .scale }
    var kind: Question.Kind { .scale(points: points, labels: labels) }

    init(points: Int, labels: [Int: LocalizedText]) {
        self.points = points
        self.labels = labels
    }

    init(from container: KeyedDecodingContainer<Question.Key>) throws {
        points = try container.decode(Int.self, forKey: .scale)
        let listed = try container.decodeIfPresent([PointLabel].self, forKey: .points) ?? []
        labels = Dictionary(listed.map { ($0.point, $0.label) }) { first, _ in first }
    }

    func encode(to container: inout KeyedEncodingContainer<Question.Key>) throws {
        try container.encode(points, forKey: .scale)
        let listed = labels.sorted { $0.key < $1.key }.map { PointLabel(point: $0.key, label: $0.value) }
        if !listed.isEmpty { try container.encode(listed, forKey: .points) }
    }

    func changingTexts(
        beside other: Question.Kind?, _ change: (LocalizedText, LocalizedText?) -> LocalizedText
    ) -> Question.Kind {
        var others: [Int: LocalizedText] = [:]
        if case .scale(_, let labels) = other { others = labels }
        let changed = Dictionary(uniqueKeysWithValues: labels.map { ($0, change($1, others[$0])) })
        return .scale(points: points, labels: changed.merging(others) { own, _ in own })
    }

    func asksTheSame(as other: Question.Kind) -> Bool {
        if case .scale(points, _) = other { true } else { false }
    }

    var steps: Int { points }

    func answer(of value: PublishedForm.Value) -> Answer? { step(of: value) }
}

/// The label of one point of a scale, as it is in JSON.
private struct PointLabel: Codable {
    let point: Int
    let label: LocalizedText

    private enum Key: String, CodingKey { case point, label, labels }

    init(point: Int, label: LocalizedText) {
        self.point = point
        self.label = label
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        point = try container.decode(Int.self, forKey: .point)
        label = try container.localized(.label, .labels)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(point, forKey: .point)
        try container.encode(label, .label, .labels)
    }
}

// MARK: Yes or no

/// The two answers to a question of the kind `yesNo`, in the order of forms and results.
package enum YesNo: String, Sendable, CaseIterable {
    case yes, no
}

private struct YesOrNo: KindWithoutTexts {
    static var name: Question.KindName { .yesNo }
    var kind: Question.Kind { .yesNo }

    init() {}
    init(from container: KeyedDecodingContainer<Question.Key>) throws {}
    func encode(to container: inout KeyedEncodingContainer<Question.Key>) throws {}

    func checked(_ answer: Answer) -> Checked {
        switch answer {
        case .text(let text):
            return YesNo(rawValue: text).map { .success(.choices([$0.rawValue])) } ?? wrong(.unknownChoice)
        case .choices(let ids, nil):
            guard ids.allSatisfy({ YesNo(rawValue: $0) != nil }) else { return wrong(.unknownChoice) }
            return ids.count == 1 ? .success(answer) : wrong(.count(min: 1, max: 1))
        case .choices, .number: return wrong(.wrongType(expected: "string"))
        }
    }

    func answer(of value: PublishedForm.Value) -> Answer? { value.asSent }

    var limits: Set<Rule.Kind> { [] }
    var listed: Question.ListedTexts { .none }
    func countedRows(_ promise: AnswerPromise) -> Int { YesNo.allCases.count }

    func compares(with value: Rule.Value) -> Bool {
        if case .text(let text) = value { YesNo(rawValue: text) != nil } else { false }
    }

    func counts(_ answer: Answer) -> Bool {
        guard case .choices(let ids, _) = answer else { return false }
        return ids.allSatisfy { YesNo(rawValue: $0) != nil }
    }

    func count(_ answer: Answer, by difference: Int, in tally: inout TallyCount) {
        guard case .choices(let ids, _) = answer else { return }
        for (index, choice) in YesNo.allCases.enumerated() where ids.contains(choice.rawValue) {
            tally.counts[index] += difference
        }
    }
}

// MARK: Date

private struct Date: KindWithoutTexts {
    let earliest: CivilDate?
    let latest: CivilDate?

    static var name: Question.KindName { .date }
    var kind: Question.Kind { .date(earliest: earliest, latest: latest) }

    init(earliest: CivilDate?, latest: CivilDate?) {
        self.earliest = earliest
        self.latest = latest
    }

    init(from container: KeyedDecodingContainer<Question.Key>) throws {
        earliest = try container.decodeIfPresent(String.self, forKey: .earliest).flatMap { CivilDate($0) }
        latest = try container.decodeIfPresent(String.self, forKey: .latest).flatMap { CivilDate($0) }
    }

    func encode(to container: inout KeyedEncodingContainer<Question.Key>) throws {
        try container.encodeIfPresent(earliest?.text, forKey: .earliest)
        try container.encodeIfPresent(latest?.text, forKey: .latest)
    }

    func checked(_ answer: Answer) -> Checked {
        guard case .text(let text) = answer else { return wrong(.wrongType(expected: "string")) }
        guard let date = CivilDate(CloudWord.trimmed(text)) else { return wrong(.notADate) }
        let day = date.daysSince1970
        guard day >= earliest?.daysSince1970 ?? .min, day <= latest?.daysSince1970 ?? .max else {
            return wrong(.dateOutside(earliest: earliest?.text ?? "–", latest: latest?.text ?? "–"))
        }
        return .success(.text(date.text))
    }

    func answer(of value: PublishedForm.Value) -> Answer? { value.asSent }

    var limits: Set<Rule.Kind> { [] }
    var listed: Question.ListedTexts { .none }
    func countedRows(_ promise: AnswerPromise) -> Int { 0 }

    func compares(with value: Rule.Value) -> Bool { day(value) != nil }

    private func day(_ value: Rule.Value) -> CivilDate? {
        if case .text(let text) = value { CivilDate(text) } else { nil }
    }

    private func day(_ answer: Answer) -> CivilDate? {
        if case .text(let text) = answer { CivilDate(text) } else { nil }
    }

    func counts(_ answer: Answer) -> Bool { day(answer) != nil }
    func count(_ answer: Answer, by difference: Int, in tally: inout TallyCount) {
        if let date = day(answer) { tally.change(Int(date.daysSince1970), by: difference) }
    }
}

// MARK: Ranking

/// The counts of a ranking, as its tally stores them. The best choice of an answer gets as many points as the
/// question has choices, and each following one gets one less. An unranked choice gets none.
package struct RankingCounts: Sendable {
    /// The points of each choice, in the question's order, as all following lists.
    package let points: [Int]
    /// The number of answers that rank the choice best.
    package let first: [Int]
    /// The number of answers that rank the choice.
    package let ranked: [Int]
    /// `pairs[a][b]` is the number of answers that prefer choice `a` to choice `b`. An unranked choice is
    /// behind all ranked ones. Nil for anonymous sets: pairs would make it easier to find an agreed order.
    package let pairs: [[Int]]?

    /// Reads the counts of a tally. A tally of another size, which only damage can cause, counts nothing.
    package init(_ tally: TallyCount, choices: Int) {
        let least = Self.listed * choices
        let isWhole = [least, least + choices * choices].contains(tally.counts.count)
        let counts = isWhole ? tally.counts : Array(repeating: 0, count: least)
        let blocks = stride(from: 0, to: counts.count, by: choices).map { Array(counts[$0..<$0 + choices]) }
        (points, first, ranked) = (blocks[0], blocks[1], blocks[2])
        pairs = blocks.count > Self.listed ? Array(blocks[Self.listed...]) : nil
    }

    /// The number of lists before `pairs`.
    fileprivate static let listed = 3
}

private struct Ranking: KindDefinition {
    let choices: [Question.Choice]
    let most: Int

    static var name: Question.KindName { .ranking }
    var kind: Question.Kind { .ranking(choices: choices, most: most) }

    init(choices: [Question.Choice], most: Int) {
        self.choices = choices
        self.most = most
    }

    init(from container: KeyedDecodingContainer<Question.Key>) throws {
        choices = try container.decode([Question.Choice].self, forKey: .choices)
        most = try container.decode(Int.self, forKey: .most)
    }

    func encode(to container: inout KeyedEncodingContainer<Question.Key>) throws {
        try container.encode(choices, forKey: .choices)
        try container.encode(most, forKey: .most)
    }

    func changingTexts(
        beside other: Question.Kind?, _ change: (LocalizedText, LocalizedText?) -> LocalizedText
    ) -> Question.Kind {
        var others: [Question.Choice] = []
        if case .ranking(let choices, _) = other { others = choices }
        return .ranking(choices: choices.changingLabels(beside: others, change), most: most)
    }

    /// The counts of an answer are in the order of the choices, so that order must stay too.
    func asksTheSame(as other: Question.Kind) -> Bool {
        guard case .ranking(let others, most) = other else { return false }
        return choices.map(\.id) == others.map(\.id)
    }

    func checked(_ answer: Answer) -> Checked {
        switch answer {
        case .choices(let ids, nil):
            guard Set(ids).count == ids.count else { return wrong(.repeated) }
            guard counts(answer) else { return wrong(.unknownChoice) }
            return (1...most).contains(ids.count) ? .success(answer) : wrong(.count(min: 1, max: most))
        case .text(let text):
            let places = text.split(separator: " ")
            guard places.count == choices.count else { return wrong(.wrongType(expected: "array")) }
            return checked(places: places.filter { $0 != Question.noPlace })
        case .choices, .number: return wrong(.wrongType(expected: "array"))
        }
    }

    /// Returns why a form's places, which are no order of the choices, were refused.
    private func checked(places: [Substring]) -> Checked {
        let numbers = places.compactMap { Int($0) }.filter((1...choices.count).contains)
        guard numbers.count == places.count else { return wrong(.range(min: 1, max: choices.count)) }
        return wrong(Set(numbers).count < numbers.count ? .repeated : .wrongType(expected: "array"))
    }

    func answer(of value: PublishedForm.Value) -> Answer? {
        if case .number = value { return value.asSent }
        let parts = value.texts.flatMap { text in
            choice(named: text) == nil ? text.split { $0 == "," || $0.isNewline } : [text[...]]
        }
        let written = parts.map { CloudWord.trimmed(String($0)) }.filter { !$0.isEmpty }
        let ids = written.map { text in choice(named: text)?.id ?? text }
        return ids.isEmpty ? nil : .choices(ids)
    }

    /// Returns the choice with this id, or with this label in one of its languages.
    private func choice(named text: String) -> Question.Choice? {
        choices.first { $0.id == text }
            ?? choices.first { choice in
                choice.label.texts.values.contains { CloudWord.key($0) == CloudWord.key(text) }
            }
    }

    var limits: Set<Rule.Kind> { [] }
    var listed: Question.ListedTexts { .none }

    func countedRows(_ promise: AnswerPromise) -> Int {
        choices.count * (RankingCounts.listed + (promise.linksResponses ? choices.count : 0))
    }

    func compares(with value: Rule.Value) -> Bool { false }

    func counts(_ answer: Answer) -> Bool {
        guard case .choices(let ids, nil) = answer else { return false }
        return ids.allSatisfy { id in choices.contains { $0.id == id } }
    }

    func count(_ answer: Answer, by difference: Int, in tally: inout TallyCount) {
        guard case .choices(let ids, _) = answer else { return }
        let size = choices.count
        let order = ids.compactMap { id in choices.firstIndex { $0.id == id } }
        let hasPairs = tally.counts.count > RankingCounts.listed * size
        var behind = Set(choices.indices)
        for (place, index) in order.enumerated() {
            tally.counts[index] += (size - place) * difference
            if place == 0 { tally.counts[size + index] += difference }
            tally.counts[2 * size + index] += difference
            behind.remove(index)
            guard hasPairs else { continue }
            for other in behind { tally.counts[(RankingCounts.listed + index) * size + other] += difference }
        }
    }
}
