import Meetings

/// A change of the stored data, whole or not at all. A command decides by the rows of its transaction and the
/// rules of `Meetings`, and does the same on every engine.
package protocol Command: Sendable {
    associatedtype Answer: Sendable

    /// Runs on the writer's queue. It may run twice, if another command of its batch was refused after it had
    /// written: then the whole batch is rolled back first.
    /// - Throws: `.refused` rolls this command back alone; `.failed` fails its whole batch.
    func run(in transaction: Transaction) throws(JournalError) -> Answer

    /// Whether the answer may be stored under an idempotency key. If it returns false, a key is ignored.
    func takesKey(in transaction: Transaction) throws(JournalError) -> Bool
}

extension Command {
    package func takesKey(in transaction: Transaction) throws(JournalError) -> Bool { true }
}

/// The version that the caller of an edit last saw; `.any` edits every version. Versions begin at 1:
/// `.version(0)` means that there was nothing yet.
package enum ExpectedVersion: Hashable, Sendable {
    case any
    case version(Int)

    /// - Throws: `versionMismatch`.
    func check(_ current: Int) throws(JournalError) {
        if case .version(let version) = self, version != current {
            throw .refused(.versionMismatch(current: current))
        }
    }
}
