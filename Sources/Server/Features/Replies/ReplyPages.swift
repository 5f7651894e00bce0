import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// The pages on which people say whether they come to a session. They need no script.
enum ReplyPages {
    private typealias Texts = Phrase.Reply

    // MARK: A new reply

    static func show(_ context: RequestContext) async throws -> HTTPResponse {
        let (settings, record) = try await found(context)
        return form(settings, record, context)
    }

    /// Stores the reply and leads to the person's own page, whose address is the person's link.
    static func send(_ context: RequestContext) async throws -> HTTPResponse {
        if context.isFromAnotherSite { throw RequestError(.originNotAllowed) }
        let (settings, record) = try await found(context)
        let sent = try context.form()
        var errors: [FieldError] = []
        var (name, identity) = ("", "")
        do throws(FieldReason) { name = try PersonalText.checked(sent.first("name") ?? "") } catch {
            errors.append(FieldError("/name", error))
        }
        let kind = record.meeting.identifyBy
        if let input = TextInput.identity(kind) {
            do throws(FieldReason) {
                identity = try TextInput.checked(sent.first(input.name) ?? "", for: kind)
            } catch { errors.append(FieldError("/\(input.name)", error)) }
        }
        let (answer, guests) = read(sent, settings, &errors)
        guard errors.isEmpty, let answer else { return form(settings, record, context, sent, errors) }
        try context.countRequest("replies from \(context.origin)", FailureLimits.reply)
        // A stranger can type any address. Over the budget, the reply counts without a mail.
        var mayMail = false
        if kind == .email {
            let mailsStranger = try await context.storage.read { [identity] rows throws(JournalError) in
                try rows.mailsStranger(IdentityKey(identity), in: settings.session)
            }
            if mailsStranger { mayMail = try await context.waitForCode(on: .mail) == nil }
        }
        do {
            let reply = try await context.storage.perform(
                SendReply(
                    to: settings.code, name: name, identity: identity, answer: answer, guests: guests,
                    language: context.language.rawValue, mailsStrangers: mayMail))
            let path = ReplyLink(reply.id, isMailed: false).path(keys: context.services.keys)
            return .seeOther("\(path)?lang=\(context.language.rawValue)")
        } catch Refusal.invalid(let errors) {
            return form(settings, record, context, sent, errors)
        }
    }

    private static func found(_ context: RequestContext) async throws -> (ReplySettings, SessionRecord) {
        let code = context.parameters["code"].flatMap(ReplyCode.normalized)
        let found = try await context.storage.read {
            rows throws(JournalError) -> (ReplySettings, SessionRecord)? in
            guard let code, let settings = try rows.replySettings(code: code),
                let record = try rows.session(settings.session)
            else { return nil }
            return (settings, record)
        }
        guard let found else {
            throw context.wrong(Origin.forgery(from: context.origin), FailureLimits.forgery, .notFound(.page))
        }
        context.useLanguage(of: found.1.meeting)
        return found
    }

    /// Reads the answer and the number of guests.
    private static func read(_ sent: Form, _ settings: ReplySettings, _ errors: inout [FieldError]) -> (
        Reply.Answer?, Int
    ) {
        let answer = sent.first("answer").flatMap(Reply.Answer.init)
        if answer == nil { errors.append(FieldError("/answer", .missing)) }
        let typed = sent.first("guests")?.trimmed ?? ""
        let guests = typed.isEmpty ? 0 : Int(typed)
        if answer == .yes, guests.map((0...settings.mostGuests).contains) != true {
            errors.append(FieldError("/guests", .range(min: 0, max: settings.mostGuests)))
        }
        return (answer, guests ?? 0)
    }

    private static func form(
        _ settings: ReplySettings, _ record: SessionRecord, _ context: RequestContext, _ sent: Form? = nil,
        _ errors: [FieldError] = []
    ) -> HTTPResponse {
        let language = context.language
        let here = "/R/\(settings.code)"
        let isClosed = settings.mode == .off || record.session.isOver(at: context.now)
        let content: HTML
        if isClosed {
            content = "<p role=\"status\">\(Texts.closed.text(in: language))</p>"
        } else {
            func field(_ input: TextInput) -> HTML {
                input.html(
                    sent?.first(input.name) ?? "", error: message(of: input.name, errors, language),
                    in: language)
            }
            content = """
                \(seats(settings, language))
                <form method="post" action="\(here)?lang=\(language.rawValue)">
                \(field(.name))
                \(TextInput.identity(record.meeting.identifyBy).map(field))
                \(answers(settings, sent?.first("answer"), sent?.first("guests"), errors, language))
                <button type="submit">\(Texts.send.text(in: language))</button>
                </form>
                <p class="note">\(Texts.whatIsStored.text(in: language))</p>
                """
        }
        return .html(
            PageFrame(
                language: language, title: record.meeting.name, accent: record.meeting.accent, here: here
            )
            .page("\(heading(record, language))\(content)"), status: errors.isEmpty ? 200 : 422)
    }

