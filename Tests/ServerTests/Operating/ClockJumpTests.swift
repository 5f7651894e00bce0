import Journal
import Meetings
import Testing

@testable import Server

/// Tests of a wall clock that is set back while a server runs, or between two runs.
@Suite struct ClockJumpTests {
    private func grant(_ site: Site, _ json: String) async throws -> Answer {
        try await site.send("POST", "/api/v1/grants", json: json)
    }

    private func rotating(_ site: Site) async throws -> (Cast, Session) {
        let cast = try await site.cast()
        let edited = try await site.storage.perform(
            EditSession(id: cast.session, settings: .init(codeKind: .rotating), actor: cast.owner))
        return (cast, edited.record.session)
    }

    private func codes(_ session: Session, _ site: Site) -> [String] {
        let now = site.services.codeClock.now
        return [
            #"{"code": "\#(CheckInCode.text(of: session, at: now, keys: site.keys))"}"#,
            #"{"joinCode": "\#(RotatingJoinCode.text(of: session, at: now, keys: site.keys))"}"#,
        ]
    }

    private func sequences(_ cast: Cast, _ site: Site) async throws -> [Int64] {
        try await site.storage.read { rows throws(JournalError) in
            try rows.events(of: cast.session, after: 0, limit: 100)
        }.map(\.sequence)
    }

    @Test(arguments: [Duration.seconds(1), .minutes(20), .minutes(50)])
    func `a wall clock set back during a run changes no code, grant or sequence`(
        back: Duration
    ) async throws {
        try await Site.open { site in
            let (cast, session) = try await rotating(site)
            let old = codes(session, site)
            let given = try #require(try await grant(site, old[0]).string("grant"))
            site.clock.set(start + .minutes(3))
            for code in old { #expect(try await grant(site, code).status == 422) }
            site.clock.jump(to: site.clock.now - back)
            for code in old { #expect(try await grant(site, code).status == 422) }
            for code in codes(session, site) { #expect(try await grant(site, code).status == 201) }
            let body = #"{"grant": "\#(given)", "name": "Kim", "email": "kim@example.org"}"#
            #expect(try await site.send("POST", "/api/v1/check-ins", json: body).status == 201)
            _ = try await site.arrive(2, in: cast.session)
            #expect(try await sequences(cast, site) == Array(1...6))
            #expect(try await site.storage.session(cast.session)?.headCount.present == 4)
        }
    }

    @Test func `a wall clock set back between two runs changes no code, grant or sequence`()
        async throws
    {
        try await Site.inFolder { folder in
            let (cast, session, old, given) = try await Site.open(in: folder) { site in
                let (cast, session) = try await rotating(site)
                let old = codes(session, site)
                let given = try #require(try await grant(site, old[0]).string("grant"))
                await site.pass(to: start + .minutes(30))
                return (cast, session, old, given)
            }
            // The clock of the new site begins at `start` again, which is half an hour earlier.
            try await Site.open(in: folder) { (site: Site) async throws -> Void in
                for code in old { #expect(try await grant(site, code).status == 422) }
                for code in codes(session, site) { #expect(try await grant(site, code).status == 201) }
                let body = #"{"grant": "\#(given)", "name": "Kim", "email": "kim@example.org"}"#
                #expect(try await site.send("POST", "/api/v1/check-ins", json: body).status == 201)
                #expect(try await sequences(cast, site) == Array(1...4))
            }
        }
    }

    @Test func `the server ignores a stored code clock that is out of range or missing`() async throws {
        try await Site.inFolder { folder in
            try await Site.open(in: folder) { _ in }
            let file = CodeClockFile(folder: folder)
            file.write(at(7))
            #expect(file.read() == at(7))
            file.write(Instant(milliseconds: 999_999_999_999_999))
            #expect(file.read() == nil)
            #expect(CodeClockFile(folder: folder + "/nowhere").read() == nil)
        }
    }
}
