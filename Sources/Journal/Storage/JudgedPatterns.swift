package import Meetings
import Synchronization

/// Remembers the verdicts of a pattern engine, so that patterns are matched before a command is on the
/// writer's queue: a slow pattern must not delay the check-ins behind it.
package final class JudgedPatterns: PatternMatching {
    private struct Case: Hashable {
        let text: String
        let pattern: String
    }

    private let engine: any PatternMatching
    private let verdicts = Mutex<[Case: Bool]>([:])

    init(_ engine: any PatternMatching) { self.engine = engine }

    package func refusal(of pattern: String) -> String? { engine.refusal(of: pattern) }

    package func matches(_ text: String, _ pattern: String) -> Bool {
        let asked = Case(text: text, pattern: pattern)
        if let verdict = verdicts.withLock({ $0[asked] }) { return verdict }
        let verdict = engine.matches(text, pattern)
        verdicts.withLock { $0[asked] = verdict }
        return verdict
    }
}

extension Storage {
    /// Matches the set's patterns against these answers on a reading thread, and returns the verdicts for the
    /// command that will judge the answers. If the questions change meanwhile, the command asks the engine
    /// itself.
    package func judged(_ answers: Answers, to set: String, of session: SessionID) async throws(JournalError)
        -> any PatternMatching
    {
        guard answers.values.contains(where: { if case .text = $0 { true } else { false } }) else {
            return patterns
        }
        let judged = JudgedPatterns(patterns)
        try await read { rows throws(JournalError) in
            guard let set = try rows.questionSet(set, of: session) else { return }
            for question in set.asked {
                guard let answer = answers[question.id] else { continue }
                for test in question.rules.map(\.test) + question.eligibility.map(\.test)
                    + question.branches.map(\.test)
                {
                    if case .pattern = test { _ = test.holds(for: answer, beside: answers, by: judged) }
                }
            }
        }
        return judged
    }

    /// The same for answers to a published form. If there is no such form, the command reports it.
    package func judged(_ values: [String: PublishedForm.Value], toForm form: String)
        async throws(JournalError) -> any PatternMatching
    {
        let found = try await read {
            rows throws(JournalError) -> (answers: Answers, set: String, session: SessionID)? in
            guard let place = try rows.publishedForm(form),
                let set = try rows.questionSet(place.set, of: place.session)
            else { return nil }
            return (set.answers(byName: values).answers, place.set, place.session)
        }
        guard let found else { return patterns }
        return try await judged(found.answers, to: found.set, of: found.session)
    }
}
