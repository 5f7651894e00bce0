package import Journal

/// What keeps an operator's command on a data folder from being done. Nothing was changed, unless a case says
/// otherwise.
package enum OperatingError: Error, Hashable, Sendable {
    case storage(StorageFailure)
    /// The database in the folder, or the backup, is damaged, in SQLite's words.
    case damaged(path: String, detail: String)
    /// There is something at the path, which is never overwritten.
    case exists(path: String)
    /// The folder holds no database.
    case noData(folder: String)
    /// There are data, and nobody has said that they may be replaced.
    case hasData(folder: String)
    /// A server holds the folder.
    case inUse(folder: String)
    case noSecret(path: String)
    case secretDamaged(path: String)
    case notABackup(path: String)
    /// There is no file at the path.
    case noFile(path: String)
    /// The file at the path cannot be opened, in the system's words.
    case notReadable(path: String, detail: String)
    case cancelled
}

extension OperatingError {
    /// Of a failure at `path`.
    init(_ error: JournalError, path: String) {
        switch error {
        case .failed(let failure) where failure.reason == .damaged:
            self = .damaged(path: path, detail: failure.detail)
        case .failed(let failure): self = .storage(failure)
        // Rules refuse commands of the journal, and none of these is one.
        case .refused(let refusal): self = .storage(StorageFailure(.other, operation: "\(refusal)"))
        }
    }
}

/// Runs what fails with a journal's error.
func operating<Value>(on path: String, _ body: () throws(JournalError) -> Value) throws(OperatingError)
    -> Value
{
    do throws(JournalError) { return try body() } catch { throw OperatingError(error, path: path) }
}
