import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// The handlers for the attendee's page of groups of interest. It needs no script: each action is a form with
/// one button. The page that lists people has no text field, so that a browser without scripts can load it
/// again by itself.
enum MatchingPage {
    static func path(of person: OwnPage.Person) -> String {
        "/me/\(person.record.session.id.text)/groups?\(QueryParameter.who.name)="
            + person.attendee.id.text
    }

    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        try await OwnPage.opened(context) { try await page($0, context) }
    }

    static func submit(_ context: RequestContext) async throws -> HTTPResponse {
        let form = try context.form()
        let person = try await OwnRecordPage.sender(of: form, context)
        do {
            return try await perform(form, person, context)
        } catch let refusal as Refusal where refusal != .receiptNotValid {
            return try await refused(refusal, person, context)
        }
    }

    /// Returns the page with the refusal, so that the next step is at hand.
    private static func refused(
        _ refusal: Refusal, _ person: OwnPage.Person, _ context: RequestContext
    ) async throws -> HTTPResponse {
        let problem = Problem(refusal, in: context.language)
        return try await page(person, context, error: problem, status: problem.status)
    }

    private static func perform(_ form: Form, _ person: OwnPage.Person, _ context: RequestContext)
        async throws -> HTTPResponse
    {
        let (session, receipt, storage) = (person.record.session.id, person.receipt, context.storage)
        let profile = form.first("person").flatMap { MatchProfileID($0) } ?? ID(high: 0, low: 0)
        let request = form.first("request").flatMap { MatchRequestID($0) } ?? ID(high: 0, low: 0)
        var done: Phrase?
        switch form.first("do") {
        case "join": return try await join(form, person, context)
        case "edit": return try await edit(person, context)
        case "about": return try await about(profile, person, context)
        case "ask":
            _ = try await storage.perform(AskToMeet(session: session, receipt: receipt, to: profile))
        case "accept", "decline":
            _ = try await storage.perform(
                AnswerMatchRequest(
                    session: session, receipt: receipt, request: request,
                    accepts: form.first("do") == "accept"))
        case "end": try await storage.perform(EndMatching(.match, session: session, receipt: receipt))
        case "unblock": try await storage.perform(EndMatching(.blocks, session: session, receipt: receipt))
        case "line":
            let text = (form.first("text") ?? "").split(whereSeparator: \.isNewline).joined(separator: " ")
            let isEmpty = text.allSatisfy(\.isWhitespace)
            let line = try isEmpty ? "" : checked(text, "/text", MatchPerson.mostCharacters.line)
            try await storage.perform(WriteToMatch(session: session, receipt: receipt, line: line))
        case "report", "block":
            let isReport = form.first("do") == "report"
            let text = (form.first("text") ?? "").split(whereSeparator: \.isNewline).joined(separator: " ")
            let isEmpty = text.allSatisfy(\.isWhitespace)
            let said = try isEmpty ? "" : checked(text, "/text", MatchPerson.mostCharacters.report)
            _ = try await storage.perform(
                BlockPerson(
                    session: session, receipt: receipt, person: profile, report: isReport ? said : nil))
            done = isReport ? Phrase.Page.reported : Phrase.Page.blockedNow
        case "leave":
            try await storage.perform(EndMatching(.part, session: session, receipt: receipt))
            done = Phrase.Page.leftGroups
        default: throw RequestError(.badRequest)
        }
        return try await page(person, context, done: done)
    }

    private static func checked(_ text: String, _ field: String, _ limit: Int) throws(Refusal) -> String {
        do throws(FieldReason) { return try PersonalText.checked(text, limit: limit) } catch {
            throw .invalid([FieldError(field, error)])
        }
    }

    private static func join(_ form: Form, _ person: OwnPage.Person, _ context: RequestContext)
        async throws -> HTTPResponse
    {
        let most = MatchPerson.mostCharacters
        var errors: [String: String] = [:]
        func failed(_ field: String, _ reason: FieldReason) {
            errors[field] = FieldProblem(FieldError("/\(field)", reason), in: context.language).message
        }
        var (nickname, keywords): (String, [String]) = ("", [])
        do throws(FieldReason) {
            nickname = try PersonalText.checked(form.first("nickname") ?? "", limit: most.nickname)
        } catch { failed("nickname", error) }
        do throws(FieldReason) {
            let separators: Set<Character> = [",", "、", "，", ";", "\n"]
            for word in (form.first("keywords") ?? "").split(whereSeparator: separators.contains)
            where !word.allSatisfy(\.isWhitespace) {
                keywords.append(try PersonalText.checked(String(word), limit: most.keyword))
            }
            keywords = MatchPerson.distinct(keywords)
            guard (1...MatchPerson.mostKeywords).contains(keywords.count) else {
                throw .count(min: 1, max: MatchPerson.mostKeywords)
            }
        } catch { failed("keywords", error) }
        let ages = Self.ages(in: form, failed)
        if errors["age"] != nil { errors["age"] = Phrase.Page.ageMissing.text(in: context.language) }
        let typed = typed(in: form)
        guard errors.isEmpty else {
            return try await page(person, context, typed: typed, errors: errors, edits: true, status: 422)
        }
        let promise = form.first("promise").flatMap { AudienceQuestion.Promise(rawValue: $0) }
        do {
            _ = try await context.storage.perform(
                JoinMatching(
                    session: person.record.session.id, receipt: person.receipt, nickname: nickname,
                    keywords: keywords, ages: ages, promise: promise))
        } catch let refusal as Refusal where refusal.isPromiseChange {
            let problem = Problem(refusal, in: context.language)
            return try await page(person, context, typed: typed, error: problem, edits: true, status: 409)
        }
        return try await page(person, context)
    }

    private static func typed(in form: Form) -> MatchingView.Typed {
        var typed = MatchingView.Typed()
        typed.nickname = form.first("nickname") ?? ""
        typed.keywords = form.first("keywords") ?? ""
        typed.ageGroup = form.first("age") ?? ""
        typed.ageMin = form.first("ageMin") ?? ""
        typed.ageMax = form.first("ageMax") ?? ""
        return typed
    }

    /// Reads the ages by the rules of `MatchProfileRequest`. An empty end of the range means the lowest or
    /// the highest allowed age.
    private static func ages(in form: Form, _ failed: (String, FieldReason) -> Void) -> MatchAges? {
        func number(_ name: String, within allowed: ClosedRange<Int>) -> Int? {
            let text = (form.first(name) ?? "").filter { !$0.isWhitespace }
            guard !text.isEmpty else { return nil }
            guard let number = Int(text), allowed.contains(number) else {
                failed(name, .range(min: allowed.lowerBound, max: allowed.upperBound))
                return nil
            }
            return number
        }
        let allowed = AgeRange.allowed
        let age = number("age", within: 0...allowed.upperBound)
        let (from, to) = (number("ageMin", within: allowed), number("ageMax", within: allowed))
        guard let age else {
            if from != nil || to != nil { failed("age", .missing) }
            return nil
        }
        let range = AgeRange(min: from ?? allowed.lowerBound, max: to ?? allowed.upperBound)
        guard range.min <= range.max else {
            failed("ageMax", .range(min: range.min, max: allowed.upperBound))
            return nil
        }
        return MatchAges(age: age, range: range)
    }

    private static func edit(_ person: OwnPage.Person, _ context: RequestContext) async throws
        -> HTTPResponse
    {
        try await page(person, context, edits: true)
    }

    // MARK: The page

    /// - Parameter edits: whether to show the form for the nickname and the keywords, even if the attendee
    ///   takes part already.
    private static func page(
        _ person: OwnPage.Person, _ context: RequestContext, typed: MatchingView.Typed? = nil,
        errors: [String: String] = [:], error: Problem? = nil, done: Phrase? = nil, edits: Bool = false,
        status: Int = 200
    ) async throws -> HTTPResponse {
        let (session, id, now) = (person.record.session, person.receipt.attendeeID, context.now)
        let keyword = try MatchingHandlers.keyword(context)
        let body = try await context.storage.read { rows throws(JournalError) in
            try rows.matching(of: id, in: session, at: now, keyword: keyword)
        }
        let view = MatchingView(
            body: body, action: path(of: person), keyword: keyword,
            receipt: person.receipt.text(keys: context.services.keys), language: context.language)
        let showsForm = body.open && !body.excluded && (body.state == .idle || edits)
        let typed = try await showsForm && typed == nil && body.me == nil ? ofAccount(context) : typed
        let content: HTML =
            showsForm ? view.form(typed, errors) : view.parts(session: session.id)
        return try await frame(
            person, context, refreshes: !showsForm && body.state == .searching,
            """
            \(error.map { problem(of: $0) })
            \(done.map { "<p class=\"done\" role=\"status\">\($0.text(in: context.language))</p>" as HTML })
            \(content)
            """, status: status)
    }

    /// Returns what the form takes from the account that is signed in with this browser; nil if nobody
    /// is signed in, or if the owner of the account has not allowed it.
    private static func ofAccount(_ context: RequestContext) async throws -> MatchingView.Typed? {
        guard let account = try await context.accountOfCookie() else { return nil }
        return MatchingView.Typed(account.profile, on: WallTime(context.now, in: .utc).date)
    }

    private static func problem(of problem: Problem) -> HTML {
        """
        <div class="told bad" role="alert"><p><strong>\(problem.title)</strong></p>
        <p>\(problem.detail)</p></div>
        """
    }

    /// Returns the page on which the attendee reports or blocks a person.
    private static func about(
        _ profile: MatchProfileID, _ person: OwnPage.Person, _ context: RequestContext
    ) async throws -> HTTPResponse {
        let (language, action) = (context.language, path(of: person))
        let receipt = person.receipt.text(keys: context.services.keys)
        func hidden(_ what: String) -> HTML {
            """
            <input type="hidden" name="receipt" value="\(receipt)">
            <input type="hidden" name="person" value="\(profile)">
            <input type="hidden" name="do" value="\(what)">
            """
        }
        return try await frame(
            person, context,
            """
            <form class="card" method="post" action="\(action)">
            <h2>\(Phrase.Page.reportOrBlock.text(in: language))</h2>
            <p>\(Phrase.Page.reportMeans.text(in: language))</p>
            \(hidden("report"))
            <label for="text">\(Phrase.Page.reportText.text(in: language))</label>
            <textarea id="text" name="text" rows="3" \
            data-most-characters="\(String(MatchPerson.mostCharacters.report))"></textarea>
            <p class="note count"></p>
            <button type="submit" class="grave">\(Phrase.Page.sendReport.text(in: language))</button>
            <p class="note" role="status"></p>
            </form>
            <form method="post" action="\(action)">
            \(hidden("block"))
            <button type="submit" class="grave">\(Phrase.Page.blockOnly.text(in: language))</button>
            <p class="note" role="status"></p>
            </form>
            <p><a class="button" href="\(action)">\(Phrase.Page.backToGroups.text(in: language))</a></p>
            """)
    }

    private static func frame(
        _ person: OwnPage.Person, _ context: RequestContext, refreshes: Bool = false, _ content: HTML,
        status: Int = 200
    ) async throws -> HTTPResponse {
        let (language, action) = (context.language, path(of: person))
        let refresh: HTML? =
            refreshes
            ? "<noscript><meta http-equiv=\"refresh\" content=\"10; url=\(action)\"></noscript>" : nil
        return .html(
            PageFrame(
                language: language, title: Phrase.Page.groups.text(in: language),
                accent: person.record.meeting.accent, here: action, words: PageWords.own,
                bar: try await PartsBar.html(for: person, at: .groups, context),
                head: refresh
            ).page(
                """
                <p class="eyebrow">\(person.record.meeting.name)</p>
                <h1>\(Phrase.Page.groups.text(in: language))</h1>
                \(content)
                """), status: status)
    }
}

extension Refusal {
    fileprivate var isPromiseChange: Bool {
        if case .matchPromiseChanged = self { true } else { false }
    }
}
