import Client
import CommandLine
import FoundationEssentials
import HostCommands
import Journal
import Meetings
import Phrases
import Secrets
import Server
import Wire

private typealias Messages = CommandPhrases.OfflineDoors

/// `qring door --of URL`: keeps a door that works without the network. The first start joins a session of the
/// server and takes a snapshot of it. Each start serves the door from this folder in this process, shows the
/// screen of a door against it, and exchanges entries whenever it reaches the server or other offline doors.
@Sendable func keepOfflineDoor(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
    let written = call.arguments.value("of") ?? ""
    guard let address = ServerAddress(written) else {
        throw .usage(.notReadable("--of", written, expected: "https://qring.example.org"))
    }
    var others: [ServerAddress] = []
    for text in call.arguments.values("with") {
        guard let other = ServerAddress(text) else {
            throw .usage(.notReadable("--with", text, expected: "http://192.168.1.20:8080"))
        }
        others.append(other)
    }
    do throws(SecretsError) { try Secrets.start() } catch { throw .failed(Messages.noLibrary, [:]) }
    let folder = SatelliteFolder(call.arguments.value("folder"), of: address, call.environment)
    let start = try await OfflineStart(folder, address, call)
    return try await start.keep(others, call)
}

/// An offline door between its start and its screen.
private struct OfflineStart {
    let folder: SatelliteFolder
    let record: SatelliteRecord
    let client: APIClient
    let clock: DoorClock
    let seed: [UInt8]

    /// The longest time that a request waits. A hall's network may lose everything.
    private static let patience = Duration.seconds(10)

    /// Reads the folder, or joins the server as a new offline door.
    init(_ folder: SatelliteFolder, _ address: ServerAddress, _ call: Invocation) async throws(CommandFailure)
    {
        var client = try call.client(at: address)
        client.timeout = Self.patience
        self.folder = folder
        let stored: SatelliteRecord?
        do throws(FileFailure) { stored = try folder.read() } catch { throw .folder(folder, error) }
        let code = call.arguments.value("join")
        if let stored {
            guard code == nil else {
                throw .said(.conflict, Messages.joinedBefore, ["folder": folder.path], next: nil)
            }
            guard stored.server == address else {
                throw .said(
                    .conflict, Messages.ofAnother, ["folder": folder.path, "server": stored.server.url],
                    next: nil)
            }
            record = stored
            clock = DoorClock(offset: stored.offset)
        } else {
            guard let code else {
                throw .said(.notFound, Messages.notJoined, ["folder": folder.path], next: nil)
            }
            clock = DoorClock()
            record = try await Self.join(code, folder, client, clock)
        }
        guard let seed = Base64.url.decode(record.seed), seed.count == 32 else {
            throw .failed(Messages.badFolder, ["folder": folder.path, "reason": "seed"])
        }
        self.seed = seed
        self.client = client.speaking(for: .bearer(record.token))
    }

    private static func join(
        _ code: String, _ folder: SatelliteFolder, _ client: APIClient, _ clock: DoorClock
    ) async throws(CommandFailure) -> SatelliteRecord {
        // The folder comes first, because the code joins only once.
        let seed: [UInt8]
        do throws(FileFailure) {
            try folder.make()
            seed = try folder.joiningSeed()
        } catch { throw .folder(folder, error) }
        let key = Ed25519Key(seed: seed)
        // Eight characters of Crockford's base32. Phones type them, and each wrong one costs time.
        let code40 = Crockford.encode(Secrets.randomBytes(5))
        let hash: PasswordHash
        do { hash = try await PasswordHasher().hash(Redacted(code40)) } catch {
            throw .failed(Messages.noLibrary)
        }
        let sent = clock.elapsed
        let joined = try await calling { () async throws(APIError) in
            try await client.joinAsOfflineDoor(
                code: code, publicKey: Base64.url.encode(key.publicKey))
        }
        clock.compare(with: joined.serverTime, sent: sent)
        let record = SatelliteRecord(
            satellite: joined.satellite.id, session: joined.sessionId, server: client.server,
            name: joined.satellite.name, door: joined.satellite.door, token: joined.token,
            seed: Base64.url.encode(seed), code: code40, account: .make(at: clock.now),
            codeHash: hash.encoded, hasSealed: joined.satellite.names || joined.satellite.numbers,
            offset: clock.offset, seenAt: clock.now)
        do throws(FileFailure) { try folder.write(record) } catch { throw .folder(folder, error) }
        folder.endJoining()
        return record
    }

