import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// The handlers for the attendee's own page: the result of the check-in, the questions to answer, and the
/// link to the record. If several people checked in with this phone, the page asks the visitor to choose a
/// person.
enum OwnPage {
    /// A person who checked in with this phone.
    struct Person: Sendable {
        let receipt: Receipt
        let attendee: Attendee
        let record: SessionRecord

        /// The name that the pages show to the attendee.
        var name: String { attendee.seenByAttendee.name }

        /// Whether a check-in names this person: by the address or number, or by the name if the meeting has
        /// neither.
        func isSame(as request: CheckInRequest) -> Bool {
            let seen = attendee.seenByAttendee
            return seen.identity == (request.email ?? request.number ?? "")
                && (record.meeting.identifyBy != .name || seen.name == request.name)
        }
    }

    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        let session = try context.id(Session.self, .session)
        let people = try await people(of: session, context)
        if let person = chosen(of: people, context) {
            return context.query(.part) == Stage.forms
                ? try await Stage.onlyForms(person, context) : try await page(person, among: people, context)
        }
        guard !people.isEmpty else { throw Refusal.receiptNotValid }
        return choice(among: people, context)
    }

    /// Returns the people who checked in with this phone. Each has a receipt on the phone and a valid
    /// check-in.
    /// The page is then in the meeting's language, unless the phone requests another one.
    static func people(of session: SessionID, _ context: RequestContext) async throws -> [Person] {
        let people = try await known(in: session, context)
        if let meeting = people.first?.record.meeting { context.useLanguage(of: meeting) }
        return people
    }

    private static func known(in session: SessionID, _ context: RequestContext) async throws -> [Person] {
        let receipts = PhoneReceipts(context, of: session).all
        guard !receipts.isEmpty else { return [] }
        return try await context.storage.lookUp { rows throws(JournalError) -> [Person] in
            guard let record = try rows.session(session) else { return [] }
            var people: [Person] = []
            for receipt in receipts {
                guard let attendee = try rows.attendee(holding: receipt),
                    attendee.sessionID == session,
                    attendee.status != .pending, !people.contains(where: { $0.attendee.id == attendee.id })
                else { continue }
                people.append(Person(receipt: receipt, attendee: attendee, record: record))
            }
            return people
        }
    }

    /// The most sessions that the front page offers.
    private static let mostSessions = 3

    /// Returns the newest sessions in which this phone has a valid check-in. Reads at most `mostSessions`
    /// sessions.
    static func sessions(_ context: RequestContext) async throws -> [SessionRecord] {
        let ids = Cookies.sessions(in: context.request.headers.all("cookie")).sorted { $0.text > $1.text }
        var found: [SessionRecord] = []
        for id in ids.prefix(mostSessions) {
            if let person = try await known(in: id, context).first { found.append(person.record) }
        }
        return found
    }

    /// Returns the person named by `?who=`. Without `?who=`, returns the only person, or nil if there are
    /// several.
    static func chosen(of people: [Person], _ context: RequestContext) -> Person? {
        guard let who = context.query(.who) else { return people.count == 1 ? people.first : nil }
        return people.first { $0.attendee.id.text == who }
    }

    /// Answers with `page` for the chosen person. If several people checked in with this phone and the
    /// request chooses none, answers with a page on which they choose.
    static func opened(
        _ context: RequestContext, as page: (Person) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let people = try await people(of: try context.id(Session.self, .session), context)
        if let person = chosen(of: people, context) { return try await page(person) }
        guard !people.isEmpty else { throw Refusal.receiptNotValid }
        return choice(among: people, context)
    }

    static func choice(among people: [Person], _ context: RequestContext) -> HTTPResponse {
        let language = context.language
        let meeting = people[0].record.meeting
        let links = people.map { person -> HTML in
            "<li><a class=\"choice\" href=\"\(path(of: person))\">\(person.name)</a></li>"
        }
        return .html(
            PageFrame(
                language: language, title: meeting.name, tone: "in", accent: meeting.accent, hasStage: true
            ).page(
                """
                <p class="eyebrow">\(meeting.name)</p>
                <h1 id="result">\(Phrase.Page.whoAnswers.text(in: language))</h1>
                <ul class="people">\(links)</ul>
                \(another(people[0].record.session, context))
                """))
    }

    static func path(of session: SessionID) -> String { "/me/\(session.text)" }

    static func path(of person: Person) -> String {
        "/me/\(person.record.session.id.text)?\(QueryParameter.who.name)=\(person.attendee.id.text)"
    }
    static func recordPath(of person: Person) -> String {
        "/me/\(person.record.session.id.text)/record?\(QueryParameter.who.name)=\(person.attendee.id.text)"
    }

    static func calendarPath(of person: Person) -> String {
        "/me/\(person.record.session.id.text)/calendar.ics"
    }

    /// Returns the attendee's session as a calendar file, which phones open in their calendar.
    static func calendar(_ context: RequestContext) async throws -> HTTPResponse {
        let people = try await people(of: try context.id(Session.self, .session), context)
        guard let record = people.first?.record else { throw Refusal.receiptNotValid }
        return Exports.calendar(of: record.meeting, sessions: [record.session], context)
    }

    /// Returns the link for another person on the same phone, because a grant is valid for one person. After
    /// a scan, the link opens the form again; otherwise it opens the page where people type a code.
    static func another(_ session: Session, _ context: RequestContext) -> HTML? {
        guard context.now <= session.checkInClosesAt else { return nil }
        let isScanned =
            context.parameters["code"] != nil && context.request.method == "GET"
            && context.request.path != CheckInPages.formPath
        let address = "\(isScanned ? context.request.path : "/")?\(QueryParameter.another.name)=1"
        return
            """
            <p class="note"><a href="\(address)">\
            \(Phrase.Page.another.text(in: context.language))</a></p>
            """
    }

    /// Returns the attendee's own page. Right after a check-in, the phone has not sent the new receipt yet,
    /// so `person` always counts as one of the phone's people.
    static func page(_ person: Person, among people: [Person], _ context: RequestContext) async throws
        -> HTTPResponse
    {
        let (record, language) = (person.record, context.language)
        let receipt = person.receipt.text(keys: context.services.keys)
        let stage = try await Stage.own(person, receipt: receipt, context)
        var receipts = PhoneReceipts(context, of: record.session.id)
        if !receipts.all.contains(person.receipt) { receipts.add(person.receipt) }
        // Right after the check-in, the confirmation comes first. Later it is one line, and whole under "Me".
        let isSlim =
            context.request.method == "GET" && (stage.forms > 0 || context.now >= record.session.startsAt)
        let presence = PresenceForm(person: person, receipt: receipt, language: language, now: context.now)
            .html()
        let isOut = person.isOut(at: context.now)
        let about = isSlim ? nil : about(record, try await hasPicture(record, context), language)
        return .html(
            try await frame(person, context, refreshes: stage.forms == 0).page(
                """
                \(Confirmation(person: person, language: language, now: context.now, isSlim: isSlim).html())
                \(isOut ? presence : nil)
                \(others(than: person, people, language))
                \(stage.html)
                \(isOut ? nil : presence)
                \(about)
                \(another(record.session, context))
                """),
            cookies: [receipts.cookie(for: record.session.id, seconds: seconds(record, context), context)])
    }

    static func hasPicture(_ record: SessionRecord, _ context: RequestContext) async throws -> Bool {
        try await context.storage.read { rows throws(JournalError) in try rows.hasImage(record.meeting.id) }
    }

    /// Shows the meeting's image. A grant that can still check in, or a valid receipt, opens it.
    static func picture(_ context: RequestContext) async throws -> HTTPResponse {
        let session = try context.id(Session.self, .session)
        let grant = context.cookie(Cookies.grant).flatMap { Grant($0, keys: context.services.keys) }
        let (receipts, now) = (PhoneReceipts(context, of: session).all, context.now)
        let found = try await context.storage.read { rows throws(JournalError) -> MeetingImage? in
            guard let record = try rows.session(session) else { return nil }
            var isOpen = false
            if let grant, grant.sessionID == session {
                isOpen =
                    now <= record.session.grantExpiresAt(exchangedAt: grant.moment)
                    && record.meeting.accepts(grantSince: grant.revocation)
            }
            for receipt in receipts where !isOpen {
                let attendee = try rows.attendee(holding: receipt)
                isOpen = attendee?.sessionID == session
            }
            guard isOpen else { throw .refused(.receiptNotValid) }
            return try rows.image(of: record.meeting.id)
        }
        return try MeetingImages.response(found, context, cache: "private, max-age=3600")
    }

    /// Returns the picture and the description of the meeting, if it has them.
    static func about(_ record: SessionRecord, _ hasPicture: Bool, _ language: Language) -> HTML? {
        let facts = SessionFacts(record, in: language)
        let description = facts.description()
        guard hasPicture || description != nil else { return nil }
        return "<section class=\"card\">\(hasPicture ? facts.picture() : nil)\(description)</section>"
    }

    /// - Parameter refreshes: whether a browser without scripts loads the attendee's own page now and then.
    ///   A page with a form must not, because it would lose what the attendee typed.
    static func frame(_ person: Person, _ context: RequestContext, refreshes: Bool = false) async throws
        -> PageFrame
    {
        let language = context.language
        let refresh: HTML =
            "<noscript><meta http-equiv=\"refresh\" content=\"30; url=\(path(of: person))\"></noscript>"
        return PageFrame(
            language: language, title: person.record.meeting.name, tone: "in",
            accent: person.record.meeting.accent, here: path(of: person), words: PageWords.own,
            beside:
                """
                <p><a href="\(recordPath(of: person))">\(Phrase.Page.myAttendance.text(in: language))</a></p>
                """,
            bar: try await PartsBar.html(for: person, at: .now, context),
            head:
                """
                <link rel="modulepreload" href="\(StaticFiles.base)\(ScriptBundle.laterPath)">
                \(refreshes ? refresh : nil)
                """
        )
    }

    /// Returns the cookie's lifetime in seconds. It lasts until feedback closes, so that feedback finds its
    /// attendee.
    static func seconds(_ record: SessionRecord, _ context: RequestContext) -> Int {
        max(3600, Int(record.session.feedbackClosesAt.since(context.now).components.seconds))
    }

    /// Returns the name of the person whose answers the page shows, if several people use the phone;
    /// otherwise nil.
    private static func others(than person: Person, _ people: [Person], _ language: Language) -> HTML? {
        let rest = people.filter { $0.attendee.id != person.attendee.id }
        guard !rest.isEmpty else { return nil }
        let links = rest.map { other -> HTML in " <a href=\"\(path(of: other))\">\(other.name)</a>" }
        return """
            <p class="note who">\(Phrase.Page.answeringAs.text(in: language, ["name": person.name]))\
            \(links)</p>
            """
    }

    static func arrival(_ attendee: Attendee, _ record: SessionRecord, _ language: Language) -> String {
        guard let moment = attendee.checkedInAt else { return Phrase.Page.recorded.text(in: language) }
        let time = PageMoment.clock(moment, in: record.meeting.timeZone)
        switch attendee.status {
        case .present: return Phrase.Page.onTime.text(in: language, ["time": time])
        case .late: return Phrase.Page.late.text(in: language, ["time": time])
        case .pending, .absent, .excused: return Phrase.Page.recorded.text(in: language)
        }
    }
}

