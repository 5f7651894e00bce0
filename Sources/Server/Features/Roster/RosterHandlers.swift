import HTTPServer
import Journal
import Meetings
import Wire

/// The handlers for a meeting's roster.
enum RosterHandlers {
    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, meeting, now) = (try context.limit(), context.meeting, context.now)
        let after = try context.cursor { cursor in
            cursor.words.first.flatMap { PersonID($0) }.map {
                RosterPosition(sortKey: cursor.words.dropFirst().joined(separator: " "), id: $0)
            }
        }
        let archived = try context.flag(.archived) ?? false
        let text = try context.searched()
        let absences = try context.integer(.absentInARow)
        let (found, version) = try await context.scanAlone {
            rows throws(JournalError) -> ([(Person, SeriesTotals)], Int) in
            var found: [(Person, SeriesTotals)] = []
            var cursor = after
            while found.count <= limit {
                let page = try rows.people(
                    of: meeting.id, archived: archived, text: text, after: cursor, limit: limit + 1)
                for person in page where found.count <= limit {
                    if let absences, try !rows.wasAbsent(person, inARow: absences, at: now) { continue }
                    found.append((person, try rows.seriesTotals(of: person, in: meeting, at: now)))
                }
                guard page.count > limit, let last = page.last else { break }
                cursor = last.position
            }
            return (found, try rows.rosterVersion(of: meeting.id))
        }
        let items = found.prefix(limit).map { PersonBody($0.0, totals: $0.1) }
        let next = found.count > limit ? found[limit - 1].0.position : nil
        return .json(
            Page(items: Array(items), nextCursor: next.map { Cursor($0.id.text, $0.sortKey).text }),
            version: version)
    }

    static func add(_ context: RequestContext, _ request: AddPersonRequest) async throws -> HTTPResponse {
        let meeting = context.meeting
        try await context.countSlots(ofNewPeople: 1)
        if let attendee = request.attendeeId {
            return try await added(
                by: AddWalkInToRoster(meeting: meeting.id, attendee: attendee, actor: context.accountID),
                context)
        }
        return try await added(
            by: AddPerson(
                meeting: meeting.id, draft: request.draft, allowSameName: request.allowSameName,
                actor: context.accountID), context)
    }

    private static func added<C: Command>(by command: C, _ context: RequestContext) async throws
        -> HTTPResponse where C.Answer == Person
    {
        let (meeting, now) = (context.meeting, context.now)
        return try await context.perform(
            CommandWithReading(command) { person, rows throws(JournalError) in
                try rows.seriesTotals(of: person, in: meeting, at: now)
            }
        ) { person, totals in
            .json(
                PersonBody(person, totals: totals), status: 201,
                headers: [("Location", "/api/v1/meetings/\(meeting.id)/roster/\(person.id)")])
        }
    }

    static func keep(_ context: RequestContext, _ request: KeepRequest) async throws -> HTTPResponse {
        let (meeting, session, now) = (context.meeting.id, request.sessionId, context.now)
        let came = try await context.storage.read { rows throws(JournalError) -> Int in
            if let session { return try rows.headCount(of: session)?.checkedIn ?? 0 }
            return try rows.lastHeldSession(of: meeting, at: now)?.headCount.checkedIn ?? 0
        }
        try await context.countSlots(ofNewPeople: came)
        return try await context.perform(
            KeepEverybody(meeting: meeting, session: session, actor: context.accountID)
        ) { .json(KeptBody(kept: $0.kept, unchanged: $0.unchanged)) }
    }

    /// Replaces the roster from JSON or from a spreadsheet's CSV file. A dry run only reads, and answers what
    /// would change.
    @concurrent
    static func replace(_ context: RequestContext) async throws -> HTTPResponse {
        let header = context.request.headers.first("content-type")
        let entries: [ImportRoster.Entry]
        var encoding: SpreadsheetText.Encoding?
        if ContentType.isCSV(header) {
            let text = SpreadsheetText.utf8(of: context.request.body)
            encoding = text.encoding
            let lines = try RosterFile.people(in: text.bytes)
            entries = lines.map { ImportRoster.Entry(pointer: "/lines/\($0.line)", draft: $0.draft) }
        } else {
            guard ContentType.isJSON(header) else {
                throw RequestError(.unsupportedMediaType, ["expected": "application/json, text/csv"])
            }
            let people = try context.read(RosterRequest.self).people
            entries = people.enumerated().map {
                ImportRoster.Entry(pointer: "/people/\($0)", id: $1.id, draft: $1.draft)
            }
        }
        let command = ImportRoster(
            meeting: context.meeting.id, entries: entries, expected: try context.expectedVersion(),
            actor: context.accountID)
        let found = encoding
        if try context.flag(.dryRun) ?? false {
            let now = context.now
            let preview = try await context.scanAlone { rows throws(JournalError) in
                try command.preview(in: rows, at: now)
            }
            return .json(RosterImportBody(preview.outcome, encoding: found, changes: preview))
        }
        try await context.countSlots(ofNewPeople: entries.count)
        return try await context.performLong(command, .roster, note: encoding?.rawValue) { outcome in
            .json(RosterImportBody(outcome, encoding: found))
        }
    }

    static func edit(_ context: RequestContext, _ request: EditPersonRequest) async throws -> HTTPResponse {
        let person = try await context.perform(
            EditPerson(
                meeting: context.meeting.id, id: try context.id(Person.self, .person, named: "personId"),
                name: request.name,
                email: request.email, number: request.number, archived: request.archived,
                expected: try context.expectedVersion(),
                actor: context.accountID))
        return .json(try await body(of: person, context))
    }

    static func remove(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.perform(
            RemovePerson(
                meeting: context.meeting.id, id: try context.id(Person.self, .person, named: "personId"),
                actor: context.accountID))
        return .noContent
    }

    private static func body(of person: Person, _ context: RequestContext) async throws -> PersonBody {
        let (meeting, now) = (context.meeting, context.now)
        let totals = try await context.storage.scan { rows throws(JournalError) in
            try rows.seriesTotals(of: person, in: meeting, at: now)
        }
        return PersonBody(person, totals: totals)
    }
}

extension RosterImportBody {
    init(
        _ outcome: ImportRoster.Outcome, encoding: SpreadsheetText.Encoding?,
        changes: ImportRoster.Preview? = nil
    ) {
        self.init(
            added: outcome.added, updated: outcome.updated, unarchived: outcome.unarchived,
            archived: outcome.archived, unchanged: outcome.unchanged, people: outcome.people,
            withoutKey: outcome.withoutKey, version: outcome.version, encoding: encoding,
            changes: changes.map { preview in
                RosterChangesBody(
                    added: preview.added, updated: preview.updated, unarchived: preview.unarchived,
                    archived: preview.archived, ambiguous: preview.ambiguous)
            })
    }
}
