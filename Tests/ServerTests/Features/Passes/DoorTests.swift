import Journal
import Meetings
import Testing
import Wire

@testable import Server

/// Tests of the routes for doors: for stewards, by number, by name, and with an undo.
@Suite struct DoorTests {
    /// A meeting that expects two people of the name Kim, with a steward at the door.
    private struct Hall {
        let site: Site
        let cast: Cast
        var door: String { "/api/v1/sessions/\(cast.session)/door" }

        func json<Body: Decodable>(
            _ type: Body.Type, _ method: String, _ path: String, _ json: String? = nil,
            as holder: Holder = .steward
        ) async throws -> Body {
            let answer = try await site.send(method, path, bearer: cast[holder], json: json)
            #expect(answer.status == 200, "\(answer.text)")
            return try WireJSON.decode(Body.self, from: answer.body)
        }

        func admit(_ fields: String) async throws -> DoorBody {
            try await json(DoorBody.self, "POST", door, "{\(fields)}")
        }

        func find(_ text: String) async throws -> DoorPeopleBody {
            try await json(DoorPeopleBody.self, "GET", "\(door)/people?q=\(text)")
        }
    }

    private func inHall(_ body: (Hall) async throws -> Void) async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            for (name, address) in [("Kim", "jisoo"), ("Kim", "minsu"), ("Lee", "lee")] {
                _ = try await site.storage.perform(
                    AddPerson(
                        meeting: cast.meeting,
                        draft: PersonDraft(name: name, email: "\(address)@example.org"), actor: cast.owner))
            }
            try await body(Hall(site: site, cast: cast))
        }
    }

    @Test func `a steward lists the door, lets in by address and by name, and undoes`() async throws {
        try await inHall { hall in
            let doors = try await hall.json(Page<DoorSessionBody>.self, "GET", "/api/v1/doors").items
            #expect(doors.map(\.id) == [hall.cast.session] && doors[0].meetingName == "Meeting")
            #expect(doors[0].counts.checkedIn == 1 && doors[0].counts.awaited == 3)
            let lee = try await hall.admit(#""scan": "LEE@example.org", "door": 2"#)
            #expect(lee.verdict == .admitted && lee.name == "Lee")
            #expect(lee.counts?.checkedIn == 2 && lee.counts?.awaited == 2)
            let kims = try await hall.find("ki")
            #expect(kims.items.map(\.name) == ["Kim", "Kim"] && !kims.hasMore)
            #expect(Set(kims.items.map(\.hint)) == ["ji…", "mi…"])
            #expect(try await hall.find("le").items.map(\.hint) == [nil])
            let first = try #require(kims.items[0].attendeeId)
            let kim = try await hall.admit(#""attendeeId": "\#(first)", "door": 2"#)
            #expect(kim.verdict == .admitted && kim.name == "Kim")
            func atDoor() async throws -> DoorCounts {
                try await hall.json(DoorSessionBody.self, "GET", "\(hall.door)?door=2").counts
            }
            #expect(try await atDoor().atDoor == 2)
            let undone = try await hall.site.send(
                "POST", "\(hall.door)/undo", bearer: hall.cast[.steward],
                json: #"{"sequence": \#(try #require(kim.sequence))}"#)
            #expect(undone.status == 204, "\(undone.text)")
            let after = try await atDoor()
            #expect(after.atDoor == 1 && after.checkedIn == 2 && after.awaited == 2)
        }
    }

    @Test func `a steward sees the note of the person at the door, and a newcomer's mark`() async throws {
        try await inHall { hall in
            let lee = try #require(try await hall.find("le").items[0].attendeeId)
            let attendee = try await hall.site.storage.perform(
                CorrectAttendee(attendee: lee, note: "needs help", actor: hall.cast.owner)
            ).0
            #expect(attendee.note == "needs help")
            let admitted = try await hall.admit(#""attendeeId": "\#(lee)""#)
            #expect(admitted.note == "needs help" && admitted.firstTime == nil)
            let walkIn = try await hall.admit(#""name": "Park""#)
            #expect(walkIn.verdict == .admitted && walkIn.walkIn == true && walkIn.note == nil)
        }
    }

    @Test func `the session's own codes are no passes, and the door says so`() async throws {
        try await inHall { hall in
            let code = hall.site.code(of: hall.cast.record.session)
            for text in [
                "HTTP://LOCALHOST:8080/C/\(code)", hall.cast.record.session.joinCode,
                hall.cast.record.session.joinCode.lowercased(),
            ] {
                let answer = try await hall.admit(#""scan": "\#(text)""#)
                #expect([.sessionCode, .notAPass].contains(answer.verdict) && answer.name == nil)
                if !text.contains("/") { #expect(answer.verdict == .sessionCode) }
            }
        }
    }

    @Test func `a request names exactly one guest, and a search has at least two characters`() async throws {
        try await inHall { hall in
            for body in [
                "{}", #"{"scan": "1", "name": "Kim"}"#, #"{"name": "Kim", "door": 0}"#,
                #"{"name": "Kim", "door": 100}"#, #"{"name": ""}"#,
            ] {
                let answer = try await hall.site.send(
                    "POST", hall.door, bearer: hall.cast[.steward], json: body)
                #expect(answer.status == 422, "\(body): \(answer.text)")
            }
            for query in ["", "?q=k"] {
                let answer = try await hall.site.send(
                    "GET", "\(hall.door)/people\(query)", bearer: hall.cast[.steward])
                #expect(answer.status == 422, "\(answer.text)")
            }
            let foreign = try await hall.site.cast(named: "Other")
            let answer = try await hall.site.send(
                "POST", hall.door, bearer: hall.cast[.steward],
                json: #"{"attendeeId": "\#(foreign.attendee.id)"}"#)
            #expect(answer.status == 404, "\(answer.text)")
        }
    }

    @Test func `a steward finds no meeting and no session in the lists`() async throws {
        try await inHall { hall in
            for path in ["/api/v1/meetings", "/api/v1/sessions"] {
                let own = try await hall.json(Page<JustID>.self, "GET", path).items
                let viewers = try await hall.json(Page<JustID>.self, "GET", path, as: .viewer).items
                #expect(own.isEmpty && !viewers.isEmpty)
            }
        }
    }

    private struct JustID: Codable, Hashable, Sendable { let id: String }
}
