package import Meetings

/// A change of the stored data that happens completely or not at all. A command decides by the rows of its
/// transaction and the rules of `Meetings`, so it does the same on every engine.
///
/// Each command's type lists in `- Throws:` the rules that refuse it. It does not repeat these refusals,
/// which are the same for all commands:
///
/// | property of the command | refusal |
/// |---|---|
/// | an id | `notFound` (for the meeting's id, perhaps `notAllowed`) if no record has the id |
/// | `actor` | `notAllowed` unless the account is a host or an owner of the meeting |
/// | `expected` | `versionMismatch` if the record has another version |
package protocol Command: Sendable {
    associatedtype Answer: Sendable

    /// Makes the change, on the writer's queue. It may run twice: if another command of the batch was refused
    /// after it had written, the writer rolls the whole batch back and runs it again.
    /// - Throws: `.refused` with a refusal of the command's type, which rolls back this command only;
    ///   `.failed`, which fails the whole batch.
    func run(in transaction: Transaction) throws(JournalError) -> Answer

    /// Whether the answer may be stored under an idempotency key. If this returns false, the command ignores
    /// the key.
    func takesKey(in transaction: Transaction) throws(JournalError) -> Bool

    /// Whether the command checks people in. Such a command adds no questions, nobody to a roster, and no
    /// traces of merged records.
    var checksIn: Bool { get }

    /// Whether the command stores a response. Such a command reads question sets and tallies of the
    /// transaction, and not of its rows (`AnsweredSets`).
    var responds: Bool { get }

    /// Makes the look-ups that `run` will probably make, and ignores what they return
    /// (`WritableRows.lookAhead`). It changes nothing. If it throws because the first look-up found nothing,
    /// the writer calls it again when the row is known.
    func lookAhead(in transaction: Transaction) throws(JournalError)

    // A long command is planned on a reading thread (`work`), judged in the writer (`begin`), done in slices
    // (`Work`), and answered at the end (`answer`).

    /// How `Storage` plans the work of this command, because it may be long.
    var planning: Planning { get }
    /// Plans the work of the command. Returns nil if the command is short, so that the writer can `run` it.
    /// - Throws: `.refused` if a rule refuses the command already.
    func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)?
    /// Judges the command in its first transaction, before any row is written.
    func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<Answer>
    /// Returns the answer, in the last transaction of the work.
    func answer(to work: any Work, in transaction: Transaction) throws(JournalError) -> Answer
}

extension Command {
    package func takesKey(in transaction: Transaction) throws(JournalError) -> Bool { true }

    package var checksIn: Bool { false }

    package var responds: Bool { false }

    package func lookAhead(in transaction: Transaction) throws(JournalError) {}

    // The defaults for short commands, which are never planned.
    package var planning: Planning { .none }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? { nil }

    package func begin(
        _ work: any Work, in transaction: Transaction
    ) throws(JournalError) -> Beginning<Answer> { .outdated }

    package func answer(to work: any Work, in transaction: Transaction) throws(JournalError) -> Answer {
        try run(in: transaction)
    }
}

/// The version that the caller of an edit last saw. `.any` allows every version. Versions begin at 1, so
/// `.version(0)` means that the caller expects no stored record.
package enum ExpectedVersion: Hashable, Sendable {
    case any
    case version(Int)

    /// - Throws: `versionMismatch` unless `current` is the expected version.
    func check(_ current: Int) throws(JournalError) {
        if case .version(let version) = self, version != current {
            throw .refused(.versionMismatch(current: current))
        }
    }
}
