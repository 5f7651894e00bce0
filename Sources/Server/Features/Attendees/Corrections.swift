import HTTPServer
import Journal
import Meetings
import Wire

/// The handlers for a host's corrections of attendance records.
enum Corrections {
    static func show(_ context: RequestContext) async throws -> HTTPResponse {
        let (id, meeting, now) = (
            try context.id(Attendee.self, .attendee), context.record.meeting, context.now
        )
        let found = try await context.storage.scan { rows throws(JournalError) -> (Attendee, SeriesTotals)? in
            guard let attendee = try rows.attendee(id) else { return nil }
            return (attendee, try rows.seriesTotals(of: attendee, in: meeting, at: now))
        }
        guard let (attendee, totals) = found else { throw Refusal.notFound(.attendee) }
        var body = body(attendee, context.record, context)
        body.totals = totals
        return .json(body)
    }

    static func correct(_ context: RequestContext, _ request: CorrectAttendeeRequest) async throws
        -> HTTPResponse
    {
        let (attendee, record) = try await context.storage.perform(
            CorrectAttendee(
                attendee: try context.id(Attendee.self, .attendee), name: request.name, note: request.note,
                status: request.status,
                checkedInAt: request.checkedInAt, endsReceipts: request.revokeReceipt,
                expected: try context.expectedVersion(),
                actor: context.accountID))
        return answer(attendee, record, context)
    }

    static func add(_ context: RequestContext, _ request: AddAttendeeRequest) async throws -> HTTPResponse {
        try await context.perform(
            AddAttendee(
                session: context.record.session.id, name: request.name, email: request.email,
                number: request.number, note: request.note,
                status: request.status, checkedInAt: request.checkedInAt, actor: context.accountID)
        ) { answer($0.0, $0.1, context, status: 201) }
    }

    /// Returns the reason in `?note=`, checked by the same rule as a note in a body: a single line.
    private static func note(_ context: RequestContext) throws -> String {
        guard let written = context.query(.note), !written.allSatisfy(\.isWhitespace) else { return "" }
        do throws(FieldReason) { return try PersonalText.checked(written, limit: noteLength) } catch {
            throw context.invalid(.note, error)
        }
    }

    static func remove(_ context: RequestContext) async throws -> HTTPResponse {
        let id = try context.id(Attendee.self, .attendee)
        let note = try note(context)
        try await context.storage.perform(
            RemoveAttendee(
                attendee: id, note: note, erases: try context.flag(.erase) ?? false,
                expected: try context.expectedVersion(),
                actor: context.accountID))
        return .noContent
    }

    static func merge(_ context: RequestContext, _ request: MergeRequest) async throws -> HTTPResponse {
        try await context.perform(
            MergeAttendees(
                attendee: try context.id(Attendee.self, .attendee), into: request.into, note: request.note,
                expected: try context.expectedVersion(), actor: context.accountID)
        ) { answer($0.0, $0.1, context) }
    }

    static func leave(_ context: RequestContext) async throws -> HTTPResponse {
        try await move(.leave, context)
    }

    static func enterAgain(_ context: RequestContext) async throws -> HTTPResponse {
        try await move(.enterAgain, context)
    }

    private static func move(_ move: Move, _ context: RequestContext) async throws -> HTTPResponse {
        try await context.perform(
            MoveAttendee(try context.id(Attendee.self, .attendee), move, actor: context.accountID)
        ) { answer($0.0, $0.1, context) }
    }

    static func undo(_ context: RequestContext, _ request: UndoRequest) async throws -> HTTPResponse {
        let step = request.sequence.map { UndoStep.named(Int64($0)) } ?? .latest(of: request.attendeeID)
        if request.preview { return try await preview(step, context) }
        return try await undo(step, note: request.note, context)
    }

    static func redo(_ context: RequestContext, _ request: RedoRequest) async throws -> HTTPResponse {
        try await undo(.redo(of: request.attendeeID), note: request.note, context)
    }

    /// Returns the event that an undo would reverse now.
    private static func preview(_ step: UndoStep, _ context: RequestContext) async throws -> HTTPResponse {
        let (session, now) = (context.record.session.id, context.now)
        let undo = UndoCorrection(session: session, step, actor: context.accountID)
        let event = try await context.storage.read { rows throws(JournalError) in
            try rows.bodies(of: [undo.target(in: rows, at: now)]).first
        }
        guard let event else { throw Refusal.notFound(.event) }
        return .json(
            UndoneBody(
                event: event, attendee: nil, session: context.sessionBody(context.record, for: .member)))
    }

    private static func undo(_ step: UndoStep, note: String?, _ context: RequestContext) async throws
        -> HTTPResponse
    {
        try await context.perform(
            CommandWithReading(
                UndoCorrection(
                    session: context.record.session.id, step, note: note, actor: context.accountID)
            ) { outcome, rows throws(JournalError) in
                guard let event = try rows.bodies(of: [outcome.event]).first else {
                    throw .refused(.notFound(.event))
                }
                return event
            },
            answer: { outcome, event in
                .json(
                    UndoneBody(
                        event: event, attendee: outcome.attendee.map { body($0, outcome.record, context) },
                        session: context.sessionBody(outcome.record, for: .member)))
            })
    }

    private static func answer(
        _ attendee: Attendee, _ record: SessionRecord, _ context: RequestContext, status: Int = 200
    ) -> HTTPResponse {
        .json(body(attendee, record, context), status: status)
    }

    private static func body(_ attendee: Attendee, _ record: SessionRecord, _ context: RequestContext)
        -> AttendeeBody
    {
        AttendeeBody(forMembers: attendee, in: record, at: context.now)
    }
}
