internal import Meetings
internal import Synchronization

/// What the simulated attendees of one run have learned of texts that the server takes, one from the other.
final class FormKnowledge: Sendable {
    private struct Known {
        var refused: [QuestionID: [SimulatedAnswers.TextForm]] = [:]
        var skipped: Set<QuestionID> = []
        var unanswerable: QuestionID?
    }

    private let known = Mutex(Known())

    /// What was left out of all answers, and what kept everybody from answering.
    var leftOut: (skipped: Set<QuestionID>, unanswerable: QuestionID?) {
        known.withLock { ($0.skipped, $0.unanswerable) }
    }

    /// Answers by what is known now.
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

    /// The server did not take the answers to these. Whether another attempt may do better.
    func refuse(_ questions: [Question], by answers: SimulatedAnswers) -> Bool {
        known.withLock { known in
            for question in questions {
                let used = answers.forms[question.id] ?? question.form
                var refused = known.refused[question.id] ?? []
                let isText = question.kindName == .shortAnswer
                // Somebody else may have learned it meanwhile.
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
