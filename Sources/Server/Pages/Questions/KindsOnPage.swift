import Meetings
import Phrases
import Wire

// The kinds of questions on pages: the table, the inputs, and how answers are read from a form.

/// How pages ask a question of one kind, and how they read its answer from a submitted form. No property has
/// a default, so the compiler names each one that a new kind lacks.
struct QuestionOnPage {
    let inputs: (QuestionFields) -> HTML
    let answer: (Form) -> Answer?
    /// Whether its inputs are radio buttons. An answer to an optional question can then be cleared.
    let isRadio: Bool
    /// Attributes for the page's script about limits that HTML cannot express.
    let limits: HTML?
    /// Returns the values by which the page's script finds the attendee's own rows in the results; nil if the
    /// script can read them from the inputs.
    let ownKeys: (Answer) -> [String]?
}

extension Question {
    /// The one table of the kinds on pages.
    var onPage: QuestionOnPage {
        switch kind {
        case .multipleChoice(let choices, let least, let most):
            QuestionOnPage(
                inputs: { $0.choiceInputs(self, choices, least, most) },
                answer: { choice(in: $0, isOne: most == 1) }, isRadio: most == 1,
                // HTML cannot express how many checkboxes of a group must be selected.
                limits: most > 1 ? " data-least=\"\(least)\" data-most=\"\(most)\"" : nil,
                ownKeys: { _ in nil })
        case .shortAnswer(let maxLength):
            QuestionOnPage(
                inputs: { $0.textInput(self, maxLength) },
                // Browsers send line breaks as CR LF, but stored texts have LF.
                answer: { value(in: $0).map { .text($0.replacing("\r\n", with: "\n")) } },
                isRadio: false, limits: nil, ownKeys: { _ in nil })
        case .rating(let scale):
            QuestionOnPage(
                inputs: { $0.starInputs(self, scale) }, answer: number, isRadio: true, limits: nil,
                ownKeys: { _ in nil })
        case .number(let min, let max, let decimals):
            QuestionOnPage(
                inputs: { $0.numberInput(self, min, max, decimals) }, answer: number, isRadio: false,
                limits: nil, ownKeys: { _ in nil })
        case .wordCloud(let most):
            QuestionOnPage(
                inputs: { $0.wordInputs(self, most) }, answer: words, isRadio: false, limits: nil,
                ownKeys: { if case .choices(let words, _) = $0 { words.map(CloudWord.key) } else { nil } })
        case .scale(let points, let labels):
            QuestionOnPage(
                inputs: { $0.scaleInputs(self, points, labels) }, answer: number, isRadio: true, limits: nil,
                ownKeys: { _ in nil })
        case .yesNo:
            QuestionOnPage(
                inputs: { $0.yesNoInputs(self) }, answer: { value(in: $0).map { .text($0) } }, isRadio: true,
                limits: nil, ownKeys: { _ in nil })
        case .date(let earliest, let latest):
            QuestionOnPage(
                inputs: { $0.dateInput(self, earliest, latest) },
                answer: { value(in: $0).map { .text($0) } }, isRadio: false, limits: nil,
                ownKeys: { _ in nil })
        case .ranking(let choices, let most):
            QuestionOnPage(
                inputs: { $0.placeInputs(self, choices, most) }, answer: { order(in: $0, choices) },
                isRadio: false, limits: " data-least=\"1\" data-most=\"\(most)\"", ownKeys: { _ in nil })
        }
    }
}

// MARK: Reading

extension Question {
    private func value(in form: Form) -> String? { form.all(fieldName).first { !$0.isEmpty } }

    /// Returns the choices. A text beside the choice "other" chooses it, unless the attendee can choose only
    /// one and has chosen another. The set then refuses the answer, so that no text is lost silently.
    private func choice(in form: Form, isOne: Bool) -> Answer? {
        var values = form.all(fieldName).filter { !$0.isEmpty }
        let typed = form.first(otherFieldName).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        if let other, typed != nil, !values.contains(other.id), values.isEmpty || !isOne {
            values.append(other.id)
        }
        return values.isEmpty ? nil : .choices(values, other: typed)
    }

