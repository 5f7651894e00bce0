import Journal
import Meetings
import Testing
import Wire

@testable import Server

/// Tests of the routes for hosts who ask for replies, and of the pages on which people reply.
@Suite struct ReplyTests {
    /// A session with two seats that takes replies.
    private struct Hall {
        let site: Site
        let cast: Cast
        let code: String
        var session: String { "/api/v1/sessions/\(cast.session)" }

        func json<Body: Decodable>(
            _ type: Body.Type, _ method: String, _ path: String, _ json: String? = nil,
            as holder: Holder = .host
        ) async throws -> Body {
            let answer = try await site.send(
                method, path, bearer: cast[holder], json: json,
                headers: method == "PATCH" ? [("If-Match", "*")] : [])
            #expect(answer.status == 200, "\(answer.text)")
            return try WireJSON.decode(Body.self, from: answer.body)
        }

        func send(_ number: Int, _ answer: String = "yes", guests: Int = 0) async throws -> Answer {
            try await site.send(
                "POST", "/R/\(code)",
                form: "name=P\(number)&email=p\(number)%40example.org&answer=\(answer)&guests=\(guests)")
        }

        /// Sends a reply, and returns the path of the person's own page.
        func reply(_ number: Int, _ answer: String = "yes", guests: Int = 0) async throws -> String {
            let sent = try await send(number, answer, guests: guests)
            #expect(sent.status == 303, "\(sent.text)")
            return try #require(sent[header: "location"])
        }

        func settings() async throws -> ReplySettingsBody {
            try await json(ReplySettingsBody.self, "GET", "\(session)/reply-settings")
        }

        func replies(_ status: Reply.Status) async throws -> [ReplyBody] {
            try await json(Page<ReplyBody>.self, "GET", "\(session)/replies?status=\(status.rawValue)").items
        }
    }

