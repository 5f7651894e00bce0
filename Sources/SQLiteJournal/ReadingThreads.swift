import Foundation
import Journal

/// A few threads with a connection each, and one queue of questions. Threads of their own: a read may wait
/// for the disk, and the two threads of Swift's pool must not.
///
/// `@unchecked Sendable`: `jobs`, `running` and `isClosed` are touched with `condition` locked.
final class ReadingThreads: @unchecked Sendable {
    /// Gets nil where the engine has closed meanwhile.
    typealias Job = @Sendable (SQLiteRows?) -> Void

    private let condition = NSCondition()
    private var jobs: ArraySlice<Job> = []
    private var running: Int
    private var isClosed = false

    init(_ readers: [SQLiteRows]) {
        running = readers.count
        for (index, rows) in readers.enumerated() {
            let thread = Thread { self.work(rows) }
            thread.name = "journal-read-\(index)"
            thread.start()
        }
    }

    func submit(_ job: @escaping Job) {
        condition.lock()
        let isTaken = !isClosed
        if isTaken {
            jobs.append(job)
            condition.signal()
        }
        condition.unlock()
        if !isTaken { job(nil) }
    }

    /// Answers what was asked before, then ends the threads and their connections.
    func close() {
        condition.lock()
        isClosed = true
        condition.broadcast()
        while running > 0 { condition.wait() }
        condition.unlock()
    }

    private func work(_ rows: SQLiteRows) {
        while let job = next() { job(rows) }
        rows.connection.close()
        condition.lock()
        running -= 1
        condition.broadcast()
        condition.unlock()
    }

    private func next() -> Job? {
        condition.lock()
        defer { condition.unlock() }
        while jobs.isEmpty {
            if isClosed { return nil }
            condition.wait()
        }
        return jobs.popFirst()
    }
}
