package import Meetings
internal import Outbound
package import Wire

/// The request body that adds a person to a roster. If `attendeeId` is set, the server adds this walk-in
/// attendee.
package struct NewPerson: Encodable, Sendable {
    package var name: String?
    package var email: String?
    package var number: String?
    package var attendeeId: AttendeeID?
    /// False refuses a person whose name is on the roster already.
    package var allowSameName: Bool?

    package init() {}
}

/// The request body of a change to a person. A nil field does not change. An empty e-mail address or number
/// removes the stored one.
package struct PersonChange: Encodable, Hashable, Sendable {
    package var name: String?
    package var email: String?
    package var number: String?
    package var archived: Bool?

    package init() {}
}

/// The request body that creates the next sessions of a meeting.
package struct NewSeries: Encodable, Sendable {
    package var rule: RepeatRequest.Rule
    package var every: Int?
    package var on: [Weekday]?
    package var count: Int
    package var startsAt: Instant?
    package var endsAt: Instant?
    package var allowOverlap: Bool?

    package init(_ rule: RepeatRequest.Rule, count: Int) {
        self.rule = rule
        self.count = count
    }
}

extension APIClient {
    /// Returns the people of a roster, sorted by name.
    package func roster(
        of id: MeetingID, matching text: String? = nil, archived: Bool = false, absentInARow: Int? = nil
    ) async throws(APIError) -> [PersonBody] {
        try await all(
            "/api/v1/meetings/\(id)/roster",
            ["q": text, "archived": archived ? "true" : nil, "absentInARow": absentInARow.map { String($0) }])
    }

    /// Returns the absences of the people of a roster, sorted by name.
    /// - Parameter met: whether to return only the people who meet the meeting's rule.
    package func absences(of id: MeetingID, met: Bool = false) async throws(APIError) -> [AbsencesBody] {
        try await all("/api/v1/meetings/\(id)/absences", ["met": met ? "true" : nil])
    }

    /// Adds a person to a roster, and returns the person.
    package func add(_ person: NewPerson, to id: MeetingID) async throws(APIError) -> PersonBody {
        try await post("/api/v1/meetings/\(id)/roster", person)
    }

    /// Adds everybody who came to a session to the roster.
    /// - Parameter session: nil means the meeting's session that started last.
    package func keepEverybody(of session: SessionID?, in id: MeetingID) async throws(APIError) -> KeptBody {
        struct Request: Encodable { let sessionId: SessionID? }
        return try await post("/api/v1/meetings/\(id)/roster/keep", Request(sessionId: session))
    }

    /// Returns the roster's entity tag (`ETag`).
    package func rosterTag(of id: MeetingID) async throws(APIError) -> String {
        let answer = try await send(APICall("GET", "/api/v1/meetings/\(id)/roster", ["limit": "1"]))
        guard let tag = answer.headers["etag"] else {
            throw .notQRing(url: server.url, status: answer.status)
        }
        return tag
    }

    /// Replaces a roster with the rows of a CSV file.
    /// - Parameter dryRun: the server only answers what it would change.
    package func importRoster(
        _ file: [UInt8], to id: MeetingID, seen: Seen, dryRun: Bool = false,
        following follower: JobFollower = JobFollower()
    ) async throws(APIError) -> RosterImportBody {
        var call = APICall("PUT", "/api/v1/meetings/\(id)/roster", ["dryRun": dryRun ? "true" : nil])
        call.body = file
        call.headers = [("Content-Type", "text/csv")]
        return try await sendLong(call.editing(seen), follower) { $0.roster }
    }

    /// Changes a person on a roster, and returns the new version.
    package func edit(_ person: PersonID, of id: MeetingID, _ change: PersonChange, seen: Seen)
        async throws(APIError) -> PersonBody
    {
        let call = APICall("PATCH", "/api/v1/meetings/\(id)/roster/\(person)", body: change)
        return try decode(PersonBody.self, from: try await send(call.editing(seen)))
    }

    /// Creates the next sessions of a meeting, and returns them in order.
    package func `repeat`(
        _ id: MeetingID, _ series: NewSeries, following follower: JobFollower = JobFollower()
    ) async throws(APIError) -> [SessionBody] {
        let call = APICall(
            "POST", "/api/v1/meetings/\(id)/sessions/repeat", body: series,
            headers: [("Idempotency-Key", APICall.randomKey())])
        let page: Page<SessionBody> = try await sendLong(call, follower) {
            $0.sessions.map { Page(items: $0, nextCursor: nil) }
        }
        return page.items
    }

    // MARK: Files

    /// Returns the sessions of a meeting as an iCalendar file (RFC 5545).
    package func calendar(of id: MeetingID) async throws(APIError) -> [UInt8] {
        try await file("/api/v1/meetings/\(id)/calendar.ics")
    }

    /// Returns the poster of a meeting as HTML or as PDF.
    package func poster(of id: MeetingID, html: Bool) async throws(APIError) -> [UInt8] {
        try await file("/api/v1/meetings/\(id)/poster.\(html ? "html" : "pdf")")
    }

    /// Returns the attendance of a session as a CSV table.
    package func attendanceFile(of id: SessionID, _ table: TableQuery) async throws(APIError) -> [UInt8] {
        try await file("/api/v1/sessions/\(id)/attendance.csv", table.fields)
    }

    /// Returns the attendance sheet of a session as an HTML page to print.
    package func sheet(of id: SessionID) async throws(APIError) -> [UInt8] {
        try await file("/api/v1/sessions/\(id)/sheet.html")
    }

    private func file(_ path: String, _ query: KeyValuePairs<String, String?> = [:]) async throws(APIError)
        -> [UInt8]
    {
        try await send(APICall("GET", path, query)).body
    }
}
