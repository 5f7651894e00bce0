import HTTPServer
import Journal
import Meetings
import Phrases
import Synchronization
import Wire

/// Takes a feedback form, thanks, and goes on to what follows.
enum FeedbackPages {
    static func submit(_ context: RequestContext) async throws -> HTTPResponse {
        let form = try context.form()
        guard let text = form.first("receipt"), let receipt = Receipt(text, keys: context.services.keys)
        else {
            throw context.forged(.receiptNotValid)
        }
        let name = form.first("set") ?? QuestionSet.feedback
        let found = try await context.storage.read {
            rows throws(JournalError) -> (Attendee, SessionRecord, QuestionSet)? in
            guard let attendee = try rows.attendee(behind: receipt.attendeeID),
                let record = try rows.session(attendee.sessionID),
                let set = try rows.questionSet(name, of: attendee.sessionID)
            else { return nil }
            return (attendee, record, set)
        }
        guard let (attendee, record, set) = found else { throw Refusal.receiptNotValid }
        let person = OwnPage.Person(receipt: receipt, attendee: attendee, record: record)
        let answers = set.answers(in: form)
        let outcome: Respond.Outcome
        do {
            let judged = try await context.storage.judged(answers, to: name, of: record.session.id)
            outcome = try await context.storage.perform(
                Respond(
                    attendee: receipt.attendeeID, session: record.session.id, set: name, answers: answers,
                    anonymous: form.first("anonymous").map { $0 == "true" }, patterns: judged))
        } catch Refusal.invalid(let errors) {
            return again(
                set, of: person, receipt: text, answers, errors, Phrase.Page.mendAnswers, status: 422,
                context)
        } catch Refusal.anonymityChanged(let anonymous) {
            // The set may have changed since it was read.
            var set = set
            set.anonymous = anonymous
            let said = anonymous ? Phrase.Page.becameAnonymous : Phrase.Page.becameNamed
            return again(set, of: person, receipt: text, answers, [], said, status: 409, context)
        }
        if let ending = outcome.ending { return ended(ending, record.meeting.name, context) }
        context.services.metrics.responses.add(1, ordering: .relaxed)
        return try await thanks(person, to: outcome.set, receipt: text, context)
    }

    /// What was filled in stays. The page says why it comes again, and each question what is wrong with its
    /// answer.
    private static func again(
        _ set: QuestionSet, of person: OwnPage.Person, receipt: String, _ answers: Answers,
        _ errors: [FieldError],
        _ said: Phrase, status: Int, _ context: RequestContext
    ) -> HTTPResponse {
        let language = context.language
        let form = FeedbackForm(
            set: set, receipt: receipt, language: language, draft: person.attendee.id.text, answers: answers,
            errors: errors)
        return .html(
            OwnPage.frame(person, language).page(
                """
                <h1>\(person.record.meeting.name)</h1>
                <p class="error" role="alert">\(said.text(in: language))</p>
                \(form.html())
                """), status: status)
    }

    /// The form is not meant for who answered so.
    static func ended(_ rule: Rule, _ meeting: String, _ context: RequestContext) -> HTTPResponse {
        let language = context.language
        return .html(
            PageFrame(language: language, title: meeting, here: "/").page(
                """
                <p class="eyebrow">\(meeting)</p>
                <h1 id="result">\(Phrase.Page.ended.text(in: language))</h1>
                <p>\(rule.ending(in: language))</p>
                <p class="note">\(Phrase.Page.nothingStored.text(in: language))</p>
                """))
    }

    /// With what can be answered next: the set that the answers led to, and polls that are open.
    private static func thanks(
        _ person: OwnPage.Person, to set: QuestionSet, receipt: String, _ context: RequestContext
    ) async throws -> HTTPResponse {
        let (record, language, now, patterns) = (
            person.record, context.language, context.now, context.storage.patterns
        )
        let sets = try await context.storage.read { rows throws(JournalError) in
            try rows.setsToAnswer(person.attendee.id, in: record.session, at: now, by: patterns)
        }
        let forms = try await context.shown(sets, in: record.session).map {
            FeedbackForm(set: $0, receipt: receipt, language: language, draft: person.attendee.id.text).html()
        }
        return .html(
            OwnPage.frame(person, language).page(
                """
                <p class="eyebrow">\(record.meeting.name)</p>
                <h1 id="result">\(Phrase.Page.thanks.text(in: language))</h1>
                \(AnsweredNote(set: set, language: language).html())
                \(forms)
                \(OwnPage.live(person, receipt))
                <p><a class="button" href="\(OwnPage.recordPath(of: person))">\(Phrase.Page.myAttendance.text(in: language))</a></p>
                """))
    }
}
