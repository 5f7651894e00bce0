import Foundation
import Meetings
import Testing
import WebSockets

@testable import Server

/// Tests of a host's home room: it gets every change of a session, its phases, and its deletion.
@Suite(.timeLimit(.minutes(1))) struct HomeRoomTests {
    @Test func `a home room gets a deletion, and the remaining sessions`() async throws {
        try await Site.open { site in
            let one = try await site.cast(named: "First")
            let caller = try await site.watch("home", bearer: one[.owner])
            #expect(await caller.hear("snapshot")?.strings("snapshot.sessions", "id") == [one.session.text])
            #expect(
                try await site.send(
                    "DELETE", "/api/v1/sessions/\(one.session)?confirm=First", bearer: one[.owner]
                ).status == 204)
            let heard = try #require(await caller.hear("removed"))
            #expect(heard.json("removed") as? [String] == [one.session.text])
            #expect(heard.strings("snapshot.sessions", "id").isEmpty)
        }
    }

    @Test func `a home room gets each phase change when the clock starts, ends or closes a session`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast(from: 30, to: 90)
            let caller = try await site.watch("home", bearer: cast[.viewer])
            #expect(await caller.hear("snapshot") != nil)
            for (minute, phase) in [(30, "running"), (91, "ended"), (90 + 24 * 60 + 1, "closed")] {
                await site.pass(to: at(minute))
                #expect(await caller.hear("session")?.string("session.phase") == phase)
            }
        }
    }

    @Test func `a client that leaves its home room does not affect other home rooms`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let viewer = try await site.watch("home", bearer: cast[.viewer])
            #expect(await viewer.hear("snapshot") != nil)
            let owner = try await site.watch("home", bearer: cast[.owner])
            #expect(await owner.hear("snapshot") != nil)
            owner.connection.close()
            _ = await owner.end()
            _ = try await site.arrive(1, in: cast.session)
            #expect(await viewer.hear("session")?.int("session.attendance.checkedIn") == 2)
        }
    }
}
