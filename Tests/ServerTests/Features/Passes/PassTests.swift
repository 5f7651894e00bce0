import Journal
import Meetings
import Testing
import Wire

@testable import Server

/// Tests of the routes for personal passes, of the door, and of the page of a pass.
@Suite struct PassTests {
    /// A meeting that expects Kim and Lee, with the caller who is a host.
    private struct Hall {
        let site: Site
        let cast: Cast
        let kim: PersonID
        var passes: String { "/api/v1/meetings/\(cast.meeting)/passes" }
        var door: String { "/api/v1/sessions/\(cast.session)/door" }

        func json<Body: Decodable>(
            _ type: Body.Type, _ method: String, _ path: String, _ json: String? = nil, status: Int = 200
        ) async throws -> Body {
            let answer = try await site.send(method, path, bearer: cast[.host], json: json)
            #expect(answer.status == status, "\(answer.text)")
            return try WireJSON.decode(Body.self, from: answer.body)
        }

        /// Gives Kim a pass, and returns it.
        func pass(for session: SessionID? = nil) async throws -> PassBody {
            let only = session.map { #", "sessionId": "\#($0)""# } ?? ""
            _ = try await json(
                PassesCreatedBody.self, "POST", passes, #"{"personId": "\#(kim)"\#(only)}"#)
            let found = try await json(Page<PassBody>.self, "GET", "\(passes)?person=\(kim)").items
            return try #require(found.last { $0.revokedAt == nil && $0.sessionId == session })
        }

        func scan(_ text: String) async throws -> DoorBody {
            try await json(DoorBody.self, "POST", door, #"{"scan": "\#(text)"}"#)
        }
    }

    private func inHall(_ body: (Hall) async throws -> Void) async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            func add(_ name: String) async throws -> PersonID {
                try await site.storage.perform(
                    AddPerson(
                        meeting: cast.meeting,
                        draft: PersonDraft(name: name, email: "\(name.lowercased())@example.org"),
                        actor: cast.owner)
                ).id
            }
            let kim = try await add("Kim")
            _ = try await add("Lee")
            try await body(Hall(site: site, cast: cast, kim: kim))
        }
    }

    @Test func `the door admits a person by the address of a pass, and then says since when they are in`()
        async throws
    {
        try await inHall { hall in
            let url = try #require(try await hall.pass().url)
            #expect(url.contains("/P/") && !url.contains("Kim") && url == url.uppercased())
            let first = try await hall.scan(url)
            #expect(first.verdict == .admitted && first.name == "Kim" && first.status == .present)
            hall.site.clock.set(at(5))
            let code = try #require(url.split(separator: "/").last)
            let second = try await hall.scan(code.lowercased())
            #expect(second.verdict == .alreadyIn && second.checkedInAt == first.checkedInAt)
            #expect(second.attendeeId == first.attendeeId)
        }
    }

    @Test func `a repeated request with its key gets the first verdict again`() async throws {
        try await inHall { hall in
            let body = #"{"scan": "\#(try #require(try await hall.pass().url))"}"#
            for _ in 0..<2 {
                let answer = try await hall.site.send(
                    "POST", hall.door, bearer: hall.cast[.host], json: body,
                    headers: [("Idempotency-Key", "scan-1")])
                #expect(try WireJSON.decode(DoorBody.self, from: answer.body).verdict == .admitted)
            }
        }
    }

    @Test func `the door names the fault of each pass that it refuses`() async throws {
        try await inHall { hall in
            let later = try await hall.site.storage.perform(
                ContinueMeeting(
                    meeting: hall.cast.meeting, startsAt: at(300), endsAt: at(360), actor: hall.cast.owner))
            let other = try #require(try await hall.pass(for: later.session.id).url)
            let elsewhere = try await hall.scan(other)
            #expect(elsewhere.verdict == .notForThisSession && elsewhere.name == "Kim")
            let lost = try await hall.pass()
            let new = try await hall.json(
                PassBody.self, "POST", "\(hall.passes)/\(lost.id)/renew", status: 201)
            let refused = try await hall.scan(try #require(lost.url))
            #expect(refused.verdict == .revoked && refused.name == "Kim")
            for text in ["", "X", "HTTPS://QRING.EXAMPLE.ORG/P/X", "https://example.org"] where text != "" {
                let answer = try await hall.scan(text)
                #expect(answer.verdict == .notAPass && answer.name == nil)
            }
            // Another person's id under the same signature.
            let url = try #require(new.url)
            let forged =
                String(url.dropLast(110)) + (url.dropLast(109).last == "0" ? "1" : "0")
                + url.suffix(109)
            #expect(try await hall.scan(forged).verdict == .notAPass)
            #expect(try await hall.scan(url).verdict == .admitted)
        }
    }

    @Test func `passes of an earlier key open the door after a rotation, and the next ones have another key`()
        async throws
    {
        try await inHall { hall in
            let old = try await hall.pass()
            let key = try await hall.json(
                PassKeyBody.self, "POST", "/api/v1/meetings/\(hall.cast.meeting)/pass-keys", status: 201)
            #expect(key.number == 2)
            let new = try await hall.pass()
            #expect(new.id == old.id && new.url != old.url)
            for (pass, verdict) in [(old, DoorVerdict.admitted), (new, .alreadyIn)] {
                #expect(try await hall.scan(try #require(pass.url)).verdict == verdict)
            }
        }
    }

    @Test func `the whole roster gets passes, and the list continues page by page`() async throws {
        try await inHall { hall in
            let made = try await hall.json(PassesCreatedBody.self, "POST", hall.passes, "{}")
            #expect(made == PassesCreatedBody(created: 2, existing: 0))
            _ = try await hall.pass(for: hall.cast.session)
            var (seen, cursor): ([PassBody], String?) = ([], nil)
            repeat {
                let next = cursor.map { "&cursor=\($0)" } ?? ""
                let page = try await hall.json(
                    Page<PassBody>.self, "GET", "\(hall.passes)?limit=1\(next)")
                seen += page.items
                cursor = page.nextCursor
            } while cursor != nil
            #expect(seen.map(\.name) == ["Kim", "Kim", "Lee"])
            #expect(Set(seen.map(\.id)).count == 3 && seen.allSatisfy { $0.url != nil })
            let revoked = try await hall.site.send(
                "DELETE", "\(hall.passes)/\(seen[2].id)", bearer: hall.cast[.host])
            #expect(revoked.status == 204)
            let left = try await hall.json(Page<PassBody>.self, "GET", hall.passes).items
            #expect(left.map { $0.url == nil } == [false, false, true])
        }
    }

    @Test func `the page of a pass does nothing, is the same for any text, and stays out of the log`()
        async throws
    {
        try await inHall { hall in
            let url = try #require(try await hall.pass().url)
            let code = try #require(url.split(separator: "/").last)
            let page = try await hall.site.send("GET", "/P/\(code)")
            let other = try await hall.site.send("GET", "/p/x")
            #expect(page.status == 200 && page.text == other.text)
            #expect(page[header: "set-cookie"] == nil && !page.text.contains("Kim"))
            let people = try await hall.site.storage.read { rows throws(JournalError) in
                try rows.session(hall.cast.session)?.headCount.pending
            }
            #expect(people == 2)
            #expect(!hall.site.log.all.contains { $0.contains(code) || $0.contains("/p/x") })
            #expect(hall.site.log.all.contains { $0.contains("/P/…") && !$0.contains("127.0.0.1") })
        }
    }
}
