package import Meetings

/// What a correction's event does not say, since the journal holds nothing personal: why, and how the record
/// was before.
package struct CorrectionRecord: Hashable, Sendable {
    package let sessionID: SessionID
    /// Of the event.
    package let sequence: Int64
    /// With whom it is erased; nil for an edit of the session.
    package let attendeeID: AttendeeID?
    /// A host's words; empty where none were said.
    package let note: String
    /// Nil where it can no longer be undone.
    package var before: RecordBefore?
    /// Of the attendee, or of the edited session: while it stands, nothing has changed since.
    package let versionAfter: Int
    /// When `before` goes, where it tells of somebody who is no longer there.
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

package enum RecordBefore: Hashable, Sendable, Codable {
    case corrected(Attendee, grant: [UInt8]?)
    case added
    case removed(WholeAttendee)
    case merged(WholeAttendee, into: WholeAttendee)
    case edited(Session)
}

/// All that goes with an attendee.
package struct WholeAttendee: Hashable, Sendable, Codable {
    package let attendee: Attendee
    package let keys: AttendeeKeys
    package let namedResponses: [Response]
    /// The sets that the attendee has answered, named and anonymous.
    package let answered: [String]
    /// Whose place it was; nil for who is on no roster.
    package let person: PersonID?
    /// Of the person: what has changed since reaches the place when it is put back.
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

/// What finds an attendee in the session.
package struct AttendeeKeys: Hashable, Sendable, Codable {
    package var identity: String?
    package var grant: [UInt8]?

    package init(identity: String? = nil, grant: [UInt8]? = nil) {
        self.identity = identity
        self.grant = grant
    }

    package var key: IdentityKey? { identity.map { IdentityKey(stored: $0) } }
}

/// Where somebody's receipt, grant and key lead whose record was merged into another.
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

package protocol CorrectionReading: AnyObject {
    func correction(of session: SessionID, sequence: Int64) throws(JournalError) -> CorrectionRecord?
    /// In order, of events in `sequences`.
    func corrections(of session: SessionID, in sequences: ClosedRange<Int64>) throws(JournalError)
        -> [CorrectionRecord]
    /// Those whose `forgetAt` is not later than `now`, the earliest first.
    func correctionsToForget(at now: Instant, limit: Int) throws(JournalError) -> [CorrectionRecord]
    func keys(of attendee: AttendeeID) throws(JournalError) -> AttendeeKeys
    func trace(of merged: AttendeeID) throws(JournalError) -> MergedTrace?
    /// Of those who were merged into `attendee` itself, by id.
    func traces(into attendee: AttendeeID) throws(JournalError) -> [MergedTrace]
    func trace(in session: SessionID, key: IdentityKey) throws(JournalError) -> MergedTrace?
    func trace(in session: SessionID, grant: [UInt8]) throws(JournalError) -> MergedTrace?
}

package protocol CorrectionWriting: AnyObject {
    /// Inserts or replaces.
    func save(_ correction: CorrectionRecord) throws(JournalError)
    func deleteCorrections(of attendee: AttendeeID) throws(JournalError)
    /// What they were before goes; the words stay.
    func forgetBefore(of attendee: AttendeeID) throws(JournalError)
    func setKeys(_ keys: AttendeeKeys, of attendee: Attendee) throws(JournalError)
    func insert(_ trace: MergedTrace) throws(JournalError)
    func deleteTrace(of merged: AttendeeID) throws(JournalError)
}

extension ReadableRows {
    /// The one whom a receipt of `id` means: the attendee, or whom the record was merged into.
    package func attendee(behind id: AttendeeID) throws(JournalError) -> Attendee? {
        if let found = try attendee(id) { return found }
        var next = try trace(of: id)
        // A record is gone once it is merged, and never merged into again: there is no circle.
        while let trace = next {
            if let found = try attendee(trace.into) { return found }
            next = try self.trace(of: trace.into)
        }
        return nil
    }

    /// All that goes with the attendee.
    package func whole(_ attendee: Attendee) throws(JournalError) -> WholeAttendee {
        var responses: [Response] = []
        var answered: [String] = []
        for set in try questionSets(of: attendee.sessionID) where try hasAnswered(attendee.id, set: set.name)
        {
            answered.append(set.name)
            if let response = try response(of: attendee.id, set: set.name) { responses.append(response) }
        }
        var holder: Person?
        if let id = try person(inPlaceOf: attendee.id) { holder = try person(id) }
        return WholeAttendee(
            attendee, keys: try keys(of: attendee.id), namedResponses: responses, answered: answered,
            person: holder?.id,
            personVersion: holder?.version)
    }
}
