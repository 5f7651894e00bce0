import Journal
import Meetings

extension WatchedRows {
    func admittedCount(at door: Int, of session: SessionID) throws(JournalError) -> Int {
        try inner.admittedCount(at: door, of: session)
    }
    func pass(_ id: PassID) throws(JournalError) -> Pass? { try inner.pass(id) }
    func passes(of person: PersonID) throws(JournalError) -> [Pass] { try inner.passes(of: person) }
    func passKey(_ number: Int, of meeting: MeetingID) throws(JournalError) -> PassKey? {
        try inner.passKey(number, of: meeting)
    }
    func newestPassKey(of meeting: MeetingID) throws(JournalError) -> PassKey? {
        try inner.newestPassKey(of: meeting)
    }
    func insert(_ pass: Pass) throws(JournalError) { try inner.insert(pass) }
    func update(_ pass: Pass) throws(JournalError) { try inner.update(pass) }
    func delete(_ pass: PassID) throws(JournalError) { try inner.delete(pass) }
    func insert(_ key: PassKey) throws(JournalError) { try inner.insert(key) }
}
