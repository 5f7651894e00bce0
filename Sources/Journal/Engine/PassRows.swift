package import Meetings

/// The queries for personal passes, for the keys that sign them, and for doors.
package protocol PassReading: AnyObject {
    /// Returns how many of the session's checked-in attendees this door has let in. Reads an index entry for
    /// each of them.
    func admittedCount(at door: Int, of session: SessionID) throws(JournalError) -> Int
    func pass(_ id: PassID) throws(JournalError) -> Pass?
    /// Returns the person's passes, also the revoked ones, the oldest first; at most `Pass.mostOfPerson`.
    func passes(of person: PersonID) throws(JournalError) -> [Pass]
    func passKey(_ number: Int, of meeting: MeetingID) throws(JournalError) -> PassKey?
    /// Returns the key that signs; nil if the meeting has no passes yet.
    func newestPassKey(of meeting: MeetingID) throws(JournalError) -> PassKey?
}

/// The writes of passes. The passes of a person, and the keys of a meeting, are deleted with their owner; so
/// are the passes of a session.
package protocol PassWriting: AnyObject {
    func insert(_ pass: Pass) throws(JournalError)
    func update(_ pass: Pass) throws(JournalError)
    func delete(_ pass: PassID) throws(JournalError)
    func insert(_ key: PassKey) throws(JournalError)
}
