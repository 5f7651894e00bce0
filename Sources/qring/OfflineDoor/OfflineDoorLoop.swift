import Client
import CommandLine
import Journal
import Meetings
import Secrets
import Server
import Synchronization
import Wire

/// Carries entries between an offline door, its server and the other offline doors, as long as the network
/// lets it. Nothing here is needed for an admission: the door's own server has stored it before.
actor OfflineDoorLoop {
    private let door: OfflineDoor
    private let storage: Storage
    private let exchange: OfflineExchange
    private let clock: DoorClock
    private let server: APIClient
    private let others: [APIClient]
    private let folder: SatelliteFolder
    private var record: SatelliteRecord
    private let opens: @Sendable (String) -> SatelliteNames?

    /// What the server, and each other offline door, had at the last exchange.
    private var serverHas: [SatelliteID: Int64] = [:]
    private var othersHave: [Int: (door: SatelliteID, has: [SatelliteID: Int64])] = [:]
    /// The tag of the newest snapshot of this process.
    private var snapshotTag: String?
    private var revokedIsDue: Duration = .zero
    /// The last own entry in the newest request to the server, or before it.
    private var offered: Int64 = 0
    private var writtenAt: Instant

    /// The pause between two rounds without a new entry.
    private static let pause = Duration.seconds(5)
    /// The time between two snapshots.
    private static let pauseOfSnapshots = Duration.seconds(15)
    /// The longest time that a snapshot takes. It can have megabytes.
    private static let patienceOfSnapshots = Duration.seconds(120)
    /// The time between two requests of a revoked door.
    private static let pauseOfRevoked = Duration.seconds(60)
    /// How long the record on the disk may say that the server was seen earlier.
    private static let pauseOfRecords = Duration.seconds(60)

    /// - Parameters:
    ///   - others: clients of the other offline doors.
    ///   - opens: decrypts names and numbers by the key that the staff has typed.
    init(
        _ door: OfflineDoor, _ storage: Storage, _ clock: DoorClock, server: APIClient, others: [APIClient],
        _ folder: SatelliteFolder, _ record: SatelliteRecord,
        opening opens: @escaping @Sendable (String) -> SatelliteNames?
    ) {
        (self.door, self.storage, self.clock) = (door, storage, clock)
        (self.server, self.others, self.folder, self.record) = (server, others, folder, record)
        exchange = OfflineExchange(door, storage)
        self.opens = opens
        serverHas = [record.satellite: record.sent]
        writtenAt = record.seenAt
    }

    /// Runs until the task is cancelled. A new entry is sent at once.
    func run(_ stored: AsyncStream<Void>) async {
        let (rounds, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let wakers = [
            Task { for await _ in stored { wake.yield() } },
            Task {
                while !Task.isCancelled {
                    wake.yield()
                    try? await Task.sleep(for: Self.pause)
                }
            },
            Task { await takeSnapshots() },
        ]
        defer { for waker in wakers { waker.cancel() } }
        for await _ in rounds {
            if Task.isCancelled { return }
            await meetServer()
            for index in others.indices where !Task.isCancelled { await meet(index) }
        }
    }

    // MARK: The server

    /// Exchanges entries with the server.
    func meetServer() async {
        // The server holds what a revoked door sends, and has no more to say.
        guard !record.isRevoked || clock.elapsed >= revokedIsDue else { return }
        if record.isRevoked { revokedIsDue = clock.elapsed + Self.pauseOfRevoked }
        do { repeat {} while try await exchangeWithServer() } catch {
            note(error)
            guard (error as? APIError)?.code == .satelliteRevoked else { return }
            // The server has stored what it was sent, and does not say so.
            if offered > serverHas[record.satellite] ?? 0 { revokedIsDue = .zero }
            serverHas[record.satellite] = offered
        }
    }

    private func note(_ error: any Error) {
        switch (error as? APIError)?.code {
        case .satelliteRevoked:
            record.isRevoked = true
            door.update { $0.isRevoked = true }
            try? folder.write(record)
        case .doorEntriesDiffer: door.update { $0.isCopy = true }
        default: break
        }
    }

    /// Takes snapshots beside the exchanges, because one can take long.
    private func takeSnapshots() async {
        while !Task.isCancelled {
            if !record.isRevoked { do { try await takeSnapshot() } catch { note(error) } }
            try? await Task.sleep(for: Self.pauseOfSnapshots)
        }
    }

    /// Returns whether more must be exchanged.
    private func exchangeWithServer() async throws -> Bool {
        let (have, entries) = try await exchange.lacking(serverHas, most: DoorEntry.mostInExchange)
        let last = (serverHas[record.satellite] ?? 0) + Int64(DoorEntry.mostInExchange)
        offered = min(have[record.satellite] ?? 0, last)
        let sent = clock.elapsed
        let answer = try await server.exchange(
            DoorExchangeRequest(
                clock: clock.now + .milliseconds(clock.offset), have: have, entries: entries))
        clock.compare(with: answer.serverTime, sent: sent)
        // Another door may have brought the server an entry that this one has made since the request.
        let own = try await exchange.lacking([:], most: 0).have[record.satellite] ?? 0
        guard answer.haveNumbers[record.satellite] ?? 0 <= own else {
            door.update { $0.isCopy = true }
            return false
        }
        // An entry that cannot be taken does not make this door send its own ones again.
        let before = serverHas
        serverHas = answer.haveNumbers
        try note()
        let taken = try await take(answer.entries)
        return taken > 0 || (entries.count == DoorEntry.mostInExchange && before != serverHas)
    }

    /// Stores that the server was seen, and what it has.
    private func note() throws {
        let sent = serverHas[record.satellite] ?? 0
        let isNew = sent != record.sent || record.isRevoked || clock.now >= writtenAt + Self.pauseOfRecords
        (record.sent, record.seenAt, record.offset) = (sent, clock.now, clock.offset)
        // If the door's creator is a host again, so is the door's right.
        record.isRevoked = false
        door.update { [seenAt = record.seenAt] in
            ($0.sent, $0.seenAt, $0.isRevoked) = (sent, seenAt, false)
        }
        guard isNew else { return }
        try folder.write(record)
        writtenAt = record.seenAt
    }

    func takeSnapshot() async throws {
        var patient = server
        patient.timeout = Self.patienceOfSnapshots
        guard let snapshot = try await patient.offlineSnapshot(since: snapshotTag) else { return }
        let body = OfflineSnapshot(snapshot.body)
        door.count(by: body)
        try await body.store(in: storage, steward: record.steward)
        try folder.write(sealed: snapshot.body.sealed)
        if let sealed = snapshot.body.sealed, let names = opens(sealed) { door.show(names) }
        snapshotTag = snapshot.tag
        record.hasSnapshot = true
        try folder.write(record)
        await countDoubles()
    }

    // MARK: Other offline doors

    private func meet(_ index: Int) async {
        do {
            for _ in 0..<2 where try await !exchange(with: index) { return }
        } catch {
            // Another laptop may answer at the address next time.
            othersHave[index] = nil
        }
    }

    /// Returns whether more must be exchanged.
    private func exchange(with index: Int) async throws -> Bool {
        let other = others[index]
        let known: (door: SatelliteID, has: [SatelliteID: Int64])
        // The first request sends no entries, because nobody knows yet which ones the other door lacks.
        let isFirst = othersHave[index] == nil
        if let found = othersHave[index] {
            known = found
        } else {
            known = (try await other.offlineIdentity().satelliteId, [:])
        }
        guard let key = try await exchange.sharedKey(with: known.door) else { return false }
        let (have, lacking) = try await exchange.lacking(
            known.has, most: isFirst ? 0 : SealedExchangeRequest.mostEntries)
        let request = DoorExchangeRequest(
            clock: clock.now + .milliseconds(clock.offset), have: have, entries: lacking)
        let answer = try await other.exchange(
            SealedExchangeRequest(
                from: record.satellite, sealed: OfflineExchange.seal(request, to: known.door, with: key)))
        guard
            let body = OfflineExchange.open(
                DoorExchangeBody.self, answer.sealed, to: record.satellite, with: key)
        else { throw APIError.notQRing(url: other.server.url, status: 200) }
        let taken = try await take(body.entries)
        othersHave[index] = (known.door, body.haveNumbers)
        return isFirst || taken == SealedExchangeRequest.mostEntries
    }

    // MARK: Entries

    private func take(_ entries: [String]) async throws -> Int {
        let taken = try await exchange.take(entries)
        if taken > 0 { await countDoubles() }
        return taken
    }

    /// Counts the people who came in twice, as far as this door knows.
    func countDoubles() async {
        guard let count = try? await exchange.doubles() else { return }
        door.update { $0.doubles = count }
    }
}
