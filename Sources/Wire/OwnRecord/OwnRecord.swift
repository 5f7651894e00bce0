import Meetings

package struct MendNameRequest: Readable, Sendable {
    package let name: String

    package init(reading fields: Fields) { name = fields.name("name", required: true) ?? "" }
}

/// What a receipt's holder sees of their own record.
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
