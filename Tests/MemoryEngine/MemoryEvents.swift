import Journal
import Meetings

extension MemoryRows {
    func events(of session: SessionID, after sequence: Int64, limit: Int) throws(JournalError) -> [Event] {
        let events = try tables().events[session, default: []]
        return Array(
            events.filter { $0.sequence > sequence }.sorted { $0.sequence < $1.sequence }.prefix(limit))
    }

    func append(_ event: Event) throws(JournalError) {
        try change("append event") { tables throws(JournalError) in
            let isTaken = tables.events[event.sessionID, default: []].contains {
                $0.sequence == event.sequence
            }
            guard tables.sessions[event.sessionID] != nil, !isTaken else {
                throw conflict("append event", "the sequence is taken, or there is no session")
            }
            tables.events[event.sessionID, default: []].append(event)
        }
    }
}
