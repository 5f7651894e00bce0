import HTTPServer
import Journal
import Meetings
import Phrases
import Rooms
import Synchronization
import Wire

/// The handlers for question sets, responses and results.
enum Feedback {
    static func questions(_ context: RequestContext) async throws -> HTTPResponse {
        var set = try await set(context)
        if let receipt = context.caller.receipt {
            guard try await isKnown(set, to: receipt.attendeeID, context) else {
                throw Refusal.feedbackNotOpen(opensAt: nil)
            }
            set = try await context.shown([set])[0]
            // Attendees do not see hidden questions.
            set.questions = set.asked
        }
        return answer(set, context)
    }

    /// Whether an attendee may see the set. Attendees cannot see a poll before a host opens it.
    private static func isKnown(_ set: QuestionSet, to attendee: AttendeeID, _ context: RequestContext)
        async throws -> Bool
    {
        if set.name == QuestionSet.feedback || set.isCheckIn || set.openByHand != nil { return true }
        let (session, now, patterns) = (context.record.session, context.now, context.storage.patterns)
        return try await context.storage.read { rows throws(JournalError) in
            if try rows.hasAnswered(attendee, set: set.name) { return true }
            return try rows.isLed(attendee, to: set, in: session, at: now, by: patterns)
        }
    }

    static func setQuestions(_ context: RequestContext, _ request: SetQuestionsRequest) async throws
        -> HTTPResponse
    {
        let record = context.record
        let set = try await context.storage.perform(
            SetQuestions(
                session: record.session.id, set: try name(context), questions: request.questions,
                about: request.about,
                promise: request.promise, changeable: request.changeable,
                expected: try context.expectedVersion(), actor: context.accountID))
        return answer(set, context)
    }

    static func editSet(_ context: RequestContext, _ request: EditQuestionSetRequest) async throws
        -> HTTPResponse
    {
        let record = context.record
        let name = context.parameters["set"] ?? ""
        let set = try await context.storage.perform(
            EditQuestionSet(
                session: record.session.id, set: name, request.change,
                expected: try context.expectedVersion(), actor: context.accountID))
        let isOpen = set.mayTakeAnswers(in: record.session, at: context.now)
        // The server's next rewrite of the file seals the set, as it does for sets that the clock closes.
        if set.anonymous, set.responses > 0, !isOpen {
            _ = try await context.storage.perform(
                PublishClosedSet(session: record.session.id, set: name))
        }
        return answer(set, context)
    }

    static func respond(_ context: RequestContext, _ request: RespondRequest) async throws -> HTTPResponse {
        let session = try context.id(Session.self, .session)
        let judged = try await context.storage.judged(request.answers, to: request.set, of: session)
        return try await context.perform(
            Respond(
                receipt: context.receipt, session: session, set: request.set, answers: request.answers,
                unusable: request.unusable,
                shown: request.shown, patterns: judged)
        ) { outcome in
            if let ending = outcome.ending {
                return .json(
                    ResponseBody(
                        set: request.set, promise: outcome.set.promise,
                        ended: ending.ending(in: context.language)))
            }
            return .json(
                ResponseBody(
                    set: request.set, promise: outcome.set.promise, replaced: outcome.replaced,
                    next: outcome.next),
                status: outcome.replaced ? 200 : 201)
        }
    }

    static func results(_ context: RequestContext) async throws -> HTTPResponse {
        let (name, record, now, language) = (
            try name(context), context.record, context.now, context.language.rawValue
        )
        let (session, order) = (record.session.id, try order(context))
        let query = {
            @Sendable (set: QuestionSet, rows: any ReadableRows) throws(JournalError) -> SetResults in
            try ResultsReader.results(of: set.localized(in: language), in: session, from: rows)
                .countingEqualTexts(of: session, from: rows).ordered(by: order)
        }
        let found = try await context.storage.lookUp {
            rows throws(JournalError) -> (set: QuestionSet, results: SetResults?)? in
            guard let set = try rows.questionSet(name, of: session) else { return nil }
            return (set, set.comparesFewTexts ? try query(set, rows) : nil)
        }
        guard let found else { throw Refusal.notFound(.questionSet) }
        if let results = found.results {
            return try KnownResults(results, in: record, at: now).stored(context)
        }
        let scanned = try await context.scanAlone { rows throws(JournalError) -> SetResults? in
            guard let set = try rows.questionSet(name, of: session) else { return nil }
            return try query(set, rows)
        }
        guard let scanned else { throw Refusal.notFound(.questionSet) }
        return try KnownResults(scanned, in: record, at: now).stored(context)
    }

    /// Returns the text answers to one question, in pages. A page may have fewer items than its limit,
    /// because some responses skip the question. For a word cloud, returns its words, the most frequent
    /// first.
    static func answers(_ context: RequestContext) async throws -> HTTPResponse {
        let (question, keys) = (try context.id(Question.self, .question), context.services.keys)
        let limit = try context.limit()
        let start = try context.cursor { cursor -> TextStart? in
            if let place = TextPlace(cursor, keys: keys) {
                return .after(ResponseCursor(at: place.at, id: place.response))
            }
            guard cursor.words.count == 1, let index = cursor.integer(0), index > 0,
                index < CloudWord.mostListed
            else { return nil }
            return .index(Int(index))
        }
        let page = try await context.storage.read { rows throws(JournalError) in
            try texts(answering: question, from: start, limit: limit, in: rows, keys)
        }
        guard let page else { throw Refusal.notFound(.question) }
        return .json(page)
    }

