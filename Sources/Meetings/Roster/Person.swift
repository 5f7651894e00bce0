/// Somebody whom a meeting knows and expects: one line of its roster.
package struct Person: Hashable, Sendable {
    package let id: PersonID
    package let meetingID: MeetingID
    /// 1–100 characters, NFC.
    package var name: String
    /// As written, empty where unknown; `IdentityKey(email)` is unique on a roster.
    package var email: String
    /// A staff or student number of at most 50 characters, empty where unknown; unique on a roster.
    package var number: String
    /// Expected no more; what they attended stays.
    package var isArchived: Bool
    /// One more with every edit: the entity tag.
    package var version: Int

    package init(
        id: PersonID, meetingID: MeetingID, name: String, email: String = "", number: String = "",
        isArchived: Bool = false,
        version: Int = 1
    ) {
        self.id = id
        self.meetingID = meetingID
        self.name = name
        self.email = email
        self.number = number
        self.isArchived = isArchived
        self.version = version
    }

    package init(_ draft: PersonDraft, id: PersonID, of meeting: MeetingID) {
        self.init(id: id, meetingID: meeting, name: draft.name, email: draft.email, number: draft.number)
    }

    package var draft: PersonDraft { PersonDraft(name: name, email: email, number: number) }

    /// As the meeting tells people apart; empty where that is not known of this person.
    package func identity(by kind: IdentifyBy) -> String {
        switch kind {
        case .email: email
        case .number: number
        case .name: ""
        }
    }

    /// What a roster is in the order of, with the id behind it: the beginning of the folded name.
    package var place: RosterPlace { RosterPlace(name: name, id: id) }
}

/// A person as somebody writes them down.
package struct PersonDraft: Hashable, Sendable {
    package var name: String
    package var email: String
    package var number: String

    package init(name: String, email: String = "", number: String = "") {
        self.name = name
        self.email = email
        self.number = number
    }

    package var emailKey: IdentityKey? { email.isEmpty ? nil : IdentityKey(email) }
    package var numberKey: IdentityKey? { number.isEmpty ? nil : IdentityKey(number) }
    package var nameKey: IdentityKey { IdentityKey(name) }
}

/// Where a person stands in a roster's list, which is by name.
package struct RosterPlace: Hashable, Sendable {
    /// The first 30 scalars of the folded name: enough to sort by, and short enough for a cursor.
    package let sortKey: String
    package let id: PersonID

    package init(name: String, id: PersonID) { self.init(sortKey: Self.sortKey(of: name), id: id) }

    package init(sortKey: String, id: PersonID) {
        self.sortKey = sortKey
        self.id = id
    }

    package static func sortKey(of name: String) -> String {
        String(String.UnicodeScalarView(IdentityKey(name).text.unicodeScalars.prefix(30)))
    }

    /// Byte by byte, as SQLite compares texts.
    package static func < (left: RosterPlace, right: RosterPlace) -> Bool {
        left.sortKey == right.sortKey
            ? left.id < right.id : left.sortKey.utf8.lexicographicallyPrecedes(right.sortKey.utf8)
    }
}

/// How often somebody was what, over the sessions of a meeting.
package struct SeriesTotals: Hashable, Sendable, Codable {
    package var present: Int
    package var late: Int
    /// Ended sessions alone count: who is awaited is not absent yet.
    package var absent: Int
    package var excused: Int

    package init(present: Int = 0, late: Int = 0, absent: Int = 0, excused: Int = 0) {
        self.present = present
        self.late = late
        self.absent = absent
        self.excused = excused
    }

    package mutating func add(_ status: RecordedStatus, sessionIsOver: Bool) {
        switch status.shown(sessionIsOver: sessionIsOver) {
        case .present: present += 1
        case .late: late += 1
        case .absent: absent += 1
        case .excused: excused += 1
        case .awaited: break
        }
    }
}

package typealias PersonID = ID<Person>

extension IdentityKey {
    /// Nil for an empty text.
    package init?(ifAny written: String) {
        if written.isEmpty { return nil }
        self.init(written)
    }
}
