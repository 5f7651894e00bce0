import CommandLine
import FoundationEssentials
import Glibc
import HostCommands
import Journal
import Phrases
import PostgresJournal
import SQLiteJournal
import Secrets

private typealias Messages = CommandPhrases.Database

/// The storage engine that a server's settings choose.
struct ServerDatabase {
    let engine: any Engine
    let epochRenewal: EpochRenewal?

    /// The use of the database.
    enum Use {
        case server(listen: String, isRestart: Bool)
        /// A command beside the servers of a PostgreSQL database.
        case administration
        /// A command that replaces the secret. No server may run meanwhile. Afterwards, the secret of the
        /// first server that starts belongs to the database.
        case secretRenewal

        /// Whether the opening waits for a command that uses the folder. Between two processes of a server, a
        /// command can take it.
        fileprivate var waits: Bool { if case .server(_, true) = self { true } else { false } }
    }

    private static let longestWait = Duration.seconds(30)

    private static func openWhenFree(
        _ folder: String, _ options: SQLiteEngine.Options, waiting: Bool
    ) throws(JournalError) -> SQLiteEngine {
        let end = ContinuousClock.now + longestWait
        while true {
            do throws(JournalError) { return try SQLiteEngine(folder: folder, options) } catch {
                guard waiting, case .failed(let failure) = error, failure.reason == .busy,
                    ContinuousClock.now < end
                else { throw error }
                usleep(50_000)
            }
        }
    }

    /// Opens SQLite's database in the data folder, or the PostgreSQL database. The first start creates the
    /// server's secret in the data folder. A folder that has lost its secret is rejected.
    init(folder: String, database: String?, as use: Use) throws(JournalError) {
        guard let database else {
            var options = SQLiteEngine.Options()
            options.makeSecret = { () throws(JournalError) in try Self.makeSecret(in: folder) }
            let engine = try Self.openWhenFree(folder, options, waiting: use.waits)
            (self.engine, epochRenewal) = (engine, engine.epochRenewal)
            return
        }
        // They have names, and on SQLite the engine removes them.
        for prefix in ["backup", "restore"] { Backup.removeLeftovers(named: prefix, in: folder) }
        var options = PostgresEngine.Options()
        options.makeSecret = { () throws(JournalError) in
            try Self.make(folder)
            try Self.makeSecret(in: folder)
        }
        options.secretFingerprint = { () throws(JournalError) in
            if case .secretRenewal = use { return nil }
            return try Self.secretFingerprint(in: folder)
        }
        switch use {
        case .server(let listen, _): options.name = "\(Self.machine) \(listen)"
        case .administration: options.name = "\(Self.machine) admin"
        case .secretRenewal: options.isAlone = true
        }
        engine = try PostgresEngine(settings: database, options)
        epochRenewal = nil
    }

    /// Returns the text by which servers compare their secrets.
    /// - Throws: `.secretLost` if the folder has no secret.
    static func secretFingerprint(in folder: String) throws(JournalError) -> String {
        guard FileManager.default.fileExists(atPath: "\(folder)/secret") else {
            throw .failed(StorageFailure(.secretLost, operation: "open", detail: folder))
        }
        do throws(SecretsError) {
            return try ServerSecret.loadOrCreate(at: "\(folder)/secret").fingerprint
        } catch { throw .failed(StorageFailure(error)) }
    }

    /// The name of this machine.
    private static var machine: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func make(_ folder: String) throws(JournalError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .failed(StorageFailure(.inputOutput, operation: "make \(folder)", detail: "\(error)"))
        }
    }

    private static func makeSecret(in folder: String) throws(JournalError) {
        do throws(SecretsError) {
            _ = try ServerSecret.loadOrCreate(at: "\(folder)/secret")
        } catch { throw .failed(StorageFailure(error)) }
    }
}

extension StorageFailure {
    /// Converts the error of a secret that could not be created or read.
    fileprivate init(_ error: SecretsError) {
        if case .file(let operation, let path, let code) = error {
            self.init(errno: code, operation: "\(operation) \(path)")
        } else {
            self.init(.other, operation: "make the secret", detail: "\(error)")
        }
    }
}

extension Invocation {
    /// The PostgreSQL database of `--database` or `QRING_DATABASE`; nil for SQLite.
    var database: String? { setting("database") }

    /// Whether the command line shows the database's password. Only the user of a process can read its
    /// environment.
    var showsPassword: Bool { arguments.value("database").map(PostgresEngine.hasPassword) ?? false }

    /// Warns the operator if the command line shows the database's password.
    func warnOfPassword() {
        guard showsPassword else { return }
        note(Messages.passwordShown)
        note(Messages.passwordRemedy)
    }

    /// Reads one state of the data on a separate thread, with or without running servers.
    /// - Parameters:
    ///   - served: the data folder of the server that runs the command; nil for the data that the command
    ///     names.
    ///   - body: receives the queries; nil if an older version wrote SQLite's file.
    func reading<Value: Sendable>(
        in served: String? = nil,
        _ body: @escaping @Sendable ((any OperatorReading)?) throws(JournalError) -> Value
    ) async throws(CommandFailure) -> Value {
        let (folder, database) = (served ?? dataFolderPath, served == nil ? database : nil)
        return try await onThread(in: folder) { (_) throws(OperatingError) in
            guard let database else { return try SQLiteEngine.reading(in: folder, body) }
            do throws(CopyError) { return try PostgresEngine.reading(settings: database, body) } catch {
                throw .database(error)
            }
        }
    }

