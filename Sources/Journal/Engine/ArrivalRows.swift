package import Meetings

/// When people came.
package protocol ArrivalReading {
    /// The newest `limit` minutes in which somebody came, oldest first. It reads every attendee of the
    /// session who counts as checked in: for a page that opens, never for a check-in or a flush.
    func arrivalMinutes(of session: SessionID, limit: Int) throws(JournalError) -> [ArrivalMinute]
}
