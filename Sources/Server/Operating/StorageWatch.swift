import Journal
import Synchronization

/// Looks once a second whether the files that are written to are still in their place, and tells the operator when that changes: once, however
/// many are refused meanwhile. Commits look by themselves.
final class StorageWatch: Sendable {
    private let storage: Storage
    private let log: RequestLog
    private let isAway = Mutex(false)

    init(_ storage: Storage, _ log: RequestLog) {
        self.storage = storage
        self.log = log
    }

    func isInPlace() -> Bool {
        do {
            try storage.checkPlace()
            if change(toAway: false) { log.note("the data folder is in its place again, and check-ins are saved again") }
            return true
        } catch {
            if change(toAway: true) {
                log.note(
                    "the data folder was moved, replaced or deleted under this server, and nothing is saved until it is put back, or until the "
                        + "server is restarted with what is there then (\(why(error)))")
            }
            return false
        }
    }

    private func why(_ error: JournalError) -> String {
        if case .failed(let failure) = error { "\(failure.operation): \(failure.detail)" } else { "\(error)" }
    }

    private func change(toAway isAwayNow: Bool) -> Bool {
        isAway.withLock { isAway in
            defer { isAway = isAwayNow }
            return isAway != isAwayNow
        }
    }
}

extension Error {
    var isOfMovedStorage: Bool {
        if case .failed(let failure)? = self as? JournalError { failure.reason == .moved } else { false }
    }
}
