import Journal
import Meetings

extension WatchedRows {
    func textModeration(of session: SessionID, set: String) throws(JournalError) -> TextModeration {
        try inner.textModeration(of: session, set: set)
    }
    func textStatus(in response: ResponseID, to question: QuestionID) throws(JournalError) -> TextStatus? {
        try inner.textStatus(in: response, to: question)
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
