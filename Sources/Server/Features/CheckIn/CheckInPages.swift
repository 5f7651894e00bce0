import Compression
import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// The handlers of the pages that a scanned code opens: the form and its result. They work without
/// JavaScript.
enum CheckInPages {
    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        let code = context.parameters["code"] ?? ""
        if JoinCode.normalized(code) != nil { return try await JoinPages.join(code, context) }
        if let page = try await ownPage(code: code, context) { return page }
        // The attendee reloaded the form or changed its language. The cookie still has the form's grant.
        if code == withoutCode, let page = try await formAgain(context) { return page }
        return try await form(
            try await CodeExchange(services: context.services).exchange(code: code, context: context), context
        )
    }

    /// Opens the form for a scanned code from memory. Returns nil if the form of the session is not in
    /// memory, if this phone has a receipt, or if the code rotates or is not valid.
    static func openFromMemory(_ context: RequestContext) throws -> HTTPResponse? {
        guard let code = CheckInCode(context.parameters["code"] ?? ""),
            context.query(.another) != nil || PhoneReceipts(context, of: code.sessionID).all.isEmpty,
            let (known, record) = KnownForm.of(code.sessionID, context),
            let outcome = try CodeExchange(services: context.services).exchangeAtOnce(code, for: record)
        else { return nil }
        return form(outcome, known, context)
    }

    static func openMeeting(_ context: RequestContext) async throws -> HTTPResponse {
        let code = context.parameters["code"] ?? ""
        let (record, outcome) = try await CodeExchange(services: context.services).exchange(
            meetingCode: code, context: context)
        guard let outcome else { return .html(JoinPages.page(context, of: record.meeting)) }
        return try await form(outcome, context)
    }

    /// Shows the form with a new grant. The cookie and a hidden field of the form have the same grant, and
    /// the server later compares them.
    static func form(_ outcome: CodeExchange.Outcome, _ context: RequestContext) async throws -> HTTPResponse
    {
        if let (known, _) = KnownForm.of(outcome.record.session.id, context) {
            return form(outcome, known, context)
        }
        return form(outcome, try await KnownForm(of: outcome.record, context), context)
    }

    private static func form(
        _ outcome: CodeExchange.Outcome, _ known: KnownForm, _ context: RequestContext
    ) -> HTTPResponse {
        let grant = outcome.grant.text(keys: context.services.keys)
        return known.response(
            to: context, grant: grant, action: action(context),
            cookies: [
                cookie(outcome, grant, context),
                Cookies.set(
                    Cookies.device, context.cookie(Cookies.device) ?? DeviceMark.fresh(),
                    seconds: Cookies.deviceSeconds,
                    secure: context.address.isSecure),
            ])
    }

    /// Returns the cookie of a grant. It lives longer than a grant that expires while check-in is open, so
    /// that the server still recognises the form of an attendee who types slowly.
    /// - Parameter grant: the text of the outcome's grant.
    private static func cookie(_ outcome: CodeExchange.Outcome, _ grant: String, _ context: RequestContext)
        -> String
    {
        let end = max(outcome.expiresAt, outcome.record.session.checkInClosesAt)
        return Cookies.set(
            Cookies.grant, grant,
            seconds: max(60, Int(end.since(context.now).components.seconds)),
            secure: context.address.isSecure)
    }

    private static func formAgain(_ context: RequestContext) async throws -> HTTPResponse? {
        guard let text = context.cookie(Cookies.grant), let grant = Grant(text, keys: context.services.keys)
        else { return nil }
        let found = try await context.storage.lookUp { rows throws(JournalError) in
            try rows.session(grant.sessionID)
        }
        guard let record = found else { return nil }
        context.useLanguage(of: record.meeting)
        guard record.meeting.accepts(grantSince: grant.revocation) else { throw Refusal.grantExpired }
        return .html(
            try await CheckInForm(of: record, context).page(grant: text, action: action(context)))
    }

    /// Returns the path to which the form is sent: the scanned code's path. If attendees used the poster or
    /// typed a code, the path has no check-in code, because only members and presenters may see the code.
    private static func action(_ context: RequestContext) -> String {
        let isScanned = CheckInCode(context.parameters["code"] ?? "") != nil
        return isScanned && context.request.path.lowercased().hasPrefix("/c/")
            ? context.request.path : formPath
    }

    private static let withoutCode = "FORM"
    /// The path that shows the form again. The grant in the cookie is enough, even if the code has expired.
    static let formPath = "/C/\(withoutCode)"

    static func submit(_ context: RequestContext) async throws -> HTTPResponse {
        let form = try context.form()
        guard var text = form.first("grant"), text == context.cookie(Cookies.grant),
            let grant = Grant(text, keys: context.services.keys)
        else {
            throw context.forged(.grantNotValid)
        }
        let found = try await context.storage.lookUp { rows throws(JournalError) in
            try rows.session(grant.sessionID)
        }
        guard let record = found else { throw Refusal.notFound(.session) }
        context.useLanguage(of: record.meeting)
        let again = try await CheckInForm(of: record, context)
        var cookies: [String] = []
        do {
            // If the scan has expired, the form also has a field for the code that the screen shows now.
            if let typed = form.first("joinCode"), !typed.isEmpty {
                let outcome = try await CodeExchange(services: context.services).exchange(
                    joinCode: typed, context: context)
                guard outcome.record.session.id == record.session.id else { throw Refusal.codeNotValid }
                text = outcome.grant.text(keys: context.services.keys)
                cookies = [cookie(outcome, text, context)]
            }
            let request = try checked(
                form, grant: text, identifyBy: record.meeting.identifyBy,
                answers: again.asked?.answers(in: form) ?? [:])
            let done = try await CheckIns.perform(request, context)
            // This phone has checked this person in before, perhaps in another tab.
            if case .elsewhere = done.outcome,
                let person = try await OwnPage.people(of: record.session.id, context).first(where: {
                    $0.isSame(as: request)
                })
            {
                return .seeOther(OwnPage.path(of: person))
            }
            return try await answer(done, context) {
                again.page(grant: text, action: action(context), typed: form, isElsewhere: true)
            }
        } catch Refusal.invalid(let errors) {
            // The form shows what the attendee typed, and an error at each wrong field. Only the command can
            // check the answers, because it reads the current questions.
            return .html(
                again.page(grant: text, action: action(context), typed: form, errors: errors),
                status: 422, cookies: cookies)
        } catch Refusal.grantExpired {
            return .html(
                again.page(grant: text, action: action(context), typed: form, expired: .grantExpired),
                status: 422, cookies: cookies)
        } catch Refusal.codeNotValid {
            return .html(
                again.page(grant: text, action: action(context), typed: form, expired: .codeNotValid),
                status: 422)
        } catch let refusal as Refusal {
            switch refusal {
            case .checkInNotOpen, .checkInClosed: throw OutsideWindow(refusal, of: record.meeting)
            default: throw refusal
            }
        }
    }

    private static func checked(_ form: Form, grant: String, identifyBy: IdentifyBy, answers: Answers) throws
        -> CheckInRequest
    {
        var errors: [FieldError] = []
        var name: String?
        do throws(FieldReason) {
            name = try PersonalText.checked(form.first("name") ?? "")
        } catch {
            errors.append(FieldError("/name", error))
        }
        var identity: String?
        let field = TextInput.identity(identifyBy)?.name ?? ""
        do throws(FieldReason) {
            identity = try TextInput.checked(form.first(field) ?? "", for: identifyBy)
        } catch {
            errors.append(FieldError("/\(field)", error))
        }
        guard errors.isEmpty, let name else { throw Refusal.invalid(errors) }
        return CheckInRequest(
            grant: grant, name: name, email: identifyBy == .email ? identity : nil,
            number: identifyBy == .number ? identity : nil, answers: answers,
            consentNumber: form.first("consent").flatMap { Int($0) })
    }

    /// - Parameter again: makes the form with the attendee's input, so that a mistyped address can be
    ///   corrected.
    private static func answer(
        _ done: CheckIns.Done, _ context: RequestContext, again: () -> HTML
    ) async throws -> HTTPResponse {
        switch done.outcome {
        case .checkedIn(let attendee, let record, _):
            let person = OwnPage.Person(
                receipt: done.receipt ?? Receipt(for: attendee), attendee: attendee, record: record)
            return try await OwnPage.page(
                person, among: try await OwnPage.people(of: record.session.id, context), context)
        case .ended(let rule, let record):
            return FeedbackPages.ended(rule, record.meeting, next: "/", context)
        case .elsewhere: return .html(again())
        }
    }

    /// Returns the attendee's own page if the phone has a receipt for the session. The code may have expired.
    private static func ownPage(code: String, _ context: RequestContext) async throws -> HTTPResponse? {
        let typed =
            code == withoutCode
            ? context.cookie(Cookies.grant).flatMap { Grant($0, keys: context.services.keys) } : nil
        guard let session = CheckInCode(code)?.sessionID ?? typed?.sessionID, context.query(.another) == nil
        else { return nil }
        let people = try await OwnPage.people(of: session, context)
        if let person = OwnPage.chosen(of: people, context) {
            return try await OwnPage.page(person, among: people, context)
        }
        return people.isEmpty ? nil : OwnPage.choice(among: people, context)
    }
}

