import HTTPServer
import Journal
import Meetings
import Phrases
import Synchronization
import Wire

/// The handlers for published forms. Anybody may answer a form without signing in. The format is the one that
/// existing clients use.
enum PublishedForms {
    /// The language of the texts if neither the client nor the meeting has one. The format defines Korean.
    private static let standardLanguage = Language.korean

    static func show(_ context: RequestContext) async throws -> HTTPResponse {
        let (set, record) = try await found(context)
        let (tag, words) = languages(context)
        let body = SubveyBody(try await context.shown([set], in: record.session)[0], in: tag, words: words)
        return .json(body, headers: cookies(for: set, context).map { ("Set-Cookie", $0) })
    }

    /// Returns the form that the path names. A wrong name counts as a failure of the caller.
    static func found(_ context: RequestContext) async throws -> (QuestionSet, SessionRecord) {
        let name = name(context)
        let found = try await context.storage.read {
            rows throws(JournalError) -> (QuestionSet, SessionRecord)? in
            guard let location = try rows.publishedForm(name),
                let set = try rows.questionSet(location.set, of: location.session),
                let record = try rows.session(location.session)
            else { return nil }
            return (set, record)
        }
        guard let found else { throw context.wrong(key(context), FailureLimits.form, .notFound(.form)) }
        context.useLanguage(of: found.1.meeting)
        return found
    }

    /// Stores the answers. After a failure, the answer is a problem that also contains the format's own
    /// failure object.
    static func answer(_ context: RequestContext) async throws -> HTTPResponse {
        do {
            let request = try request(context)
            let name = name(context)
            let judged = try await context.storage.judged(request.values, toForm: name)
            let place = try await context.storage.read { rows throws(JournalError) in
                try rows.publishedForm(name)
            }
            if let place, let record = try await context.storage.session(place.session) {
                context.useLanguage(of: record.meeting)
            }
            let command = RespondToForm(
                form: name, values: request.values, unread: request.unread, isFlat: request.isFlat,
                device: place.flatMap { DeviceMark.mark(of: context, answering: $0.set, in: $0.session) },
                patterns: judged)
            return try await context.perform(command) { outcome in
                .json(
                    SubveyAnswerBody(FormOutcome(isSuccess: outcome.ending == nil, nextTypeId: outcome.next)))
            }
        } catch {
            var problem = Problem(of: limited(error, context), in: languages(context).words)
            // The responder logs and answers errors of the server itself.
            guard problem.status < 500 else { throw error }
            problem.requestId = context.requestID
            problem.data = FormOutcome(isSuccess: false)
            return .problem(problem)
        }
    }

    /// Counts wrong answers and unknown form names by address. After too many, the error becomes 429. Valid
    /// answers are always accepted.
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
        if document.root[PublishedForm.wrapper]?.isObject == true {
            return try Fields.read(FormAnswersRequest.self, from: document)
        }
        return try FormAnswersRequest(flat: document)
    }

    private static func name(_ context: RequestContext) -> String { context.parameters["typeID"] ?? "" }
    /// Returns the cookie that marks the device, if the form takes one answer from each device and the device
    /// has no mark yet.
    static func cookies(for set: QuestionSet, _ context: RequestContext) -> [String] {
        guard set.oncePerDevice, context.deviceCookie == nil else { return [] }
        return [
            Cookies.set(
                Cookies.device, DeviceMark.fresh(), seconds: Cookies.deviceSeconds,
                secure: context.address.isSecure)
        ]
    }

    static func key(_ context: RequestContext) -> String { "forms from \(context.origin)" }

    /// Returns the language of the form's texts and the language of the server's messages. The form's texts
    /// may be in any language of the set.
    private static func languages(_ context: RequestContext) -> (tag: String, words: Language) {
        let standard = context.meetingLanguage ?? standardLanguage
        guard let asked = context.query(.lang), let tag = LocalizedText.tag(asked) else {
            return (standard.rawValue, standard)
        }
        return (tag, Language(tag: tag) ?? standard)
    }
}