    private static func heading(_ record: SessionRecord, _ language: Language) -> HTML {
        let facts = SessionFacts(record, in: language)
        let title: HTML? =
            record.session.title.isEmpty ? nil : "<p class=\"eyebrow\">\(record.session.title)</p>"
        return """
            \(title)
            <h1>\(record.meeting.name)</h1>
            \(facts.list())
            \(facts.description())
            """
    }

    /// Says how many seats are left, and who decides.
    private static func seats(_ settings: ReplySettings, _ language: Language) -> HTML? {
        if settings.mode == .approval {
            return "<p class=\"note\">\(Texts.byApproval.text(in: language))</p>"
        }
        guard let free = settings.freeSeats else { return nil }
        let text =
            free == 0 || settings.counts.waiting > 0
            ? Texts.full.text(in: language)
            : Texts.seatsLeft.text(in: language, ["count": String(free)])
        return "<p class=\"note\">\(text)</p>"
    }

    private static func message(of name: String, _ errors: [FieldError], _ language: Language) -> String? {
        errors.first { $0.field == "/\(name)" }.map { FieldProblem($0, in: language).message }
    }

    /// The three answers and the number of guests.
    private static func answers(
        _ settings: ReplySettings, _ chosen: String?, _ guests: String?, _ errors: [FieldError],
        _ language: Language
    ) -> HTML {
        let phrases: [(Reply.Answer, Phrase)] = [
            (.yes, Texts.yes), (.no, Texts.noAnswer), (.maybe, Texts.maybeAnswer),
        ]
        let choices = phrases.map { answer, phrase -> HTML in
            """
            <label class="choice"><input type="radio" name="answer" value="\(answer.rawValue)" \
            required\(chosen == answer.rawValue ? " checked" : "")> \
            <span>\(phrase.text(in: language))</span></label>
            """
        }
        let wrong: HTML? = message(of: "answer", errors, language).map {
            "<p class=\"error\" role=\"alert\">\($0)</p>"
        }
        var number: HTML?
        if settings.mostGuests > 0 {
            let error = message(of: "guests", errors, language)
            let said: HTML? = error.map { "<span class=\"error\" id=\"guests-error\">\($0)</span>" }
            let invalid: HTML =
                error == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"guests-error\""
            number = """
                <label for="guests">\(Texts.howManyGuests.text(in: language))</label>
                <input id="guests" name="guests" type="number" inputmode="numeric" min="0" \
                max="\(settings.mostGuests)" value="\(guests ?? "0")"\(invalid)>
                \(said)
                """
        }
        return """
            <fieldset><legend>\(Texts.question.text(in: language))</legend>\(choices)\(wrong)</fieldset>
            \(number)
            """
    }

    // MARK: The own reply

    static func own(_ context: RequestContext) async throws -> HTTPResponse {
        try await page(try link(context), context)
    }

    static func change(_ context: RequestContext) async throws -> HTTPResponse {
        if context.isFromAnotherSite { throw RequestError(.originNotAllowed) }
        let sent = try context.form()
        let link = try link(context)
        let isProof = sent.first("confirm") != nil
        let (settings, reply, _, _) = try await found(link, context)
        if link.hasEnded(for: reply) { return try await page(link, context) }
        var errors: [FieldError] = []
        let (answer, guests) = isProof ? (nil, 0) : read(sent, settings, &errors)
        guard errors.isEmpty else { return try await page(link, context, sent, errors) }
        do {
            _ = try await context.storage.perform(
                ChangeReply(link.reply, answer: answer, guests: guests, proves: link.isMailed))
        } catch Refusal.invalid(let errors) {
            return try await page(link, context, sent, errors)
        } catch Refusal.noSeats {
            return try await page(link, context, sent, [FieldError("/seats", .missing)])
        }
        return .seeOther("\(link.path(keys: context.services.keys))?lang=\(context.language.rawValue)")
    }

