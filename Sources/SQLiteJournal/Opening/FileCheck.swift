import Journal
import SQLJournal
import Synchronization
import Threads

/// Checks the database file at every start.
///
/// - Before the server serves (`first`): a small file as a whole (`PRAGMA integrity_check`). After an unclean
///   stop, also the structure of a larger file (`PRAGMA quick_check`).
/// - While the server serves: a larger file as a whole, on a thread of low priority. Each table with its
///   indexes is one statement, and so one read transaction. While a transaction runs, the log cannot be
///   emptied and grows; between two of them it can.
///
/// The first damage ends all writing (`FoundDamage`).
///
/// `@unchecked Sendable`: after `init`, each variable is read and written with `condition` locked. While
/// `isRunning` is true, the checking thread runs statements on the connection without the lock, but it closes
/// the connection with the lock. So the connection is open while `stop` interrupts the statement:
/// `sqlite3_interrupt` may be called "from a different thread … provided that the database connection
/// remains open" (c3ref/interrupt.html).
final class FileCheck: @unchecked Sendable {
    private let condition = Condition()
    private let files: OpenFiles
    private let damage: FoundDamage
    private var connection: Connection?
    private var isRunning = false
    private var isCancelled = false
    private var progress: FileCheckReport

    /// Checks the file before the server serves. Returns the report of a complete check; nil if the file must
    /// be checked while the server serves.
    /// - Parameter stopWasClean: whether the last server closed the file, which belongs to its mark.
    /// - Throws: `.damaged` with the first fault.
    static func first(
        of path: String, by connection: Connection, stopWasClean: Bool, _ options: SQLiteEngine.Options
    ) throws(JournalError) -> FileCheckReport? {
        let size = PrivateFile.size(path) ?? 0
        let began = ContinuousClock.now
        let isSmall = size <= options.mostBytesToCheckWholly
        var fault: String?
        if isSmall {
            fault = try connection.integrityFaults().first
        } else if !stopWasClean, size <= options.mostBytesToCheckFirst {
            fault = try connection.structuralFault()
        }
        if let fault {
            throw .failed(StorageFailure(.damaged, operation: "check the file", detail: fault))
        }
        guard isSmall else { return nil }
        return FileCheckReport(state: .sound, bytes: size, duration: ContinuousClock.now - began)
    }

    init(of files: OpenFiles, _ damage: FoundDamage) {
        (self.files, self.damage) = (files, damage)
        progress = FileCheckReport(
            state: .running, bytes: PrivateFile.size(files.database) ?? 0, duration: .zero)
    }

    var report: FileCheckReport {
        condition.lock()
        defer { condition.unlock() }
        return progress
    }

    /// Starts the checking thread.
    func start() {
        condition.lock()
        isRunning = true
        condition.unlock()
        do throws(ThreadNotStarted) {
            try LoopThread(named: "journal-check").start { self.run() }
        } catch { finish(.unfinished, after: .zero) }
    }

    /// Interrupts the check, and returns after the check's connection is closed.
    func stop() {
        condition.lock()
        isCancelled = true
        connection?.interrupt()
        while isRunning { condition.wait() }
        condition.unlock()
    }

    /// Waits until the check has ended without an interruption.
    func wait() {
        condition.lock()
        while isRunning { condition.wait() }
        condition.unlock()
    }

    private func run() {
        LoopThread.lowerPriority()
        let began = ContinuousClock.now
        var state = FileCheckReport.State.sound
        do throws(JournalError) {
            if let fault = try firstFault() {
                damage.note(operation: "check the file", code: 0, detail: fault)
                state = .damaged
            }
        } catch {
            // An interrupted check has found no damage.
            state = .unfinished
            if case .failed(let failure) = error, failure.reason == .damaged {
                damage.note(operation: failure.operation, code: failure.code, detail: failure.detail)
                state = .damaged
            }
        }
        finish(state, after: ContinuousClock.now - began)
    }

    private func finish(_ state: FileCheckReport.State, after duration: Duration) {
        condition.lock()
        connection?.close()
        connection = nil
        progress = FileCheckReport(state: state, bytes: progress.bytes, duration: duration)
        isRunning = false
        condition.broadcast()
        condition.unlock()
    }

    /// Checks one table after the other. A rewrite may replace the file between two of them; the check then
    /// goes on with the new file.
    private func firstFault() throws(JournalError) -> String? {
        var generation = files.generation
        let tables = try opened().tables()
        for table in tables {
            if files.generation != generation {
                generation = files.generation
                _ = try opened()
            }
            guard let connection = current else {
                throw .failed(StorageFailure(.closed, operation: "check the file"))
            }
            if let fault = try connection.fault(in: table) { return fault }
        }
        return nil
    }

    /// The connection; nil if the check has been stopped.
    private var current: Connection? {
        condition.lock()
        defer { condition.unlock() }
        return isCancelled ? nil : connection
    }

    private func opened() throws(JournalError) -> Connection {
        let fresh = try Connection.looking(at: files.database)
        condition.lock()
        defer { condition.unlock() }
        connection?.close()
        connection = fresh
        return fresh
    }
}

extension Connection {
    private static let integrity = Query("check the integrity", "PRAGMA integrity_check(10)")

    private static let quickly = Query("check the file", "PRAGMA quick_check(1)")

    private static let tables = Query(
        "list the tables",
        "SELECT 'sqlite_schema' UNION ALL SELECT name FROM sqlite_schema WHERE type = 'table'")

    private static let table = Query("check a table", "SELECT * FROM pragma_integrity_check(?)")

    /// Returns the first fault in the structure of the file; nil if the file has no fault. The function reads
    /// the whole file, which takes about 0.1 s for 30 MB.
    func structuralFault() throws(JournalError) -> String? {
        let found = try first(Self.quickly) { $0.text(0) }
        return found == "ok" ? nil : found
    }

    /// Returns the first ten faults that a complete check finds; empty if the file has no fault.
    func integrityFaults() throws(JournalError) -> [String] {
        try all(Self.integrity) { $0.text(0) }.filter { $0 != "ok" }
    }

    fileprivate func tables() throws(JournalError) -> [String] { try all(Self.tables) { $0.text(0) } }

    /// Returns the first fault of a table or of its indexes; nil if there is none.
    fileprivate func fault(in table: String) throws(JournalError) -> String? {
        let found = try first(Self.table, table) { $0.text(0) }
        return found == "ok" ? nil : found
    }
}
