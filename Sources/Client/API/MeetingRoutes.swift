package import Meetings
package import Phrases
package import Wire

/// The request body of a new meeting with its first session. The server chooses the nil values.
package struct NewMeeting: Encodable, Sendable {
    package var name: String
    package var timeZone: String?
    package var plannedCount: Int?
    package var identifyBy: IdentifyBy?
    package var regulars: Regulars?
    package var language: Language?
    package var accent: Accent?
    package var consentText: String?
    package var description: String?
    package var place: String?
    package var session: NewSession

    package init(name: String, session: NewSession) {
        self.name = name
        self.session = session
    }
}

/// The request body of a new session. The server chooses the nil values.
package struct NewSession: Encodable, Sendable {
    package var startsAt: Instant
    package var endsAt: Instant
    package var lateAfterMinutes: Int?
    package var checkOut: CheckOut?
    package var minimumMinutes: Int?
    package var minimumPercent: Int?
    package var codeKind: CodeKind?
    package var title: String?
    package var plannedCount: Int?
    package var allowOverlap: Bool?
    package var questions: [QuestionDraft]?
    /// Whether the answers to the feedback questions are anonymous.
    package var anonymous: Bool?
    /// In the request for a meeting's next session only: new values of the meeting.
    package var identifyBy: IdentifyBy?
    package var place: String?
    package var description: String?

    package init(startsAt: Instant, endsAt: Instant) {
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}

/// The request body of a change to a meeting. A nil field does not change.
package struct MeetingChange: Encodable, Hashable, Sendable {
    package var name: String?
    package var description: String?
    package var place: String?
    package var timeZone: String?
    package var identifyBy: IdentifyBy?
    package var regulars: Regulars?
    package var reminders: Reminders?
    package var language: Replacement<Language>?
    package var accent: Replacement<Accent>?
    package var consentText: Replacement<String>?
    package var absenceRule: Replacement<AbsenceRuleEdit>?
    package var renewCode: Bool?
    package var renewAllCodes: Bool?
    package var revokePresenterLinks: Bool?

    package init() {}
}

/// The edit of an absence rule. A nil field does not change.
package struct AbsenceRuleEdit: Encodable, Hashable, Sendable {
    package var inARow: Replacement<Int>?
    package var inAll: Replacement<Int>?
    /// The first day, such as `2026-09-01`.
    package var since: Replacement<String>?
    package var mail: Bool?

    package init() {}
}

extension APIClient {
    /// Creates a meeting. If the request is sent again with the same key, returns the same meeting.
    package func createMeeting(_ meeting: NewMeeting, idempotencyKey: String) async throws(APIError)
        -> NewMeetingBody
    {
        try await post("/api/v1/meetings", meeting, headers: [("Idempotency-Key", idempotencyKey)])
    }

    /// Returns all meetings of the caller: first running and upcoming meetings by their start, then ended
    /// meetings, newest first.
    package func meetings() async throws(APIError) -> [MeetingBody] { try await all("/api/v1/meetings") }

    /// Returns a meeting with its latest session.
    package func meeting(_ id: MeetingID) async throws(APIError) -> Versioned<MeetingBody> {
        try await versioned(APICall("GET", "/api/v1/meetings/\(id)"))
    }

    /// Changes a meeting, and returns the new version.
    package func edit(
        _ id: MeetingID, _ change: MeetingChange, seen: Seen,
        following follower: JobFollower = JobFollower()
    ) async throws(APIError) -> MeetingBody {
        let call = APICall("PATCH", "/api/v1/meetings/\(id)", body: change).editing(seen)
        return try await sendLong(call, follower) { $0.meeting }
    }

    /// Deletes a meeting with all its sessions.
    /// - Parameter confirmation: the meeting's name. Needed if attendees have checked in.
    package func deleteMeeting(_ id: MeetingID, confirmation: String?) async throws(APIError) {
        _ = try await send(APICall("DELETE", "/api/v1/meetings/\(id)", ["confirm": confirmation]))
    }

    /// Returns all sessions of a meeting, newest first.
    package func sessions(of id: MeetingID, matching text: String? = nil) async throws(APIError)
        -> [SessionBody]
    {
        try await all("/api/v1/meetings/\(id)/sessions", ["q": text])
    }
}
