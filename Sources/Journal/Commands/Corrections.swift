package import Meetings

/// The time for which a removal or a merge can be undone. After this time, the stored copy of the record is
/// deleted.
let undoWindow = Duration.hours(24)

/// Finds the attendees that hosts correct, and erases the data that corrections store.
struct Corrections {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// Returns the attendee and the attendee's session.
    /// - Parameter erases: whether the command only erases data, which needs no name.
    /// - Throws: `notFound` if the attendee does not exist; `notAllowed` unless the actor is a host of the
    ///   meeting; `namesDeleted`.
    func target(_ id: AttendeeID, by actor: AccountID, erases: Bool = false) throws(JournalError) -> (
        Attendee, SessionRecord
    ) {
        let attendee = try transaction.attendees.written(id)
        let record = try transaction.rights.session(attendee.sessionID, managedBy: actor)
        if !erases { try record.requireNames() }
        return (attendee, record)
    }

    /// Removes an attendee from the session, with an event. If the roster expects the person, it awaits the
    /// person again. Returns all that the caller has to store or to erase.
    func remove(_ attendee: Attendee, by actor: Event.Actor) throws(JournalError) -> (WholeAttendee, Event) {
        let whole = try rows.whole(attendee)
        try transaction.attendees.endReceipts(of: attendee.id)
        try transaction.attendees.remove(attendee)
        let event = try transaction.record(
            .removed, in: attendee.sessionID, attendee: attendee.id, by: actor,
            EventData(before: attendee.status))
        transaction.publish(.removed(attendee.id), at: event)
        try transaction.roster.awaitAgain(whole)
        return (whole, event)
    }

    /// The cause of an erasure.
    enum Cause {
        /// The attendee withdraws. Questions and votes are erased, too.
        case attendee
        /// A host erases the record, or its time is over. If questions and votes disappeared at that moment,
        /// members would learn whose they were. So those without a name stay, without their link.
        case other
    }

    /// Erases all that is still stored about a removed attendee, and about all records that were merged
    /// into the attendee's record.
    func erase(of whole: WholeAttendee, by cause: Cause) throws(JournalError) {
        let session = whole.attendee.sessionID
        for id in try rows.ids(of: whole.attendee.id) {
            switch cause {
            case .attendee:
                try transaction.audience.withdraw(of: id, in: session)
                try transaction.matching.erase(id)
            case .other:
                try transaction.audience.forget(id, in: session)
                try transaction.matching.forget(id)
            }
            try rows.deleteCorrections(of: id)
            if id != whole.attendee.id { try rows.deleteTrace(of: id) }
        }
        try transaction.texts.forget(whole.namedResponses)
    }
}

extension Transaction {
    var corrections: Corrections { Corrections(transaction: self) }
}

