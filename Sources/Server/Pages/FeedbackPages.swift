import HTTPServer
import Journal
import Meetings
import Phrases
import Synchronization
import Wire

/// Takes a feedback form, and thanks.
enum FeedbackPages {
    static func submit(_ context: RequestContext) async throws -> HTTPResponse {
        let form = try context.form()
        guard let receipt = form.first("receipt").flatMap({ Receipt($0, keys: context.services.keys) }) else {
            throw Refusal.receiptNotValid
        }
        let name = form.first("set") ?? QuestionSet.feedback
        let found = try await context.storage.read { rows throws(JournalError) -> (SessionRecord, QuestionSet)? in
            guard let attendee = try rows.attendee(receipt.attendeeID), let record = try rows.session(attendee.sessionID),
                let set = try rows.questionSet(name, of: attendee.sessionID)
            else { return nil }
            return (record, set)
        }
        guard let (record, set) = found else { throw Refusal.receiptNotValid }
        let language = context.language
        let page = PageFrame(language: language, title: record.meeting.name, tone: "in")
        let answers = set.answers(in: form)
        do throws(JournalError) {
            _ = try await context.storage.perform(
                Respond(attendee: receipt.attendeeID, session: record.session.id, set: name, answers: answers))
        } catch {
            guard case .refused(.invalid(let errors)) = error else { throw error }
            let again = FeedbackForm(
                set: set, session: record.session.id, receipt: form.first("receipt") ?? "", language: language, answers: answers,
                errors: errors)
            return .html(page.page("<h1>\(record.meeting.name)</h1>\(again.html())"), status: 422)
        }
        context.services.metrics.responses.add(1, ordering: .relaxed)
        return .html(
            page.page(
                """
                <p class="eyebrow">\(record.meeting.name)</p>
                <h1 id="result">\(Phrase.Page.thanks.text(in: language))</h1>
                <p class="done">\(Phrase.Page.thanksDetail.text(in: language))</p>
                """))
    }
}

extension QuestionSet {
    /// What was filled in; whether it fits is the set's to say.
    fileprivate func answers(in form: Form) -> Answers {
        var answers: Answers = [:]
        for question in questions {
            let values = form.all(FeedbackForm.fieldName(question)).filter { !$0.isEmpty }
            guard let first = values.first else { continue }
            switch question.kind {
            case .multipleChoice: answers[question.id] = .choices(values)
            // Browsers send line breaks as CR LF; a text has LF.
            case .shortAnswer: answers[question.id] = .text(first.replacing("\r\n", with: "\n"))
            case .rating: answers[question.id] = Int(first).map { .rating($0) } ?? .text(first)
            }
        }
        return answers
    }
}

/// A set's questions as a form.
struct FeedbackForm {
    let set: QuestionSet
    let session: SessionID
    let receipt: String
    let language: Language
    var answers: Answers = [:]
    var errors: [FieldError] = []

    static func fieldName(_ question: Question) -> String { "q_\(question.id)" }

    func html() -> HTML {
        """
        <form method="post" action="/feedback" class="feedback" data-retry="\(Phrase.Page.notSent.text(in: language))" data-sending="\(Phrase.Page.sending.text(in: language))">
        <h2>\(Phrase.Page.feedback.text(in: language))</h2>
        <p class="note">\((set.anonymous ? Phrase.Page.anonymous : Phrase.Page.named).text(in: language))</p>
        <input type="hidden" name="receipt" value="\(receipt)">
        <input type="hidden" name="set" value="\(set.name)">
        \(set.questions.map(fieldset))
        <button type="submit">\(Phrase.Page.send.text(in: language))</button>
        <p class="note" role="status"></p>
        </form>
        """
    }

    private func fieldset(_ question: Question) -> HTML {
        let error = errors.first { $0.field == "/answers/\(question.id)" }.map { FieldProblem($0, in: language).message }
        let required: HTML? = question.required ? " <small>\(Phrase.Page.required.text(in: language))</small>" : nil
        let detail: HTML? = question.detail.isEmpty ? nil : "<p class=\"note\">\(question.detail)</p>"
        let said: HTML? = error.map { "<p class=\"error\">\($0)</p>" }
        return """
            <fieldset>
            <legend>\(question.title)\(required)</legend>
            \(detail)
            \(inputs(question))
            \(said)
            </fieldset>
            """
    }

    private func inputs(_ question: Question) -> HTML {
        let name = Self.fieldName(question)
        let required: HTML = question.required ? " required" : ""
        switch question.kind {
        case .multipleChoice(let choices, let least, let most):
            let chosen: [String] = if case .choices(let ids) = answers[question.id] { ids } else { [] }
            let hint: HTML? =
                most > 1
                ? "<p class=\"note\">\(Phrase.Page.chooseUpTo.text(in: language, ["min": String(least), "max": String(most)]))</p>" : nil
            let options = choices.map { choice -> HTML in
                let checked: HTML = chosen.contains(choice.id) ? " checked" : ""
                // Several boxes cannot each be required; the server says when one is missing.
                return
                    "<label class=\"choice\"><input type=\"\(most > 1 ? "checkbox" : "radio")\" name=\"\(name)\" value=\"\(choice.id)\"\(most > 1 ? "" : required)\(checked)> <span>\(choice.label)</span></label>"
            }
            return "\(hint)\(options)"
        case .shortAnswer(let maxLength):
            let text: String = if case .text(let text) = answers[question.id] { text } else { "" }
            return
                "<textarea name=\"\(name)\" rows=\"3\" maxlength=\"\(maxLength)\" aria-label=\"\(question.title)\"\(required)>\(text)</textarea><p class=\"note\">\(Phrase.Page.characters.text(in: language, ["count": String(maxLength)]))</p>"
        case .rating(let scale):
            let given: Int? = if case .rating(let stars) = answers[question.id] { stars } else { nil }
            let stars = (1...scale).map { count -> HTML in
                let label = Phrase.Page.stars.text(in: language, ["count": String(count), "scale": String(scale)])
                let checked: HTML = given == count ? " checked" : ""
                return
                    "<label class=\"star\"><input type=\"radio\" name=\"\(name)\" value=\"\(count)\" aria-label=\"\(label)\"\(required)\(checked)> <span aria-hidden=\"true\">\(count)</span></label>"
            }
            return "<div class=\"stars\">\(stars)</div>"
        }
    }
}
