/// How one person came in, as a review looks at it.
package struct CheckInFact: Hashable, Sendable {
    package let id: AttendeeID
    package let name: String
    package let status: RecordedStatus
    package let checkedInAt: Instant?
    package let method: CheckInMethod?
    /// In seconds; nil where codes do not rotate.
    package let codeAge: Int?
    package let device: [UInt8]?
    package let network: String?

    package init(
        id: AttendeeID, name: String, status: RecordedStatus, checkedInAt: Instant?, method: CheckInMethod?,
        codeAge: Int?,
        device: [UInt8]?, network: String?
    ) {
        self.id = id
        self.name = name
        self.status = status
        self.checkedInAt = checkedInAt
        self.method = method
        self.codeAge = codeAge
        self.device = device
        self.network = network
    }

    package init(_ attendee: Attendee, codeAge: Int?) {
        self.init(
            id: attendee.id, name: attendee.name, status: attendee.status, checkedInAt: attendee.checkedInAt,
            method: attendee.method,
            codeAge: codeAge, device: attendee.evidence?.device, network: attendee.evidence?.network)
    }
}
