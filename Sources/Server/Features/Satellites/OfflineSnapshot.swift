package import Journal
package import Meetings
import Secrets
package import Wire

/// A server's snapshot on its way into the database of an offline door.
package struct OfflineSnapshot: Sendable {
    private let body: SatelliteSnapshot

    package init(_ body: SatelliteSnapshot) { self.body = body }

    /// Stores the snapshot in short transactions, so that people come in meanwhile.
    /// - Parameter steward: the only account of the offline door.
    package func store(in storage: Storage, steward: Account) async throws(JournalError) {
        let session = body.session.id
        try await storage.perform(
            TakeSessionSnapshot(
                meeting(createdAt: body.takenAt), sessionPart, keys: keys,
                satellites: satellites(createdBy: steward.id),
                steward: steward))
        for part in parts(body.attendees) {
            try await storage.perform(
                TakeSnapshotAttendees(of: session, part.map { ($0.id, $0.moves ?? []) }))
        }
        for part in parts(body.passes) {
            try await storage.perform(
                TakeSnapshotPasses(
                    of: session,
                    part.map {
                        .init(
                            $0.id, of: $0.state == .elsewhere ? nil : $0.attendeeId,
                            isRevoked: $0.state == .revoked)
                    }))
        }
        for (satellite, last) in countedUntil {
            var after: Int64? = 0
            while let first = after {
                after = try await storage.perform(
                    TakeSnapshotRevocation(of: satellite, countedUntil: last, after: first))
            }
        }
        // An entry that a host has decided about is no longer held, and may be overruled.
        for part in parts(overruled) {
            try await storage.perform(TakeSnapshotOverruled(part.map { ($0.satellite, $0.number) }))
        }
        let known = Set(body.attendees.map(\.id))
        var last: AttendeeID?
        repeat {
            last = try await storage.perform(ForgetSnapshotPeople(of: session, except: known, after: last))
        } while last != nil
    }

    private func parts<Element>(_ all: [Element]) -> [ArraySlice<Element>] {
        stride(from: 0, to: all.count, by: TakeSnapshotAttendees.mostAtOnce).map {
            all[$0..<min(all.count, $0 + TakeSnapshotAttendees.mostAtOnce)]
        }
    }

    private func meeting(createdAt moment: Instant) -> Meeting {
        Meeting(
            id: body.meeting.id, name: body.meeting.name, timeZone: Zone(body.meeting.timeZone) ?? .utc,
            identifyBy: body.meeting.identifyBy, createdAt: moment)
    }

    private var sessionPart: Session {
        let part = body.session
        var session = Session(
            id: part.id, meetingID: body.meeting.id, round: part.round, title: part.title,
            startsAt: part.startsAt, endsAt: part.endsAt, lateAfterMinutes: part.lateAfterMinutes,
            checkInOpensMinutesBefore: part.checkInOpensMinutesBefore, codeKind: .rotating, joinCode: "")
        session.checkOut = part.checkOut
        return session
    }

    private var keys: [PassKey] {
        body.passKeys.compactMap { key in
            Base64.url.decode(key.publicKey).map {
                PassKey(
                    meeting: body.meeting.id, number: key.number, publicKey: $0, secret: [],
                    createdAt: body.takenAt)
            }
        }
    }

    private func satellites(createdBy steward: AccountID) -> [Satellite] {
        body.satellites.map { part in
            Satellite(
                id: part.id, session: body.session.id, name: part.name, door: part.door,
                createdAt: body.takenAt, createdBy: steward,
                publicKey: Base64.url.decode(part.publicKey), joinedAt: body.takenAt,
                revokedAt: part.isRevoked ? body.takenAt : nil)
        }
    }

    /// The entries that no longer count.
    var overruled: [SatelliteNumber] { body.overruled }

    /// The last entry of each revoked offline door that counts.
    package var countedUntil: [SatelliteID: Int64] {
        Dictionary(
            body.satellites.compactMap { part in part.countedUntil.map { (part.id, $0) } },
            uniquingKeysWith: { first, _ in first })
    }
}
