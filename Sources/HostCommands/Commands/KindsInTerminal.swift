import CommandLine
import Meetings
import Phrases
import Terminal
import Wire

/// How commands ask, show and simulate one kind of question. No property has a default, so the compiler names
/// each one that a new kind lacks.
struct KindInTerminal {
    /// Returns the text before the place where a person types the answer.
    let prompt: (Invocation) -> String
    /// Returns the typed text as an answer; nil if it does not suit the question. The server checks it again.
    let read: (String) -> Answer?
    /// Returns the question's kind and limits: `stars, 1–5`, `number 0–120`, `choose 1–2`.
    let described: (Invocation) -> String
    /// The labelled choices or points below the question.
    let options: [Option]
    /// Returns a believable answer. Its rules decide later whether it is used.
    let simulated: (SimulatedAnswers, Question, inout SeededRandom) -> Answer
    /// Whether the value of a rule `sameAs` is the whole answer, and not only one of its choices.
    let hasOneValue: Bool
    /// Whether a simulated answer is a text, so that another attempt can use another form of text.
    let hasTextForms: Bool

    /// A choice or a point with its label.
    struct Option {
        /// The text that people type.
        let typed: String
        /// The name that lists of questions show.
        let name: String
        let label: LocalizedText
        let isOther: Bool
    }

    private typealias Messages = CommandPhrases.Messages
    private typealias Words = CommandPhrases.Words
}

extension Question.Kind {
    /// The table of the kinds on the command line.
    var inTerminal: KindInTerminal {
        switch self {
        case .multipleChoice(let choices, let least, let most): .multipleChoice(choices, least, most)
        case .shortAnswer(let maxLength): .shortAnswer(maxLength)
        case .rating(let scale): .rating(scale)
        case .number(let min, let max, let decimals): .number(min, max, decimals)
        case .wordCloud(let most): .wordCloud(most)
        case .scale(let points, let labels): .scale(points, labels)
        case .yesNo: .yesNo
        case .date(let earliest, let latest): .date(earliest, latest)
        case .ranking(let choices, let most): .ranking(choices, most)
        }
    }
}

extension Question.KindName {
    /// Whether `poll --choice` gives the choices of the kind.
    var takesChoices: Bool {
        switch self {
        case .multipleChoice, .ranking: true
        case .shortAnswer, .rating, .number, .wordCloud, .scale, .yesNo, .date: false
        }
    }
}

/// Returns the words of a typed answer in small letters.
private func words(of typed: String) -> [String] {
    typed.lowercased().split { $0 == "," || $0.isWhitespace }.map(String.init)
}

private func onlyWord(of typed: String) -> String? {
    let words = words(of: typed)
    return words.count == 1 ? words[0] : nil
}

private func step(_ typed: String, _ most: Int) -> Answer? {
    onlyWord(of: typed).flatMap(Int.init).flatMap { (1...most).contains($0) ? .number(Double($0)) : nil }
}

/// Returns the higher of two random numbers, because most people give good ratings.
private func goodStep(_ range: ClosedRange<Int>, _ random: inout SeededRandom) -> Answer {
    .number(Double(max(Int.random(in: range, using: &random), Int.random(in: range, using: &random))))
}

// MARK: Multiple choice

extension KindInTerminal {
    fileprivate static func multipleChoice(_ choices: [Question.Choice], _ least: Int, _ most: Int) -> Self {
        KindInTerminal(
            prompt: { call in
                most == 1
                    ? call.text(Messages.chooseOne)
                    : call.text(Messages.chooseSome, ["min": String(least), "max": String(most)])
            },
            read: { chosen(in: $0, of: choices, least, most) },
            described: {
                $0.text(Words.multipleChoice, ["count": most > least ? "\(least)–\(most)" : String(least)])
            },
            options: options(choices),
            simulated: { answers, question, random in
                answers.chosen(choices, least, most, question, &random)
            },
            hasOneValue: false, hasTextForms: false)
    }

