import HTTPServer
import Journal
import Meetings
import Phrases
import Rooms
import Synchronization
import Wire

/// Question sets, responses and results.
enum Feedback {
    static func questions(_ context: RequestContext) async throws -> HTTPResponse {
        var set = try await set(context)
        if let attendee = context.caller.attendeeID {
            guard try await isKnown(set, to: attendee, context) else { throw Refusal.feedbackNotOpen(opensAt: nil) }
            // What is asked no more is the host's to see.
            set.questions = set.asked
        }
        return answer(set, context)
    }

    /// A poll that a host prepares for later is for members alone.
    private static func isKnown(_ set: QuestionSet, to attendee: AttendeeID, _ context: RequestContext) async throws -> Bool {
        if set.name == QuestionSet.feedback || set.isCheckIn || set.openByHand != nil { return true }
        let (session, now, patterns) = (context.record.session, context.now, context.storage.patterns)
        return try await context.storage.read { rows throws(JournalError) in
            if try rows.hasAnswered(attendee, set: set.name) { return true }
            return try rows.isLed(attendee, to: set, in: session, at: now, by: patterns)
        }
    }

    static func setQuestions(_ context: RequestContext, _ request: SetQuestionsRequest) async throws -> HTTPResponse {
        let record = context.record
        let set = try await context.storage.perform(
            SetQuestions(
                session: record.session.id, set: try name(context), questions: request.questions, about: request.about,
                anonymous: request.anonymous, expected: try context.expectedVersion(), actor: context.accountID))
        return answer(set, context)
    }

    static func editSet(_ context: RequestContext, _ request: EditQuestionSetRequest) async throws -> HTTPResponse {
        let record = context.record
        let name = context.parameters["set"] ?? ""
        let set = try await context.storage.perform(
            EditQuestionSet(
                session: record.session.id, set: name, open: request.open, shared: request.shared, anonymous: request.anonymous,
                publishedAs: request.publishedAs, about: request.about, expected: try context.expectedVersion(), actor: context.accountID))
        let isOpen = set.mayTakeAnswers(in: record.session, at: context.now)
        // Closing by hand shuffles as the clock's end does: nothing is left that joins an answer to a person.
        if set.anonymous, set.responses > 0, !isOpen { try await context.storage.seal(name, of: record.session.id) }
        return answer(set, context)
    }

    static func respond(_ context: RequestContext, _ request: RespondRequest) async throws -> HTTPResponse {
        let session = try context.id(Session.self, .session)
        let judged = try await context.storage.judged(request.answers, to: request.set, of: session)
        let answer = try await context.perform(
            Respond(attendee: context.attendeeID, session: session, set: request.set, answers: request.answers, patterns: judged)
        ) { outcome in
            if let ending = outcome.ending {
                return .json(ResponseBody(set: request.set, anonymous: outcome.set.anonymous, ended: ending.ending(in: context.language)))
            }
            return .json(ResponseBody(set: request.set, anonymous: outcome.set.anonymous, next: outcome.next), status: 201)
        }
        if answer.status == 201, !answer.isReplayed { context.services.metrics.responses.add(1, ordering: .relaxed) }
        return answer
    }

    static func results(_ context: RequestContext) async throws -> HTTPResponse {
        let (name, record, now, language) = (try name(context), context.record, context.now, context.language.rawValue)
        let found = try await context.storage.read { rows throws(JournalError) -> ResultsBody? in
            guard let set = try rows.questionSet(name, of: record.session.id)?.told(in: language) else { return nil }
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
            response.answers[question]?.shownText.map { TextAnswerBody(text: $0, at: response.at) }
        }
        let next = !isHidden && responses.count > limit ? page.last.map { Cursor(String($0.at.milliseconds), $0.id.text).text } : nil
        return .json(Page(items: items, nextCursor: next))
    }

    static func answer(_ set: QuestionSet, _ context: RequestContext, status: Int = 200) -> HTTPResponse {
        let isOpen = set.isOpen(in: context.record.session, at: context.now)
        return .json(QuestionSetBody(set.told(in: context.language.rawValue), open: isOpen), status: status)
    }

    static func set(_ context: RequestContext) async throws -> QuestionSet {
        let (name, id) = (try name(context), context.record.session.id)
        let found = try await context.storage.read { rows throws(JournalError) in try rows.questionSet(name, of: id) }
        guard let found else { throw Refusal.notFound(.questionSet) }
        return found
    }

    /// `feedback` unless another is asked for.
    static func name(_ context: RequestContext) throws -> String {
        let name = context.query("set") ?? QuestionSet.feedback
        guard QuestionSet.isName(name) else { throw Refusal.invalid([FieldError("?set", .length(min: 1, max: 40))]) }
        return name
    }
}
