package import Meetings

/// The queries for the moderation of texts.
package protocol TextModerationReading: AnyObject {
    /// Returns the set's moderation; `none` if no host has set it.
    func textModeration(of session: SessionID, set: String) throws(JournalError) -> TextModeration
    /// Returns what a host or a held word decided about the text in this response; nil if nothing did.
    func textStatus(in response: ResponseID, to question: QuestionID) throws(JournalError) -> TextStatus?
    /// Returns what a host or a held word decided about a word of a word cloud; nil if nothing did.
    func wordStatus(of word: String, to question: QuestionID) throws(JournalError) -> TextStatus?
    /// Returns everything that was decided about the words of a word cloud. Only scans use it.
    func wordStatuses(of question: QuestionID) throws(JournalError) -> [String: TextStatus]
    /// Returns how many published answers to the question have the word.
    func wordCount(of word: String, to question: QuestionID) throws(JournalError) -> Int
    /// Returns the most frequent words of the question. Words with the same count are in the order of their
    /// bytes.
    func words(of question: QuestionID, limit: Int) throws(JournalError) -> [ModeratedWord]
}

/// The writes of the moderation of texts.
package protocol TextModerationWriting: AnyObject {
    func save(_ moderation: TextModeration, of session: SessionID, set: String) throws(JournalError)
    /// Sets the status of the text in this response. Nil deletes the decision.
    func setTextStatus(_ status: TextStatus?, in response: ResponseID, to question: QuestionID)
        throws(JournalError)
    /// Sets the status of a word of a word cloud. Nil deletes the decision.
    func setWordStatus(_ status: TextStatus?, of word: String, to question: QuestionID) throws(JournalError)
}

/// The position of a response among the published responses of its set. It names a text without an id of its
/// own: the hour and the random id of the response, which reveal neither the person nor the order.
package struct TextPlace: Hashable, Sendable, Codable {
    package let at: Instant
    package let response: ResponseID

    package init(at: Instant, response: ResponseID) {
        self.at = at
        self.response = response
    }
}

extension ReadableRows {
    /// Returns the text at this place; nil if the place has no text that results may show, because the group
    /// of three of its set or its question is not complete, or because the response is gone.
    package func text(
        at place: TextPlace, answering question: QuestionID, in set: QuestionSet, of session: SessionID
    )
        throws(JournalError) -> String?
    {
        let tallies = try tallies(of: session, set: set.name)
        guard let tally = tallies[question], !set.hides(tally.published) else { return nil }
        let cursor = ResponseCursor(at: place.at, id: place.response.successor)
        guard
            let found = try responses(of: session, set: set.name, after: cursor, limit: 1).first,
            found.id == place.response, found.at == place.at
        else { return nil }
        return set.shownAnswers(of: found, by: tallies)[question]?.shownText
    }
}

extension ID {
    /// The next id in the order of ids; the same id if it is the last one.
    fileprivate var successor: ID {
        if low < .max { return ID(high: high, low: low + 1) }
        return high < .max ? ID(high: high + 1, low: 0) : self
    }
}
