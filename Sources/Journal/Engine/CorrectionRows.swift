package import Meetings

/// The personal data of a correction: the host's reason, and the record before the correction. The event of
/// the correction does not contain them, because the journal holds no personal data.
package struct CorrectionRecord: Hashable, Sendable {
    package let sessionID: SessionID
    /// The sequence of the correction's event.
    package let sequence: Int64
    /// The corrected attendee; nil if a host edited the session. If the attendee is erased, this record is
    /// erased too. For a question from the audience, this is the question's id, for the same purpose.
    package let attendeeID: AttendeeID?
    /// The host's reason for the correction; may be empty.
    package let note: String
    /// The record before the correction; nil if the correction can no longer be undone.
    package var before: RecordBefore?
    /// The version of the attendee or session after the correction. While this is still the current version,
    /// the record has not changed since the correction.
    package let versionAfter: Int
    /// The time at which `before` is deleted; nil unless `before` contains a removed or merged attendee.
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

/// The record before a correction, by the kind of the correction. For a merge of questions and for the undo
/// of a merge, no record is needed.
package enum RecordBefore: Hashable, Sendable, Codable {
    /// `former` has the former holder's questions, votes and responses, if the correction ended the receipts.
    case corrected(Attendee, grant: [UInt8]?, former: FormerHolder? = nil)
    case added
    case removed(WholeAttendee)
    case merged(WholeAttendee, into: WholeAttendee)
    /// A merge was undone. `version` is the restored record's version after the undo, and `former` the
    /// version of the other record before it.
    case separated(AttendeeID, version: Int, from: AttendeeID, former: Int)
    case edited(Session)
    case question(QuestionBefore)
    case mergedQuestion(AudienceQuestionID, into: AudienceQuestionID)
    /// A merge of questions was undone.
    case separatedQuestion(AudienceQuestionID, from: AudienceQuestionID)
    case text(TextChange)
    case word(WordChange)
    /// The attendee of the correction left or returned, and had this version before. `undone` is the moment
    /// of the move that this correction has undone; nil if it has added one. `isByHost` is false for a move
    /// at the door or by the attendee's phone.
    case moved(version: Int, undone: Instant? = nil, isByHost: Bool)
}

/// An attendee with all data that is deleted and restored together with the record.
package struct WholeAttendee: Hashable, Sendable, Codable {
    package let attendee: Attendee
    package let keys: AttendeeKeys
    package let namedResponses: [Response]
    /// The names of the question sets that the attendee has answered, with any promise.
    package let answered: [String]
    /// The person on the roster whose slot the attendee had; nil if the attendee had no slot.
    package let person: PersonID?
    /// The person's version when this copy was made. If the person has changed since, a restored attendee
    /// gets the person's current name and identity.
    package let personVersion: Int?

    package init(
        _ attendee: Attendee, keys: AttendeeKeys, namedResponses: [Response], answered: [String],
        person: PersonID? = nil, personVersion: Int? = nil
    ) {
        self.attendee = attendee
        self.keys = keys
        self.namedResponses = namedResponses
        self.answered = answered
        self.person = person
        self.personVersion = personVersion
    }
}

/// The questions, votes, groups of interest and hidden responses of an attendee whose receipts have ended,
/// because a host has set the record back to awaited. They are separated from the record, because the next
/// person who checks in to it must not see them. An undo restores them.
package struct FormerHolder: Hashable, Sendable, Codable {
    /// The random ids that have the questions, votes and parts in groups of interest now.
    package let moved: [Moved]
    /// The responses, without their answers. They are stored without a link.
    package let responses: [Response]

    package init(moved: [Moved], responses: [Response]) {
        self.moved = moved
        self.responses = responses
    }

    /// The random id that has the questions, votes and groups of interest of a record now.
    package struct Moved: Hashable, Sendable, Codable {
        /// The record, or a record that was merged into it.
        package let record: AttendeeID
        package let former: AttendeeID

        package init(record: AttendeeID, former: AttendeeID) {
            self.record = record
            self.former = former
        }
    }
}

/// The keys by which a session finds an attendee.
package struct AttendeeKeys: Hashable, Sendable, Codable {
    package var identity: String?
    package var grant: [UInt8]?

    package init(identity: String? = nil, grant: [UInt8]? = nil) {
        self.identity = identity
        self.grant = grant
    }

    package var key: IdentityKey? { identity.map { IdentityKey(stored: $0) } }
}

/// A link from a merged record to the record that absorbed it. The receipt, grant and key of the merged
/// record lead to the absorbing record.
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

/// The queries for corrections and merged records.
package protocol CorrectionReading: AnyObject {
    func correction(of session: SessionID, sequence: Int64) throws(JournalError) -> CorrectionRecord?
    /// Returns the corrections whose events are in `sequences`, in the order of the events.
    func corrections(of session: SessionID, in sequences: ClosedRange<Int64>) throws(JournalError)
        -> [CorrectionRecord]
    /// Returns the corrections of the attendee, in any order.
    func corrections(of attendee: AttendeeID) throws(JournalError) -> [CorrectionRecord]
    /// Returns at most `limit` corrections of the session, the newest first; only those of `attendee`, if it
    /// is not nil. Otherwise, the admissions at doors and the moves by phones are left out: there are too
    /// many of them.
    func newestCorrections(of session: SessionID, attendee: AttendeeID?, limit: Int) throws(JournalError)
        -> [CorrectionRecord]
    /// Returns the corrections by which the attendee changed their own name, in the order of the events. An
    /// attendee has at most `CorrectOwnName.most` of them.
    func renames(of attendee: AttendeeID, in session: SessionID) throws(JournalError) -> [CorrectionRecord]
    /// Returns the corrections whose `forgetAt` is not later than `now`, the earliest first.
    func correctionsToForget(at now: Instant, limit: Int) throws(JournalError) -> [CorrectionRecord]
    func keys(of attendee: AttendeeID) throws(JournalError) -> AttendeeKeys
    func trace(of merged: AttendeeID) throws(JournalError) -> MergedTrace?
    /// Returns the traces of the records that were merged directly into `attendee`, ordered by id.
    func traces(into attendee: AttendeeID) throws(JournalError) -> [MergedTrace]
    /// Whether any record of the session was merged.
    func hasTraces(in session: SessionID) throws(JournalError) -> Bool
    func trace(in session: SessionID, key: IdentityKey) throws(JournalError) -> MergedTrace?
    func trace(in session: SessionID, grant: [UInt8]) throws(JournalError) -> MergedTrace?
}

/// The writes of corrections and of the traces of merged records.
package protocol CorrectionWriting: AnyObject {
    /// Inserts the correction, or replaces the stored one.
    func save(_ correction: CorrectionRecord) throws(JournalError)
    func deleteCorrections(of attendee: AttendeeID) throws(JournalError)
    /// Deletes the earlier records (`before`) that the corrections of an attendee store; the reasons stay.
    func forgetBefore(of attendee: AttendeeID) throws(JournalError)
    func setKeys(_ keys: AttendeeKeys, of attendee: Attendee) throws(JournalError)
    func insert(_ trace: MergedTrace) throws(JournalError)
    func deleteTrace(of merged: AttendeeID) throws(JournalError)
}

extension ReadableRows {
    /// Returns the attendee with this id, or the attendee into whom that record was merged.
    package func attendee(behind id: AttendeeID) throws(JournalError) -> Attendee? {
        if let found = try attendee(id) { return found }
        var next = try trace(of: id)
        // Traces cannot form a circle: a merged record is deleted, so no other record can be merged into it
        // later.
        while let trace = next {
            if let found = try attendee(trace.into) { return found }
            next = try self.trace(of: trace.into)
        }
        return nil
    }

    /// Returns the attendee whose receipt a client showed; nil if the receipt has ended.
    package func attendee(holding receipt: Receipt) throws(JournalError) -> Attendee? {
        guard let found = try attendee(behind: receipt.attendeeID), found.accepts(receipt) else { return nil }
        return found
    }

    /// Returns the attendee with all data that is deleted together with the record.
    package func whole(_ attendee: Attendee) throws(JournalError) -> WholeAttendee {
        var responses: [Response] = []
        var answered: [String] = []
        for set in try questionSetsWithoutQuestions(of: attendee.sessionID)
        where try hasAnswered(attendee.id, set: set.name) {
            answered.append(set.name)
            if let response = try response(of: attendee.id, set: set.name) { responses.append(response) }
        }
        var holder: Person?
        if let id = try person(inSlotOf: attendee.id) { holder = try person(id) }
        return WholeAttendee(
            attendee, keys: try keys(of: attendee.id), namedResponses: responses, answered: answered,
            person: holder?.id, personVersion: holder?.version)
    }

    /// Returns the id of the attendee, followed by the ids of all records that were merged into it, directly
    /// or indirectly.
    package func ids(of attendee: AttendeeID) throws(JournalError) -> [AttendeeID] {
        var ids = [attendee]
        var index = 0
        while index < ids.count {
            ids += try traces(into: ids[index]).map(\.id)
            index += 1
        }
        return ids
    }
}
