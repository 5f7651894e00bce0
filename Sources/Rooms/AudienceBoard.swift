package import Meetings
package import Wire

/// A session's questions from the audience, as read from the store: the settings, the counts, and the first
/// questions of each status as members see them.
package struct AudienceBoard: Hashable, Sendable {
    package let settings: AudienceSettings
    package let counts: [AudienceQuestion.Status: Int]
    /// At most `AudienceQuestionsFrame.mostItems` questions of each status, in the order of lists.
    package let questions: [AudienceQuestionBody]

    /// The board of a session without questions.
    package static let empty = AudienceBoard(settings: .initial, counts: [:], questions: [])

    package init(
        settings: AudienceSettings, counts: [AudienceQuestion.Status: Int],
        questions: [AudienceQuestionBody]
    ) {
        self.settings = settings
        self.counts = counts
        self.questions = questions
    }

    /// Whether a host has ever set anything or written a question down. Frames of other sessions leave the
    /// questions out.
    var isUsed: Bool { settings.version > 0 || settings.asked > 0 }

    /// Returns the questions that the view may show: for members all, for the hall and for attendees only the
    /// visible and answered ones, without names.
    func questions(for view: View) -> [AudienceQuestionBody] {
        guard view != .session else { return questions }
        return Array(
            questions.filter(\.status.isShown).map(\.forEverybody).prefix(AudienceQuestionsFrame.mostItems))
    }

    /// Returns the complete frame for a view.
    func frame(for view: View) -> AudienceQuestionsFrame {
        frame(for: view, complete: true, items: questions(for: view))
    }

    /// Returns the changes since `before`, as the view sees them; nil if the view sees no change.
    func frame(for view: View, since before: AudienceBoard) -> AudienceQuestionsFrame? {
        let (old, new) = (before.questions(for: view), questions(for: view))
        let known = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
        var items: [AudienceQuestionBody] = []
        var votes: [AudienceQuestionsFrame.Votes] = []
        for question in new where known[question.id] != question {
            if let earlier = known[question.id], earlier.equalsExceptVotes(question) {
                votes.append(AudienceQuestionsFrame.Votes(id: question.id, votes: question.votes))
            } else {
                items.append(question)
            }
        }
        let present = Set(new.map(\.id))
        let removed = old.map(\.id).filter { !present.contains($0) }
        let changes = frame(
            for: view, complete: false, items: items, votes: votes, removed: removed)
        let isSame = items.isEmpty && votes.isEmpty && removed.isEmpty
        if isSame, before.frame(for: view, complete: false, items: []) == changes { return nil }
        return changes
    }

    private func frame(
        for view: View, complete: Bool, items: [AudienceQuestionBody],
        votes: [AudienceQuestionsFrame.Votes] = [], removed: [AudienceQuestionID] = []
    ) -> AudienceQuestionsFrame {
        let isForMembers = view == .session
        return AudienceQuestionsFrame(
            settings, shown: counts[.visible, default: 0] + counts[.answered, default: 0],
            pending: isForMembers ? counts[.pending, default: 0] : nil,
            hidden: isForMembers ? counts[.hidden, default: 0] : nil, complete: complete, items: items,
            votes: votes, removed: removed)
    }
}

extension Room {
    /// Applies the questions from the audience, as read after a change of them.
    package mutating func apply(_ board: AudienceBoard, elapsed: Duration) -> Action {
        guard board != self.board else { return .none }
        self.board = board
        return schedule(elapsed)
    }
}
