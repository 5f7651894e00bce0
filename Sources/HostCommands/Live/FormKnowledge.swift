internal import Meetings
internal import Synchronization

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
                let isText = question.kindName == .shortAnswer
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
