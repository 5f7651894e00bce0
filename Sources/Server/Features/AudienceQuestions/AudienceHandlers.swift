import HTTPServer
import Journal
import Meetings
import Wire

/// The handlers for questions from the audience.
enum Audience {
    // MARK: Settings

    static func settings(_ context: RequestContext) async throws -> HTTPResponse {
        let id = context.record.session.id
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.audienceSettings(of: id)
        }
        return answer(found ?? .initial, context)
    }

    static func editSettings(_ context: RequestContext, _ request: AudienceSettingsRequest) async throws
        -> HTTPResponse
    {
        let settings = try await context.storage.perform(
            EditAudienceSettings(
                session: context.record.session.id, open: request.open, promise: request.promise,
                moderation: request.moderation, expected: try context.expectedVersion(),
                actor: context.accountID))
        return answer(settings, context)
    }

    private static func answer(_ settings: AudienceSettings, _ context: RequestContext) -> HTTPResponse {
        .json(AudienceSettingsBody(settings, in: context.record.session, at: context.now))
    }

    static func heldWords(_ context: RequestContext) async throws -> HTTPResponse {
        let id = context.meeting.id
        let found = try await context.storage.read { rows throws(JournalError) in try rows.heldWords(of: id) }
        return .json(found ?? .none)
    }

    static func editHeldWords(_ context: RequestContext, _ request: HeldWordsRequest) async throws
        -> HTTPResponse
    {
        .json(
            try await context.storage.perform(
                EditHeldWords(
                    meeting: context.meeting.id, words: request.words,
                    expected: try context.expectedVersion(), actor: context.accountID)))
    }

    // MARK: Lists

    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let limit = try context.limit()
        let status = try context.choice(.questionStatus).flatMap(AudienceQuestion.Status.init)
        let cursor = try context.cursor { cursor -> AudienceQuestion.Rank? in
            guard cursor.words.count == 4, let pinned = cursor.integer(0), let votes = cursor.integer(1),
                let at = cursor.integer(2), let id = AudienceQuestionID(cursor.words[3])
            else { return nil }
            return AudienceQuestion.Rank(
                isPinned: pinned != 0, votes: Int(votes), askedAt: Instant(milliseconds: at), id: id)
        }
        let (session, receipt) = (context.record.session.id, context.caller.receipt)
        let onlyOwn = try context.flag(.own) ?? false
        if onlyOwn, receipt == nil { throw context.invalid(.own, .notOneOf(["false"])) }
        return .json(
            try await context.storage.read { rows throws(JournalError) -> Page<AudienceQuestionBody> in
                guard let receipt else {
                    let found = try rows.audienceQuestions(
                        of: session, statuses: status.map { [$0] } ?? AudienceQuestion.Status.allCases,
                        after: cursor, limit: limit + 1)
                    return page(try rows.bodiesForMembers(of: found), limit)
                }
                // Not the record behind the receipt: if a host has merged two people's records, each of them
                // still sees only what they asked.
                let person = receipt.attendeeID
                if onlyOwn {
                    let own = try rows.audienceQuestions(askedBy: person)
                    return Page(items: try rows.bodies(of: own, for: person), nextCursor: nil)
                }
                let shown = AudienceQuestion.Status.shown.filter { status == nil || $0 == status }
                let found = try rows.audienceQuestions(
                    of: session, statuses: shown, after: cursor, limit: limit + 1)
                return page(try rows.bodies(of: found, for: person), limit)
            })
    }

    private static func page(_ bodies: [AudienceQuestionBody], _ limit: Int) -> Page<AudienceQuestionBody> {
        let last = bodies.count > limit ? bodies[limit - 1].rank : nil
        return Page(
            items: Array(bodies.prefix(limit)),
            nextCursor: last.map {
                Cursor(
                    $0.isPinned ? "1" : "0", String($0.votes), String($0.askedAt.milliseconds), $0.id.text
                ).text
            })
    }

    // MARK: Attendees

    static func ask(_ context: RequestContext, _ request: AskRequest) async throws -> HTTPResponse {
        let session = context.record.session.id
        guard let receipt = context.caller.receipt else {
            let command = AskQuestion(session: session, asker: .host(context.accountID), text: request.text)
            return try await context.perform(command) {
                .json(AudienceQuestionBody(forMembers: $0, by: nil), status: 201)
            }
        }
        let command = AskQuestion(
            session: session, asker: .attendee(receipt), text: request.text, promise: request.promise)
        return try await context.perform(command) {
            .json(AudienceQuestionBody($0, own: true, voted: false), status: 201)
        }
    }

    static func vote(_ context: RequestContext) async throws -> HTTPResponse {
        try await setVote(true, context)
    }

    static func removeVote(_ context: RequestContext) async throws -> HTTPResponse {
        try await setVote(false, context)
    }

    private static func setVote(_ votes: Bool, _ context: RequestContext) async throws -> HTTPResponse {
        let question = try await context.storage.perform(
            VoteForQuestion(
                session: try context.id(Session.self, .session), question: try questionID(context),
                receipt: context.receipt, votes: votes))
        return .json(VoteBody(id: question.id, votes: question.votes, voted: votes))
    }

    private static func questionID(_ context: RequestContext) throws -> AudienceQuestionID {
        try context.id(AudienceQuestion.self, .audienceQuestion, named: "questionId")
    }

    // MARK: Hosts

    static func moderate(_ context: RequestContext, _ request: ModerateQuestionRequest) async throws
        -> HTTPResponse
    {
        let question = try await context.storage.perform(
            ModerateQuestion(
                session: context.record.session.id, question: try questionID(context),
                status: request.status, pinned: request.pinned, answer: request.answer, note: request.note,
                expected: try context.expectedVersion(), actor: context.accountID))
        return .json(try await body(of: question, context))
    }

    static func merge(_ context: RequestContext, _ request: MergeQuestionsRequest) async throws
        -> HTTPResponse
    {
        let command = MergeQuestions(
            session: context.record.session.id, question: try questionID(context), into: request.into,
            note: request.note, expected: try context.expectedVersion(), actor: context.accountID)
        return try await context.perform(
            CommandWithReading(command) { question, rows throws(JournalError) in
                try rows.bodiesForMembers(of: [question])
            }
        ) { .json($0.more[0]) }
    }

    private static func body(of question: AudienceQuestion, _ context: RequestContext) async throws
        -> AudienceQuestionBody
    {
        let bodies = try await context.storage.read { rows throws(JournalError) in
            try rows.bodiesForMembers(of: [question])
        }
        return bodies[0]
    }
}

