package import Meetings

/// A session whose alert is due, with the moment of the alert.
package struct SessionToAlert: Hashable, Sendable {
    package let id: SessionID
    package let moment: Instant

    package init(_ id: SessionID, at moment: Instant) {
        self.id = id
        self.moment = moment
    }
}

/// The queries for devices and for the alerts that the clock sends to them.
package protocol DeviceReading: AnyObject {
    func device(_ id: DeviceID) throws(JournalError) -> Device?
    /// Returns the devices of the owner, ordered by id.
    func devices(of owner: OutgoingMail.Owner) throws(JournalError) -> [Device]
    /// Returns the devices of the session's attendees after `last`, ordered by id.
    func devices(ofAttendeesIn session: SessionID, after last: DeviceID?, limit: Int)
        throws(JournalError) -> [Device]
    /// Whether any account has a device.
    func hasDeviceOfAccount() throws(JournalError) -> Bool
    /// Returns the people of the roster after `last` whose address is the verified address of an account with
    /// a device, ordered by id. Archived people are left out. Reads an index entry for each person.
    func peopleWithDevices(of meeting: MeetingID, after last: PersonID?, limit: Int) throws(JournalError)
        -> [PersonID]
    /// Returns the sessions after `session` whose attendees have devices, ordered by id.
    func sessionsWithDevices(after session: SessionID?, limit: Int) throws(JournalError) -> [SessionID]
    /// Returns the sessions after `last` whose moment is in `range`, unless their alert for this moment is
    /// done, ordered by the moment and the id.
    func sessionsToAlert(
        _ kind: Alert.Kind, in range: Range<Instant>, after last: SessionToAlert?, limit: Int
    )
        throws(JournalError) -> [SessionToAlert]
    func alert(_ kind: Alert.Kind, of session: SessionID) throws(JournalError) -> Alert?
}

/// The writes of devices and of alerts. The deletion of a session deletes its alerts, and the devices of its
/// attendees.
package protocol DeviceWriting: AnyObject {
    /// Inserts or replaces the device.
    func save(_ device: Device) throws(JournalError)
    /// Deletes the device. Its messages in the queue stay, because they count for its limit. They are not
    /// sent any more.
    func delete(_ device: DeviceID) throws(JournalError)
    /// Deletes the devices of the owner with their messages.
    func deleteDevices(of owner: OutgoingMail.Owner) throws(JournalError)
    /// Deletes the devices with this token, of any owner.
    func deleteDevices(token: String, on platform: Device.Platform) throws(JournalError)
    /// Deletes at most `limit` devices of the session's attendees, with their messages. Returns their number.
    func deleteDevices(ofAttendeesIn session: SessionID, limit: Int) throws(JournalError) -> Int
    /// Stores the alert, and replaces an older one of its session and kind.
    func save(_ alert: Alert) throws(JournalError)
}