/// The check-in form: the name, the field that identifies attendees, and the questions.
struct CheckInForm {
    let record: SessionRecord
    /// The questions of the check-in form.
    let asked: QuestionSet?
    let language: Language
    let hasPicture: Bool

    init(of record: SessionRecord, _ context: RequestContext) async throws {
        self.record = record
        context.useLanguage(of: record.meeting)
        language = context.language
        let (asked, hasPicture) = try await context.storage.lookUp { rows throws(JournalError) in
            (try rows.checkInQuestions(of: record.session.id), try rows.hasImage(record.meeting.id))
        }
        self.asked = asked?.localized(in: context.language.rawValue)
        self.hasPicture = hasPicture
    }

    /// - Parameters:
    ///   - action: the path that the form is sent to.
    ///   - expired: the problem of an expired scan, or of the code that the attendee typed afterwards. The
    ///     form then asks for the code that the screen shows now.
    ///   - isElsewhere: whether somebody has already checked in with what was typed.
    func page(
        grant: String, action: String, typed: Form? = nil, errors: [FieldError] = [],
        expired: ProblemCode? = nil, isElsewhere: Bool = false
    ) -> HTML {
        let meeting = record.meeting
        func field(_ input: TextInput) -> HTML {
            var error = errors.first { $0.field == "/\(input.name)" }.map {
                FieldProblem($0, in: language).message
            }
            if isElsewhere, input.name != TextInput.name.name {
                error = Phrase.Page.isItYours.text(in: language)
            }
            return input.html(typed?.first(input.name) ?? "", error: error, in: language)
        }
        let facts = SessionFacts(record, in: language)
        return PageFrame(
            language: language, title: meeting.name, accent: meeting.accent,
            here: "\(CheckInPages.formPath)?\(QueryParameter.another.name)=1",
            words: PageWords.form, hasStage: asked != nil
        ).page(
            """
            \(isElsewhere ? elsewhere : nil)
            \(hasPicture ? facts.picture() : nil)
            <p class="eyebrow">\
            \(Phrase.Page.round.text(in: language, ["round": String(record.session.round)]))</p>
            <\(isElsewhere ? "h2" : "h1")>\(meeting.name)</\(isElsewhere ? "h2" : "h1")>
            \(facts.list())
            \(facts.description())
            <form method="post" action="\(action)" \
            class="check-in\(expired == nil ? "" : " expired")" data-session="\(record.session.id)" \
            \(typed == nil || expired != nil ? nil : "data-filled ")\
            data-retry="\(Phrase.Page.notSent.text(in: language))" \
            data-sending="\(Phrase.Page.sending.text(in: language))">
            <input type="hidden" name="grant" value="\(grant)">
            \(expired.map(code))
            \(field(.name))
            \(TextInput.identity(meeting.identifyBy).map(field))
            \(questions(typed, errors))
            \(meeting.consent.map { agreement(to: $0, typed, errors) })
            <label class="choice remember scripted"><input type="checkbox" name="remember" data-device> \
            <span>\(Phrase.Page.remember.text(in: language))</span></label>
            <p class="note waits"></p>
            <button type="submit">\(Phrase.Page.checkIn.text(in: language))</button>
            <p class="note" role="status"></p>
            </form>
            <p class="note">\(Phrase.Page.whatIsStored.text(in: language))</p>
            """)
    }

