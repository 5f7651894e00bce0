package import Meetings

/// Changes the name in an attendee's own record, at the attendee's request. If the attendee has a roster
/// slot or a valid certificate, the record keeps its name, and the new name is stored as the typed one.
/// - Throws: `receiptNotValid` if the receipt has ended; `renamedTooOften` if the attendee
///   has changed their name `most` times.
package struct CorrectOwnName: Command {
    package let receipt: Receipt
    /// The new name, normalized.
    package let name: String

    /// The largest number of times that an attendee can change their own name in a session. Each change adds
    /// an event that is never deleted.
    package static let most = 20

    package init(receipt: Receipt, name: String) {
        self.receipt = receipt
        self.name = name
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        guard var record = try transaction.rows.attendee(holding: receipt) else {
            throw .refused(.receiptNotValid)
        }
        try transaction.session(record.sessionID).requireNames()
        let seen = record.seenByAttendee
        if seen.name != name {
            let earlier = try transaction.rows.renames(of: record.id, in: record.sessionID)
            guard earlier.count < Self.most else { throw .refused(.renamedTooOften(limit: Self.most)) }
            let (before, grant) = (record.withoutEvidence, try transaction.rows.keys(of: record.id).grant)
            var hasSlot = record.typed != nil
            if !hasSlot { hasSlot = try transaction.rows.person(inSlotOf: record.id) != nil }
            // The server signs the record's name, so only hosts change it after the issue.
            if !hasSlot { hasSlot = try transaction.rows.certificate(of: record.id)?.isValid == true }
            if hasSlot {
                record.setTyped(TypedDetails(name: name, identity: seen.identity))
            } else {
                record.name = name
            }
            record.version += 1
            try transaction.rows.update(record)
            let event = try transaction.record(
                .renamed, in: record.sessionID, attendee: record.id, by: .attendee)
            transaction.publish(.changed(record), at: event)
            // Successive changes of the name are one correction, which an undo reverts as a whole. Otherwise
            // each of them would store a copy of the record.
            var stored = RecordBefore.corrected(before, grant: grant)
            if var last = earlier.last, last.versionAfter == before.version, let first = last.before {
                stored = first
                last.before = nil
                try transaction.rows.save(last)
            }
            try transaction.rows.save(
                CorrectionRecord(
                    sessionID: record.sessionID, sequence: event.sequence, attendeeID: record.id,
                    before: stored, versionAfter: record.version))
        }
        return (record, try transaction.session(record.sessionID))
    }
}

/// Changes the e-mail address or the number in an attendee's own record, at the attendee's request. The
/// check-in and the answers stay. If the attendee has a roster slot, the record keeps the roster's address,
/// and the new one is stored as the typed one. The journal stores no copy of the old address, so a host
/// cannot undo this. Does nothing if the meeting identifies attendees by name.
/// - Throws: `receiptNotValid` if the attendee's record no longer exists; `attendeeExists` if another
///   attendee of the session, also an awaited one, has this address; `grantUsedUp` if `repeats` refuses;
///   `renamedTooOften` as for `CorrectOwnName`, with which it shares the limit.
package struct CorrectOwnAddress: Command {
    package let receipt: Receipt
    /// The new address or number, normalized.
    package let identity: String
    /// The counts that limit for how many people one grant may be used; nil for no limit.
    package let repeats: CheckInRepeats?

    package init(receipt: Receipt, identity: String, repeats: CheckInRepeats? = nil) {
        self.receipt = receipt
        self.identity = identity
        self.repeats = repeats
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        guard var record = try transaction.rows.attendee(holding: receipt) else {
            throw .refused(.receiptNotValid)
        }
        let (seen, session) = (record.seenByAttendee, try transaction.session(record.sessionID))
        try session.requireNames()
        guard session.meeting.identifyBy != .name, seen.identity != identity else { return (record, session) }
        let keys = try transaction.rows.keys(of: record.id)
        let person = CheckInRepeats.Named(session: record.sessionID, key: IdentityKey(identity))
        if let refusal = repeats?.refusal(of: person, by: keys.grant ?? record.id.bytes) {
            throw .refused(refusal)
        }
        let known = try transaction.attendees.known(by: person.key, in: record.sessionID)
        if let known, known.id != record.id {
            repeats?.named(person, by: keys.grant ?? record.id.bytes, on: record.evidence?.device)
            throw .refused(.attendeeExists(known.id))
        }
        let earlier = try transaction.rows.renames(of: record.id, in: record.sessionID)
        guard earlier.count < CorrectOwnName.most else {
            throw .refused(.renamedTooOften(limit: CorrectOwnName.most))
        }
        var hasSlot = record.typed != nil
        if !hasSlot { hasSlot = try transaction.rows.person(inSlotOf: record.id) != nil }
        if hasSlot {
            record.setTyped(TypedDetails(name: seen.name, identity: identity))
        } else {
            record.identity = identity
        }
        record.version += 1
        try transaction.rows.update(record)
        if !hasSlot {
            try transaction.rows.setKeys(
                AttendeeKeys(identity: person.key.text, grant: keys.grant), of: record)
        }
        let event = try transaction.record(
            .renamed, in: record.sessionID, attendee: record.id, by: .attendee)
        transaction.publish(.changed(record), at: event)
        // Only the number of these records matters. Without a copy, the old address is gone.
        try transaction.rows.save(
            CorrectionRecord(
                sessionID: record.sessionID, sequence: event.sequence, attendeeID: record.id, before: nil,
                versionAfter: record.version))
        return (record, try transaction.session(record.sessionID))
    }
}

