package import Meetings
internal import Outbound
package import Wire

/// The request body of a change to a session. A nil field does not change.
package struct SessionChange: Encodable, Hashable, Sendable {
    package var startsAt: Instant?
    package var endsAt: Instant?
    /// An empty text deletes the title.
    package var title: String?
    package var lateAfterMinutes: Int?
    package var checkOut: CheckOut?
    package var minimumMinutes: Int?
    package var minimumPercent: Int?
    package var plannedCount: Int?
    package var codeKind: CodeKind?
    package var allowOverlap: Bool?
    package var renewCode: Bool?
    package var revokePresenterLinks: Bool?
    /// The reason for the change.
    package var note: String?

    package init() {}
}

extension APIClient {
    /// Adds the next session of a meeting, and returns it.
    package func continueMeeting(
        _ id: MeetingID, _ session: NewSession, following follower: JobFollower = JobFollower()
    ) async throws(APIError) -> SessionBody {
        let call = APICall(
            "POST", "/api/v1/meetings/\(id)/sessions", body: session,
            headers: [("Idempotency-Key", APICall.randomKey())])
        return try await sendLong(call, follower) { $0.session }
    }

    /// Returns a session.
    package func session(_ id: SessionID) async throws(APIError) -> Versioned<SessionBody> {
        try await versioned(APICall("GET", "/api/v1/sessions/\(id)"))
    }

    /// Returns the caller's sessions of a day, each in its meeting's zone.
    /// - Parameter day: `2026-11-22`; nil for today.
    package func sessions(on day: String?) async throws(APIError) -> [SessionBody] {
        try await all("/api/v1/sessions", ["day": day])
    }

    /// Returns the caller's running or next session, or nil if there is none.
    package func nearestSession() async throws(APIError) -> SessionBody? {
        let answer = try await send(APICall("GET", "/api/v1/sessions/nearest"))
        return answer.status == 204 ? nil : try decode(SessionBody.self, from: answer)
    }

    /// Returns the caller's sessions that overlap these times, except the session `id`.
    package func overlaps(_ startsAt: Instant, _ endsAt: Instant, except id: SessionID? = nil)
        async throws(APIError) -> [OverlapBody]
    {
        struct Times: Encodable {
            let startsAt: Instant
            let endsAt: Instant
            let exceptSessionId: SessionID?
        }
        let body: Overlaps = try await post(
            "/api/v1/sessions/overlap", Times(startsAt: startsAt, endsAt: endsAt, exceptSessionId: id))
        return body.overlaps
    }

    private struct Overlaps: Decodable { let overlaps: [OverlapBody] }

    /// Changes a session, and returns the new version.
    package func edit(
        _ id: SessionID, _ change: SessionChange, seen: Seen,
        following follower: JobFollower = JobFollower()
    ) async throws(APIError) -> SessionBody {
        let call = APICall("PATCH", "/api/v1/sessions/\(id)", body: change).editing(seen)
        return try await sendLong(call, follower) { $0.session }
    }

    /// Deletes a session.
    /// - Parameter confirmation: the meeting's name. Needed if attendees have checked in.
    package func deleteSession(_ id: SessionID, confirmation: String?) async throws(APIError) {
        _ = try await send(APICall("DELETE", "/api/v1/sessions/\(id)", ["confirm": confirmation]))
    }

    /// Creates a presenter link, or one for a kiosk. The server shows its token only in this response.
    package func createPresenterLink(_ id: SessionID, for purpose: PresenterLink.Purpose = .hall)
        async throws(APIError) -> PresenterLinkBody
    {
        let kind = purpose == .kiosk ? "kiosk-links" : "presenter-links"
        return try await post("/api/v1/sessions/\(id)/\(kind)", [String: String]())
    }

    /// Returns the presenter links of a session, without their tokens.
    package func presenterLinks(of id: SessionID) async throws(APIError) -> [PresenterLinkSummary] {
        try await all("/api/v1/sessions/\(id)/presenter-links")
    }

    /// Revokes a presenter link.
    package func revoke(_ link: PresenterLinkID, of id: SessionID) async throws(APIError) {
        _ = try await send(APICall("DELETE", "/api/v1/sessions/\(id)/presenter-links/\(link)"))
    }

    /// Returns all attendees of a session who match, ordered by id.
    package func attendees(
        of id: SessionID, status: AttendanceStatus? = nil, matching text: String? = nil
    ) async throws(APIError) -> [AttendeeBody] {
        try await all("/api/v1/sessions/\(id)/attendees", ["status": status?.rawValue, "q": text])
    }

    /// Counts the attendees who are inside, have left, or were partially present.
    package func presence(in id: SessionID) async throws(APIError) -> PresenceBody {
        try await get("/api/v1/sessions/\(id)/presence")
    }

    /// Returns all events of a session, in order.
    package func wholeJournal(of id: SessionID) async throws(APIError) -> [EventBody] {
        try await all("/api/v1/sessions/\(id)/journal")
    }

    /// Returns one page of the session's events after `sequence`, in order.
    package func journal(of id: SessionID, since sequence: Int64?) async throws(APIError) -> Page<EventBody> {
        try await get("/api/v1/sessions/\(id)/journal", ["since": sequence.map { String($0) }])
    }
}