/// The stage of an attendee's own page: what can be answered now, the newest poll first, and below it a line
/// for each earlier set.
struct Stage {
    let html: HTML
    /// The number of forms.
    let forms: Int

    /// Returns the stage of the attendee's own page.
    static func own(_ person: OwnPage.Person, receipt: String, _ context: RequestContext) async throws
        -> Stage
    {
        let (session, now, language) = (person.record.session, context.now, context.language)
        let id = person.attendee.id
        let (feedback, hasAnswered) = try await context.storage.read {
            rows throws(JournalError) -> (QuestionSet?, Bool) in
            (
                try rows.questionSet(QuestionSet.feedback, of: session.id),
                try rows.hasAnswered(id, set: QuestionSet.feedback)
            )
        }
        var word: HTML?
        if let feedback, !feedback.asked.isEmpty, !hasAnswered, !feedback.isOpen(in: session, at: now) {
            let (sentence, moment): (Phrase, Instant) =
                now < session.feedbackOpensAt
                ? (.Page.feedbackOpens, session.feedbackOpensAt)
                : (.Page.feedbackClosed, min(now, session.feedbackClosesAt))
            let time = PageMoment.text(moment, in: person.record.meeting.timeZone, language)
            word = "<p>\(sentence.text(in: language, ["time": time]))</p>"
        }
        return try await all(person, receipt: receipt, context, word: word)
    }

