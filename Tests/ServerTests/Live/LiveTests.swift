import Foundation
import Journal
import Meetings
import Testing
import WebSockets
import Wire

@testable import Server

/// Tests of the rooms' messages, and of the memory that rooms release afterwards.
@Suite(.timeLimit(.minutes(1))) struct LiveTests {
    @Test func `websockets and the API agree on the codes after which a client connects again`() {
        for code in Wire.CloseCode.allCases {
            #expect(WebSockets.CloseCode.isWorthReconnecting(code.rawValue) == code.isWorthReconnecting)
        }
    }

    @Test func `a deleted session closes its rooms, but no connection that is also in other rooms`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let room = "session:\(cast.session)"
            let both = try await site.watch("home", bearer: cast[.owner])
            try await both.join(room)
            let alone = try await site.watch(room, bearer: cast[.host])
            let path = "/api/v1/sessions/\(cast.session)?confirm=Meeting"
            #expect(try await site.send("DELETE", path, bearer: cast[.owner]).status == 204)
            #expect(await both.hear("left")?.string("left") == room)
            try both.say(#"{"ping": 5}"#)
            #expect(await both.hear("pong")?.int("pong") == 5)
            #expect(await alone.hear("left")?.string("left") == room)
            #expect(await alone.end() == 4003)
        }
    }

    @Test func `a client sees 150 arrivals in order after 200 check-ins of 150 people, and right counts`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let caller = try await site.watch("session:\(cast.session)", bearer: cast[.viewer])
            let code = cast.record.session.joinCode
            async let statuses = withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        try await site.send(
                            "POST", "/api/v1/check-ins",
                            json:
                                #"""
                                {"joinCode": "\#(code)", "name": "P\#(number % 150)", \#
                                "email": "p\#(number % 150)@example.org"}
                                """#
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            var arrivals: [String] = []
            var sequence = 0
            var checkedIn = 0
            while arrivals.count < 150 || checkedIn < 151, let frame = await caller.hear() {
                arrivals += frame.strings("arrivals", "id")
                checkedIn = frame.int("attendance.checkedIn") ?? checkedIn
                if let next = frame.int("sequence") {
                    #expect(next >= sequence)
                    sequence = next
                }
            }
            let answered = try await statuses
            #expect(answered.count { $0 == 201 } == 150)
            #expect(answered.count { $0 == 200 } == 50)
            let rows = try await site.storage.read { rows throws(JournalError) in
                try rows.arrivals(of: cast.session, after: Int64(2), limit: 200).map(\.id.text)
            }
            #expect(arrivals == rows)
            #expect(checkedIn == 151)
        }
    }

    @Test
    func `clients that join at one position share one encoded snapshot, until the room publishes a frame`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let room = "session:\(cast.session)"
            func joinAll(_ count: Int) async throws -> [String] {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<count {
                        group.addTask {
                            let caller = try await site.watch(room, bearer: cast[.viewer])
                            return try #require(await caller.hear("snapshot")).text
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            let live = try await site.services.live.room(cast.session)
            let snapshots = try await joinAll(40)
            #expect(Set(snapshots).count == 1)
            #expect(live.encodedSnapshots == 1)
            let other = try await site.watch("audience:\(cast.session)", bearer: cast[.attendee])
            _ = await other.hear("snapshot")
            #expect(live.encodedSnapshots == 2)

            let watcher = try await site.watch(room, bearer: cast[.viewer])
            #expect(
                try await site.send(
                    "POST", "/api/v1/check-ins",
                    json: """
                        {"joinCode": "\(cast.record.session.joinCode)", "name": "New",
                            "email": "new@example.org"}
                        """
                ).status == 201)
            _ = await watcher.hear("arrivals")
            let later = try await joinAll(10)
            #expect(Set(later).count == 1 && later[0].contains("New"))
            #expect(live.encodedSnapshots == 3)
            // The snapshot contains the time that a rotating code remains, so it is not used for long.
            site.clock.set(start + .milliseconds(250))
            _ = try await joinAll(1)
            #expect(live.encodedSnapshots == 4)
        }
    }

    @Test func `clients that join during check-ins see each arrival exactly once, and in order`() async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let code = cast.record.session.joinCode
            let arrivals = try await withThrowingTaskGroup { group in
                for number in 0..<40 {
                    group.addTask { () -> [String]? in
                        let answer = try await site.send(
                            "POST", "/api/v1/check-ins",
                            json: """
                                {"joinCode": "\(code)", "name": "P\(number)",
                                    "email": "p\(number)@example.org"}
                                """)
                        #expect(answer.status == 201)
                        return nil
                    }
                    guard number.isMultiple(of: 2) else { continue }
                    group.addTask { () -> [String]? in
                        let caller = try await site.watch("session:\(cast.session)", bearer: cast[.viewer])
                        let snapshot = try #require(await caller.hear("snapshot"))
                        var seen = snapshot.strings("snapshot.arrivals", "id")
                        while seen.count < 41, let frame = await caller.hear() {
                            seen += frame.strings("arrivals", "id")
                        }
                        return seen
                    }
                }
                return try await group.reduce(into: [[String]]()) { if let seen = $1 { $0.append(seen) } }
            }
            let rows = try await site.storage.read { rows throws(JournalError) in
                try rows.newestArrivals(of: cast.session, limit: 50).map(\.id.text)
            }
            #expect(arrivals.count == 20 && rows.count == 41)
            for seen in arrivals { #expect(seen == rows) }
        }
    }

    @Test func `a returning client gets exactly what it missed, from memory or from the journal`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let room = "session:\(cast.session)"
            let first = try await site.rooms(bearer: cast[.viewer])
            let joined = try #require(try await first.join(room))
            let (epoch, sequence) = (
                try #require(joined.string("epoch")), try #require(joined.int("sequence"))
            )
            first.connection.close()
            _ = await first.end()
            let missed = try await site.arrive(100, in: cast.session).map(\.id.text)
            for isForgotten in [false, true] {
                if isForgotten {
                    // Nobody watches, so the server releases the room and its memory.
                    try await eventually("nobody watches") { site.services.live.counts.watchers == 0 }
                    for minute in [1, 4] { await site.pass(to: at(minute)) }
                    #expect(site.services.live.counts.rooms == 0)
                }
                let again = try await site.rooms(bearer: cast[.viewer])
                let answer = try #require(
                    try await again.join(room, since: #"{"epoch": "\#(epoch)", "sequence": \#(sequence)}"#))
                #expect(answer.json("recovered") as? Bool == true)
                var arrivals: [String] = []
                while arrivals.count < 100, let frame = await again.hear() {
                    #expect(frame.json("snapshot") == nil)
                    arrivals += frame.strings("arrivals", "id")
                }
                #expect(arrivals == missed)
                again.connection.close()
                _ = await again.end()
            }
            // A position of another epoch, or beyond the journal's end, gets a snapshot.
            for since in [
                #"{"epoch": "other", "sequence": 2}"#, #"{"epoch": "\#(epoch)", "sequence": 5000}"#,
            ] {
                let other = try await site.rooms(bearer: cast[.viewer])
                #expect(try await other.join(room, since: since)?.json("recovered") as? Bool == false)
                #expect(await other.hear("snapshot") != nil)
            }
        }
    }

    @Test func `updates from the journal show a merge as a removal and a change, or as an arrival`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let people = try await site.arrive(2, in: cast.session)
            let absent = try await site.storage.perform(
                AddAttendee(
                    session: cast.session, name: "Absent", email: "absent@example.org", status: .absent,
                    actor: cast.owner)
            ).0
            func merge(_ gone: Attendee, into kept: Attendee) async throws -> [News] {
                let before = try await site.storage.session(cast.session)?.sequence ?? 0
                _ = try await site.storage.perform(
                    MergeAttendees(attendee: gone.id, into: kept.id, actor: cast.owner))
                let news = try await site.storage.read { rows throws(JournalError) in
                    try News.read(from: rows, session: cast.session, after: before, most: 10)
                }
                #expect(news?.allSatisfy { $0.sequence == before + 1 } == true)
                return news ?? []
            }
            func now(_ attendee: Attendee) async throws -> Attendee? {
                try await site.storage.read { rows throws(JournalError) in try rows.attendee(attendee.id) }
            }
            let known = try await merge(people[0], into: people[1])
            let second = try #require(try await now(people[1]))
            #expect(known.map(\.kind) == [.changed(second), .removed(people[0].id)])
            let arrived = try await merge(people[1], into: absent)
            let third = try #require(try await now(absent))
            #expect(arrived.map(\.kind) == [.arrived(third), .removed(people[1].id)])
        }
    }

    @Test func `feedback that the clock has closed is published completely and sealed`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let people = try await site.arrive(4, in: cast.session)
            for (index, person) in people.enumerated() {
                let answer = try await site.send(
                    "POST", "/api/v1/sessions/\(cast.session)/responses", bearer: site.receipt(person),
                    json: #"{"answers": {"\#(cast.firstQuestion)": \#(index + 1)}}"#)
                #expect(answer.status == 201)
            }
            let caller = try await site.watch("session:\(cast.session)", bearer: cast[.viewer])
            let snapshot = try #require(await caller.hear("snapshot"))
            #expect(snapshot.int("snapshot.tallies.0.answers") == 3)
            func due(_ now: Instant) async throws -> Int {
                try await site.storage.read { rows throws(JournalError) in
                    try rows.setsToSeal(at: now, limit: 10).count
                }
            }
            let closes = at(25 * 60)
            #expect(try await due(closes) == 0)
            #expect(try await due(closes + .milliseconds(1)) == 1)
            site.clock.set(closes + .milliseconds(1))
            await site.server.rewrites.tick(at: site.clock.now)
            await site.server.rewrites.finish()
            #expect(try await due(site.clock.now) == 0)
            let tally = try #require(await caller.hear("tally"))
            #expect(tally.int("tally.answers") == 4)
            #expect(tally.json("tally.counts") as? [Int] == [1, 1, 1, 1, 0])
        }
    }

    @Test func `a single answer of a closed set is shown to nobody`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            _ = try await site.send(
                "POST", "/api/v1/sessions/\(cast.session)/responses", bearer: cast[.attendee],
                json: #"{"answers": {"\#(cast.firstQuestion)": 5}}"#)
            let path = "/api/v1/sessions/\(cast.session)/sets/feedback"
            #expect(
                try await site.send("PATCH", path, bearer: cast[.host], json: #"{"open": false}"#).status
                    == 200)
            // A single anonymous answer is shown to nobody.
            let results = try await site.send(
                "GET", "/api/v1/sessions/\(cast.session)/results", bearer: cast[.owner])
            #expect(results.json("tallies.0.hidden") != nil && results.json("tallies.0.counts") == nil)
        }
    }

    @Test func `a set that a host closes is sealed by the next rewrite of the file`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            func answer(_ prefix: String) async throws {
                for person in try await site.arrive(3, in: cast.session, named: prefix) {
                    let answer = try await site.send(
                        "POST", "/api/v1/sessions/\(cast.session)/responses", bearer: site.receipt(person),
                        json: #"{"answers": {"\#(cast.firstQuestion)": 4}}"#)
                    #expect(answer.status == 201)
                }
            }
            func set(open: Bool) async throws {
                let answer = try await site.send(
                    "PATCH", "/api/v1/sessions/\(cast.session)/sets/feedback", bearer: cast[.host],
                    json: #"{"open": \#(open)}"#)
                #expect(answer.status == 200)
            }
            func due() async throws -> Int {
                try await site.storage.read { rows throws(JournalError) in
                    try rows.setsToSeal(at: at(0), limit: 10).count
                }
            }
            // The server's own ticks use the same clock.
            func tick(at now: Instant) async throws {
                site.clock.set(now)
                await site.server.rewrites.finish()
                await site.server.rewrites.tick(at: now)
                await site.server.rewrites.finish()
            }
            try await answer("A")
            try await set(open: false)
            // A rewrite of the server's own tick may have begun before the set was closed.
            for minute in [20, 40, 60] where try await due() > 0 { try await tick(at: at(minute)) }
            #expect(try await due() == 0)
        }
    }

    @Test func `the rooms of all sessions of a meeting get the meeting's new name`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let next = try await site.storage.perform(
                ContinueMeeting(meeting: cast.meeting, startsAt: at(300), endsAt: at(360), actor: cast.owner))
            var callers: [RoomCaller] = []
            for id in [cast.session, next.session.id] {
                let caller = try await site.watch("session:\(id)", bearer: cast[.viewer])
                #expect(await caller.hear("snapshot") != nil)
                callers.append(caller)
            }
            _ = try await site.send(
                "PATCH", "/api/v1/meetings/\(cast.meeting)", bearer: cast[.host],
                json: #"{"name": "Renamed"}"#)
            for caller in callers {
                #expect(await caller.hear("session")?.string("session.meetingName") == "Renamed")
            }
        }
    }

    @Test func `a deleted session closes its rooms with code 4003`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let caller = try await site.watch("session:\(cast.session)", bearer: cast[.viewer])
            #expect(
                try await site.send(
                    "DELETE", "/api/v1/sessions/\(cast.session)?confirm=Meeting", bearer: cast[.owner]
                ).status == 204)
            #expect(await caller.end() == 4003)
            #expect(site.services.live.counts.rooms == 0)
        }
    }

    @Test func `a home room shows the account's sessions, and each changed session completely`() async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let foreign = try await site.cast(named: "Foreign", from: 30, to: 90)
            let caller = try await site.watch("home", bearer: cast[.owner])
            let snapshot = try #require(await caller.hear("snapshot"))
            #expect(snapshot.strings("snapshot.sessions", "id") == [cast.session.text])
            #expect(snapshot.string("snapshot.nearest") == cast.session.text)
            _ = try await site.arrive(3, in: foreign.session)
            _ = try await site.arrive(2, in: cast.session)
            let frame = try #require(await caller.hear("session"))
            #expect(frame.string("session.id") == cast.session.text)
            #expect(frame.int("session.attendance.checkedIn") == 3)
        }
    }

    @Test func `the rooms release everything about visitors who have left`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            var callers: [RoomCaller] = []
            for number in 0..<20 {
                let caller = try await site.watch("session:\(cast.session)", bearer: cast[.owner])
                try await caller.join("presenter:\(cast.session)")
                try await caller.join("home")
                // Joining a room a second time does not count again. Every second caller leaves the presenter
                // room.
                try await caller.join("session:\(cast.session)")
                if number % 2 == 0 { try caller.say(#"{"leave": "presenter:\#(cast.session)"}"#) }
                callers.append(caller)
            }
            let rooms = site.server.rooms
            try await eventually("all who left have left") { site.services.live.counts.watchers == 30 }
            let gone = rooms.visitors.map { Gone($0) }
            #expect(gone.count == 20)
            for (number, caller) in callers.enumerated() {
                if number % 3 == 0 { try caller.askToPresent(cast.session) }
                caller.connection.close()
            }
            for caller in callers { _ = await caller.end() }
            try await eventually("no watcher is counted") { site.services.live.counts.watchers == 0 }
            try await eventually("no visitor is kept") { gone.allSatisfy { $0.visitor == nil } }
            #expect(rooms.visitors.isEmpty)
        }
    }
}

private struct Gone {
    weak var visitor: Visitor?

    init(_ visitor: Visitor) { self.visitor = visitor }
}

extension RoomCaller {
    /// Sends a request to join the presenter room, and does not wait for the answer.
    fileprivate func askToPresent(_ session: SessionID) throws {
        try say(#"{"join": "presenter:\#(session)"}"#)
    }
}