extension ReadableRows {
    /// Returns the bodies that members see, with the names of attendees who asked with their name.
    func bodiesForMembers(of questions: [AudienceQuestion]) throws(JournalError) -> [AudienceQuestionBody] {
        var bodies: [AudienceQuestionBody] = []
        for question in questions {
            var asker: Attendee?
            if question.promise == .named, let id = question.attendeeID {
                asker = try attendee(behind: id)
            }
            bodies.append(AudienceQuestionBody(forMembers: question, by: asker))
        }
        return bodies
    }

    /// Returns the bodies that this attendee sees.
    func bodies(of questions: [AudienceQuestion], for attendee: AttendeeID) throws(JournalError)
        -> [AudienceQuestionBody]
    {
        var bodies: [AudienceQuestionBody] = []
        for question in questions {
            let votedFor = try root(of: question).id
            bodies.append(
                AudienceQuestionBody(
                    question, own: question.attendeeID == attendee,
                    voted: try hasVoted(attendee, for: votedFor)))
        }
        return bodies
    }
}

/// The handlers that export questions from the audience as files. Questions that were merged into others are
/// not in the files.
enum AudienceFiles {
    @concurrent
    static func table(_ context: RequestContext) async throws -> HTTPResponse {
        var table = AudienceTable(of: context.meeting, try context.tableForm())
        for question in try await all(context) { table.add(question) }
        return file("text/csv; charset=utf-8", table.bytes, "csv", context)
    }

    @concurrent
    static func json(_ context: RequestContext) async throws -> HTTPResponse {
        let body = AudienceFileBody(context.record, at: context.now, try await all(context))
        return file("application/json", WireJSON.bytes(body), "json", context)
    }

    /// Returns all questions, at most `AudienceQuestion.mostInSession`.
    private static func all(_ context: RequestContext) async throws -> [AudienceQuestionBody] {
        let session = context.record.session.id
        return try await context.storage.scan { rows throws(JournalError) in
            try rows.bodiesForMembers(
                of: try rows.audienceQuestions(
                    of: session, statuses: AudienceQuestion.Status.allCases, after: nil,
                    limit: AudienceQuestion.mostInSession))
        }
    }

    private static func file(
        _ type: String, _ bytes: [UInt8], _ ending: String, _ context: RequestContext
    ) -> HTTPResponse {
        let (meeting, round) = (context.meeting.name, context.record.session.round)
        return Exports.file(
            type, bytes, name: "\(meeting) \(round) questions.\(ending)",
            plainName: "audience-questions-\(round).\(ending)")
    }
}
