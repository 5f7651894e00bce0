package import Meetings
internal import Outbound
package import Wire

/// The routes that import and export question sets and results as files.
extension APIClient {
    /// Replaces all questions of a set. `file` is a JSON object with the key `questions`.
    package func writeQuestions(
        of id: SessionID, set: String? = nil, _ file: [UInt8], seen: Seen
    ) async throws(APIError) -> QuestionSetBody {
        var call = APICall("PUT", "/api/v1/sessions/\(id)/questions", ["set": set])
        call.body = file
        return try decode(QuestionSetBody.self, from: try await send(call.editing(seen)))
    }

    /// Imports questions from a file in any format that the server reads.
    /// - Parameter language: the language of a file with only one language. Nil sets no language.
    package func importQuestions(
        of id: SessionID, set: String? = nil, language: String? = nil, file: [UInt8]
    ) async throws(APIError) -> QuestionSetBody {
        var call = APICall(
            "POST", "/api/v1/sessions/\(id)/questions/import", ["set": set, "language": language])
        call.body = file
        call.headers = [("Idempotency-Key", APICall.randomKey())]
        return try decode(QuestionSetBody.self, from: try await send(call))
    }

    /// Imports questions from a file that the server downloads from `url`.
    package func importQuestions(
        of id: SessionID, set: String? = nil, language: String? = nil, from url: String
    ) async throws(APIError) -> QuestionSetBody {
        try await importQuestions(of: id, set: set, language: language, file: WireJSON.bytes(["url": url]))
    }

    /// Returns the questions of a set as a file.
    /// - Parameter format: `qring` or `subvey`. Nil chooses the server's default format.
    package func exportQuestions(
        of id: SessionID, set: String? = nil, format: String? = nil, language: String? = nil
    ) async throws(APIError) -> [UInt8] {
        let call = APICall(
            "GET", "/api/v1/sessions/\(id)/questions/export",
            ["set": set, "format": format, "language": language])
        return try await send(call).body
    }

    /// Returns summaries of all question sets of a session.
    package func sets(of id: SessionID) async throws(APIError) -> [QuestionSetSummary] {
        let sets: QuestionSetsBody = try await get("/api/v1/sessions/\(id)/sets")
        return sets.items
    }

    /// Copies all sets of another session, or only `set`. `name` is the name of the copied set; nil keeps the
    /// original name.
    package func copyQuestions(
        to id: SessionID, from source: SessionID, set: String? = nil, as name: String? = nil
    ) async throws(APIError) -> [QuestionSetSummary] {
        struct Copy: Encodable {
            let from: SessionID
            let set: String?
            let `as`: String?
        }
        let copied: QuestionSetsBody = try await post(
            "/api/v1/sessions/\(id)/questions/copy", Copy(from: source, set: set, as: name),
            headers: [("Idempotency-Key", APICall.randomKey())])
        return copied.items
    }

    /// Returns the visible responses as a CSV table.
    package func resultsFile(
        of id: SessionID, set: String? = nil, statistics: Bool = false, order: ResultOrder? = nil,
        _ table: TableQuery = TableQuery()
    ) async throws(APIError) -> [UInt8] {
        var call = APICall(
            "GET", "/api/v1/sessions/\(id)/results.csv",
            ["set": set, "statistics": statistics ? "true" : nil, "order": order?.rawValue])
        call.add(table.fields)
        return try await send(call).body
    }
}
