import Meetings

/// Changes the attendee's own name.
package struct RenameRequest: Readable, Sendable {
    package let name: String

    package init(reading fields: Fields) { name = fields.name("name", required: true) ?? "" }
}

/// An attendee's own record, for the holder of its receipt.
package struct OwnRecordBody: Codable, Hashable, Sendable {
    package let attendee: AttendeeBody
    package let session: SessionBody
    /// The sets that this attendee has answered.
    package let responded: [String]

    package init(attendee: AttendeeBody, session: SessionBody, responded: [String]) {
        self.attendee = attendee
        self.session = session
        self.responded = responded
    }
}
