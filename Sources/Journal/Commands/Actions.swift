package import Meetings

extension Transaction {
    /// Adds an entry to the action log, in the transaction of the action.
    func note(
        _ kind: ActionRecord.Kind, by actor: ActionRecord.Actor, in meeting: MeetingID? = nil,
        of account: AccountID? = nil, role: Role? = nil
    ) throws(JournalError) {
        try rows.insert(
            ActionRecord(
                id: .make(at: now), at: now, kind: kind, actor: actor, meeting: meeting, account: account,
                role: role))
    }
}

/// Adds an entry to the action log, for an action that changes no other row, such as an export.
package struct NoteAction: Command {
    package let kind: ActionRecord.Kind
    package let actor: ActionRecord.Actor
    package let meeting: MeetingID?
    package let account: AccountID?

    package init(
        _ kind: ActionRecord.Kind, by actor: ActionRecord.Actor, in meeting: MeetingID? = nil,
        of account: AccountID? = nil
    ) {
        self.kind = kind
        self.actor = actor
        self.meeting = meeting
        self.account = account
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        try transaction.note(kind, by: actor, in: meeting, of: account)
    }
}

/// Deletes at most `limit` actions that happened before `moment`. Returns their number.
package struct ForgetActions: Command {
    package let moment: Instant
    package let limit: Int

    package init(before moment: Instant, limit: Int) {
        self.moment = moment
        self.limit = limit
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Int {
        try transaction.rows.deleteActions(before: moment, limit: limit)
    }
}
