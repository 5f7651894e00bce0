import Journal
import Meetings
import Testing

@testable import Server

/// Tests of requests that a client sends again under the same idempotency key.
@Suite struct IdempotencyTests {
    private let replayed = "idempotency-replayed"

    private func key(_ text: String) -> [(String, String)] { [("Idempotency-Key", text)] }

    private func person(_ cast: Cast, _ number: Int = 1) -> String {
        #"""
        {"joinCode": "\#(cast.record.session.joinCode)", "name": "Kim", \#
        "email": "kim\#(number)@example.org"}
        """#
    }

    @Test
    func `a retried check-in gets the same bytes again, whatever happened to the session meanwhile`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let first = try await site.send(
                "POST", "/api/v1/check-ins", json: person(cast), headers: key("a"))
            #expect(first.status == 201 && first[header: replayed] == nil && first.string("receipt") != nil)
            _ = try await site.arrive(3, in: cast.session)
            site.clock.set(at(200))
            let again = try await site.send(
                "POST", "/api/v1/check-ins", json: person(cast), headers: key("a"))
            #expect(again.status == 201 && again.body == first.body && again[header: replayed] == "true")
            #expect(try await site.storage.session(cast.session)?.headCount.present == 5)
            #expect(
                try await site.send("GET", "/api/v1/check-ins/current", bearer: again.string("receipt"))
                    .status == 200)
        }
    }

    @Test func `a retry gets the same answer for a grant, a receipt and an attendee already checked in`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let withGrant = #"{"grant": "\#(cast.grant)", "name": "Lee", "email": "lee@example.org"}"#
            for (name, json, bearer, status) in [
                ("grant", withGrant, nil, 201), ("again", withGrant, nil, 200),
                ("receipt", person(cast), cast[.attendee], 200),
                (
                    "elsewhere",
                    #"""
                    {"joinCode": "\#(cast.record.session.joinCode)", "name": "Lee", \#
                    "email": "lee@example.org"}
                    """#,
                    nil, 200
                ),
            ] as [(String, String, String?, Int)] {
                let first = try await site.send(
                    "POST", "/api/v1/check-ins", bearer: bearer, json: json, headers: key(name))
                _ = try await site.arrive(1, in: cast.session, named: name)
                let again = try await site.send(
                    "POST", "/api/v1/check-ins", bearer: bearer, json: json, headers: key(name))
                #expect(
                    first.status == status && again.status == status && first.body == again.body,
                    "\(name): \(again.text)")
                #expect(again[header: replayed] == "true" && first[header: replayed] == nil, "\(name)")
            }
        }
    }

    @Test func `the server refuses another body or route under a key, and keys are per caller`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let body =
                #"""
                {"name": "New", \#
                "session": {"startsAt": "2030-01-01T10:00:00Z", "endsAt": "2030-01-01T11:00:00Z"}}
                """#
            let first = try await site.send(
                "POST", "/api/v1/meetings", bearer: cast[.owner], json: body, headers: key("k"))
            #expect(first.status == 201)
            let other = body.replacing("New", with: "Old")
            let session = #"{"startsAt": "2031-01-01T10:00:00Z", "endsAt": "2031-01-01T11:00:00Z"}"#
            for (path, json) in [
                ("/api/v1/meetings", other), ("/api/v1/meetings", body + " "), ("/api/v1/meetings", "{"),
                ("/api/v1/meetings/\(cast.meeting)/sessions", session), ("/api/v1/meetings?x=1", body),
            ] {
                let answer = try await site.send(
                    "POST", path, bearer: cast[.owner], json: json, headers: key("k"))
                #expect(
                    answer.status == 409 && answer.string("code") == "idempotency_key_used",
                    "\(path): \(answer.text)")
            }
            let again = try await site.send(
                "POST", "/api/v1/meetings", bearer: cast[.owner], json: body, headers: key("k"))
            #expect(again.body == first.body && again[header: "location"] == first[header: "location"])
            let host = try await site.send(
                "POST", "/api/v1/meetings", bearer: cast[.host], json: body, headers: key("k"))
            #expect(host.status == 201 && host.string("meeting.id") != first.string("meeting.id"))
        }
    }

    @Test func `a retry gets no answer after the role was lost, and does not undo a withdrawal`() async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let session = #"{"startsAt": "2031-01-01T10:00:00Z", "endsAt": "2031-01-01T11:00:00Z"}"#
            let path = "/api/v1/meetings/\(cast.meeting)/sessions"
            #expect(
                try await site.send("POST", path, bearer: cast[.host], json: session, headers: key("s"))
                    .status == 201)
            _ = try await site.storage.perform(
                Act { transaction throws(JournalError) in
                    for member in try transaction.rows.members(of: cast.meeting) where member.role == .host {
                        try transaction.rows.setRole(nil, of: member.account, in: cast.meeting)
                    }
                })
            #expect(
                try await site.send("POST", path, bearer: cast[.host], json: session, headers: key("s"))
                    .status == 403)

            let first = try await site.send(
                "POST", "/api/v1/check-ins", json: person(cast), headers: key("p"))
            let receipt = try #require(first.string("receipt"))
            #expect(try await site.send("DELETE", "/api/v1/check-ins/current", bearer: receipt).status == 204)
            let again = try await site.send(
                "POST", "/api/v1/check-ins", json: person(cast), headers: key("p"))
            #expect(again.status == 401 && again.string("code") == "receipt_not_valid")
            #expect(try await site.storage.session(cast.session)?.headCount.present == 1)
        }
    }

    @Test func `a retry after the deletion of the meeting gets what a first request would get`() async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let withGrant = #"{"grant": "\#(cast.grant)", "name": "Lee", "email": "lee@example.org"}"#
            for (name, json) in [("grant", withGrant), ("code", person(cast))] {
                let first = try await site.send(
                    "POST", "/api/v1/check-ins", json: json, headers: key(name))
                #expect(first.status == 201)
            }
            let meeting = try #require(try await site.storage.session(cast.session)?.meeting)
            try await site.storage.perform(
                DeleteMeeting(id: meeting.id, confirmation: meeting.name, actor: cast.owner))
            for (name, json) in [("grant", withGrant), ("code", person(cast))] {
                let again = try await site.send(
                    "POST", "/api/v1/check-ins", json: json, headers: key(name))
                let fresh = try await site.send(
                    "POST", "/api/v1/check-ins", json: json, headers: key("fresh-\(name)"))
                #expect(again.string("code") == (name == "grant" ? "not_found" : "code_not_valid"))
                #expect((again.status, again.string("code")) == (fresh.status, fresh.string("code")))
            }
        }
    }

    @Test func `a retry whose code has expired meanwhile gets the first answer`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let edited = try await site.storage.perform(
                EditSession(id: cast.session, settings: .init(codeKind: .rotating), actor: cast.owner))
            let body =
                #"""
                {"code": "\#(site.code(of: edited.record.session))", "name": "Kim", \#
                "email": "kim@example.org"}
                """#
            let first = try await site.send("POST", "/api/v1/check-ins", json: body, headers: key("a"))
            site.clock.set(start + .minutes(5))
            let again = try await site.send("POST", "/api/v1/check-ins", json: body, headers: key("a"))
            #expect(first.status == 201 && again.status == 201 && again.body == first.body)
            #expect(
                try await site.send("POST", "/api/v1/check-ins", json: body, headers: key("b")).status == 422)
            #expect(try await site.send("POST", "/api/v1/check-ins", json: body).status == 422)
        }
    }

    @Test func `a refused check-in with a grant gets its refusal, even if others used the key`() async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let first = try await site.send(
                "POST", "/api/v1/check-ins", json: person(cast), headers: key("k"))
            #expect(first.status == 201)
            let withGrant = #"{"grant": "\#(cast.grant)", "name": "Lee", "email": "lee@example.org"}"#
            let forged = withGrant.replacing(cast.grant, with: "qgr_0000")
            let unknown = try await site.send(
                "POST", "/api/v1/check-ins", json: forged, headers: key("k"))
            #expect(unknown.string("code") == "grant_not_valid", "\(unknown.text)")
            site.clock.set(at(200))
            let refused = try await site.send(
                "POST", "/api/v1/check-ins", json: withGrant, headers: key("k"))
            #expect(refused.string("code") == "check_in_closed", "\(refused.text)")
            // A check-in by a typed code has the key of the route, as the first check-in had.
            let typed = try await site.send(
                "POST", "/api/v1/check-ins", json: person(cast, 2), headers: key("k"))
            #expect(typed.string("code") == "idempotency_key_used", "\(typed.text)")
        }
    }

    @Test func `the server stores an answer for a day, and deletes it with the next sweep`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let first = try await site.send(
                "POST", "/api/v1/check-ins", json: person(cast), headers: key("a"))
            await site.pass(to: start + .hours(24) - .milliseconds(1))
            #expect(
                try await site.send("POST", "/api/v1/check-ins", json: person(cast), headers: key("a")).body
                    == first.body)
            #expect(
                try await site.storage.read { rows throws(JournalError) in
                    try rows.hasStoredResponse(expiredAt: at(100_000))
                })
            await site.pass(to: start + .hours(24))
            #expect(
                try await !site.storage.read { rows throws(JournalError) in
                    try rows.hasStoredResponse(expiredAt: at(100_000))
                })
            #expect(
                try await site.send("POST", "/api/v1/check-ins", json: person(cast), headers: key("a")).status
                    == 409)
        }
    }

    @Test(arguments: ["", " ", "a b", "ключ", "a\tb", String(repeating: "k", count: 201)])
    func `a malformed key is refused with the header's name on every route that uses keys`(text: String)
        async throws
    {
        try await Site.open { site in
            for path in ["/api/v1/check-ins", "/api/v1/tokens", "/api/v1/grants"] {
                let answer = try await site.send("POST", path, json: "{}", headers: key(text))
                #expect(
                    answer.status == 422 && answer.string("errors.0.field") == "Idempotency-Key",
                    "\(path): \(answer.text)")
            }
            let twice = try await site.send(
                "POST", "/api/v1/grants", json: "{}", headers: key("a") + key("a"))
            #expect(
                twice.string("errors.0.field") == "Idempotency-Key"
                    && twice.string("errors.0.code") == "repeated")
        }
    }

    @Test func `the server accepts the shortest and longest keys, and other routes ignore a key`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            for (number, text) in ["!", "~", String(repeating: "k", count: 200)].enumerated() {
                let answer = try await site.send(
                    "POST", "/api/v1/check-ins", json: person(cast, number), headers: key(text))
                #expect(answer.status == 201)
            }
            #expect(
                try await site.send("GET", "/api/v1/me", bearer: cast[.owner], headers: key("a b")).status
                    == 200)
            let form = try await site.send(
                "POST", "/", form: "joinCode=\(cast.record.session.joinCode)", headers: key("a b"))
            #expect(form.status == 200)
        }
    }

    @Test func `many simultaneous retries are one check-in, and all get the same answer`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await site.send(
                            "POST", "/api/v1/check-ins", json: person(cast), headers: key("a"))
                    }
                }
                return try await group.reduce(into: [Answer]()) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 201 } && Set(answers.map(\.body)).count == 1)
            #expect(answers.count { $0[header: replayed] == nil } == 1)
            #expect(try await site.storage.session(cast.session)?.headCount.present == 2)
        }
    }
}