    /// Returns the choices in the typed order. People may type a choice's letter, its number (from 1) or its
    /// id.
    private static func chosen(
        in typed: String, of choices: [Question.Choice], _ least: Int, _ most: Int
    ) -> Answer? {
        let words = words(of: typed)
        let indices = words.map { word in
            choices.indices.first { letter($0) == word || String($0 + 1) == word }
                ?? choices.firstIndex { $0.id.lowercased() == word }
        }
        let known = indices.compactMap(\.self)
        guard known.count == words.count, Set(known).count == known.count,
            (least...most).contains(known.count)
        else { return nil }
        return .choices(known.map { choices[$0].id })
    }

    private static func options(_ choices: [Question.Choice]) -> [Option] {
        choices.enumerated().map {
            Option(typed: letter($0), name: $1.id, label: $1.label, isOther: $1.isOther)
        }
    }

    private static func letter(_ index: Int) -> String {
        index < 26 ? String(Character(UnicodeScalar(UInt8(97 + index)))) : String(index + 1)
    }
}

// MARK: Short answer

extension KindInTerminal {
    fileprivate static func shortAnswer(_ maxLength: Int) -> Self {
        KindInTerminal(
            prompt: { $0.text(Messages.text, ["max": String(maxLength)]) },
            read: { $0.count <= maxLength ? .text($0) : nil },
            described: { $0.text(Words.shortAnswer, ["max": String(maxLength)]) },
            options: [],
            simulated: { answers, question, random in
                let length = question.length
                return .text(
                    answers.text(
                        in: answers.forms[question.id] ?? question.form, length.least ?? 0,
                        min(maxLength, length.most ?? maxLength), &random))
            },
            hasOneValue: true, hasTextForms: true)
    }
}

// MARK: Rating

extension KindInTerminal {
    fileprivate static func rating(_ scale: Int) -> Self {
        KindInTerminal(
            prompt: { $0.text(Messages.stars, ["scale": String(scale)]) },
            read: { step($0, scale) },
            described: { $0.text(Words.rating, ["scale": String(scale)]) },
            options: [],
            simulated: { _, question, random in
                let bounds = question.bounds
                let least = max(1, Int((bounds.least ?? 1).rounded(.up)))
                let most = min(scale, Int((bounds.most ?? Double(scale)).rounded(.down)))
                return least <= most ? goodStep(least...most, &random) : .rating(least)
            },
            hasOneValue: true, hasTextForms: false)
    }
}

// MARK: Number

extension KindInTerminal {
    fileprivate static func number(_ min: Double?, _ max: Double?, _ decimals: Int) -> Self {
        KindInTerminal(
            prompt: {
                $0.text(
                    Messages.numberAnswer,
                    [
                        "min": Amount.text(min ?? Amount.bounds.lowerBound),
                        "max": Amount.text(max ?? Amount.bounds.upperBound),
                    ])
            },
            read: { typed in
                onlyWord(of: typed).flatMap(Double.init).flatMap { number in
                    let isWithin = number >= min ?? -.infinity && number <= max ?? .infinity
                    return isWithin && Amount.units(number, decimals: decimals) != nil ? .number(number) : nil
                }
            },
            described: { call in
                if min == nil, max == nil { return call.text(Words.number) }
                return call.text(
                    Words.numberBetween,
                    ["least": min.map(Amount.text) ?? "", "most": max.map(Amount.text) ?? ""])
            },
            options: [],
            simulated: { _, question, random in
                let bounds = question.bounds
                let least = [min, bounds.least].compactMap(\.self).max()
                let most = [max, bounds.most].compactMap(\.self).min()
                return .number(
                    SimulatedAnswers.number(from: least, to: most, decimals: decimals, &random))
            },
            hasOneValue: true, hasTextForms: false)
    }
}

// MARK: Word cloud