    /// The question whether the address or number that somebody has checked in with is the visitor's own. It
    /// says nothing about that person.
    private var elsewhere: HTML {
        let question = record.meeting.identifyBy == .number ? Phrase.Page.numberIsIn : .Page.emailIsIn
        let field = TextInput.identity(record.meeting.identifyBy)?.name ?? TextInput.name.name
        return """
            <div class="told"><h1 id="result">\(question.text(in: language))</h1>
            <p>\(Phrase.Page.alreadyInDetail.text(in: language))</p>
            <p>\(Phrase.Page.mistyped.text(in: language))</p>
            <p><a class="button" href="#\(field)">\(Phrase.Page.correctIt.text(in: language))</a></p>
            <p><a href="/">\(Phrase.Page.joinAnother.text(in: language))</a></p></div>
            """
    }

    /// The field for the code that the screen shows now. It is the first field, because the others have what
    /// the attendee typed.
    private func code(_ problem: ProblemCode) -> HTML {
        let next = Problem(code: .grantExpired, in: language).detail
        return """
            <p class="error" id="joinCode-error" role="alert">\(Problem(code: problem, in: language).title). \
            \(next)</p>
            <label for="joinCode">\(Phrase.Page.joinCode.text(in: language))</label>
            <input id="joinCode" name="joinCode" class="code" autocomplete="off" autocapitalize="characters" \
            spellcheck="false" maxlength="12" required autofocus aria-describedby="joinCode-error">
            """
    }

