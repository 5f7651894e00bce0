package import Meetings
package import Wire

/// The texts that answer one question, with their statuses, as read from the store. Only members see them.
package struct QuestionTexts: Hashable, Sendable {
    package let question: QuestionID
    package let set: String
    package let moderation: TextModeration
    /// At most `ModeratedTextsFrame.mostItems` texts of each status, the newest first. Each has an id.
    package let texts: [TextAnswerBody]

    package init(
        question: QuestionID, set: String, moderation: TextModeration, texts: [TextAnswerBody]
    ) {
        self.question = question
        self.set = set
        self.moderation = moderation
        self.texts = texts
    }

    /// The part of a frame with all texts.
    var whole: ModeratedTextsFrame { frame(complete: true, items: texts, removed: []) }

    /// Returns the part of a frame with the changes since `before`.
    func changes(since before: QuestionTexts?) -> ModeratedTextsFrame {
        guard let before else { return whole }
        let known = Dictionary(before.texts.map { ($0.id, $0) }) { first, _ in first }
        let present = Set(texts.map(\.id))
        return frame(
            complete: false, items: texts.filter { known[$0.id] != $0 },
            removed: before.texts.compactMap(\.id).filter { !present.contains($0) })
    }

    private func frame(complete: Bool, items: [TextAnswerBody], removed: [String]) -> ModeratedTextsFrame {
        ModeratedTextsFrame(
            set: set, questionId: question, moderation: moderation, complete: complete, items: items,
            removed: removed)
    }
}
