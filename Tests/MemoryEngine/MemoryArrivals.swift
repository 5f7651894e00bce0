import Journal
import Meetings

extension MemoryRows {
    func arrivalMinutes(of session: SessionID, limit: Int) throws(JournalError) -> [ArrivalMinute] {
        var counts: [Int64: Int] = [:]
        for entry in try tables().attendees.values where entry.attendee.sessionID == session {
            guard entry.attendee.status.countsAsCheckedIn, let at = entry.attendee.checkedInAt else {
                continue
            }
            counts[at.milliseconds / 60_000, default: 0] += 1
        }
        return counts.sorted { $0.key < $1.key }.suffix(limit)
            .map { ArrivalMinute(at: Instant(milliseconds: $0.key * 60_000), checkedIn: $0.value) }
    }
}
