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
        guard var record = try transaction.rows.attendee(behind: attendee) else {
            throw .refused(.receiptNotValid)
        }
        if record.name != name {
            let (before, grant) = (record.withoutEvidence, try transaction.rows.keys(of: record.id).grant)
            record.name = name
            record.version += 1
            try transaction.rows.update(record)
            let event = try transaction.record(
                .renamed, in: record.sessionID, attendee: record.id, by: .attendee)
            transaction.publish(.changed(record), at: event)
            try transaction.rows.save(
                CorrectionRecord(
                    sessionID: record.sessionID, sequence: event.sequence, attendeeID: record.id,
                    before: .corrected(before, grant: grant), versionAfter: record.version))
        }
        return (record, try transaction.session(record.sessionID))
    }
}

/// An attendee withdraws the check-in: the command erases the record, and all that the journal's events could
/// be joined to. The receipts of the record, and of those merged into it, end.
package struct WithdrawCheckIn: Command {
    package let attendee: AttendeeID

    package init(attendee: AttendeeID) { self.attendee = attendee }

    package func run(in transaction: Transaction) throws(JournalError) {
        guard let record = try transaction.rows.attendee(behind: attendee) else {
            throw .refused(.receiptNotValid)
        }
        let person = try transaction.rows.person(inPlaceOf: record.id)
        try transaction.endReceipts(of: record.id)
        try transaction.takeOut(record)
        try transaction.eraseCorrections(of: record.id)
        let event = try transaction.record(
            .withdrawn, in: record.sessionID, attendee: record.id, by: .attendee,
            EventData(before: record.status))
        transaction.publish(.removed(record.id), at: event)
        if let person { try transaction.placeAgain(person, in: try transaction.session(record.sessionID)) }
    }
}

extension Transaction {
    /// Named answers go with the person, so their tallies must too; anonymous ones cannot be told apart, and
    /// stay.
    func takeBackNamedResponses(of attendee: Attendee) throws(JournalError) {
        for var set in try rows.questionSets(of: attendee.sessionID) where !set.anonymous {
            guard let response = try rows.response(of: attendee.id, set: set.name) else { continue }
            var tallies = try rows.tallies(of: attendee.sessionID, set: set.name)
            for question in set.questions {
                guard let answer = response.answers[question.id],
                    var tally = tallies.removeValue(forKey: question.id)
                else { continue }
                tally.published.remove(answer, from: question)
                try rows.save(tally, of: question.id)
            }
            set.responses -= 1
            set.publishedResponses -= 1
            try saveCounts(of: set, in: attendee.sessionID)
        }
    }
}