    /// Where a page of texts begins.
    enum TextStart {
        case after(ResponseCursor)
        /// The index among the words of a word cloud.
        case index(Int)
    }

    /// Returns a page of the published texts that answer the question; nil if the question does not exist.
    static func texts(
        answering question: QuestionID, from start: TextStart?, limit: Int, in rows: any ReadableRows,
        _ keys: Keys
    ) throws(JournalError) -> Page<TextAnswerBody>? {
        guard let location = try rows.location(of: question),
            let set = try rows.questionSet(location.set, of: location.session)
        else { return nil }
        let tallies = try rows.tallies(of: location.session, set: location.set)
        // The smallest group size limits texts as it limits counts.
        guard let tally = tallies[question], !set.hides(tally.published) else {
            return Page(items: [], nextCursor: nil)
        }
        let moderation = try rows.textModeration(of: location.session, set: location.set)
        if set.questions.first(where: { $0.id == question })?.countsWords == true {
            var index = 0
            if case .index(let place)? = start { index = place }
            let words = try rows.words(of: question, limit: CloudWord.mostListed).dropFirst(index)
            return Page(
                items: words.prefix(limit).map { $0.body(of: question, moderation, keys) },
                nextCursor: words.count > limit ? Cursor(String(index + limit)).text : nil)
        }
        var cursor: ResponseCursor?
        if case .after(let place)? = start { cursor = place }
        let responses = try rows.responses(
            of: location.session, set: location.set, after: cursor, limit: limit + 1)
        var items: [TextAnswerBody] = []
        for response in responses.prefix(limit) {
            guard let text = set.shownAnswers(of: response, by: tallies)[question]?.shownText else {
                continue
            }
            let status = try rows.textStatus(in: response.id, to: question) ?? moderation.initialStatus
            items.append(
                TextAnswerBody(
                    text: text, at: response.at, in: set, id: response.place.id(keys: keys), status: status))
        }
        let last = responses.count > limit ? responses[limit - 1] : nil
        return Page(items: items, nextCursor: last.map { $0.place.id(keys: keys) })
    }

    static func answer(_ set: QuestionSet, _ context: RequestContext, status: Int = 200) -> HTTPResponse {
        let (session, now) = (context.record.session, context.now)
        return .json(
            QuestionSetBody(
                set.localized(in: context.language.rawValue), open: set.isOpen(in: session, at: now),
                anonymityFixed: set.hasFixedAnonymity(in: session, at: now)),
            status: status)
    }

    static func set(_ context: RequestContext) async throws -> QuestionSet {
        let (name, id) = (try name(context), context.record.session.id)
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.questionSet(name, of: id)
        }
        guard let found else { throw Refusal.notFound(.questionSet) }
        return found
    }

    /// Returns the order of the choices in `?order=`.
    static func order(_ context: RequestContext) throws -> ResultOrder {
        try context.choice(.order).flatMap(ResultOrder.init) ?? .count
    }

    /// Returns the set's name in `?set=`; `feedback` if it is absent.
    static func name(_ context: RequestContext) throws -> String {
        let name = context.query(.set) ?? QuestionSet.feedback
        guard QuestionSet.isName(name) else {
            throw context.invalid(.set, .notASetName)
        }
        return name
    }
}

extension RequestContext {
    /// Returns the sets of the caller's session as an attendee sees them. After an attendee has seen a set,
    /// its promise cannot change.
    func shown(_ sets: [QuestionSet]) async throws -> [QuestionSet] {
        try await shown(sets, in: record.session)
    }

    /// Fixes the promises of these sets before attendees see them. Writes only if a set has not been shown
    /// before and the clock has not opened it.
    func shown(_ sets: [QuestionSet], in session: Session) async throws -> [QuestionSet] {
        let now = now
        let open = sets.filter { !$0.questions.isEmpty && !$0.hasFixedAnonymity(in: session, at: now) }
        guard !open.isEmpty else { return sets }
        let found = try await storage.perform(ShowQuestionSets(session: session.id, sets: open.map(\.name)))
        return sets.map { set in found.first { $0.name == set.name } ?? set }
    }
}

extension SetResults {
    /// Returns the results with the choices of each tally in this order.
    func ordered(by order: ResultOrder) -> SetResults {
        // Tallies list their choices by count.
        if order == .count { return self }
        let questions = Dictionary(set.questions.map { ($0.id, $0) }) { first, _ in first }
        let ordered = tallies.map { tally in
            questions[tally.questionId].map { tally.ordered(by: order, of: $0) } ?? tally
        }
        return SetResults(set: set, tallies: ordered, texts: texts)
    }

    func body(in record: SessionRecord, at now: Instant) -> ResultsBody {
        ResultsBody(
            set, open: set.isOpen(in: record.session, at: now),
            checkedIn: record.attendance(at: now).checkedIn, tallies: tallies)
    }
}

