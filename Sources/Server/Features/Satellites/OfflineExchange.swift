import HTTPServer
package import Journal
package import Meetings
import Secrets
import Wire

/// The entries that an offline door gives to its server and to other offline doors, and takes from them.
package struct OfflineExchange: Sendable {
    private let door: OfflineDoor
    private let storage: Storage

    package init(_ door: OfflineDoor, _ storage: Storage) { (self.door, self.storage) = (door, storage) }

    /// Returns the last number of each offline door here, and signed entries that another place lacks: those
    /// of this door first.
    package func lacking(_ have: [SatelliteID: Int64], most: Int) async throws(JournalError) -> (
        have: [SatelliteID: Int64], entries: [String]
    ) {
        let (session, own) = (door.session, door.satellite)
        return try await storage.read { rows throws(JournalError) in
            let last = try rows.satellitesByID(of: session).mapValues(\.received).filter { $0.value > 0 }
            let shares = DoorShare.shares(of: last, lackedBy: have, first: own, most: most)
            return (last, try rows.doorEntries(shares).map { Base64.url.encode($0.bytes) })
        }
    }

    /// Stores entries of other offline doors whose signatures are genuine. Returns how many were new. Entries
    /// of this door, which come back, are ignored; so are those of a revoked door that do not count.
    package func take(_ texts: [String]) async throws(JournalError) -> Int {
        let session = door.session
        let doors = try await storage.read { rows throws(JournalError) in
            try rows.satellitesByID(of: session)
        }
        let entries = texts.prefix(DoorEntry.mostInExchange).compactMap { text in
            Base64.url.decode(text).flatMap { DoorEntry(bytes: $0) }
        }.filter { entry in
            guard entry.satellite != door.satellite, let known = doors[entry.satellite],
                let key = known.publicKey,
                !known.isRevoked || entry.number <= door.countedUntil(of: entry.satellite)
            else { return false }
            return Ed25519Key.verifies(entry.signature, of: entry.message, by: key)
        }
        var taken = 0
        for first in stride(from: 0, to: entries.count, by: MergeDoorEntries.most) {
            let part = Array(entries[first..<min(entries.count, first + MergeDoorEntries.most)])
            taken += try await storage.perform(MergeDoorEntries(part, of: session))
            let overruled = door.overruled(among: part)
            if !overruled.isEmpty { try await storage.perform(TakeSnapshotOverruled(overruled)) }
        }
        return taken
    }

    /// Returns the number of people who came in twice, as far as this door knows.
    package func doubles() async throws(JournalError) -> Int {
        let session = door.session
        return try await storage.read { rows throws(JournalError) in try rows.doubleCount(of: session) }
    }

    // MARK: Between two laptops

    /// A body with the offline door that may read it, so that nobody can send it back to its sender.
    private struct Envelope<Body: Codable>: Codable {
        let to: SatelliteID
        let body: Body
    }

    /// Encrypts a body for another offline door.
    package static func seal(_ body: some Codable, to door: SatelliteID, with key: [UInt8]) -> String {
        Base64.url.encode(Sealed.seal(WireJSON.bytes(Envelope(to: door, body: body)), with: key))
    }

    /// Decrypts a body for this offline door. Returns nil if another key encrypted it, or if it is for
    /// another offline door.
    package static func open<Body: Codable>(
        _ type: Body.Type, _ sealed: String, to door: SatelliteID, with key: [UInt8]
    ) -> Body? {
        guard let bytes = Base64.url.decode(sealed).flatMap({ Sealed.open($0, with: key) }),
            let envelope = try? WireJSON.decode(Envelope<Body>.self, from: bytes), envelope.to == door
        else { return nil }
        return envelope.body
    }

    /// Returns the key that this offline door and another one share; nil if the snapshot does not know the
    /// other one, or if the host has revoked it.
    package func sharedKey(with other: SatelliteID) async throws(JournalError) -> [UInt8]? {
        let found = try await storage.read { rows throws(JournalError) in try rows.satellite(other) }
        guard let found, other != door.satellite, !found.isRevoked, let publicKey = found.publicKey else {
            return nil
        }
        return door.key.sharedKey(with: publicKey)
    }
}

/// The handlers by which offline doors meet in the hall's network. A real server has no such door.
enum OfflineDoorHandlers {
    static func identity(_ context: RequestContext) throws -> HTTPResponse {
        .json(OfflineIdentityBody(try door(context).satellite))
    }

    static func exchange(_ context: RequestContext, _ request: SealedExchangeRequest) async throws
        -> HTTPResponse
    {
        let door = try door(context)
        let exchange = OfflineExchange(door, context.services.storage)
        guard let key = try await exchange.sharedKey(with: request.satelliteId),
            let body = OfflineExchange.open(
                DoorExchangeRequest.self, request.sealed, to: door.satellite, with: key),
            body.entries.count <= SealedExchangeRequest.mostEntries,
            body.have.count <= Satellite.mostOfSession
        else { throw Refusal.satelliteRevoked }
        let taken = try await exchange.take(body.entries)
        let (have, entries) = try await exchange.lacking(
            body.haveNumbers, most: SealedExchangeRequest.mostEntries)
        let answer = DoorExchangeBody(serverTime: context.now, have: have, entries: entries, taken: taken)
        return .json(
            SealedExchangeBody(
                sealed: OfflineExchange.seal(answer, to: request.satelliteId, with: key)))
    }

    private static func door(_ context: RequestContext) throws -> OfflineDoor {
        guard let door = context.services.settings.offlineDoor else { throw Refusal.notFound(.satellite) }
        return door
    }
}