    private func inHall(
        _ settings: String = #"{"mode": "open", "capacity": 2, "mostGuests": 1}"#,
        _ body: (Hall) async throws -> Void
    ) async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let before = Hall(site: site, cast: cast, code: "")
            let made = try await before.json(
                ReplySettingsBody.self, "PATCH", "\(before.session)/reply-settings", settings)
            let code = try #require(made.url?.split(separator: "/").last)
            try await body(Hall(site: site, cast: cast, code: String(code)))
        }
    }

    @Test func `a person replies on the page, and changes the reply by the own link`() async throws {
        try await inHall { hall in
            for code in [hall.code, hall.code.lowercased()] {
                let page = try await hall.site.send("GET", "/R/\(code)")
                #expect(page.status == 200 && page.text.contains("2 seats left"))
            }
            let own = try await hall.reply(1, guests: 1)
            #expect(own.hasPrefix("/R/own/"))
            let page = try await hall.site.send("GET", own)
            #expect(page.status == 200 && page.text.contains("You are coming with 1 guest"))
            // The page says nothing about the person: the roster may know more than the reader.
            #expect(!page.text.contains("p1@example.org"))
            let again = try await hall.send(1, "no")
            #expect(again.status == 409 && again.string("code") == "already_replied")
            let waits = try await hall.site.send("GET", try await hall.reply(2))
            #expect(waits.text.contains("You are on the waiting list"))
            let changed = try await hall.site.send("POST", own, form: "answer=no")
            #expect(changed.status == 303)
            let counts = try await hall.settings().counts
            #expect(counts.accepted == 1 && counts.no == 1 && counts.waiting == 0 && counts.seats == 1)
        }
    }

    @Test func `the proof of the address ends the link on the page, which a stranger may have`()
        async throws
    {
        try await inHall { hall in
            let own = try await hall.reply(1)
            let id = try #require(try await hall.replies(.accepted).first).id
            let mailed = ReplyLink(id, isMailed: true).path(keys: hall.site.keys)
            #expect(try await hall.site.send("GET", mailed).text.contains("name=\"confirm\""))
            #expect(try await hall.site.send("GET", own).text.contains("Change my reply"))
            #expect(try await hall.site.send("POST", mailed, form: "confirm=1").status == 303)
            for answer in [
                try await hall.site.send("GET", own),
                try await hall.site.send("POST", own, form: "answer=no"),
            ] {
                #expect(answer.status == 200 && answer.text.contains("This link has ended"))
                #expect(!answer.text.contains("You are coming"))
            }
            let confirmed = try await hall.site.send("GET", mailed).text
            #expect(confirmed.contains("Your e-mail address is confirmed"))
            #expect(confirmed.contains("You are coming") && !confirmed.contains("name=\"confirm\""))
        }
    }

    @Test func `a person of the roster need not confirm the address, and costs no message with a code`()
        async throws
    {
        try await inHall { hall in
            _ = try await hall.site.storage.perform(
                AddPerson(
                    meeting: hall.cast.meeting,
                    draft: PersonDraft(name: "P1", email: "p1@example.org", number: ""),
                    actor: hall.cast.owner))
            func used() -> Int {
                hall.site.services.codeBudgets.report(on: .mail, at: hall.site.clock.now).used
            }
            _ = try await hall.reply(1)
            #expect(try await hall.send(1).status == 409)
            #expect(used() == 0)
            let id = try #require(try await hall.replies(.accepted).first).id
            let mailed = ReplyLink(id, isMailed: true).path(keys: hall.site.keys)
            #expect(try await !hall.site.send("GET", mailed).text.contains("name=\"confirm\""))
            _ = try await hall.reply(2)
            #expect(used() == 1)
            // Only a reply counts, and not a form with faults.
            _ = try await hall.site.send("POST", "/R/\(hall.code)", form: "name=P&email=x&answer=yes")
            #expect(used() == 1)
        }
    }

    @Test func `the page says what is wrong, and unknown links are no pages`() async throws {
        try await inHall { hall in
            for (form, said) in [
                ("name=&email=p%40example.org&answer=yes", "name-error"),
                ("name=P&email=nobody&answer=yes", "email-error"),
                ("name=P&email=p%40example.org", "role=\"alert\""),
                ("name=P&email=p%40example.org&answer=yes&guests=2", "guests-error"),
                ("name=P&email=p%40example.org&answer=yes&guests=x", "guests-error"),
            ] {
                let answer = try await hall.site.send("POST", "/R/\(hall.code)", form: form)
                #expect(answer.status == 422 && answer.text.contains(said), "\(form): \(answer.text)")
            }
            #expect(try await hall.settings().counts.all == 0)
            let own = try await hall.reply(1)
            let token = try #require(own.split(separator: "?").first)
            for path in ["/R/0000000000000000", "/R/own/\(hall.code)", "\(token.dropLast())0Z"] {
                #expect(try await hall.site.send("GET", path).status == 404, "\(path)")
            }
            let full = try await hall.site.send("POST", own, form: "answer=yes&guests=1")
            #expect(full.status == 303)
            _ = try await hall.json(
                ReplySettingsBody.self, "PATCH", "\(hall.session)/reply-settings", #"{"renewLink": true}"#)
            #expect(try await hall.site.send("GET", "/R/\(hall.code)").status == 404)
            #expect(try await hall.site.send("GET", own).status == 200)
        }
    }

    @Test func `a host approves, declines, removes and exports`() async throws {
        try await inHall(#"{"mode": "approval", "capacity": 1}"#) { hall in
            for number in 1...3 { _ = try await hall.reply(number) }
            let requests = try await hall.replies(.requested)
            #expect(requests.map(\.name) == ["P1", "P2", "P3"])
            func decide(_ index: Int, _ body: String) async throws -> Reply.Status {
                try await hall.json(
                    ReplyBody.self, "POST", "\(hall.session)/replies/\(requests[index].id)/decision", body
                ).status
            }
            #expect(try await decide(0, #"{"approve": true}"#) == .accepted)
            #expect(try await decide(1, #"{"approve": true}"#) == .waiting)
            #expect(try await decide(1, #"{"approve": true, "beyondCapacity": true}"#) == .accepted)
            #expect(try await decide(2, #"{"approve": false}"#) == .declined)
            let settings = try await hall.settings()
            #expect(settings.counts.seats == 2 && settings.freeSeats == 0)
            let file = try await hall.site.send(
                "GET", "\(hall.session)/replies.csv?headings=keys", bearer: hall.cast[.viewer])
            #expect(file.text.hasPrefix("name,email,number,reply,guests,changedAt\r\n"))
            #expect(file.text.contains("P3,p3@example.org,,declined by the host,0,"))
            let image = try await hall.site.send(
                "GET", "\(hall.session)/reply-qr.svg", bearer: hall.cast[.viewer])
            #expect(image.status == 200 && image.text.contains("<svg"))
            let removed = try await hall.site.send(
                "DELETE", "\(hall.session)/replies/\(requests[0].id)", bearer: hall.cast[.host])
            #expect(removed.status == 204)
            #expect(try await hall.settings().counts.all == 2)
        }
    }

    @Test func `the door shows the seats, finds who waits, and asks`() async throws {
        try await inHall { hall in
            _ = try await hall.reply(1, guests: 1)
            _ = try await hall.reply(2)
            let door = "\(hall.session)/door"
            let counts = try await hall.json(DoorSessionBody.self, "GET", door, as: .steward).counts
            #expect(counts.capacity == 2 && counts.taken == 1)
            let found = try await hall.json(
                DoorPeopleBody.self, "GET", "\(door)/people?q=p2", as: .steward)
            let waiting = try #require(found.items.first)
            #expect(found.items.count == 1 && waiting.attendeeId == nil && waiting.reply?.status == .waiting)
            let id = try #require(waiting.replyId)
            func admit(_ body: String) async throws -> DoorBody {
                try await hall.json(DoorBody.self, "POST", door, body, as: .steward)
            }
            #expect(try await admit(#"{"replyId": "\#(id)"}"#).verdict == .waiting)
            let full = try await admit(#"{"scan": "p1@example.org"}"#)
            #expect(full.verdict == .full && full.reply?.guests == 1 && full.counts?.taken == 1)
            let admitted = try await admit(#"{"scan": "p1@example.org", "anyway": true}"#)
            #expect(admitted.verdict == .admitted && admitted.counts?.taken == 3)
            #expect(
                admitted.reply
                    == DoorReplyBody(
                        Reply(
                            id: id, sessionID: hall.cast.session, name: "", identity: "", status: .accepted,
                            guests: 1,
                            language: "en", createdAt: at(0))))
        }
    }

    @Test func `one address replies a limited number of times in an hour`() async throws {
        try await inHall(#"{"mode": "open"}"#) { hall in
            for number in 0..<FailureLimits.reply.failures {
                let status = try await hall.send(number).status
                #expect(status == 303)
            }
            let over = try await hall.send(1_000)
            #expect(over.status == 429 && over[header: "retry-after"] != nil)
            #expect(try await hall.settings().counts.all == FailureLimits.reply.failures)
        }
    }
}
