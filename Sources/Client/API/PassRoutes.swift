package import Meetings
package import Wire

/// The people and the sessions of new passes.
package struct NewPasses: Encodable, Sendable {
    /// The person; nil for everybody on the roster.
    package let personId: PersonID?
    /// The only session that the passes open; nil for all sessions.
    package let sessionId: SessionID?

    package init(person: PersonID?, session: SessionID?) { (personId, sessionId) = (person, session) }
}

extension APIClient {
    package func createPasses(_ passes: NewPasses, in meeting: MeetingID) async throws(APIError)
        -> PassesCreatedBody
    {
        try await post(path(meeting), passes)
    }

    /// Returns the passes in the order of the roster, also the revoked ones.
    /// - Parameter person: the only person whose passes are returned; nil for everybody on the roster.
    package func passes(of meeting: MeetingID, person: PersonID? = nil) async throws(APIError) -> [PassBody] {
        try await all(path(meeting), ["person": person?.text])
    }

    package func revokePass(_ id: PassID, of meeting: MeetingID) async throws(APIError) {
        _ = try await send(APICall("DELETE", "\(path(meeting))/\(id)"))
    }

    /// Replaces a lost pass, and returns the new one.
    package func renewPass(_ id: PassID, of meeting: MeetingID) async throws(APIError) -> PassBody {
        try await post("\(path(meeting))/\(id)/renew", NoFields())
    }

    /// Replaces all passes of a meeting.
    package func renewAllPasses(of meeting: MeetingID) async throws(APIError) -> PassesRenewedBody {
        try await post("\(path(meeting))/renew", NoFields())
    }

    /// Checks a scanned text at the door of a session.
    package func admit(_ scan: String, to session: SessionID) async throws(APIError) -> DoorBody {
        struct Body: Encodable { let scan: String }
        return try await post("/api/v1/sessions/\(session)/door", Body(scan: scan))
    }

    private func path(_ meeting: MeetingID) -> String { "/api/v1/meetings/\(meeting)/passes" }
}

private struct NoFields: Encodable {}
