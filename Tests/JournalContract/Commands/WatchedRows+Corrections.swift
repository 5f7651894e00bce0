import Journal
import Meetings

extension WatchedRows {
    func correction(of session: SessionID, sequence: Int64) throws(JournalError) -> CorrectionRecord? {
        try inner.correction(of: session, sequence: sequence)
    }
    func corrections(of session: SessionID, in sequences: ClosedRange<Int64>) throws(JournalError)
        -> [CorrectionRecord]
    {
        try inner.corrections(of: session, in: sequences)
    }
    func corrections(of attendee: AttendeeID) throws(JournalError) -> [CorrectionRecord] {
        try inner.corrections(of: attendee)
    }
    func newestCorrections(of session: SessionID, attendee: AttendeeID?, limit: Int) throws(JournalError)
        -> [CorrectionRecord]
    {
        try inner.newestCorrections(of: session, attendee: attendee, limit: limit)
    }
    func renames(of attendee: AttendeeID, in session: SessionID) throws(JournalError) -> [CorrectionRecord] {
        try inner.renames(of: attendee, in: session)
    }
    func correctionsToForget(at now: Instant, limit: Int) throws(JournalError) -> [CorrectionRecord] {
        try inner.correctionsToForget(at: now, limit: limit)
    }
    func keys(of attendee: AttendeeID) throws(JournalError) -> AttendeeKeys { try inner.keys(of: attendee) }
    func trace(of merged: AttendeeID) throws(JournalError) -> MergedTrace? { try inner.trace(of: merged) }
    func traces(into attendee: AttendeeID) throws(JournalError) -> [MergedTrace] {
        try inner.traces(into: attendee)
    }
    func hasTraces(in session: SessionID) throws(JournalError) -> Bool {
        try inner.hasTraces(in: session)
    }
    func trace(in session: SessionID, key: IdentityKey) throws(JournalError) -> MergedTrace? {
        try inner.trace(in: session, key: key)
    }
    func trace(in session: SessionID, grant: [UInt8]) throws(JournalError) -> MergedTrace? {
        try inner.trace(in: session, grant: grant)
    }
    func save(_ correction: CorrectionRecord) throws(JournalError) { try inner.save(correction) }
    func deleteCorrections(of attendee: AttendeeID) throws(JournalError) {
        try inner.deleteCorrections(of: attendee)
    }
    func forgetBefore(of attendee: AttendeeID) throws(JournalError) { try inner.forgetBefore(of: attendee) }
    func setKeys(_ keys: AttendeeKeys, of attendee: Attendee) throws(JournalError) {
        try inner.setKeys(keys, of: attendee)
    }
    func insert(_ trace: MergedTrace) throws(JournalError) { try inner.insert(trace) }
    func deleteTrace(of merged: AttendeeID) throws(JournalError) { try inner.deleteTrace(of: merged) }
}
