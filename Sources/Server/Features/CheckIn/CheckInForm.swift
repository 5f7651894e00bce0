import Journal
import Meetings
import Phrases
import Wire

/// The form that a grant's holder fills in: the name, and what the meeting tells people apart by.
struct CheckInForm {
    let record: SessionRecord
    /// What is asked with the check-in.
    let asked: QuestionSet?
    let language: Language

    /// `action` is where the form is sent.
    func page(grant: String, action: String, typed: Form? = nil, errors: [FieldError] = []) -> HTML {
        let meeting = record.meeting
        let identity: HTML =
            switch meeting.identifyBy {
            case .email:
                field("email", type: "email", .Page.email, autocomplete: "email", most: 254, typed, errors)
            case .number:
                field("number", type: "text", .Page.number, autocomplete: "off", most: 50, typed, errors)
            case .name: ""
            }
        return PageFrame(
            language: language, title: meeting.name, here: "\(CheckInPages.formPath)?another=1",
            words: PageWords.form
        ).page(
            """
            <p class="eyebrow">\(Phrase.Page.round.text(in: language, ["round": String(record.session.round)]))</p>
            <h1>\(meeting.name)</h1>
            <p class="time">\(PageMoment.span(record.session.startsAt, record.session.endsAt, in: meeting.timeZone, language))</p>
            <form method="post" action="\(action)" class="check-in" data-retry="\(Phrase.Page.notSent.text(in: language))" data-sending="\(Phrase.Page.sending.text(in: language))">
            <input type="hidden" name="grant" value="\(grant)">
            \(field("name", type: "text", .Page.name, autocomplete: "name", most: 100, typed, errors))
            \(identity)
            \(questions(typed, errors))
            <button type="submit">\(Phrase.Page.checkIn.text(in: language))</button>
            <p class="note" role="status"></p>
            </form>
            <p class="note">\(Phrase.Page.whatIsStored.text(in: language))</p>
            """)
    }

    private func questions(_ typed: Form?, _ errors: [FieldError]) -> HTML? {
        guard let asked else { return nil }
        return QuestionFields(
            asked, language: language, answers: typed.map { asked.answers(in: $0) }, errors: errors
        ).html()
    }

    private func field(
        _ name: String, type: String, _ label: Phrase, autocomplete: String, most: Int, _ typed: Form?,
        _ errors: [FieldError]
    ) -> HTML {
        let error = errors.first { $0.field == "/\(name)" }.map { FieldProblem($0, in: language).message }
        let said: HTML? = error.map { "<span class=\"error\" id=\"\(name)-error\">\($0)</span>" }
        let invalid: HTML = error == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"\(name)-error\""
        return """
            <label for="\(name)">\(label.text(in: language))</label>
            <input id="\(name)" name="\(name)" type="\(type)" autocomplete="\(autocomplete)" data-most-characters="\(most)" value="\(typed?.first(name) ?? "")" required\(invalid)>
            \(said)
            """
    }
}
