package import Meetings
internal import Outbound
package import Wire

/// Question sets and results as files.
extension APIClient {
    /// Writes a set as a whole, by the bytes of a JSON object that has `questions`.
    package func writeQuestions(
        of id: SessionID, set: String? = nil, _ file: [UInt8], seen: Seen
    ) async throws(APIError) -> QuestionSetBody {
        var call = APICall("PUT", "/api/v1/sessions/\(id)/questions", ["set": set])
        call.body = file
        return try decode(QuestionSetBody.self, from: try await send(call.editing(seen)))
    }

    /// In any format that is read.
    /// - Parameter language: of a file in one language; nil leaves it open.
    package func importQuestions(
        of id: SessionID, set: String? = nil, language: String? = nil, file: [UInt8]
    ) async throws(APIError) -> QuestionSetBody {
        var call = APICall(
            "POST", "/api/v1/sessions/\(id)/questions/import", ["set": set, "language": language])
        call.body = file
        call.headers = [("Idempotency-Key", APICall.randomKey())]
        return try decode(QuestionSetBody.self, from: try await send(call))
    }

    /// The server fetches the file.
    package func importQuestions(
        of id: SessionID, set: String? = nil, language: String? = nil, from url: String
    ) async throws(APIError) -> QuestionSetBody {
        try await importQuestions(of: id, set: set, language: language, file: WireJSON.bytes(["url": url]))
    }

    /// - Parameter format: `qring` or `subvey`; the server's own where nil.
    package func exportQuestions(
        of id: SessionID, set: String? = nil, format: String? = nil, language: String? = nil
    ) async throws(APIError) -> [UInt8] {
        let call = APICall(
            "GET", "/api/v1/sessions/\(id)/questions/export",
            ["set": set, "format": format, "language": language])
        return try await send(call).body
    }

    package func sets(of id: SessionID) async throws(APIError) -> [QuestionSetSummary] {
        let sets: QuestionSetsBody = try await get("/api/v1/sessions/\(id)/sets")
        return sets.items
    }

    /// All sets of another session, or one, which may get another name here.
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

    /// The responses that are shown, as a table.
    package func resultsFile(of id: SessionID, set: String? = nil, byteOrderMark: Bool) async throws(APIError)
        -> [UInt8]
    {
        try await send(
            APICall(
                "GET", "/api/v1/sessions/\(id)/results.csv",
                ["set": set, "bom": byteOrderMark ? "true" : nil])
        ).body
    }
}
