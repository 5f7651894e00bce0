package import Meetings

/// An attendance record of a session.
package struct AttendeeBody: Codable, Hashable, Sendable {
    package let id: AttendeeID
    package let name: String
    package let email: String?
    package let number: String?
    package let status: AttendanceStatus
    /// Whether the roster did not expect the attendee; nil in answers to attendees, who must not learn it.
    package private(set) var walkIn: Bool?
    /// Whether the attendee is a newcomer (`Attendee.firstTime`); nil in answers to attendees.
    package private(set) var firstTime: Bool?
    package let checkedInAt: Instant?
    package let method: CheckInMethod?
    /// The moment since when the attendee is outside; nil if the attendee is inside, or was inside at the
    /// session's end. Only members and the attendee see it.
    package let leftAt: Instant?
    /// The full minutes between the session's start and now, or its end, in which the attendee was inside;
    /// nil unless the session records leaving. Only members see it.
    package private(set) var presentMinutes: Int?
    /// Whether the attendee was present for less than the session's minimum time; nil if not. Only members
    /// see it.
    package private(set) var partial: Bool?
    /// The host's note, which only members see.
    package private(set) var note: String?
    /// The name that the attendee typed, if it is another one than the roster's. Only members see it.
    package private(set) var typedName: String?
    package private(set) var version: Int?
    /// The number of the text that the attendee agreed to at the check-in. Only members see it.
    package private(set) var consentNumber: Int?
    /// The attendee's totals over the meeting's sessions. Present only in the answer for a single attendee.
    package var totals: SeriesTotals?

    /// Makes the body that the attendee sees, with the name and identity that the attendee typed.
    package init(forAttendee attendee: Attendee, identifyBy: IdentifyBy, sessionIsOver: Bool) {
        self.init(
            attendee, attendee.seenByAttendee, identifyBy: identifyBy, sessionIsOver: sessionIsOver)
    }

    private init(
        _ attendee: Attendee, _ shown: TypedDetails, identifyBy: IdentifyBy, sessionIsOver: Bool
    ) {
        id = attendee.id
        name = shown.name
        email = identifyBy == .email && !shown.identity.isEmpty ? shown.identity : nil
        number = identifyBy == .number && !shown.identity.isEmpty ? shown.identity : nil
        status = attendee.status.shown(sessionIsOver: sessionIsOver)
        checkedInAt = attendee.checkedInAt
        method = attendee.method
        leftAt = attendee.isOutside ? attendee.stays?.leftAt : nil
    }

    /// Makes the body that members see, with the record's name, the note and the version.
    /// - Parameter presence: nil if the session does not record leaving.
    package init(
        forMembers attendee: Attendee, identifyBy: IdentifyBy, sessionIsOver: Bool,
        presence: PresenceTime? = nil
    ) {
        self.init(
            attendee, attendee.recorded, identifyBy: identifyBy, sessionIsOver: sessionIsOver)
        walkIn = attendee.walkIn
        firstTime = attendee.firstTime
        typedName = attendee.differentTypedName
        note = attendee.note.isEmpty ? nil : attendee.note
        version = attendee.version
        consentNumber = attendee.consentNumber
        presentMinutes = presence?.minutes
        partial = presence?.isPartial == true ? true : nil
    }

    /// Makes the body that members see at a moment.
    package init(forMembers attendee: Attendee, in record: SessionRecord, at now: Instant) {
        self.init(
            forMembers: attendee, identifyBy: record.meeting.identifyBy,
            sessionIsOver: record.session.isOver(at: now),
            presence: attendee.presence(in: record.session, at: now))
    }
}

/// The check-ins per minute, oldest first: the newest 1,440 minutes that have check-ins.
package struct ArrivalsBody: Codable, Hashable, Sendable {
    package let minutes: [ArrivalMinute]

    package init(minutes: [ArrivalMinute]) { self.minutes = minutes }
}

/// How many attendees are inside, have left, and were partially present.
package struct PresenceBody: Codable, Hashable, Sendable {
    /// The attendees who are inside and who are outside now; nil unless the session records leaving.
    package let inside: Int?
    package let left: Int?
    /// The minimum time for full presence, in seconds; nil if the session has none.
    package let leastSeconds: Int?
    /// The number of attendees whose presence was shorter, among the ones who have left, and among all after
    /// the session's end; nil if the session has no minimum time.
    package let partial: Int?

    package init(_ record: SessionRecord, partial: Int?, at now: Instant) {
        let attendance = record.attendance(at: now)
        (inside, left) = (attendance.inside, attendance.left)
        leastSeconds = record.session.leastPresence.map { Int($0.components.seconds) }
        self.partial = partial
    }
}

/// An event of a session's journal, as members see it. Names and notes are not part of the journal; they are
/// deleted together with the person.
package struct EventBody: Codable, Sendable {
    package let sequence: Int64
    package let at: Instant
    package let kind: Event.Kind
    package let attendeeId: AttendeeID?
    package let actor: String
    package let data: EventData
    /// The attendee's present name. If this event removed the record, the name that it had, as long as the
    /// removal can be undone. Nil if the record no longer exists.
    package var attendeeName: String?
    /// In an event of a merge or of its undo: the present name of the attendee into whom the record was
    /// merged.
    package var intoName: String?
    /// The name of the account that caused the event.
    package var actorName: String?
    /// The host's reason.
    package var note: String?
    /// The version of the attendee or of the session after the correction.
    package var version: Int?
    /// Whether the correction can be undone, as far as the server knows now. Absent for events that can never
    /// be undone.
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

/// The result of an undo.
package struct UndoneBody: Codable, Sendable {
    package let event: EventBody
    /// The attendee's present record. Nil if the undo removed the record, or if the undo concerned an edit of
    /// the session.
    package let attendee: AttendeeBody?
    package let session: SessionBody

    package init(event: EventBody, attendee: AttendeeBody?, session: SessionBody) {
        self.event = event
        self.attendee = attendee
        self.session = session
    }
}
