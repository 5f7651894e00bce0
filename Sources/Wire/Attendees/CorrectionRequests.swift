package import Meetings

/// The highest number of characters of a note or a reason.
package let noteLength = 500

/// The request that corrects an attendance record. Absent fields keep their values.
package struct CorrectAttendeeRequest: Readable, Sendable {
    package let name: String?
    package let status: AttendanceStatus?
    /// The new note. An empty text deletes the present note.
    package let note: String?
    package let checkedInAt: Instant?
    package let revokeReceipt: Bool

    package init(reading fields: Fields) {
        name = fields.name("name")
        revokeReceipt = fields.bool("revokeReceipt") ?? false
        status = fields.choice("status", of: AttendanceStatus.self)
        note = fields.line("note", most: noteLength)
        checkedInAt = fields.instant("checkedInAt")
    }
}

/// The request that adds an attendee by hand.
package struct AddAttendeeRequest: Readable, Sendable {
    package let name: String
    package let email: String?
    package let number: String?
    package let status: AttendanceStatus?
    package let note: String?
    package let checkedInAt: Instant?

    package init(reading fields: Fields) {
        name = fields.name("name", required: true) ?? ""
        email = fields.email("email")
        number = fields.name("number", most: 50)
        status = fields.choice("status", of: AttendanceStatus.self)
        note = fields.line("note", most: noteLength)
        checkedInAt = fields.instant("checkedInAt")
    }
}

/// The request that merges an attendee into another attendee of the same session.
package struct MergeRequest: Readable, Sendable {
    package let into: AttendeeID
    package let note: String?

    package init(reading fields: Fields) {
        into = fields.id("into", of: Attendee.self, required: true) ?? AttendeeID(high: 0, low: 0)
        note = fields.line("note", most: noteLength)
    }
}

/// The request that undoes a correction. `sequence` is the sequence number of the correction's event. Without
/// it, the latest correction that can be undone; only of one attendee, if `attendeeId` is given.
package struct UndoRequest: Readable, Sendable {
    package let sequence: Int?
    package let attendeeID: AttendeeID?
    package let note: String?
    /// Whether the answer has the event that an undo would reverse now, and nothing changes.
    package let preview: Bool

    package init(reading fields: Fields) {
        preview = fields.bool("preview") ?? false
        sequence = fields.integer("sequence", 1...Int(Int32.max))
        attendeeID = fields.id("attendeeId", of: Attendee.self)
        note = fields.line("note", most: noteLength)
    }
}

/// The request that repeats the step that was undone last; only of one attendee, if `attendeeId` is given.
package struct RedoRequest: Readable, Sendable {
    package let attendeeID: AttendeeID?
    package let note: String?

    package init(reading fields: Fields) {
        attendeeID = fields.id("attendeeId", of: Attendee.self)
        note = fields.line("note", most: noteLength)
    }
}
