import Client
import CommandLine
import FoundationEssentials
import Glibc
import Meetings
import Secrets
import Server
import Wire

/// What the laptop of an offline door stores besides the database. Only its owner may read the file, because
/// it has the laptop's key and token.
struct SatelliteRecord: Codable, Sendable {
    let satellite: SatelliteID
    let session: SessionID
    let server: ServerAddress
    let name: String
    let door: Int
    let token: String
    /// The seed of the Ed25519 key, in base64url.
    let seed: String
    /// The code by which phones in the hall sign in.
    let code: String
    let account: AccountID
    /// The hash of the code, which is the password of the account.
    let codeHash: String
    /// Whether the host chose names or numbers, which a typed key opens.
    let hasSealed: Bool
    /// By how many milliseconds the laptop's clock was ahead of the server's.
    var offset: Int64
    var seenAt: Instant
    /// The number of the newest own entry that the server has.
    var sent: Int64 = 0
    var isRevoked = false
    /// Whether the database has a snapshot.
    var hasSnapshot = false

    /// The only account of this offline door.
    var steward: Account {
        Account(
            id: account, email: OfflineDoor.email, name: name, passwordHash: codeHash, verified: true,
            createdAt: account.madeAt)
    }
}

/// The folder of an offline door: a server's data folder with the laptop's record.
struct SatelliteFolder: Sendable {
    let path: String
    private var recordPath: String { "\(path)/offline-door.json" }
    private var sealedPath: String { "\(path)/names.sealed" }
    private var seedPath: String { "\(path)/joining.seed" }

    /// Chooses the folder: `--folder`, or one of the server's name in `$XDG_DATA_HOME/qring/doors`.
    init(_ given: String?, of server: ServerAddress, _ environment: [String: String]) {
        if let given {
            path = given
            return
        }
        let home = environment["HOME"] ?? "/"
        let base =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.local/share"
        let name = server.authority.map { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" ? $0 : "_" }
        path = "\(base)/qring/doors/\(String(name))"
    }

    /// Creates the folder for its owner only.
    func make() throws(FileFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw FileFailure(reason: "\(error)") }
        guard chmod(path, 0o700) == 0 else { throw FileFailure(reason: String(cString: strerror(errno))) }
    }

    /// Reads the record; nil if no offline door is in the folder.
    func read() throws(FileFailure) -> SatelliteRecord? {
        guard access(recordPath, F_OK) == 0 else { return nil }
        let bytes = try FileBytes.read(recordPath, most: Self.mostBytes)
        do { return try WireJSON.decode(SatelliteRecord.self, from: bytes) } catch {
            throw FileFailure(reason: "offline-door.json cannot be read")
        }
    }

    /// Replaces the record. A crash leaves either the old one or the new one.
    func write(_ record: SatelliteRecord) throws(FileFailure) {
        try replace(recordPath, by: WireJSON.bytes(record))
    }

    /// Returns the seed of the key with which the laptop joins. It is stored before the request, because the
    /// server repeats a lost answer for the same key only. The end of the joining removes it.
    func joiningSeed() throws(FileFailure) -> [UInt8] {
        if access(seedPath, F_OK) == 0 {
            let seed = try FileBytes.read(seedPath, most: 32)
            if seed.count == 32 { return seed }
        }
        let seed = Secrets.randomBytes(32)
        try replace(seedPath, by: seed)
        return seed
    }

    func endJoining() { unlink(seedPath) }

    private func replace(_ target: String, by bytes: [UInt8]) throws(FileFailure) {
        do throws(SecretsError) { try SecretFile.replace(target, with: bytes) } catch {
            throw FileFailure(reason: "\(error)")
        }
    }

    /// Returns the encrypted names and numbers of the newest snapshot; nil if it has none.
    func readSealed() -> String? {
        (try? FileBytes.read(sealedPath, most: Self.mostBytes)).map { String(decoding: $0, as: UTF8.self) }
    }

    func write(sealed: String?) throws(FileFailure) {
        guard let sealed else {
            unlink(sealedPath)
            return
        }
        try replace(sealedPath, by: Array(sealed.utf8))
    }

    /// The names and numbers of 20,000 people have a few megabytes.
    private static let mostBytes = 32_000_000
}