    private func words(in form: Form) -> Answer? {
        let words = form.all(fieldName).filter { !$0.isEmpty }
        return words.isEmpty ? nil : .choices(words)
    }

    private func number(in form: Form) -> Answer? {
        value(in: form).map { text in Double(text).flatMap(Self.finite).map { .number($0) } ?? .text(text) }
    }

    /// Returns the choices in the order of their places. Places that are no order become a text of all
    /// places, which the set refuses and the form shows again.
    private func order(in form: Form, _ choices: [Choice]) -> Answer? {
        let places = choices.map { choice in
            form.first(placeName(choice)).map { $0.filter { !$0.isWhitespace } } ?? ""
        }
        let written = zip(choices, places).filter { !$1.isEmpty }
        guard !written.isEmpty else { return nil }
        let ranked = written.compactMap { choice, place in Int(place).map { (id: choice.id, place: $0) } }
        guard ranked.count == written.count, Set(ranked.map(\.place)).count == ranked.count,
            ranked.allSatisfy({ (1...choices.count).contains($0.place) })
        else {
            return .text(places.map { $0.isEmpty ? Self.noPlace : $0 }.joined(separator: " "))
        }
        return .choices(ranked.sorted { $0.place < $1.place }.map(\.id))
    }

    /// The name of the field for the place of a choice.
    fileprivate func placeName(_ choice: Choice) -> String { "\(fieldName).\(choice.id)" }

    private static func finite(_ number: Double) -> Double? { number.isFinite ? number : nil }
}

