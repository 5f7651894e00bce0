import HTTPServer
import Journal
import Meetings
import Phrases
import Synchronization
import Wire

/// The handlers that receive a feedback form and show the sets that the attendee can answer next.
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
            guard let attendee = try rows.attendee(holding: receipt),
                let record = try rows.session(attendee.sessionID),
                let set = try rows.questionSet(name, of: attendee.sessionID)
            else { return nil }
            return (attendee, record, set)
        }
        guard let (attendee, record, set) = found else { throw Refusal.receiptNotValid }
        context.useLanguage(of: record.meeting)
        let person = OwnPage.Person(receipt: receipt, attendee: attendee, record: record)
        let answers = set.answers(in: form)
        let outcome: Respond.Outcome
        do {
            let judged = try await context.storage.judged(answers, to: name, of: record.session.id)
            outcome = try await context.storage.perform(
                Respond(
                    receipt: receipt, session: record.session.id, set: name, answers: answers,
                    shown: ShownPromise(
                        anonymous: form.first("anonymous").map { $0 == "true" },
                        promise: form.first("promise").flatMap(AnswerPromise.init)),
                    patterns: judged))
        } catch Refusal.invalid(let errors) {
            return try await again(
                set, of: person, receipt: text, answers, errors,
                QuestionFields.message(errors, in: context.language), status: 422, context)
        } catch Refusal.anonymityChanged(let promise) {
            // The host may have changed the set's promise since this handler read the set.
            var set = set
            set.promise = promise
            return try await again(
                set, of: person, receipt: text, answers, [], promise.newPhrase.text(in: context.language),
                status: 409, context)
        } catch let refusal as Refusal {
            switch refusal {
            case .feedbackClosed, .feedbackNotOpen, .noQuestions, .alreadyResponded:
                return try await notTaken(answers, to: set, of: person, receipt: text, refusal, context)
            default: throw refusal
            }
        }
        if let ending = outcome.ending {
            return ended(ending, record.meeting, next: OwnPage.path(of: person), context)
        }
        return try await thanks(person, receipt: text, context)
    }

    /// Returns the form again, with the attendee's answers, the reason for the rejection, and an error at
    /// each rejected question. The other forms stay below it.
    private static func again(
        _ set: QuestionSet, of person: OwnPage.Person, receipt: String, _ answers: Answers,
        _ errors: [FieldError], _ said: String, status: Int, _ context: RequestContext
    ) async throws -> HTTPResponse {
        let language = context.language
        let form = FeedbackForm(
            set: set, receipt: receipt, language: language, draft: person.attendee.id.text, answers: answers,
            errors: errors)
        let stage = try await Stage.all(
            person, receipt: receipt, context, own: (set.name, form.html()))
        return .html(
            try await OwnPage.frame(person, context).page(
                """
                <h1>\(person.record.meeting.name)</h1>
                <p class="error" role="alert">\(said)</p>
                \(stage.html)
                """), status: status)
    }

    /// Returns the answers that a page did not take, so that the person can copy them; nil without text.
    static func kept(_ answers: Answers, to set: QuestionSet, in language: Language) -> HTML? {
        let text = set.localized(in: language.rawValue).text(of: answers, in: language)
        guard !text.isEmpty else { return nil }
        return """
            <section class="card"><h2>\(Phrase.Page.yourText.text(in: language))</h2>
            <p class="kept">\(text)</p></section>
            """
    }

    /// Returns the page for answers that came too late or twice. It shows the answers, so that the attendee
    /// can copy them, and the questions that are open now.
    private static func notTaken(
        _ answers: Answers, to set: QuestionSet, of person: OwnPage.Person, receipt: String,
        _ refusal: Refusal, _ context: RequestContext
    ) async throws -> HTTPResponse {
        let language = context.language
        let problem = Problem(refusal, in: language)
        let isRepeated = refusal == .alreadyResponded
        let detail = isRepeated ? Phrase.Page.answersAreInDetail.text(in: language) : problem.detail
        let stage = try await Stage.all(person, receipt: receipt, context)
        return .html(
            try await OwnPage.frame(person, context).page(
                """
                <p class="eyebrow">\(person.record.meeting.name)</p>
                <h1 id="result">\(problem.title)</h1>
                <p>\(detail)</p>
                \(kept(answers, to: set, in: language))
                \(stage.html)
                <p><a class="button" href="\(OwnPage.path(of: person))">\
                \(Phrase.Page.backToMine.text(in: language))</a></p>
                """), status: problem.status)
    }

    /// Returns the page for an attendee who may not answer the form.
    /// - Parameters:
    ///   - title: the title of the form; nil for the meeting's name.
    ///   - next: the address of the page that the attendee can go to; nil if there is none.
    static func ended(
        _ rule: Rule, _ meeting: Meeting, title: String? = nil, next: String?, _ context: RequestContext
    ) -> HTTPResponse {
        let (language, title) = (context.language, title ?? meeting.name)
        let link: HTML? = next.map {
            "<p><a class=\"button\" href=\"\($0)\">\(Phrase.Page.backToMine.text(in: language))</a></p>"
        }
        return .html(
            PageFrame(language: language, title: title, accent: meeting.accent, here: "/").page(
                """
                <p class="eyebrow">\(title)</p>
                <h1 id="result">\(Phrase.Page.ended.text(in: language))</h1>
                <p>\(rule.ending(in: language))</p>
                <p class="note">\(Phrase.Page.nothingStored.text(in: language))</p>
                \(link)
                """))
    }

    /// Returns the page after a response, with the sets to answer next: the following set, and open polls.
    private static func thanks(
        _ person: OwnPage.Person, receipt: String, _ context: RequestContext
    ) async throws -> HTTPResponse {
        let (record, language) = (person.record, context.language)
        let stage = try await Stage.all(person, receipt: receipt, context)
        return .html(
            try await OwnPage.frame(person, context, refreshes: stage.forms == 0).page(
                """
                <p class="eyebrow">\(record.meeting.name)</p>
                <h1 id="result">\(Phrase.Page.thanks.text(in: language))</h1>
                <p class="done"><strong>\(Phrase.Page.thanksDetail.text(in: language))</strong></p>
                \(stage.html)
                """))
    }
}

