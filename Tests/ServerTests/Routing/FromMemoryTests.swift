import HTTPServer
import Meetings
import Phrases
import Testing
import Wire

@testable import Journal
@testable import Server

/// Tests of the reads that the server answers from memory: after every change, and at every time, they answer
/// as if the server had read the rows.
@Suite struct FromMemoryTests {
    /// Answers a GET request on the HTTP loop. Returns nil if the server would read the rows.
    private func answerFromMemory(_ path: String, _ site: Site, bearer: String? = nil) -> HTTPResponse? {
        let responder = Responder(services: site.services, routes: RouteTable.all, files: StaticFiles())
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let head = HTTPRequestHead(
            method: "GET", path: parts[0], rawQuery: parts.count == 2 ? parts[1] : "",
            headers: HTTPHeaders(
                [("host", "a")] + (bearer.map { [("authorization", "Bearer \($0)")] } ?? [])),
            peer: "127.0.0.1")
        guard case .accept(_, let context, _, _, _) = responder.admit(head) else { return nil }
        return responder.respondAtOnce(to: HTTPRequest(head: head, context: context))
    }

    /// Whether other nodes may commit, so that the server remembers nothing.
    private func sharesDatabase(_ site: Site) -> Bool { site.storage.revision == nil }

    private func paths(_ cast: Cast) -> [String] {
        let session = "/api/v1/sessions/\(cast.session)"
        return [session, "\(session)/results", "\(session)/qr.png", "\(session)/qr.svg?size=1"]
    }

    private func page(_ cast: Cast, _ site: Site) -> String {
        "/c/\(CheckInCode.text(of: cast.record.session, at: site.services.codeClock.now, keys: site.keys))"
    }

