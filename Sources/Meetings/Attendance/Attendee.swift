/// One person's place in one session.
package struct Attendee: Hashable, Sendable, Codable {
    package let id: AttendeeID
    package let sessionID: SessionID
    /// 1–100 characters, NFC.
    package var name: String
    /// What the person gave to be told apart, as written: an e-mail address or a number; empty where the name
    /// does.
    package var identity: String
    package var status: RecordedStatus
    /// Whether a host set the status; a rule's status is recomputed when the session's times change, a host's
    /// stays.
    package var statusIsByHost: Bool
    package var walkIn: Bool
    /// The moment that counts: when the code was exchanged. Nil before check-in.
    package var checkedInAt: Instant?
    package var method: CheckInMethod?
    /// The sequence of the event that brought the person in; arrivals are listed by it. 0 before check-in.
    package var arrivalSequence: Int64
    /// One more with every change: the entity tag.
    package var version: Int
    /// A host's words about this person's place; at most 500 characters, empty where there are none. For
    /// members alone.
    package var note: String
    /// How the check-in came, kept for a bounded time; nil where nothing is known.
    package var evidence: CheckInEvidence?

    package init(
        id: AttendeeID, sessionID: SessionID, name: String, identity: String = "",
        status: RecordedStatus = .pending,
        statusIsByHost: Bool = false, walkIn: Bool = false, checkedInAt: Instant? = nil,
        method: CheckInMethod? = nil,
        arrivalSequence: Int64 = 0, version: Int = 1, note: String = "", evidence: CheckInEvidence? = nil
    ) {
        self.id = id
        self.sessionID = sessionID
        self.name = name
        self.identity = identity
        self.status = status
        self.statusIsByHost = statusIsByHost
        self.walkIn = walkIn
        self.checkedInAt = checkedInAt
        self.method = method
        self.arrivalSequence = arrivalSequence
        self.version = version
        self.note = note
        self.evidence = evidence
    }
}

/// What the record says. `pending` is shown as `awaited` until the session is over, and as `absent` after it.
package enum RecordedStatus: String, Sendable, Codable, CaseIterable {
    case pending, present, late, absent, excused

    package func shown(sessionIsOver: Bool) -> AttendanceStatus {
        switch self {
        case .pending: sessionIsOver ? .absent : .awaited
        case .present: .present
        case .late: .late
        case .absent: .absent
        case .excused: .excused
        }
    }

    package var countsAsCheckedIn: Bool { self == .present || self == .late }
}

package enum AttendanceStatus: String, Sendable, Codable, CaseIterable {
    case awaited, present, late, absent, excused
}

package enum CheckInMethod: String, Sendable, Codable, CaseIterable {
    case qr, joinCode, host, cli
}
