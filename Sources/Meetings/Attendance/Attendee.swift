/// One person's record in one session.
package struct Attendee: Hashable, Sendable, Codable {
    package let id: AttendeeID
    package let sessionID: SessionID
    /// The attendee's name: 1–100 characters, NFC.
    package var name: String
    /// The e-mail address or number by which the meeting identifies the person, as the person wrote it. Empty
    /// if the meeting identifies people by name.
    package var identity: String
    /// The name and identity as the attendee typed them; nil if they equal the record's. If a record has the
    /// roster's name, the attendee sees these values instead, because attendees must not learn names by
    /// typing the numbers of others.
    package var typed: TypedDetails?
    package var status: RecordedStatus
    /// Whether a host set the status. If the session's times change, the server computes the status again,
    /// unless a host set the status.
    package var statusIsByHost: Bool
    /// Whether the attendee is a walk-in: a person whom the roster did not expect.
    package var walkIn: Bool
    /// Whether the attendee is a newcomer: a person without a slot who was not in the previous round either.
    /// Always false in a meeting's first round.
    package var firstTime: Bool {
        get { isNewcomer ?? false }
        set { isNewcomer = newValue ? true : nil }
    }
    /// Nil instead of false, because stored corrections of older servers have no such value.
    private var isNewcomer: Bool?
    /// The moment when the client exchanged the code for a grant, which is the moment of the scan. Nil before
    /// check-in.
    package var checkedInAt: Instant? {
        didSet { if checkedInAt != oldValue, stays != nil { restartStays() } }
    }
    /// When the attendee left and returned; nil for an attendee who never left. It stays as evidence if a
    /// host marks the attendee absent or excused. A later check-in removes the moves before it.
    package var stays: Stays?
    /// The way in which the attendee checked in. Nil before check-in.
    package var method: CheckInMethod?
    /// The sequence number of the event by which the attendee arrived. Lists of arrivals are sorted by this
    /// number. 0 before check-in.
    package var arrivalSequence: Int64
    /// The sequence number of the event by which a host set the attendee back to awaited. It ended all
    /// earlier receipts. Nil if no receipt has ended.
    package var receiptsEndedAt: Int64?
    /// The record's version number, which is also its entity tag. Every change increases it by one.
    package var version: Int
    /// A host's note about this attendee: at most 500 characters, empty if no host wrote a note. Only members
    /// of the meeting can read the note.
    package var note: String
    /// The origin of the check-in; nil if unknown. The server deletes it some time after the session's end
    /// (`Retention.evidence`).
    package var evidence: CheckInEvidence?
    /// The number of the text (`Consent`) that the attendee agreed to; nil if the check-in asked for no
    /// consent, or a host added the attendee.
    package var consentNumber: Int?
    /// The door that let the attendee in (`Door.numbers`); nil if no door did.
    package var door: Int?

    package init(
        id: AttendeeID, sessionID: SessionID, name: String, identity: String = "",
        typed: TypedDetails? = nil, status: RecordedStatus = .pending,
        statusIsByHost: Bool = false, walkIn: Bool = false, firstTime: Bool = false,
        checkedInAt: Instant? = nil, stays: Stays? = nil,
        method: CheckInMethod? = nil,
        arrivalSequence: Int64 = 0, receiptsEndedAt: Int64? = nil, version: Int = 1, note: String = "",
        evidence: CheckInEvidence? = nil, consentNumber: Int? = nil, door: Int? = nil
    ) {
        self.id = id
        self.sessionID = sessionID
        self.name = name
        self.identity = identity
        self.typed = typed
        self.status = status
        self.statusIsByHost = statusIsByHost
        self.walkIn = walkIn
        isNewcomer = firstTime ? true : nil
        self.checkedInAt = checkedInAt
        self.stays = stays
        self.method = method
        self.arrivalSequence = arrivalSequence
        self.receiptsEndedAt = receiptsEndedAt
        self.version = version
        self.note = note
        self.evidence = evidence
        self.consentNumber = consentNumber
        self.door = door
    }
}

