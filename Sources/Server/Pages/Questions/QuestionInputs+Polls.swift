import Meetings
import Phrases
import Wire

/// The inputs for the kinds of questions that polls use: words, points, yes or no, and days.
extension QuestionFields {
    /// One field for each word.
    func wordInputs(_ question: Question, _ most: Int) -> HTML {
        let words: [String] =
            switch given(question) {
            case .choices(let words, _): words
            case .text(let text): [text]
            case .number, nil: []
            }
        let fields = (0..<most).map { index -> HTML in
            let label = Phrase.Page.word.text(
                in: language, ["number": String(index + 1), "count": String(most)])
            let required: HTML = index == 0 && question.required ? " required" : ""
            return """
                <input type="text" class="word" name="\(question.fieldName)" autocomplete="off" \
                value="\(index < words.count ? words[index] : "")" \
                data-most-characters="\(CloudWord.mostCharacters)" \
                aria-label="\(question.title.plain), \(label)"\(required)>
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
}
