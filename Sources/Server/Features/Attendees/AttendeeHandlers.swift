import HTTPServer
import Journal
import Meetings
import Wire

/// The handlers for a session's attendees, arrivals, events and review.
enum Attendees {
    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, record, now) = (try context.limit(), context.record, context.now)
        let after = try context.cursor { $0.words.first.flatMap { AttendeeID($0) } }
        let isOver = record.session.isOver(at: now)
        let statuses = try context.choice(.status).map { status in
            Set(RecordedStatus.allCases.filter { $0.shown(sessionIsOver: isOver).rawValue == status })
        }
        let text = try context.searched()
        let query = { @Sendable (rows: any ReadableRows) throws(JournalError) in
            try rows.attendees(
                of: record.session.id, statuses: statuses, text: text, after: after, limit: limit + 1)
        }
        // A search compares every attendee. Without a search, an index finds the page.
        let found =
            text == nil
            ? try await context.storage.read(query)
            : try await context.scanAlone(query)
        let (session, identifyBy) = (record.session, record.meeting.identifyBy)
        // An iterator would copy each record.
        let items = found.indices.prefix(limit).map {
            AttendeeBody(
                forMembers: found[$0], identifyBy: identifyBy, sessionIsOver: isOver,
                presence: found[$0].presence(in: session, at: now))
        }
        return .json(
            Page(
                items: items,
                nextCursor: found.count > limit ? Cursor(found[limit - 1].id.text).text : nil))
    }

    static func journal(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, id) = (try context.limit(), context.record.session.id)
        let since = Int64(try context.integer(.since) ?? 0)
        let after = try context.cursor { $0.integer(0).flatMap { $0 >= 0 ? $0 : nil } } ?? since
        let (items, isLast) = try await context.storage.read { rows throws(JournalError) in
            let found = try rows.events(of: id, after: after, limit: limit + 1)
            return (try rows.bodies(of: Array(found.prefix(limit))), found.count <= limit)
        }
        return .json(
            Page(items: items, nextCursor: isLast ? nil : items.last.map { Cursor(String($0.sequence)).text })
        )
    }

    /// Returns the number of check-ins per minute, for a chart. The counts are much shorter than a list of
    /// ten thousand attendees.
    static func arrivals(_ context: RequestContext) async throws -> HTTPResponse {
        let id = context.record.session.id
        let minutes = try await context.scanAlone { rows throws(JournalError) in
            try rows.arrivalMinutes(of: id, limit: ArrivalMinute.most)
        }
        return .json(ArrivalsBody(minutes: minutes))
    }

    /// Counts the partially present attendees. The count depends on the time of each attendee, and few
    /// sessions have a minimum time. So it is computed when somebody wants to know, and not stored.
    static func presence(_ context: RequestContext) async throws -> HTTPResponse {
        let (record, now) = (context.record, context.now)
        guard record.session.leastPresence != nil else {
            return .json(PresenceBody(record, partial: nil, at: now))
        }
        let partial = try await context.scanAlone { rows throws(JournalError) in
            try rows.partiallyPresent(in: record.session, at: now)
        }
        return .json(PresenceBody(record, partial: partial, at: now))
    }

    /// Returns the unusual patterns among a session's check-ins.
    static func review(_ context: RequestContext) async throws -> HTTPResponse {
        let session = context.record.session
        return try await context.alone {
            let facts = try await context.storage.scan { rows throws(JournalError) in
                try rows.checkInFacts(of: session.id)
            }
            return .json(await reviewBody(of: facts, session, context))
        }
    }

    @concurrent
    private static func reviewBody(of facts: [CheckInFact], _ session: Session, _ context: RequestContext)
        async
        -> ReviewBody
    {
        ReviewBody(
            checkedIn: facts.count(where: \.status.countsAsCheckedIn),
            findings: SessionReview.findings(facts, in: session).map {
                ReviewBody.Finding($0, in: context.language)
            })
    }
}

extension ReadableRows {
    /// Returns the bodies of a session's events, in order, with the attendees' names and the hosts' notes.
    func bodies(of events: [Event]) throws(JournalError) -> [EventBody] {
        guard let first = events.first, let last = events.last else { return [] }
        var known: [Int64: CorrectionRecord] = [:]
        for correction in try corrections(of: first.sessionID, in: first.sequence...last.sequence) {
            known[correction.sequence] = correction
        }
        var accounts: [AccountID: String] = [:]
        var bodies: [EventBody] = []
        for event in events {
            var body = EventBody(event)
            let name: String? = if let id = event.attendeeID { try name(of: id) } else { nil }
            body.attendeeName = name ?? known[event.sequence]?.nameOfRemoved
            if let into = event.data.into { body.intoName = try self.attendee(behind: into)?.name }
            if case .account(let id) = event.actor {
                if accounts[id] == nil { accounts[id] = try account(id)?.name ?? "" }
                body.actorName = accounts[id].flatMap { $0.isEmpty ? nil : $0 }
            }
            if let correction = known[event.sequence] {
                body.note = correction.note.isEmpty ? nil : correction.note
                body.version = correction.versionAfter
                body.undoable = try isUndoable(correction)
            }
            bodies.append(body)
        }
        return bodies
    }

    /// Whether the record has not changed since the correction. The undo can still fail, if another attendee
    /// now uses the same e-mail address or number, or if a time window has closed.
    private func isUndoable(_ correction: CorrectionRecord) throws(JournalError) -> Bool {
        switch correction.before {
        case nil: return false
        case .corrected, .added, .merged, .separated, .moved:
            guard let id = correction.attendeeID, let attendee = try attendee(id) else { return false }
            return attendee.version == correction.versionAfter
        case .removed(let whole): return try attendee(behind: whole.attendee.id) == nil
        case .edited: return try session(correction.sessionID)?.session.version == correction.versionAfter
        case .question(let before):
            guard let question = try audienceQuestion(before.question) else { return false }
            return question.version == correction.versionAfter && question.mergedInto == nil
        case .text(let change):
            guard let location = try location(of: change.question) else { return false }
            return try status(ofTextAt: change.place, to: change.question, in: location) == change.to
        case .word(let change):
            return try wordStatus(of: change.word, to: change.question) == change.to
        case .mergedQuestion(let merged, let root):
            guard let question = try audienceQuestion(merged) else { return false }
            return question.version == correction.versionAfter && question.mergedInto == root
        case .separatedQuestion(let merged, _):
            guard let question = try audienceQuestion(merged) else { return false }
            return question.version == correction.versionAfter && question.mergedInto == nil
        }
    }
}

extension CorrectionRecord {
    /// The name in the stored copy of the record that the correction has removed; nil if the copy is deleted.
    fileprivate var nameOfRemoved: String? {
        switch before {
        case .removed(let whole), .merged(let whole, _): whole.attendee.name
        default: nil
        }
    }
}
