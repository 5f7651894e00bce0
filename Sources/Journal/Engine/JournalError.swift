package import Meetings

/// Why the storage did not do what a caller asked for.
package enum JournalError: Error, Hashable, Sendable {
    /// A rule refused the command. It has changed nothing; the other commands of the batch are not affected.
    case refused(Refusal)
    /// The store failed; nothing of the batch was written.
    case failed(StorageFailure)
}

/// A failure of the store, for the log and for the operator.
package struct StorageFailure: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// No room on the disk.
        case full
        case readOnly
        /// Reading or writing failed.
        case inputOutput
        case damaged
        /// The file was found to be damaged while it was served. Nothing is written to it until a restart.
        case damageFound
        /// The database is missing or empty beside files that belong to one. A start would make a new one
        /// over them.
        case databaseLost
        /// The secret of existing data is missing.
        case secretLost
        /// So many copies of lost files wait for the operator that no further one is made.
        case tooManyLosses
        /// The open file is no longer at its path, or another file is there: what is written now would not be
        /// found again.
        case moved
        case outOfMemory
        /// The file was written by a newer QRing.
        case newerSchema(found: Int, known: Int)
        /// The file is another program's.
        case foreign
        /// The file is a backup, which must be restored before it is served.
        case isBackup
        /// A restore was begun and not finished: there may be old and new files side by side.
        case restoreUnfinished
        /// Another process has the file open.
        case busy
        case closed
        case other
    }

    package let reason: Reason
    /// What was attempted, such as `insert attendee`.
    package let operation: String
    /// The engine's own code, for the log.
    package let code: Int32
    /// The engine's own message, for the log; never shown to a client.
    package let detail: String

    package init(_ reason: Reason, operation: String, code: Int32 = 0, detail: String = "") {
        self.reason = reason
        self.operation = operation
        self.code = code
        self.detail = detail
    }
}

extension StorageFailure: CustomStringConvertible {
    package var description: String { "\(operation): \(reason) (\(code)) \(detail)" }
}
