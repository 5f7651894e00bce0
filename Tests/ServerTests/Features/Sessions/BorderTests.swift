import Foundation
import Journal
import Meetings
import Testing
import WebSockets

@testable import Server

/// Tests of the end of a session, with a clock that only the test moves: the last moment counts, and one
/// minute later nothing does. The absent are absent by the clock alone.
@Suite(.timeLimit(.minutes(1))) struct BorderTests {
    /// Every way to check in at a moment: a code, a join code, and a new grant by the API; the page with a
    /// new scan; and the grants that the API and the page gave at minute 30.
    private struct Ways {
        let site: Site
        let cast: Cast
        let path: String
        let early: (grant: String, cookie: String)

        init(_ site: Site, _ cast: Cast) async throws {
            (self.site, self.cast) = (site, cast)
            path = "/C/\(site.code(of: cast.record.session))"
            early = try await Self.scan(path, site)
        }

        /// Opens the page by the code. Returns the grant of its form, with the cookie.
        static func scan(_ path: String, _ site: Site) async throws -> (grant: String, cookie: String) {
            let page = try await site.send("GET", path)
            let cookie = try #require(
                page[header: "set-cookie"]?.split(separator: ";").first.map(String.init))
            return (try #require(cookie.split(separator: "=").last.map(String.init)), cookie)
        }

        func checkIn(_ field: String, _ value: String, _ name: String) async throws -> Answer {
            try await site.send(
                "POST", "/api/v1/check-ins",
                json: #"{"\#(field)": "\#(value)", "name": "\#(name)", "email": "\#(name)@example.org"}"#)
        }

        func exchange() async throws -> Answer {
            try await site.send(
                "POST", "/api/v1/grants", json: #"{"code": "\#(site.code(of: cast.record.session))"}"#)
        }

        func form(_ scan: (grant: String, cookie: String), _ name: String) async throws -> Answer {
            try await site.send(
                "POST", path, form: "grant=\(scan.grant)&name=\(name)&email=\(name)%40example.org",
                headers: [("Cookie", scan.cookie)])
        }
    }

    @Test func `at the end a check-in is accepted, in the API, on the page, by code and by grant`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            await site.pass(to: at(30))
            let ways = try await Ways(site, cast)
            await site.pass(to: at(60))
            let code = site.code(of: cast.record.session)
            #expect(try await ways.checkIn("code", code, "code").status == 201)
            #expect(
                try await ways.checkIn("joinCode", cast.record.session.joinCode, "join").status == 201)
            let grant = try #require(try await ways.exchange().string("grant"))
            #expect(try await ways.checkIn("grant", grant, "grant").status == 201)
            #expect(try await ways.checkIn("grant", ways.early.grant, "early").status == 201)
            let page = try await Ways.scan(ways.path, site)
            #expect(try await ways.form(page, "page").status == 200)
            let count = try #require(try await site.storage.session(cast.session)).headCount
            #expect(count.checkedIn == 6)
        }
    }

    @Test func `one minute after the end a check-in is refused, in the API, on the page, by code and grant`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            await site.pass(to: at(30))
            let ways = try await Ways(site, cast)
            await site.pass(to: at(61))
            let code = site.code(of: cast.record.session)
            for answer in [
                try await ways.checkIn("code", code, "code"),
                try await ways.checkIn("joinCode", cast.record.session.joinCode, "join"),
                try await ways.checkIn("grant", ways.early.grant, "early"), try await ways.exchange(),
            ] {
                #expect(answer.status == 409 && answer.string("code") == "check_in_closed", "\(answer.text)")
            }
            for page in [try await site.send("GET", ways.path), try await ways.form(ways.early, "page")] {
                #expect(page.status == 409 && !page.text.contains("name=\"grant\""), "\(page.text)")
            }
            let count = try #require(try await site.storage.session(cast.session)).headCount
            #expect(count.checkedIn == 1)
        }
    }

    @Test func `the absent are absent after the end without any request, in rooms, home, files and mail`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            try await site.storage.perform(
                Act { transaction throws(JournalError) in
                    for (name, email) in [("Came", "came0@example.org"), ("Missing", "missing@example.org")] {
                        _ = try AddPerson(
                            meeting: cast.meeting, draft: PersonDraft(name: name, email: email, number: ""),
                            actor: cast.owner
                        ).run(in: transaction)
                    }
                    _ = try EditMeeting(id: cast.meeting, reminders: .english, actor: cast.owner)
                        .run(in: transaction)
                })
            _ = try await site.arrive(1, in: cast.session, named: "came")
            let room = try await site.watch("session:\(cast.session)", bearer: cast[.owner])
            let home = try await site.watch("home", bearer: cast[.owner])
            #expect(await room.hear("snapshot")?.int("snapshot.session.attendance.awaited") == 1)
            #expect(await home.hear("snapshot") != nil)
            func status() async throws -> String? {
                let file = try await site.send(
                    "GET", "/api/v1/sessions/\(cast.session)/attendance.csv", bearer: cast[.owner])
                return file.text.split(whereSeparator: \.isNewline).first { $0.contains("Missing") }
                    .map(String.init)
            }
            await site.pass(to: at(60))
            #expect(try await status()?.lowercased().contains("awaited") == true)
            await site.pass(to: at(60) + .milliseconds(1))
            let frame = try #require(await room.hear("attendance"))
            #expect(frame.int("attendance.absent") == 1 && frame.int("attendance.awaited") == 0)
            var session = try #require(await home.hear("session"))
            while session.string("session.phase") != "ended" {
                session = try #require(await home.hear("session"))
            }
            #expect(session.int("session.attendance.absent") == 1)
            #expect(session.int("session.attendance.awaited") == 0)
            #expect(try await status()?.lowercased().contains("absent") == true)
            // The mail about feedback goes to the people who came.
            func mails(to address: String) async throws -> Int {
                try await site.storage.read { rows throws(JournalError) in
                    try rows.mailCount(to: IdentityKey(address), of: .meetings, since: start, limit: 9)
                }
            }
            try await eventually("the mail about feedback") {
                try await mails(to: "came0@example.org") == 1
            }
            #expect(try await mails(to: "missing@example.org") == 0)
        }
    }
}
