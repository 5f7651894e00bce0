import Journal
import SQLJournal

/// These functions distinguish two kinds of folders: a new folder (or an interrupted first start), and a
/// folder that lost its database or its secret.
///
/// A first start creates the files in this order. Each file is on the disk before the next one is created:
///
/// 1. the database with its tables,
/// 2. the secret,
/// 3. the count of commits in the database,
/// 4. the mark.
///
/// The count of commits is in the database file itself, not only in its log, before the mark repeats it.
/// Therefore two kinds of databases have lost their content: a database with tables but without a count, and
/// a database without an account that has fewer commits than its mark.
/// A secret, or a mark with content, proves that there was a database with tables. A count or an account
/// proves that there was a secret. A log with content proves that there was a database, because SQLite
/// creates the database first. An interrupted start leaves the first files of this order, and the next start
/// continues. The lock, the index of the log (`-shm`) and `codes.clock` prove nothing, because they hold no
/// data.
extension DataFolder {
    /// Checks that no file of the folder is lost. The check changes no file.
    ///
    /// - Parameter needsSecret: whether a missing secret counts as lost; false for programs without a secret.
    /// - Throws: `.databaseLost`, `.secretLost`, or the error of reading the database.
    func checkNothingIsLost(needsSecret: Bool, _ migrations: Migrations) throws(JournalError) {
        try checkDatabaseExists()
        guard (PrivateFile.size(databasePath) ?? 0) > 0 else { return }
        let provesTables = PrivateFile.exists(secretPath) || (PrivateFile.size(markPath) ?? 0) > 0
        let secretIsMissing = needsSecret && !PrivateFile.exists(secretPath)
        // Opening the database costs a read of its log. Open it only if all tables may be in the log, or if
        // the secret is missing. If there is no log, opening costs nothing.
        let logIsEmpty = (PrivateFile.size(logPath) ?? 0) == 0
        guard (provesTables && (logIsEmpty || !fileHasTables)) || secretIsMissing else { return }
        let connection = try Connection(path: databasePath, for: .touchingNothing)
        defer { connection.close() }
        if try connection.checkKind(migrations) {
            if provesTables { throw databaseLost }
        } else if secretIsMissing, try connection.provesSecret() {
            throw .failed(StorageFailure(.secretLost, operation: "open", detail: secretPath))
        } else if let mark = MarkFile.look(at: markPath)?.mark {
            try checkContent(connection, mark)
        }
    }

    /// Checks that the database has content if other files prove that it existed. The function does not open
    /// the database.
    func checkDatabaseExists() throws(JournalError) {
        if (PrivateFile.size(databasePath) ?? 0) == 0, !traces.isEmpty { throw databaseLost }
    }

    /// Checks that a database with tables has not lost its content. Returns the database's count of commits.
    /// - Throws: `.databaseLost`.
    @discardableResult
    func checkContent(_ connection: Connection, _ mark: HighWaterMark) throws(JournalError) -> CommitCount {
        // If the count is missing, other tables can be missing too.
        guard let count = try connection.commitCount() else { throw databaseLost }
        // If the server started, the next client would become the operator of an empty server.
        guard count.loss(by: mark) != nil, try connection.epoch() == mark.epoch, try connection.hasNoAccount()
        else { return count }
        throw databaseLost
    }

    /// Checks that no other file proves that a database without tables had tables before.
    /// - Throws: `.databaseLost`.
    func checkNoTraces() throws(JournalError) {
        if PrivateFile.exists(secretPath) || (PrivateFile.size(markPath) ?? 0) > 0 { throw databaseLost }
    }

    /// The error for a database that is missing or empty, or that has lost its content.
    private var databaseLost: JournalError {
        .failed(StorageFailure(.databaseLost, operation: "open", detail: traces.joined(separator: ", ")))
    }

    /// The names of the files that prove that there was a database.
    private var traces: [String] {
        var found = [markPath, logPath].filter { (PrivateFile.size($0) ?? 0) > 0 }
        if PrivateFile.exists(secretPath) { found.append(secretPath) }
        return found.map { String($0.dropFirst(path.count + 1)) }
    }

    /// Whether the database file itself, without its log, has a schema's version (fileformat2.html §1.3,
    /// offset 60).
    private var fileHasTables: Bool {
        PrivateFile.read(databasePath, count: 4, at: 60).map { $0 != [0, 0, 0, 0] } ?? false
    }
}

extension Connection {
    private static let secretProof = Query(
        "look for signs of a secret",
        "SELECT 1 FROM meta WHERE key = 'mark' UNION ALL SELECT 1 FROM accounts LIMIT 1")

    private static let account = Query("look for an account", "SELECT 1 FROM accounts LIMIT 1")

    /// Whether the database has no account.
    func hasNoAccount() throws(JournalError) -> Bool { try first(Self.account) { _ in true } == nil }

    /// Returns whether the database has content that only a server with a secret writes: a mark or an
    /// account.
    func provesSecret() throws(JournalError) -> Bool { try first(Self.secretProof) { _ in true } ?? false }
}