    /// The box by which the attendee agrees to the host's text. It is ticked again only for the text that the
    /// attendee has seen.
    private func agreement(to consent: Consent, _ typed: Form?, _ errors: [FieldError]) -> HTML {
        let error = errors.first { $0.field == "/consentNumber" }.map {
            FieldProblem($0, in: language).message
        }
        let isTicked = typed?.first("consent") == String(consent.number)
        let said: HTML? = error.map { "<span class=\"error\" id=\"consent-error\">\($0)</span>" }
        let invalid: HTML =
            error == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"consent-error\""
        return """
            <label class="choice consent"><input type="checkbox" name="consent" value="\(consent.number)" \
            required data-label="\(Phrase.Page.consent.text(in: language))"\(isTicked ? " checked" : "")\
            \(invalid)> <span>\(consent.text)</span></label>
            \(said)
            """
    }

    private func questions(_ typed: Form?, _ errors: [FieldError]) -> HTML? {
        guard let asked else { return nil }
        return QuestionFields(
            asked, language: language, answers: typed.map { asked.answers(in: $0) }, errors: errors
        ).html()
    }
}

/// The empty check-in form of a session, as it is sent to each phone. Phones differ only in the grant and in
/// the path.
struct KnownForm {
    struct Key: Hashable {
        let session: SessionID
        /// The language that the phone requests; nil for the meeting's language.
        let language: Language?
    }

    /// The session as it was read with the form.
    private let record: SessionRecord
    /// Whether the form has questions. Answers in check-ins may change them, so such a form is current only
    /// as long as the session's sequence is the same.
    private let hasQuestions: Bool
    /// The page up to the path that the form is sent to, from there to the grant, and the rest.
    private let pieces: [[UInt8]]
    private let template: GzipTemplate?

    /// Returns the known form, and the session as of the last commit; nil if the form is not current.
    static func of(_ session: SessionID, _ context: RequestContext) -> (KnownForm, SessionRecord)? {
        let services = context.services
        guard let revision = context.revision,
            let known = services.knownForms.value(
                Key(session: session, language: context.languages.own), at: revision),
            let record = services.storage.current(known.record, since: revision),
            !known.hasQuestions || known.record.sequence == record.sequence
        else { return nil }
        context.useLanguage(of: record.meeting)
        return (known, record)
    }

    /// Makes the form, and stores it for the next phones.
    /// - Parameter record: the session, which this request has read.
    init(of record: SessionRecord, _ context: RequestContext) async throws {
        let form = try await CheckInForm(of: record, context)
        self.record = record
        hasQuestions = form.asked != nil
        // No text of the page contains these two, because quotation marks in texts are escaped.
        let (action, grant) = ("action=\"\"", "name=\"grant\" value=\"\"")
        pieces = form.page(grant: "", action: "").split(inside: action, grant)
        template = PageHead.in(context.language).template(pieces)
        if let revision = context.revision {
            // The compressed pieces take less than the plain ones, so twice the plain size is enough.
            context.services.knownForms.store(
                self, Key(session: record.session.id, language: context.languages.own),
                bytes: 2 * pieces.joined().count, at: revision)
        }
    }

    /// Returns the page, compressed if the client takes it. While the disk is full, the page gets another
    /// line, so that it is compressed later.
    func response(
        to context: RequestContext, grant: String, action: String, cookies: [String]
    ) -> HTTPResponse {
        let action: HTML = "\(action)"
        let texts = [Array(action.text.utf8), Array(grant.utf8)]
        if let template, PageHead.takesCompressed(context.request), !context.services.storage.isFull {
            var response = HTTPResponse.page(template.filled(with: texts), cookies: cookies)
            PageHead.markCompressed(&response)
            return response
        }
        return .page(pieces[0] + texts[0] + pieces[1] + texts[1] + pieces[2], cookies: cookies)
    }
}

