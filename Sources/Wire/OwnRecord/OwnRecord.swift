import Meetings

/// The request that changes the attendee's own name.
package struct RenameRequest: Readable, Sendable {
    package let name: String

    package init(reading fields: Fields) { name = fields.name("name", required: true) ?? "" }
}

/// An attendee's own record, as the client with its receipt sees it.
package struct OwnRecordBody: Codable, Hashable, Sendable {
    package let attendee: AttendeeBody
    package let session: SessionBody
    /// The names of the sets that this attendee has answered.
    package let responded: [String]

    package init(attendee: AttendeeBody, session: SessionBody, responded: [String]) {
        self.attendee = attendee
        self.session = session
        self.responded = responded
    }
}
