package import Meetings

/// Puts somebody into a session who could not scan. They are never a walk-in, and their method is `host`. Who
/// is awaited by the same key comes in in their own place.
package struct AddAttendee: Command {
    package let session: SessionID
    /// Normalized.
    package let name: String
    /// As written. The one that the meeting identifies by is kept where it is given; the other is passed
    /// over.
    package let email: String?
    package let number: String?
    package let note: String?
    /// Where neither is given, `AttendanceCorrection.forAddedPerson` has it.
    package let status: AttendanceStatus?
    package let checkedInAt: Instant?
    package let actor: AccountID

    package init(
        session: SessionID, name: String, email: String? = nil, number: String? = nil, note: String? = nil,
        status: AttendanceStatus? = nil,
        checkedInAt: Instant? = nil, actor: AccountID
    ) {
        self.session = session
        self.name = name
        self.email = email
        self.number = number
        self.note = note
        self.status = status
        self.checkedInAt = checkedInAt
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        let record = try transaction.session(session)
        try transaction.requireHost(actor, of: record.meeting.id)
        let identity =
            switch record.meeting.identifyBy {
            case .name: ""
            case .email: email ?? ""
            case .number: number ?? ""
            }
        let key = identity.isEmpty ? nil : IdentityKey(identity)
        let place = try place(
            by: record.meeting.identifyBy == .name ? IdentityKey(name) : key, record, in: transaction)
        if place == nil, record.headCount.known >= CheckIn.mostAttendees {
            throw .refused(.limitReached(.attendee, limit: CheckIn.mostAttendees))
        }

        var attendee = Attendee(
            id: place?.id ?? .make(at: transaction.now), sessionID: session, name: place?.name ?? name,
            identity: place?.identity ?? identity, walkIn: place?.walkIn ?? false, method: .host,
            arrivalSequence: place?.arrivalSequence ?? 0, version: (place?.version ?? 0) + 1,
            note: note ?? place?.note ?? "")
        let said = AttendanceCorrection(status: status, checkedInAt: checkedInAt)
        let isSaid = status != nil || checkedInAt != nil
        do throws(Refusal) {
            try (isSaid ? said : .forAddedPerson(in: record.session, at: transaction.now))
                .apply(to: &attendee, in: record.session, at: transaction.now)
        } catch { throw .refused(error) }
        if !attendee.status.countsAsCheckedIn { attendee.method = nil }
        let event = try transaction.record(
            .added, in: session, attendee: attendee.id, by: .account(actor),
            EventData(status: attendee.status, before: place?.status, method: .host))
        let before: RecordBefore
        if let place {
            before = .corrected(place.withoutEvidence, grant: try transaction.rows.keys(of: place.id).grant)
            try transaction.replace(place, with: attendee, at: event)
        } else {
            before = .added
            if attendee.status.countsAsCheckedIn { attendee.arrivalSequence = event.sequence }
            let new = attendee
            try transaction.rows.insert(new, key: key, grant: nil)
            try transaction.count(in: session) { $0.add(new) }
            transaction.publish(new.arrivalSequence > 0 ? .arrived(new) : .changed(new), at: event)
        }
        try transaction.rows.save(
            CorrectionRecord(
                sessionID: session, sequence: event.sequence, attendeeID: attendee.id, note: note ?? "",
                before: before,
                versionAfter: attendee.version))
        guard let written = try transaction.rows.attendee(attendee.id) else {
            throw .refused(.notFound(.attendee))
        }
        return (written, try transaction.session(session))
    }

    /// Where somebody is awaited by this key. Refused where they are more than that already, or would be
    /// awaited twice.
    private func place(by key: IdentityKey?, _ record: SessionRecord, in transaction: Transaction)
        throws(JournalError) -> Attendee?
    {
        guard let key, let known = try transaction.attendee(known: key, in: session) else { return nil }
        if known.status == .pending, known.checkedInAt == nil, status != .awaited { return known }
        // A name is nobody's alone.
        if record.meeting.identifyBy == .name { return nil }
        throw .refused(.attendeeExists(known.id))
    }
}

extension Transaction {
    /// By the key they have, or by one that they had before their record was merged.
    func attendee(known key: IdentityKey, in session: SessionID) throws(JournalError) -> Attendee? {
        if let found = try rows.attendee(in: session, key: key) { return found }
        guard let trace = try rows.trace(in: session, key: key) else { return nil }
        return try rows.attendee(behind: trace.id)
    }
}
