package import Meetings

/// The queries of an operator's commands, with or without running servers. They read one state of the data.
package protocol OperatorReading {
    /// Returns the records that an e-mail address or number leads to, in all meetings. Reads whole tables.
    func search(for identity: String) throws(JournalError) -> PersonSearch
    /// Returns the queue of mails: the counts of all states, and at most 1,000 mails in these states.
    func mailQueue(in states: Set<MailDelivery.State>) throws(JournalError) -> MailQueue
}

/// The records that an e-mail address or number leads to.
package struct PersonSearch: Sendable {
    package let account: AccountID?
    package let people: [PersonID]
    /// The attendees with this key who are in no slot of `people`.
    package let attendees: [AttendeeID]

    package var isEmpty: Bool { account == nil && people.isEmpty && attendees.isEmpty }

    package init(account: AccountID?, people: [PersonID], attendees: [AttendeeID]) {
        (self.account, self.people, self.attendees) = (account, people, attendees)
    }
}

/// The queue of mails as an operator reads it.
package struct MailQueue: Sendable {
    package let counts: [MailDelivery.State: Int]
    /// The mails in the requested states, the earliest next attempt first.
    package let mails: [MailRecord]

    package init(counts: [MailDelivery.State: Int] = [:], mails: [MailRecord] = []) {
        (self.counts, self.mails) = (counts, mails)
    }
}
