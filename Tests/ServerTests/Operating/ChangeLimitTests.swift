import Journal
import Meetings
import Testing

@testable import Server

@Suite struct ChangeLimitTests {
    private let account = AccountID(high: 1, low: 1)

    @Test func `an account spends 10,000 units at once, and then ten a second`() {
        let limits = ChangeLimits()
        #expect(limits.wait(account, spending: 9_999, at: .seconds(5)) == nil)
        #expect(limits.wait(account, spending: 1, at: .seconds(5)) == nil)
        #expect(limits.wait(account, spending: 1, at: .seconds(5)) == 1)
        #expect(limits.wait(AccountID(high: 1, low: 2), spending: 1, at: .seconds(5)) == nil)
        #expect(limits.wait(account, spending: 1, at: .milliseconds(5_099)) == 1)
        #expect(limits.wait(account, spending: 1, at: .milliseconds(5_100)) == nil)
        #expect(limits.wait(account, spending: 10_000, at: .milliseconds(5_100)) == 1_001)
        // Even the largest change passes after a pause. The next change waits until all of it is regained.
        #expect(limits.wait(account, spending: 100_000, at: .seconds(1_006)) == nil)
        #expect(limits.wait(account, spending: 1, at: .seconds(1_006)) == 9_001)
        #expect(limits.wait(account, spending: 1, at: .seconds(10_007)) == nil)
    }

    @Test func `copies of question sets cost their bytes, in each session of a series`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let changes = site.services.changes
            func left() -> Int {
                (0...ChangeLimits.mostUnits).last {
                    changes.canSpend($0, cast.owner, at: site.clock.elapsed)
                } ?? 0
            }
            func send(_ method: String, _ path: String, _ json: String) async throws -> Int {
                let before = left()
                let answer = try await site.send(method, path, bearer: cast[.owner], json: json)
                #expect((200..<300).contains(answer.status), "\(path)")
                return before - left()
            }
            let session = "/api/v1/sessions/\(cast.session)"
            let title = String(repeating: "a", count: 200)
            let question = #"{"kind": "yesNo", "title": "\#(title)"}"#
            let questions = Array(repeating: question, count: 50).joined(separator: ",")
            _ = try await send("PUT", "\(session)/questions?set=large", #"{"questions": [\#(questions)]}"#)
            let copied = try await send("POST", "\(session)/polls", #"{"copyOf": "large"}"#)
            #expect((1 + 50 * 200 / 4_096...10).contains(copied))
            let one = try await send(
                "POST", "/api/v1/meetings/\(cast.meeting)/sessions",
                #"{"startsAt": "2027-01-01T10:00:00Z", "endsAt": "2027-01-01T11:00:00Z"}"#)
            #expect(one >= 2 * copied - 2)
            let five = try await send(
                "POST", "/api/v1/meetings/\(cast.meeting)/sessions/repeat", #"{"rule": "weekly", "count": 5}"#
            )
            #expect((5 * (one - 2)...5 * (one + 1)).contains(five))
        }
    }

    @Test func `a host over the limit gets 429, reads and signs out, and people still check in`() async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let (path, edit) = ("/api/v1/sessions/\(cast.session)", #"{"lateAfterMinutes": 5}"#)
            let changes = site.services.changes
            let spent = ChangeLimits.mostUnits - 1
            #expect(changes.wait(cast.owner, spending: spent, at: site.clock.elapsed) == nil)
            #expect(try await site.send("PATCH", path, bearer: cast[.owner], json: edit).status == 200)
            let refused = try await site.send("PATCH", path, bearer: cast[.owner], json: edit)
            #expect((refused.status, refused.string("code")) == (429, "too_many_changes"))
            #expect(refused[header: "retry-after"] == "1")
            #expect(try await site.send("GET", path, bearer: cast[.owner]).status == 200)
            #expect(try await site.send("PATCH", path, bearer: cast[.host], json: edit).status == 200)
            let code = cast.record.session.joinCode
            #expect(
                try await site.send(
                    "POST", "/api/v1/check-ins",
                    json: #"{"joinCode": "\#(code)", "name": "New", "email": "new@example.org"}"#
                ).status == 201)
            site.clock.set(start + .milliseconds(100))
            #expect(try await site.send("PATCH", path, bearer: cast[.owner], json: edit).status == 200)
            #expect(
                try await site.send("DELETE", "/api/v1/tokens/current", bearer: cast[.owner]).status == 204)
        }
    }

    @Test func `large bodies and new sessions of a large roster cost more than one unit`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let changes = site.services.changes
            func left() -> Int {
                (0...ChangeLimits.mostUnits).last {
                    changes.canSpend($0, cast.owner, at: site.clock.elapsed)
                } ?? 0
            }
            let people = (1...320).map { #"{"name": "P\#($0)", "email": "p\#($0)@example.org"}"# }
            let body = #"{"people": [\#(people.joined(separator: ","))]}"#
            let before = left()
            #expect(
                try await site.send(
                    "PUT", "/api/v1/meetings/\(cast.meeting)/roster", bearer: cast[.owner], json: body
                ).status == 200)
            let imported = left()
            // The sample meeting has one open session, in which each person of the roster gets a slot.
            #expect(before - imported == 1 + body.utf8.count / 4_096 + 320 / ChangeLimits.slotsInUnit)
            #expect(
                try await site.send(
                    "POST", "/api/v1/meetings/\(cast.meeting)/sessions", bearer: cast[.owner],
                    json: #"{"startsAt": "2027-01-01T10:00:00Z", "endsAt": "2027-01-01T11:00:00Z"}"#
                ).status == 201)
            #expect(imported - left() == 1 + 320 / ChangeLimits.slotsInUnit)
        }
    }
}
