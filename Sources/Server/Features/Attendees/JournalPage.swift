import Journal
import Meetings
import Wire

extension ReadableRows {
    /// Events of one session, in order, joined with names and words.
    func bodies(of events: [Event]) throws(JournalError) -> [EventBody] {
        guard let first = events.first, let last = events.last else { return [] }
        var known: [Int64: CorrectionRecord] = [:]
        for correction in try corrections(of: first.sessionID, in: first.sequence...last.sequence) {
            known[correction.sequence] = correction
        }
        var accounts: [AccountID: String] = [:]
        var bodies: [EventBody] = []
        for event in events {
            var body = EventBody(event)
            let attendee: Attendee? = if let id = event.attendeeID { try attendee(id) } else { nil }
            body.attendeeName = attendee?.name
            if case .account(let id) = event.actor {
                if accounts[id] == nil { accounts[id] = try account(id)?.name ?? "" }
                body.actorName = accounts[id].flatMap { $0.isEmpty ? nil : $0 }
            }
            if let correction = known[event.sequence] {
                body.note = correction.note.isEmpty ? nil : correction.note
                body.undoable = try isUndoable(correction)
            }
            bodies.append(body)
        }
        return bodies
    }

    /// Whether what it left still stands. That a key is taken or a window closed meanwhile, only the undoing
    /// itself finds.
    private func isUndoable(_ correction: CorrectionRecord) throws(JournalError) -> Bool {
        switch correction.before {
        case nil: return false
        case .corrected, .added, .merged:
            guard let id = correction.attendeeID, let attendee = try attendee(id) else { return false }
            return attendee.version == correction.versionAfter
        case .removed(let whole): return try attendee(behind: whole.attendee.id) == nil
        case .edited: return try session(correction.sessionID)?.session.version == correction.versionAfter
        }
    }
}
