import Journal
import Meetings
import SQLiteJournal
import Secrets
import Testing
import Wire

@testable import Server

private let (own, other) = (SatelliteID(high: 9, low: 1), SatelliteID(high: 9, low: 2))
private let kim = AttendeeID(high: 1 << 20, low: 1)
private let meeting = Meeting(id: MeetingID(high: 1 << 20, low: 2), name: "Choir", createdAt: start)
private let session = Session(
    id: SessionID(high: 1 << 20, low: 3), meetingID: meeting.id, round: 1, startsAt: start,
    endsAt: start + .hours(2), joinCode: "")

/// Tests of what the laptop of an offline door takes from snapshots and other doors, in its own database.
@Suite struct OfflineLaptopTests {
    /// A laptop, and the key of another offline door.
    private struct Laptop {
        let storage: Storage
        let door: OfflineDoor
        let otherKey = Ed25519Key()

        /// Takes a snapshot, in which the other offline door is revoked if `countedUntil` is not nil.
        func take(countedUntil: Int64? = nil, overruled: [Int64] = []) async throws {
            func part(_ id: SatelliteID, _ key: Ed25519Key, _ last: Int64?) -> SatelliteSnapshot.SatellitePart
            {
                .init(
                    id, named: "Gate", door: 1, publicKey: Base64.url.encode(key.publicKey),
                    countedUntil: last)
            }
            let snapshot = OfflineSnapshot(
                SatelliteSnapshot(
                    for: own, at: start, .init(meeting), .init(session), passKeys: [], passes: [],
                    attendees: [.init(kim, moves: [])],
                    satellites: [part(own, door.key, nil), part(other, otherKey, countedUntil)],
                    overruled: overruled.map { SatelliteNumber(other, $0) }, sealed: nil))
            door.count(by: snapshot)
            try await snapshot.store(
                in: storage,
                steward: Account(
                    id: AccountID(high: 1 << 20, low: 4), email: OfflineDoor.email, name: "Door",
                    passwordHash: "$1", verified: true, createdAt: start))
        }

        /// Takes the first entry of the other offline door, which has let Kim in.
        func takeEntry() async throws -> Int {
            var entry = try #require(
                DoorEntry(of: other, number: 1, .in, .attendee(kim), at: start, offset: 0))
            entry.signature = otherKey.signature(of: entry.message)
            return try await OfflineExchange(door, storage).take([Base64.url.encode(entry.bytes)])
        }

        func moments() async throws -> [Instant]? {
            try await storage.read { rows throws(JournalError) in try rows.attendee(kim)?.doorMoments }
        }
    }

    private func atLaptop(_ body: (Laptop) async throws -> Void) async throws {
        try await Site.inFolder { folder in
            let key = Ed25519Key()
            let storage = Storage(
                engine: try SQLiteEngine(folder: folder),
                satellite: OwnSatellite(
                    own, in: session.id, clockAhead: { 0 }, sign: { key.signature(of: $0) })
            ) { start }
            try storage.open()
            let door = OfflineDoor(own, in: session.id, key: key, contact: .init(sent: 0, seenAt: start)) {}
            try await body(Laptop(storage: storage, door: door))
            await storage.close()
        }
    }

    @Test func `an entry that the newest snapshot overrules does not count if another door brings it later`()
        async throws
    {
        try await atLaptop { laptop in
            try await laptop.take(overruled: [1])
            #expect(try await laptop.takeEntry() == 1)
            #expect(try await laptop.moments() == [])
        }
    }

    @Test func `an entry that a host has rejected does not count after it was held`() async throws {
        try await atLaptop { laptop in
            try await laptop.take()
            #expect(try await laptop.takeEntry() == 1)
            #expect(try await laptop.moments() == [start])
            try await laptop.take(countedUntil: 0)
            #expect(try await laptop.moments() == [])
            try await laptop.take(countedUntil: 1, overruled: [1])
            #expect(try await laptop.moments() == [])
            #expect(try await laptop.takeEntry() == 0)
        }
    }
}