    /// Returns the stage of a page.
    /// - Parameters:
    ///   - own: the page's own form, which comes first, and the name of its set.
    ///   - word: a paragraph below the forms.
    static func all(
        _ person: OwnPage.Person, receipt: String, _ context: RequestContext,
        own: (set: String, form: HTML)? = nil, word: HTML? = nil
    ) async throws -> Stage {
        let language = context.language
        let (sets, open, hasPoll) = try await forms(person, receipt: receipt, context, except: own?.set)
        let isFree = own == nil && open.isEmpty
        let earlier = try await EarlierLines(
            of: person, receipt: receipt, except: Set(sets + [own?.set].compactMap(\.self)),
            unfolds: own == nil && !hasPoll, context)
        let count = (own == nil ? 0 : 1) + open.count + earlier.forms
        let session = person.record.session
        let isOver = context.now > session.endsAt
        let (idle, over): (HTML?, HTML?) = (isFree && !isOver ? nil : " hidden", isOver ? nil : " hidden")
        return Stage(
            html: """
                <section id="now">
                <p id="over" class="card"\(over)>\
                \(Phrase.Page.sessionOver.text(in: language))</p>
                \(note(forms: count, language))\(own?.form)\(open)\(word)
                <div id="idle" class="card empty"\(idle)>
                <p><strong>\(Phrase.Page.nothingOpen.text(in: language))</strong></p>
                <p>\(Phrase.Page.nothingOpenDetail.text(in: language))</p></div>
                </section>
                <section id="live" data-attendee="\(person.attendee.id)">
                <h2>\(Phrase.Page.earlier.text(in: language))</h2>
                \(earlier.html)
                </section>
                """,
            forms: count)
    }

