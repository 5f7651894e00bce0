package import Meetings
package import Wire

extension APIClient {
    /// Returns all data about the caller's account.
    package func ownData() async throws(APIError) -> PersonalDataBody { try await get("/api/v1/me/export") }

    /// Returns all data about a person of a roster that a host may see.
    package func data(of person: PersonID, in id: MeetingID) async throws(APIError) -> PersonalDataBody {
        try await get("/api/v1/meetings/\(id)/roster/\(person)/export")
    }

    /// Erases a person from a roster, with all records of the meeting's sessions.
    package func erase(_ person: PersonID, of id: MeetingID) async throws(APIError) {
        _ = try await send(APICall("POST", "/api/v1/meetings/\(id)/roster/\(person)/erase"))
    }

    /// Returns the action log of a meeting, newest first.
    package func actions(in id: MeetingID) async throws(APIError) -> [ActionBody] {
        try await all("/api/v1/meetings/\(id)/actions", [:])
    }
}
