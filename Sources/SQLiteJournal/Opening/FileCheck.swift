import Foundation
import Journal
import SQLJournal

/// Checks the structure of the database file (`PRAGMA quick_check`). The server checks a small file before it
/// starts to serve. A separate thread checks a large file while the server already serves. The first damage
/// ends all writing.
///
/// `@unchecked Sendable`: every access to `connection` and `isRunning` happens with `condition` locked. While
/// `isRunning` is true, the checking thread also uses the connection. `sqlite3_interrupt` may be called "from
/// a different thread … provided that the database connection remains open" (c3ref/interrupt.html).
final class FileCheck: @unchecked Sendable {
    private let condition = NSCondition()
    private let connection: Connection
    private let damage: FoundDamage
    private var isRunning = false

    /// Begins a check. Returns nil if no check is needed, or if the check is already complete.
    /// - Throws: `.damaged` with the first fault if this call checked the file at once and found a fault.
    init?(
        of path: String, by first: Connection, isNeeded: Bool, mostBytesToCheckFirst: Int,
        _ damage: FoundDamage
    ) throws(JournalError) {
        guard isNeeded else { return nil }
        guard (PrivateFile.size(path) ?? 0) > mostBytesToCheckFirst else {
            if let fault = try first.structuralFault() {
                throw .failed(StorageFailure(.damaged, operation: "check the file", detail: fault))
            }
            return nil
        }
        connection = try Connection(path: path, for: .looking)
        self.damage = damage
    }

    /// Starts the checking thread.
    func start() {
        condition.lock()
        isRunning = true
        condition.unlock()
        let thread = Thread { self.run() }
        thread.name = "journal-check"
        thread.start()
    }

    /// Interrupts the check, and returns after the check's connection is closed.
    func stop() {
        condition.lock()
        if isRunning { connection.interrupt() }
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
        do throws(JournalError) {
            if let fault = try connection.structuralFault() {
                damage.note(operation: "check the file", code: 0, detail: fault)
            }
        } catch {
            // An interrupted check has found no damage.
            if case .failed(let failure) = error, failure.reason == .damaged {
                damage.note(operation: failure.operation, code: failure.code, detail: failure.detail)
            }
        }
        condition.lock()
        connection.close()
        isRunning = false
        condition.broadcast()
        condition.unlock()
    }
}

extension Connection {
    private static let integrity = Query("check the integrity", "PRAGMA integrity_check(10)")

    private static let quickly = Query("check the file", "PRAGMA quick_check(1)")

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
}
