import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// The handlers for the attendee's page of questions from the audience. It needs no script: each question has
/// a form with one button.
enum AudiencePage {
    static func path(of person: OwnPage.Person) -> String {
        "/me/\(person.record.session.id.text)/questions?\(QueryParameter.who.name)="
            + person.attendee.id.text
    }

    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        let isByTime = context.query(.questionOrder) == "time"
        return try await OwnPage.opened(context) { try await page($0, context, isByTime: isByTime) }
    }

    static func submit(_ context: RequestContext) async throws -> HTTPResponse {
        let form = try context.form()
        let person = try await OwnRecordPage.sender(of: form, context)
        let session = person.record.session.id
        switch form.first("do") {
        case "ask": return try await ask(person, form, context)
        case "vote", "unvote":
            guard let question = form.first("question").flatMap({ AudienceQuestionID($0) }) else {
                throw Refusal.notFound(.audienceQuestion)
            }
            _ = try await context.storage.perform(
                VoteForQuestion(
                    session: session, question: question, receipt: person.receipt,
                    votes: form.first("do") == "vote"))
            return try await page(person, context, isByTime: form.first("order") == "time")
        default: throw RequestError(.badRequest)
        }
    }

    private static func ask(_ person: OwnPage.Person, _ form: Form, _ context: RequestContext)
        async throws -> HTTPResponse
    {
        // A text area may contain line ends.
        let typed = (form.first("text") ?? "").split(whereSeparator: \.isNewline).joined(separator: " ")
        let text: String
        do throws(FieldReason) {
            text = try PersonalText.checked(typed, limit: AudienceQuestion.mostCharacters.text)
        } catch {
            let said = FieldProblem(FieldError("/text", error), in: context.language).message
            return try await page(person, context, typed: typed, error: said, status: 422)
        }
        let question: AudienceQuestion
        do {
            question = try await context.storage.perform(
                AskQuestion(
                    session: person.record.session.id, asker: .attendee(person.receipt),
                    text: text,
                    promise: form.first("promise").flatMap {
                        AudienceQuestion.Promise(rawValue: $0)
                    },
                    id: form.first("id").flatMap { AudienceQuestionID($0) }))
        } catch Refusal.audiencePromiseChanged(let promise) {
            let said =
                promise == .named ? ProblemCode.questionsBecameNamed : ProblemCode.questionsBecameHidden
            return try await page(
                person, context, typed: typed, error: said.text(in: context.language), status: 409)
        }
        let said = question.status == .pending ? Phrase.Page.questionPending : Phrase.Page.questionSent
        return try await page(person, context, done: said)
    }

    /// The most questions on a page, as `mostListed` of the page's script.
    private static let mostListed = 100

    /// Returns the page: the form, and at most `mostListed` questions.
    /// - Parameter isByTime: whether these are the newest questions, and not those with the most votes.
    private static func page(
        _ person: OwnPage.Person, _ context: RequestContext, isByTime: Bool = false, typed: String = "",
        error: String? = nil, done: Phrase? = nil, status: Int = 200
    ) async throws -> HTTPResponse {
        let (record, language) = (person.record, context.language)
        let (session, attendee) = (record.session.id, person.receipt.attendeeID)
        let (settings, questions) = try await context.storage.read {
            rows throws(JournalError) -> (AudienceSettings, [AudienceQuestionBody]) in
            let statuses = AudienceQuestion.Status.shown
            let shown =
                isByTime
                ? try rows.newestAudienceQuestions(of: session, statuses: statuses, limit: mostListed)
                : try rows.audienceQuestions(of: session, statuses: statuses, after: nil, limit: mostListed)
            let own = try rows.audienceQuestions(askedBy: attendee).filter { $0.status == .pending }
            return (
                try rows.audienceSettings(of: session) ?? .initial,
                try rows.bodies(of: own + shown, for: attendee)
            )
        }
        let isOpen = settings.takesQuestions(in: record.session, at: context.now)
        let receipt = person.receipt.text(keys: context.services.keys)
        let form = AskForm(
            settings: settings, action: path(of: person), receipt: receipt, typed: typed, error: error,
            language: language)
        let word: HTML? = done.map { "<p class=\"done\" role=\"status\">\($0.text(in: language))</p>" }
        let closed: HTML = "<p class=\"note\">\(Phrase.Page.questionsClosed.text(in: language))</p>"
        let items = questions.map {
            item($0, isOpen: isOpen, isByTime: isByTime, action: path(of: person), receipt: receipt, language)
        }
        let empty: HTML? =
            questions.isEmpty
            ? "<p class=\"note\" id=\"none\">\(Phrase.Page.noQuestionsYet.text(in: language))</p>" : nil
        let sent: HTML? = done == nil ? nil : " data-asked"
        return .html(
            PageFrame(
                language: language, title: Phrase.Page.audienceQuestions.text(in: language),
                accent: record.meeting.accent, here: path(of: person), words: PageWords.own,
                bar: try await PartsBar.html(for: person, at: .questions, context)
            ).page(
                """
                <p class="eyebrow">\(record.meeting.name)</p>
                <h1>\(Phrase.Page.audienceQuestions.text(in: language))</h1>
                \(word)
                <div id="ask">\(isOpen ? form.html() : closed)</div>
                <section id="audience" data-open="\(isOpen ? "yes" : "no")"\(sent)>
                \(questions.count < 2 ? nil : orders(isByTime: isByTime, path(of: person), language))
                <div class="fresh" role="status"></div>
                <ol class="audience-questions">\(items)</ol>
                \(empty)
                </section>
                """), status: status)
    }

    /// Returns the links to the two orders.
    private static func orders(isByTime: Bool, _ path: String, _ language: Language) -> HTML {
        let links = [("votes", Phrase.Page.byVotes), ("time", .Page.byTime)].map { order, name -> HTML in
            let current: HTML? = (order == "time") == isByTime ? " aria-current=\"true\"" : nil
            return """
                <a href="\(path)&\(QueryParameter.questionOrder.name)=\(order)"\(current)>\
                \(name.text(in: language))</a>
                """
        }
        return """
            <nav class="orders" aria-label="\(Phrase.Page.questionOrder.text(in: language))">\(links)</nav>
            """
    }

    private static func item(
        _ question: AudienceQuestionBody, isOpen: Bool, isByTime: Bool, action: String, receipt: String,
        _ language: Language
    ) -> HTML {
        let has = question.voted == true
        let count = Phrase.Page.votes.text(in: language, ["count": String(question.votes)])
        let mark: Phrase? =
            switch question.status {
            case .pending: Phrase.Page.questionWaits
            case .answered: Phrase.Page.questionAnswered
            default: question.pinned ? Phrase.Page.questionPinned : nil
            }
        let marks = [question.own == true ? Phrase.Page.yourQuestion : nil, mark].compactMap(\.self)
        let tags = marks.map { name -> HTML in "<span class=\"tag\">\(name.text(in: language))</span> " }
        let answer: HTML? = question.answer.map { "<p class=\"answer\">\($0)</p>" }
        let said = (has ? Phrase.Page.removeVote : Phrase.Page.vote).text(in: language)
        let canVote = isOpen && question.status.isShown
        let button: HTML? =
            canVote
            ? """
            <form method="post" action="\(action)" class="vote">
            <input type="hidden" name="receipt" value="\(receipt)">
            <input type="hidden" name="question" value="\(question.id)">
            <input type="hidden" name="order" value="\(isByTime ? "time" : "votes")">
            <input type="hidden" name="do" value="\(has ? "unvote" : "vote")">
            <button type="submit" class="\(has ? "voted" : "open")" \
            aria-label="\(said): \(question.text)">\
            <span aria-hidden="true">▲ <b>\(question.votes)</b></span>\
            </button>
            </form>
            """ : nil
        return """
            <li id="question-\(question.id)" data-status="\(question.status.rawValue)" \
            data-pinned="\(question.pinned ? "yes" : "no")">\
            <div class="said"><p>\(tags)\(question.text)</p>\(answer)
            <p class="note votes\(canVote ? " unseen" : "")">\(count)</p></div>\(button)</li>
            """
    }
}