extension KindInTerminal {
    fileprivate static func wordCloud(_ most: Int) -> Self {
        KindInTerminal(
            prompt: { $0.text(Messages.words, ["count": String(most)]) },
            read: { typed in
                let words = CloudWord.words(in: typed)
                return (1...most).contains(words.count) ? .choices(words) : nil
            },
            described: { $0.text(Words.words, ["count": String(most)]) },
            options: [],
            simulated: { answers, _, random in
                let pool = CommandPhrases.Sample.words.map { $0.text(in: answers.language) }
                // Use the lower of two random numbers, because a few words are frequent in every hall.
                return .choices(
                    (0..<Int.random(in: 1...most, using: &random)).map { _ in
                        pool[
                            min(
                                Int.random(in: pool.indices, using: &random),
                                Int.random(in: pool.indices, using: &random))]
                    })
            },
            hasOneValue: true, hasTextForms: false)
    }
}

// MARK: Scale

extension KindInTerminal {
    fileprivate static func scale(_ points: Int, _ labels: [Int: LocalizedText]) -> Self {
        KindInTerminal(
            prompt: { $0.text(Messages.points, ["points": String(points)]) },
            read: { step($0, points) },
            described: { $0.text(Words.scale, ["points": String(points)]) },
            options: labels.sorted { $0.key < $1.key }.map {
                Option(typed: String($0.key), name: String($0.key), label: $0.value, isOther: false)
            },
            simulated: { _, _, random in goodStep(1...points, &random) },
            hasOneValue: true, hasTextForms: false)
    }
}

// MARK: Yes or no

extension KindInTerminal {
    fileprivate static var yesNo: Self {
        KindInTerminal(
            prompt: { $0.text(Messages.yesNo) },
            read: { typed in
                onlyWord(of: typed).flatMap(answer).map { .choices([$0.rawValue]) }
            },
            described: { $0.text(Words.yesNo) },
            options: [],
            simulated: { _, _, random in
                .choices([(Int.random(in: 0..<3, using: &random) > 0 ? YesNo.yes : .no).rawValue])
            },
            hasOneValue: true, hasTextForms: false)
    }

    /// Returns the answer that begins with the typed text, in one of the languages.
    private static func answer(_ typed: String) -> YesNo? {
        YesNo.allCases.first { choice in
            Language.allCases.contains { choice.phrase.text(in: $0).lowercased().hasPrefix(typed) }
        }
    }
}

// MARK: Date

extension KindInTerminal {
    /// 2026-11-22, in days since 1970: the middle of the days for a question without limits.
    private static let someDay: Int64 = 20_779

    fileprivate static func date(_ earliest: CivilDate?, _ latest: CivilDate?) -> Self {
        KindInTerminal(
            prompt: { $0.text(Messages.date) },
            read: { CivilDate(CloudWord.trimmed($0)).map { .text($0.text) } },
            described: { $0.text(Words.date) },
            options: [],
            simulated: { _, _, random in
                let first = earliest?.daysSince1970 ?? (latest?.daysSince1970 ?? someDay) - 13
                let last = max(first, latest?.daysSince1970 ?? first + 13)
                return .text(CivilDate(daysSince1970: Int64.random(in: first...last, using: &random)).text)
            },
            hasOneValue: true, hasTextForms: false)
    }
}

// MARK: Ranking

extension KindInTerminal {
    fileprivate static func ranking(_ choices: [Question.Choice], _ most: Int) -> Self {
        KindInTerminal(
            prompt: { $0.text(Messages.ranking, ["max": String(most)]) },
            read: { chosen(in: $0, of: choices, 1, most) },
            described: { $0.text(Words.ranking, ["count": String(most)]) },
            options: options(choices),
            simulated: { _, _, random in
                // Earlier choices are a little more popular, as in most halls. Some people rank only a few.
                let liked = choices.enumerated().map { place, choice in
                    (id: choice.id, rank: place + Int.random(in: 0...choices.count, using: &random))
                }
                let ranked = liked.sorted { $0.rank < $1.rank }.prefix(
                    Int.random(in: 1...most, using: &random))
                return .choices(ranked.map(\.id))
            },
            hasOneValue: false, hasTextForms: false)
    }
}
