package import Meetings
import Synchronization

/// A cache of a pattern engine's verdicts. `Storage.judged` fills the cache on a reading thread before the
/// command is submitted, so that a slow pattern does not delay the check-ins that wait on the writer's queue.
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
    /// Matches the set's patterns against these answers on a reading thread. Returns the verdicts for the
    /// command that will check the answers. If a host changes the questions before the command runs, the
    /// command calls the pattern engine for the missing verdicts.
    package func judged(_ answers: Answers, to set: String, of session: SessionID) async throws(JournalError)
        -> any PatternMatching
    {
        guard answers.values.contains(where: { if case .text = $0 { true } else { false } }) else {
            return patterns
        }
        // If a host has added a pattern since the questions were read, the command calls the pattern engine.
        if let known = engine.knownQuestions(of: set, in: session), !known.contains(where: \.hasPatterns) {
            return patterns
        }
        let judged = JudgedPatterns(patterns)
        try await read { rows throws(JournalError) in
            guard let set = try rows.questionSet(set, of: session) else { return }
            for question in set.asked {
                guard let answer = answers[question.id] else { continue }
                for test in question.tests where test.isPattern {
                    _ = test.holds(for: answer, beside: answers, by: judged)
                }
            }
        }
        return judged
    }

    /// Matches the patterns of a published form against these answers, as `judged(_:to:of:)` does for a set.
    /// If no form is published under this name, returns the pattern engine itself, and the command throws the
    /// error.
    package func judged(_ values: [String: PublishedForm.Value], toForm form: String)
        async throws(JournalError) -> any PatternMatching
    {
        let found = try await read {
            rows throws(JournalError) -> (answers: Answers, set: String, session: SessionID)? in
            guard let location = try rows.publishedForm(form),
                let set = try rows.questionSet(location.set, of: location.session)
            else { return nil }
            return (set.answers(byName: values).answers, location.set, location.session)
        }
        guard let found else { return patterns }
        return try await judged(found.answers, to: found.set, of: found.session)
    }
}

extension Question {
    /// All tests of answers to the question.
    fileprivate var tests: [Rule.Test] {
        rules.map(\.test) + eligibility.map(\.test) + branches.map(\.test)
    }

    fileprivate var hasPatterns: Bool { tests.contains(where: \.isPattern) }
}

extension Rule.Test {
    fileprivate var isPattern: Bool { if case .pattern = self { true } else { false } }
}