    /// The value of `?part=` for the forms alone.
    static let forms = "forms"

    /// Answers with the forms alone. When the host opens a poll, all phones of a hall ask for them at once.
    static func onlyForms(_ person: OwnPage.Person, _ context: RequestContext) async throws -> HTTPResponse {
        let receipt = person.receipt.text(keys: context.services.keys)
        let open = try await forms(person, receipt: receipt, context, except: nil).forms
        return .html("<section id=\"now\">\(open)</section>")
    }

    /// Returns the names and the forms of the sets that the attendee can answer now, and whether one of them
    /// is a poll. Polls come first, because the host has just opened them, the newest before the others.
    /// - Parameter except: the name of a set that is left out, because the page already has its form.
    private static func forms(
        _ person: OwnPage.Person, receipt: String, _ context: RequestContext, except: String?
    ) async throws -> (sets: [String], forms: [HTML], hasPoll: Bool) {
        let (id, session, now) = (person.attendee.id, person.record.session, context.now)
        let patterns = context.storage.patterns
        let sets = try await context.storage.read { rows throws(JournalError) in
            try rows.setsToAnswer(id, in: session, at: now, by: patterns)
        }
        let shown = try await context.shown(sets.filter { $0.name != except }, in: session)
        let inOrder = shown.filter(\.isAskedNow).reversed() + shown.filter { !$0.isAskedNow }
        let forms = inOrder.map {
            FeedbackForm(set: $0, receipt: receipt, language: context.language, draft: id.text).html()
        }
        return (inOrder.map(\.name), forms, shown.contains(where: \.isAskedNow))
    }

