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
        let (responded, responses, consent) = try await context.storage.read {
            rows throws(JournalError) -> ([String], [OwnRecordBody.OwnResponse], Consent?) in
            var responded: [String] = []
            var responses: [OwnRecordBody.OwnResponse] = []
            let id = record.session.id
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
            return (responded, responses, try rows.consent(of: attendee, in: record.meeting.id))
        }
        return .json(
            OwnRecordBody(
                attendee: AttendeeBody(
                    forAttendee: attendee, identifyBy: record.meeting.identifyBy,
                    sessionIsOver: record.session.isOver(at: now)),
                session: context.sessionBody(record, for: .attendee),
                responded: responded, responses: responses, consent: consent))
    }
}
