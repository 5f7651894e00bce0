import Journal
import Meetings
import Secrets
import Testing
import Wire

@testable import Server

/// Tests of the routes for offline doors: those of hosts, and those of the laptops.
@Suite struct SatelliteTests {
    /// A laptop with its key, its token and its entries.
    private struct Laptop {
        let key = Ed25519Key()
        var body: SatelliteJoinedBody
        private(set) var entries: [DoorEntry] = []

        init(_ body: SatelliteJoinedBody) { self.body = body }

        mutating func letIn(_ attendee: AttendeeID, at now: Instant, _ kind: DoorEntry.Kind = .in) throws {
            var entry = try #require(
                DoorEntry(
                    of: body.satellite.id, number: Int64(entries.count) + 1, kind, .attendee(attendee),
                    at: now, offset: 0))
            entry.signature = key.signature(of: entry.message)
            entries.append(entry)
        }
    }

    /// A meeting that expects Kim and Lee.
    private struct Hall {
        let site: Site
        let cast: Cast
        let people: [Attendee]
        var satellites: String { "/api/v1/sessions/\(cast.session)/satellites" }
        var now: Instant { site.clock.now }

        func json<Body: Decodable>(
            _ type: Body.Type, _ method: String, _ path: String, _ json: String? = nil,
            bearer: String? = nil, status: Int = 200
        ) async throws -> Body {
            let answer = try await site.send(method, path, bearer: bearer ?? cast[.owner], json: json)
            #expect(answer.status == status, "\(answer.text)")
            return try WireJSON.decode(Body.self, from: answer.body)
        }

        func add(_ door: Int, _ more: String = "") async throws -> SatelliteCreatedBody {
            try await json(
                SatelliteCreatedBody.self, "POST", satellites,
                #"{"name": "Gate \#(door)", "door": \#(door)\#(more)}"#,
                status: 201)
        }

        func join(_ added: SatelliteCreatedBody) async throws -> Laptop {
            let unjoined = Laptop(
                SatelliteJoinedBody(
                    added.satellite, of: cast.session, token: "", snapshotUrl: "", serverTime: now))
            var laptop = unjoined
            let key = Base64.url.encode(laptop.key.publicKey)
            laptop.body = try await json(
                SatelliteJoinedBody.self, "POST", "/api/v1/satellites",
                #"{"code": "\#(added.code.lowercased())", "publicKey": "\#(key)"}"#, status: 201)
            return laptop
        }

        func exchange(
            _ laptop: Laptop, _ entries: [DoorEntry], have: [SatelliteID: Int64] = [:]
        ) async throws -> Answer {
            let request = DoorExchangeRequest(
                clock: now, have: have, entries: entries.map { Base64.url.encode($0.bytes) })
            return try await site.send(
                "POST", "/api/v1/satellite/entries", bearer: laptop.body.token,
                json: String(decoding: WireJSON.bytes(request), as: UTF8.self))
        }

        func exchanged(
            _ laptop: Laptop, _ entries: [DoorEntry], have: [SatelliteID: Int64] = [:]
        ) async throws -> DoorExchangeBody {
            let answer = try await exchange(laptop, entries, have: have)
            #expect(answer.status == 200, "\(answer.text)")
            return try WireJSON.decode(DoorExchangeBody.self, from: answer.body)
        }

        func snapshot(_ laptop: Laptop, seen tag: String? = nil) async throws -> Answer {
            try await site.send(
                "GET", "/api/v1/satellite/snapshot", bearer: laptop.body.token,
                headers: tag.map { [("If-None-Match", $0)] } ?? [])
        }
    }

    private func inHall(_ body: (Hall) async throws -> Void) async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            for (name, address) in [("Kim", "kim"), ("Lee", "lee")] {
                _ = try await site.storage.perform(
                    AddPerson(
                        meeting: cast.meeting,
                        draft: PersonDraft(name: name, email: "\(address)@example.org"), actor: cast.owner))
            }
            _ = try await site.send(
                "POST", "/api/v1/meetings/\(cast.meeting)/passes", bearer: cast[.owner], json: "{}")
            let people = try await site.storage.read { rows throws(JournalError) in
                try rows.attendees(of: cast.session, statuses: [.pending], text: nil, after: nil, limit: 10)
            }.sorted { $0.name < $1.name }
            try await body(Hall(site: site, cast: cast, people: people))
        }
    }

    @Test func `a snapshot holds ids and times only, and opens names for the typed key alone`() async throws {
        try await inHall { hall in
            let (plain, named) = (try await hall.add(1), try await hall.add(2, #", "names": true"#))
            #expect(plain.key == nil && plain.satellite.state == .waiting)
            let typed = try #require(named.key.flatMap { DoorKey(text: $0) })
            let first = try await hall.snapshot(try await hall.join(plain))
            #expect(first.status == 200, "\(first.text)")
            for word in ["Kim", "Lee", "kim@", "lee@"] { #expect(!first.text.contains(word)) }
            let body = try WireJSON.decode(SatelliteSnapshot.self, from: first.body)
            #expect(body.sealed == nil && body.satellites.map(\.door) == [1])
            #expect(Set(body.attendees.map(\.id)).isSuperset(of: hall.people.map(\.id)))
            #expect(Set(body.passes.compactMap(\.attendeeId)) == Set(hall.people.map(\.id)))
            #expect(body.passes.allSatisfy { $0.state == .valid } && body.passKeys.count == 1)
            // The person of the cast has checked in by a phone.
            #expect(body.attendees.filter { $0.moves != nil }.map(\.id) == [hall.cast.attendee.id])

            let laptop = try await hall.join(named)
            let second = try await hall.snapshot(laptop)
            #expect(!second.text.contains("Kim") && !second.text.contains("kim@"))
            let sealed = try #require(
                try WireJSON.decode(SatelliteSnapshot.self, from: second.body).sealed.flatMap {
                    Base64.url.decode($0)
                })
            #expect(DoorKey().open(sealed) == nil)
            let names = try WireJSON.decode(SatelliteNames.self, from: try #require(typed.open(sealed)))
            let kim = try #require(names.items.first { $0.id == hall.people[0].id })
            #expect(kim.name == "Kim" && kim.identity == nil)
            // The sealed bytes differ each time, and the tag does not.
            let tag = try #require(second[header: "etag"])
            #expect(try await hall.snapshot(laptop, seen: tag).status == 304)
            _ = try await hall.site.storage.perform(
                CorrectAttendee(attendee: hall.people[0].id, name: "Kim J", actor: hall.cast.owner))
            let changed = try await hall.snapshot(laptop, seen: tag)
            #expect(changed.status == 200 && changed[header: "etag"] != tag)
        }
    }

    @Test func `two laptops exchange entries by the server, and the host sees the double with both doors`()
        async throws
    {
        try await inHall { hall in
            var (one, two) = (
                try await hall.join(try await hall.add(1)), try await hall.join(try await hall.add(2))
            )
            let kim = hall.people[0].id
            try one.letIn(kim, at: hall.now)
            try two.letIn(kim, at: hall.now + .seconds(60))
            try two.letIn(hall.people[1].id, at: hall.now + .seconds(61))
            let first = try await hall.exchanged(one, one.entries)
            #expect(
                first.taken == 1 && first.haveNumbers == [one.body.satellite.id: 1, two.body.satellite.id: 0])
            let second = try await hall.exchanged(
                two, two.entries, have: [two.body.satellite.id: 2])
            #expect(second.taken == 2)
            #expect(second.entries == one.entries.map { Base64.url.encode($0.bytes) })
            let repeated = try await hall.exchanged(two, two.entries, have: second.haveNumbers)
            #expect(repeated.taken == 0 && repeated.entries.isEmpty)
            let doubles = try await hall.json(
                Page<DoorDoubleBody>.self, "GET", "\(hall.satellites)/doubles")
            let double = try #require(doubles.items.first)
            #expect(
                doubles.items.count == 1 && doubles.nextCursor == nil && double.name == "Kim"
                    && double.attendeeId == kim)
            #expect([double.first.door, double.second.door] == [1, 2])
            #expect(double.second.satelliteName == "Gate 2" && double.second.clockAheadMilliseconds == 0)
            // The export of the person has what both doors did.
            let person = try #require(
                try await hall.site.storage.read { rows throws(JournalError) in
                    try rows.person(inSlotOf: kim)
                })
            let export = try await hall.json(
                PersonalDataBody.self, "GET", "/api/v1/meetings/\(hall.cast.meeting)/roster/\(person)/export")
            let entries = export.checkIns.flatMap(\.doorEntries).sorted { $0.at < $1.at }
            #expect(entries.map(\.door) == [1, 2] && entries.map(\.kind) == ["in", "in"])
            #expect(entries.map(\.at) == [hall.now, hall.now + .seconds(60)])
            let list = try await hall.json(SatellitesBody.self, "GET", hall.satellites).items
            #expect(list.map(\.state) == [.joined, .joined] && list.map(\.entries).sorted() == [1, 2])
            #expect(list.allSatisfy { $0.seenAt == hall.now && $0.held == 0 })
        }
    }

    @Test func `a revoked laptop learns nothing, and what it sends waits for the host`() async throws {
        try await inHall { hall in
            let added = try await hall.add(1)
            var (lost, other) = (try await hall.join(added), try await hall.join(try await hall.add(2)))
            let path = "\(hall.satellites)/\(added.satellite.id)"
            for holder in [Holder.steward, .viewer] {
                let refused = try await hall.site.send("DELETE", path, bearer: hall.cast[holder])
                #expect(refused.status == 403)
            }
            #expect(try await hall.site.send("DELETE", path, bearer: hall.cast[.host]).status == 204)
            for answer in [try await hall.snapshot(lost), try await hall.exchange(lost, [])] {
                #expect((answer.status, answer.string("code")) == (401, "satellite_revoked"))
            }
            try lost.letIn(hall.people[0].id, at: hall.now)
            try other.letIn(hall.people[1].id, at: hall.now)
            #expect(try await hall.exchange(lost, lost.entries).status == 401)
            try lost.letIn(hall.people[1].id, at: hall.now)
            // The other door relays an entry, and nobody gets the held ones.
            #expect(try await hall.exchanged(other, other.entries + lost.entries).taken == 2)
            let third = try await hall.join(try await hall.add(3))
            #expect(try await hall.exchanged(third, []).entries.count == 1)
            let body = try WireJSON.decode(SatelliteSnapshot.self, from: try await hall.snapshot(other).body)
            // Ids of the same millisecond have no order.
            let counted = Dictionary(
                uniqueKeysWithValues: body.satellites.map { ($0.door, $0.countedUntil) })
            #expect(counted == [1: 0, 2: nil, 3: nil])
            func held() async throws -> Int {
                try await hall.json(SatellitesBody.self, "GET", hall.satellites).items.reduce(0) {
                    $0 + $1.held
                }
            }
            #expect(try await held() == 2)
            let decided = try await hall.json(
                HeldEntriesBody.self, "POST", "\(path)/held", #"{"accept": true}"#)
            #expect(decided == HeldEntriesBody(decided: 2, hasMore: false))
            #expect(try await held() == 0)
            #expect(try await hall.exchanged(third, []).entries.count == 3)
        }
    }

    @Test func `a forged, changed or malformed entry is refused, and a stranger's is left out`() async throws
    {
        try await inHall { hall in
            var (one, two) = (
                try await hall.join(try await hall.add(1)), try await hall.join(try await hall.add(2))
            )
            try one.letIn(hall.people[0].id, at: hall.now)
            // Laptop 2 signs an entry in the name of laptop 1.
            var forged = one.entries[0]
            forged.signature = two.key.signature(of: forged.message)
            let answer = try await hall.exchange(two, [forged])
            #expect(answer.status == 422 && answer.text.contains("not_a_door_entry"))
            for text in ["", "x", Base64.url.encode(Array(one.entries[0].bytes.dropLast()))] {
                let answer = try await hall.site.send(
                    "POST", "/api/v1/satellite/entries", bearer: two.body.token,
                    json: #"{"clock": "\#(hall.now)", "entries": ["\#(text)"]}"#)
                #expect(answer.status == 422, "\(answer.text)")
            }
            let (foreign, stranger) = (try await hall.site.cast(named: "Other"), Laptop(one.body))
            var elsewhere = stranger
            elsewhere.body = SatelliteJoinedBody(
                SatelliteBody(
                    Satellite(
                        id: .makeTimeless(), session: foreign.session, name: "X", door: 1,
                        createdAt: hall.now, createdBy: foreign.owner), held: 0, at: hall.now),
                of: foreign.session, token: "", snapshotUrl: "", serverTime: hall.now)
            try elsewhere.letIn(hall.people[0].id, at: hall.now)
            #expect(try await hall.exchanged(two, elsewhere.entries).taken == 0)
            try two.letIn(hall.people[0].id, at: hall.now)
            #expect(try await hall.exchanged(two, two.entries).taken == 1)
            // The folder of laptop 2 was copied, and the copy does something else.
            var copy = two.entries[0]
            copy = try #require(
                DoorEntry(
                    of: copy.satellite, number: 1, .in, .attendee(hall.people[1].id), at: hall.now, offset: 0)
            )
            copy.signature = two.key.signature(of: copy.message)
            let differs = try await hall.exchange(two, [copy])
            #expect((differs.status, differs.string("code")) == (409, "door_entries_differ"))
        }
    }

    @Test func `wrong codes and tokens are counted by address, and floods by offline door`() async throws {
        try await inHall { hall in
            let laptop = try await hall.join(try await hall.add(1))
            func join(_ code: String) async throws -> Answer {
                try await hall.site.send(
                    "POST", "/api/v1/satellites",
                    json: #"{"code": "\#(code)", "publicKey": "\#(String(repeating: "A", count: 43))"}"#)
            }
            #expect(try await join("nonsense").string("code") == "satellite_code_not_valid")
            #expect(try await join(DoorKey().text).string("code") == "satellite_code_not_valid")
            for _ in 2..<FailureLimits.forgery.failures {
                hall.site.services.limits.failed(
                    "forgery from 127.0.0.1", FailureLimits.forgery, at: hall.now)
            }
            #expect(try await join(DoorKey().text).status == 429)
            // A right code is accepted even then.
            _ = try await hall.join(try await hall.add(2))
            for _ in 0..<FailureLimits.snapshot.failures { _ = try await hall.snapshot(laptop) }
            let flooded = try await hall.snapshot(laptop)
            #expect((flooded.status, flooded.string("code")) == (429, "too_many_attempts"))
            #expect(try await hall.exchange(laptop, []).status == 200)
        }
    }

    @Test func `a token of another kind opens no route of offline doors, and theirs opens no other`()
        async throws
    {
        try await inHall { hall in
            let laptop = try await hall.join(try await hall.add(1))
            for bearer in [hall.cast[.owner], hall.cast[.attendee], hall.cast[.presenter], nil] {
                let answer = try await hall.site.send("GET", "/api/v1/satellite/snapshot", bearer: bearer)
                #expect(answer.status == 401, "\(answer.text)")
            }
            for path in [hall.satellites, "/api/v1/sessions/\(hall.cast.session)/door", "/api/v1/me"] {
                #expect(try await hall.site.send("GET", path, bearer: laptop.body.token).status == 401)
            }
            // The session and its offline doors end together.
            _ = try await hall.site.storage.perform(
                DeleteMeeting(id: hall.cast.meeting, confirmation: "Meeting", actor: hall.cast.owner))
            #expect(try await hall.snapshot(laptop).string("code") == "satellite_revoked")
        }
    }
}