    private func checkIn(_ name: String, _ cast: Cast, _ site: Site) async throws {
        let code = CheckInCode.text(
            of: cast.record.session, at: site.services.codeClock.now, keys: site.keys)
        let answer = try await site.send(
            "POST", "/api/v1/check-ins",
            json: #"{"code": "\#(code)", "name": "\#(name)", "email": "\#(name)@example.org"}"#)
        #expect(answer.status == 201)
    }

    @Test func `the second answer comes from memory, and equals the first`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            for path in paths(cast) {
                #expect(answerFromMemory(path, site, bearer: cast[.viewer]) == nil)
                let first = try await site.send("GET", path, bearer: cast[.viewer])
                let second = try await site.send("GET", path, bearer: cast[.viewer])
                #expect(first.status == 200 && second.status == 200 && first.body == second.body)
                func names(_ answer: Answer) -> [String] { answer.headers.map(\.name).sorted() }
                #expect(names(first) == names(second))
                #expect(first[header: "etag"] == second[header: "etag"])
                var known = answerFromMemory(path, site, bearer: cast[.viewer])
                // The server's own commits, such as those soon after a start, end what it remembers.
                for _ in 0..<20 where known == nil && !sharesDatabase(site) {
                    #expect(try await site.send("GET", path, bearer: cast[.viewer]).status == 200)
                    known = answerFromMemory(path, site, bearer: cast[.viewer])
                }
                #expect(known?.body == (sharesDatabase(site) ? nil : first.body))
                let head = try await site.send("HEAD", path, bearer: cast[.viewer])
                #expect(head.status == 200 && head.body.isEmpty)
                #expect(head[header: "content-length"] == "\(first.body.count)")
                // The memory of one member's answers admits nobody else.
                for other in [Holder.nobody, .stranger, .expired, .attendee] {
                    #expect(answerFromMemory(path, site, bearer: cast[other]) == nil)
                    let answer = try await site.send("GET", path, bearer: cast[other])
                    #expect([401, 403].contains(answer.status))
                }
            }
        }
    }

    @Test func `a session from memory is encoded as SessionBody encodes it`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let answer = try await site.send("GET", paths(cast)[0], bearer: cast[.viewer])
            let body = try WireJSON.decode(SessionBody.self, from: answer.body)
            #expect(answer.body == WireJSON.bytes(body))
        }
    }

    @Test(arguments: ["sign-out", "removal", "deletion of the meeting", "deletion of the session", "time"])
    func `what the server remembers ends with the right`(end: String) async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            for path in paths(cast) {
                let answer = try await site.send("GET", path, bearer: cast[.viewer])
                #expect(answer.status == 200)
            }
            let viewer = try #require(
                try await site.send("GET", "/api/v1/me", bearer: cast[.viewer]).string("id"))
            let expected: Int
            switch end {
            case "sign-out":
                let out = try await site.send("DELETE", "/api/v1/tokens/current", bearer: cast[.viewer])
                #expect(out.status == 204)
                expected = 401
            case "removal":
                let removed = try await site.send(
                    "DELETE", "/api/v1/meetings/\(cast.meeting)/members/\(viewer)", bearer: cast[.owner])
                #expect(removed.status == 204)
                expected = 403
            case "deletion of the meeting":
                let deleted = try await site.send(
                    "DELETE", "/api/v1/meetings/\(cast.meeting)?confirm=Meeting", bearer: cast[.owner])
                #expect(deleted.status == 204)
                expected = 404
            case "deletion of the session":
                try await site.storage.perform(
                    DeleteSession(id: cast.session, confirmation: "Meeting", actor: cast.owner))
                expected = 404
            default:
                site.clock.set(at(2881))
                expected = 401
            }
            for path in paths(cast) {
                #expect(answerFromMemory(path, site, bearer: cast[.viewer]) == nil)
                #expect(try await site.send("GET", path, bearer: cast[.viewer]).status == expected)
            }
        }
    }

    @Test func `remembered answers show check-ins, responses and edits at once`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let (session, results) = (paths(cast)[0], paths(cast)[1])
            func get(_ path: String) async throws -> Answer {
                try await site.send("GET", path, bearer: cast[.viewer])
            }
            for count in 1...4 {
                for _ in 0..<2 {
                    #expect(try await get(session).int("attendance.checkedIn") == count)
                    #expect(try await get(results).int("responses") == 0)
                }
                try await checkIn("p\(count)", cast, site)
            }
            let response = try await site.send(
                "POST", "/api/v1/sessions/\(cast.session)/responses", bearer: cast[.attendee],
                json: #"{"answers": {"\#(cast.firstQuestion)": 5}, "promise": "anonymous"}"#)
            #expect(response.status == 201, "\(response.text)")
            #expect(try await get(results).int("responses") == 1)
            #expect(try await get(results).json("responseRate") as? Double == 0.2)
            try await checkIn("late", cast, site)
            #expect(try await get(results).json("responseRate") as? Double == 0.167)
            #expect(try await get(session).int("feedback.responses") == 1)
            let renamed = try await site.send(
                "PATCH", "/api/v1/meetings/\(cast.meeting)", bearer: cast[.owner],
                json: #"{"name": "Renamed"}"#)
            #expect(renamed.status == 200)
            #expect(try await get(session).string("meetingName") == "Renamed")
            let edited = try await site.storage.perform(
                EditSession(id: cast.session, endsAt: at(90), renewsCode: true, actor: cast.owner))
            let seen = try await get(session)
            #expect(seen.int("version") == edited.record.session.version)
            #expect(seen[header: "etag"] == "\"v\(edited.record.session.version)\"")
            #expect(seen.string("joinCode") == edited.record.session.joinCode)
        }
    }

    @Test func `answers from memory show a new phase without a commit`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let (session, results) = (paths(cast)[0], paths(cast)[1])
            let page = page(cast, site)
            func get(_ path: String) async throws -> Answer {
                try await site.send("GET", path, bearer: cast[.viewer])
            }
            var phases: [String] = []
            for minute in [-30, -29, 0, 1, 30, 31, 61, 62, 1000, 1001] {
                site.clock.set(at(minute))
                let shown = try await get(session)
                let body = SessionBody(
                    cast.record.session, of: cast.record.meeting, headCount: cast.record.headCount,
                    feedback: cast.record.feedback, at: at(minute))
                #expect(shown.string("phase") == body.phase.rawValue)
                #expect(shown.json("checkInOpen") as? Bool == body.checkInOpen)
                #expect(shown.json("feedbackOpen") as? Bool == body.feedbackOpen)
                #expect(shown.int("attendance.absent") == body.attendance.absent)
                #expect(try await get(results).json("open") as? Bool == body.feedbackOpen)
                #expect(try await site.send("GET", page).status == (body.checkInOpen ? 200 : 409))
                phases.append(body.phase.rawValue)
            }
            #expect(Set(phases).count > 2)
        }
    }

    @Test func `each remembered check-in page has its own grant, in the language of the phone`() async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let page = page(cast, site)
            func grant(_ answer: Answer) -> String? {
                answer.text.firstMatch(of: #/name="grant" value="(qgr_[0-9A-Z]+)"/#).map { String($0.1) }
            }
            #expect(answerFromMemory(page, site) == nil)
            var grants: Set<String> = []
            for path in [page, page.uppercased(), page] {
                let answer = try await site.send("GET", path)
                #expect(answer.status == 200 && answer[header: "cache-control"] == "no-store")
                let found = try #require(grant(answer))
                #expect(grants.insert(found).inserted)
                let cookies = answer.headers.filter { $0.name == "set-cookie" }.map(\.value)
                #expect(cookies.count == 2 && cookies[0].hasPrefix("qring_grant=\(found);"))
                #expect(answer.text.contains(#"<form method="post" action="\#(path)" "#))
            }
            #expect((answerFromMemory(page, site) == nil) == sharesDatabase(site))
            let packed = try await site.send("GET", page, headers: [("Accept-Encoding", "gzip")])
            #expect(packed[header: "content-encoding"] == "gzip" && packed.body.starts(with: [0x1F, 0x8B]))
            let plain = try await site.send("GET", page)
            #expect(packed[header: "vary"] == plain[header: "vary"])
            #expect(packed.body.count < plain.body.count && plain[header: "content-encoding"] == nil)
            let script = try await site.send(
                "GET", page, headers: [("Accept-Encoding", "gzip"), ("Sec-Fetch-Dest", "empty")])
            #expect(script.body.count < packed.body.count && script[header: "content-encoding"] == "gzip")
            for _ in 0..<2 {
                let korean = try await site.send("GET", page, headers: [("Accept-Language", "ko")])
                #expect(korean.text.contains(Phrase.Page.checkIn.text(in: .korean)))
                let chosen = try await site.send("GET", "\(page)?lang=ko")
                #expect(chosen.text.contains(Phrase.Page.checkIn.text(in: .korean)))
                #expect(chosen.headers.contains { $0.value.hasPrefix("qring_lang=ko") })
            }
            let given = try #require(grant(try await site.send("GET", page)))
            let posted = try await site.send(
                "POST", page, form: "grant=\(given)&name=Kim&email=kim%40example.org",
                headers: [("Cookie", "qring_grant=\(given)")])
            #expect(posted.status == 200)
            // The phone's own page comes before the form.
            let receipt = try #require(
                posted.headers.first { $0.value.hasPrefix("qring_receipt_") }?.value.split(separator: ";")[0])
            let own = try await site.send("GET", page, headers: [("Cookie", String(receipt))])
            #expect(own.status == 200 && grant(own) == nil)
        }
    }

    @Test func `a remembered check-in page follows the meeting, its questions and the codes`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let page = page(cast, site)
            for _ in 0..<2 { #expect(try await site.send("GET", page).text.contains("<h1>Meeting</h1>")) }
            let renamed = try await site.send(
                "PATCH", "/api/v1/meetings/\(cast.meeting)", bearer: cast[.owner],
                json: #"{"name": "A & B", "language": "de"}"#)
            #expect(renamed.status == 200)
            for _ in 0..<2 {
                let shown = try await site.send("GET", page).text
                #expect(shown.contains("<h1>A &amp; B</h1>") && shown.contains(#"<html lang="de">"#))
                let korean = try await site.send("GET", page, headers: [("Accept-Language", "ko")])
                #expect(korean.text.contains(#"<html lang="ko">"#))
            }
            let asked = try await site.send(
                "PUT", "/api/v1/sessions/\(cast.session)/questions?set=check-in", bearer: cast[.owner],
                json: #"{"questions": [{"kind": "shortAnswer", "title": "Vegetarian?"}]}"#)
            #expect(asked.status == 200, "\(asked.text)")
            for _ in 0..<2 { #expect(try await site.send("GET", page).text.contains("Vegetarian?")) }
            try await checkIn("kim", cast, site)
            for _ in 0..<2 { #expect(try await site.send("GET", page).text.contains("Vegetarian?")) }
            _ = try await site.storage.perform(
                EditSession(id: cast.session, renewsCode: true, actor: cast.owner))
            #expect(try await site.send("GET", page).status == 422)
            try await site.storage.perform(
                DeleteSession(id: cast.session, confirmation: "A & B", actor: cast.owner))
            #expect(try await site.send("GET", page).status == 422)
        }
    }

    @Test func `a page made from rows older than the last commit is not stored`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let context = RequestContext(
                HTTPRequest(head: HTTPRequestHead(method: "GET", path: "/", peer: "127.0.0.1")),
                parameters: [:], route: nil,
                languages: RequestedLanguages(query: nil, cookie: nil, acceptLanguage: nil),
                requestID: "1", services: site.services, forwarded: nil)
            let renamed = try await site.send(
                "PATCH", "/api/v1/meetings/\(cast.meeting)", bearer: cast[.owner],
                json: #"{"name": "Renamed"}"#)
            #expect(renamed.status == 200)
            _ = try await KnownForm(of: cast.record, context)
            let page = page(cast, site)
            for _ in 0..<2 { #expect(try await site.send("GET", page).text.contains("<h1>Renamed</h1>")) }
        }
    }

    @Test func `an expired rotating code is not accepted from memory`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let session = try await site.storage.perform(
                EditSession(id: cast.session, settings: .init(codeKind: .rotating), actor: cast.owner)
            ).record.session
            func path() -> String {
                "/c/\(CheckInCode.text(of: session, at: site.services.codeClock.now, keys: site.keys))"
            }
            let (first, image) = (path(), "/api/v1/sessions/\(cast.session)/qr.png")
            for _ in 0..<2 { #expect(try await site.send("GET", first).status == 200) }
            let drawn = try await site.send("GET", image, bearer: cast[.viewer]).body
            #expect(try await site.send("GET", image, bearer: cast[.viewer]).body == drawn)
            let shown = try await site.send("GET", paths(cast)[0], bearer: cast[.viewer])
            site.clock.set(start + .minutes(3))
            #expect(try await site.send("GET", first).status == 422)
            #expect(try await site.send("GET", path()).status == 200)
            #expect(try await site.send("GET", image, bearer: cast[.viewer]).body != drawn)
            let later = try await site.send("GET", paths(cast)[0], bearer: cast[.viewer])
            #expect(later.string("joinCode") != shown.string("joinCode"))
        }
    }

    @Test func `a revision cache has limits, and forgets all values of an earlier revision`() {
        let counter = Revision.Counter()
        let first = counter.current
        let cache = RevisionCache<Int, Int>(most: 10, mostBytes: 100)
        for number in 0..<1000 {
            cache.store(number, number, bytes: 20, at: first)
            #expect(cache.value(number, at: first) == number)
            #expect((0..<1000).count { cache.value($0, at: first) != nil } <= 5)
        }
        // A value that is stored again counts once.
        for _ in 0..<10 { cache.store(1, 999, bytes: 20, at: first) }
        #expect(cache.value(998, at: first) == 998)
        cache.store(1, 1, bytes: 101, at: first)
        #expect(cache.value(1, at: first) == nil)
        counter.advance()
        let second = counter.current
        #expect(first < second)
        #expect(cache.value(999, at: second) == nil)
        // A slow reader of the earlier rows stores nothing.
        cache.store(7, 7, at: first)
        #expect(cache.value(7, at: second) == nil && cache.value(7, at: first) == nil)
    }
}
