import Journal
import Meetings

extension MemoryRows {
    func admittedCount(at door: Int, of session: SessionID) throws(JournalError) -> Int {
        try tables().attendees.values.count {
            let attendee = $0.attendee
            return attendee.sessionID == session && attendee.door == door
                && attendee.status.countsAsCheckedIn
        }
    }

    func pass(_ id: PassID) throws(JournalError) -> Pass? { try tables().passes[id] }

    func passes(of person: PersonID) throws(JournalError) -> [Pass] {
        try tables().passes.values.filter { $0.person == person }.sorted {
            ($0.createdAt, $0.id) < ($1.createdAt, $1.id)
        }
    }

    func passKey(_ number: Int, of meeting: MeetingID) throws(JournalError) -> PassKey? {
        try tables().passKeys[meeting]?.first { $0.number == number }
    }

    func newestPassKey(of meeting: MeetingID) throws(JournalError) -> PassKey? {
        try tables().passKeys[meeting]?.max { $0.number < $1.number }
    }

    func insert(_ pass: Pass) throws(JournalError) {
        try change("insert pass") { tables throws(JournalError) in
            guard tables.passes[pass.id] == nil, tables.people[pass.person] != nil,
                pass.session.map({ tables.sessions[$0] != nil }) ?? true
            else { throw conflict("insert pass", "not unique, or of nobody") }
            tables.passes[pass.id] = pass
        }
    }

    func update(_ pass: Pass) throws(JournalError) {
        try change("update pass") { $0.passes[pass.id]?.revokedAt = pass.revokedAt }
    }

    func delete(_ pass: PassID) throws(JournalError) {
        try change("delete pass") { $0.passes[pass] = nil }
    }

    func insert(_ key: PassKey) throws(JournalError) {
        try change("insert key of passes") { tables throws(JournalError) in
            guard tables.meetings[key.meeting] != nil,
                tables.passKeys[key.meeting]?.contains(where: { $0.number == key.number }) != true
            else { throw conflict("insert key of passes", "not unique, or of no meeting") }
            tables.passKeys[key.meeting, default: []].append(key)
        }
    }
}
