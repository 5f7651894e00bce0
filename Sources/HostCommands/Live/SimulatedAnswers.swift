import Meetings
import Phrases
import Synchronization

/// Believable answers to all kinds of questions, within the questions' rules. A seed determines every answer.
/// This program cannot test patterns, so it first writes a text in the form that the question seems to need.
/// If the server rejects the text, the next attempt uses another form (`TextForm`).
struct SimulatedAnswers {
    /// The forms of text, in the order in which attempts use them.
    enum TextForm: Int, CaseIterable, Sendable {
        case sentence, email, name, digits, phone, date, word, url, code
    }

    let questions: [Question]
    let language: Language
    /// The form of text for each question. A question that is not in this dictionary uses the form that its
    /// words suggest.
    var forms: [QuestionID: TextForm] = [:]
    /// The optional questions for which no valid answer was found.
    var skipped: Set<QuestionID> = []

    /// The percentage of people who leave an optional question out.
    private static let skippingPercent = 20

    func answers(seed: UInt64) -> Answers {
        var random = SeededRandom(seed: seed)
        var answers: Answers = [:]
        // Answer a question that must repeat another answer after that other question.
        for question in questions.filter({ $0.sameAs == nil }) + questions.filter({ $0.sameAs != nil }) {
            var own = SeededRandom(seed: random.next())
            let skips = !question.required && Int.random(in: 0..<100, using: &own) < Self.skippingPercent
            guard !skips, !skipped.contains(question.id) else { continue }
            answers[question.id] = answer(to: question, beside: answers, &own)
        }
        // Answer at least one question, because nobody sends an empty form.
        if answers.isEmpty, let question = questions.first(where: { !skipped.contains($0.id) }) {
            var own = SeededRandom(seed: random.next())
            answers[question.id] = answer(to: question, beside: answers, &own)
        }
        return answers
    }

    /// Returns the first of 50 random answers that follows all rules; nil if none does.
    private func answer(to question: Question, beside answers: Answers, _ random: inout SeededRandom)
        -> Answer?
    {
        if let other = question.sameAs { return answers[other] }
        let kind = question.kind.inTerminal
        for rule in question.rules + question.eligibility {
            guard case .sameAs(let value) = rule.test, kind.hasOneValue else { continue }
            switch value {
            case .text(let text): return .text(text)
            case .number(let number): return .number(number)
            }
        }
        for _ in 0..<50 {
            let answer = kind.simulated(self, question, &random)
            let set = QuestionSet(questions: [question])
            guard let checked = try? set.checked([question.id: answer], by: AnyPattern()),
                set.ending(for: checked, by: AnyPattern()) == nil
            else {
                continue
            }
            return answer
        }
        return nil
    }

    /// Returns random choices. The first choices are more frequent than the last; "other" is rare, and then
    /// has a text.
    func chosen(
        _ choices: [Question.Choice], _ least: Int, _ most: Int, _ question: Question,
        _ random: inout SeededRandom
    ) -> Answer {
        let length = question.length
        let (low, high) = (max(least, length.least ?? least), min(most, length.most ?? most))
        guard low <= high else { return .choices(choices.prefix(least).map(\.id)) }
        var wanted = Set<String>()
        for rule in question.rules + question.eligibility {
            if case .sameAs(.text(let id)) = rule.test { wanted.insert(id) }
        }
        let count = max(
            wanted.count,
            min(Int.random(in: low...high, using: &random), Int.random(in: low...high, using: &random)))
        while wanted.count < min(count, choices.count) {
            let index = min(
                Int.random(in: choices.indices, using: &random),
                Int.random(in: choices.indices, using: &random))
            let choice = choices[index]
            if choice.isOther, wanted.count + 1 < choices.count, Int.random(in: 0..<4, using: &random) > 0 {
                continue
            }
            wanted.insert(choice.id)
        }
        let ids = choices.map(\.id).filter(wanted.contains)
        guard let other = question.other, wanted.contains(other.id) else { return .choices(ids) }
        return .choices(
            ids, other: CommandPhrases.Sample.others.randomElement(using: &random)?.text(in: language))
    }

    /// Returns a random number. Numbers in the middle of the range are more frequent than numbers at its
    /// ends.
    static func number(
        from min: Double?, to max: Double?, decimals: Int, _ random: inout SeededRandom
    ) -> Double {
        let scale = Amount.scale(decimals)
        let least = (min ?? (max ?? 100) - 100) * Double(scale)
        let most = (max ?? (min ?? 0) + 100) * Double(scale)
        let share = (0..<3).map { _ in Double.random(in: 0...1, using: &random) }.reduce(0, +) / 3
        return Amount.number(Int((least + (most - least) * share).rounded()), decimals: decimals)
    }