/// Changes the name and the address in an attendee's own record, as `CorrectOwnName` and `CorrectOwnAddress`
/// do. If one of them is refused, nothing changes.
package struct CorrectOwnDetails: Command {
    package let receipt: Receipt
    /// The new name, normalized; nil to keep it.
    package let name: String?
    /// The new address and number, normalized; nil or empty to keep them. The meeting identifies attendees by
    /// one of them at most, and the other is ignored.
    package let email: String?
    package let number: String?
    /// The counts that limit for how many people one grant may be used; nil for no limit.
    package let repeats: CheckInRepeats?

    package init(
        receipt: Receipt, name: String?, email: String? = nil, number: String? = nil,
        repeats: CheckInRepeats? = nil
    ) {
        self.receipt = receipt
        self.name = name
        self.email = email
        self.number = number
        self.repeats = repeats
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        guard let known = try transaction.rows.attendee(holding: receipt) else {
            throw .refused(.receiptNotValid)
        }
        var changed = (known, try transaction.session(known.sessionID))
        let identity =
            switch changed.1.meeting.identifyBy {
            case .name: nil as String?
            case .email: email
            case .number: number
            }
        if let identity, !identity.isEmpty {
            changed = try CorrectOwnAddress(receipt: receipt, identity: identity, repeats: repeats)
                .run(in: transaction)
        }
        if let name { changed = try CorrectOwnName(receipt: receipt, name: name).run(in: transaction) }
        return changed
    }
}

/// Withdraws an attendee's check-in at the attendee's request. Erases the record and all data by which the
/// journal's events could be connected to the person. The receipts of the record, and of the records merged
/// into it, end. If only check-ins brought the person onto the roster and this was the last one, the person
/// leaves the roster with all slots in which the person never checked in.
/// - Throws: `receiptNotValid` if the receipt has ended.
package struct WithdrawCheckIn: Command {
    package let receipt: Receipt
    /// The counts that limit repeated check-ins; nil for no limit.
    package let repeats: CheckInRepeats?

    package init(receipt: Receipt, repeats: CheckInRepeats? = nil) {
        self.receipt = receipt
        self.repeats = repeats
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        guard let record = try transaction.rows.attendee(holding: receipt) else {
            throw .refused(.receiptNotValid)
        }
        let person = try transaction.rows.person(inSlotOf: record.id)
        var leaving: Person?
        if let person { leaving = try transaction.roster.leaves(person, withdrawing: record) }
        if let repeats {
            let isByName = try transaction.session(record.sessionID).meeting.identifyBy == .name
            let typed = record.seenByAttendee
            repeats.withdrew(
                record.id,
                CheckInRepeats.Named(
                    session: record.sessionID, key: IdentityKey(isByName ? typed.name : typed.identity)),
                by: try transaction.rows.keys(of: record.id).grant, on: record.evidence?.device)
        }
        let whole = try transaction.rows.whole(record)
        try transaction.attendees.endReceipts(of: record.id)
        try transaction.attendees.remove(record)
        try transaction.corrections.erase(of: whole, by: .attendee)
        let event = try transaction.record(
            .withdrawn, in: record.sessionID, attendee: record.id, by: .attendee,
            EventData(before: record.status))
        transaction.publish(.removed(record.id), at: event)
        try transaction.note(
            .erased, by: .attendee, in: try transaction.session(record.sessionID).meeting.id)
        if let leaving {
            try transaction.roster.remove(leaving)
        } else if let person {
            try transaction.roster.awaitAgain(person, in: try transaction.session(record.sessionID))
        }
    }
}
