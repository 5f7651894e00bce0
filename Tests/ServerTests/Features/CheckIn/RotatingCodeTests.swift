import Journal
import Meetings
import Testing

@testable import Server

struct RotatingCodeTests {
    private let moment = Duration.milliseconds(1)

    /// Runs `body` with a running session whose codes rotate. The clock is at the moment when a new code and
    /// a new join code are first shown.
    private func site(_ body: (Site, Cast, Session) async throws -> Void) async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let edited = try await site.storage.perform(
                EditSession(id: cast.session, settings: .init(codeKind: .rotating), actor: cast.owner))
            site.clock.set(shown)
            try await body(site, cast, edited.record.session)
        }
    }

    /// The start of a join code's period, about ten minutes into the session.
    private var shown: Instant {
        let period = CodeSchedule.joinCodePeriod
        return CodeSchedule.shownAt(CodeSchedule.counter(at: at(10), every: period), every: period)
    }

    private func expect(
        _ status: Int, _ site: Site, _ body: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await site.send("POST", "/api/v1/grants", json: body)
        #expect(answer.status == status, sourceLocation: sourceLocation)
    }

    @Test func `the server accepts a code from its first showing until it expires, and never before`()
        async throws
    {
        try await site { site, _, session in
            let body = "{\"code\": \"\(CheckInCode.text(of: session, at: shown, keys: site.keys))\"}"
            site.clock.set(shown - moment)
            try await expect(422, site, body)
            for good in [shown, shown + .seconds(30)] {
                site.clock.set(good)
                try await expect(201, site, body)
            }
            site.clock.set(shown + .seconds(30) + moment)
            try await expect(422, site, body)
        }
    }

    @Test func `a host may extend the time for which the server accepts a code`() async throws {
        try await site { site, cast, _ in
            let edited = try await site.storage.perform(
                EditSession(id: cast.session, settings: .init(codeAcceptedSeconds: 120), actor: cast.owner))
            let body =
                "{\"code\": \"\(CheckInCode.text(of: edited.record.session, at: shown, keys: site.keys))\"}"
            site.clock.set(shown + .seconds(120))
            try await expect(201, site, body)
            site.clock.set(shown + .seconds(120) + moment)
            try await expect(422, site, body)
        }
    }

    @Test func `the server accepts a join code while it is shown, and for the accepted seconds after`()
        async throws
    {
        try await site { site, _, session in
            let body = "{\"joinCode\": \"\(RotatingJoinCode.text(of: session, at: shown, keys: site.keys))\"}"
            for good in [shown, shown + .seconds(60), shown + .seconds(90)] {
                site.clock.set(good)
                try await expect(201, site, body)
            }
            for bad in [shown - moment, shown + .seconds(90) + moment] {
                site.clock.set(bad)
                try await expect(422, site, body)
            }
        }
    }

    @Test func `a grant stays valid longer than its code, and the check-in stores the code's age`()
        async throws
    {
        try await site { site, cast, session in
            site.clock.set(shown + .seconds(7))
            let code = CheckInCode.text(of: session, at: shown, keys: site.keys)
            let grant = try #require(
                try await site.send("POST", "/api/v1/grants", json: "{\"code\": \"\(code)\"}").json("grant")
                    as? String)
            site.clock.set(shown + .minutes(8))
            let body = "{\"grant\": \"\(grant)\", \"name\": \"Late Typer\", \"email\": \"late@example.org\"}"
            let answer = try await site.send("POST", "/api/v1/check-ins", json: body)
            #expect(answer.status == 201)
            let events = try await site.storage.read { rows throws(JournalError) in
                try rows.events(of: cast.session, after: 0, limit: 100)
            }
            let data = try #require(events.last { $0.kind == .checkedIn }?.data)
            #expect((data.codeAge, data.grantAge) == (7, 473))
        }
    }

    @Test func `a grant expires after ten minutes, and its answer says until when`() async throws {
        try await site { site, cast, session in
            let code = CheckInCode.text(of: session, at: shown, keys: site.keys)
            let made = try await site.send("POST", "/api/v1/grants", json: "{\"code\": \"\(code)\"}")
            #expect(made.string("expiresAt") == (shown + .minutes(10)).rfc3339)
            let other = try await site.send("POST", "/api/v1/grants", json: "{\"code\": \"\(code)\"}")
            func enter(_ grant: String?) async throws -> Answer {
                let body = "{\"grant\": \"\(grant ?? "")\", \"name\": \"S\", \"email\": \"s@example.org\"}"
                return try await site.send("POST", "/api/v1/check-ins", json: body)
            }
            site.clock.set(shown + .minutes(10))
            #expect(try await enter(made.string("grant")).status == 201)
            site.clock.set(shown + .minutes(10) + moment)
            let answer = try await enter(other.string("grant"))
            #expect((answer.status, answer.string("code")) == (422, "grant_expired"))
        }
    }

    @Test func `if the scan has expired, the form keeps the input and accepts the present code`()
        async throws
    {
        try await site { site, _, session in
            let path = "/C/\(CheckInCode.text(of: session, at: shown, keys: site.keys))"
            let page = try await site.send("GET", path)
            let cookie = try #require(
                page[header: "set-cookie"]?.split(separator: ";").first.map(String.init))
            let grant = try #require(cookie.split(separator: "=").last.map(String.init))
            // The cookie lives until check-in closes, 50 minutes later.
            #expect(
                page[header: "set-cookie"]?.contains("Max-Age=\(Int(at(60).since(shown).components.seconds))")
                    == true)
            let now = shown + .minutes(11)
            site.clock.set(now)
            let form = "grant=\(grant)&name=Slow%20Typer&email=slow%40example.org"
            func send(_ more: String) async throws -> Answer {
                try await site.send("POST", path, form: form + more, headers: [("Cookie", cookie)])
            }
            let expired = try await send("")
            #expect(expired.status == 422)
            for kept in [
                "Slow Typer", "slow@example.org", grant, "name=\"joinCode\"", "Your scan has expired",
            ] {
                #expect(expired.text.contains(kept), "\(kept)")
            }
            let wrong = try await send("&joinCode=222222")
            #expect(wrong.status == 422 && wrong.text.contains("Slow Typer"))
            // A code of another session does not move the attendee there.
            let other = try await site.cast(named: "Other", from: 0, to: 60)
            let moved = try await send("&joinCode=\(other.record.session.joinCode)")
            #expect(moved.status == 422 && moved.text.contains("Slow Typer"))
            let code = RotatingJoinCode.text(of: session, at: now, keys: site.keys)
            let done = try await send("&joinCode=\(code)")
            #expect(done.status == 200 && done.text.contains("Slow Typer"))
            #expect(done[header: "set-cookie"]?.hasPrefix("qring_receipt_") == true)
        }
    }

    @Test func `the server refuses codes of the other kind after the host changed the kind`() async throws {
        try await site { site, cast, rotating in
            let was = CheckInCode.text(of: cast.record.session, at: shown, keys: site.keys)
            try await expect(422, site, "{\"code\": \"\(was)\"}")
            try await expect(422, site, "{\"joinCode\": \"\(cast.record.session.joinCode)\"}")
            _ = try await site.storage.perform(
                EditSession(id: cast.session, settings: .init(codeKind: .static), actor: cast.owner))
            try await expect(201, site, "{\"code\": \"\(was)\"}")
            try await expect(
                422, site, "{\"code\": \"\(CheckInCode.text(of: rotating, at: shown, keys: site.keys))\"}")
        }
    }

    @Test func `a room gets each new code, with its remaining time`() async throws {
        try await site { site, cast, session in
            let caller = try await site.watch("presenter:\(cast.session)", bearer: cast[.presenter])
            let first = try #require(await caller.hear("snapshot.code"))
            #expect(first.int("snapshot.code.expiresInMs") == 10_000)
            let code = CheckInCode.text(of: session, at: shown, keys: site.keys)
            #expect(first.string("snapshot.code.url")?.hasSuffix(code) == true)
            await site.pass(to: shown + CodeSchedule.period)
            let next = try #require(await caller.hear("code"))
            let nextCode = CheckInCode.text(of: session, at: shown + CodeSchedule.period, keys: site.keys)
            #expect(next.string("code.url")?.hasSuffix(nextCode) == true)
            #expect(next.string("code.joinCode") == first.string("snapshot.code.joinCode"))
        }
    }
}
