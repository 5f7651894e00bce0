internal import Client
internal import Meetings
internal import Phrases

/// The simulated attendees, with the times of their arrivals and answers. The seed determines all of them.
struct SimulationPlan: Sendable {
    struct Person: Sendable {
        let name: String
        let email: String
        let number: String
        /// The time from the start of the simulation to the arrival.
        let arrivesAfter: Duration
        /// The time from check-in to the answer; nil if this attendee does not answer.
        let thinksFor: Duration?
        let answerSeed: UInt64
    }

    let people: [Person]
    /// The percentage of attendees who answer.
    static let answeringPercent = 85

    init(attendees: Int, over: Duration, seed: UInt64, language: Language) {
        var random = SeededRandom(seed: seed)
        let names = CommandPhrases.Sample.people.map { $0.text(in: language) }
        let tag = String(random.next() & 0xFFFF_FFFF, radix: 36)
        // Most people arrive early, so use the square of an evenly distributed number.
        let arrivals = (0..<attendees).map { _ in
            let share = Double.random(in: 0...1, using: &random)
            return over * (share * share)
        }.sorted()
        people = arrivals.enumerated().map { index, arrival in
            let first = names[index % names.count]
            let answers = Int.random(in: 0..<100, using: &random) < Self.answeringPercent
            let thinking = Double.random(in: 0.05...0.25, using: &random)
            return Person(
                name: index < names.count ? first : "\(first) \(index + 1)",
                email: "\(tag)-\(index + 1)@example.org",
                number: "\(tag)-\(index + 1)", arrivesAfter: arrival,
                thinksFor: answers ? over * thinking : nil,
                answerSeed: random.next())
        }
    }
}
