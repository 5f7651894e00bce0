package import Meetings

/// What a correction's event does not contain, because the journal holds no personal data: the reason, and
/// the record before the correction.
package struct CorrectionRecord: Hashable, Sendable {
    package let sessionID: SessionID
    /// The sequence of the event.
    package let sequence: Int64
    /// The attendee, with whom it is erased; nil for an edit of the session.
    package let attendeeID: AttendeeID?
    /// The host's reason; may be empty.
    package let note: String
    /// Nil if the correction can no longer be undone.
    package var before: RecordBefore?
    /// The version of the attendee, or of the edited session, after the correction. While it is the current
    /// one, nothing has changed since.
    package let versionAfter: Int
    /// When `before` is deleted, if it is the record of an attendee who is gone.
    package var forgetAt: Instant?

    package init(
        sessionID: SessionID, sequence: Int64, attendeeID: AttendeeID?, note: String = "",
        before: RecordBefore?, versionAfter: Int,
        forgetAt: Instant? = nil
    ) {
        self.sessionID = sessionID
        self.sequence = sequence
        self.attendeeID = attendeeID
        self.note = note
        self.before = before
        self.versionAfter = versionAfter
        self.forgetAt = forgetAt
    }
}

/// A record before its correction.
package enum RecordBefore: Hashable, Sendable, Codable {
    case corrected(Attendee, grant: [UInt8]?)
    case added
    case removed(WholeAttendee)
    case merged(WholeAttendee, into: WholeAttendee)
    case edited(Session)
}

/// An attendee with everything that is deleted and restored with the record.
package struct WholeAttendee: Hashable, Sendable, Codable {
    package let attendee: Attendee
    package let keys: AttendeeKeys
    package let namedResponses: [Response]
    /// The sets that the attendee has answered, named and anonymous.
    package let answered: [String]
    /// The person whose slot it was; nil if there is none.
    package let person: PersonID?
    /// The person's version then. If it has risen, the slot is updated when it is restored.
    package let personVersion: Int?

    package init(
        _ attendee: Attendee, keys: AttendeeKeys, namedResponses: [Response], answered: [String],
        person: PersonID? = nil,
        personVersion: Int? = nil
    ) {
        self.attendee = attendee
        self.keys = keys
        self.namedResponses = namedResponses
        self.answered = answered
        self.person = person
        self.personVersion = personVersion
    }
}

/// The keys that find an attendee in the session.
package struct AttendeeKeys: Hashable, Sendable, Codable {
    package var identity: String?
    package var grant: [UInt8]?

    package init(identity: String? = nil, grant: [UInt8]? = nil) {
        self.identity = identity
        self.grant = grant
    }

    package var key: IdentityKey? { identity.map { IdentityKey(stored: $0) } }
}

/// Where the receipt, grant and key of a merged record lead.
package struct MergedTrace: Hashable, Sendable {
    package let id: AttendeeID
    package let sessionID: SessionID
    package let into: AttendeeID
    package let keys: AttendeeKeys

    package init(id: AttendeeID, sessionID: SessionID, into: AttendeeID, keys: AttendeeKeys) {
        self.id = id
        self.sessionID = sessionID
        self.into = into
        self.keys = keys
    }
}

/// Corrections and merged records.
package protocol CorrectionReading: AnyObject {
    func correction(of session: SessionID, sequence: Int64) throws(JournalError) -> CorrectionRecord?
    /// The corrections by events in `sequences`, in order.
    func corrections(of session: SessionID, in sequences: ClosedRange<Int64>) throws(JournalError)
        -> [CorrectionRecord]
    /// The corrections whose `forgetAt` is not later than `now`, the earliest first.
    func correctionsToForget(at now: Instant, limit: Int) throws(JournalError) -> [CorrectionRecord]
    func keys(of attendee: AttendeeID) throws(JournalError) -> AttendeeKeys
    func trace(of merged: AttendeeID) throws(JournalError) -> MergedTrace?
    /// The traces of records that were merged into `attendee` directly, by id.
    func traces(into attendee: AttendeeID) throws(JournalError) -> [MergedTrace]
    func trace(in session: SessionID, key: IdentityKey) throws(JournalError) -> MergedTrace?
    func trace(in session: SessionID, grant: [UInt8]) throws(JournalError) -> MergedTrace?
}

/// Writing corrections and the traces of merged records.
package protocol CorrectionWriting: AnyObject {
    /// Inserts or replaces.
    func save(_ correction: CorrectionRecord) throws(JournalError)
    func deleteCorrections(of attendee: AttendeeID) throws(JournalError)
    /// Deletes the records before the corrections of an attendee; the reasons stay.
    func forgetBefore(of attendee: AttendeeID) throws(JournalError)
    func setKeys(_ keys: AttendeeKeys, of attendee: Attendee) throws(JournalError)
    func insert(_ trace: MergedTrace) throws(JournalError)
    func deleteTrace(of merged: AttendeeID) throws(JournalError)
}

extension ReadableRows {
    /// Returns the attendee to whom a receipt of `id` leads: the attendee with this id, or the one into whom
    /// the record was merged.
    package func attendee(behind id: AttendeeID) throws(JournalError) -> Attendee? {
        if let found = try attendee(id) { return found }
        var next = try trace(of: id)
        // A merged record is gone, and nothing is merged into it again, so there is no circle.
        while let trace = next {
            if let found = try attendee(trace.into) { return found }
            next = try self.trace(of: trace.into)
        }
        return nil
    }

    /// Returns the attendee with everything that is deleted with the record.
    package func whole(_ attendee: Attendee) throws(JournalError) -> WholeAttendee {
        var responses: [Response] = []
        var answered: [String] = []
        for set in try questionSets(of: attendee.sessionID) where try hasAnswered(attendee.id, set: set.name)
        {
            answered.append(set.name)
            if let response = try response(of: attendee.id, set: set.name) { responses.append(response) }
        }
        var holder: Person?
        if let id = try person(inSlotOf: attendee.id) { holder = try person(id) }
        return WholeAttendee(
            attendee, keys: try keys(of: attendee.id), namedResponses: responses, answered: answered,
            person: holder?.id,
            personVersion: holder?.version)
    }
}
