import Journal
import Synchronization

/// What any connection of an engine has found to be damaged in its file. Commits into a damaged file could be lost or make it worse, so that the
/// first damage ends all writing until a restart; reading goes on.
final class FoundDamage: Sendable {
    private let found = Mutex<StorageFailure?>(nil)

    func note(operation: String, code: Int32, detail: String) {
        found.withLock {
            if $0 == nil { $0 = StorageFailure(.damageFound, operation: operation, code: code, detail: detail) }
        }
    }

    /// - Throws: `.damageFound` with the first damage.
    func check() throws(JournalError) {
        if let failure = found.withLock({ $0 }) { throw .failed(failure) }
    }
}
