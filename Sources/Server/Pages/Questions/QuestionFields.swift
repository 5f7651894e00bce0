import Meetings
import Phrases
import Wire

/// Shows the questions of a set as fields of a form, each with its error.
struct QuestionFields {
    /// The set, with its texts in `language`.
    let set: QuestionSet
    let language: Language
    /// The attendee's input so far. Nil in a new form, in which the default choices are selected.
    var answers: Answers?
    var errors: [FieldError] = []

    init(_ set: QuestionSet, language: Language, answers: Answers? = nil, errors: [FieldError] = []) {
        self.set = set.localized(in: language.rawValue)
        self.language = language
        self.answers = answers
        self.errors = errors
    }

    func html() -> HTML {
        "\(set.asked.map(fieldset))"
    }

    /// Returns what the page says about the errors: that of the whole form, or that answers are marked.
    static func message(_ errors: [FieldError], in language: Language) -> String {
        errors.first { $0.field == "/answers" }.map { FieldProblem($0, in: language).message }
            ?? Phrase.Page.checkAnswers.text(in: language)
    }

    private func fieldset(_ question: Question) -> HTML {
        let field = question.fieldName
        let error = errors.first { $0.field == "/answers/\(question.id)" }.map {
            FieldProblem($0, in: language).message
        }
        // If there is only one question, it is clear that it needs an answer.
        let required: HTML? =
            question.required && set.asked.count > 1
            ? " <small>\(Phrase.Page.required.text(in: language))</small>" : nil
        let isNeeded: HTML? = question.required ? " data-required" : nil
        let detail: HTML? = question.detail.isEmpty ? nil : "<p class=\"note\">\(question.detail.plain)</p>"
        let said: HTML? = error.map { "<p class=\"error\" id=\"\(field)_error\">\($0)</p>" }
        let described: HTML = error == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"\(field)_error\""
        let rules: HTML? =
            question.rules.isEmpty
            ? nil : " data-rules=\"\(String(decoding: WireJSON.bytes(question.rules), as: UTF8.self))\""
        // The heading above the question already says it.
        let isUnseen: HTML? = set.isNamedByItsQuestion ? " class=\"unseen\"" : nil
        return """
            <fieldset data-question="\(question.id)"\(isNeeded)\(question.onPage.limits)\(rules)\(described)>
            <legend\(isUnseen)>\(question.title.plain)\(required)</legend>
            \(detail)
            \(question.onPage.inputs(self))\(clearing(question))
            \(said)
            </fieldset>
            """
    }

    /// Returns what removes the answer to an optional question with radio buttons: a button, or without
    /// scripts an empty choice.
    private func clearing(_ question: Question) -> HTML? {
        guard question.onPage.isRadio, !question.required else { return nil }
        return """
            <noscript><label class="choice"><input type="radio" name="\(question.fieldName)" value=""> \
            <span>\(Phrase.Page.noAnswer.text(in: language))</span></label></noscript>\
            <button type="button" class="clear scripted">\(Phrase.Page.clear.text(in: language))</button>
            """
    }

    /// Returns the attendee's input for a question. If the input for a number question is not a number, it is
    /// a text.
    func given(_ question: Question) -> Answer? { answers?[question.id] }
}