/// Corrects an attendee's record, with one event. Each field of this command that is not nil replaces the
/// stored value.
/// - Throws: `invalid` if `AttendanceCorrection.apply` refuses the time.
package struct CorrectAttendee: Command {
    package let attendee: AttendeeID
    /// The new name, normalized.
    package let name: String?
    /// The host's note, at most 500 characters; an empty text deletes the note.
    package let note: String?
    package let correction: AttendanceCorrection
    /// Whether the receipts of the attendee end, so that no phone can act for the attendee any more.
    package let endsReceipts: Bool
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        attendee: AttendeeID, name: String? = nil, note: String? = nil, status: AttendanceStatus? = nil,
        checkedInAt: Instant? = nil, endsReceipts: Bool = false, expected: ExpectedVersion = .any,
        actor: AccountID
    ) {
        self.attendee = attendee
        self.name = name
        self.note = note
        self.endsReceipts = endsReceipts
        correction = AttendanceCorrection(status: status, checkedInAt: checkedInAt)
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        let (before, record) = try transaction.corrections.target(attendee, by: actor)
        try expected.check(before.version)
        var after = before
        after.name = name ?? before.name
        after.note = note ?? before.note
        do throws(Refusal) {
            try correction.apply(to: &after, in: record.session, at: transaction.now)
        } catch { throw .refused(error) }
        let fields = [
            before.name == after.name ? nil : "name",
            before.status == after.status && before.statusIsByHost == after.statusIsByHost ? nil : "status",
            before.checkedInAt == after.checkedInAt ? nil : "checkedInAt",
            before.note == after.note ? nil : "note",
            // An awaited attendee has no valid receipt.
            endsReceipts && before.status != .pending ? "receipts" : nil,
        ].compactMap { $0 }
        guard !fields.isEmpty else { return (before, record) }

        after.version += 1
        let keys = try transaction.rows.keys(of: before.id)
        let event = try transaction.record(
            .corrected, in: before.sessionID, attendee: before.id, by: .account(actor),
            EventData(from: before, to: after, fields: fields))
        if fields.contains("receipts") { after.receiptsEndedAt = event.sequence }
        var former: FormerHolder?
        if before.status != .pending, after.status == .pending {
            after.receiptsEndedAt = event.sequence
            former = try transaction.attendees.separateHolder(of: before)
        }
        let written = try transaction.attendees.replace(before, with: after, at: event)
        try transaction.rows.save(
            CorrectionRecord(
                sessionID: before.sessionID, sequence: event.sequence, attendeeID: before.id,
                note: note ?? "",
                before: .corrected(before.withoutEvidence, grant: keys.grant, former: former),
                versionAfter: written.version))
        return (written, try transaction.session(before.sessionID))
    }
}

/// Adds an attendee who could not scan the code. The attendee is never a walk-in, and the check-in method is
/// `host`. If the roster awaits a person with the same key, the attendee takes that person's slot.
/// - Throws: `attendeeExists` if the session has an attendee with the same e-mail address or number, unless
///   that attendee is awaited; `namesDeleted`; `invalid` if `AttendanceCorrection.apply` refuses the time;
///   `limitReached` if the session has `CheckIn.mostAttendees`.
package struct AddAttendee: Command {
    package let session: SessionID
    /// The attendee's name, normalized.
    package let name: String
    /// The e-mail address as the host typed it. The meeting identifies attendees by e-mail address, by number
    /// or by name. The field that the meeting uses is stored if it is given, and the other is ignored.
    package let email: String?
    package let number: String?
    package let note: String?
    /// The attendee's status. If neither a status nor a time is given, `AttendanceCorrection.forAddedPerson`
    /// chooses both.
    package let status: AttendanceStatus?
    package let checkedInAt: Instant?
    package let actor: AccountID

    package init(
        session: SessionID, name: String, email: String? = nil, number: String? = nil, note: String? = nil,
        status: AttendanceStatus? = nil, checkedInAt: Instant? = nil, actor: AccountID
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
        let record = try transaction.rights.session(session, managedBy: actor)
        try record.requireNames()
        let identity =
            switch record.meeting.identifyBy {
            case .name: ""
            case .email: email ?? ""
            case .number: number ?? ""
            }
        let key = identity.isEmpty ? nil : IdentityKey(identity)
        let named = record.meeting.identifyBy == .name ? IdentityKey(name) : key
        let awaited = try awaited(by: named, record, in: transaction)
        if awaited == nil, record.headCount.known >= CheckIn.mostAttendees {
            throw .refused(.limitReached(.attendee, limit: CheckIn.mostAttendees))
        }

        var attendee = Attendee(
            id: awaited?.id ?? .make(at: transaction.now), sessionID: session, name: awaited?.name ?? name,
            identity: awaited?.identity ?? identity, typed: awaited?.typed, walkIn: awaited?.walkIn ?? false,
            method: .host,
            arrivalSequence: awaited?.arrivalSequence ?? 0, receiptsEndedAt: awaited?.receiptsEndedAt,
            version: (awaited?.version ?? 0) + 1, note: note ?? awaited?.note ?? "")
        let given = AttendanceCorrection(status: status, checkedInAt: checkedInAt)
        let isGiven = status != nil || checkedInAt != nil
        do throws(Refusal) {
            try (isGiven ? given : .forAddedPerson(in: record.session, at: transaction.now))
                .apply(to: &attendee, in: record.session, at: transaction.now)
        } catch { throw .refused(error) }
        if !attendee.status.countsAsCheckedIn { attendee.method = nil }
        if let awaited {
            attendee.firstTime = awaited.firstTime
        } else if attendee.status.countsAsCheckedIn {
            attendee.firstTime = try transaction.isNewcomer(named, named: name, to: record)
        }
        let event = try transaction.record(
            .added, in: session, attendee: attendee.id, by: .account(actor),
            EventData(status: attendee.status, before: awaited?.status, method: .host))
        let before: RecordBefore
        if let awaited {
            before = .corrected(
                awaited.withoutEvidence, grant: try transaction.rows.keys(of: awaited.id).grant)
            attendee = try transaction.attendees.replace(awaited, with: attendee, at: event)
        } else {
            before = .added
            let comes = attendee.status.countsAsCheckedIn
            if comes { attendee.arrivalSequence = event.sequence }
            try transaction.attendees.insert(attendee, key: key, grant: nil)
            transaction.publish(comes ? .arrived(attendee) : .changed(attendee), at: event)
        }
        try transaction.rows.save(
            CorrectionRecord(
                sessionID: session, sequence: event.sequence, attendeeID: attendee.id, note: note ?? "",
                before: before, versionAfter: attendee.version))
        return (attendee, try transaction.session(session))
    }

    /// Returns the attendee who is awaited with this key; nil if there is none.
    /// - Throws: `attendeeExists` if the attendee has already checked in, or would be awaited twice.
    private func awaited(by key: IdentityKey?, _ record: SessionRecord, in transaction: Transaction)
        throws(JournalError) -> Attendee?
    {
        guard let key, let known = try transaction.attendees.known(by: key, in: session) else { return nil }
        if known.status == .pending, known.checkedInAt == nil, status != .awaited { return known }
        // Several people may have the same name, so this is another person.
        if record.meeting.identifyBy == .name { return nil }
        throw .refused(.attendeeExists(known.id))
    }
}

