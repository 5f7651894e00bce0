import HTTPServer
import Journal
import Meetings
import Phrases
import Synchronization
import Wire

/// Forms that anybody may answer, in the shape that clients of that format know. Nobody is asked who they
/// are.
enum PublishedForms {
    /// Korean where no language is asked for, as the format has it.
    private static let standardLanguage = Language.korean

    static func show(_ context: RequestContext) async throws -> HTTPResponse {
        let name = name(context)
        let found = try await context.storage.read {
            rows throws(JournalError) -> (QuestionSet, SessionRecord)? in
            guard let place = try rows.publishedForm(name),
                let set = try rows.questionSet(place.set, of: place.session),
                let record = try rows.session(place.session)
            else { return nil }
            return (set, record)
        }
        guard let (set, record) = found else {
            throw context.wrong(key(context), FailureLimits.form, .notFound(.form))
        }
        let (tag, words) = languages(context)
        return .json(SubveyBody(try await context.shown([set], in: record.session)[0], in: tag, words: words))
    }

    /// What is wrong is a problem, with what the format says of a failure beside it.
    static func answer(_ context: RequestContext) async throws -> HTTPResponse {
        do {
            let request = try request(context)
            let judged = try await context.storage.judged(request.values, toForm: name(context))
            let command = RespondToForm(
                form: name(context), values: request.values, unread: request.unread, patterns: judged)
            return try await context.perform(command) { outcome in
                .json(
                    SubveyAnswerBody(FormOutcome(isSuccess: outcome.ending == nil, nextTypeId: outcome.next)))
            }
        } catch {
            var problem = Problem(of: limited(error, context), in: languages(context).words)
            // A defect is for the log, which the responder writes.
            guard problem.status < 500 else { throw error }
            problem.requestId = context.requestID
            problem.data = FormOutcome(isSuccess: false)
            return .problem(problem)
        }
    }

    /// Right answers are always taken; who sends wrong ones, or tries names, is told to wait.
    private static func limited(_ error: any Error, _ context: RequestContext) -> any Error {
        let refusal: Refusal? =
            switch error {
            case let refusal as Refusal: refusal
            case is RequestError, is JSONFault: .notFound(.form)
            default: nil
            }
        guard let refusal else { return error }
        let counted = context.wrong(key(context), FailureLimits.form, refusal)
        return counted is RequestError ? counted : error
    }

    private static func request(_ context: RequestContext) throws -> FormAnswersRequest {
        guard ContentType.isJSON(context.request.headers.first("content-type")) else {
            throw RequestError(.unsupportedMediaType, ["expected": "application/json"])
        }
        let document = try JSONDocument(context.request.body)
        guard document.root.isObject else { throw RequestError(.notJSON) }
        if document.root["answers"]?.isObject == true {
            return try Fields.read(FormAnswersRequest.self, from: document)
        }
        return try FormAnswersRequest(flat: document)
    }

    private static func name(_ context: RequestContext) -> String { context.parameters["typeID"] ?? "" }
    private static func key(_ context: RequestContext) -> String { "forms from \(context.origin)" }

    /// The texts' language, any that the set has, and that of the server's words.
    private static func languages(_ context: RequestContext) -> (tag: String, words: Language) {
        guard let asked = context.query("lang"), let tag = LocalizedText.tag(asked) else {
            return (standardLanguage.rawValue, standardLanguage)
        }
        return (tag, Language(tag: tag) ?? standardLanguage)
    }
}
