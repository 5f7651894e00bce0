import Meetings
import Phrases

/// The inputs for each kind of question. Browsers check values, but the page's script checks lengths:
/// browsers count UTF-16 units, and people count characters.
extension QuestionFields {
    func choiceInputs(_ question: Question, _ choices: [Question.Choice], _ least: Int, _ most: Int) -> HTML {
        var chosen = answers == nil ? choices.filter(\.isChecked).map(\.id) : []
        var otherText = ""
        if case .choices(let ids, let other) = given(question) {
            chosen = ids
            otherText = other ?? ""
        }
        let (type, isRequired) = (most > 1 ? "checkbox" : "radio", question.required && most == 1)
        let limits = Phrase.Page.chooseUpTo.text(in: language, ["min": String(least), "max": String(most)])
        let hint: HTML? = most > 1 ? "<p class=\"note\">\(limits)</p>" : nil
        let options = choices.map { choice -> HTML in
            let checked: HTML = chosen.contains(choice.id) ? " checked" : ""
            // Checkboxes do not get the attribute `required`, because the browser would then require every
            // one of them.
            let required: HTML = isRequired ? " required" : ""
            return """
                <label class="choice">\
                <input type="\(type)" name="\(question.fieldName)" value="\(choice.id)"\
                \(required)\(checked)> \
                <span>\(choice.label.plain)</span></label>\
                \(otherInput(question, choice, otherText))
                """
        }
        return "\(hint)\(options)"
    }

    private func otherInput(_ question: Question, _ choice: Question.Choice, _ text: String) -> HTML? {
        guard choice.isOther else { return nil }
        let label = Phrase.Page.otherText.text(in: language)
        return """
            <input type="text" class="other" name="\(question.otherFieldName)" value="\(text)" \
            placeholder="\(label)" aria-label="\(label)">
            """
    }

    func textInput(_ question: Question, _ maxLength: Int) -> HTML {
        let text: String = if case .text(let text) = given(question) { text } else { "" }
        let limit = Phrase.Page.characters.text(in: language, ["count": String(maxLength)])
        // HTML removes a line feed directly after the tag. A text that begins with a line feed therefore
        // needs a second one.
        let ownLine: HTML = text.hasPrefix("\n") ? "\n" : ""
        return """
            <textarea name="\(question.fieldName)" rows="3" data-most-characters="\(maxLength)" \
            aria-label="\(question.title.plain)"\(placeholder(question))\(required(question))>\
            \(ownLine)\(text)</textarea><p class="note count">\(limit)</p>
            """
    }

    func starInputs(_ question: Question, _ scale: Int) -> HTML {
        let given: Double? = if case .number(let stars) = given(question) { stars } else { nil }
        let stars = (1...scale).map { count -> HTML in
            let label = Phrase.Page.stars.text(
                in: language, ["count": String(count), "scale": String(scale)])
            let checked: HTML = given == Double(count) ? " checked" : ""
            return """
                <label class="star"><input type="radio" name="\(question.fieldName)" value="\(count)" \
                aria-label="\(label)"\(required(question))\(checked)> \
                <span aria-hidden="true">\(count)</span></label>
                """
        }
        return "<div class=\"stars\">\(stars)</div>"
    }

    func numberInput(_ question: Question, _ min: Double?, _ max: Double?, _ decimals: Int) -> HTML {
        let written: String =
            switch given(question) {
            case .number(let number): Amount.text(number)
            case .text(let text): text
            case .choices, nil: ""
            }
        let least: HTML? = min.map { " min=\"\(Amount.text($0))\"" }
        let most: HTML? = max.map { " max=\"\(Amount.text($0))\"" }
        let step = Amount.text(1 / Double(Amount.scale(decimals)))
        let mode = decimals > 0 ? "decimal" : (min ?? -1) >= 0 ? "numeric" : "text"
        return """
            <input type="number" name="\(question.fieldName)" inputmode="\(mode)" \
            step="\(step)"\(least)\(most) value="\(written)" \
            aria-label="\(question.title.plain)"\(placeholder(question))\(required(question))>
            <p class="note limits">\(numberHint(min, max, decimals))</p>
            """
    }

    private func numberHint(_ min: Double?, _ max: Double?, _ decimals: Int) -> String {
        let kind: Phrase = decimals == 0 ? .Page.wholeNumber : .Page.decimalNumber
        var values = ["kind": kind.text(in: language, ["count": String(decimals)])]
        values["min"] = min.map(Amount.text)
        values["max"] = max.map(Amount.text)
        let sentence: Phrase =
            switch (min, max) {
            case (nil, nil): .Page.anyNumber
            case (_, nil): .Page.numberAtLeast
            case (nil, _): .Page.numberAtMost
            case (_, _): .Page.numberBetween
            }
        return sentence.text(in: language, values)
    }

    private func placeholder(_ question: Question) -> HTML? {
        question.placeholder.isEmpty ? nil : " placeholder=\"\(question.placeholder.plain)\""
    }

    private func required(_ question: Question) -> HTML { question.required ? " required" : "" }
}
