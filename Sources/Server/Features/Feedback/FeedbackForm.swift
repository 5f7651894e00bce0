import Meetings
import Phrases

/// A set's questions as a form of their own.
struct FeedbackForm {
    let set: QuestionSet
    let receipt: String
    let language: Language
    /// Names whose draft this is, on the device and nowhere else.
    let draft: String
    /// Nil where nothing was filled in yet.
    var answers: Answers?
    var errors: [FieldError] = []

    func html() -> HTML {
        let description: HTML? =
            set.description.isEmpty ? nil : "<p>\(set.description.text(in: language.rawValue))</p>"
        return """
            <form method="post" action="/feedback" class="feedback" data-set="\(set.name)" data-draft="\(draft)/\(set.name)"\(isFilledIn) data-retry="\(Phrase.Page.notSent.text(in: language))" data-sending="\(Phrase.Page.sending.text(in: language))">
            <h2>\(heading)</h2>
            \(description)
            <p class="note">\((set.anonymous ? Phrase.Page.anonymous : Phrase.Page.named).text(in: language))</p>
            <input type="hidden" name="receipt" value="\(receipt)">
            <input type="hidden" name="set" value="\(set.name)">
            <input type="hidden" name="anonymous" value="\(set.anonymous ? "true" : "false")">
            \(QuestionFields(set, language: language, answers: answers, errors: errors).html())
            <button type="submit">\(Phrase.Page.send.text(in: language))</button>
            <p class="note" role="status"></p>
            </form>
            """
    }

    /// What the server gives back is newer than any draft.
    private var isFilledIn: HTML { answers == nil ? "" : " data-filled" }

    private var heading: String {
        if !set.title.isEmpty { return set.title.text(in: language.rawValue) }
        if set.name == QuestionSet.feedback { return Phrase.Page.feedback.text(in: language) }
        return (set.openByHand == nil ? Phrase.Page.furtherQuestions : Phrase.Page.poll).text(in: language)
    }
}
