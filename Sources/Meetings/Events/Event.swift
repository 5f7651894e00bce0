/// One entry of a session's journal. It holds no personal data: who it is about is told by id and joined on
/// reading, so that erasing a person erases them everywhere.
package struct Event: Hashable, Sendable {
    package let sessionID: SessionID
    /// 1 for the session's first event, without gaps; given by the writer.
    package let sequence: Int64
    package let at: Instant
    package let kind: Kind
    /// Nil for what is about no attendee, and for an anonymous response always.
    package let attendeeID: AttendeeID?
    package let actor: Actor
    package let data: EventData

    package enum Kind: String, Sendable, Codable, CaseIterable {
        case created, checkedIn, corrected, renamed, merged, withdrawn, responded, edited, undone, added,
            removed
        case presenterLinkCreated, presenterLinkRevoked
    }

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

/// What an event says beside its kind. Every field is optional; none may ever hold a name, an address or a
/// text that a person wrote.
package struct EventData: Hashable, Sendable, Codable {
    package var status: RecordedStatus?
    package var before: RecordedStatus?
    package var method: CheckInMethod?
    package var walkIn: Bool?
    /// Seconds between the code's showing and its exchange: evidence, where codes rotate.
    package var codeAge: Int?
    package var set: String?
    /// The names of edited fields.
    package var fields: [String]?
    /// How many statuses a changed start or late limit changed.
    package var recomputed: Int?
    /// Of a merge, and of its undoing: the attendee that the event's one was merged into.
    package var into: AttendeeID?
    /// The sequence of the event that this one undoes.
    package var undoes: Int64?
    /// Of a session's edit, and of its undoing: what each field was, and is.
    package var changes: [FieldChange]?
    /// The presenter link that was created or revoked; its id opens nothing.
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

/// One field of a session before and after an edit, each as the API writes it: times in RFC 3339, numbers in
/// digits.
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