    /// Returns the note above forms. Without a script, a page with a form does not load itself again, and a
    /// browser sends one of several forms; with a script, the texts of the others are stored as drafts.
    private static func note(forms: Int, _ language: Language) -> HTML? {
        guard forms > 0 else { return nil }
        let one: HTML? = forms > 1 ? "\(Phrase.Page.oneFormAtATime.text(in: language)) " : nil
        let news = Phrase.Page.newsByTap.text(in: language, ["now": Phrase.Page.partNow.text(in: language)])
        return "<noscript><p class=\"note\">\(one)\(news)</p></noscript>"
    }
}

extension QuestionSet {
    /// Whether the host has opened this set by hand, so that phones show it before everything else.
    var isAskedNow: Bool { openByHand == true && name != Self.feedback }
}

/// The handlers for the attendee's own record: view it, correct the name, withdraw. The forms need no script.
/// The phone stores the receipt in a cookie, and each form repeats the receipt.
enum OwnRecordPage {
    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        try await OwnPage.opened(context) { try await page($0, context) }
    }

    static func submit(_ context: RequestContext) async throws -> HTTPResponse {
        let form = try context.form()
        let person = try await sender(of: form, context)
        let wanted = form.first("do")
        if let move = wanted.flatMap(Move.init(rawValue:)) {
            return try await self.move(person, move, context)
        }
        return switch wanted {
        case "rename": try await correct(person, form, context)
        case "withdraw": try await withdraw(person, isSure: form.first("sure") != nil, context)
        default: throw RequestError(.badRequest)
        }
    }

    /// Records that the attendee leaves or returns. The page then says since when the attendee is out, and
    /// its button is the other one.
    private static func move(_ person: OwnPage.Person, _ move: Move, _ context: RequestContext) async throws
        -> HTTPResponse
    {
        let (attendee, record) = try await context.storage.perform(MoveOneself(person.receipt, move))
        return try await page(
            OwnPage.Person(receipt: person.receipt, attendee: attendee, record: record), context)
    }

    /// Returns the person whose page sent the form.
    /// - Throws: `origin_not_allowed` if a page of another site sent it; `receipt_not_valid` unless the form
    ///   has a receipt that the phone also has in its cookie.
    static func sender(of form: Form, _ context: RequestContext) async throws -> OwnPage.Person {
        if context.isFromAnotherSite { throw RequestError(.originNotAllowed) }
        let session = try context.id(Session.self, .session)
        // Browsers send the cookie automatically. The form must therefore contain the receipt, which proves
        // that the server made the form for the cookie's holder.
        guard let receipt = form.first("receipt").flatMap({ Receipt($0, keys: context.services.keys) }),
            PhoneReceipts(context, of: session).all.contains(receipt),
            let person = try await OwnPage.people(of: session, context).first(where: { $0.receipt == receipt }
            )
        else { throw context.forged(.receiptNotValid) }
        return person
    }

    /// Corrects the name and the address. If one of them is refused, nothing changes.
    private static func correct(_ person: OwnPage.Person, _ form: Form, _ context: RequestContext)
        async throws -> HTTPResponse
    {
        let (kind, language) = (person.record.meeting.identifyBy, context.language)
        let field = TextInput.identity(kind)?.name ?? ""
        var errors: [String: String] = [:]
        var (name, identity) = ("", "")
        do throws(FieldReason) { name = try PersonalText.checked(form.first("name") ?? "") } catch {
            errors["name"] = FieldProblem(FieldError("/name", error), in: language).message
        }
        // A form of an older page has no field for the address.
        if let typed = form.first(field) {
            do throws(FieldReason) { identity = try TextInput.checked(typed, for: kind) } catch {
                errors[field] = FieldProblem(FieldError("/\(field)", error), in: language).message
            }
        }
        guard errors.isEmpty else { return try await page(person, context, typed: form, errors: errors) }
        do {
            let (attendee, record) = try await context.storage.perform(
                CorrectOwnDetails(
                    receipt: person.receipt, name: name, email: kind == .email ? identity : nil,
                    number: kind == .number ? identity : nil,
                    repeats: context.services.repeats))
            return try await page(
                OwnPage.Person(receipt: person.receipt, attendee: attendee, record: record), context,
                isSaved: true)
        } catch Refusal.attendeeExists {
            let device = DeviceMark.evidence(of: context, in: person.record.session.id)?.device
            await context.slowDown(repeatIn: person.record.session.id, by: nil, on: device)
            let said = Phrase.Page.addressTaken.text(in: language)
            return try await page(person, context, typed: form, errors: [field: said])
        }
    }

    private static func withdraw(_ person: OwnPage.Person, isSure: Bool, _ context: RequestContext)
        async throws -> HTTPResponse
    {
        let language = context.language
        guard isSure else { return try await page(person, context, wantsAssurance: true) }
        try await context.storage.perform(
            WithdrawCheckIn(receipt: person.receipt, repeats: context.services.repeats))
        let session = person.record.session.id
        await context.slowDown(withdrawalOn: DeviceMark.evidence(of: context, in: session)?.device)
        var receipts = PhoneReceipts(context, of: session)
        receipts.remove(person.receipt.attendeeID)
        return .html(
            PageFrame(
                language: language, title: person.record.meeting.name, accent: person.record.meeting.accent,
                here: "/"
            ).page(
                """
                <p class="eyebrow">\(person.record.meeting.name)</p>
                <h1 id="result">\(Phrase.Page.withdrawn.text(in: language))</h1>
                <p>\(Phrase.Page.withdrawnDetail.text(in: language))</p>
                <p><a class="button" href="/">\(Phrase.Page.join.text(in: language))</a></p>
                """),
            cookies: [
                receipts.cookie(for: session, seconds: OwnPage.seconds(person.record, context), context)
            ])
    }

    private static func page(
        _ person: OwnPage.Person, _ context: RequestContext, typed: Form? = nil,
        errors: [String: String] = [:], isSaved: Bool = false, wantsAssurance: Bool = false
    ) async throws -> HTTPResponse {
        let (attendee, language) = (person.attendee, context.language)
        let receipt = person.receipt.text(keys: context.services.keys)
        let path = OwnPage.recordPath(of: person)
        let word: HTML? =
            isSaved
            ? "<p class=\"done\" role=\"status\">\(Phrase.Page.detailsSaved.text(in: language))</p>" : nil
        let unsure: HTML? =
            wantsAssurance
            ? "<p class=\"error\" role=\"alert\">\(Phrase.Page.beSure.text(in: language))</p>" : nil
        let shown = attendee.seenByAttendee
        let identity = TextInput.identity(person.record.meeting.identifyBy)
        func field(_ input: TextInput, _ value: String) -> HTML {
            input.html(typed?.first(input.name) ?? value, error: errors[input.name], in: language)
        }
        let hasPicture = try await OwnPage.hasPicture(person.record, context)
        let presence = PresenceForm(person: person, receipt: receipt, language: language, now: context.now)
            .html()
        return .html(
            PageFrame(
                language: language, title: Phrase.Page.myAttendance.text(in: language),
                accent: person.record.meeting.accent, here: path, words: PageWords.own,
                bar: try await PartsBar.html(for: person, at: .me, context)
            ).page(
                """
                <h1>\(Phrase.Page.myAttendance.text(in: language))</h1>
                \(word)
                \(Confirmation(person: person, language: language, now: context.now, heading: "h2").html())
                \(presence)
                \(shown.identity.isEmpty ? nil : "<p class=\"note\">\(shown.identity)</p>")
                \(OwnPage.about(person.record, hasPicture, language))
                <form class="card" method="post" action="\(path)">
                <h2>\(Phrase.Page.correctDetails.text(in: language))</h2>
                <input type="hidden" name="receipt" value="\(receipt)">
                <input type="hidden" name="do" value="rename">
                \(field(.name, shown.name))
                \(identity.map { field($0, shown.identity) })
                <button type="submit">\(Phrase.Page.save.text(in: language))</button>
                <p class="note" role="status"></p>
                </form>
                <section class="card"><h2>\(Phrase.Data.yourData.text(in: language))</h2>
                <p><a href="\(Privacy.path(of: person))">\(Phrase.Data.show.text(in: language))</a></p>
                </section>
                <form method="post" action="\(path)" class="card withdraw">
                <h2>\(Phrase.Page.withdraw.text(in: language))</h2>
                <p>\(Phrase.Page.withdrawMeans.text(in: language))</p>
                <input type="hidden" name="receipt" value="\(receipt)">
                <input type="hidden" name="do" value="withdraw">
                <label class="choice"><input type="checkbox" name="sure" value="yes" required> \
                <span>\(Phrase.Page.sure.text(in: language))</span></label>
                \(unsure)
                <button type="submit" class="grave">\(Phrase.Page.withdrawNow.text(in: language))</button>
                <p class="note" role="status"></p>
                </form>
                """), status: errors.isEmpty && !wantsAssurance ? 200 : 422)
    }
}

