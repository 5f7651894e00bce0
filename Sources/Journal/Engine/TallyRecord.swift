package import Meetings

/// The counts of one question: the published counts, and the counts that are held back until their group is
/// complete.
///
/// The responses of an anonymous set are published in groups of `QuestionSet.smallestGroup`. Not every
/// response answers every question. If a group has fewer answers to this question, those answers stay held
/// back, although their responses are published. So each change of a question's result contains at least that
/// many answers, and the difference between two results reveals no single person.
package struct TallyRecord: Hashable, Sendable {
    package var published: TallyCount
    package var pending: TallyCount
    /// The published responses whose answer to this question is held back, in the order of their random ids.
    /// Only anonymous sets have such responses, at most `QuestionSet.smallestGroup - 1`.
    package private(set) var waiting: [ResponseID]

    package init(published: TallyCount, pending: TallyCount, waiting: [ResponseID] = []) {
        self.published = published
        self.pending = pending
        self.waiting = waiting
    }

    /// Creates a record without answers, for a set with this promise.
    package init(for question: Question, _ promise: AnswerPromise) {
        let none = TallyCount(for: question, promise)
        self.init(published: none, pending: none)
    }

    /// Publishes all held-back answers.
    mutating func publish() {
        published.add(pending)
        pending.removeAll()
        waiting = []
    }

    /// Publishes the held-back answers if they make a group. Otherwise the answers stay held back, although
    /// `responses` are published now.
    mutating func publish(_ question: Question, with responses: [Response]) {
        guard pending.answers < QuestionSet.smallestGroup else { return publish() }
        wait(for: question, in: responses)
    }

    /// Publishes all held-back answers, even if they are fewer than a group. If the question still has too
    /// few answers to show a result, the answers stay held back.
    mutating func publishRest(_ question: Question, with responses: [Response]) {
        guard published.answers + pending.answers < QuestionSet.smallestGroup else {
            return publish()
        }
        wait(for: question, in: responses)
    }

    private mutating func wait(for question: Question, in responses: [Response]) {
        waiting = (waiting + responses.filter { $0.answers[question.id] != nil }.map(\.id)).sorted()
    }
}

extension QuestionSet {
    /// Returns the answers of a published response that results may show.
    package func shownAnswers(of response: Response, by tallies: [QuestionID: TallyRecord]) -> Answers {
        guard anonymous else { return response.answers }
        return response.answers.filter { id, _ in
            tallies[id].map { !hides($0.published) && !$0.waiting.contains(response.id) } ?? false
        }
    }
}
