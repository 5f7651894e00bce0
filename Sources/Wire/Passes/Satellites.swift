package import Meetings

/// The request that adds an offline door to a session.
package struct CreateSatelliteRequest: Readable, Sendable {
    package let name: String
    package let door: Int
    /// Whether the offline door may show names, and read numbers or addresses.
    package let names: Bool
    package let numbers: Bool

    package init(reading fields: Fields) {
        name = fields.name("name", required: true) ?? ""
        door = fields.integer("door", required: true, Door.numbers) ?? 1
        names = fields.bool("names") ?? false
        numbers = fields.bool("numbers") ?? false
    }
}

/// The answer to the host who has added an offline door. It is shown once.
package struct SatelliteCreatedBody: Codable, Hashable, Sendable {
    package let satellite: SatelliteBody
    /// The code by which a laptop joins, once, until `codeExpiresAt`: Crockford's base32.
    package let code: String
    package let codeExpiresAt: Instant
    /// The key that is typed at the door, and that opens names and numbers: Crockford's base32; nil if the
    /// offline door gets neither. The server cannot show it again.
    package let key: String?

    package init(_ satellite: SatelliteBody, code: String, codeExpiresAt: Instant, key: String?) {
        (self.satellite, self.code, self.codeExpiresAt, self.key) = (satellite, code, codeExpiresAt, key)
    }
}

/// An offline door, for hosts.
package struct SatelliteBody: Codable, Hashable, Sendable {
    package let id: SatelliteID
    package let name: String
    package let door: Int
    package let names: Bool
    package let numbers: Bool
    package let state: State
    package let createdAt: Instant
    package let joinedAt: Instant?
    /// The last exchange with the server.
    package let seenAt: Instant?
    package let revokedAt: Instant?
    /// By how many milliseconds the laptop's clock was ahead of the server's at the last exchange.
    package let clockAheadMilliseconds: Int64?
    /// The number of entries that the server has.
    package let entries: Int64
    /// How many of them wait for the host's decision.
    package let held: Int

    package enum State: String, Sendable, Codable, CaseIterable {
        /// No laptop has joined yet.
        case waiting
        /// No laptop has joined, and the code is too old.
        case expired
        case joined, revoked
    }

    package init(_ satellite: Satellite, held: Int, at now: Instant) {
        id = satellite.id
        name = satellite.name
        door = satellite.door
        names = satellite.hasNames
        numbers = satellite.hasNumbers
        state =
            if satellite.isRevoked {
                .revoked
            } else if satellite.joinedAt != nil {
                .joined
            } else {
                now <= satellite.createdAt + Satellite.codeLifetime ? .waiting : .expired
            }
        createdAt = satellite.createdAt
        joinedAt = satellite.joinedAt
        seenAt = satellite.seenAt
        revokedAt = satellite.revokedAt
        clockAheadMilliseconds = satellite.offset
        entries = satellite.received
        self.held = held
    }
}

package struct SatellitesBody: Codable, Hashable, Sendable {
    package let items: [SatelliteBody]

    package init(_ items: [SatelliteBody]) { self.items = items }
}

/// A person who came in twice without going out between.
package struct DoorDoubleBody: Codable, Hashable, Sendable {
    package let attendeeId: AttendeeID
    package let name: String
    package let first: Move
    package let second: Move

    package init(of attendee: AttendeeID, named name: String, first: Move, second: Move) {
        (attendeeId, self.name, self.first, self.second) = (attendee, name, first, second)
    }

    /// One way in.
    package struct Move: Codable, Hashable, Sendable {
        /// The offline door; nil if a door with a network or a phone did it.
        package let satelliteId: SatelliteID?
        package let satelliteName: String?
        package let door: Int?
        /// The moment by the server's clock, as far as the offline door knew it.
        package let at: Instant
        /// The moment by the laptop's own clock; nil for moves without an offline door.
        package let atLaptop: Instant?
        package let clockAheadMilliseconds: Int64?

        /// - Parameter door: the door of a move without an offline door; nil for a phone.
        package init(_ move: DoorMove, at satellite: Satellite?, door: Int?) {
            satelliteId = move.entry?.satellite
            satelliteName = satellite?.name
            self.door = satellite?.door ?? door
            at = move.at
            atLaptop = move.entry?.at
            clockAheadMilliseconds = move.entry?.offset
        }
    }
}

/// The host's decision about all held entries of a revoked offline door.
package struct HeldEntriesRequest: Readable, Sendable {
    package let accept: Bool

    package init(reading fields: Fields) { accept = fields.bool("accept", required: true) ?? false }
}

/// The result of the decision.
package struct HeldEntriesBody: Codable, Hashable, Sendable {
    /// The number of entries that are accepted or rejected now.
    package let decided: Int
    /// Whether more are held, so that the request must be repeated.
    package let hasMore: Bool

    package init(decided: Int, hasMore: Bool) { (self.decided, self.hasMore) = (decided, hasMore) }
}

