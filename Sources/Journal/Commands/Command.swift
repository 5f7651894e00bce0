import Meetings

/// Something that changes what is kept, whole or not at all. A command decides by the rows as they are in its
/// transaction, by rules from `Meetings`, and does the same on every engine.
package protocol Command: Sendable {
    associatedtype Answer: Sendable

    /// `.refused` takes back this command alone; `.failed` fails its whole batch. May be run twice, where
    /// another of its batch had written before it was refused: the first time is taken back.
    func run(in transaction: Transaction) throws(JournalError) -> Answer

    /// Whether its answer may be kept under an idempotency key. False is as if no key had been sent: none is
    /// looked for either.
    func takesKey(in transaction: Transaction) throws(JournalError) -> Bool
}

extension Command {
    package func takesKey(in transaction: Transaction) throws(JournalError) -> Bool { true }
}

extension Transaction {
    /// Throws unless the account is an owner or host of the meeting.
    func requireHost(_ account: AccountID, of meeting: MeetingID) throws(JournalError) {
        guard let role = try rows.role(of: account, in: meeting), role.isHost else {
            throw .refused(.notAllowed)
        }
    }

    /// Throws unless the account owns the meeting.
    func requireOwner(_ account: AccountID, of meeting: MeetingID) throws(JournalError) {
        guard try rows.role(of: account, in: meeting) == .owner else { throw .refused(.notAllowed) }
    }
}

/// What a caller last saw of what it edits; `.any` takes what stands. Versions begin at 1: `.version(0)` is
/// what is not there yet.
package enum ExpectedVersion: Hashable, Sendable {
    case any
    case version(Int)

    func check(_ current: Int) throws(JournalError) {
        if case .version(let version) = self, version != current {
            throw .refused(.versionMismatch(current: current))
        }
    }
}
