import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// What a scanned code leads to: a form, its answer, and the way to feedback, all without JavaScript.
enum CheckInPages {
    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        let code = context.parameters["code"] ?? ""
        if let page = try await ownPage(code: code, context) { return page }
        return try await form(try await CodeExchange(services: context.services).exchange(code: code), context)
    }

    static func openMeeting(_ context: RequestContext) async throws -> HTTPResponse {
        let code = context.parameters["code"] ?? ""
        return try await form(try await CodeExchange(services: context.services).exchange(meetingCode: code), context)
    }

    /// Shows the form, with a new grant in a cookie and in a hidden field that must match.
    static func form(_ outcome: CodeExchange.Outcome, _ context: RequestContext) async throws -> HTTPResponse {
        let seconds = max(60, Int(outcome.expiresAt.since(context.now).components.seconds))
        let grant = outcome.grant.text(keys: context.services.keys)
        return .html(
            CheckInForm(record: outcome.record, language: context.language).page(
                grant: grant, action: action(context)),
            cookies: [Cookies.set(Cookies.grant, grant, seconds: seconds, secure: context.services.address.isSecure)])
    }

    /// Back to the code that was scanned. Who came by the poster or by typing is shown no code: those are for members and presenters.
    private static func action(_ context: RequestContext) -> String {
        context.request.path.lowercased().hasPrefix("/c/") ? context.request.path : "/C/\(withoutCode)"
    }

    private static let withoutCode = "FORM"

    /// The next person scans or types again: with the code that this one has scanned, or on the front page.
    private static func wayForAnother(_ context: RequestContext) -> String {
        guard let code = context.parameters["code"], code != withoutCode else { return "/" }
        return "\(context.request.path)?another=1"
    }

    static func submit(_ context: RequestContext) async throws -> HTTPResponse {
        let form = try context.form()
        guard let text = form.first("grant"), text == context.cookie(Cookies.grant), let grant = Grant(text, keys: context.services.keys)
        else {
            throw Refusal.grantNotValid
        }
        let found = try await context.storage.read { rows throws(JournalError) in try rows.session(grant.sessionID) }
        guard let record = found else { throw Refusal.notFound(.session) }
        let again = CheckInForm(record: record, language: context.language)
        do {
            let request = try checked(form, grant: text, identifyBy: record.meeting.identifyBy)
            return try await answer(try await CheckIns.perform(request, context), context)
        } catch Refusal.invalid(let errors) {
            // What was typed stays, and each field says what is wrong with it.
            return .html(again.page(grant: text, action: action(context), typed: form, errors: errors), status: 422)
        } catch JournalError.refused(let refusal) {
            switch refusal {
            case .checkInNotOpen, .checkInClosed: throw OutsideWindow(refusal, of: record.meeting)
            default: throw refusal
            }
        }
    }

    private static func checked(_ form: Form, grant: String, identifyBy: IdentifyBy) throws -> CheckInRequest {
        var errors: [FieldError] = []
        let name = PersonalText.normalized(form.first("name") ?? "")
        if name == nil { errors.append(FieldError("/name", .length(min: 1, max: 100))) }
        var email: String?
        var number: String?
        switch identifyBy {
        case .name: break
        case .email:
            email = EmailAddress.normalized(form.first("email") ?? "")
            if email == nil { errors.append(FieldError("/email", .notAnEmail)) }
        case .number:
            number = PersonalText.normalized(form.first("number") ?? "", limit: 50)
            if number == nil { errors.append(FieldError("/number", .length(min: 1, max: 50))) }
        }
        guard errors.isEmpty, let name else { throw Refusal.invalid(errors) }
        return CheckInRequest(grant: grant, name: name, email: email, number: number)
    }

    private static func answer(_ done: CheckIns.Done, _ context: RequestContext) async throws -> HTTPResponse {
        switch done.outcome {
        case .checkedIn(let attendee, let record, _): return try await inPage(attendee, record, context)
        case .elsewhere(let record):
            let language = context.language
            let page = PageFrame(language: language, title: record.meeting.name)
            return .html(
                page.page(
                    """
                    <p class="eyebrow">\(record.meeting.name)</p>
                    <h1>\(Phrase.Page.alreadyIn.text(in: language))</h1>
                    <p>\(Phrase.Page.alreadyInDetail.text(in: language))</p>
                    """))
        }
    }

    /// Who has a receipt for the session sees their own page again, whether or not the code is still good.
    private static func ownPage(code: String, _ context: RequestContext) async throws -> HTTPResponse? {
        let typed = code == withoutCode ? context.cookie(Cookies.grant).flatMap { Grant($0, keys: context.services.keys) } : nil
        guard let session = CheckInCode(code)?.sessionID ?? typed?.sessionID,
            let receipt = context.cookie(Cookies.receipt(for: session)).flatMap({ Receipt($0, keys: context.services.keys) })
        else { return nil }
        let found = try await context.storage.read { rows throws(JournalError) -> (Attendee, SessionRecord)? in
            guard let attendee = try rows.attendee(receipt.attendeeID), attendee.sessionID == session,
                let record = try rows.session(session)
            else { return nil }
            return (attendee, record)
        }
        guard let (attendee, record) = found, context.query("another") == nil else { return nil }
        return try await inPage(attendee, record, context)
    }

    static func inPage(_ attendee: Attendee, _ record: SessionRecord, _ context: RequestContext) async throws -> HTTPResponse {
        let (session, now, language) = (record.session, context.now, context.language)
        let receipt = Receipt(for: attendee.id).text(keys: context.services.keys)
        let (set, hasAnswered) = try await context.storage.read { rows throws(JournalError) -> (QuestionSet?, Bool) in
            (try rows.questionSet(QuestionSet.feedback, of: session.id), try rows.hasAnswered(attendee.id, set: QuestionSet.feedback))
        }
        var below: HTML = ""
        if let set, !set.questions.isEmpty {
            if hasAnswered {
                below = "<p class=\"done\">\(Phrase.Page.thanksDetail.text(in: language))</p>"
            } else if set.isOpen(in: session, at: now) {
                below = FeedbackForm(set: set, session: session.id, receipt: receipt, language: language).html()
            } else if now < session.feedbackOpensAt {
                let time = WallTime(session.feedbackOpensAt, in: record.meeting.timeZone).text
                below = "<p>\(Phrase.Page.feedbackOpens.text(in: language, ["time": time]))</p>"
            }
        }
        // The phone is known by its cookie now, so that the next person who uses it needs a way past this page.
        let another: HTML? =
            now <= session.checkInClosesAt
            ? "<p class=\"note\"><a href=\"\(wayForAnother(context))\">\(Phrase.Page.another.text(in: language))</a></p>"
            : nil
        // The cookie outlives the session, so that feedback finds its attendee.
        let seconds = max(3600, Int(session.feedbackClosesAt.since(now).components.seconds))
        return .html(
            PageFrame(language: language, title: record.meeting.name, tone: "in").page(
                """
                <p class="eyebrow">\(record.meeting.name)</p>
                <h1 id="result">\(Phrase.Page.youAreIn.text(in: language, ["name": attendee.name]))</h1>
                <p class="time">\(arrival(attendee, record, language))</p>
                \(below)
                \(another)
                """),
            cookies: [
                Cookies.set(Cookies.receipt(for: session.id), receipt, seconds: seconds, secure: context.services.address.isSecure)
            ])
    }

    private static func arrival(_ attendee: Attendee, _ record: SessionRecord, _ language: Language) -> String {
        guard let moment = attendee.checkedInAt else { return Phrase.Page.recorded.text(in: language) }
        let time = String(WallTime(moment, in: record.meeting.timeZone).text.suffix(5))
        switch attendee.status {
        case .present: return Phrase.Page.onTime.text(in: language, ["time": time])
        case .late: return Phrase.Page.late.text(in: language, ["time": time])
        case .pending, .absent, .excused: return Phrase.Page.recorded.text(in: language)
        }
    }
}