/// The request by which a laptop joins as an offline door.
package struct JoinSatelliteRequest: Readable, Sendable {
    package let code: String
    /// The laptop's Ed25519 key: 32 bytes in base64url without padding.
    package let publicKey: String

    package init(reading fields: Fields) {
        code = fields.text("code", required: true, 1...100) ?? ""
        publicKey = fields.text("publicKey", required: true, 43...43) ?? ""
    }
}

/// The answer to a laptop that has joined. It is sent once.
package struct SatelliteJoinedBody: Codable, Hashable, Sendable {
    package let satellite: SatelliteBody
    package let sessionId: SessionID
    /// The secret with which the laptop proves that it is the offline door: `Authorization: Bearer …`.
    package let token: String
    package let snapshotUrl: String
    package let serverTime: Instant

    package init(
        _ satellite: SatelliteBody, of session: SessionID, token: String, snapshotUrl: String,
        serverTime: Instant
    ) {
        (self.satellite, sessionId, self.token) = (satellite, session, token)
        (self.snapshotUrl, self.serverTime) = (snapshotUrl, serverTime)
    }
}

/// All that an offline door knows of one session. It has no names and no numbers, except in `sealed`.
package struct SatelliteSnapshot: Codable, Hashable, Sendable {
    /// The offline door that gets this snapshot.
    package let satelliteId: SatelliteID
    package let takenAt: Instant
    package let meeting: MeetingPart
    package let session: SessionPart
    package let passKeys: [KeyPart]
    package let passes: [PassPart]
    package let attendees: [AttendeePart]
    /// All offline doors of the session that have joined, also this one and revoked ones.
    package let satellites: [SatellitePart]
    /// Entries that no longer count, because a host has corrected the record since.
    package let overruled: [SatelliteNumber]
    /// Names and numbers (`SatelliteNames`), encrypted for the key that is typed at the door: base64url
    /// without padding; nil if the host chose neither.
    package let sealed: String?

    /// The most passes in a snapshot, including the revoked ones.
    package static let mostPasses = 50_000
    package static let mostOverruled = 20_000

    package init(
        for satellite: SatelliteID, at now: Instant, _ meeting: MeetingPart, _ session: SessionPart,
        passKeys: [KeyPart], passes: [PassPart], attendees: [AttendeePart], satellites: [SatellitePart],
        overruled: [SatelliteNumber], sealed: String?
    ) {
        (satelliteId, takenAt, self.meeting, self.session) = (satellite, now, meeting, session)
        (self.passKeys, self.passes, self.attendees) = (passKeys, passes, attendees)
        (self.satellites, self.overruled, self.sealed) = (satellites, overruled, sealed)
    }

    /// Returns the same content with another moment and sealed part.
    package func taken(at now: Instant, sealed: String?) -> SatelliteSnapshot {
        SatelliteSnapshot(
            for: satelliteId, at: now, meeting, session, passKeys: passKeys, passes: passes,
            attendees: attendees, satellites: satellites, overruled: overruled, sealed: sealed)
    }

    package struct MeetingPart: Codable, Hashable, Sendable {
        package let id: MeetingID
        package let name: String
        package let timeZone: String
        package let identifyBy: IdentifyBy

        package init(_ meeting: Meeting) {
            (id, name, timeZone) = (meeting.id, meeting.name, meeting.timeZone.name)
            identifyBy = meeting.identifyBy
        }
    }

    package struct SessionPart: Codable, Hashable, Sendable {
        package let id: SessionID
        package let round: Int
        package let title: String
        package let startsAt: Instant
        package let endsAt: Instant
        package let lateAfterMinutes: Int
        package let checkInOpensMinutesBefore: Int
        package let checkOut: CheckOut

        package init(_ session: Session) {
            (id, round, title) = (session.id, session.round, session.title)
            (startsAt, endsAt) = (session.startsAt, session.endsAt)
            lateAfterMinutes = session.lateAfterMinutes
            checkInOpensMinutesBefore = session.checkInOpensMinutesBefore
            checkOut = session.checkOut
        }
    }

    package struct KeyPart: Codable, Hashable, Sendable {
        package let number: Int
        /// 32 bytes in base64url without padding.
        package let publicKey: String

        package init(number: Int, publicKey: String) { (self.number, self.publicKey) = (number, publicKey) }
    }

    package struct PassPart: Codable, Hashable, Sendable {
        package let id: PassID
        /// The attendee of this session; nil if the session does not expect the person.
        package let attendeeId: AttendeeID?
        package let state: State

        package enum State: String, Sendable, Codable, CaseIterable {
            case valid, revoked
            /// The pass opens another session only.
            case elsewhere
        }

        package init(_ id: PassID, of attendee: AttendeeID?, _ state: State) {
            (self.id, attendeeId, self.state) = (id, attendee, state)
        }
    }

    package struct AttendeePart: Codable, Hashable, Sendable {
        package let id: AttendeeID
        /// The moves that the server itself has recorded: in, out, in, and so on; nil if there are none. The
        /// moves of offline doors come by their entries.
        package let moves: [Instant]?

        package init(_ id: AttendeeID, moves: [Instant]) {
            (self.id, self.moves) = (id, moves.isEmpty ? nil : moves)
        }
    }

    package struct SatellitePart: Codable, Hashable, Sendable {
        package let id: SatelliteID
        package let name: String
        package let door: Int
        /// 32 bytes in base64url without padding.
        package let publicKey: String
        /// The last entry that counts, if the offline door is revoked; nil if it is not. Later entries are
        /// held until a host decides, and then this number grows.
        package let countedUntil: Int64?

        package init(
            _ id: SatelliteID, named name: String, door: Int, publicKey: String, countedUntil: Int64?
        ) {
            (self.id, self.name, self.door) = (id, name, door)
            (self.publicKey, self.countedUntil) = (publicKey, countedUntil)
        }

        package var isRevoked: Bool { countedUntil != nil }
    }
}

