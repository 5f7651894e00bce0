import Journal
import Meetings
import Testing
import Wire

@testable import Server

/// Tests of the routes and the page of kiosks.
@Suite struct KioskTests {
    /// A meeting that expects three people, with a kiosk.
    private struct Hall {
        let site: Site
        let cast: Cast
        var kiosk: String { "/api/v1/sessions/\(cast.session)/kiosk" }

        func send(_ path: String, _ fields: String, key: String? = nil, as holder: Holder = .kiosk)
            async throws -> Answer
        {
            try await site.send(
                "POST", path, bearer: cast[holder], json: "{\(fields)}",
                headers: key.map { [("Idempotency-Key", $0)] } ?? [])
        }

        func body(_ path: String, _ fields: String, key: String? = nil) async throws -> KioskBody {
            let answer = try await send(path, fields, key: key)
            #expect(answer.status == 200, "\(answer.text)")
            return try WireJSON.decode(KioskBody.self, from: answer.body)
        }

        func find(_ name: String, ending: String? = nil) async throws -> KioskBody {
            let more = ending.map { #", "ending": "\#($0)""# } ?? ""
            return try await body("\(kiosk)/people", #""name": "\#(name)"\#(more)"#)
        }

        func scan(_ text: String, key: String? = nil) async throws -> KioskBody {
            try await body(kiosk, #""scan": "\#(text)""#, key: key)
        }

        func pass(of person: PersonID?) async throws -> PassBody {
            let person = try #require(person)
            let passes = "/api/v1/meetings/\(cast.meeting)/passes"
            _ = try await site.send(
                "POST", passes, bearer: cast[.host], json: #"{"personId": "\#(person)"}"#)
            let answer = try await site.send("GET", "\(passes)?person=\(person)", bearer: cast[.host])
            return try #require(
                try WireJSON.decode(Page<PassBody>.self, from: answer.body).items.first {
                    $0.revokedAt == nil
                })
        }
    }

    private func inHall(
        identifyBy: IdentifyBy = .email, _ body: (Hall, [String: PersonID]) async throws -> Void
    ) async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            if identifyBy != .email {
                _ = try await site.storage.perform(
                    Act { transaction throws(JournalError) in
                        var meeting = try transaction.meeting(cast.meeting)
                        meeting.identifyBy = identifyBy
                        try transaction.update(meeting)
                    })
            }
            var people: [String: PersonID] = [:]
            for (name, address, number) in [
                ("Kim Jisoo", "jisoo", "20260041"), ("Kim Jisoo", "minsu", "20260042"),
                ("Lee Jun", "lee", "20260043"),
            ] {
                people[address] = try await site.storage.perform(
                    AddPerson(
                        meeting: cast.meeting,
                        draft: PersonDraft(
                            name: name, email: "\(address)@example.org", number: number), actor: cast.owner)
                ).id
            }
            try await body(Hall(site: site, cast: cast), people)
        }
    }

    @Test func `a guest types three letters, confirms, and is checked in once`() async throws {
        try await inHall { hall, _ in
            #expect(try await hall.find("le").state == .more)
            let found = try await hall.find("lee")
            #expect(found.state == .confirm && found.name == "lee…")
            let id = try #require(found.attendeeId)
            let confirmation = #""attendeeId": "\#(id)", "name": "lee""#
            for _ in 0..<2 {
                let admitted = try await hall.body(hall.kiosk, confirmation, key: "one")
                #expect(admitted == KioskBody(.welcome, name: "lee…"))
            }
            #expect(try await hall.body(hall.kiosk, confirmation).state == .alreadyIn)
            let attendee = try await hall.site.storage.read { rows throws(JournalError) in
                try rows.attendee(id)
            }
            #expect(attendee?.method == .door && attendee?.status == .present)
        }
    }

