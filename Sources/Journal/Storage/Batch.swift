import Glibc

/// The progress of a batch: how its commands can be rolled back, and what they leave for the commit besides
/// the changes of sessions.
struct Batch {
    /// What happens if the next command is refused, or why no more commands run.
    indirect enum Phase {
        /// The commands have no savepoints, because a rule refuses nearly all commands before they write.
        case unguarded
        /// Each command runs in its own savepoint, so that it can be rolled back alone. The value is the
        /// first failure of a command for another reason than its values. The batch goes on without the
        /// command.
        case guarded(StorageFailure?)
        /// The batch must run again with savepoints, because a command was refused after it had written rows,
        /// or because the database refused a statement of a command.
        case mustBeginAgain
        /// The whole batch has failed.
        case failed(StorageFailure)
    }

    /// What commands leave for the commit.
    struct Notes {
        /// The meetings, rights, mails and jobs that have changed. The commit adds the sessions.
        var note = CommitNote()
        /// The invisible work that the commands have stored, for the lane.
        var laterWork: [(id: JobID, work: any Work)] = []
        /// Whether the withheld counts of the active job have changed, which a refusal cannot revert.
        var hasUncounted = false

        var isEmpty: Bool { note.isEmpty && laterWork.isEmpty && !hasUncounted }
    }

    private(set) var phase = Phase.unguarded
    /// The notes of the commands that have ended.
    private(set) var notes = Notes()
    /// The notes of the running command. A refusal drops them.
    var running = Notes()
    /// The number of commands, and of steps of jobs, that failed alone since the start.
    var failedCommands = 0
    /// The number of batches that ran again after a conflict, since the start.
    fileprivate(set) var conflicts = 0

    /// Whether more commands may run.
    var goesOn: Bool {
        switch phase {
        case .unguarded, .guarded: true
        case .mustBeginAgain, .failed: false
        }
    }
    var isGuarded: Bool { if case .guarded = phase { true } else { false } }
    /// The failure of a single command that the operator must learn of; nil if there was none.
    var commandFailure: StorageFailure? { if case .guarded(let first) = phase { first } else { nil } }

    mutating func begin(guarded: Bool) {
        phase = guarded ? .guarded(nil) : .unguarded
        dropNotes()
    }

    mutating func dropNotes() { (notes, running) = (Notes(), Notes()) }

    /// Adds the notes of the last command to those of the batch. They are moved and not copied, so that a
    /// large batch does not copy the notes of all commands before each command.
    mutating func gatherNotes() {
        if running.isEmpty { return }
        notes.note.append(running.note)
        notes.laterWork += running.laterWork
        running = Notes()
    }

    /// Notes the error of a command, or of a statement that the engine had sent without waiting.
    /// - Parameter hasWritten: whether the command had written rows.
    mutating func note(_ error: JournalError, hasWritten: Bool = false) {
        guard case .failed(let failure) = error else {
            if hasWritten, case .unguarded = phase { phase = .mustBeginAgain }
            return
        }
        guard failure.reason.concernsOneCommand else { return fail(error) }
        switch phase {
        // After a failed statement, PostgreSQL runs no other statement of the transaction.
        case .unguarded: phase = .mustBeginAgain
        case .guarded(let first):
            failedCommands += 1
            if failure.reason != .unstorable, first == nil { phase = .guarded(failure) }
        case .mustBeginAgain, .failed: break
        }
    }

    /// Notes that the whole batch has failed. The first failure counts.
    mutating func fail(_ error: JournalError) {
        if case .failed = phase { return }
        if case .failed(let failure) = error { phase = .failed(failure) }
    }
}

extension Transaction {
    /// The longest time for which a batch repeats itself after conflicts.
    private static let longestRetrying = Duration.seconds(10)

    /// Runs a whole batch. If a conflict with another transaction rolled it back, runs it again, until
    /// `longestRetrying` has passed.
    func repeatingConflicts<Result>(
        _ body: () throws(JournalError) -> Result
    ) throws(JournalError) -> Result {
        let deadline = ContinuousClock.now + Self.longestRetrying
        while true {
            do throws(JournalError) { return try body() } catch {
                guard case .failed(let failure) = error, failure.reason == .conflict, .now < deadline else {
                    throw error
                }
                abandon()
                batch.conflicts += 1
                // The other transaction gets the time to end.
                usleep(.random(in: 2_000...20_000))
            }
        }
    }
}
