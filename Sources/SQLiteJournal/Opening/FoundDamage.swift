import Journal
import Synchronization

/// The first damage that any connection of an engine found in its file. It ends all writing until a restart,
/// because commits into a damaged file could be lost or damage it further. Reads continue.
final class FoundDamage: Sendable {
    private let found = Mutex<StorageFailure?>(nil)

    func note(operation: String, code: Int32, detail: String) {
        found.withLock {
            if $0 == nil {
                $0 = StorageFailure(.damageFound, operation: operation, code: code, detail: detail)
            }
        }
    }

    /// - Throws: `.damageFound` with the first damage.
    func check() throws(JournalError) {
        if let failure = found.withLock({ $0 }) { throw .failed(failure) }
    }
}