/// A set's questions as a form.
struct FeedbackForm {
    let set: QuestionSet
    let receipt: String
    let language: Language
    /// The name of the draft on the attendee's device. Only the page's script uses it.
    let draft: String
    /// Nil until the attendee has sent the form once.
    var answers: Answers?
    var errors: [FieldError] = []
    /// Whether `answers` are stored, so that the form changes them.
    var isAnswered = false

    func html() -> HTML {
        """
        <form method="post" action="/feedback" class="feedback\(set.isAskedNow ? " poll" : "")" \
        data-set="\(set.name)" data-title="\(set.notice(in: language))" \
        data-draft="\(draft)/\(set.name)"\(isFilledIn)\(answeredMark) \
        data-retry="\(Phrase.Page.notSent.text(in: language))" \
        data-sending="\(Phrase.Page.sending.text(in: language))">
        \(badge)
        <h2>\(set.heading(in: language))</h2>
        <input type="hidden" name="receipt" value="\(receipt)">
        <input type="hidden" name="set" value="\(set.name)">
        <input type="hidden" name="anonymous" value="\(set.anonymous ? "true" : "false")">
        <input type="hidden" name="promise" value="\(set.promise.rawValue)">
        \(isAnswered ? changing : questions)
        </form>
        """
    }

    private var questions: HTML {
        let description: HTML? =
            set.description.isEmpty ? nil : "<p>\(set.description.text(in: language.rawValue))</p>"
        return """
            \(description)
            \(Promise(short: set.promise.shortPhrase, whole: promise, language: language).html())
            \(mode)
            \(QuestionFields(set, language: language, answers: answers, errors: errors).html())
            <p class="note waits"></p>
            <button type="submit">\(button.text(in: language))</button>
            <p class="note" role="status"></p>
            """
    }

    /// The stored answers, and behind a button the questions that change them.
    private var changing: HTML {
        """
        <p class="own">\(Phrase.Page.yourAnswer.text(in: language))</p>
        \(given(set.localized(in: language.rawValue)))
        <details class="change"><summary>\(Phrase.Page.changeAnswers.text(in: language))</summary>
        \(questions)
        </details>
        """
    }

