/// One person's record in one session.
package struct Attendee: Hashable, Sendable, Codable {
    package let id: AttendeeID
    package let sessionID: SessionID
    /// 1–100 characters, NFC.
    package var name: String
    /// The e-mail address or number by which the meeting identifies the person, as written; empty if the
    /// meeting identifies people by name.
    package var identity: String
    package var status: RecordedStatus
    /// Whether a host set the status. If the session's times change, a status by rule is recomputed and a
    /// host's status stays.
    package var statusIsByHost: Bool
    /// Whether the roster did not expect this person.
    package var walkIn: Bool
    /// When the client exchanged the code for a grant: the moment of the scan. Nil before check-in.
    package var checkedInAt: Instant?
    /// How the attendee checked in. Nil before check-in.
    package var method: CheckInMethod?
    /// The sequence of the event by which the attendee arrived; lists of arrivals are sorted by it. 0 before
    /// check-in.
    package var arrivalSequence: Int64
    /// Increases by one with every change; the entity tag.
    package var version: Int
    /// A host's note about this attendee; at most 500 characters, empty if there is none. Only members can
    /// read it.
    package var note: String
    /// Where the check-in came from. It is deleted `CheckInEvidence.lifetime` after the session; nil if
    /// unknown.
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

/// The status in the record. `pending` (expected) is shown as `awaited` until the session is over, and as
/// `absent` afterwards.
package enum RecordedStatus: String, Sendable, Codable, CaseIterable {
    case pending, present, late, absent, excused

    /// Returns the status that people see.
    package func shown(sessionIsOver: Bool) -> AttendanceStatus {
        switch self {
        case .pending: sessionIsOver ? .absent : .awaited
        case .present: .present
        case .late: .late
        case .absent: .absent
        case .excused: .excused
        }
    }

    /// Whether the attendee counts as checked in: `present` or `late`.
    package var countsAsCheckedIn: Bool { self == .present || self == .late }
}

/// The status that people see.
package enum AttendanceStatus: String, Sendable, Codable, CaseIterable {
    case awaited, present, late, absent, excused
}

/// How an attendee checked in.
package enum CheckInMethod: String, Sendable, Codable, CaseIterable {
    case qr, joinCode, host, cli
}

/// Where a check-in came from, besides its method and the age of its code. It is stored in the attendee's
/// row, so that it is deleted with the attendee, and at the latest `lifetime` after the session's end.
package struct CheckInEvidence: Hashable, Sendable, Codable {
    /// A keyed hash of the session and of a random value that the check-in page stored in the browser. Two
    /// people who used one device have the same hash; in every session a device has another one. Nil for
    /// programs.
    package let device: [UInt8]?
    /// The network of the client's address: the first 24 bits of an IPv4 address or 48 bits of an IPv6
    /// address.
    package let network: String?

    /// How long after the session's end the evidence is stored.
    package static let lifetime = Duration.hours(24 * 30)

    /// Returns nil if both values are nil.
    package init?(device: [UInt8]?, network: String?) {
        if device == nil, network == nil { return nil }
        self.device = device
        self.network = network
    }
}
