import Journal
import Meetings

extension Query {
    // Of the statuses, 1 present and 2 late count as checked in.
    fileprivate static let arrivalMinutes = Query(
        "list arrivals by minute",
        """
        SELECT checked_in_at / 60000 * 60000 AS minute, count(*) FROM attendees
        WHERE session = ? AND status IN (1, 2) AND checked_in_at IS NOT NULL GROUP BY minute ORDER BY minute DESC LIMIT ?
        """)
}

extension SQLiteRows {
    func arrivalMinutes(of session: SessionID, limit: Int) throws(JournalError) -> [ArrivalMinute] {
        try connection.all(.arrivalMinutes, session, limit) {
            ArrivalMinute(at: $0.instant(0), checkedIn: $0.int(1))
        }.reversed()
    }
}
