package import Meetings

/// The reason why a command or query failed.
package enum JournalError: Error, Hashable, Sendable {
    /// A rule refused the command. The command has changed nothing, and the other commands of its batch are
    /// not affected.
    case refused(Refusal)
    /// The database failed. No change of the command was written.
    case failed(StorageFailure)
}

/// A failure of the database, for the log and for the operator.
package struct StorageFailure: Error, Hashable, Sendable {
    /// The kind of a failure. It decides the message for the operator.
    package enum Reason: Hashable, Sendable {
        /// The disk is full.
        case full
        case readOnly
        /// Reading or writing a file failed.
        case inputOutput
        case damaged
        /// The file was found to be damaged while the server used it. The server writes nothing to it until a
        /// restart.
        case damageFound
        /// The database file is missing or empty, although other files of a database are beside it. A start
        /// would create a new database over these files.
        case databaseLost
        /// The data exists, but the file with the server's secret is missing.
        case secretLost
        /// The operator has not removed the copies of earlier lost files, and there are too many for another
        /// copy.
        case tooManyLosses
        /// The open file is no longer at its path, or another file is at that path. Data that is written now
        /// would be lost.
        case moved
        case outOfMemory
        /// A newer version of QRing wrote the file.
        case newerSchema(found: Int, known: Int)
        /// A version of QRing before 0.1.0 wrote the file.
        case developmentSchema
        /// The file belongs to another program.
        case foreign
        /// The file is a backup. The operator must restore it before a server can use it.
        case isBackup
        /// A restore began and did not finish, so old and new files may be side by side.
        case restoreUnfinished
        /// Another process uses the file or the database, or a transaction waited too long for a lock.
        case busy
        /// The database server cannot be reached, or it ended the connection.
        case unreachable
        /// The connection broke during a commit, and the database server stayed away. Nobody knows whether
        /// the commit was stored.
        case unknownOutcome
        /// The settings of the connection cannot be read. The detail is empty, because they may contain a
        /// password.
        case malformedSettings
        /// The database server refused the user or the password.
        case accessDenied
        /// The database server has no database of this name.
        case unknownDatabase
        /// The database server is too old, or the database has the wrong encoding. The detail names it.
        case unsuitableServer
        /// A pool of connections gives a session of the database server to several connections in turn.
        case sharedSessions
        /// A pool of connections has no session for another connection.
        case noSession
        /// The clock of this machine differs too much from the database's, and from those of other nodes.
        case wrongClock
        /// The server's secret differs from that of the database's other servers.
        case otherSecret
        case closed
        /// The slice of a long command could not be written. The server completes the command as soon as it
        /// can write again.
        case unfinished
        /// A scan took more steps than one request may take. Nothing is wrong with the database.
        case tooManySteps
        /// The database refused a statement because of its values: it cannot store one of them, or they break
        /// a constraint of the tables. The same command fails again.
        case unstorable
        /// A long command left out each step whose values the database cannot store, and did the others.
        case incomplete
        /// A deadlock or a conflict with another transaction rolled the transaction back. It can run again.
        case conflict
        case other

        /// Whether only the command that ran the statement fails, and the rest of its batch can run again.
        /// The other reasons concern the connection or the whole database.
        package var concernsOneCommand: Bool { self == .unstorable || self == .other }
    }

    package let reason: Reason
    /// The operation that failed, such as `insert attendee`.
    package let operation: String
    /// The engine's own error code, for the log.
    package let code: Int32
    /// The engine's own error message, for the log. It is never shown to a client.
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
