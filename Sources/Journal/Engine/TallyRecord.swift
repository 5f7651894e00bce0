package import Meetings

/// The counts of one question: what results show, and what waits for its group to be complete.
///
/// An anonymous set's responses are shown in groups of `QuestionSet.smallestGroup`. Not everybody answers
/// every question: where fewer than that many answers to this one have come since it was last shown, they
/// wait on, though their responses are shown. So each step of a question has that many answers, too, and the
/// difference of two looks at it tells of no one person.
package struct TallyRecord: Hashable, Sendable {
    package var published: TallyCount
    package var pending: TallyCount
    /// The responses that are shown without their answer to this question; in order of their random ids, and
    /// of an anonymous set only. At most `QuestionSet.smallestGroup - 1`.
    package private(set) var waiting: [ResponseID]

    package init(published: TallyCount, pending: TallyCount, waiting: [ResponseID] = []) {
        self.published = published
        self.pending = pending
        self.waiting = waiting
    }

    /// Of no answers yet.
    package init(for question: Question) {
        self.init(published: TallyCount(for: question), pending: TallyCount(for: question))
    }

    /// Moves what waited into what is shown.
    mutating func publish(_ question: Question) {
        published.add(pending)
        pending = TallyCount(for: question)
        waiting = []
    }

    /// The same where that makes a group, now that `responses` are shown; otherwise their answers wait on.
    mutating func publish(_ question: Question, with responses: [Response]) {
        guard pending.answers < QuestionSet.smallestGroup else { return publish(question) }
        wait(for: question, in: responses)
    }

    /// Moves what waited into what is shown, a group or not, unless it were still too little to be shown at
    /// all.
    mutating func publishRest(_ question: Question, with responses: [Response]) {
        guard published.answers + pending.answers < QuestionSet.smallestGroup else {
            return publish(question)
        }
        wait(for: question, in: responses)
    }

    private mutating func wait(for question: Question, in responses: [Response]) {
        waiting = (waiting + responses.filter { $0.answers[question.id] != nil }.map(\.id)).sorted()
    }
}

extension QuestionSet {
    /// Those answers of a published response that results may show.
    package func shownAnswers(of response: Response, by tallies: [QuestionID: TallyRecord]) -> Answers {
        guard anonymous else { return response.answers }
        return response.answers.filter { id, _ in
            tallies[id].map { !hides($0.published) && !$0.waiting.contains(response.id) } ?? false
        }
    }
}