/// Removes an attendee from a session. Stores the record for `undoWindow`, so that a mistake can be undone,
/// unless `erases` is true. If the person is on the roster and had checked in, the roster awaits the person
/// again until the session ends. A person who was only awaited is not awaited again.
package struct RemoveAttendee: Command {
    package let attendee: AttendeeID
    package let note: String?
    /// Whether the command erases the record at once and stores no copy, for people who ask to be forgotten.
    package let erases: Bool
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        attendee: AttendeeID, note: String? = nil, erases: Bool = false, expected: ExpectedVersion = .any,
        actor: AccountID
    ) {
        self.attendee = attendee
        self.note = note
        self.erases = erases
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let (before, record) = try transaction.corrections.target(attendee, by: actor, erases: erases)
        try expected.check(before.version)
        // An erased person keeps the certificate, as everything else that the person holds.
        if !erases { try transaction.certificates.revoke(of: before.id) }
        let (whole, event) = try transaction.corrections.remove(before, by: .account(actor))
        if erases {
            for reply in try transaction.rows.replies(of: before) {
                try transaction.replies.remove(reply, by: .account(actor))
            }
            try transaction.note(.erased, by: .account(actor), in: record.meeting.id)
            return try transaction.corrections.erase(of: whole, by: .other)
        }
        try transaction.rows.save(
            CorrectionRecord(
                sessionID: before.sessionID, sequence: event.sequence, attendeeID: before.id,
                note: note ?? "", before: .removed(whole), versionAfter: before.version,
                forgetAt: transaction.now + undoWindow))
    }
}

