import Journal
import Meetings

extension WatchedRows {
    func textModeration(of session: SessionID, set: String) throws(JournalError) -> TextModeration {
        try inner.textModeration(of: session, set: set)
    }
    func textStatus(in response: ResponseID, to question: QuestionID) throws(JournalError) -> TextStatus? {
        try inner.textStatus(in: response, to: question)
    }
    func words(of question: QuestionID, limit: Int) throws(JournalError) -> [ModeratedWord] {
        try inner.words(of: question, limit: limit)
    }
    func wordCount(of word: String, to question: QuestionID) throws(JournalError) -> Int {
        try inner.wordCount(of: word, to: question)
    }
    func wordStatus(of word: String, to question: QuestionID) throws(JournalError) -> TextStatus? {
        try inner.wordStatus(of: word, to: question)
    }
    func wordStatuses(of question: QuestionID) throws(JournalError) -> [String: TextStatus] {
        try inner.wordStatuses(of: question)
    }
    func setWordStatus(_ status: TextStatus?, of word: String, to question: QuestionID) throws(JournalError) {
        try inner.setWordStatus(status, of: word, to: question)
    }
    func save(_ moderation: TextModeration, of session: SessionID, set: String) throws(JournalError) {
        try inner.save(moderation, of: session, set: set)
    }
    func setTextStatus(_ status: TextStatus?, in response: ResponseID, to question: QuestionID)
        throws(JournalError)
    {
        try inner.setTextStatus(status, in: response, to: question)
    }
}
