import Journal
import Meetings

extension WatchedRows {
    func device(_ id: DeviceID) throws(JournalError) -> Device? { try inner.device(id) }
    func devices(of owner: OutgoingMail.Owner) throws(JournalError) -> [Device] {
        try inner.devices(of: owner)
    }
    func devices(ofAttendeesIn session: SessionID, after last: DeviceID?, limit: Int)
        throws(JournalError) -> [Device]
    {
        try inner.devices(ofAttendeesIn: session, after: last, limit: limit)
    }
    func hasDeviceOfAccount() throws(JournalError) -> Bool { try inner.hasDeviceOfAccount() }
    func peopleWithDevices(of meeting: MeetingID, after last: PersonID?, limit: Int) throws(JournalError)
        -> [PersonID]
    {
        try inner.peopleWithDevices(of: meeting, after: last, limit: limit)
    }
    func sessionsWithDevices(after session: SessionID?, limit: Int) throws(JournalError) -> [SessionID] {
        try inner.sessionsWithDevices(after: session, limit: limit)
    }
    func sessionsToAlert(
        _ kind: Alert.Kind, in range: Range<Instant>, after last: SessionToAlert?, limit: Int
    ) throws(JournalError) -> [SessionToAlert] {
        try inner.sessionsToAlert(kind, in: range, after: last, limit: limit)
    }
    func alert(_ kind: Alert.Kind, of session: SessionID) throws(JournalError) -> Alert? {
        try inner.alert(kind, of: session)
    }
    func save(_ device: Device) throws(JournalError) { try inner.save(device) }
    func delete(_ device: DeviceID) throws(JournalError) { try inner.delete(device) }
    func deleteDevices(of owner: OutgoingMail.Owner) throws(JournalError) {
        try inner.deleteDevices(of: owner)
    }
    func deleteDevices(token: String, on platform: Device.Platform) throws(JournalError) {
        try inner.deleteDevices(token: token, on: platform)
    }
    func deleteDevices(ofAttendeesIn session: SessionID, limit: Int) throws(JournalError) -> Int {
        try inner.deleteDevices(ofAttendeesIn: session, limit: limit)
    }
    func save(_ alert: Alert) throws(JournalError) { try inner.save(alert) }
}