    @Test func `people of one name type the start of their addresses, and nobody sees a list`() async throws {
        try await inHall { hall, _ in
            #expect(try await hall.find("kim") == KioskBody(.more))
            #expect(try await hall.find("kim jisoo") == KioskBody(.ending))
            #expect(try await hall.find("kim jisoo", ending: "xx") == KioskBody(.nobody))
            let found = try await hall.find("kim jisoo", ending: "mi")
            #expect(found.state == .confirm && found.name == "Kim Jisoo")
            let id = try #require(found.attendeeId)
            let admitted = try await hall.body(
                hall.kiosk, #""attendeeId": "\#(id)", "name": "kim jisoo", "ending": "mi""#)
            #expect(admitted == KioskBody(.welcome, name: "Kim Jisoo"))
            // A name and an address that nobody has get the same answer.
            #expect(try await hall.find("park") == KioskBody(.nobody))
        }
    }

    @Test func `a pass opens the kiosk, and a revoked one, a foreign text and an address do not`()
        async throws
    {
        try await inHall { hall, people in
            let pass = try await hall.pass(of: people["lee"])
            let url = try #require(pass.url)
            for _ in 0..<2 {
                #expect(try await hall.scan(url, key: "scan") == KioskBody(.welcome, name: "Lee Jun"))
            }
            #expect(try await hall.scan(url) == KioskBody(.alreadyIn, name: "Lee Jun"))
            let lost = try await hall.pass(of: people["jisoo"])
            _ = try await hall.site.send(
                "DELETE", "/api/v1/meetings/\(hall.cast.meeting)/passes/\(lost.id)", bearer: hall.cast[.host])
            #expect(try await hall.scan(try #require(lost.url)) == KioskBody(.askStaff))
            let code = hall.cast.record.session.joinCode
            for text in ["HTTPS://QRING.EXAMPLE.ORG/P/X", "minsu@example.org", code] {
                #expect(try await hall.scan(text) == KioskBody(.noPass))
            }
        }
    }

    @Test func `a scanned number checks in without a name, if the meeting identifies by number`() async throws
    {
        try await inHall(identifyBy: .number) { hall, _ in
            let known = try await hall.scan("20260043")
            #expect(known == KioskBody(.welcome))
            #expect(try await hall.scan("20260044") == KioskBody(.nobody))
            #expect(try await hall.find("kim jisoo", ending: "42").state == .confirm)
        }
    }

    @Test func `nobody learns a name or a number before the check-in opens`() async throws {
        try await inHall(identifyBy: .number) { hall, people in
            let pass = try #require(try await hall.pass(of: people["lee"]).url)
            hall.site.clock.set(hall.cast.record.session.checkInOpensAt - .milliseconds(1))
            for name in ["lee", "kim jisoo", "park"] {
                #expect(try await hall.find(name) == KioskBody(.notNow))
            }
            for text in ["20260043", "20260044", pass] {
                #expect(try await hall.scan(text) == KioskBody(.notNow))
            }
            hall.site.clock.set(hall.cast.record.session.checkInOpensAt)
            #expect(try await hall.find("lee").state == .confirm)
        }
    }

    @Test func `the spaces in a name need not be those of the roster`() async throws {
        try await inHall { hall, _ in
            _ = try await hall.site.storage.perform(
                AddPerson(
                    meeting: hall.cast.meeting,
                    draft: PersonDraft(name: "Han   So Ra", email: "han@example.org", number: ""),
                    actor: hall.cast.owner))
            for name in ["han so", "han  so ra", "so ra"] {
                #expect(try await hall.find(name).state == .confirm, "\(name)")
            }
        }
    }

    @Test func `a person who has replied and has no seat speaks with the staff`() async throws {
        try await inHall { hall, _ in
            let session = hall.cast.session
            _ = try await hall.site.storage.perform(
                SetReplies(of: session, mode: .open, capacity: 1, code: "CODE", actor: hall.cast.owner))
            for (number, name) in ["Seo Ara", "Seo Bora"].enumerated() {
                _ = try await hall.site.storage.perform(
                    SendReply(
                        to: "CODE", name: name, identity: "p\(number)@example.org", answer: .yes,
                        guests: 0, language: "en"))
            }
            #expect(try await hall.find("seo ara").state == .confirm)
            #expect(try await hall.find("seo bora") == KioskBody(.askStaff))
            #expect(try await hall.find("seo cara") == KioskBody(.nobody))
        }
    }

    @Test func `a request names a scan or a confirmed attendee with the name`() async throws {
        try await inHall { hall, _ in
            let id = hall.cast.attendee.id
            for fields in [
                "", #""name": "Kim""#, #""attendeeId": "\#(id)""#,
                #""scan": "x", "attendeeId": "\#(id)", "name": "Person""#,
                #""attendeeId": "\#(id)", "name": "Person", "ending": """#,
            ] {
                let refused = try await hall.send(hall.kiosk, fields)
                #expect(refused.status == 422, "\(fields)")
            }
            #expect(try await hall.send("\(hall.kiosk)/people", #""name": """#).status == 422)
        }
    }

    @Test func `too many wrong names close the kiosk for names, and passes still open it`() async throws {
        try await inHall { hall, people in
            let url = try #require(try await hall.pass(of: people["lee"]).url)
            for number in 0..<FailureLimits.kioskGuesses.failures {
                // One link sends no more than the other limit in a minute.
                if number % 50 == 49 { hall.site.clock.set(hall.site.clock.now + .minutes(1)) }
                #expect(try await hall.find("zzz\(number)").state == .nobody)
            }
            for name in ["zzz", "lee"] {
                let refused = try await hall.send("\(hall.kiosk)/people", #""name": "\#(name)""#)
                #expect(refused.status == 429 && refused.string("code") == "too_many_attempts")
                #expect(refused[header: "retry-after"] != nil)
            }
            let confirmed = try await hall.send(
                hall.kiosk, #""attendeeId": "\#(hall.cast.attendee.id)", "name": "Person""#)
            #expect(confirmed.status == 429)
            #expect(try await hall.scan(url).state == .welcome)
            hall.site.clock.set(hall.site.clock.now + FailureLimits.kioskGuesses.within)
            #expect(try await hall.find("lee").state == .confirm)
        }
    }

    @Test func `a kiosk has ninety requests a minute, also of right names`() async throws {
        try await inHall { hall, _ in
            for _ in 0..<FailureLimits.kiosk.failures {
                #expect(try await hall.find("lee").state == .confirm)
            }
            for path in [hall.kiosk, "\(hall.kiosk)/people"] {
                let fields = path == hall.kiosk ? #""scan": "x""# : #""name": "lee""#
                #expect(try await hall.send(path, fields).status == 429)
            }
            // The session is shown even then.
            let shown = try await hall.site.send("GET", hall.kiosk, bearer: hall.cast[.kiosk])
            #expect(shown.status == 200)
            hall.site.clock.set(hall.site.clock.now + .minutes(1))
            #expect(try await hall.find("lee").state == .confirm)
        }
    }

    @Test func `the links of halls and kiosks open nothing of each other, with any prefix`() async throws {
        try await inHall { hall, _ in
            let code = "/api/v1/sessions/\(hall.cast.session)/qr.svg"
            func statuses(_ token: String) async throws -> [Int] {
                var found: [Int] = []
                for path in [code, hall.kiosk] {
                    found.append(try await hall.site.send("GET", path, bearer: token).status)
                }
                return found
            }
            let (hallToken, kioskToken) = (
                try #require(hall.cast[.presenter]), try #require(hall.cast[.kiosk])
            )
            #expect(try await statuses(hallToken) == [200, 401])
            #expect(try await statuses(kioskToken) == [401, 200])
            #expect(try await statuses(BearerToken.kiosk + hallToken.dropFirst(4)) == [401, 401])
            #expect(try await statuses(BearerToken.presenter + kioskToken.dropFirst(4)) == [401, 401])
            let other = try await hall.site.cast(named: "Other")
            let elsewhere = try await hall.site.send(
                "GET", "/api/v1/sessions/\(other.session)/kiosk", bearer: kioskToken)
            #expect(elsewhere.status == 401)
        }
    }

    @Test func `a link is created by a host, listed with its purpose, and ends at once`() async throws {
        try await inHall { hall, _ in
            let links = "/api/v1/sessions/\(hall.cast.session)/presenter-links"
            let made = try await hall.site.send(
                "POST", "/api/v1/sessions/\(hall.cast.session)/kiosk-links", bearer: hall.cast[.host])
            let link = try WireJSON.decode(PresenterLinkBody.self, from: made.body)
            #expect(link.url.hasSuffix("/kiosk/\(hall.cast.session)#\(link.token)"))
            #expect(link.token.hasPrefix("qkl_"))
            let listed = try await hall.site.send("GET", links, bearer: hall.cast[.host])
            let items = try WireJSON.decode(Page<PresenterLinkSummary>.self, from: listed.body).items
            #expect(items.first { $0.id == link.id }?.purpose == .kiosk)
            #expect(items.first { $0.id == hall.cast.link }?.purpose == .hall)
            func status() async throws -> Int {
                try await hall.site.send("GET", hall.kiosk, bearer: link.token).status
            }
            #expect(try await status() == 200)
            let shown = try await hall.site.send("GET", hall.kiosk, bearer: link.token)
            #expect(
                try WireJSON.decode(KioskSessionBody.self, from: shown.body).meetingName == "Meeting")
            _ = try await hall.site.send("DELETE", "\(links)/\(link.id)", bearer: hall.cast[.host])
            #expect(try await status() == 401)
            hall.site.clock.set(hall.cast.record.session.endsAt + .milliseconds(1))
            let over = try await hall.site.send("GET", hall.kiosk, bearer: hall.cast[.kiosk])
            #expect(over.status == 401)
        }
    }

    @Test func `the page holds no data of the session, in the meeting's language, and may use the camera`()
        async throws
    {
        try await inHall { hall, _ in
            let page = try await hall.site.send("GET", "/kiosk/\(hall.cast.session)?lang=ko")
            #expect(page.status == 200 && page.text.contains(#"lang="ko""#))
            #expect(page[header: "permissions-policy"]?.contains("camera=(self)") == true)
            #expect(!page.text.contains("Meeting") && !page.text.contains("Lee"))
            #expect(try await hall.site.send("GET", "/kiosk/x").status == 404)
        }
    }
}
