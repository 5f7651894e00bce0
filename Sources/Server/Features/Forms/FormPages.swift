import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// The page of a published form. Anybody may answer it without signing in and without checking in. With a
/// script it shows one question at a time and stores a draft; without a script it is one page.
enum FormPages {
    static func show(_ context: RequestContext) async throws -> HTTPResponse {
        let (set, record) = try await PublishedForms.found(context)
        if let closed = closed(set, record, context) { return closed }
        if try await hasAnswered(set, record, context) {
            return notTaken([:], to: set, record, .alreadyResponded, context)
        }
        return page(try await context.shown([set], in: record.session)[0], record, context)
    }

    static func submit(_ context: RequestContext) async throws -> HTTPResponse {
        if context.isFromAnotherSite { throw RequestError(.originNotAllowed) }
        let (set, record) = try await PublishedForms.found(context)
        let answers = set.answers(in: try context.form())
        let outcome: RespondToForm.Outcome
        do {
            let judged = try await context.storage.judged(answers, to: set.name, of: record.session.id)
            outcome = try await context.storage.perform(
                RespondToForm(
                    form: name(context), answers: answers, device: mark(for: set, record, context),
                    patterns: judged))
        } catch let refusal as Refusal {
            switch refusal {
            case .invalid(let errors):
                let counted = context.wrong(PublishedForms.key(context), FailureLimits.form, refusal)
                guard counted is Refusal else { throw counted }
                return page(set, record, context, answers: answers, errors: errors)
            case .feedbackClosed, .feedbackNotOpen, .noQuestions, .alreadyResponded, .deviceNotRecognized:
                return notTaken(answers, to: set, record, refusal, context)
            default: throw refusal
            }
        }
        if let ending = outcome.ending {
            return FeedbackPages.ended(
                ending, record.meeting, title: title(of: set, record, context), next: nil, context)
        }
        return thanks(outcome, record, context)
    }

    static func path(of form: String) -> String { "/form/\(form)" }
    private static func name(_ context: RequestContext) -> String { context.parameters["typeID"] ?? "" }

    private static func title(of set: QuestionSet, _ record: SessionRecord, _ context: RequestContext)
        -> String
    {
        set.title.isEmpty ? record.meeting.name : set.title.text(in: context.language.rawValue)
    }

    private static func mark(for set: QuestionSet, _ record: SessionRecord, _ context: RequestContext)
        -> [UInt8]?
    {
        set.oncePerDevice
            ? DeviceMark.mark(of: context, answering: set.name, in: record.session.id) : nil
    }

    /// Returns whether the form takes one answer from each device, and this device has answered.
    private static func hasAnswered(
        _ set: QuestionSet, _ record: SessionRecord, _ context: RequestContext
    ) async throws -> Bool {
        guard let mark = mark(for: set, record, context) else { return false }
        return try await context.storage.read { rows throws(JournalError) in
            try rows.hasAnswered(device: mark, set: set.name, of: record.session.id)
        }
    }

    /// Returns the page for a form that accepts no answers now; nil if it does.
    private static func closed(_ set: QuestionSet, _ record: SessionRecord, _ context: RequestContext)
        -> HTTPResponse?
    {
        let (session, now) = (record.session, context.now)
        if set.asked.isEmpty { return notTaken([:], to: set, record, .noQuestions, context) }
        guard !set.mayTakeAnswers(in: session, at: now) else { return nil }
        let isEarly = set.openByHand == nil && now < session.feedbackOpensAt
        return notTaken(
            [:], to: set, record,
            isEarly ? .feedbackNotOpen(opensAt: session.feedbackOpensAt) : .feedbackClosed, context)
    }

