/// One entry of a session's journal. It holds no personal data: it refers to an attendee by id, and readers
/// join the name. If a person's data is erased, the journal therefore stays as it is.
package struct Event: Hashable, Sendable {
    package let sessionID: SessionID
    /// 1 for the session's first event, then without gaps. The writer assigns it.
    package let sequence: Int64
    package let at: Instant
    package let kind: Kind
    /// The attendee whom the event is about. Nil if it is about no attendee, and always nil for an anonymous
    /// response.
    package let attendeeID: AttendeeID?
    /// Who caused the event.
    package let actor: Actor
    package let data: EventData

    /// What happened.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case created, checkedIn, corrected, renamed, merged, withdrawn, responded, edited, undone, added,
            removed
        case presenterLinkCreated, presenterLinkRevoked
    }

    /// Who caused an event.
    package enum Actor: Hashable, Sendable {
        case attendee
        case account(AccountID)
        case server

        /// `attendee`, `server`, or the account's id.
        package var text: String {
            switch self {
            case .attendee: "attendee"
            case .account(let id): id.text
            case .server: "server"
            }
        }

        /// Parses the result of `text`. Nil if it is malformed.
        package init?(_ text: String) {
            switch text {
            case "attendee": self = .attendee
            case "server": self = .server
            default:
                guard let id = AccountID(text) else { return nil }
                self = .account(id)
            }
        }
    }

    package init(
        sessionID: SessionID, sequence: Int64, at: Instant, kind: Kind, attendeeID: AttendeeID?, actor: Actor,
        data: EventData
    ) {
        self.sessionID = sessionID
        self.sequence = sequence
        self.at = at
        self.kind = kind
        self.attendeeID = attendeeID
        self.actor = actor
        self.data = data
    }
}

/// The details of an event. Every field is optional. No field may ever hold a name, an address or a text that
/// a person wrote.
package struct EventData: Hashable, Sendable, Codable {
    /// The attendee's status after the event.
    package var status: RecordedStatus?
    /// The attendee's status before the event.
    package var before: RecordedStatus?
    package var method: CheckInMethod?
    /// Whether the attendee was not expected by the roster.
    package var walkIn: Bool?
    /// Seconds from the first showing of a rotating code until its exchange; nil if codes do not rotate.
    package var codeAge: Int?
    /// The name of the question set.
    package var set: String?
    /// The names of edited fields.
    package var fields: [String]?
    /// The number of statuses that a new start or late limit changed.
    package var recomputed: Int?
    /// For a merge and its undo: the attendee into which the event's attendee was merged.
    package var into: AttendeeID?
    /// The sequence of the event that this one undoes.
    package var undoes: Int64?
    /// For an edit of the session and its undo: the changed fields.
    package var changes: [FieldChange]?
    /// The presenter link that was created or revoked. Its id alone gives no access.
    package var link: PresenterLinkID?

    package init(
        status: RecordedStatus? = nil, before: RecordedStatus? = nil, method: CheckInMethod? = nil,
        walkIn: Bool? = nil,
        codeAge: Int? = nil,
        set: String? = nil, fields: [String]? = nil, recomputed: Int? = nil, into: AttendeeID? = nil,
        undoes: Int64? = nil,
        changes: [FieldChange]? = nil, link: PresenterLinkID? = nil
    ) {
        self.status = status
        self.before = before
        self.method = method
        self.walkIn = walkIn
        self.codeAge = codeAge
        self.set = set
        self.fields = fields
        self.recomputed = recomputed
        self.into = into
        self.undoes = undoes
        self.changes = changes
        self.link = link
    }
}

/// One changed field of a session. Values are written as in the API: times in RFC 3339, numbers in digits.
package struct FieldChange: Hashable, Sendable, Codable {
    package let field: String
    package let from: String
    package let to: String

    package init(_ field: String, from: String, to: String) {
        self.field = field
        self.from = from
        self.to = to
    }
}