    /// Returns a text of this form, with at least `least` and at most `most` characters.
    func text(in form: TextForm, _ least: Int, _ most: Int, _ random: inout SeededRandom) -> String {
        let number = Int.random(in: 1000...9999, using: &random)
        let name = CommandPhrases.Sample.people.randomElement(using: &random)?.text(in: language) ?? "Kim"
        var text =
            switch form {
            case .sentence:
                CommandPhrases.Sample.texts.randomElement(using: &random)?.text(in: language) ?? "…"
            case .email: "guest\(number)@example.org"
            case .name: name
            case .digits: String(number)
            case .phone: "010-\(number)-\(9999 - number / 2)"
            case .date: "2001-0\(1 + number % 9)-\(10 + number % 19)"
            case .word: "word"
            case .url: "https://example.org/\(number)"
            case .code: "QR-\(number)"
            }
        let more =
            form == .digits ? String(number) : form == .word ? "word" : form == .sentence ? " " + text : ""
        while text.count < least, !more.isEmpty { text += more }
        return String(text.prefix(max(1, most)))
    }
}

extension Question {
    /// The other question, if this question must have the same answer as another; nil otherwise.
    fileprivate var sameAs: QuestionID? {
        for rule in rules { if case .sameAsQuestion(let id, _) = rule.test { return id } }
        return nil
    }

    private var tests: [Rule.Test] { (rules + eligibility).map(\.test) }

    /// The limits of a number or of a star rating, from all rules of the question.
    var bounds: (least: Double?, most: Double?) {
        var (least, most): (Double?, Double?) = (nil, nil)
        for test in tests {
            guard case .minMax(let min, let max) = test else { continue }
            least = [least, min].compactMap(\.self).max()
            most = [most, max].compactMap(\.self).min()
        }
        return (least, most)
    }

    /// The limits of a text's length or of the number of choices, from all rules of the question.
    var length: (least: Int?, most: Int?) {
        var (least, most): (Int?, Int?) = (nil, nil)
        for test in tests {
            guard case .minMaxLength(let min, let max) = test else { continue }
            least = [least, min].compactMap(\.self).max()
            most = [most, max].compactMap(\.self).min()
        }
        return (least, most)
    }

    /// The form of text that the question's words suggest.
    var form: SimulatedAnswers.TextForm {
        let words = [name ?? "", placeholder.plain, title.plain].joined(separator: " ").lowercased()
        let hints: [(SimulatedAnswers.TextForm, [String])] = [
            (.email, ["@", "e-mail", "email", "이메일"]), (.phone, ["phone", "전화", "휴대"]),
            (.name, ["name", "이름"]),
            (.url, ["http", "url", "website"]), (.date, ["date", "birth", "날짜", "생일"]),
        ]
        let asksForForm = tests.contains { if case .pattern = $0 { true } else { false } }
        let isShort = (length.most ?? .max) <= 20
        let hint = hints.first { _, marks in marks.contains { words.contains($0) } }?.0
        return hint.flatMap { asksForForm || isShort || $0 == .name || $0 == .email ? $0 : nil } ?? .sentence
    }
}

/// Records which forms of text the server has rejected in one run, so that all simulated attendees avoid
/// them.
final class FormKnowledge: Sendable {
    private struct Known {
        var refused: [QuestionID: [SimulatedAnswers.TextForm]] = [:]
        var skipped: Set<QuestionID> = []
        var unanswerable: QuestionID?
    }

    private let known = Mutex(Known())

    /// The optional questions that nobody answers any more, and the required question that nobody can answer.
    var leftOut: (skipped: Set<QuestionID>, unanswerable: QuestionID?) {
        known.withLock { ($0.skipped, $0.unanswerable) }
    }

    /// Returns a copy of `answers` that uses other forms of text and skips questions, as the earlier
    /// rejections require.
    func taught(_ answers: SimulatedAnswers) -> SimulatedAnswers {
        let known = known.withLock { $0 }
        var taught = answers
        taught.skipped = known.skipped
        for question in answers.questions {
            guard let refused = known.refused[question.id] else { continue }
            taught.forms[question.id] = Self.next(for: question, refused)
        }
        return taught
    }

    private static func next(for question: Question, _ refused: [SimulatedAnswers.TextForm])
        -> SimulatedAnswers.TextForm?
    {
        ([question.form] + SimulatedAnswers.TextForm.allCases).first { !refused.contains($0) }
    }

    /// Records that the server rejected the answers to these questions. Returns whether another attempt may
    /// succeed.
    func refuse(_ questions: [Question], by answers: SimulatedAnswers) -> Bool {
        known.withLock { known in
            for question in questions {
                let used = answers.forms[question.id] ?? question.form
                var refused = known.refused[question.id] ?? []
                let isText = question.kind.inTerminal.hasTextForms
                // Another simulated attendee may have recorded this form at the same time.
                if isText, !refused.contains(used) { refused.append(used) }
                known.refused[question.id] = refused
                if isText, Self.next(for: question, refused) != nil { continue }
                if question.required {
                    known.unanswerable = question.id
                } else {
                    known.skipped.insert(question.id)
                }
            }
            return known.unanswerable == nil && !questions.isEmpty
        }
    }
}

/// A random number generator (SplitMix64) that gives the same numbers for the same seed on every machine.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