    private static func page(
        _ set: QuestionSet, _ record: SessionRecord, _ context: RequestContext, answers: Answers? = nil,
        errors: [FieldError] = []
    ) -> HTTPResponse {
        let (language, title) = (context.language, title(of: set, record, context))
        let described: HTML? =
            set.description.isEmpty ? nil : "<p>\(set.description.text(in: language.rawValue))</p>"
        let wrong: HTML? =
            errors.isEmpty
            ? nil
            : "<p class=\"error\" role=\"alert\">\(QuestionFields.message(errors, in: language))</p>"
        let once: HTML? =
            set.oncePerDevice ? " \(Phrase.Page.formOncePerDevice.text(in: language))" : nil
        // Without a title, the heading is the meeting's name already.
        let meeting: HTML? = set.title.isEmpty ? nil : "<p class=\"eyebrow\">\(record.meeting.name)</p>"
        let place: HTML? = set.asked.count < 2 ? nil : "<p class=\"mode-place scripted\"></p>"
        return .html(
            frame(title, of: record, context).page(
                """
                \(meeting)
                <h1>\(title)</h1>
                \(described)
                \(wrong)
                <form method="post" action="\(here(context))" class="feedback" data-set="\(set.name)" \
                data-draft="\(draft(context))" data-steps\(answers == nil ? nil : " data-filled")>
                <input type="hidden" name="promise" value="\(set.promise.rawValue)">
                <p class="note">\(Phrase.Page.formWithoutName.text(in: language))\(once)</p>
                \(place)
                \(QuestionFields(set, language: language, answers: answers, errors: errors).html())
                <p class="note waits"></p>
                <button type="submit">\(Phrase.Page.send.text(in: language))</button>
                <p class="note" role="status"></p>
                </form>
                """), status: errors.isEmpty ? 200 : 422,
            cookies: PublishedForms.cookies(for: set, context))
    }

    private static func thanks(
        _ outcome: RespondToForm.Outcome, _ record: SessionRecord, _ context: RequestContext
    ) -> HTTPResponse {
        let language = context.language
        let next: HTML? = outcome.next.map { next in
            """
            <p><a class="button" href="\(path(of: next))?lang=\(language.rawValue)">\
            \(Phrase.Page.furtherQuestions.text(in: language))</a></p>
            """
        }
        return .html(
            frame(title(of: outcome.set, record, context), of: record, context).page(
                """
                <p class="eyebrow">\(record.meeting.name)</p>
                <h1 id="result" data-sent="\(draft(context))">\(Phrase.Page.thanks.text(in: language))</h1>
                <p>\(Phrase.Page.thanksDetail.text(in: language))</p>
                \(next)
                """))
    }

    /// Returns the page for answers that the form does not accept now. It shows the answers, so that they can
    /// be copied.
    private static func notTaken(
        _ answers: Answers, to set: QuestionSet, _ record: SessionRecord, _ refusal: Refusal,
        _ context: RequestContext
    ) -> HTTPResponse {
        let language = context.language
        let problem = Problem(refusal, in: language)
        let detail: String =
            if refusal == .alreadyResponded {
                Phrase.Page.formAnsweredOnDevice.text(in: language)
            } else if case .feedbackNotOpen(let opensAt?) = refusal {
                Phrase.Page.formOpensAt.text(
                    in: language,
                    ["time": PageMoment.text(opensAt, in: record.meeting.timeZone, language)])
            } else {
                problem.detail
            }
        return .html(
            frame(title(of: set, record, context), of: record, context).page(
                """
                <p class="eyebrow">\(record.meeting.name)</p>
                <h1 id="result">\(problem.title)</h1>
                <p>\(detail)</p>
                \(FeedbackPages.kept(answers, to: set, in: language))
                """), status: problem.status)
    }

    private static func frame(_ title: String, of record: SessionRecord, _ context: RequestContext)
        -> PageFrame
    {
        PageFrame(
            language: context.language, title: title, accent: record.meeting.accent,
            here: path(of: name(context)), words: PageWords.own, hasStage: true,
            head: "<link rel=\"modulepreload\" href=\"\(StaticFiles.base)\(ScriptBundle.laterPath)\">")
    }

    private static func here(_ context: RequestContext) -> String {
        "\(path(of: name(context)))?lang=\(context.language.rawValue)"
    }

    private static func draft(_ context: RequestContext) -> String { "form/\(name(context))" }
}