/// The form by which an attendee asks. It has an id for the question, so that a reload of the page that
/// follows does not ask twice.
private struct AskForm {
    let settings: AudienceSettings
    let action: String
    let receipt: String
    let typed: String
    let error: String?
    let language: Language

    func html() -> HTML {
        let isNamed = settings.promise == .named
        let promise = isNamed ? Phrase.Page.questionNamed : .Page.questionHidden
        let short = isNamed ? Phrase.Page.namedShort : .Page.nameHiddenShort
        let said: HTML? = error.map {
            "<span class=\"error\" id=\"text-error\" role=\"alert\">\($0)</span>"
        }
        let invalid: HTML = error == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"text-error\""
        let most = String(AudienceQuestion.mostCharacters.text)
        let limit = Phrase.Page.characters.text(in: language, ["count": most])
        return """
            <form method="post" action="\(action)">
            <input type="hidden" name="receipt" value="\(receipt)">
            <input type="hidden" name="do" value="ask">
            <input type="hidden" name="id" value="\(AudienceQuestionID.makeTimeless())">
            <input type="hidden" name="promise" value="\(settings.promise.rawValue)">
            <label for="text">\(Phrase.Page.yourQuestion.text(in: language))</label>
            <textarea id="text" name="text" rows="3" data-most-characters="\(most)" \
            required\(invalid)>\(typed)</textarea>
            <p class="note count">\(limit)</p>
            \(said)
            \(Promise(short: short, whole: promise.text(in: language), language: language).html())
            <button type="submit">\(Phrase.Page.askNow.text(in: language))</button>
            <p class="note" role="status"></p>
            </form>
            """
    }
}
