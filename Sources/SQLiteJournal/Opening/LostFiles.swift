import Foundation
import Journal

/// Distinguishes a new folder, or an interrupted first start, from a folder that lost its database or its
/// secret.
///
/// A first start makes the files in this order, each on the disk before the next:
///
/// 1. the database with its tables,
/// 2. the secret,
/// 3. the count of commits in the database,
/// 4. the mark.
///
/// The count is in the database file itself, not only in its log, before the mark repeats it. So a database
/// without a count, or one that is older than its mark and has no account, has lost its content.
///
/// A secret, or a mark with content, proves that there was a database with tables. A count, or an account,
/// proves that there was a secret. A log with content proves that there was a database, because SQLite makes
/// the database first. An interruption leaves a beginning of this order, which the next start continues. The
/// lock, the index of the log (`-shm`) and `codes.clock` prove nothing: they hold no data.
extension DataFolder {
    /// Checks the folder before a start. Changes no file.
    ///
    /// - Parameter needsSecret: whether a missing secret counts, too; false for programs that have no secret.
    /// - Throws: `.databaseLost`, `.secretLost`, or why the database cannot be read.
    func checkNothingIsLost(needsSecret: Bool) throws(JournalError) {
        try checkDatabaseExists()
        guard (PrivateFile.size(databasePath) ?? 0) > 0 else { return }
        let provesTables = PrivateFile.exists(secretPath) || (PrivateFile.size(markPath) ?? 0) > 0
        let secretIsMissing = needsSecret && !PrivateFile.exists(secretPath)
        // Opening the database costs a read of its log. It is needed for a database whose tables may all be
        // in the log, and for a missing secret. Without a log it costs nothing.
        let logIsEmpty = (PrivateFile.size(logPath) ?? 0) == 0
        guard (provesTables && (logIsEmpty || !fileHasTables)) || secretIsMissing else { return }
        let connection = try Connection(path: databasePath, for: .touchingNothing)
        defer { connection.close() }
        if try connection.checkKind(known: Migration.all.count) {
            if provesTables { throw databaseLost }
        } else if secretIsMissing, try connection.provesSecret() {
            throw .failed(StorageFailure(.secretLost, operation: "open", detail: secretPath))
        } else if let mark = MarkFile.look(at: markPath)?.mark {
            try checkContent(connection, mark)
        }
    }

    /// Checks, without opening the database, whether it is missing or empty although other files prove that
    /// it existed.
    func checkDatabaseExists() throws(JournalError) {
        if (PrivateFile.size(databasePath) ?? 0) == 0, !traces.isEmpty { throw databaseLost }
    }

    /// Checks that a database with tables has not lost its content. Returns its count of commits.
    @discardableResult
    func checkContent(_ connection: Connection, _ mark: HighWaterMark) throws(JournalError) -> KeptCount {
        // Without a count there may be no other tables either.
        guard let kept = try connection.kept() else { throw databaseLost }
        // To start would make the next client the operator of an empty server.
        guard kept.loss(by: mark) != nil, try connection.epoch() == mark.epoch, try connection.hasNoAccount()
        else { return kept }
        throw databaseLost
    }

    /// For a database without tables.
    func checkNoTraces() throws(JournalError) {
        if PrivateFile.exists(secretPath) || (PrivateFile.size(markPath) ?? 0) > 0 { throw databaseLost }
    }

    /// The database is missing or empty, or its content is.
    private var databaseLost: JournalError {
        .failed(StorageFailure(.databaseLost, operation: "open", detail: traces.joined(separator: ", ")))
    }

    /// The names of the files that prove that there was a database.
    private var traces: [String] {
        var found = [markPath, logPath].filter { (PrivateFile.size($0) ?? 0) > 0 }
        if PrivateFile.exists(secretPath) { found.append(secretPath) }
        return found.map { String($0.dropFirst(path.count + 1)) }
    }

    /// Whether the file itself, without its log, has a schema's version (fileformat2.html §1.3, offset 60).
    private var fileHasTables: Bool {
        let file = open(databasePath, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4)
        return pread(file, &bytes, bytes.count, 60) == bytes.count && bytes != [0, 0, 0, 0]
    }
}

extension Connection {
    private static let secretProof = Query(
        "look for signs of a secret",
        "SELECT 1 FROM meta WHERE key = 'mark' UNION ALL SELECT 1 FROM accounts LIMIT 1")

    private static let account = Query("look for an account", "SELECT 1 FROM accounts LIMIT 1")

    /// Whether nobody has signed up, as far as the database knows.
    func hasNoAccount() throws(JournalError) -> Bool { try first(Self.account) { _ in true } == nil }

    /// Whether the database has been served with a secret.
    func provesSecret() throws(JournalError) -> Bool { try first(Self.secretProof) { _ in true } ?? false }
}
