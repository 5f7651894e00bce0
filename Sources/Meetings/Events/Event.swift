/// One entry of a session's journal. An event holds no personal data. It refers to an attendee by id, and
/// readers look up the name. Therefore the journal does not change when a person's data is erased.
package struct Event: Hashable, Sendable {
    package let sessionID: SessionID
    /// The event's number in its session: 1 for the first event, then without gaps. The writer assigns the
    /// number.
    package let sequence: Int64
    package let at: Instant
    package let kind: Kind
    /// The attendee whom the event is about. Nil if the event is about no attendee, and always nil for an
    /// anonymous response, a vote, and a question whose promise is `hidden`.
    package let attendeeID: AttendeeID?
    /// The person or program that caused the event.
    package let actor: Actor
    package let data: EventData

    /// The kinds of events.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case created, checkedIn, corrected, renamed, merged, withdrawn, responded, edited, undone, added,
            removed
        case presenterLinkCreated, presenterLinkRevoked
        /// Questions from the audience: asked, voted for, vote removed, moderated by a host, merged.
        case asked, voted, voteRemoved, moderated, questionsMerged
        /// A host has repeated the step that was undone last.
        case redone
        /// The attendee has left the session, or has returned to it.
        case left, returned
    }

    /// The person or program that caused an event.
    package enum Actor: Hashable, Sendable {
        case attendee
        case account(AccountID)
        case server

        /// The actor as a text: `attendee`, `server`, or the account's id.
        package var text: String {
            switch self {
            case .attendee: "attendee"
            case .account(let id): id.text
            case .server: "server"
            }
        }

        /// Parses the text of an actor. Returns nil if `text` is malformed.
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
    /// Whether the attendee is a walk-in: a person whom the roster did not expect.
    package var walkIn: Bool?
    /// The age of a rotating code in seconds when the attendee exchanged the code; nil if codes do not
    /// rotate.
    package var codeAge: Int?
    /// The time between the exchange of the code and the check-in, in seconds; nil if codes do not rotate.
    package var grantAge: Int?
    /// The name of the question set.
    package var set: String?
    /// The names of the edited fields.
    package var fields: [String]?
    /// The number of attendees whose status changed because the session's start or late limit changed.
    package var recomputed: Int?
    /// In an event of a merge or of its undo: the attendee into which the event's attendee was merged.
    package var into: AttendeeID?
    /// The sequence number of the event that this event undoes. A `redone` event undoes an undo.
    package var undoes: Int64?
    /// In an event of a session edit or of its undo: the changed fields.
    package var changes: [FieldChange]?
    /// The presenter link that a member created or revoked, or the kiosk at which somebody checked in. The id
    /// of a link gives no access.
    package var link: PresenterLinkID?
    /// The question from the audience. Its text is not part of the journal.
    package var question: AudienceQuestionID?
    /// In an event of a merge of questions or of its undo: the question into which `question` was merged.
    package var intoQuestion: AudienceQuestionID?

    package init(
        status: RecordedStatus? = nil, before: RecordedStatus? = nil, method: CheckInMethod? = nil,
        walkIn: Bool? = nil,
        codeAge: Int? = nil, grantAge: Int? = nil,
        set: String? = nil, fields: [String]? = nil, recomputed: Int? = nil, into: AttendeeID? = nil,
        undoes: Int64? = nil,
        changes: [FieldChange]? = nil, link: PresenterLinkID? = nil,
        question: AudienceQuestionID? = nil, intoQuestion: AudienceQuestionID? = nil
    ) {
        self.status = status
        self.before = before
        self.method = method
        self.walkIn = walkIn
        self.codeAge = codeAge
        self.grantAge = grantAge
        self.set = set
        self.fields = fields
        self.recomputed = recomputed
        self.into = into
        self.undoes = undoes
        self.changes = changes
        self.link = link
        self.question = question
        self.intoQuestion = intoQuestion
    }
}

/// One changed field of a session. The values have the same form as in the API: times in RFC 3339, numbers in
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
