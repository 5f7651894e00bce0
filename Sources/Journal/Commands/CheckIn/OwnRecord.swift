package import Meetings

/// An attendee mends the name in their own record.
package struct MendOwnName: Command {
    package let attendee: AttendeeID
    /// Normalized.
    package let name: String

    package init(attendee: AttendeeID, name: String) {
        self.attendee = attendee
        self.name = name
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        guard var record = try transaction.rows.attendee(attendee) else { throw .refused(.receiptNotValid) }
        if record.name != name {
            record.name = name
            try transaction.rows.update(record)
            try transaction.record(.renamed, in: record.sessionID, attendee: attendee, by: .attendee)
            let mended = record
            transaction.change(record.sessionID) { $0.changed.append(mended) }
        }
        return (record, try transaction.session(record.sessionID))
    }
}

/// An attendee takes the check-in back: the record is erased, and with it whatever the journal could be joined to.
package struct WithdrawCheckIn: Command {
    package let attendee: AttendeeID

    package init(attendee: AttendeeID) { self.attendee = attendee }

    package func run(in transaction: Transaction) throws(JournalError) {
        guard let record = try transaction.rows.attendee(attendee) else { throw .refused(.receiptNotValid) }
        try transaction.takeBackNamedResponses(of: record)
        try transaction.rows.delete(attendee)
        try transaction.count(in: record.sessionID) { $0.remove(record) }
        try transaction.record(
            .withdrawn, in: record.sessionID, attendee: attendee, by: .attendee, EventData(before: record.status))
        transaction.change(record.sessionID) { $0.removed.append(record.id) }
    }
}

extension Transaction {
    /// Named answers go with the person, so their tallies must too; anonymous ones cannot be told apart, and stay.
    func takeBackNamedResponses(of attendee: Attendee) throws(JournalError) {
        for var set in try rows.questionSets(of: attendee.sessionID) where !set.anonymous {
            guard let response = try rows.response(of: attendee.id, set: set.name) else { continue }
            var tallies = try rows.tallies(of: attendee.sessionID, set: set.name)
            for question in set.questions {
                guard let answer = response.answers[question.id], var tally = tallies.removeValue(forKey: question.id) else { continue }
                tally.published.remove(answer, from: question)
                try rows.save(tally, of: question.id)
            }
            set.responses -= 1
            set.publishedResponses -= 1
            try saveSettings(of: set, in: attendee.sessionID)
            let name = set.name
            change(attendee.sessionID) { $0.sets.insert(name) }
        }
    }
}
