import Journal
import Meetings

extension MemoryRows {
    func textModeration(of session: SessionID, set: String) throws(JournalError) -> TextModeration {
        try tables().textModeration[Tables.SetKey(session: session, set: set)] ?? TextModeration.none
    }

    func textStatus(in response: ResponseID, to question: QuestionID) throws(JournalError) -> TextStatus? {
        try tables().moderatedTexts[Tables.TextKey(question: question, response: response)]
    }

    func words(of question: QuestionID, limit: Int) throws(JournalError) -> [ModeratedWord] {
        let (words, decided) = (
            try tables().words[question] ?? [:], try tables().moderatedWords[question] ?? [:]
        )
        let sorted = words.sorted {
            $0.value == $1.value
                ? $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) : $0.value > $1.value
        }
        return sorted.prefix(limit).map {
            ModeratedWord(word: $0.key, count: $0.value, decided: decided[$0.key])
        }
    }

    func wordCount(of word: String, to question: QuestionID) throws(JournalError) -> Int {
        try tables().words[question]?[word] ?? 0
    }

    func wordStatus(of word: String, to question: QuestionID) throws(JournalError) -> TextStatus? {
        try tables().moderatedWords[question]?[word]
    }

    func wordStatuses(of question: QuestionID) throws(JournalError) -> [String: TextStatus] {
        try tables().moderatedWords[question] ?? [:]
    }

    func setWordStatus(_ status: TextStatus?, of word: String, to question: QuestionID) throws(JournalError) {
        try change("set word status") { $0.moderatedWords[question, default: [:]][word] = status }
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