/// An attendee's proof of the check-in. It belongs to one arrival: if a host sets the attendee back to
/// awaited, the next person who checks in to the record gets another receipt, and this one has ended.
package struct Receipt: Hashable, Sendable {
    package let attendeeID: AttendeeID
    /// The attendee's `arrivalSequence`; 0 in the receipts of servers that did not store it.
    package let arrival: Int64

    package init(for attendee: Attendee) {
        self.init(for: attendee.id, arrival: attendee.arrivalSequence)
    }

    package init(for attendee: AttendeeID, arrival: Int64) {
        (attendeeID, self.arrival) = (attendee, arrival)
    }
}

/// A name and an identity, of a record or as an attendee typed them, in the forms of `Attendee`.
package struct TypedDetails: Hashable, Sendable, Codable {
    package var name: String
    package var identity: String

    package init(name: String, identity: String) {
        self.name = name
        self.identity = identity
    }
}

extension Attendee {
    /// The name and identity of the record.
    package var recorded: TypedDetails { TypedDetails(name: name, identity: identity) }

    /// The name and identity that answers to the attendee contain. They are the values that the attendee
    /// typed last.
    package var seenByAttendee: TypedDetails { typed ?? recorded }

    /// Whether a receipt that leads to this record is still valid.
    package func accepts(_ receipt: Receipt) -> Bool { receiptsEndedAt.map { receipt.arrival > $0 } ?? true }

    /// The name of a record whose name was deleted because its retention is over. It is no word of a
    /// language, because pages, files and programs show it.
    package static let deletedName = "—"

    /// A copy without name, identity, note, evidence and number of the consent. Status and times stay.
    package var withoutName: Attendee {
        var copy = self
        (copy.name, copy.identity, copy.note) = (Self.deletedName, "", "")
        (copy.typed, copy.evidence, copy.consentNumber) = (nil, nil, nil)
        return copy
    }

    /// The typed name, for hosts; nil if it is the record's name, apart from case and spaces.
    package var differentTypedName: String? { typed?.name.ifOther(than: name) }

    /// Stores what the attendee typed, unless it equals the record's own values.
    package mutating func setTyped(_ details: TypedDetails) {
        typed = details == recorded ? nil : details
    }
}

extension String {
    /// Returns this name; nil if `name` is the same name, apart from case and spaces.
    package func ifOther(than name: String) -> String? {
        IdentityKey(self) == IdentityKey(name) ? nil : self
    }
}

/// An attendee's status as it is stored. `pending` means that the attendee is expected: people see `awaited`
/// until the session is over, and `absent` afterwards.
package enum RecordedStatus: String, Sendable, Codable, CaseIterable {
    case pending, present, late, absent, excused

    /// Returns the status that people see for this recorded status.
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

/// An attendee's status as people see it.
package enum AttendanceStatus: String, Sendable, Codable, CaseIterable {
    case awaited, present, late, absent, excused
}

/// The way in which an attendee checked in.
package enum CheckInMethod: String, Sendable, Codable, CaseIterable {
    case qr, joinCode, host, cli
    /// The door has read the person's pass.
    case pass
    /// The staff at the door has found the person by name or number.
    case door
    /// An offline door has let the person in.
    case offlineDoor
}

/// The device and the network from which an attendee checked in. This evidence is stored in the attendee's
/// row, so that it is deleted with the attendee, and at the latest `Retention.evidence` after the end.
package struct CheckInEvidence: Hashable, Sendable, Codable {
    /// A keyed hash of the session and of a random value that the check-in page stored in the browser. Two
    /// people who used one device in the same session have the same hash. One device has a different hash in
    /// every session. Nil if the attendee checked in by a program instead of a browser.
    package let device: [UInt8]?
    /// The network of the client's address: the first 24 bits of an IPv4 address, or the first 48 bits of an
    /// IPv6 address.
    package let network: String?

    /// Returns nil if `device` and `network` are both nil.
    package init?(device: [UInt8]?, network: String?) {
        if device == nil, network == nil { return nil }
        self.device = device
        self.network = network
    }
}