/// The front page, where attendees who cannot scan type the join code.
enum JoinPages {
    static func front(_ context: RequestContext) async throws -> HTTPResponse {
        let isAnother = context.query(.another) != nil
        let known = isAnother ? [] : try await OwnPage.sessions(context)
        return .html(page(context, known: known, isAnother: isAnother))
    }

    static func join(_ context: RequestContext) async throws -> HTTPResponse {
        let form = try context.form()
        let typed = form.first("joinCode") ?? ""
        let isAnother = context.query(.another) != nil
        do {
            return try await join(typed, context, isAnother: isAnother)
        } catch Refusal.codeNotValid {
            let said = Problem(code: .codeNotValid, in: context.language).detail
            return .html(page(context, typed: typed, error: said, isAnother: isAnother), status: 422)
        }
    }

    /// Opens an address that ends with a join code, such as `/246HPD`.
    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        let code = context.parameters["code"] ?? ""
        // Other addresses of this form do not exist. They are no guesses of a code.
        guard JoinCode.normalized(code) != nil else { throw Refusal.notFound(.page) }
        return try await join(code, context)
    }

    /// Opens the check-in form of a join code, or the own page of a phone that has checked in, even if the
    /// check-in is closed.
    static func join(_ code: String, _ context: RequestContext, isAnother: Bool = false) async throws
        -> HTTPResponse
    {
        let exchange = CodeExchange(services: context.services)
        let found = try await exchange.found(joinCode: code, context: context)
        if !isAnother {
            let people = try await OwnPage.people(of: found.record.session.id, context)
            if people.count == 1 { return .seeOther(OwnPage.path(of: people[0])) }
            if !people.isEmpty { return .seeOther(OwnPage.path(of: found.record.session.id)) }
        }
        return try await CheckInPages.form(try await exchange.exchange(found, context: context), context)
    }

    /// - Parameters:
    ///   - meeting: the meeting whose poster the attendee scanned, if its session's code rotates. The page
    ///     then leads to the code on the screen.
    ///   - known: the sessions in which this phone has checked in.
    ///   - isAnother: whether another person uses the phone.
    static func page(
        _ context: RequestContext, of meeting: Meeting? = nil, known: [SessionRecord] = [],
        typed: String = "", error: String? = nil, isAnother: Bool = false
    ) -> HTML {
        let language = context.language
        let why: HTML? = meeting == nil ? nil : "<p>\(Phrase.Page.codeOnScreen.text(in: language))</p>"
        let said: HTML? = error.map { "<p class=\"error\" id=\"joinCode-error\">\($0)</p>" }
        let invalid: HTML = error == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"joinCode-error\""
        let back = known.map { record -> HTML in
            let said = Phrase.Page.backTo.text(in: language, ["meeting": record.meeting.name])
            return "<p><a class=\"button\" href=\"\(OwnPage.path(of: record.session.id))\">\(said)</a></p>"
        }
        // The address tells the script of the form that another person checks in.
        let another: HTML? = isAnother ? "?\(QueryParameter.another.name)=1" : nil
        let hosts: HTML = "<p><a href=\"/host\">\(Phrase.Page.forHosts.text(in: language))</a></p>"
        let heading = meeting == nil ? Phrase.Page.join : .Page.scanScreen
        return PageFrame(
            language: language, title: meeting?.name ?? "QRing", accent: meeting?.accent, beside: hosts
        ).page(
            """
            <p class="eyebrow">\(meeting?.name ?? "QRing")</p>
            <h1>\(heading.text(in: language))</h1>
            \(why)
            \(back)
            <form class="join" method="post" action="/\(another)">
            <label for="joinCode">\(Phrase.Page.joinCode.text(in: language))</label>
            <input id="joinCode" name="joinCode" class="code" autocomplete="off" \
            autocapitalize="characters" spellcheck="false" \
            maxlength="12" value="\(typed)" required\(invalid)>
            \(said)
            <p class="note">\(Phrase.Page.joinHint.text(in: language))</p>
            <button type="submit">\(Phrase.Page.proceed.text(in: language))</button>
            </form>
            """)
    }
}
