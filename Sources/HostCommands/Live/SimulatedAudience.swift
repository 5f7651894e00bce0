import Client
import Meetings
import Phrases
import Wire

/// Plays how attendees take part in questions from the audience: one of ten asks a question, and everybody
/// votes for up to three visible questions. Each vote is sent twice, as after a lost answer; the second one
/// must not count.
struct SimulatedAudience: Sendable {
    /// The settings that the attendees see.
    let settings: AudienceSettingsBody
    let language: Language

    static let askingPercent = 10
    private static let mostVotes = 3

    struct Outcome: Sendable {
        var questions = 0
        /// The votes that the server has accepted.
        var votes = 0
    }

    /// Asks and votes as one attendee. A question that a host hides meanwhile gets no vote.
    /// - Parameter patience: repeats a call while the server is busy.
    func play(
        as attendee: APIClient, in session: SessionID, seed: UInt64, _ patience: Simulation
    ) async throws(APIError) -> Outcome {
        var outcome = Outcome()
        guard settings.accepting else { return outcome }
        var random = SeededRandom(seed: seed)
        if Int.random(in: 0..<100, using: &random) < Self.askingPercent {
            let (text, key) = (text(&random), APICall.randomKey())
            _ = try await patience.patiently { () async throws(APIError) in
                try await attendee.ask(text, in: session, promise: settings.promise, idempotencyKey: key)
            }
            outcome.questions += 1
        }
        let shown = try await patience.patiently { () async throws(APIError) in
            try await attendee.audienceQuestions(of: session)
        }
        for question in shown.items.shuffled(using: &random).prefix(Self.mostVotes) {
            do throws(APIError) {
                _ = try await patience.patiently { () async throws(APIError) in
                    try await attendee.vote(for: question.id, in: session)
                }
                outcome.votes += 1
                // The sum of all votes proves that this one does not count.
                _ = try await patience.patiently { () async throws(APIError) in
                    try await attendee.vote(for: question.id, in: session)
                }
            } catch {
                guard error.code == .notFound || error.code == .audienceQuestionsClosed else { throw error }
            }
        }
        return outcome
    }

    private func text(_ random: inout SeededRandom) -> String {
        let texts = CommandPhrases.Sample.texts
        let text = texts[Int.random(in: texts.indices, using: &random)].text(in: language)
        return "\(text) (\(Int.random(in: 1...999, using: &random)))"
    }
}

extension APIClient {
    /// Returns the sum of the votes of all questions, for the report of a simulation.
    func countedVotes(of session: SessionID) async throws(APIError) -> Int {
        try await allAudienceQuestions(of: session).reduce(0) { $0 + $1.votes }
    }
}
