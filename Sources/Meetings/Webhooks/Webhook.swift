/// A web address that gets a request for each event of a meeting (Standard Webhooks 1.0.0).
package struct Webhook: Hashable, Sendable {
    /// The reason why a web hook gets no more events. The order of the cases is part of the file format.
    package enum End: Int, Hashable, Sendable, CaseIterable {
        /// The receiver answered 410.
        case gone
        /// Too many deliveries waited.
        case tooManyWaiting
        /// A host deleted it, or its creator is no host any more. It is gone for everybody, and its
        /// deliveries are being deleted.
        case deleted

        package var word: String { "\(self)" }
    }

    package let id: WebhookID
    package let meeting: MeetingID
    /// The host who created it. It ends when this account is no host of the meeting any more.
    package let createdBy: AccountID
    package let url: String
    package let events: WebhookEvents
    /// The sealed secret, which signs the requests.
    package var secret: [UInt8]
    /// The sealed secret before the last rotation, which also signs until `previousUntil`.
    package var previousSecret: [UInt8]?
    package var previousUntil: Instant?
    package let createdAt: Instant
    /// Nil as long as the web hook gets events.
    package var end: End?
    /// The moment until which the receiver has asked for no requests (`Retry-After`). It can be in the past.
    package var pausedUntil: Instant?

    /// `active`, or the word for its end.
    package var state: String { end?.word ?? "active" }

    /// The most web hooks of one meeting.
    package static let mostOfMeeting = 5
    /// The most web hooks that one account has created.
    package static let mostOfAccount = 50
    /// The most deliveries of one web hook that wait. One more disables the web hook.
    package static let mostWaiting = 5_000
    /// The time for which the old secret also signs after a rotation.
    package static let rotationTime = Duration.hours(24)
    /// The time for which the log holds a delivery that has ended.
    package static let logTime = Duration.hours(72)
    package static let mostURLBytes = 1000

    package init(
        id: WebhookID, meeting: MeetingID, createdBy: AccountID, url: String, events: WebhookEvents,
        secret: [UInt8], previousSecret: [UInt8]? = nil, previousUntil: Instant? = nil, createdAt: Instant,
        end: End? = nil, pausedUntil: Instant? = nil
    ) {
        self.id = id
        self.meeting = meeting
        self.createdBy = createdBy
        self.url = url
        self.events = events
        self.secret = secret
        self.previousSecret = previousSecret
        self.previousUntil = previousUntil
        self.createdAt = createdAt
        self.end = end
        self.pausedUntil = pausedUntil
    }

    /// Returns the end of the pause that the receiver has asked for; nil if there is none, or if it is over.
    package func pauseEnd(at now: Instant) -> Instant? { pausedUntil.flatMap { $0 > now ? $0 : nil } }

    /// Replaces the secret. The old one also signs for `rotationTime`. A second rotation within this time
    /// keeps the older secret, because the answer with the one between may have been lost.
    package mutating func rotate(to sealed: [UInt8], at now: Instant) {
        if previousSecret == nil || previousUntil.map({ $0 <= now }) ?? true { previousSecret = secret }
        previousUntil = now + Self.rotationTime
        secret = sealed
    }
}

package typealias WebhookID = ID<Webhook>

/// A type of event that web hooks get. The order of the cases is part of the file format.
package enum WebhookEvent: String, Hashable, Sendable, Codable, CaseIterable {
    case checkIn = "check_in"
    case corrected
    case response
    case sessionOpened = "session.opened"
    case sessionStarted = "session.started"
    case sessionEnded = "session.ended"
    case meetingEdited = "meeting.edited"
    case meetingSessionAdded = "meeting.session_added"
    case meetingSessionDeleted = "meeting.session_deleted"
    /// A host wants to see whether requests arrive. Each web hook gets it.
    case test

    /// The types that a host can choose.
    package static let choices = allCases.filter { $0 != .test }

    /// The types whose deliveries name an event of a session's journal.
    package static let ofJournal: Set<WebhookEvent> = Set(Event.Kind.allCases.compactMap { WebhookEvent($0) })

    /// The type for an event of a session's journal; nil if web hooks do not get it.
    package init?(_ kind: Event.Kind) {
        switch kind {
        case .checkedIn: self = .checkIn
        case .corrected, .renamed, .merged, .withdrawn, .undone, .redone, .added, .removed: self = .corrected
        case .responded: self = .response
        case .created: self = .meetingSessionAdded
        case .edited: self = .meetingEdited
        case .presenterLinkCreated, .presenterLinkRevoked, .asked, .voted, .voteRemoved, .moderated,
            .questionsMerged, .left, .returned:
            return nil
        }
    }
}

/// A set of types of events.
package struct WebhookEvents: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package init(_ events: some Sequence<WebhookEvent>) {
        rawValue = events.reduce(0) { $0 | Self.bit($1) }
    }

    package static let all = WebhookEvents(WebhookEvent.choices)

    package func contains(_ event: WebhookEvent) -> Bool { rawValue & Self.bit(event) != 0 }

    package var list: [WebhookEvent] { WebhookEvent.choices.filter { contains($0) } }

    private static func bit(_ event: WebhookEvent) -> Int {
        1 << (WebhookEvent.allCases.firstIndex(of: event) ?? 0)
    }
}

/// The part of a delivery that the queue stores: ids and numbers only. The request's body is made from the
/// journal and the records at each attempt, so no later attempt sends erased data. The encoded form is part
/// of the file format.
package struct WebhookMessage: Hashable, Sendable, Codable {
    package let event: WebhookEvent
    /// The moment of the event.
    package let at: Instant
    /// The number of the journal's event; for other types, the last number of the session when it happened.
    /// Nil if the event belongs to no session.
    package let sequence: Int64?
    /// The session, if it was deleted.
    package let deleted: SessionID?

    package init(_ event: WebhookEvent, at: Instant, sequence: Int64? = nil, deleted: SessionID? = nil) {
        self.event = event
        self.at = at
        self.sequence = sequence
        self.deleted = deleted
    }

    /// The pauses after the failed attempts (Standard Webhooks 1.0.0, "Retry schedule"). No attempt follows
    /// the last of them.
    package static let pauses: [Duration] = [
        .seconds(5), .minutes(5), .minutes(30), .hours(2), .hours(5), .hours(10), .hours(14), .hours(20),
        .hours(24),
    ]
    /// The time from the event to the moment at which even late attempts end. The pauses have 75 h 35 min.
    package static let lifetime = Duration.hours(5 * 24)
    /// The longest pause that a receiver can ask for.
    package static let longestRetryAfter = Duration.hours(24)
}