// MARK: Inputs

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
        values["min"] = min.map { language.number(Amount.text($0)) }
        values["max"] = max.map { language.number(Amount.text($0)) }
        let sentence: Phrase =
            switch (min, max) {
            case (nil, nil): .Page.anyNumber
            case (_, nil): .Page.numberAtLeast
            case (nil, _): .Page.numberAtMost
            case (_, _): .Page.numberBetween
            }
        return sentence.text(in: language, values)
    }

    /// One field for each word.
    func wordInputs(_ question: Question, _ most: Int) -> HTML {
        let words: [String] =
            switch given(question) {
            case .choices(let words, _): words
            case .text(let text): [text]
            case .number, nil: []
            }
        let hasError = errors.contains { $0.field == "/answers/\(question.id)" }
        let isLong = words.map { $0.count > CloudWord.mostCharacters }
        /// Whether the field needs a change: a long word, else any word, else the first field.
        func isWrong(_ index: Int) -> Bool {
            guard hasError else { return false }
            if isLong.contains(true) { return index < isLong.count && isLong[index] }
            return index < max(1, words.count)
        }
        let fields = (0..<most).map { index -> HTML in
            let label = Phrase.Page.word.text(
                in: language, ["number": String(index + 1), "count": String(most)])
            let required: HTML = index == 0 && question.required ? " required" : ""
            let wrong: HTML = isWrong(index) ? " aria-invalid=\"true\"" : ""
            return """
                <input type="text" class="word" name="\(question.fieldName)" autocomplete="off" \
                value="\(index < words.count ? words[index] : "")" \
                data-most-characters="\(CloudWord.mostCharacters)" \
                aria-label="\(question.title.plain), \(label)"\(required)\(wrong)>
                """
        }
        let hint = Phrase.Page.wordsHint.text(in: language, ["count": String(most)])
        return "\(fields)<p class=\"note\">\(hint)</p>"
    }

    /// One radio button for each point. The labels of the ends stand below the points. If points between them
    /// have labels too, each point has a line with its label.
    func scaleInputs(_ question: Question, _ points: Int, _ labels: [Int: LocalizedText]) -> HTML {
        let isListed = labels.keys.contains { $0 > 1 && $0 < points }
        let given: Double? = if case .number(let point) = given(question) { point } else { nil }
        let inputs = (1...points).map { point -> HTML in
            let label = labels[point].map { $0.text(in: language.rawValue) }
            let checked: HTML = given == Double(point) ? " checked" : ""
            let required: HTML = question.required ? " required" : ""
            let said =
                label.map { "\(point), \($0)" }
                ?? Phrase.Page.stars.text(
                    in: language, ["count": String(point), "scale": String(points)])
            let written: HTML? = isListed ? label.map { " <small>\($0)</small>" } : nil
            return """
                <label class="point"><input type="radio" name="\(question.fieldName)" value="\(point)" \
                aria-label="\(said)"\(required)\(checked)> \
                <span aria-hidden="true">\(point)\(written)</span></label>
                """
        }
        let ends = [1, points].map { labels[$0].map { $0.text(in: language.rawValue) } ?? "" }
        let spans = ends.map { end -> HTML in "<span>\(end)</span>" }
        let below: HTML? =
            isListed || ends.allSatisfy(\.isEmpty)
            ? nil : "<p class=\"ends\" aria-hidden=\"true\">\(spans)</p>"
        return "<div class=\"points\(isListed ? " listed" : "")\">\(inputs)</div>\(below)"
    }

    /// Two radio buttons.
    func yesNoInputs(_ question: Question) -> HTML {
        let given: [String] =
            switch given(question) {
            case .choices(let ids, _): ids
            case .text(let text): [text]
            case .number, nil: []
            }
        let required: HTML = question.required ? " required" : ""
        let options = YesNo.allCases.map { choice -> HTML in
            let checked: HTML = given.contains(choice.rawValue) ? " checked" : ""
            return """
                <label class="choice"><input type="radio" name="\(question.fieldName)" \
                value="\(choice.rawValue)"\(required)\(checked)> \
                <span>\(choice.phrase.text(in: language))</span></label>
                """
        }
        return "\(options)"
    }

    /// A field for a day, which browsers show as a calendar.
    func dateInput(_ question: Question, _ earliest: CivilDate?, _ latest: CivilDate?) -> HTML {
        let written: String = if case .text(let text) = given(question) { text } else { "" }
        let least: HTML? = earliest.map { " min=\"\($0.text)\"" }
        let most: HTML? = latest.map { " max=\"\($0.text)\"" }
        let required: HTML = question.required ? " required" : ""
        return """
            <input type="date" name="\(question.fieldName)" value="\(written)"\(least)\(most) \
            aria-label="\(question.title.plain)"\(required)>
            """
    }

    /// A field for the place of each choice. The page's script makes them a list that people put in order.
    func placeInputs(_ question: Question, _ choices: [Question.Choice], _ most: Int) -> HTML {
        let places: [String] =
            switch given(question) {
            case .choices(let ids, _):
                choices.map { choice in ids.firstIndex(of: choice.id).map { String($0 + 1) } ?? "" }
            case .text(let text):
                text.split(separator: " ").map { $0 == Question.noPlace ? "" : String($0) }
            case .number, nil: []
            }
        let fields = choices.enumerated().map { index, choice -> HTML in
            """
            <div class="rank"><label><input type="number" class="place" inputmode="numeric" min="1" \
            max="\(choices.count)" name="\(question.placeName(choice))" \
            value="\(index < places.count ? places[index] : "")"> \
            <span>\(choice.label.plain)</span></label></div>
            """
        }
        let said = [
            "up": Phrase.Page.rankUp, "down": .Page.rankDown, "out": .Page.rankOut, "at": .Page.rankedAt,
            "none": .Page.rankedNowhere, "full": .Page.rankedAll,
        ].sorted { $0.key < $1.key }.map { name, phrase -> HTML in
            " data-\(name)=\"\(phrase.text(in: language))\""
        }
        let values = ["count": String(most)]
        return """
            <p class="note" hidden>\(Phrase.Page.rankByTouch.text(in: language, values))</p>\
            <p class="note">\(Phrase.Page.rankByNumbers.text(in: language, values))</p>\
            <div class="ranking"\(said)>\(fields)</div>
            """
    }

    private func placeholder(_ question: Question) -> HTML? {
        question.placeholder.isEmpty ? nil : " placeholder=\"\(question.placeholder.plain)\""
    }

    private func required(_ question: Question) -> HTML { question.required ? " required" : "" }
}
