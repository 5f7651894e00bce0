import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// What whoever has checked in finds again: the result, questions to answer, the way to their record. On a
/// phone that several people have checked in with, it asks first whose.
enum OwnPage {
    /// Somebody who checked in with this phone.
    struct Person: Sendable {
        let receipt: Receipt
        let attendee: Attendee
        let record: SessionRecord
    }

    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        let session = try context.id(Session.self, .session)
        let people = try await people(of: session, context)
        if let person = chosen(of: people, context) { return try await page(person, among: people, context) }
        guard !people.isEmpty else { throw Refusal.receiptNotValid }
        return choice(among: people, context)
    }

    /// Those whose receipts the phone holds and whose check-ins stand.
    static func people(of session: SessionID, _ context: RequestContext) async throws -> [Person] {
        let receipts = PhoneReceipts(context, of: session).all
        guard !receipts.isEmpty else { return [] }
        return try await context.storage.read { rows throws(JournalError) -> [Person] in
            guard let record = try rows.session(session) else { return [] }
            var people: [Person] = []
            for receipt in receipts {
                guard let attendee = try rows.attendee(behind: receipt.attendeeID),
                    attendee.sessionID == session,
                    attendee.status != .pending, !people.contains(where: { $0.attendee.id == attendee.id })
                else { continue }
                people.append(Person(receipt: receipt, attendee: attendee, record: record))
            }
            return people
        }
    }

    /// The one that `?who=` names, or the only one.
    static func chosen(of people: [Person], _ context: RequestContext) -> Person? {
        guard let who = context.query("who") else { return people.count == 1 ? people.first : nil }
        return people.first { $0.attendee.id.text == who }
    }

    static func choice(among people: [Person], _ context: RequestContext) -> HTTPResponse {
        let language = context.language
        let meeting = people[0].record.meeting
        let links = people.map { person -> HTML in
            "<li><a class=\"choice\" href=\"\(path(of: person))\">\(person.attendee.name)</a></li>"
        }
        return .html(
            PageFrame(language: language, title: meeting.name, tone: "in").page(
                """
                <p class="eyebrow">\(meeting.name)</p>
                <h1 id="result">\(Phrase.Page.whoAnswers.text(in: language))</h1>
                <ul class="people">\(links)</ul>
                \(another(people[0].record.session, context))
                """))
    }

    static func path(of person: Person) -> String {
        "/me/\(person.record.session.id.text)?who=\(person.attendee.id.text)"
    }
    static func recordPath(of person: Person) -> String {
        "/me/\(person.record.session.id.text)/record?who=\(person.attendee.id.text)"
    }

    /// A grant is one person's. Who has just scanned may say that they are another; else the code is asked
    /// for again.
    static func another(_ session: Session, _ context: RequestContext) -> HTML? {
        guard context.now <= session.checkInClosesAt else { return nil }
        let isScanned =
            context.parameters["code"] != nil && context.request.method == "GET"
            && context.request.path != CheckInPages.formPath
        return
            """
            <p class="note"><a href="\(isScanned ? "\(context.request.path)?another=1" : "/")">\
            \(Phrase.Page.another.text(in: context.language))</a></p>
            """
    }

    /// Right after a check-in the phone does not send the new receipt yet: `person` counts as one of the
    /// phone's people in any case.
    static func page(_ person: Person, among people: [Person], _ context: RequestContext) async throws
        -> HTTPResponse
    {
        let (attendee, record, language) = (person.attendee, person.record, context.language)
        let receipt = person.receipt.text(keys: context.services.keys)
        let below = try await QuestionsToAnswer.below(attendee, record, receipt: receipt, context)
        var receipts = PhoneReceipts(context, of: record.session.id)
        if !receipts.all.contains(person.receipt) { receipts.add(person.receipt) }
        return .html(
            frame(person, language).page(
                """
                <p class="eyebrow">\(record.meeting.name)</p>
                <h1 id="result">\(Phrase.Page.youAreIn.text(in: language, ["name": attendee.name]))</h1>
                <p class="time">\(arrival(attendee, record, language))</p>
                \(others(than: person, people, language))
                \(below)
                \(live(person, receipt))
                \(another(record.session, context))
                """),
            cookies: [receipts.cookie(for: record.session.id, seconds: seconds(record, context), context)])
    }

    static func frame(_ person: Person, _ language: Language) -> PageFrame {
        PageFrame(
            language: language, title: person.record.meeting.name, tone: "in", here: path(of: person),
            words: PageWords.own,
            beside:
                """
                <p><a href="\(recordPath(of: person))">\(Phrase.Page.myAttendance.text(in: language))</a></p>
                """
        )
    }

    /// The cookie outlives the session, so that feedback finds its attendee.
    static func seconds(_ record: SessionRecord, _ context: RequestContext) -> Int {
        max(3600, Int(record.session.feedbackClosesAt.since(context.now).components.seconds))
    }

    /// Where a script shows what is shared, and finds what has opened meanwhile.
    static func live(_ person: Person, _ receipt: String) -> HTML {
        """
        <section id="live" data-session="\(person.record.session.id)" data-receipt="\(receipt)" data-page="\(path(of: person))"></section>
        """
    }

    /// Whose answers these are, where the phone has several people.
    private static func others(than person: Person, _ people: [Person], _ language: Language) -> HTML? {
        let rest = people.filter { $0.attendee.id != person.attendee.id }
        guard !rest.isEmpty else { return nil }
        let links = rest.map { other -> HTML in " <a href=\"\(path(of: other))\">\(other.attendee.name)</a>" }
        return """
            <p class="note who">\(Phrase.Page.answeringAs.text(in: language, ["name": person.attendee.name]))\(links)</p>
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
