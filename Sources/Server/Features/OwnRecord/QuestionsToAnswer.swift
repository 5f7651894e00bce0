import Journal
import Meetings
import Phrases

/// What stands on an attendee's own page below the check-in: the sets that can be answered now, or what
/// became of feedback.
enum QuestionsToAnswer {
    static func below(
        _ attendee: Attendee, _ record: SessionRecord, receipt: String, _ context: RequestContext
    ) async throws -> HTML {
        let (session, now, language, patterns) = (
            record.session, context.now, context.language, context.storage.patterns
        )
        let (sets, feedback, hasAnswered) = try await context.storage.read {
            rows throws(JournalError) -> ([QuestionSet], QuestionSet?, Bool) in
            (
                try rows.setsToAnswer(attendee.id, in: session, at: now, by: patterns),
                try rows.questionSet(QuestionSet.feedback, of: session.id),
                try rows.hasAnswered(attendee.id, set: QuestionSet.feedback)
            )
        }
        let forms = try await context.shown(sets, in: session).map {
            FeedbackForm(set: $0, receipt: receipt, language: language, draft: attendee.id.text).html()
        }
        var word: HTML?
        if let feedback, !feedback.asked.isEmpty {
            if hasAnswered {
                word = AnsweredNote(set: feedback, language: language).html()
            } else if !feedback.isOpen(in: session, at: now), now < session.feedbackOpensAt {
                let time = PageMoment.text(session.feedbackOpensAt, in: record.meeting.timeZone, language)
                word = "<p>\(Phrase.Page.feedbackOpens.text(in: language, ["time": time]))</p>"
            }
        }
        return "\(word)\(forms)"
    }
}
