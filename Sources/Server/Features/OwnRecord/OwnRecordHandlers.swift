import HTTPServer
import Journal
import Meetings
import Wire

/// The handlers by which attendees read and correct their own record, and withdraw.
enum OwnRecord {
    static func current(_ context: RequestContext) async throws -> HTTPResponse {
        let receipt = context.receipt
        let found = try await context.storage.read {
            rows throws(JournalError) -> (Attendee, SessionRecord)? in
            guard let attendee = try rows.attendee(holding: receipt),
                let record = try rows.session(attendee.sessionID)
            else { return nil }
            return (attendee, record)
        }
        guard let (attendee, record) = found else { throw Refusal.receiptNotValid }
        context.useLanguage(of: record.meeting)
        return try await ownRecord(attendee, record, context)
    }

    static func rename(_ context: RequestContext, _ request: RenameRequest) async throws -> HTTPResponse {
        do {
            let (attendee, record) = try await context.storage.perform(
                CorrectOwnDetails(
                    receipt: context.receipt, name: request.name, email: request.email,
                    number: request.number, repeats: context.services.repeats))
            return try await ownRecord(attendee, record, context)
        } catch Refusal.attendeeExists {
            // The problem for hosts names the other attendee.
            let receipt = context.receipt
            let own = try await context.storage.read { rows throws(JournalError) in
                try rows.attendee(holding: receipt)
            }
            if let own { await context.slowDown(repeatIn: own.sessionID, by: nil, on: nil) }
            throw Refusal.addressInUse
        }
    }

    static func leave(_ context: RequestContext) async throws -> HTTPResponse {
        try await move(.leave, context)
    }

    static func enterAgain(_ context: RequestContext) async throws -> HTTPResponse {
        try await move(.enterAgain, context)
    }

    private static func move(_ move: Move, _ context: RequestContext) async throws -> HTTPResponse {
        let (receipt, now, patterns) = (context.receipt, context.now, context.storage.patterns)
        return try await context.perform(
            CommandWithReading(MoveOneself(receipt, move)) { moved, rows throws(JournalError) in
                try Answers(of: moved.0, holding: receipt, in: moved.1, at: now, by: patterns, from: rows)
            },
            answer: { moved, answers in body(moved.0, moved.1, answers, context) })
    }

    static func withdraw(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.storage.perform(
            WithdrawCheckIn(receipt: context.receipt, repeats: context.services.repeats))
        await context.slowDown(withdrawalOn: nil)
        return .noContent
    }

    private static func ownRecord(_ attendee: Attendee, _ record: SessionRecord, _ context: RequestContext)
        async throws -> HTTPResponse
    {
        let (receipt, now, patterns) = (context.receipt, context.now, context.storage.patterns)
        let answers = try await context.storage.read { rows throws(JournalError) in
            try Answers(of: attendee, holding: receipt, in: record, at: now, by: patterns, from: rows)
        }
        return body(attendee, record, answers, context)
    }

    /// What the attendee has answered and agreed to.
    private struct Answers: Sendable {
        private(set) var responded: [String] = []
        private(set) var responses: [OwnRecordBody.OwnResponse] = []
        let consent: Consent?

        init(
            of attendee: Attendee, holding receipt: Receipt, in record: SessionRecord, at now: Instant,
            by patterns: any PatternMatching, from rows: any ReadableRows
        ) throws(JournalError) {
            let id = record.session.id
            consent = try rows.consent(of: attendee, in: record.meeting.id)
            for settings in try rows.questionSetsWithoutQuestions(of: id)
            where try rows.hasAnswered(attendee.id, set: settings.name) {
                responded.append(settings.name)
                guard let set = try rows.questionSet(settings.name, of: id),
                    let response = try rows.ownResponse(of: attendee, holding: receipt, to: set)
                else { continue }
                let isChangeable = try rows.canChange(
                    response, to: set, in: record.session, at: now, by: patterns)
                responses.append(OwnRecordBody.OwnResponse(response, to: set, changeable: isChangeable))
            }
        }
    }

    private static func body(
        _ attendee: Attendee, _ record: SessionRecord, _ answers: Answers, _ context: RequestContext
    ) -> HTTPResponse {
        .json(
            OwnRecordBody(
                attendee: AttendeeBody(
                    forAttendee: attendee, identifyBy: record.meeting.identifyBy,
                    sessionIsOver: record.session.isOver(at: context.now)),
                session: context.sessionBody(record, for: .attendee),
                responded: answers.responded, responses: answers.responses, consent: answers.consent))
    }
}
