import HTTPServer
import Journal
import Meetings
import Secrets
import Wire

/// The handlers for offline doors.
enum SatelliteHandlers {
    // MARK: Hosts

    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let (session, now) = (context.record.session.id, context.now)
        let items = try await context.storage.read { rows throws(JournalError) in
            try rows.satellites(of: session).map { satellite throws(JournalError) in
                try body(satellite, rows, at: now)
            }
        }
        return .json(SatellitesBody(items))
    }

    /// Shows an offline door as revoked also if its creator has lost the right.
    private static func body(_ satellite: Satellite, _ rows: any ReadableRows, at now: Instant)
        throws(JournalError) -> SatelliteBody
    {
        var shown = satellite
        if try !rows.isUsable(satellite), shown.revokedAt == nil { shown.revokedAt = now }
        // A creator who is a host again makes the door usable again, and its held entries still wait.
        return SatelliteBody(shown, held: try rows.heldDoorEntryCount(of: satellite.id), at: now)
    }

    static func add(_ context: RequestContext, _ request: CreateSatelliteRequest) async throws
        -> HTTPResponse
    {
        let (code, isSealed) = (DoorKey(), request.names || request.numbers)
        let key = isSealed ? DoorKey() : nil
        let satellite = try await context.storage.perform(
            AddSatellite(
                id: .make(at: context.now), session: context.record.session.id, name: request.name,
                door: request.door, hasNames: request.names, hasNumbers: request.numbers,
                sealingKey: key?.publicKey, codeHash: code.storedHash, actor: context.accountID))
        return .json(
            SatelliteCreatedBody(
                SatelliteBody(satellite, held: 0, at: context.now), code: code.text,
                codeExpiresAt: satellite.createdAt + Satellite.codeLifetime, key: key?.text),
            status: 201)
    }

    static func revoke(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.storage.perform(
            RevokeSatellite(
                try id(context), of: context.record.session.id, actor: context.accountID))
        return .noContent
    }

    /// Lists doubles by person and time. The cursor names the person and the number of the double.
    static func doubles(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, session) = (try context.limit(), context.record.session.id)
        let after = try context.cursor { cursor in
            guard cursor.words.count == 2, let id = AttendeeID(cursor.words[0]),
                let number = Int(cursor.words[1]), number > 0
            else { return nil as (AttendeeID, Int)? }
            return (id, number)
        }
        let (doors, found) = try await context.storage.read { rows throws(JournalError) in
            (
                try rows.satellitesByID(of: session),
                try rows.doubles(of: session, after: after, limit: limit + 1)
            )
        }
        let items = found.prefix(limit).map { attendee, double, own, _ in
            func move(_ move: DoorMove) -> DoorDoubleBody.Move {
                DoorDoubleBody.Move(
                    move, at: move.entry.flatMap { doors[$0.satellite] },
                    door: move.at == own.moves.first ? own.door : nil)
            }
            return DoorDoubleBody(
                of: attendee.id, named: attendee.name, first: move(double.first),
                second: move(double.second))
        }
        let last = found.count > limit ? found[limit - 1] : nil
        return .json(
            Page(
                items: items,
                nextCursor: last.map { Cursor($0.attendee.id.text, String($0.number)).text }))
    }

    /// Decides about the held entries in parts, each complete in itself.
    static func decide(_ context: RequestContext, _ request: HeldEntriesRequest) async throws -> HTTPResponse
    {
        let command = DecideHeldEntries(
            of: try id(context), in: context.record.session.id, accepts: request.accept,
            actor: context.accountID)
        var (decided, hasMore) = (0, true)
        while hasMore, decided < DoorEntry.mostInExchange {
            let part = try await context.storage.perform(command)
            decided += part.decided
            hasMore = part.hasMore
        }
        return .json(HeldEntriesBody(decided: decided, hasMore: hasMore))
    }

    private static func id(_ context: RequestContext) throws -> SatelliteID {
        try context.id(Satellite.self, .satellite, named: "satelliteId")
    }

    // MARK: Laptops

    static func join(_ context: RequestContext, _ request: JoinSatelliteRequest) async throws -> HTTPResponse
    {
        guard let key = Base64.url.decode(request.publicKey), key.count == 32 else {
            throw Refusal.invalid([FieldError("/publicKey", .notAPublicKey)])
        }
        guard let code = DoorKey(text: request.code) else { throw context.forged(.satelliteCodeNotValid) }
        let token = RandomToken()
        do {
            let satellite = try await context.storage.perform(
                JoinSatellite(codeHash: code.storedHash, publicKey: key, tokenHash: token.storedHash))
            return .json(
                SatelliteJoinedBody(
                    SatelliteBody(satellite, held: 0, at: context.now), of: satellite.session,
                    token: BearerToken.satellite + token.text,
                    snapshotUrl: "\(context.address.url)/api/v1/satellite/snapshot",
                    serverTime: context.services.clock.now), status: 201)
        } catch Refusal.satelliteCodeNotValid {
            throw context.forged(.satelliteCodeNotValid)
        }
    }

    /// Takes entries in parts, each complete in itself, and answers with those that the caller lacks. What a
    /// revoked offline door sends is held, and it learns nothing.
    static func exchange(_ context: RequestContext, _ request: DoorExchangeRequest) async throws
        -> HTTPResponse
    {
        let (caller, now) = (context.satellite, context.services.clock.now)
        try context.countRequest("exchange of offline door \(caller.id)", FailureLimits.exchange)
        let ahead = min(
            max(request.clock.milliseconds - now.milliseconds, -DoorEntry.mostOffset), DoorEntry.mostOffset)
        let entries = try await verified(request.entries, of: caller.session, context)
        var taken = 0
        // An exchange without entries only notes the time, and not each time.
        let isSeen = caller.seenAt.map { now < $0 + .seconds(15) && $0 <= now } ?? false
        if !entries.isEmpty || !isSeen {
            for start in stride(from: 0, to: max(entries.count, 1), by: MergeDoorEntries.most) {
                taken += try await context.storage.perform(
                    MergeDoorEntries(
                        Array(entries.dropFirst(start).prefix(MergeDoorEntries.most)), of: caller.session,
                        from: caller.id, clockAhead: ahead))
            }
        }
        let has = request.haveNumbers
        let (have, lacking) = try await context.storage.read {
            rows throws(JournalError) -> ([SatelliteID: Int64], [DoorEntry]) in
            guard let current = try rows.satellite(caller.id), try rows.isUsable(current) else {
                throw .refused(.satelliteRevoked)
            }
            var (have, counted): ([SatelliteID: Int64], [SatelliteID: Int64]) = ([:], [:])
            for door in try rows.satellites(of: caller.session) where door.publicKey != nil {
                (have[door.id], counted[door.id]) = (door.received, try rows.countedUntil(door))
            }
            let shares = DoorShare.shares(of: counted, lackedBy: has, most: DoorEntry.mostInExchange)
            return (have, try rows.doorEntries(shares))
        }
        return .json(
            DoorExchangeBody(
                serverTime: context.services.clock.now, have: have,
                entries: lacking.map { Base64.url.encode($0.bytes) }, taken: taken))
    }

    /// Reads entries and verifies their signatures, on a thread of low priority. Returns them by offline door
    /// and number. Entries of offline doors that this session does not know are left out.
    private static func verified(_ texts: [String], of session: SessionID, _ context: RequestContext)
        async throws -> [DoorEntry]
    {
        guard !texts.isEmpty else { return [] }
        let keys = try await context.storage.read { rows throws(JournalError) in
            try rows.satellitesByID(of: session).compactMapValues(\.publicKey)
        }
        return try await context.inBackground {
            var entries: [DoorEntry] = []
            for (index, text) in texts.enumerated() {
                guard let entry = Base64.url.decode(text).flatMap({ DoorEntry(bytes: $0) }) else {
                    throw Refusal.invalid([FieldError("/entries/\(index)", .notADoorEntry)])
                }
                guard let key = keys[entry.satellite] else { continue }
                guard Ed25519Key.verifies(entry.signature, of: entry.message, by: key) else {
                    throw Refusal.invalid([FieldError("/entries/\(index)", .notADoorEntry)])
                }
                entries.append(entry)
            }
            return entries.sorted { ($0.satellite, $0.number) < ($1.satellite, $1.number) }
        }
    }

    // MARK: The snapshot

    static func snapshot(_ context: RequestContext) async throws -> HTTPResponse {
        let caller = context.satellite
        try context.countRequest("snapshot of offline door \(caller.id)", FailureLimits.snapshot)
        let (services, now) = (context.services, context.now)
        // One at a time for each offline door.
        let turn = AccountID(sameAs: caller.id)
        return try await services.heavyWork.alone(turn) {
            try await context.inBackground {
                let (snapshot, names) = try await context.storage.scan { rows throws(JournalError) in
                    try content(for: caller, rows, at: now)
                }
                let tag = Crockford.encode(
                    services.keys.attempts.mac(
                        Array("snapshot of an offline door\0".utf8)
                            + WireJSON.bytes(snapshot.taken(at: Instant(milliseconds: 0), sealed: nil))
                            + (names ?? [])))
                let headers = [("ETag", "\"\(tag)\""), ("Cache-Control", "private, no-cache")]
                if let seen = context.request.headers.first("if-none-match"),
                    MeetingImages.matches(seen, tag)
                {
                    return HTTPResponse(status: 304, headers: headers)
                }
                var sealed: String?
                if let names, let key = caller.sealingKey {
                    sealed = DoorKey.seal(names, for: key).map { Base64.url.encode($0) }
                }
                return HTTPResponse(
                    status: 200, headers: headers + [("Content-Type", "application/json")],
                    body: WireJSON.bytes(snapshot.taken(at: now, sealed: sealed)))
            }
        }
    }

    /// Returns the snapshot without its sealed part, and the bytes to seal.
    /// - Throws: `satelliteRevoked`; `limitReached` if the session has too many attendees or passes.
    private static func content(for caller: Satellite, _ rows: any ReadableRows, at now: Instant)
        throws(JournalError) -> (SatelliteSnapshot, [UInt8]?)
    {
        guard let current = try rows.satellite(caller.id), try rows.isUsable(current),
            let record = try rows.session(caller.session)
        else { throw .refused(.satelliteRevoked) }
        let session = record.session.id
        guard record.headCount.known <= Satellite.mostAttendees else {
            throw .refused(.limitReached(.attendee, limit: Satellite.mostAttendees))
        }
        var (attendees, passes): ([SatelliteSnapshot.AttendeePart], [SatelliteSnapshot.PassPart]) = ([], [])
        var (overruled, names): ([SatelliteNumber], [SatelliteNames.Item]) = ([], [])
        var after: AttendeeID?
        while true {
            let page = try rows.attendees(of: session, statuses: nil, text: nil, after: after, limit: 500)
            guard let last = page.last?.id else { break }
            for own in try rows.ownDoorMoves(of: page, in: session, after: after) {
                attendees.append(SatelliteSnapshot.AttendeePart(own.attendee.id, moves: own.moves))
                overruled += own.overruled.map { SatelliteNumber($0.entry.satellite, $0.entry.number) }
                guard caller.hasNames || caller.hasNumbers else { continue }
                let identity = own.attendee.identity
                names.append(
                    SatelliteNames.Item(
                        own.attendee.id, name: caller.hasNames ? own.attendee.name : nil,
                        identity: caller.hasNumbers && !identity.isEmpty ? identity : nil))
            }
            for (attendee, pass) in try rows.passes(inSlotsOf: session, after: after, through: last) {
                passes.append(
                    SatelliteSnapshot.PassPart(
                        pass.id, of: attendee,
                        !pass.isValid
                            ? .revoked : pass.session.map { $0 == session } ?? true ? .valid : .elsewhere))
            }
            guard passes.count <= SatelliteSnapshot.mostPasses else {
                throw .refused(.limitReached(.pass, limit: SatelliteSnapshot.mostPasses))
            }
            after = last
            if page.count < 500 { break }
        }
        overruled += try rows.overruledDoorEntries(of: session, limit: SatelliteSnapshot.mostOverruled).map {
            SatelliteNumber($0.entry.satellite, $0.entry.number)
        }
        var doors: [SatelliteSnapshot.SatellitePart] = []
        for door in try rows.satellites(of: session) {
            guard let key = door.publicKey else { continue }
            doors.append(
                SatelliteSnapshot.SatellitePart(
                    door.id, named: door.name, door: door.door, publicKey: Base64.url.encode(key),
                    countedUntil: try rows.isUsable(door) ? nil : try rows.countedUntil(door)))
        }
        let keys = try rows.passKeys(of: record.meeting.id).map {
            SatelliteSnapshot.KeyPart(number: $0.number, publicKey: Base64.url.encode($0.publicKey))
        }
        let snapshot = SatelliteSnapshot(
            for: caller.id, at: now, SatelliteSnapshot.MeetingPart(record.meeting),
            SatelliteSnapshot.SessionPart(record.session), passKeys: keys, passes: passes,
            attendees: attendees, satellites: doors, overruled: overruled, sealed: nil)
        return (snapshot, names.isEmpty ? nil : WireJSON.bytes(SatelliteNames(names)))
    }
}

extension ReadableRows {
    /// Returns the number of the last entry before the first held one.
    fileprivate func countedUntil(_ door: Satellite) throws(JournalError) -> Int64 {
        try heldDoorEntries(of: door.id, limit: 1).first.map { $0.entry.number - 1 } ?? door.received
    }
}
