import HTTPServer
import Journal
import Meetings
import Rooms
import Synchronization
import Wire

/// Question sets, responses and results.
enum Feedback {
    static func questions(_ context: RequestContext) async throws -> HTTPResponse {
        let (set, record) = (try await set(context), context.record)
        return .json(QuestionSetBody(set, open: set.isOpen(in: record.session, at: context.now)), version: set.version)
    }

    static func setQuestions(_ context: RequestContext, _ request: SetQuestionsRequest) async throws -> HTTPResponse {
        let record = context.record
        let set = try await context.storage.perform(
            SetQuestions(
                session: record.session.id, set: try name(context), questions: request.questions, expected: try context.expectedVersion(),
                actor: context.accountID))
        return .json(QuestionSetBody(set, open: set.isOpen(in: record.session, at: context.now)), version: set.version)
    }

    static func editSet(_ context: RequestContext, _ request: EditQuestionSetRequest) async throws -> HTTPResponse {
        let record = context.record
        let name = context.parameters["set"] ?? ""
        let set = try await context.storage.perform(
            EditQuestionSet(
                session: record.session.id, set: name, open: request.open, shared: request.shared, anonymous: request.anonymous,
                expected: try context.expectedVersion(), actor: context.accountID))
        let isOpen = set.isOpen(in: record.session, at: context.now)
        // Closing by hand shuffles as the clock's end does: nothing is left that joins an answer to a person.
        if set.anonymous, set.responses > 0, !isOpen { try await context.storage.seal(name, of: record.session.id) }
        return .json(QuestionSetBody(set, open: isOpen), version: set.version)
    }

    static func respond(_ context: RequestContext, _ request: RespondRequest) async throws -> HTTPResponse {
        let session = try context.id(Session.self, .session)
        let outcome = try await context.storage.perform(
            Respond(attendee: context.attendeeID, session: session, set: request.set, answers: request.answers))
        context.services.metrics.responses.add(1, ordering: .relaxed)
        return .json(ResponseBody(set: request.set, anonymous: outcome.set.anonymous), status: 201)
    }

    static func results(_ context: RequestContext) async throws -> HTTPResponse {
        let (name, record, now) = (try name(context), context.record, context.now)
        let found = try await context.storage.read { rows throws(JournalError) -> ResultsBody? in
            guard let set = try rows.questionSet(name, of: record.session.id) else { return nil }
            let results = try ResultsReader.results(of: set, in: record.session.id, from: rows)
            return ResultsBody(
                set, open: set.isOpen(in: record.session, at: now), checkedIn: record.attendance(at: now).checkedIn,
                tallies: results.tallies)
        }
        guard let found else { throw Refusal.notFound(.questionSet) }
        return .json(found)
    }

    /// All texts of one question, a page at a time. A page may have fewer than asked for: some responses leave the question out.
    static func answers(_ context: RequestContext) async throws -> HTTPResponse {
        let question = try context.id(Question.self, .question)
        let (limit, record) = (try context.limit(), context.record)
        var after: ResponseCursor?
        if let cursor = try context.cursor() {
            guard let at = cursor.integer(0), cursor.words.count == 2, let id = ResponseID(cursor.words[1]) else {
                throw Refusal.invalid([FieldError("?cursor", .notAnID)])
            }
            after = ResponseCursor(at: Instant(milliseconds: at), id: id)
        }
        let cursor = after
        let found = try await context.storage.read { rows throws(JournalError) -> (QuestionSet, [Response])? in
            guard let place = try rows.place(of: question), let set = try rows.questionSet(place.set, of: place.session) else { return nil }
            return (set, try rows.responses(of: record.session.id, set: place.set, after: cursor, limit: limit + 1))
        }
        guard let (set, responses) = found else { throw Refusal.notFound(.question) }
        // The minimum group holds for the texts as it does for the counts.
        let isHidden = set.anonymous && set.publishedResponses < QuestionSet.smallestGroup
        let page = isHidden ? [] : Array(responses.prefix(limit))
        let items = page.compactMap { response -> TextAnswerBody? in
            guard case .text(let text) = response.answers[question] else { return nil }
            return TextAnswerBody(text: text, at: response.at)
        }
        let next = !isHidden && responses.count > limit ? page.last.map { Cursor(String($0.at.milliseconds), $0.id.text).text } : nil
        return .json(Page(items: items, nextCursor: next))
    }

    private static func set(_ context: RequestContext) async throws -> QuestionSet {
        let (name, id) = (try name(context), context.record.session.id)
        let found = try await context.storage.read { rows throws(JournalError) in try rows.questionSet(name, of: id) }
        guard let found else { throw Refusal.notFound(.questionSet) }
        return found
    }

    /// `feedback` unless another is asked for.
    private static func name(_ context: RequestContext) throws -> String {
        let name = context.query("set") ?? QuestionSet.feedback
        guard QuestionSet.isName(name) else { throw Refusal.invalid([FieldError("?set", .length(min: 1, max: 40))]) }
        return name
    }
}