extension RequestContext {
    /// Whether the browser reports that a page of another site sent this request. The result is false if the
    /// browser reports nothing, or reports `null` because of the referrer policy of our pages.
    var isFromAnotherSite: Bool {
        if request.headers.first("sec-fetch-site") != nil { return !isSameOrigin }
        guard let origin = request.headers.first("origin"), origin != "null" else { return false }
        return !isSameOrigin
    }
}

/// The receipts of one session on one phone, which several people may share. One cookie has all of them, the
/// newest first.
struct PhoneReceipts {
    /// The highest number of receipts. More would exceed the size limit of request headers, so the oldest is
    /// dropped.
    static let most = 12
    /// The character between two receipts. No receipt contains it.
    static let separator: Character = "."

    private(set) var all: [Receipt]

    init(_ context: RequestContext, of session: SessionID) {
        let text = context.cookie(Cookies.receipt(for: session)) ?? ""
        all = text.split(separator: Self.separator).prefix(Self.most).compactMap {
            Receipt(String($0), keys: context.services.keys)
        }
    }

    mutating func add(_ receipt: Receipt) {
        remove(receipt.attendeeID)
        all = Array(([receipt] + all).prefix(Self.most))
    }

    mutating func remove(_ attendee: AttendeeID) { all.removeAll { $0.attendeeID == attendee } }

    /// Returns the `Set-Cookie` value that stores the receipts. Without receipts, it deletes the cookie.
    /// - Parameter seconds: the cookie's lifetime.
    func cookie(for session: SessionID, seconds: Int, _ context: RequestContext) -> String {
        let text = all.map { $0.text(keys: context.services.keys) }.joined(separator: String(Self.separator))
        return Cookies.set(
            Cookies.receipt(for: session), text, seconds: all.isEmpty ? 0 : seconds,
            secure: context.address.isSecure)
    }
}
