package import Meetings

/// The request by which a kiosk looks for a guest by name.
package struct KioskSearchRequest: Readable, Sendable {
    /// The name, or at least the first three characters of it or of a word in it.
    package let name: String
    /// The last two characters of the guest's number, or the first two of the address, if several people have
    /// the name.
    package let ending: String?

    package init(reading fields: Fields) {
        name = fields.name("name", required: true) ?? ""
        ending = fields.text("ending", 1...10)
    }
}

/// The request by which a kiosk checks a guest in: by a scanned text, or by the attendee of an earlier answer
/// with the same name and ending.
package struct KioskRequest: Readable, Sendable {
    /// The address in the QR code of a pass or its last part, or the number by which the meeting identifies
    /// people.
    package let scan: String?
    package let attendeeID: AttendeeID?
    package let name: String?
    package let ending: String?

    package init(reading fields: Fields) {
        scan = fields.text("scan", 1...500)
        attendeeID = fields.id("attendeeId", of: Attendee.self)
        name = fields.name("name")
        ending = fields.text("ending", 1...10)
        if !fields.has("scan"), !fields.has("attendeeId") { fields.fail("scan", .missing) }
        for field in ["attendeeId", "name", "ending"] where fields.has("scan") && fields.has(field) {
            fields.fail(field, .notTogether(with: "scan"))
        }
        if fields.has("attendeeId"), !fields.has("name") { fields.fail("name", .missing) }
    }
}

/// The answer to a kiosk. A client treats a state that it does not know as `askStaff`.
package struct KioskBody: Codable, Hashable, Sendable {
    package let state: KioskState
    /// The guest's name as far as the guest has typed it, or the whole name of a pass; nil if the kiosk may
    /// not show it.
    package let name: String?
    /// The attendee whom the guest can confirm; nil unless the state is `confirm`.
    package let attendeeId: AttendeeID?

    package init(_ state: KioskState, name: String? = nil, attendee: AttendeeID? = nil) {
        self.state = state
        self.name = name
        attendeeId = attendee
    }
}

/// The session that a kiosk shows.
package struct KioskSessionBody: Codable, Hashable, Sendable {
    package let meetingName: String
    package let round: Int
    /// The session's own title; nil if the host gave none.
    package let title: String?
    package let timeZone: String
    package let checkInOpensAt: Instant
    package let checkInClosesAt: Instant
    /// What tells people of the same name apart. With `number`, the kiosk also takes scanned numbers.
    package let identifyBy: IdentifyBy

    package init(_ record: SessionRecord) {
        let session = record.session
        meetingName = record.meeting.name
        round = session.round
        title = session.title.isEmpty ? nil : session.title
        timeZone = record.meeting.timeZone.name
        checkInOpensAt = session.checkInOpensAt
        checkInClosesAt = session.checkInClosesAt
        identifyBy = record.meeting.identifyBy
    }
}