/// Merges two records of one person. Deletes the merged record; its receipt, grant and key lead to the
/// remaining record. If both records have answered a named set, the response of the remaining record stays,
/// so each set is answered once. Answers that hide names, questions and votes do not move, because the
/// records may be of different people: the remaining record's phone must not show them. The remaining record
/// takes the roster slot of the merged record, unless it has its own slot.
/// - Throws: `invalid` unless `into` is another attendee of the same session; `changedSince` if the
///   questions no longer accept the answers that would move.
package struct MergeAttendees: Command {
    package let attendee: AttendeeID
    package let into: AttendeeID
    package let note: String?
    /// The expected version of the record that is deleted.
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        attendee: AttendeeID, into: AttendeeID, note: String? = nil, expected: ExpectedVersion = .any,
        actor: AccountID
    ) {
        self.attendee = attendee
        self.into = into
        self.note = note
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        let (absorbed, record) = try transaction.corrections.target(attendee, by: actor)
        try expected.check(absorbed.version)
        guard into != attendee, let remaining = try transaction.rows.attendee(into),
            remaining.sessionID == absorbed.sessionID
        else {
            throw .refused(.invalid([FieldError("/into", .unknownAttendee)]))
        }
        let (_, written) = try transaction.corrections.merge(
            absorbed, into: remaining, .merged, note: note, by: actor)
        return (written, try transaction.session(record.session.id))
    }
}

extension Corrections {
    /// Merges a record into another one of the same session, with an event of this kind. Returns the event
    /// and the remaining record.
    /// - Parameter undoes: the event that this merge repeats; nil for a first merge.
    func merge(
        _ absorbed: Attendee, into remaining: Attendee, _ kind: Event.Kind, undoes: Int64? = nil,
        note: String?, by actor: AccountID
    ) throws(JournalError) -> (Event, Attendee) {
        let (absorbedWhole, remainingWhole) = (
            try transaction.rows.whole(absorbed), try transaction.rows.whole(remaining)
        )
        let session = absorbed.sessionID
        var after = remaining.absorbing(absorbed, in: try transaction.session(session).session)
        after.version += 1
        try transaction.roster.moveSlot(of: absorbedWhole, to: remainingWhole)
        try transaction.certificates.revoke(of: absorbed.id)
        try transaction.replies.move(from: absorbed.id, to: remaining.id)
        try transaction.attendees.remove(absorbed)
        let event = try transaction.record(
            kind, in: session, attendee: absorbed.id, by: .account(actor),
            EventData(
                status: after.status, before: remaining.status, into: remaining.id, undoes: undoes))
        transaction.publish(.removed(absorbed.id), at: event)
        let written = try transaction.attendees.replace(remaining, with: after, at: event)
        // If the remaining record has no key, it takes the key of the merged record, provided that its own
        // identity is empty or matches that key. Otherwise the trace leads from that key to the remaining
        // record.
        let isShared =
            remaining.identity.isEmpty || IdentityKey(ifAny: remaining.identity) == absorbedWhole.keys.key
        let keys = AttendeeKeys(
            identity: remainingWhole.keys.identity ?? (isShared ? absorbedWhole.keys.identity : nil),
            grant: remainingWhole.keys.grant ?? absorbedWhole.keys.grant)
        if keys != remainingWhole.keys { try transaction.rows.setKeys(keys, of: written) }
        try transaction.rows.insert(
            MergedTrace(id: absorbed.id, sessionID: session, into: remaining.id, keys: absorbedWhole.keys))
        try moveAnswers(of: absorbedWhole, to: remainingWhole)
        try transaction.rows.save(
            CorrectionRecord(
                sessionID: session, sequence: event.sequence, attendeeID: remaining.id, note: note ?? "",
                before: .merged(absorbedWhole, into: remainingWhole), versionAfter: written.version,
                forgetAt: transaction.now + undoWindow))
        return (event, written)
    }

    /// Moves to the remaining record the marks and the named responses of the sets that only the merged
    /// record has answered.
    private func moveAnswers(of absorbed: WholeAttendee, to remaining: WholeAttendee) throws(JournalError) {
        for set in absorbed.answered where !remaining.answered.contains(set) {
            _ = try transaction.rows.markAnswered(remaining.attendee.id, set: set)
        }
        for response in absorbed.namedResponses where !remaining.answered.contains(response.set) {
            let set = try transaction.rows.questionSet(response.set, of: response.sessionID)
            guard set?.promise != .hidden else { continue }
            try transaction.responses.restore(
                Response(
                    id: response.id, sessionID: response.sessionID, set: response.set,
                    attendeeID: remaining.attendee.id, answers: response.answers, at: response.at))
        }
    }
}

