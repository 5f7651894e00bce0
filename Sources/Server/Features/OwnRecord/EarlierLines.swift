import HTTPServer
import Journal
import Meetings
import Phrases

/// The lines of the sets that an attendee has answered, and of closed sets with shared results, the newest
/// first. Each is folded to its name and the attendee's own answer. A script adds the shared results.
struct EarlierLines {
    /// The lines, without the heading above them.
    let html: HTML
    /// The number of forms that change stored answers.
    let forms: Int

    /// - Parameters:
    ///   - shown: the names of the sets whose forms are on the page.
    ///   - unfolds: whether the newest line is open, because no poll waits for an answer.
    init(
        of person: OwnPage.Person, receipt: String, except shown: Set<String>, unfolds: Bool,
        _ context: RequestContext
    ) async throws {
        let (attendee, session, now) = (person.attendee, person.record.session, context.now)
        let patterns = context.storage.patterns
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.earlierSets(
                of: attendee, holding: person.receipt, in: session, except: shown, at: now, by: patterns)
        }
        forms = found.count(where: \.canChange)
        let language = context.language
        let lines = found.enumerated().map { number, set in
            Self.line(set, isOpen: unfolds && number == 0, person, receipt, language)
        }
        html = "\(lines)"
    }

    private static func line(
        _ found: EarlierSet, isOpen: Bool, _ person: OwnPage.Person, _ receipt: String, _ language: Language
    ) -> HTML {
        let set = found.set.localized(in: language.rawValue)
        let title = set.notice(in: language)
        let open: HTML? = isOpen ? " open data-auto" : nil
        let answered: HTML? = found.isAnswered ? " data-answered" : nil
        return """
            <details class="line" data-set="\(set.name)"\(answered)\(open)>\
            <summary><span class="title">\(title)</span>\(said(found, set, language))\
            <span class="note best"></span></summary>
            \(own(found, set, person, receipt, language))
            \(found.isAnswered ? storage(set, language) : nil)
            <p class="note sharing" data-set="\(set.name)" data-title="\(title)">\
            \((set.shared ? Phrase.Page.resultsAreShared : .Page.resultsNotShared).text(
                in: language, ["title": title]))</p>
            <div class="results"></div>
            </details>
            """
    }

    /// The attendee's answer in the folded line. If the server cannot know it, a script fills in what this
    /// tab has sent.
    private static func said(_ found: EarlierSet, _ set: QuestionSet, _ language: Language) -> HTML {
        guard found.isAnswered else { return "<span class=\"note said\"></span>" }
        guard let answers = found.response?.answers else {
            return
                "<span class=\"note said\" data-unknown>\(Phrase.Page.youAnswered.text(in: language))</span>"
        }
        let texts = set.asked.compactMap { question in
            answers[question.id].map { question.text(of: $0, in: language) }
        }
        let text = texts.joined(separator: " · ").split(whereSeparator: \.isNewline).joined(separator: ", ")
        let sentence = Phrase.Page.yourAnswerIs.text(in: language, ["answer": text])
        return "<span class=\"note said\">\(sentence)</span>"
    }

    private static func own(
        _ found: EarlierSet, _ set: QuestionSet, _ person: OwnPage.Person, _ receipt: String,
        _ language: Language
    ) -> HTML? {
        guard let answers = found.response?.answers else { return nil }
        let form = FeedbackForm(
            set: found.set, receipt: receipt, language: language, draft: person.attendee.id.text,
            answers: answers, isAnswered: true)
        return found.canChange ? form.html() : form.given(set)
    }

    private static func storage(_ set: QuestionSet, _ language: Language) -> HTML {
        let storage: Phrase =
            switch set.promise {
            case .anonymous: .Page.storedAnonymously
            case .hidden: .Page.storedHidden
            case .named: .Page.storedWithName
            }
        return "<p class=\"note\">\(storage.text(in: language))</p>"
    }
}
