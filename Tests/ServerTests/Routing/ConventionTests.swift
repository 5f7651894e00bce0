import Foundation
import HTTPServer
import Journal
import Meetings
import Testing

@testable import Server

/// Tests of the conventions that many routes follow.
@Suite struct ConventionTests {
    @Test func `every route except the rooms' route ignores an Upgrade header`() async throws {
        try await Site.open { site in
            // With this header, the request of an event stream has another form, and reaches the HTTP server.
            for route in RouteTable.all where route.pattern != "/rooms/events" {
                let method = route.method.rawValue
                let plain = try await site.send(method, route.pattern)
                for protocols in ["h2c", "websocket", "`V}"] {
                    let answer = try await site.send(
                        method, route.pattern, headers: [("Upgrade", protocols), ("Connection", "Upgrade")])
                    #expect(
                        (answer.status, answer.string("code")) == (plain.status, plain.string("code")),
                        "\(method) \(route.pattern)")
                    #expect(
                        (answer[header: "upgrade"] == "websocket") == (route.pattern == "/rooms"),
                        "\(method) \(route.pattern)")
                }
            }
            let refused = try await site.send("GET", "/rooms")
            #expect((refused.status, refused.string("code")) == (426, "upgrade_refused"))
        }
    }

    @Test func `a static file is 304 without a body if the browser has it, and HEAD is GET without a body`()
        async throws
    {
        try await Site.open { site in
            let file = try await site.send("GET", "/page.css")
            let tag = try #require(file[header: "etag"])
            #expect(file.status == 200 && !file.body.isEmpty)
            let again = try await site.send("GET", "/page.css", headers: [("If-None-Match", tag)])
            #expect(again.status == 304 && again.body.isEmpty && again[header: "etag"] == tag)
            #expect(
                try await site.send("GET", "/page.css", headers: [("If-None-Match", "\"other\"")]).status
                    == 200)
            for path in ["/page.css", "/healthz", "/", "/readyz", "/openapi.json"] {
                let get = try await site.send("GET", path)
                let head = try await site.send("HEAD", path)
                #expect(head.status == get.status && head.body.isEmpty, "\(path)")
                #expect(head[header: "content-length"] == get[header: "content-length"], "\(path)")
                #expect(head[header: "content-type"] == get[header: "content-type"], "\(path)")
            }
        }
    }

    @Test func `another method is 405 with the allowed methods, and an unknown path is 404`() async throws {
        try await Site.open { site in
            for (method, path, allowed) in [
                ("PUT", "/api/v1/me", "DELETE, GET, PATCH, HEAD"), ("GET", "/api/v1/grants", "POST"),
                ("DELETE", "/readyz", "GET, HEAD"),
            ] {
                let answer = try await site.send(method, path)
                #expect(answer.status == 405 && answer.string("code") == "method_not_allowed")
                #expect(answer[header: "allow"] == allowed)
                #expect(answer.string("requestId") == answer[header: "x-request-id"])
            }
            for path in ["/nothing", "/api/v1/nothing", "/api/v1/meetings/", "/api/v1/sessions/x/y", "/C"] {
                #expect(
                    try await site.send("GET", path).status == (path == "/api/v1/meetings/" ? 401 : 404),
                    "\(path)")
            }
        }
    }

    @Test func `a problem has its code, its request's id and the caller's language`() async throws {
        try await Site.open { site in
            let english = try await site.send("GET", "/api/v1/me")
            #expect(english.status == 401 && english[header: "content-type"] == "application/problem+json")
            #expect(english[header: "www-authenticate"] == "Bearer")
            #expect(english.string("code") == "not_signed_in" && english.int("status") == 401)
            #expect(english.string("requestId") == english[header: "x-request-id"])
            let korean = try await site.send(
                "GET", "/api/v1/me", headers: [("Accept-Language", "pt, ko-KR;q=0.8, en;q=0.5")])
            let title = try #require(korean.string("title"))
            #expect(
                title != english.string("title")
                    && title.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) })
            // The language in the address has precedence over the language that the browser prefers.
            let asked = try await site.send("GET", "/api/v1/me?lang=en", headers: [("Accept-Language", "ko")])
            #expect(asked.string("title") == english.string("title"))
            #expect(try await site.send("GET", "/api/v1/me?lang=ko").string("title") == title)
            #expect(
                try await site.send("GET", "/api/v1/me", headers: [("Accept-Language", "pt")]).string("title")
                    == english.string("title"))
            // A browser gets the problem as a page, in its language.
            let page = try await site.send(
                "GET", "/C/NOTACODE", headers: [("Accept-Language", "ko"), ("Accept", "text/html")])
            #expect(page.status == 422 && page[header: "content-type"]?.hasPrefix("text/html") == true)
            #expect(page.text.contains("lang=\"ko\""))
        }
    }

    @Test func `a meeting's sessions are listed newest first, in pages without gaps or duplicates`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            _ = try await site.storage.perform(
                Act { transaction throws(JournalError) in
                    for round in 2...120 {
                        _ = try ContinueMeeting(
                            meeting: cast.meeting, startsAt: at(round * 100), endsAt: at(round * 100 + 60),
                            actor: cast.owner
                        ).run(in: transaction)
                    }
                })
            let path = "/api/v1/meetings/\(cast.meeting)/sessions"
            let pages = try await site.pages(path, bearer: cast[.viewer], limit: 50) { page in
                (page.json("items") as? [[String: Any]] ?? []).compactMap { $0["round"] as? Int }
            }
            #expect(pages.map(\.count) == [50, 50, 20])
            #expect(pages.flatMap { $0 } == Array((1...120).reversed()))
            let controls = Cursor("1", "\u{0}").text
            for query in [
                "limit=0", "limit=201", "limit=x", "cursor=%21", "cursor=AAAA", "cursor=\(controls)",
            ] {
                #expect(
                    try await site.send("GET", "\(path)?\(query)", bearer: cast[.viewer]).status == 422,
                    "\(query)")
            }
        }
    }

    @Test func `attendees are listed without gaps or duplicates, by status and by a part of the name`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let people = try await site.arrive(119, in: cast.session)
            let path = "/api/v1/sessions/\(cast.session)/attendees"
            let pages = try await site.pages(path, bearer: cast[.viewer], limit: 7) { $0.items("id") }
            #expect(pages.count == 18)
            #expect(Set(pages.flatMap { $0 }) == Set(people.map(\.id.text) + [cast.attendee.id.text]))
            #expect(pages.flatMap { $0 }.count == 120)
            #expect(
                try await site.send("GET", "\(path)?q=p11&limit=200", bearer: cast[.viewer]).items("name")
                    .sorted()
                    == (110...118).map { "P\($0)" }.reduce(into: ["P11"]) { $0.append($1) }.sorted())
            #expect(
                try await site.send("GET", "\(path)?status=late", bearer: cast[.viewer]).items("id").isEmpty)
            #expect(
                try await site.send("GET", "\(path)?status=present&limit=200", bearer: cast[.viewer]).items(
                    "id"
                ).count == 120)
            #expect(try await site.send("GET", "\(path)?status=asleep", bearer: cast[.viewer]).status == 422)
        }
    }

    @Test func `the journal lists events in order, after the given sequence`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            _ = try await site.arrive(30, in: cast.session)
            let path = "/api/v1/sessions/\(cast.session)/journal"
            let pages = try await site.pages("\(path)?since=2", bearer: cast[.viewer], limit: 10) { page in
                (page.json("items") as? [[String: Any]] ?? []).compactMap { $0["sequence"] as? Int }
            }
            #expect(pages.flatMap { $0 } == Array(3...32))
            #expect(try await site.send("GET", "\(path)?since=-1", bearer: cast[.viewer]).status == 422)
        }
    }

    @Test func `pages list running and upcoming meetings by start, then ended meetings, newest first`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast(named: "running", from: -10, to: 60)
            let times: [(String, Int, Int)] = [
                ("ended long ago", -500, -400), ("later", 300, 400), ("ended just now", -100, -1),
                ("running longer", -90, 10),
                ("next", 100, 200),
            ]
            for (name, from, to) in times {
                let meeting = Meeting(id: .makeTimeless(), name: name, createdAt: at(0))
                let session = Session(
                    id: .makeTimeless(), meetingID: meeting.id, round: 1, startsAt: at(from), endsAt: at(to),
                    joinCode: JoinCode.random())
                _ = try await site.storage.perform(
                    CreateMeeting(
                        meeting: meeting, session: session, sets: [], owner: cast.owner, allowOverlap: true))
            }
            let expected = ["running longer", "running", "next", "later", "ended just now", "ended long ago"]
            #expect(
                try await site.send("GET", "/api/v1/meetings", bearer: cast[.owner]).items("name") == expected
            )
            let pages = try await site.pages("/api/v1/meetings", bearer: cast[.owner], limit: 1) {
                $0.items("name")
            }
            #expect(pages.flatMap { $0 } == expected)
        }
    }

    @Test func `only a client on this machine may read the metrics`() async throws {
        try await Site.open { site in
            let responder = Responder(services: site.services, routes: RouteTable.all, files: StaticFiles())
            for (peer, status) in [
                ("127.0.0.1", 200), ("127.9.9.9", 200), ("::1", 200), ("192.0.2.7", 403),
                ("2001:db8::1", 403),
                ("1270.0.0.1", 403),
            ] {
                let head = HTTPRequestHead(
                    method: "GET", path: "/metrics",
                    headers: HTTPHeaders([(name: "Host", value: "localhost:8080")]), peer: peer)
                #expect(await responder.respond(to: HTTPRequest(head: head)).status == status, "\(peer)")
            }
            // A proxy on this machine may send no header about its client. Its requests still name the public
            // host, so the server refuses them.
            for host in ["qring.example.org", "192.0.2.1:8080", ""] {
                let head = HTTPRequestHead(
                    method: "GET", path: "/metrics", headers: HTTPHeaders([(name: "Host", value: host)]),
                    peer: "127.0.0.1")
                #expect(await responder.respond(to: HTTPRequest(head: head)).status == 403, "\(host)")
            }
            for header in ["X-Forwarded-For", "Forwarded"] {
                #expect(
                    try await site.send("GET", "/metrics", headers: [(header, "192.0.2.7")]).status == 403)
            }
            let cast = try await site.cast()
            _ = try await site.send(
                "POST", "/api/v1/check-ins",
                json: #"{"grant": "\#(cast.grant)", "name": "Kim", "email": "k@example.org"}"#)
            let text = try await site.send("GET", "/metrics").text
            // The cast contains one attendee who has checked in.
            #expect(text.contains("\nqring_check_ins_total 2\n"))
            #expect(text.contains("qring_http_requests_total{class=\"2xx\"} 1\n"))
        }
    }

    @Test func `a request's log line has the id of its response, and never a code`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let code = CheckInCode.text(of: cast.record.session, at: site.clock.now, keys: site.keys)
            let poster = MeetingCode.text(of: cast.record.meeting, keys: site.keys)
            let answers = [
                try await site.send("GET", "/C/\(code)?another=1"),
                try await site.send("GET", "/c/\(code.lowercased())"),
                try await site.send("GET", "/M/\(poster)"),
                try await site.send("GET", "/api/v1/me", bearer: cast[.owner]),
                try await site.send("GET", "/nothing"),
            ]
            for answer in answers {
                let id = try #require(answer[header: "x-request-id"])
                try await eventually("a line with \(id)") {
                    site.log.all.contains { $0.contains("\"request\":\"\(id)\"") }
                }
            }
            for line in site.log.all {
                for secret in [code, poster, cast.record.session.joinCode, cast[.owner] ?? "?"] {
                    #expect(!line.lowercased().contains(secret.lowercased()))
                }
            }
            #expect(
                site.log.all.contains {
                    $0.contains("\"path\":\"\\/C\\/…\"") || $0.contains("\"path\":\"/C/…\"")
                })
        }
    }

    @Test func `the log line of a feedback response has no client address`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let answer = try await site.send(
                "POST", "/api/v1/sessions/\(cast.session)/responses", bearer: cast[.attendee],
                json: #"{"answers": {"\#(cast.firstQuestion)": 4}}"#)
            let id = try #require(answer[header: "x-request-id"])
            try await eventually("a line with \(id)") { site.log.all.contains { $0.contains(id) } }
            let line = try #require(site.log.all.first { $0.contains(id) })
            #expect(!line.contains("127.0.0.1"))
        }
    }
}

extension Site {
    /// Returns all pages of a list by following its cursors.
    func pages<Item>(_ path: String, bearer: String?, limit: Int, _ items: (Answer) -> [Item]) async throws
        -> [[Item]]
    {
        var all: [[Item]] = []
        var cursor: String?
        repeat {
            let separator = path.contains("?") ? "&" : "?"
            let answer = try await send(
                "GET", "\(path)\(separator)limit=\(limit)" + (cursor.map { "&cursor=\($0)" } ?? ""),
                bearer: bearer)
            #expect(answer.status == 200)
            all.append(items(answer))
            cursor = answer.string("nextCursor")
        } while cursor != nil && all.count < 200
        return all
    }
}