/// Erases the stored copies of removed and merged attendees whose correction can no longer be undone. Returns
/// true if there may be more.
package struct ForgetRemoved: Command {
    package init() {}

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        let due = try transaction.rows.correctionsToForget(at: transaction.now, limit: 100)
        for correction in due {
            if case .removed(let gone) = correction.before,
                try isGone(gone.attendee.id, since: correction, in: transaction)
            {
                try transaction.corrections.erase(of: gone, by: .other)
                continue
            }
            // A merged record has no name any more; a restored record has one.
            if case .merged(let gone, let remaining) = correction.before {
                try transaction.rows.forgetBefore(of: gone.attendee.id)
                // If the merge was not undone, the remaining record's response to the same set stayed.
                if try transaction.rows.attendee(gone.attendee.id) == nil {
                    try transaction.texts.forget(
                        gone.namedResponses.filter { remaining.answered.contains($0.set) })
                    try transaction.responses.separateFromMarks(gone.namedResponses)
                }
            }
            var forgotten = correction
            forgotten.before = nil
            forgotten.forgetAt = nil
            try transaction.rows.save(forgotten)
        }
        return due.count == 100
    }

    /// Whether the attendee is removed by this correction, and no later correction of the attendee can still
    /// be undone.
    private func isGone(_ id: AttendeeID, since correction: CorrectionRecord, in transaction: Transaction)
        throws(JournalError) -> Bool
    {
        let rows = transaction.rows
        guard try rows.attendee(id) == nil, try rows.trace(of: id) == nil else { return false }
        let later = try rows.corrections(of: correction.sessionID, in: correction.sequence + 1...Int64.max)
        return !later.contains { $0.attendeeID == id && $0.forgetAt != nil }
    }
}

/// Deletes the devices and networks of sessions that ended long ago. Each command handles a few
/// attendees. Returns the place where the next command continues; nil if there is no more evidence.
package struct ForgetEvidence: Command {
    /// The most attendees whose evidence one transaction deletes, so that no check-in waits long.
    static let mostRows = 300

    /// The attendee after whom the next command continues.
    package struct Place: Hashable, Sendable {
        let session: SessionID
        let attendee: AttendeeID?
    }

    private let place: Place?
    private let mostRows: Int
    private let lifetime: Duration

    /// - Parameters:
    ///   - place: the result of the command before; nil to begin.
    ///   - lifetime: the time after a session's end for which the evidence is stored.
    ///   - mostRows: the most attendees of this command.
    package init(
        from place: Place? = nil, after lifetime: Duration = Retention().evidence,
        mostRows: Int = Self.mostRows
    ) {
        self.place = place
        self.lifetime = lifetime
        self.mostRows = mostRows
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Place? {
        let due = try transaction.rows.sessionsHoldingEvidence(
            endedBefore: transaction.now - lifetime, limit: 2)
        guard let session = due.first else { return nil }
        let last = try transaction.rows.forgetEvidence(
            of: session, after: place?.session == session ? place?.attendee : nil, limit: mostRows)
        if let last { return Place(session: session, attendee: last) }
        return due.count > 1 ? Place(session: due[1], attendee: nil) : nil
    }
}

extension EventData {
    /// Creates the event data of a correction, without personal data.
    init(from before: Attendee, to after: Attendee, fields: [String]? = nil, undoes: Int64? = nil) {
        let hasMoved = before.status != after.status
        let comes = after.status.countsAsCheckedIn && !before.status.countsAsCheckedIn
        self.init(
            status: hasMoved ? after.status : nil, before: hasMoved ? before.status : nil,
            method: comes ? after.method : nil, fields: fields, undoes: undoes)
    }
}
