import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// The handlers by which people export the data about themselves, by which hosts export and erase the data of
/// a person on their roster, and by which hosts and operators read the action log.
enum Privacy {
    static func ofAccount(_ context: RequestContext) async throws -> HTTPResponse {
        .json(try await accountData(context))
    }

    static func ofAccountPage(_ context: RequestContext) async throws -> HTTPResponse {
        sheet(try await accountData(context), title: Phrase.Data.title.text(in: context.language), context)
    }

    private static func accountData(_ context: RequestContext) async throws -> PersonalDataBody {
        let id = context.accountID
        try context.countExport(of: id.text)
        let found = try await context.scanAlone { rows throws(JournalError) in try rows.data(ofAccount: id) }
        guard let found else { throw RequestError(.notSignedIn) }
        try await context.storage.perform(NoteAction(.exported, by: .account(id), of: id))
        return PersonalDataBody(found, at: context.now, in: context.language)
    }

    // MARK: The holder of a receipt

    static func ofCheckIn(_ context: RequestContext) async throws -> HTTPResponse {
        .json(try await checkInData(context.receipt, context))
    }

    /// Shows the data of the person whom the phone's page is about.
    static func ofPhone(_ context: RequestContext) async throws -> HTTPResponse {
        let person = try await person(context)
        let language = context.language
        let sheet = DataSheet(body: try await checkInData(person.receipt, context), language: language)
        let title = Phrase.Data.title.text(in: language)
        return .html(
            PageFrame(
                language: language, title: title, accent: person.record.meeting.accent,
                here: path(of: person), hasStage: true
            ).page(
                """
                <h1>\(title)</h1>
                <p><a class="button" href="\(path(of: person, "data.json"))" download>\
                \(Phrase.Data.asFile.text(in: language))</a></p>
                \(sheet.html())
                <p><a href="\(OwnPage.recordPath(of: person))">\
                \(Phrase.Page.myAttendance.text(in: language))</a></p>
                """))
    }

    static func fileOfPhone(_ context: RequestContext) async throws -> HTTPResponse {
        let body = try await checkInData(try await person(context).receipt, context)
        return Exports.file(
            "application/json", WireJSON.bytes(body), name: "my-data.json", plainName: "my-data.json")
    }

    /// Returns the path of the page or file with the person's data.
    static func path(of person: OwnPage.Person, _ name: String = "data") -> String {
        "/me/\(person.record.session.id.text)/\(name)?\(QueryParameter.who.name)="
            + person.attendee.id.text
    }

    private static func person(_ context: RequestContext) async throws -> OwnPage.Person {
        let people = try await OwnPage.people(of: try context.id(Session.self, .session), context)
        guard let person = OwnPage.chosen(of: people, context) ?? people.first else {
            throw Refusal.receiptNotValid
        }
        return person
    }

    private static func checkInData(_ receipt: Receipt, _ context: RequestContext) async throws
        -> PersonalDataBody
    {
        try context.countExport(of: receipt.attendeeID.text)
        let found = try await context.storage.read { rows throws(JournalError) -> AttendanceData? in
            guard let attendee = try rows.attendee(holding: receipt) else { return nil }
            return try rows.data(of: attendee, for: .attendee(receipt))
        }
        guard let found else { throw Refusal.receiptNotValid }
        context.useLanguage(of: found.record.meeting)
        try await context.storage.perform(
            NoteAction(.exported, by: .attendee, in: found.record.meeting.id))
        return PersonalDataBody(found, at: context.now, in: context.language)
    }

    // MARK: Hosts

    static func ofPerson(_ context: RequestContext) async throws -> HTTPResponse {
        .json(try await personData(context))
    }

    static func ofPersonPage(_ context: RequestContext) async throws -> HTTPResponse {
        let body = try await personData(context)
        let title = Phrase.Data.personTitle.text(
            in: context.language, ["name": body.people.first?.name ?? ""])
        return sheet(body, title: title, context)
    }

    private static func personData(_ context: RequestContext) async throws -> PersonalDataBody {
        let (meeting, account) = (context.meeting.id, context.accountID)
        let id = try context.id(Person.self, .person, named: "personId")
        try context.countExport(of: account.text)
        let found = try await context.scanAlone { rows throws(JournalError) -> PersonData? in
            guard let person = try rows.person(id), person.meetingID == meeting else { return nil }
            return try rows.data(of: person, for: .host)
        }
        guard let found else { throw Refusal.notFound(.person) }
        try await context.storage.perform(NoteAction(.exported, by: .account(account), in: meeting))
        return PersonalDataBody(found, at: context.now, in: context.language)
    }

    /// Erases a person from the roster, with all records of the meeting's sessions.
    static func erasePerson(_ context: RequestContext) async throws -> HTTPResponse {
        let (meeting, account) = (context.meeting.id, context.accountID)
        let id = try context.id(Person.self, .person, named: "personId")
        // Many sessions may await the person. This command leaves them in slices.
        _ = try await context.perform(
            EditPerson(
                meeting: meeting, id: id, name: nil, email: nil, number: nil, archived: true,
                expected: .any, actor: account))
        try await context.alone {
            do throws(JournalError) {
                try await context.services.storage.erase(id, of: meeting, by: .account(account))
            } catch { throw error.unwrapped }
        }
        return .noContent
    }

    // MARK: The action log

    static func actionsOfMeeting(_ context: RequestContext) async throws -> HTTPResponse {
        try await actions(in: context.meeting.id, context)
    }

    static func actionsOfServer(_ context: RequestContext) async throws -> HTTPResponse {
        try await actions(in: nil, context)
    }

    private static func actions(in meeting: MeetingID?, _ context: RequestContext) async throws
        -> HTTPResponse
    {
        let limit = try context.limit()
        let after = try context.cursor { $0.words.first.flatMap { ActionID($0) } }
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.actionBodies(in: meeting, before: after, limit: limit + 1)
        }
        let items = Array(found.prefix(limit))
        let next = found.count > limit ? items.last.map { Cursor($0.id.text).text } : nil
        return .json(Page(items: items, nextCursor: next))
    }

    private static func sheet(_ body: PersonalDataBody, title: String, _ context: RequestContext)
        -> HTTPResponse
    {
        let sheet = DataSheet(body: body, language: context.language).html()
        return Prints.page("<h1>\(title)</h1>\(sheet)", title: title, context.language)
    }
}

extension ReadableRows {
    /// Returns the entries of the action log, newest first, with the present names of the accounts.
    func actionBodies(in meeting: MeetingID?, before cursor: ActionID?, limit: Int) throws(JournalError)
        -> [ActionBody]
    {
        var names: [AccountID: String] = [:]
        func name(_ id: AccountID?) throws(JournalError) -> String? {
            guard let id else { return nil }
            if names[id] == nil { names[id] = try account(id)?.name ?? "" }
            return names[id].flatMap { $0.isEmpty ? nil : $0 }
        }
        var bodies: [ActionBody] = []
        for action in try actions(in: meeting, before: cursor, limit: limit) {
            let actor: AccountID? = if case .account(let id) = action.actor { id } else { nil }
            bodies.append(
                ActionBody(action, actorName: try name(actor), accountName: try name(action.account)))
        }
        return bodies
    }
}

extension RequestContext {
    /// Counts an export, because each export adds an entry to the action log.
    /// - Throws: 429 if there were too many exports for `reader`.
    fileprivate func countExport(of reader: String) throws {
        let key = "export \(reader)"
        try requireAttempt(key, FailureLimits.export)
        failed(key, FailureLimits.export)
    }
}