/// The encoded results of a question set, for the next request. They are current as long as the revision,
/// the session's sequence, and the two values that depend on the time are the same.
struct KnownResults {
    struct Key: Hashable {
        let session: SessionID
        let set: String
        let language: Language
        let order: ResultOrder
    }

    /// The set without its questions, which take memory and do not decide whether it is open.
    private let set: QuestionSet
    private let sequence: Int64
    private let isOpen: Bool
    private let checkedIn: Int
    private let bytes: [UInt8]

    init(_ results: SetResults, in record: SessionRecord, at now: Instant) {
        var set = results.set
        set.questions = []
        self.set = set
        sequence = record.sequence
        isOpen = set.isOpen(in: record.session, at: now)
        checkedIn = record.attendance(at: now).checkedIn
        bytes = WireJSON.bytes(results.body(in: record, at: now))
    }

    /// Returns the answer to the same request, if the results are current.
    static func answer(_ context: RequestContext) throws -> HTTPResponse? {
        let (record, now) = (context.record, context.now)
        guard let revision = context.revision,
            let known = context.services.knownResults.value(try key(context), at: revision),
            known.sequence == record.sequence,
            known.isOpen == known.set.isOpen(in: record.session, at: now),
            known.checkedIn == record.attendance(at: now).checkedIn
        else { return nil }
        return known.response
    }

    /// Stores the results, and returns the answer. The session was read before the results, so that its
    /// sequence is not newer.
    func stored(_ context: RequestContext) throws -> HTTPResponse {
        if let revision = context.revision {
            context.services.knownResults.store(
                self, try Self.key(context), bytes: bytes.count, at: revision)
        }
        return response
    }

    private static func key(_ context: RequestContext) throws -> Key {
        Key(
            session: context.record.session.id, set: try Feedback.name(context), language: context.language,
            order: try Feedback.order(context))
    }

    private var response: HTTPResponse { .json(encoded: bytes, status: 200) }
}

/// The handlers that list a session's question sets, copy them from another session, add polls, and delete
/// sets.
enum QuestionSets {
    static func createPoll(_ context: RequestContext, _ request: CreatePollRequest) async throws
        -> HTTPResponse
    {
        if let original = request.copyOf {
            try await context.count(copiesOf: original, from: context.record.session.id)
        }
        return try await context.perform(
            CreatePoll(
                session: context.record.session.id,
                content: request.copyOf.map { .copy(of: $0) } ?? .questions(request.questions ?? []),
                about: request.about, promise: request.promise, changeable: request.changeable,
                open: request.open, shared: request.shared, actor: context.accountID)
        ) { Feedback.answer($0, context, status: 201) }
    }

    static func delete(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.perform(
            DeleteQuestionSet(
                session: context.record.session.id, set: context.parameters["set"] ?? "",
                confirmation: context.query(.confirm), actor: context.accountID))
        return .noContent
    }

    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let id = context.record.session.id
        let (sets, counts) = try await context.storage.read {
            rows throws(JournalError) -> ([QuestionSet], [String: Int]) in
            var sets = try rows.questionSetsWithoutQuestions(of: id)
            // The list shows one question of each set at most.
            for index in sets.indices {
                sets[index].questions =
                    try rows.firstQuestion(of: sets[index].name, in: id).map { [$0] } ?? []
            }
            return (sets, try rows.questionCounts(of: id))
        }
        return body(sets, counts: counts, context)
    }

    static func copy(_ context: RequestContext, _ request: CopyQuestionsRequest) async throws -> HTTPResponse
    {
        try await context.requireLimits(for: request.from)
        try await context.count(copiesOf: request.set, from: request.from)
        func command(_ originals: [QuestionSet]?) -> CopyQuestions {
            CopyQuestions(
                session: context.record.session.id, from: request.from, set: request.set,
                copyName: request.copyName, originals: originals, actor: context.accountID)
        }
        let reading = command(nil)
        let originals = try await context.storage.scan { rows throws(JournalError) in
            try reading.originals(in: rows)
        }
        return try await context.perform(command(originals)) { body($0, context, status: 201) }
    }

    /// - Parameter counts: the numbers of questions, if `sets` do not have all of them.
    private static func body(
        _ sets: [QuestionSet], counts: [String: Int]? = nil, _ context: RequestContext, status: Int = 200
    ) -> HTTPResponse {
        let (session, now, language) = (context.record.session, context.now, context.language.rawValue)
        let summaries = sets.map { set in
            QuestionSetSummary(
                set.localized(in: language), questions: counts.map { counts in counts[set.name] ?? 0 },
                open: set.isOpen(in: session, at: now),
                anonymityFixed: set.hasFixedAnonymity(in: session, at: now))
        }
        return .json(QuestionSetsBody(summaries), status: status)
    }
}

extension Rule {
    /// Returns the message for a person who may not answer the form.
    func ending(in language: Language) -> String {
        message.isEmpty ? Phrase.Page.notForYou.text(in: language) : message.text(in: language.rawValue)
    }
}