    /// Serves the door until its screen is left.
    func keep(_ others: [ServerAddress], _ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (stored, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let door = OfflineDoor(
            record.satellite, in: record.session, key: Ed25519Key(seed: seed),
            contact: .init(sent: record.sent, seenAt: record.seenAt)
        ) { wake.yield() }
        door.update { [isRevoked = record.isRevoked] in $0.isRevoked = isRevoked }
        var settings = ServerSettings(dataFolder: folder.path)
        settings.listen = call.arguments.value("listen") ?? "127.0.0.1:0"
        if let tls = try await tls(call) {
            (settings.tls, settings.listen) = (tls, "127.0.0.1:0")
        }
        settings.signUp = .closed
        settings.logFile = "\(folder.path)/door.log"
        // A shift at a door is shorter.
        settings.accessTokenLifetime = .hours(24 * 7)
        settings.offlineDoor = door
        let own = OwnSatellite(
            record.satellite, in: record.session, clockAhead: { [clock] in clock.offset },
            sign: { [key = door.key] in key.signature(of: $0) })
        let serving = try start(settings, call, at: clock, of: own)
        serving.server.open()
        let result: Result<ExitCode, CommandFailure>
        do throws(CommandFailure) {
            result = .success(try await keep(door, serving, others, stored, call))
        } catch { result = .failure(error) }
        await serving.server.drain()
        return try result.get()
    }

    private func keep(
        _ door: OfflineDoor, _ serving: Serving, _ others: [ServerAddress], _ stored: AsyncStream<Void>,
        _ call: Invocation
    ) async throws(CommandFailure) -> ExitCode {
        var clients: [APIClient] = []
        for other in others {
            var client = try call.client(at: other)
            client.timeout = Self.patience
            clients.append(client)
        }
        let key = try await typedKey(call)
        let loop = OfflineDoorLoop(
            door, serving.storage, clock, server: client, others: clients, folder, record
        ) { sealed in key.flatMap { SatelliteNames(sealed, openedBy: $0) } }
        if !record.hasSnapshot {
            // Without a snapshot, the door knows nobody.
            do { try await loop.takeSnapshot() } catch {
                throw .failed(Messages.noSnapshot, ["server": record.server.url, "reason": "\(error)"])
            }
        }
        if let sealed = folder.readSealed(), let key {
            guard let names = SatelliteNames(sealed, openedBy: key) else {
                throw .said(.notAllowed, Messages.wrongKey, [:], next: nil)
            }
            door.show(names)
        }
        await loop.countDoubles()
        guard let local = ServerAddress("http://127.0.0.1:\(serving.server.port)") else {
            throw .ended(.failed)
        }
        let signedIn = try await calling { () async throws(APIError) in
            try await APIClient(local, language: call.language).signIn(
                email: OfflineDoor.email, password: record.code, client: "qring door")
        }
        let host = APIClient(local, language: call.language, authority: .bearer(signedIn.accessToken))
        let session = try await calling { () async throws(APIError) in
            try await host.door(record.door, of: record.session)
        }
        let shown = serving.server.address
        let url = serving.server.secureURL ?? (call.arguments.value("listen") == nil ? nil : shown.url)
        let entrance = url.map { DoorCommand.Entrance(url: "\($0)/door", code: record.shownCode) }
        if let entrance, !(call.console.outIsTerminal && call.console.inIsTerminal) {
            call.note(Messages.entrance, ["url": entrance.url, "code": entrance.code])
        }
        let rounds = Task { await loop.run(stored) }
        defer { rounds.cancel() }
        let code = try await DoorCommand.keep(session, at: record.door, entrance: entrance, call, host)
        rounds.cancel()
        await loop.meetServer()
        return code
    }

    private func tls(_ call: Invocation) async throws(CommandFailure) -> TLSSettings? {
        let paths = (call.arguments.value("tls-cert"), call.arguments.value("tls-key"))
        guard case (let certificate?, let key?) = paths else {
            guard paths.0 == nil, paths.1 == nil else {
                throw .usage(.oneNeeded(["--tls-cert", "--tls-key"]))
            }
            return nil
        }
        func text(_ path: String) async throws(CommandFailure) -> String {
            String(decoding: try await call.contents(of: path, most: 1_000_000), as: UTF8.self)
        }
        return TLSSettings(
            listen: call.arguments.value("listen") ?? "0.0.0.0:8443",
            certificate: try await text(certificate),
            key: try await text(key))
    }

    /// Returns the key for names and numbers that the staff types; nil if the host chose neither.
    private func typedKey(_ call: Invocation) async throws(CommandFailure) -> DoorKey? {
        guard record.hasSealed else { return nil }
        let typed: String
        if let path = call.arguments.value("key-file") {
            typed = String(decoding: try await call.contents(of: path, most: 1000), as: UTF8.self).trimmed
        } else {
            guard call.console.inIsTerminal else { return nil }
            typed = await call.console.ask(call.text(Messages.askKey) + " ", hidden: true)?.trimmed ?? ""
        }
        if typed.isEmpty { return nil }
        guard let key = DoorKey(text: typed) else {
            throw .said(.notAllowed, Messages.wrongKey, [:], next: nil)
        }
        return key
    }
}

extension SatelliteNames {
    /// Opens the names and numbers of a snapshot; nil if they are for another key.
    fileprivate init?(_ sealed: String, openedBy key: DoorKey) {
        guard let bytes = Base64.url.decode(sealed).flatMap({ key.open($0) }),
            let names = try? WireJSON.decode(SatelliteNames.self, from: bytes)
        else { return nil }
        self = names
    }
}

extension SatelliteRecord {
    /// The code in two groups, which people read more easily.
    var shownCode: String { "\(code.prefix(4))-\(code.dropFirst(4))" }
}

extension CommandFailure {
    fileprivate static func folder(_ folder: SatelliteFolder, _ failure: FileFailure) -> CommandFailure {
        .failed(Messages.badFolder, ["folder": folder.path, "reason": failure.reason])
    }
}

extension CommandPhrases {
    /// The texts of `qring door --of`.
    enum OfflineDoors {
        static let noLibrary = Phrase("the library for signatures cannot be started")
        static let badFolder = Phrase(
            "the folder {folder} of this offline door cannot be used ({reason}); check its permissions, or "
                + "choose another --folder")
        static let joinedBefore = Phrase(
            "an offline door is in {folder} already. Leave --join out to start it, or choose another --folder"
        )
        static let ofAnother = Phrase(
            "the offline door in {folder} belongs to {server}; name this one by --of")
        static let notJoined = Phrase(
            "no offline door is in {folder} yet. A host creates one by qring offline-door add; then give its "
                + "code by --join")
        static let noSnapshot = Phrase(
            "the list of passes could not be loaded from {server} ({reason}). Start again with a network")
        static let wrongKey = Phrase("the key for names does not fit. Type it again, or leave it empty")
        static let askKey = Phrase("Key for names (Enter: without names):")
        static let entrance = Phrase("Phones in this network: {url}, code {code}")
    }
}
