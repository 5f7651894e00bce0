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

    /// The most times that `renewAllPasses` sends its request.
    private static let mostRenewals = 3

    /// Replaces all passes of a meeting that were created before a moment. If the answer is lost, this
    /// function sends the request again with the same moment, so that no pass is replaced twice.
    package func renewAllPasses(of meeting: MeetingID, createdBefore moment: Instant) async throws(APIError)
        -> PassesRenewedBody
    {
        struct Body: Encodable { let createdBefore: Instant }
        for _ in 1..<Self.mostRenewals {
            do throws(APIError) {
                return try await post("\(path(meeting))/renew", Body(createdBefore: moment))
            } catch {
                switch error {
                case .unreachable, .timedOut: break
                default: throw error
                }
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { throw error }
            }
        }
        return try await post("\(path(meeting))/renew", Body(createdBefore: moment))
    }

    /// Returns the sessions of the next day whose door the caller may keep.
    package func doors() async throws(APIError) -> [DoorSessionBody] { try await all("/api/v1/doors", [:]) }

    /// Returns a session for the screen of this door.
    package func door(_ number: Int?, of session: SessionID) async throws(APIError) -> DoorSessionBody {
        try await get(door(of: session), ["door": number.map(String.init)])
    }

    /// Finds people at a door by a part of their name.
    package func peopleAtDoor(_ text: String, of session: SessionID) async throws(APIError) -> DoorPeopleBody
    { try await get("\(door(of: session))/people", ["q": text]) }

    /// Lets a guest in at a door of a session, or asks whether the guest may come in.
    package func admit(_ guest: NewGuest, to session: SessionID) async throws(APIError) -> DoorBody {
        try await post(door(of: session), guest)
    }

    /// Undoes an admission.
    package func undoAdmission(_ sequence: Int64, in session: SessionID) async throws(APIError) {
        struct Body: Encodable { let sequence: Int64 }
        _ = try await send(APICall("POST", "\(door(of: session))/undo", body: Body(sequence: sequence)))
    }

    private func door(of session: SessionID) -> String { "/api/v1/sessions/\(session)/door" }

    private func path(_ meeting: MeetingID) -> String { "/api/v1/meetings/\(meeting)/passes" }
}

/// A guest at a door: a scanned or typed text, a found attendee, or the name of a person without a record.
package struct NewGuest: Encodable, Hashable, Sendable {
    package var scan: String?
    package var attendeeId: AttendeeID?
    package var replyId: ReplyID?
    package var name: String?
    package var door: Int?
    package var onlyAsk: Bool?
    package var leaves: Bool?
    package var anyway: Bool?
    /// Whether to let in a pass that an offline door does not know.
    package var unknown: Bool?

    package init(
        scan: String? = nil, attendee: AttendeeID? = nil, reply: ReplyID? = nil, name: String? = nil,
        door: Int? = nil, onlyAsk: Bool = false, leaves: Bool = false, anyway: Bool = false
    ) {
        self.anyway = anyway ? true : nil
        (self.scan, attendeeId, replyId, self.name, self.door) = (scan, attendee, reply, name, door)
        self.onlyAsk = onlyAsk ? true : nil
        self.leaves = leaves ? true : nil
    }
}

private struct NoFields: Encodable {}
