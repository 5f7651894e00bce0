internal import Client
internal import Meetings
internal import Phrases

/// Who comes when, and answers what: all of it from the seed.
struct SimulationPlan: Sendable {
    struct Person: Sendable {
        let name: String
        let email: String
        let number: String
        /// After the start of the simulation.
        let arrivesAfter: Duration
        /// After check-in; nil for those who do not answer.
        let thinksFor: Duration?
        let answerSeed: UInt64
    }

    let people: [Person]
    /// Of a hundred people, so many answer.
    static let answeringPercent = 85

    init(attendees: Int, over: Duration, seed: UInt64, language: Language) {
        var random = SeededRandom(seed: seed)
        let names = CommandPhrases.Sample.people.map { $0.text(in: language) }
        let tag = String(random.next() & 0xFFFF_FFFF, radix: 36)
        // In a hall most come early on: the square of an even share.
        let arrivals = (0..<attendees).map { _ in
            let share = Double.random(in: 0...1, using: &random)
            return over * (share * share)
        }.sorted()
        people = arrivals.enumerated().map { index, arrival in
            let first = names[index % names.count]
            let answers = Int.random(in: 0..<100, using: &random) < Self.answeringPercent
            let thinking = Double.random(in: 0.05...0.25, using: &random)
            return Person(
                name: index < names.count ? first : "\(first) \(index + 1)", email: "\(tag)-\(index + 1)@example.org",
                number: "\(tag)-\(index + 1)", arrivesAfter: arrival, thinksFor: answers ? over * thinking : nil,
                answerSeed: random.next())
        }
    }

    static func answers(to questions: [Question], seed: UInt64, language: Language) -> Answers {
        var random = SeededRandom(seed: seed)
        var answers: Answers = [:]
        for question in questions {
            let skips = !question.required && Int.random(in: 0..<100, using: &random) < 20
            switch question.kind {
            case .rating(let scale):
                // The better of two draws: most people are kind.
                let stars = max(Int.random(in: 1...scale, using: &random), Int.random(in: 1...scale, using: &random))
                if !skips { answers[question.id] = .rating(stars) }
            case .multipleChoice(let choices, let least, let most):
                let count = Int.random(in: least...most, using: &random)
                let chosen = Set(choices.map(\.id).shuffled(using: &random).prefix(count))
                if !skips { answers[question.id] = .choices(choices.map(\.id).filter(chosen.contains)) }
            case .shortAnswer(let maxLength):
                let text = CommandPhrases.Sample.texts.randomElement(using: &random)?.text(in: language) ?? "…"
                if !skips { answers[question.id] = .text(String(text.prefix(maxLength))) }
            }
        }
        if answers.isEmpty, let question = questions.first {
            switch question.kind {
            case .rating(let scale): answers[question.id] = .rating(scale)
            case .multipleChoice(let choices, let least, _): answers[question.id] = .choices(choices.prefix(least).map(\.id))
            case .shortAnswer: answers[question.id] = .text("…")
            }
        }
        return answers
    }
}
