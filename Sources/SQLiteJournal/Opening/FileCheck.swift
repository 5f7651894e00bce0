import Foundation
import Journal

/// Checks the structure of a file (`PRAGMA quick_check`). A small file is checked before the server starts to
/// serve; a large file is checked on its own thread. The first damage ends all writing.
///
/// `@unchecked Sendable`: `connection` and `isRunning` are touched with `condition` locked; the thread itself
/// uses the connection while `isRunning`, and `sqlite3_interrupt` may be called "from a different thread …
/// provided that the database connection remains open" (c3ref/interrupt.html).
final class FileCheck: @unchecked Sendable {
    private let condition = NSCondition()
    private let connection: Connection
    private let damage: FoundDamage
    private var isRunning = false

    /// Nil if nothing is left to do: no check is needed, or it is done.
    /// - Throws: `.damaged` with the first fault that the check at once found.
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

    func start() {
        condition.lock()
        isRunning = true
        condition.unlock()
        let thread = Thread { self.run() }
        thread.name = "journal-check"
        thread.start()
    }

    /// Interrupts the check, and returns when its connection is closed.
    func stop() {
        condition.lock()
        if isRunning { connection.interrupt() }
        while isRunning { condition.wait() }
        condition.unlock()
    }

    /// Returns when the check has ended by itself.
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
            // An interrupted check has found nothing.
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