    /// Returns the stored answers.
    /// - Parameter localized: the set with its texts in `language`.
    func given(_ localized: QuestionSet) -> HTML {
        // The line above says the question already.
        let isUnseen: HTML? = localized.isNamedByItsQuestion ? " class=\"unseen\"" : nil
        let given = localized.asked.compactMap { question -> HTML? in
            guard let answer = answers?[question.id] else { return nil }
            let keys: HTML? = question.onPage.ownKeys(answer).map { keys -> HTML in
                " data-keys=\"\(keys.joined(separator: "\n"))\""
            }
            return """
                <div data-question="\(question.id)"\(keys)><dt\(isUnseen)>\(question.title.plain)</dt>\
                <dd>\(question.text(of: answer, in: language))</dd></div>
                """
        }
        return "<dl class=\"given\">\(given)</dl>"
    }

    private var button: Phrase { isAnswered ? .Page.sendChange : .Page.send }

    private var promise: String {
        let promise = self.set.promise.phrase.text(in: language)
        guard self.set.isChangeable else { return promise }
        return "\(promise) \(Phrase.Page.answersCanChange.text(in: language))"
    }

    /// Tells the script to ignore a stored draft, because the answers from the server are newer than any
    /// draft.
    private var isFilledIn: HTML { answers == nil ? "" : " data-filled" }

    /// Tells the script that answers are stored, so that the closing of the set loses nothing.
    private var answeredMark: HTML? { isAnswered ? " data-answered" : nil }

    /// A mark of a set that the host asks right now, unless its heading already says so.
    private var badge: HTML? {
        guard set.isAskedNow, set.isNamedByItsQuestion || !set.title.isEmpty else { return nil }
        return "<p class=\"badge\">\(Phrase.Page.poll.text(in: language))</p>"
    }

    /// The place of the button for one question at a time.
    private var mode: HTML? {
        return set.asked.count < 2 ? nil : "<p class=\"mode-place scripted\"></p>"
    }
}

extension QuestionSet {
    /// Whether the title of the only question is the heading of the set.
    var isNamedByItsQuestion: Bool {
        title.isEmpty && name != Self.feedback && openByHand != nil && asked.count == 1
    }

    /// Returns the title for attendees. A poll with one question is named by the question; another set
    /// without a title is named after its purpose.
    func heading(in language: Language) -> String {
        if !title.isEmpty { return title.text(in: language.rawValue) }
        if name == Self.feedback { return Phrase.Page.feedback.text(in: language) }
        if isNamedByItsQuestion { return notice(in: language) }
        return (openByHand == nil ? Phrase.Page.furtherQuestions : Phrase.Page.poll).text(in: language)
    }

    /// Returns the text by which notices and lines name the set: its title, or else its first question.
    func notice(in language: Language) -> String {
        if title.isEmpty, name == Self.feedback { return Phrase.Page.feedback.text(in: language) }
        return heading.text(in: language.rawValue)
    }
}

/// What happens to a name, in one line. A click shows the whole text.
struct Promise {
    let short: Phrase
    let whole: String
    let language: Language

    func html() -> HTML {
        """
        <details class="promise"><summary>\(short.text(in: language)) \
        <u>\(Phrase.Page.more.text(in: language))</u></summary><p class="note">\(whole)</p></details>
        """
    }
}

extension AnswerPromise {
    /// The promise on a form.
    fileprivate var phrase: Phrase {
        switch self {
        case .anonymous: .Page.anonymous
        case .hidden: .Page.namesHidden
        case .named: .Page.named
        }
    }

    /// The promise in one or two words.
    fileprivate var shortPhrase: Phrase {
        switch self {
        case .anonymous: .Page.anonymousShort
        case .hidden: .Page.nameHiddenShort
        case .named: .Page.namedShort
        }
    }

    /// The promise on a form that promised something else before.
    fileprivate var newPhrase: Phrase {
        switch self {
        case .anonymous: .Page.becameAnonymous
        case .hidden: .Page.becameHidden
        case .named: .Page.becameNamed
        }
    }
}