    /// Returns a sentence that says why the PostgreSQL database cannot be used, and what the operator can do;
    /// nil if the failure has nothing to do with the database.
    func databaseReason(_ failure: StorageFailure) -> String? {
        let phrase: Phrase
        switch failure.reason {
        case .busy: phrase = Messages.inUse
        case .wrongClock: phrase = Messages.wrongClock
        case .otherSecret: phrase = Messages.otherSecret
        case .secretLost: phrase = Messages.secretMissing
        case .unreachable: phrase = Messages.unreachable
        case .accessDenied: phrase = Messages.accessDenied
        case .unknownDatabase: phrase = Messages.unknown
        case .malformedSettings: phrase = Messages.malformed
        case .unsuitableServer: phrase = Messages.unsuitable
        case .sharedSessions: phrase = Messages.sharedSessions
        case .noSession: phrase = Messages.noSession
        case .foreign: phrase = Messages.foreign
        case .readOnly: phrase = Messages.readOnly
        case .newerSchema: phrase = Messages.newer
        case .developmentSchema: phrase = Messages.development
        default: return nil
        }
        return text(phrase, ["detail": failure.detail])
    }
}

/// Returns the function that opens a PostgreSQL database for a backup or a verification; nil for SQLite.
/// - Parameter folder: the data folder whose secret must be that of the database's servers; nil for any.
func snapshot(of database: String?, secretIn folder: String?) -> OpeningOfSnapshot? {
    guard let database else { return nil }
    return { () throws(CopyError) in
        let snapshot = try PostgresSnapshot(of: database)
        do throws(CopyError) {
            guard let folder, let fingerprint = try snapshot.secretFingerprint() else { return snapshot }
            let own = try copying(at: .folder(folder)) { () throws(JournalError) in
                try ServerDatabase.secretFingerprint(in: folder)
            }
            guard own == fingerprint else { throw .otherSecret(path: "\(folder)/secret") }
            return snapshot
        } catch {
            snapshot.close()
            throw error
        }
    }
}

extension CommandPhrases {
    enum Database {
        static let option = Phrase("a PostgreSQL database instead of SQLite: a URL, or settings of libpq")
        static let noData = Phrase("The PostgreSQL database {name} contains no data of QRing.")
        static let older = Phrase(
            "An older QRing wrote {place} (schema {found}; this version uses {known}). Start this version's "
                + "server on it once, which updates it, and try again.")
        static let secretOfAnother = Phrase(
            "The file {path} is not the secret of this database's servers. Name the data folder of one of "
                + "them with --data.")
        static let inUse = Phrase(
            "a server or a command of QRing uses this database at the moment. Wait until the command has "
                + "ended, or stop the servers that `qring admin nodes` lists; then try again")
        static let wrongClock = Phrase(
            "the clocks of this machine and of the database server differ by {detail} s; synchronise both "
                + "with NTP")
        static let secretMissing = Phrase(
            "the data folder {detail} has no secret, but the database has data. Copy the files secret, "
                + "secret.previous and secret.lasting from the data folder of another server, or from a "
                + "backup")
        static let otherSecret = Phrase(
            "the other servers of this database have another secret; copy the files secret, secret.previous "
                + "and secret.lasting from the data folder of one of them")
        static let unreachable = Phrase(
            "PostgreSQL cannot be reached ({detail}); check that it runs, and its address")
        static let accessDenied = Phrase(
            "PostgreSQL refused the user or the password ({detail}); correct the user, and give "
                + "the password in PGPASSWORD or in the file ~/.pgpass")
        static let malformed = Phrase(
            "the address of the database cannot be read. Write postgres://USER@HOST/NAME, and give the "
                + "password in PGPASSWORD or in the file ~/.pgpass. In a URL, the characters @ : / ? # % of "
                + "a password are written as %40 %3A %2F %3F %23 %25")
        static let unknown = Phrase(
            "PostgreSQL has no such database ({detail}); create one: createdb --encoding UTF8 --template "
                + "template0 NAME")
        static let passwordShown = Phrase(
            "Every user of this machine can read the password of the database in the command line.")
        static let passwordRemedy = Phrase(
            "Give the password in the environment (PGPASSWORD, or the whole value in QRING_DATABASE) or "
                + "in the file ~/.pgpass, and then change it, because it may have been read.")
        static let archived = Phrase(
            "PostgreSQL copies its log to an archive or to another server. The copies show who gave which "
                + "anonymous answer, because the log has the order of all changes.")
        static let archivedRemedy = Phrase(
            "Delete the archive's files and base backups after a short time, for example 7 days, and "
                + "tell the hosts how long they are kept.")
        static let unsuitable = Phrase(
            "this database is not suitable ({detail}); QRing needs PostgreSQL 15 or newer, and a database in "
                + "UTF-8: createdb --encoding UTF8 --template template0 NAME")
        static let sharedSessions = Phrase(
            "the pool in front of PostgreSQL shares its sessions, so that locks and notifications are lost. "
                + "Set pool_mode = session in PgBouncer, or name PostgreSQL itself")
        static let noSession = Phrase(
            "the pool in front of PostgreSQL has no free session ({detail}). Each server of QRing needs 8: "
                + "raise default_pool_size and max_client_conn of PgBouncer, or name PostgreSQL itself")
        static let foreign = Phrase(
            "the database already has tables of another program; create an empty one: createdb --encoding "
                + "UTF8 --template template0 NAME")
        static let readOnly = Phrase(
            "the database is read-only ({detail}); name the primary server, not a standby")
        static let newer = Phrase("a newer QRing wrote the database; start that version")
        static let development = Phrase(
            "a QRing before 0.1.0 wrote the database, and this version cannot read it; export the data with "
                + "that version, and start with an empty database")
        static let usable = Phrase("PostgreSQL can be used.")
        static let notUsable = Phrase("PostgreSQL cannot be used.")
    }
}
