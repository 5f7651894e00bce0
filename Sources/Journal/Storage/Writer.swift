import Foundation
import Meetings
import Synchronization

package struct WriterStatistics: Sendable {
    package internal(set) var commands = 0
    package internal(set) var commits = 0
    package internal(set) var failures = 0
    /// Why the last batch failed; nil if it was committed.
    package internal(set) var lastFailure: StorageFailure?
    package internal(set) var largestBatch = 0
    /// In begin, commands and commit together.
    package internal(set) var busy = Duration.zero
    package internal(set) var committing = Duration.zero
}

/// Takes jobs from everywhere and runs them, batch by batch, on one serial queue.
final class Writer: Sendable {
    /// A batch is bounded so that its first command does not wait for ever; at 94,000 durable rows a second
    /// in groups, 512 are a few milliseconds.
    private static let largestBatch = 512

    /// What the queue works with between `open` and `close`.
    private struct Opened {
        let transaction: Transaction
        let listener: Storage.Listener
    }

    private struct Inbox {
        var jobs: [any Job] = []
        var isRunning = false
        var isClosed = false
        var onIdle: [@Sendable () -> Void] = []
    }

    private let queue = DispatchQueue(label: "qring.journal.writer", qos: .userInitiated)
    private let inbox = Mutex(Inbox())
    private let clock: @Sendable () -> Instant
    let statistics = Mutex(WriterStatistics())
    /// As of the last commit: those that commands have lately worked on.
    let committedSessions = Mutex([SessionID: SessionRecord]())
    // Unsafe only in name: set by `open` before the first job, and touched on `queue` alone.
    private nonisolated(unsafe) var opened: Opened?

    init(clock: @escaping @Sendable () -> Instant) { self.clock = clock }

    func open(
        _ engine: any Engine, patterns: any PatternMatching, _ listener: @escaping Storage.Listener
    ) throws(JournalError) {
        let result = queue.sync { () -> Result<Void, JournalError> in
            do throws(JournalError) {
                let rows = try engine.openWriter()
                opened = Opened(transaction: Transaction(rows, patterns: patterns), listener: listener)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    func submit(_ job: any Job) {
        enum Next { case start, wait, refuse }
        let next = inbox.withLock { inbox -> Next in
            if inbox.isClosed { return .refuse }
            inbox.jobs.append(job)
            if inbox.isRunning { return .wait }
            inbox.isRunning = true
            return .start
        }
        switch next {
        case .start: queue.async { self.runUntilEmpty() }
        case .wait: break
        case .refuse:
            job.fail(.failed(StorageFailure(.closed, operation: "submit")))
            job.finish()
        }
    }

    func close() async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let isIdle = inbox.withLock { inbox in
                inbox.isClosed = true
                if inbox.isRunning { inbox.onIdle.append { continuation.resume() } }
                return !inbox.isRunning
            }
            if isIdle { continuation.resume() }
        }
        queue.sync { opened = nil }
    }

    private func runUntilEmpty() {
        while true {
            let (jobs, onIdle) = inbox.withLock { inbox -> ([any Job], [@Sendable () -> Void]) in
                if inbox.jobs.isEmpty {
                    inbox.isRunning = false
                    defer { inbox.onIdle = [] }
                    return ([], inbox.onIdle)
                }
                let count = min(inbox.jobs.count, Self.largestBatch)
                if count == inbox.jobs.count {
                    defer { inbox.jobs = [] }
                    return (inbox.jobs, [])
                }
                defer { inbox.jobs.removeFirst(count) }
                return (Array(inbox.jobs.prefix(count)), [])
            }
            if jobs.isEmpty {
                for done in onIdle { done() }
                return
            }
            run(jobs)
        }
    }

    private func run(_ jobs: [any Job]) {
        guard let opened else { preconditionFailure("a job before open") }
        var group: [any Job] = []
        for job in jobs {
            if job.standsAlone {
                commit(group, opened)
                group = []
                job.run(in: opened.transaction)
                job.finish()
            } else {
                group.append(job)
            }
        }
        commit(group, opened)
    }

    /// Rules refuse before they write, nearly always; then there is nothing to take back, and a batch needs
    /// no savepoints. Where one did not, the batch is taken back and run once more, with them.
    private func run(_ jobs: [any Job], in transaction: Transaction) throws(JournalError) {
        try transaction.begin(at: clock(), guarded: false)
        for job in jobs where !transaction.mustBeginAgain { job.run(in: transaction) }
        guard transaction.mustBeginAgain else { return }
        transaction.abandon()
        try transaction.begin(at: clock(), guarded: true)
        for job in jobs { job.run(in: transaction) }
    }

    private func commit(_ jobs: [any Job], _ opened: Opened) {
        if jobs.isEmpty { return }
        let transaction = opened.transaction
        let started = ContinuousClock.now
        var committing = started
        var failure: StorageFailure?
        do throws(JournalError) {
            try run(jobs, in: transaction)
            committing = .now
            let batch = try transaction.commit()
            committedSessions.withLock { transaction.copySessions(to: &$0) }
            opened.listener(batch)
        } catch {
            transaction.abandon()
            committedSessions.withLock { $0 = [:] }
            for job in jobs { job.fail(error) }
            // Rules refuse single commands, never a batch.
            if case .failed(let reason) = error { failure = reason }
        }
        let ended = ContinuousClock.now
        statistics.withLock {
            $0.commands += jobs.count
            $0.commits += 1
            $0.failures += failure == nil ? 0 : 1
            $0.lastFailure = failure
            $0.largestBatch = max($0.largestBatch, jobs.count)
            $0.busy += ended - started
            $0.committing += ended - committing
        }
        for job in jobs { job.finish() }
    }
}