/// The names and numbers of a snapshot, before they are encrypted.
package struct SatelliteNames: Codable, Hashable, Sendable {
    package let items: [Item]

    package struct Item: Codable, Hashable, Sendable {
        package let id: AttendeeID
        /// Nil if the host did not choose names.
        package let name: String?
        /// The number or address; nil if the host did not choose numbers.
        package let identity: String?

        package init(_ id: AttendeeID, name: String?, identity: String?) {
            (self.id, self.name, self.identity) = (id, name, identity)
        }
    }

    package init(_ items: [Item]) { self.items = items }
}

/// The number of an entry of one offline door.
package struct SatelliteNumber: Codable, Hashable, Sendable, Readable {
    package let satellite: SatelliteID
    package let number: Int64

    package init(_ satellite: SatelliteID, _ number: Int64) {
        (self.satellite, self.number) = (satellite, number)
    }

    package init(reading fields: Fields) {
        satellite = fields.id("satellite", of: Satellite.self, required: true) ?? ID(high: 0, low: 0)
        number = Int64(
            fields.integer("number", required: true, 0...Int(DoorEntry.mostOfSatellite)) ?? 0)
    }

    /// Returns a list of the last numbers, in the order of the offline doors.
    package static func list(_ have: [SatelliteID: Int64]) -> [SatelliteNumber] {
        have.sorted { $0.key < $1.key }.map { SatelliteNumber($0, $1) }
    }
}

/// The request of an offline door that gives its entries and takes those of others.
package struct DoorExchangeRequest: Readable, Codable, Sendable {
    /// The caller's clock.
    package let clock: Instant
    /// The last entry of each offline door that the caller has with all earlier ones.
    package let have: [SatelliteNumber]
    /// The bytes of entries (`DoorEntry.bytes`), each in base64url without padding.
    package let entries: [String]

    private static let entryCharacters = (DoorEntry.length * 8 + 5) / 6

    package init(reading fields: Fields) {
        clock = fields.instant("clock", required: true) ?? Instant(milliseconds: 0)
        have = fields.objects("have", of: SatelliteNumber.self, most: Satellite.mostOfSession) ?? []
        entries =
            fields.names("entries", 0...DoorEntry.mostInExchange, characters: Self.entryCharacters) ?? []
    }

    package init(clock: Instant, have: [SatelliteID: Int64], entries: [String]) {
        (self.clock, self.have, self.entries) = (clock, SatelliteNumber.list(have), entries)
    }

    package var haveNumbers: [SatelliteID: Int64] {
        Dictionary(have.map { ($0.satellite, $0.number) }, uniquingKeysWith: max)
    }
}

/// The answer to an exchange.
package struct DoorExchangeBody: Codable, Sendable {
    package let serverTime: Instant
    /// The last entry of each offline door that is stored here with all earlier ones.
    package let have: [SatelliteNumber]
    /// Entries that the caller lacks, at most `DoorEntry.mostInExchange`, in an order in which the caller can
    /// take all of them: base64url without padding.
    package let entries: [String]
    /// How many of the sent entries were new here.
    package let taken: Int

    package init(serverTime: Instant, have: [SatelliteID: Int64], entries: [String], taken: Int) {
        (self.serverTime, self.have) = (serverTime, SatelliteNumber.list(have))
        (self.entries, self.taken) = (entries, taken)
    }

    package var haveNumbers: [SatelliteID: Int64] {
        Dictionary(have.map { ($0.satellite, $0.number) }, uniquingKeysWith: max)
    }
}