    private static func link(_ context: RequestContext) throws -> ReplyLink {
        guard let text = context.parameters["token"],
            let link = ReplyLink(text, keys: context.services.keys)
        else { throw context.forged(.notFound(.page)) }
        return link
    }

    private static func found(_ link: ReplyLink, _ context: RequestContext) async throws -> (
        ReplySettings, Reply, SessionRecord, isKnown: Bool?
    ) {
        let found = try await context.storage.read {
            rows throws(JournalError) -> (ReplySettings, Reply, SessionRecord, isKnown: Bool?)? in
            guard let reply = try rows.reply(link.reply),
                let settings = try rows.replySettings(of: reply.sessionID),
                let record = try rows.session(reply.sessionID)
            else { return nil }
            let receiver = try rows.receiver(of: reply, in: record.meeting)
            return (settings, reply, record, receiver?.isKnown)
        }
        guard let found else { throw Refusal.notFound(.page) }
        context.useLanguage(of: found.2.meeting)
        return found
    }

    /// Shows the reply without the name, because the roster's name may not be known to the reader.
    private static func page(
        _ link: ReplyLink, _ context: RequestContext, _ sent: Form? = nil, _ errors: [FieldError] = []
    ) async throws -> HTTPResponse {
        let (settings, reply, record, isKnown) = try await found(link, context)
        let language = context.language
        let here = link.path(keys: context.services.keys)
        func html(_ parts: [HTML], status: Int = 200) -> HTTPResponse {
            .html(
                PageFrame(
                    language: language, title: record.meeting.name, accent: record.meeting.accent, here: here
                )
                .page("\(heading(record, language))\(parts)"), status: status)
        }
        if link.hasEnded(for: reply) {
            return html(["<p role=\"status\">\(Texts.linkEnded.text(in: language))</p>"])
        }
        let action = "\(here)?lang=\(language.rawValue)"
        let isClosed =
            settings.mode == .off || record.session.isOver(at: context.now) || reply.status == .declined
        let tooMany: HTML? =
            errors.contains { $0.field == "/seats" }
            ? "<p class=\"error\" role=\"alert\">\(Texts.fewerGuests.text(in: language))</p>" : nil
        var parts: [HTML] = []
        if let status = status(of: reply, language) {
            let tone = reply.status == .accepted ? "done" : "told"
            parts.append("<div class=\"\(tone)\" role=\"status\"><p id=\"result\">\(status)</p></div>")
        }
        if isClosed {
            if reply.status != .declined { parts.append("<p>\(Texts.closed.text(in: language))</p>") }
        } else {
            let chosen = sent?.first("answer") ?? reply.answer?.rawValue
            let guests = sent?.first("guests") ?? String(reply.guests)
            let send = reply.status == .invited ? Texts.send : Texts.change
            parts.append(
                """
                \(reply.status == .invited ? seats(settings, language) : nil)
                <form method="post" action="\(action)">
                \(answers(settings, chosen, guests, errors, language))
                \(tooMany)
                <button type="submit">\(send.text(in: language))</button>
                </form>
                """)
        }
        if !isClosed, link.isMailed, isKnown == false {
            parts.append(
                """
                <form class="card" method="post" action="\(action)">
                <p>\(Texts.confirmWhy.text(in: language))</p>
                <button type="submit" name="confirm" value="1">\
                \(Texts.confirm.text(in: language))</button>
                </form>
                """)
        } else if !isClosed, link.isMailed, reply.isProved {
            parts.append("<p class=\"note\">\(Texts.confirmed.text(in: language))</p>")
        }
        if !link.isMailed {
            let mailed: HTML? =
                record.meeting.identifyBy == .email ? " \(Texts.keepLinkMailed.text(in: language))" : nil
            parts.append("<p class=\"note\">\(Texts.keepLink.text(in: language))\(mailed)</p>")
        }
        return html(parts, status: errors.isEmpty ? 200 : 422)
    }

    private static func status(of reply: Reply, _ language: Language) -> String? {
        let phrase: Phrase
        switch reply.status {
        case .invited: return nil
        case .no: phrase = Texts.youDecline
        case .maybe: phrase = Texts.youMayCome
        case .accepted where reply.guests > 0:
            return Texts.youComeWithGuests.text(in: language, ["count": String(reply.guests)])
        case .accepted: phrase = Texts.youCome
        case .waiting: phrase = Texts.youWait
        case .requested: phrase = Texts.youAsked
        case .declined: phrase = Texts.hostDeclined
        }
        return phrase.text(in: language)
    }
}
