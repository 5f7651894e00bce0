import Synchronization

/// Shows readers whether an unfinished job may have changed a part of a meeting.
///
/// The two counts work like a seqlock. The writer raises `started` before the first commit of a job and
/// `ended` after the last. A reader loads `ended` before its snapshot and `started` after it. If both are
/// equal, the snapshot contains no unfinished job, and the check cost only two loads. If they differ,
/// the reader looks for unfinished jobs in its own snapshot.
package final class UnsettledMeetings: Sendable {
    private struct Waiting {
        var ended = 0
        var isStalled = false
        var readers: [(until: Int, continuation: UnsafeContinuation<Bool, Never>)] = []
    }

    private let starts = Atomic(0)
    private let ends = Atomic(0)
    private let waiting = Mutex(Waiting())

    /// Whether other nodes may run jobs, which the counts do not contain.
    private let hasNodes: Bool
    /// The pause before a query looks again whether the job of another node has ended.
    private static let pause = Duration.milliseconds(20)

    package init(hasNodes: Bool = false) { self.hasNodes = hasNodes }

    /// The number of jobs that have begun. Load it after the snapshot.
    package var started: Int { starts.load(ordering: .sequentiallyConsistent) }
    /// The number of jobs that have ended. Load it before the snapshot.
    package var ended: Int { ends.load(ordering: .sequentiallyConsistent) }

    /// Counts the start of a job. The writer calls this before the job's first commit.
    func begin() { starts.add(1, ordering: .sequentiallyConsistent) }

    /// Counts the end of the job, and resumes the readers that wait for it. The writer calls this after
    /// the job's last commit.
    func end() {
        ends.add(1, ordering: .sequentiallyConsistent)
        let readers = waiting.withLock { waiting in
            waiting.ended += 1
            waiting.isStalled = false
            let (ready, rest) = (
                waiting.readers.filter { $0.until <= waiting.ended },
                waiting.readers.filter { $0.until > waiting.ended }
            )
            waiting.readers = rest
            return ready
        }
        for reader in readers { reader.continuation.resume(returning: true) }
    }

    /// Records whether the job has stopped because the storage failed. While a job is stopped, waiting
    /// readers fail at once.
    func stall(_ isStalled: Bool) {
        let readers = waiting.withLock { waiting in
            waiting.isStalled = isStalled
            guard isStalled else {
                return [] as [(until: Int, continuation: UnsafeContinuation<Bool, Never>)]
            }
            defer { waiting.readers = [] }
            return waiting.readers
        }
        for reader in readers { reader.continuation.resume(returning: false) }
    }

    /// Returns when `count` jobs have ended.
    /// - Throws: `.failed` if a job has stopped because the storage failed.
    package func wait(until count: Int) async throws(JournalError) {
        if hasNodes, ended >= count {
            // The job is another node's. The caller's query finds out whether it has ended.
            try? await Task.sleep(for: Self.pause)
            return
        }
        let hasEnded = await withUnsafeContinuation { continuation in
            let now = waiting.withLock { waiting -> Bool? in
                if waiting.ended >= count { return true }
                if waiting.isStalled { return false }
                waiting.readers.append((count, continuation))
                return nil
            }
            if let now { continuation.resume(returning: now) }
        }
        guard hasEnded else {
            throw .failed(StorageFailure(.busy, operation: "read", detail: "a job has stopped"))
        }
    }
}
