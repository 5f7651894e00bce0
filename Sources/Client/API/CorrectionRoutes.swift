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
    package var revokeReceipt: Bool?

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

    /// Returns all attendees of a session with this status.
    package func attendees(of id: SessionID, status: AttendanceStatus) async throws(APIError)
        -> [AttendeeBody]
    {
        try await all("/api/v1/sessions/\(id)/attendees", ["status": status.rawValue])
    }

    /// Returns one attendee's record.
    package func attendee(_ id: AttendeeID) async throws(APIError) -> Versioned<AttendeeBody> {
        try await versioned(APICall("GET", "/api/v1/attendees/\(id)"))
    }

    /// Adds an attendee who could not scan the code, and returns the record.
    package func addAttendee(_ attendee: AttendeeChange, to session: SessionID) async throws(APIError)
        -> AttendeeBody
    {
        try await post(
            "/api/v1/sessions/\(session)/attendees", attendee,
            headers: [("Idempotency-Key", APICall.randomKey())])
    }

    /// Corrects an attendee's record, and returns the new version.
    package func correct(_ id: AttendeeID, _ change: AttendeeChange, seen: Seen) async throws(APIError)
        -> AttendeeBody
    {
        try decode(
            AttendeeBody.self,
            from: try await send(APICall("PATCH", "/api/v1/attendees/\(id)", body: change).editing(seen)))
    }

    /// Removes an attendee from the session.
    /// - Parameter erases: true deletes the record at once, so that the removal cannot be undone.
    package func removeAttendee(_ id: AttendeeID, erases: Bool, note: String?) async throws(APIError) {
        _ = try await send(
            APICall("DELETE", "/api/v1/attendees/\(id)", ["erase": erases ? "true" : nil, "note": note]))
    }

    /// Merges two records of one person, and returns the remaining record, `remaining`.
    package func merge(_ id: AttendeeID, into remaining: AttendeeID, note: String?) async throws(APIError)
        -> AttendeeBody
    {
        struct Merge: Encodable {
            let into: AttendeeID
            let note: String?
        }
        return try await post("/api/v1/attendees/\(id)/merge", Merge(into: remaining, note: note))
    }

    /// Records that an attendee leaves, and returns the record.
    package func leave(_ id: AttendeeID) async throws(APIError) -> AttendeeBody {
        try await post("/api/v1/attendees/\(id)/leave", [String: String]())
    }

    /// Records that an attendee returns, and returns the record.
    package func enterAgain(_ id: AttendeeID) async throws(APIError) -> AttendeeBody {
        try await post("/api/v1/attendees/\(id)/return", [String: String]())
    }

    /// Undoes the correction whose event has this sequence.
    /// - Parameters:
    ///   - sequence: nil for the latest correction that can be undone.
    ///   - attendee: nil for the corrections of all attendees. Ignored if `sequence` is not nil.
    ///   - preview: whether the answer has the event that an undo would reverse, and nothing changes.
    package func undo(
        _ sequence: Int64?, of attendee: AttendeeID? = nil, in session: SessionID, note: String?,
        preview: Bool? = nil
    ) async throws(APIError) -> UndoneBody {
        struct Undo: Encodable {
            let sequence: Int64?
            let attendeeId: AttendeeID?
            let note: String?
            let preview: Bool?
        }
        return try await post(
            "/api/v1/sessions/\(session)/undo",
            Undo(sequence: sequence, attendeeId: attendee, note: note, preview: preview))
    }

    /// Repeats the step that was undone last; only of `attendee`, if it is not nil.
    package func redo(of attendee: AttendeeID? = nil, in session: SessionID, note: String?)
        async throws(APIError) -> UndoneBody
    {
        struct Redo: Encodable {
            let attendeeId: AttendeeID?
            let note: String?
        }
        return try await post("/api/v1/sessions/\(session)/redo", Redo(attendeeId: attendee, note: note))
    }

    /// Returns the check-ins of a session that look unusual.
    package func review(of session: SessionID) async throws(APIError) -> ReviewBody {
        try await get("/api/v1/sessions/\(session)/review")
    }

    // MARK: Members and image

    /// Returns the members of a meeting. Owners also get its pending invitations.
    package func members(of meeting: MeetingID) async throws(APIError) -> MembersBody {
        try await get("/api/v1/meetings/\(meeting)/members")
    }

    /// Invites an e-mail address to a role in a meeting. Only owners may call this route.
    /// - Parameter sendMail: whether the server sends the invitation to the address.
    package func invite(_ email: String, as role: Role, to meeting: MeetingID, sendMail: Bool)
        async throws(APIError) -> MeetingInvitationBody
    {
        try await post(
            "/api/v1/meetings/\(meeting)/members",
            NewInvitation(email: email, role: role.rawValue, sendMail: sendMail ? true : nil))
    }

    /// Changes the role of a member. Only owners may call this route.
    package func changeRole(
        of account: AccountID, to role: Role, in meeting: MeetingID, seen: Seen
    ) async throws(APIError) -> MemberBody {
        let call = APICall(
            "PATCH", "/api/v1/meetings/\(meeting)/members/\(account)", body: ["role": role.rawValue])
        return try decode(MemberBody.self, from: try await send(call.editing(seen)))
    }

    /// Removes a member from a meeting. Owners may remove anybody, and members themselves.
    package func removeMember(_ account: AccountID, from meeting: MeetingID) async throws(APIError) {
        _ = try await send(APICall("DELETE", "/api/v1/meetings/\(meeting)/members/\(account)"))
    }

    /// Revokes a pending invitation to a meeting.
    package func revokeInvitation(_ invitation: MeetingInvitationID, of meeting: MeetingID)
        async throws(APIError)
    {
        _ = try await send(APICall("DELETE", "/api/v1/meetings/\(meeting)/invitations/\(invitation)"))
    }

    /// Returns the invitations for the caller's e-mail address.
    package func receivedInvitations() async throws(APIError) -> Page<MeetingInvitationBody> {
        try await get("/api/v1/me/invitations")
    }

    /// Accepts an invitation, and returns the meeting.
    /// - Parameter invitation: the invitation's id, or the token of its link.
    package func accept(_ invitation: String) async throws(APIError) -> MeetingBody {
        try await post("/api/v1/me/invitations", ["invitation": invitation])
    }

    /// Sets the image of a meeting, from the bytes of an image file.
    package func setImage(_ bytes: [UInt8], of meeting: MeetingID, seen: Seen) async throws(APIError) {
        var call = APICall("PUT", "/api/v1/meetings/\(meeting)/image")
        call.body = bytes
        _ = try await send(call.editing(seen))
    }

    /// Returns the bytes of a meeting's image.
    package func image(of meeting: MeetingID) async throws(APIError) -> [UInt8] {
        try await send(APICall("GET", "/api/v1/meetings/\(meeting)/image")).body
    }

    /// Deletes the image of a meeting.
    package func removeImage(of meeting: MeetingID) async throws(APIError) {
        _ = try await send(APICall("DELETE", "/api/v1/meetings/\(meeting)/image"))
    }
}

/// The request body of an invitation to a meeting.
private struct NewInvitation: Encodable, Sendable {
    let email, role: String
    let sendMail: Bool?
}
