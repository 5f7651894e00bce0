package import Meetings

/// An entry of a session's journal, joined with what may be told of it to members: names and words lie beside
/// the journal, and are gone with the person.
package struct EventBody: Codable, Sendable {
    package let sequence: Int64
    package let at: Instant
    package let kind: Event.Kind
    package let attendeeId: AttendeeID?
    package let actor: String
    package let data: EventData
    /// Of the attendee, as it is now; nil where there is none any more.
    package var attendeeName: String?
    /// Of the account that did it.
    package var actorName: String?
    /// Why: a host's words.
    package var note: String?
    /// Whether it may be undone as far as is known now; absent where it never could.
    package var undoable: Bool?

    package init(_ event: Event) {
        sequence = event.sequence
        at = event.at
        kind = event.kind
        attendeeId = event.attendeeID
        actor = event.actor.text
        data = event.data
    }
}

/// What an undoing came to.
package struct UndoneBody: Codable, Sendable {
    package let event: EventBody
    /// As it is now; nil where the undoing took somebody out, and for an edit.
    package let attendee: AttendeeBody?
    package let session: SessionBody

    package init(event: EventBody, attendee: AttendeeBody?, session: SessionBody) {
        self.event = event
        self.attendee = attendee
        self.session = session
    }
}
