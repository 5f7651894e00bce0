package import Meetings

package struct AttendeeBody: Codable, Hashable, Sendable {
    package let id: AttendeeID
    package let name: String
    package let email: String?
    package let number: String?
    package let status: AttendanceStatus
    package let walkIn: Bool
    package let checkedInAt: Instant?
    package let method: CheckInMethod?
    /// For members alone: a host's words, and the entity tag's number.
    package private(set) var note: String?
    package private(set) var version: Int?
    /// Over the sessions of the meeting; where one person is asked for alone.
    package var totals: SeriesTotals?

    /// As the attendee may see it.
    package init(_ attendee: Attendee, identifyBy: IdentifyBy, sessionIsOver: Bool) {
        id = attendee.id
        name = attendee.name
        email = identifyBy == .email && !attendee.identity.isEmpty ? attendee.identity : nil
        number = identifyBy == .number && !attendee.identity.isEmpty ? attendee.identity : nil
        status = attendee.status.shown(sessionIsOver: sessionIsOver)
        walkIn = attendee.walkIn
        checkedInAt = attendee.checkedInAt
        method = attendee.method
    }

    /// As members see it.
    package init(forMembers attendee: Attendee, identifyBy: IdentifyBy, sessionIsOver: Bool) {
        self.init(attendee, identifyBy: identifyBy, sessionIsOver: sessionIsOver)
        note = attendee.note.isEmpty ? nil : attendee.note
        version = attendee.version
    }
}

/// Minutes in which somebody came, oldest first; the newest 1,440.
package struct ArrivalsBody: Codable, Hashable, Sendable {
    package let minutes: [ArrivalMinute]

    package init(minutes: [ArrivalMinute]) { self.minutes = minutes }
}

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
