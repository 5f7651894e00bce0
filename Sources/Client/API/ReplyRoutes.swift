package import Meetings
internal import Outbound
package import Wire

/// The change of the seats of a session. A nil field does not change.
package struct ReplySettingsChange: Encodable, Hashable, Sendable {
    package var mode: ReplySettings.Mode?
    /// `.some(nil)` for no limit.
    package var capacity: Int??
    package var mostGuests: Int?
    package var renewLink: Bool?

    package init(
        mode: ReplySettings.Mode? = nil, capacity: Int?? = nil, mostGuests: Int? = nil,
        renewLink: Bool? = nil
    ) {
        self.mode = mode
        self.capacity = capacity
        self.mostGuests = mostGuests
        self.renewLink = renewLink
    }

    private enum Key: CodingKey { case mode, capacity, mostGuests, renewLink }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encodeIfPresent(mode, forKey: .mode)
        switch capacity {
        case .none: break
        case .some(.none): try fields.encodeNil(forKey: .capacity)
        case .some(.some(let seats)): try fields.encode(seats, forKey: .capacity)
        }
        try fields.encodeIfPresent(mostGuests, forKey: .mostGuests)
        try fields.encodeIfPresent(renewLink, forKey: .renewLink)
    }
}

extension APIClient {
    package func replySettings(of session: SessionID) async throws(APIError) -> ReplySettingsBody {
        try await get("/api/v1/sessions/\(session)/reply-settings")
    }

    package func editReplies(of session: SessionID, _ change: ReplySettingsChange, seen: Seen = .anything)
        async throws(APIError) -> ReplySettingsBody
    {
        let call = APICall("PATCH", "/api/v1/sessions/\(session)/reply-settings", body: change)
        return try decode(ReplySettingsBody.self, from: try await send(call.editing(seen)))
    }

    /// Returns the replies: the waiting list and the requests in their order.
    package func replies(to session: SessionID, status: Reply.Status? = nil) async throws(APIError)
        -> [ReplyBody]
    {
        try await all(path(session), ["status": status?.rawValue])
    }

    package func decide(
        _ reply: ReplyID, of session: SessionID, approve: Bool, beyondCapacity: Bool = false
    ) async throws(APIError) -> ReplyBody {
        struct Body: Encodable {
            let approve: Bool
            let beyondCapacity: Bool?
        }
        return try await post(
            "\(path(session))/\(reply)/decision",
            Body(approve: approve, beyondCapacity: beyondCapacity ? true : nil))
    }

    package func removeReply(_ reply: ReplyID, of session: SessionID) async throws(APIError) {
        _ = try await send(APICall("DELETE", "\(path(session))/\(reply)"))
    }

    /// Mails people their own links: one person, or everybody on the roster who was not mailed before.
    package func mailReplyLinks(of session: SessionID, to person: PersonID? = nil) async throws(APIError)
        -> ReplyLinksMailedBody
    {
        struct Body: Encodable { let personId: PersonID? }
        return try await post("/api/v1/sessions/\(session)/reply-mails", Body(personId: person))
    }

    /// Returns the replies as CSV.
    package func replyFile(of session: SessionID, _ table: TableQuery) async throws(APIError) -> [UInt8] {
        try await send(APICall("GET", "\(path(session)).csv", table.fields)).body
    }

    private func path(_ session: SessionID) -> String { "/api/v1/sessions/\(session)/replies" }
}
