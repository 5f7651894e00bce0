import Journal
import Meetings

extension MemoryRows {
    func textModeration(of session: SessionID, set: String) throws(JournalError) -> TextModeration {
        try tables().textModeration[Tables.SetKey(session: session, set: set)] ?? TextModeration.none
    }

    func textStatus(in response: ResponseID, to question: QuestionID) throws(JournalError) -> TextStatus? {
        try tables().moderatedTexts[Tables.TextKey(question: question, response: response)]
    }

    func save(_ moderation: TextModeration, of session: SessionID, set: String) throws(JournalError) {
        try change("save text moderation") { tables throws(JournalError) in
            let key = Tables.SetKey(session: session, set: set)
            guard tables.sets[key] != nil else { throw conflict("save text moderation", "of no set") }
            tables.textModeration[key] = moderation
        }
    }

    func setTextStatus(_ status: TextStatus?, in response: ResponseID, to question: QuestionID)
        throws(JournalError)
    {
        try change("set text status") {
            $0.moderatedTexts[Tables.TextKey(question: question, response: response)] = status
        }
    }
}
