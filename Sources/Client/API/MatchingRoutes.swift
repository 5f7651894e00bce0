package import Meetings
internal import Outbound
package import Wire

/// The change of a session's settings for groups of interest. A nil field does not change.
package struct MatchSettingsChange: Encodable, Hashable, Sendable {
    package var open: Bool?
    package var promise: AudienceQuestion.Promise?
    package var places: [String]?

    package init(open: Bool? = nil, promise: AudienceQuestion.Promise? = nil, places: [String]? = nil) {
        self.open = open
        self.promise = promise
        self.places = places
    }
}

extension APIClient {
    private func path(_ session: SessionID) -> String { "/api/v1/sessions/\(session)/matching" }

    // MARK: For members

    /// Returns the settings and counts.
    package func matchSettings(of session: SessionID) async throws(APIError) -> MatchSettingsBody {
        try await get("\(path(session))-settings")
    }

    /// Changes the settings, and returns the new ones.
    package func editMatching(of session: SessionID, _ change: MatchSettingsChange, seen: Seen)
        async throws(APIError) -> MatchSettingsBody
    {
        let call = APICall("PATCH", "\(path(session))-settings", body: change)
        return try decode(MatchSettingsBody.self, from: try await send(call.editing(seen)))
    }

    /// Returns the reports: those that no host has dealt with first.
    package func matchReports(of session: SessionID) async throws(APIError) -> Page<MatchReportBody> {
        try await get("\(path(session))/reports")
    }

    /// Closes a report, or excludes the reported person. A nil value changes nothing.
    package func handle(
        _ report: MatchReportID, in session: SessionID, closed: Bool? = nil, excluded: Bool? = nil
    ) async throws(APIError) -> MatchReportBody {
        struct Change: Encodable {
            let closed: Bool?
            let excluded: Bool?
        }
        let call = APICall(
            "PATCH", "\(path(session))/reports/\(report)", body: Change(closed: closed, excluded: excluded))
        return try decode(MatchReportBody.self, from: try await send(call))
    }

    // MARK: For attendees. The bearer must be a receipt.

    /// Returns the groups of interest, as the attendee sees them.
    /// - Parameter keyword: lists only candidates with this keyword; nil for all.
    package func matching(in session: SessionID, keyword: String? = nil) async throws(APIError)
        -> MatchingBody
    {
        try await get(path(session), ["keyword": keyword])
    }

    /// Asks a person to meet.
    package func askToMeet(
        _ person: MatchProfileID, in session: SessionID, idempotencyKey: String = APICall.randomKey()
    ) async throws(APIError) -> MatchRequestBody {
        try await post(
            "\(path(session))/requests", ["to": person.text], headers: [("Idempotency-Key", idempotencyKey)])
    }

    /// Accepts or declines a request, or withdraws the attendee's own one.
    package func answer(_ request: MatchRequestID, in session: SessionID, accept: Bool)
        async throws(APIError) -> MatchRequestBody
    {
        let call = APICall("PATCH", "\(path(session))/requests/\(request)", body: ["accept": accept])
        return try decode(MatchRequestBody.self, from: try await send(call))
    }

    /// Ends the attendee's meeting.
    package func endMatch(in session: SessionID) async throws(APIError) {
        _ = try await send(APICall("DELETE", "\(path(session))/match"))
    }

    /// Blocks a person, and reports the person to the hosts if there is a text.
    package func block(_ person: MatchProfileID, in session: SessionID, reporting text: String? = nil)
        async throws(APIError) -> MatchBlocksBody
    {
        struct Block: Encodable {
            let person: String
            let text: String?
        }
        let kind = text == nil ? "blocks" : "reports"
        return try await post("\(path(session))/\(kind)", Block(person: person.text, text: text))
    }
}
