import Journal
import Meetings

extension WatchedRows {
    func arrivalMinutes(of session: SessionID, limit: Int) throws(JournalError) -> [ArrivalMinute] {
        try inner.arrivalMinutes(of: session, limit: limit)
    }
}
