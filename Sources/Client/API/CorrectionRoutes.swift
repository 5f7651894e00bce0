package import Meetings
internal import Outbound
package import Wire

/// The request body of a change to an attendee. A nil field does not change.
package struct AttendeeChange: Encodable, Hashable, Sendable {
    package var name: String?
    package var email: String?
    package var number: String?
    package var status: AttendanceStatus?
    package var checkedInAt: Instant?
    package var note: String?

    package init() {}
}

extension APIClient {
    /// Returns one page of a session's attendees, with 200 at most. `cursor` is the `nextCursor` of the
    /// previous page, or nil for the first page.
    package func attendeePage(of id: SessionID, after cursor: String?) async throws(APIError) -> Page<
        AttendeeBody
    > {
        try await get("/api/v1/sessions/\(id)/attendees", ["limit": "200", "cursor": cursor])
    }

    package func attendee(_ id: AttendeeID) async throws(APIError) -> Versioned<AttendeeBody> {
        try await versioned(APICall("GET", "/api/v1/attendees/\(id)"))
    }

    package func addAttendee(_ attendee: AttendeeChange, to session: SessionID) async throws(APIError)
        -> AttendeeBody
    {
        try await post(
            "/api/v1/sessions/\(session)/attendees", attendee,
            headers: [("Idempotency-Key", APICall.randomKey())])
    }

    package func correct(_ id: AttendeeID, _ change: AttendeeChange, seen: Seen) async throws(APIError)
        -> AttendeeBody
    {
        try decode(
            AttendeeBody.self,
            from: try await send(APICall("PATCH", "/api/v1/attendees/\(id)", body: change).editing(seen)))
    }

    package func removeAttendee(_ id: AttendeeID, erases: Bool, note: String?) async throws(APIError) {
        _ = try await send(
            APICall("DELETE", "/api/v1/attendees/\(id)", ["erase": erases ? "true" : nil, "note": note]))
    }

    package func merge(_ id: AttendeeID, into remaining: AttendeeID, note: String?) async throws(APIError)
        -> AttendeeBody
    {
        struct Merge: Encodable {
            let into: AttendeeID
            let note: String?
        }
        return try await post("/api/v1/attendees/\(id)/merge", Merge(into: remaining, note: note))
    }

    package func undo(_ sequence: Int64, in session: SessionID, note: String?) async throws(APIError)
        -> UndoneBody
    {
        struct Undo: Encodable {
            let sequence: Int64
            let note: String?
        }
        return try await post("/api/v1/sessions/\(session)/undo", Undo(sequence: sequence, note: note))
    }

    package func review(of session: SessionID) async throws(APIError) -> ReviewBody {
        try await get("/api/v1/sessions/\(session)/review")
    }

    // MARK: Members and image

    package func members(of meeting: MeetingID) async throws(APIError) -> MembersBody {
        try await get("/api/v1/meetings/\(meeting)/members")
    }

    package func invite(_ email: String, as role: Role, to meeting: MeetingID) async throws(APIError)
        -> MeetingInvitationBody
    {
        try await post("/api/v1/meetings/\(meeting)/members", ["email": email, "role": role.rawValue])
    }

    package func changeRole(
        of account: AccountID, to role: Role, in meeting: MeetingID, seen: Seen
    ) async throws(APIError) -> MemberBody {
        let call = APICall(
            "PATCH", "/api/v1/meetings/\(meeting)/members/\(account)", body: ["role": role.rawValue])
        return try decode(MemberBody.self, from: try await send(call.editing(seen)))
    }

    package func removeMember(_ account: AccountID, from meeting: MeetingID) async throws(APIError) {
        _ = try await send(APICall("DELETE", "/api/v1/meetings/\(meeting)/members/\(account)"))
    }

    package func revokeInvitation(_ invitation: MeetingInvitationID, of meeting: MeetingID)
        async throws(APIError)
    {
        _ = try await send(APICall("DELETE", "/api/v1/meetings/\(meeting)/invitations/\(invitation)"))
    }

    package func receivedInvitations() async throws(APIError) -> Page<MeetingInvitationBody> {
        try await get("/api/v1/me/invitations")
    }

    package func accept(_ invitation: String) async throws(APIError) -> MeetingBody {
        try await post("/api/v1/me/invitations", ["invitation": invitation])
    }

    package func setImage(_ bytes: [UInt8], of meeting: MeetingID, seen: Seen) async throws(APIError) {
        var call = APICall("PUT", "/api/v1/meetings/\(meeting)/image")
        call.body = bytes
        _ = try await send(call.editing(seen))
    }

    package func image(of meeting: MeetingID) async throws(APIError) -> [UInt8] {
        try await send(APICall("GET", "/api/v1/meetings/\(meeting)/image")).body
    }

    package func removeImage(of meeting: MeetingID) async throws(APIError) {
        _ = try await send(APICall("DELETE", "/api/v1/meetings/\(meeting)/image"))
    }
}
