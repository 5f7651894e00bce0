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
            site.clock.set(shown + .minutes(20))
            let body = "{\"grant\": \"\(grant)\", \"name\": \"Late Typer\", \"email\": \"late@example.org\"}"
            let answer = try await site.send("POST", "/api/v1/check-ins", json: body)
            #expect(answer.status == 201)
            let events = try await site.storage.read { rows throws(JournalError) in
                try rows.events(of: cast.session, after: 0, limit: 100)
            }
            #expect(events.last { $0.kind == .checkedIn }?.data.codeAge == 7)
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

    @Test func `a wall clock that is set back makes no expired code valid again`() {
        let clock = TwoClocks()
        let codes = CodeClock(clock)
        let begin = codes.now
        clock.set(wall: at(0) - .hours(1), elapsed: .seconds(100))
        #expect(codes.now == begin + .seconds(100))
        clock.set(wall: at(0) + .hours(5), elapsed: .seconds(101))
        #expect(codes.now == begin + .seconds(101))
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

/// A clock whose wall time and steady time can differ.
private final class TwoClocks: ServerClock {
    private let wall = HandClock(start)
    private let steady = HandClock(Instant(milliseconds: 0))

    var now: Instant { wall.now }
    var elapsed: Duration { steady.now.since(Instant(milliseconds: 0)) }

    func set(wall now: Instant, elapsed: Duration) {
        wall.set(now)
        steady.set(Instant(milliseconds: 0) + elapsed)
    }
}
