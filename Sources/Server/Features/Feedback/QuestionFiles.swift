import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// The handlers that import question sets from an upload or a web address, and export them.
enum QuestionFiles {
    /// Imports a file completely, or not at all. Runs on the concurrent pool, because a file may be as large
    /// as a megabyte.
    @concurrent
    static func take(_ context: RequestContext) async throws -> HTTPResponse {
        guard ContentType.isJSON(context.request.headers.first("content-type")) else {
            throw RequestError(.unsupportedMediaType, ["expected": "application/json"])
        }
        let language = try context.languageTag()
        let file =
            switch try read(context.request.body, language, context) {
            case .file(let file): file
            case .address(let url):
                try QuestionFile(
                    try await fetch(url, context), language: language, patterns: context.storage.patterns)
            }
        let command = ImportQuestions(
            session: context.record.session.id, set: try Feedback.name(context), imported: file.content,
            expected: try context.expectedVersion(), actor: context.accountID)
        do {
            return try await context.perform(command) { Feedback.answer($0, context, status: 201) }
        } catch let refusal as Refusal {
            throw file.located(refusal)
        }
    }

    private enum Sent {
        case file(QuestionFile)
        case address(String)
    }

    /// Reads the request's body. A separate function releases the parsed body on return, so that it uses no
    /// memory while a file is fetched.
    private static func read(_ bytes: [UInt8], _ language: String?, _ context: RequestContext) throws -> Sent
    {
        let text = try QuestionFile.Text(bytes)
        guard ImportQuestionsRequest.isMeant(by: text.document) else {
            return .file(try QuestionFile(text, language: language, patterns: context.storage.patterns))
        }
        return .address(
            try Fields.read(ImportQuestionsRequest.self, from: text.document, wholly: true).url ?? "")
    }

    private static func fetch(_ url: String, _ context: RequestContext) async throws -> [UInt8] {
        guard let fetcher = context.services.settings.documents else {
            let reason = Phrase("this server downloads no files")
            throw RequestError(.addressNotFetched, ["reason": reason.text(in: context.language)])
        }
        // Limits hosts who try one web address after the other.
        let key = "fetch by \(context.accountID)"
        try context.requireAttempt(key, FailureLimits.fetch)
        do throws(DocumentFetchFailure) {
            return try await fetcher.fetch(url, mostBytes: QuestionFile.mostBytes)
        } catch {
            context.failed(key, FailureLimits.fetch)
            throw RequestError(
                .addressNotFetched,
                ["reason": error.phrase.text(in: context.language, ["status": error.status])])
        }
    }

    static func export(_ context: RequestContext) async throws -> HTTPResponse {
        let set = try await Feedback.set(context)
        let name = "\(context.record.meeting.name) \(set.name).json"
        let language = try context.languageTag() ?? context.language.rawValue
        switch try context.choice(.format) {
        case "subvey":
            let losses = SubveyBody.losses(of: set)
            guard losses.isEmpty else { throw Refusal.invalid(losses) }
            let body = SubveyBody(set, in: language, words: nil)
            return Exports.file(
                "application/json", WireJSON.bytes(body), name: name, plainName: "questions-\(set.name).json")
        default:
            return Exports.file(
                "application/json", WireJSON.bytes(QuestionFileBody(set)), name: name,
                plainName: "questions-\(set.name).json")
        }
    }
}

extension DocumentFetchFailure {
    fileprivate var phrase: Phrase {
        switch self {
        case .addressNotAllowed:
            Phrase("it leads to a private address, which is not fetched for anybody")
        case .unreachable: Phrase("nothing answers there")
        case .timedOut: Phrase("it took too long")
        case .tooLarge: Phrase("the file is larger than 1 MB")
        case .answered: Phrase("the server there answered with {status}")
        }
    }

    fileprivate var status: String { if case .answered(let status) = self { String(status) } else { "" } }
}

/// Fetches documents from web addresses that hosts enter. An implementation must prevent requests into this
/// server's own network: it rejects private, loopback and link-local addresses after each name lookup and on
/// every redirect.
package protocol DocumentFetching: Sendable {
    /// Returns the body of a 2xx answer, at most `mostBytes` bytes. The scheme of `url` is `http` or `https`.
    func fetch(_ url: String, mostBytes: Int) async throws(DocumentFetchFailure) -> [UInt8]
}

package enum DocumentFetchFailure: Error, Hashable, Sendable {
    /// The name resolves to an address that this server must not request for a host.
    case addressNotAllowed
    case unreachable
    case timedOut
    case tooLarge
    case answered(status: Int)
}
