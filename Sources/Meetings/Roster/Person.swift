/// A person whom a meeting expects: one line of its roster.
package struct Person: Hashable, Sendable {
    package let id: PersonID
    package let meetingID: MeetingID
    /// The person's name: 1–100 characters, NFC.
    package var name: String
    /// The e-mail address, as the host wrote it; empty if unknown. `IdentityKey(email)` is unique on a
    /// roster.
    package var email: String
    /// A staff or student number of at most 50 characters; empty if unknown. The number is unique on a
    /// roster.
    package var number: String
    /// Whether the meeting no longer expects the person. The records of the person's past sessions remain.
    package var isArchived: Bool
    /// Whether the person is on the roster only because of a check-in (`Regulars.everybody`). If the person
    /// withdraws the only check-in, the person leaves the roster.
    package let joinedByCheckIn: Bool
    /// The person's version number, which is also its entity tag. Every edit increases it by one.
    package var version: Int

    package init(
        id: PersonID, meetingID: MeetingID, name: String, email: String = "", number: String = "",
        isArchived: Bool = false, joinedByCheckIn: Bool = false,
        version: Int = 1
    ) {
        self.id = id
        self.meetingID = meetingID
        self.name = name
        self.email = email
        self.number = number
        self.isArchived = isArchived
        self.joinedByCheckIn = joinedByCheckIn
        self.version = version
    }

    package init(
        _ draft: PersonDraft, id: PersonID, of meeting: MeetingID, joinedByCheckIn: Bool = false
    ) {
        self.init(
            id: id, meetingID: meeting, name: draft.name, email: draft.email, number: draft.number,
            joinedByCheckIn: joinedByCheckIn)
    }

    /// The editable fields of this person.
    package var draft: PersonDraft { PersonDraft(name: name, email: email, number: number) }

    /// Returns the person's e-mail address or number, whichever the meeting uses to identify people. Empty if
    /// the value is unknown, or if the meeting identifies people by name.
    package func identity(by kind: IdentifyBy) -> String {
        switch kind {
        case .email: email
        case .number: number
        case .name: ""
        }
    }

    /// The position of the person in the sorted roster.
    package var position: RosterPosition { RosterPosition(name: name, id: id) }
}

/// The editable fields of a person.
package struct PersonDraft: Hashable, Sendable {
    package var name: String
    package var email: String
    package var number: String

    package init(name: String, email: String = "", number: String = "") {
        self.name = name
        self.email = email
        self.number = number
    }

    /// The key under which the e-mail address is unique; nil if the person has no e-mail address.
    package var emailKey: IdentityKey? { email.isEmpty ? nil : IdentityKey(email) }
    /// The key under which the number is unique; nil if the person has no number.
    package var numberKey: IdentityKey? { number.isEmpty ? nil : IdentityKey(number) }
    /// The key for comparing names. Several people may have the same key.
    package var nameKey: IdentityKey { IdentityKey(name) }
}

/// A person's position in a roster, which is sorted by name. The cursors of roster pages contain it.
package struct RosterPosition: Hashable, Sendable {
    /// The first 30 scalars of the folded name. They are enough to sort by, and short enough for a cursor.
    package let sortKey: String
    package let id: PersonID

    /// Makes the position of a person with this name.
    package init(name: String, id: PersonID) { self.init(sortKey: Self.sortKey(of: name), id: id) }

    package init(sortKey: String, id: PersonID) {
        self.sortKey = sortKey
        self.id = id
    }

    /// Returns the sort key of a name.
    package static func sortKey(of name: String) -> String {
        String(String.UnicodeScalarView(IdentityKey(name).text.unicodeScalars.prefix(30)))
    }

    /// Compares the sort keys by their UTF-8 bytes, as SQLite compares texts.
    package static func < (left: RosterPosition, right: RosterPosition) -> Bool {
        left.sortKey == right.sortKey
            ? left.id < right.id : left.sortKey.utf8.lexicographicallyPrecedes(right.sortKey.utf8)
    }
}

/// The number of sessions of a meeting in which a person had each status.
package struct SeriesTotals: Hashable, Sendable, Codable {
    package var present: Int
    package var late: Int
    /// The number of absences. Only sessions that are over count, because a person is awaited before the end.
    package var absent: Int
    package var excused: Int
    /// The number of sessions, among those of `present` and `late`, in which the person was present for less
    /// than the session's minimum time; nil if there are none.
    package private(set) var partial: Int?

    package init(
        present: Int = 0, late: Int = 0, absent: Int = 0, excused: Int = 0, partial: Int = 0
    ) {
        self.partial = partial == 0 ? nil : partial
        self.present = present
        self.late = late
        self.absent = absent
        self.excused = excused
    }

    /// Adds one session to the totals of an attendee.
    package mutating func add(_ attendee: Attendee, of session: Session, at now: Instant) {
        if isPartial(attendee, of: session, at: now) { partial = (partial ?? 0) + 1 }
        add(attendee.status, sessionIsOver: session.isOver(at: now))
    }

    /// Adds one session with this status, without its partial presence.
    package mutating func add(_ status: RecordedStatus, sessionIsOver: Bool) {
        switch status.shown(sessionIsOver: sessionIsOver) {
        case .present: present += 1
        case .late: late += 1
        case .absent: absent += 1
        case .excused: excused += 1
        case .awaited: break
        }
    }

    /// Adds the sessions that are over and in which the person was partially present.
    package mutating func addPartial(_ attendees: [(Attendee, Session)], at now: Instant) {
        let count = attendees.count { isPartial($0, of: $1, at: now) }
        if count > 0 { partial = (partial ?? 0) + count }
    }

    private func isPartial(_ attendee: Attendee, of session: Session, at now: Instant) -> Bool {
        session.isOver(at: now) && attendee.presence(in: session, at: now)?.isPartial == true
    }
}

package typealias PersonID = ID<Person>

extension IdentityKey {
    /// Makes the key of `written`. Returns nil if `written` is empty.
    package init?(ifAny written: String) {
        if written.isEmpty { return nil }
        self.init(written)
    }
}

/// Finds people who occur twice in a request: two entries with the same e-mail address or number. Entries
/// with equal names are allowed.
package struct DistinctPeople {
    private var emails: [IdentityKey: String] = [:]
    private var numbers: [IdentityKey: String] = [:]

    package init() {}

    /// Returns an error for each field of this entry that repeats an earlier entry. Each error contains the
    /// JSON pointer of the earlier entry.
    package mutating func repeats(of draft: PersonDraft, at pointer: String) -> [FieldError] {
        var errors: [FieldError] = []
        if let key = draft.emailKey {
            if let first = emails[key] { errors.append(FieldError("\(pointer)/email", .sameAs(first))) }
            emails[key] = emails[key] ?? pointer
        }
        if let key = draft.numberKey {
            if let first = numbers[key] { errors.append(FieldError("\(pointer)/number", .sameAs(first))) }
            numbers[key] = numbers[key] ?? pointer
        }
        return errors
    }
}
