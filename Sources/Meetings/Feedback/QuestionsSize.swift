/// The size of question sets as an engine stores them. The sets of one session have one limit together,
/// because commands copy all of them at once, and some queries read all of them.
package struct QuestionsSize: Hashable, Sendable {
    package var questions: Int
    /// The bytes of the questions, titles and descriptions as stored JSON.
    package var bytes: Int
    /// The texts in that JSON, in all languages. The names and ids of choices count too. 0 if `bytes` is
    /// above the limit already.
    package var texts: Int

    package init(questions: Int = 0, bytes: Int = 0, texts: Int = 0) {
        self.questions = questions
        self.bytes = bytes
        self.texts = texts
    }

    /// The limit of one session. A file of 1 MB with 50 questions, each with 20 choices in 20 languages, is
    /// below it.
    package static let most = QuestionsSize(questions: 1_000, bytes: 1_310_720, texts: 25_000)

    /// Whether the size is within the limit of one session.
    package var fits: Bool { fits(after: QuestionsSize()) }

    /// Returns whether an edit may lead from `before` to this size. Sets that are above the limit already may
    /// shrink, or stay as they are.
    package func fits(after before: QuestionsSize) -> Bool {
        questions <= max(before.questions, Self.most.questions)
            && bytes <= max(before.bytes, Self.most.bytes)
            && (before.bytes > Self.most.bytes || texts <= max(before.texts, Self.most.texts))
    }

    package static func + (left: QuestionsSize, right: QuestionsSize) -> QuestionsSize {
        QuestionsSize(
            questions: left.questions + right.questions, bytes: left.bytes + right.bytes,
            texts: left.texts + right.texts)
    }

    package static func - (left: QuestionsSize, right: QuestionsSize) -> QuestionsSize {
        QuestionsSize(
            questions: left.questions - right.questions, bytes: left.bytes - right.bytes,
            texts: left.texts - right.texts)
    }
}
