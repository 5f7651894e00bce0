/// A phone or a service that gets push messages about its owner. The operator's service delivers them
/// (`--push-hook-url`); this server never connects to the device itself.
package struct Device: Hashable, Sendable {
    /// The service that delivers messages to the device. The order of the cases is part of the file format.
    package enum Platform: String, Hashable, Sendable, Codable, CaseIterable {
        case fcm, apns
        /// The token is an `https` address, to which the operator's service delivers.
        case webhook
    }

    /// The account or the attendee that registered the device.
    package enum Owner: Hashable, Sendable {
        case account(AccountID)
        /// The id in the receipt. It stays the same if a host merges the attendee into another one.
        case attendee(AttendeeID, in: SessionID)

        /// The record whose end deletes the device.
        package var record: OutgoingMail.Owner {
            switch self {
            case .account(let id): OutgoingMail.Owner(id)
            case .attendee(let id, _): OutgoingMail.Owner(id)
            }
        }

        package var session: SessionID? {
            if case .attendee(_, let session) = self { session } else { nil }
        }
    }

    /// A keyed hash of the owner, the platform and the token. So the same token of the same owner is the
    /// same device, even after the owner deleted it. Another owner of the token has another device.
    package let id: DeviceID
    package let owner: Owner
    package let platform: Platform
    /// The address of the device at its platform. It is a secret: anybody who has it could send messages.
    package let token: String
    /// The tag of the language of the messages: `en` or `ko`.
    package var language: String
    package let createdAt: Instant

    /// The most devices of one account, and of one attendee.
    package static let mostOfOwner = 10
    /// The number of characters of a token. All of them are visible ASCII characters.
    package static let tokenLength = 16...1000

    package init(
        id: DeviceID, owner: Owner, platform: Platform, token: String, language: String, createdAt: Instant
    ) {
        self.id = id
        self.owner = owner
        self.platform = platform
        self.token = token
        self.language = language
        self.createdAt = createdAt
    }

    /// Whether the text can be a token of the platform.
    package static func isToken(_ text: String, of platform: Platform) -> Bool {
        guard tokenLength.contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return false
        }
        return platform != .webhook || text.hasPrefix("https://")
    }
}

package typealias DeviceID = ID<Device>

/// The reason of a push message. The text is written when the message is sent, and names no person. The
/// encoded form is part of the file format.
package enum PushMessage: Hashable, Sendable, Codable {
    /// Somebody accepted the attendee's request to meet, or asked the attendee who had asked them.
    case matched
    /// Somebody declined the attendee's request to meet.
    case declined
    case sessionStarts(at: Instant)
    case checkInOpens(at: Instant)

    /// The word for the message in requests to the operator's service.
    package var word: String {
        switch self {
        case .matched: "matched"
        case .declined: "declined"
        case .sessionStarts: "sessionStarts"
        case .checkInOpens: "checkInOpens"
        }
    }

    /// The time after which the message is discarded.
    package static let lifetime = Duration.minutes(10)
}

/// The progress of the push messages of one kind about one session, whose moment has come. The devices get
/// them in the order of ids, in slices. The progress is stored with each slice.
package struct Alert: Hashable, Sendable {
    /// The order of the cases is part of the file format.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// The session starts, for the devices that attendees registered with a receipt.
        case startForAttendees
        /// The session starts, for the accounts of people on the roster.
        case startForAccounts
        /// Check-in opens, for the accounts of people on the roster.
        case openingForAccounts
        /// The moments that web hooks get.
        case hookOpened, hookStarted, hookEnded

        /// The moments for devices.
        package static let ofDevices: [Kind] = [.startForAttendees, .startForAccounts, .openingForAccounts]
        /// The moments for web hooks.
        package static let ofHooks: [Kind] = [.hookOpened, .hookStarted, .hookEnded]

        /// The time after which the messages are too late. A pass that finds a session later leaves it out.
        private var lateness: Duration { hookEvent == nil ? PushMessage.lifetime : .hours(6) }
        /// The most devices or people of one slice.
        package static let slice = 100

        package var isForAccounts: Bool { self == .startForAccounts || self == .openingForAccounts }

        /// Returns the moment of the messages.
        package func moment(for session: Session) -> Instant {
            switch self {
            case .openingForAccounts, .hookOpened: session.checkInOpensAt
            case .startForAttendees, .startForAccounts, .hookStarted: session.startsAt
            case .hookEnded: session.endsAt
            }
        }

        /// The event that web hooks get at this moment; nil if the alert is for devices.
        package var hookEvent: WebhookEvent? {
            switch self {
            case .hookOpened: .sessionOpened
            case .hookStarted: .sessionStarted
            case .hookEnded: .sessionEnded
            case .startForAttendees, .startForAccounts, .openingForAccounts: nil
            }
        }

        package func message(at moment: Instant) -> PushMessage {
            self == .openingForAccounts ? .checkInOpens(at: moment) : .sessionStarts(at: moment)
        }

        /// Returns the range of moments of the sessions that are due at `now`.
        package func due(at now: Instant) -> Range<Instant> {
            now - lateness + .milliseconds(1)..<now + .milliseconds(1)
        }
    }

    package let session: SessionID
    package let kind: Kind
    /// The moment that the messages announce. If the session has another one now, the progress begins anew.
    package let moment: Instant
    /// The last device or person that the slices have reached; nil at the beginning.
    package var last: ID<Alert>?
    package var isDone: Bool

    package init(
        of session: SessionID, _ kind: Kind, at moment: Instant, last: ID<Alert>? = nil, isDone: Bool = false
    ) {
        self.session = session
        self.kind = kind
        self.moment = moment
        self.last = last
        self.isDone = isDone
    }

    /// Returns the id of the only message of this alert to a device. It mixes the ids and the moment, so
    /// the queue's primary key rejects a second message. The ids are random, so two messages never share it.
    package func message(to device: DeviceID) -> MailID {
        let start = kind == .openingForAccounts ? 2 : 1
        let moment = UInt64(bitPattern: moment.milliseconds) &* 0x9E37_79B9_7F4A_7C15
        return MailID(
            high: device.high ^ (session.low &* 0x2545_F491_4F6C_DD1D) ^ UInt64(start),
            low: device.low ^ (session.high &* 0xBF58_476D_1CE4_E5B9) ^ moment)
    }
}
