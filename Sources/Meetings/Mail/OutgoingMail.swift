/// A mail that the server owes to one person. A command puts it into the queue in the transaction of the
/// change that causes it, so the mail exists exactly if the change does. The text is written when the mail is
/// sent.
package struct OutgoingMail: Hashable, Sendable {
    /// The reason of the mail. The order of the cases is part of the file format.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        case verification
        case passwordReset
        /// A text message with a code, not a mail.
        case phoneCode
        case reminder
        case moved
        case cancelled
        case feedbackOpen
        /// Another phone tried to check in a person who had checked in.
        case checkedInElsewhere
        /// An owner invites the address to a meeting.
        case invitation
        /// A message to a device, not a mail.
        case push
        /// A request to a web hook, not a mail.
        case hook
        /// A web hook was disabled, because too many deliveries waited.
        case hookDisabled
        /// People newly meet the absence rule of a meeting, for its owners and hosts.
        case absences
        /// A person of a roster has got a certificate.
        case certificate
        /// Asks the owner of an address that anybody may have typed to confirm a reply.
        case replyConfirmation
        /// News about a person's reply to a session.
        case reply

        /// The word for the kind in lists and logs.
        package var word: String { "\(self)" }

        /// The quota for which mails of this kind count.
        package var quota: Quota {
            switch self {
            case .verification, .passwordReset, .phoneCode, .replyConfirmation: .codes
            case .reminder, .moved, .cancelled, .feedbackOpen, .checkedInElsewhere: .meetings
            case .invitation: .invitations
            case .push: .devices
            case .hook: .hooks
            case .hookDisabled, .absences, .certificate, .reply: .meetings
            }
        }
        /// The way on which the mail leaves the server.
        package var channel: Channel {
            switch self {
            case .phoneCode: .phone
            case .push: .device
            case .hook: .hook
            default: .mail
            }
        }
    }

    /// The mails that share a limit. Strangers who type an address can cause codes, and strangers who own a
    /// meeting can cause invitations, so neither uses up the limit of any other mail. The order of the cases
    /// is part of the file format.
    package enum Quota: Int, Hashable, Sendable, CaseIterable {
        /// Mails about meetings that the address belongs to.
        case meetings
        case codes
        case invitations
        /// Messages to one device of one owner.
        case devices
        /// Requests to one web hook. `Webhook.mostWaiting` limits them, and this limit is not used.
        case hooks

        /// The most mails of this quota that one address gets within 24 hours.
        package var mostPerDay: Int {
            switch self {
            case .meetings: 30
            case .codes: 10
            case .invitations: 3
            case .devices: 50
            case .hooks: .max
            }
        }
    }

    /// Mails, text messages, push messages and requests to web hooks share the queue. Each channel has its
    /// own courier, so that a mail server that is down delays no code to a phone, and no message to a device.
    /// Each web hook has one, too.
    package enum Channel: Hashable, Sendable, CaseIterable {
        case mail, phone, device, hook

        /// The channels whose mails go to the operator's own services, each by one courier.
        package static let ofServices: [Channel] = [.mail, .phone, .device]
    }

    /// The part of the queue that one courier serves.
    package struct Lane: Hashable, Sendable {
        package let channel: Channel
        /// The owner whose mails the courier sends; nil for the mails of all owners.
        package let owner: Owner?

        package init(_ channel: Channel, of owner: Owner? = nil) {
            self.channel = channel
            self.owner = owner
        }

        package static let mail = Lane(.mail)
        package static let phone = Lane(.phone)
        package static let device = Lane(.device)

        /// The deliveries of one web hook.
        package static func hook(_ hook: WebhookID) -> Lane { Lane(.hook, of: Owner(hook)) }

        /// The web hook whose deliveries the courier sends; nil if it sends other mails.
        package var hook: WebhookID? {
            channel == .hook ? owner.map { WebhookID(high: $0.id.high, low: $0.id.low) } : nil
        }
    }

    /// The fields of each kind. The encoded form is part of the file format.
    ///
    /// A `path` begins with `/` and has no host: the text of the mail puts the server's own address before
    /// it. So nobody can put a foreign host into a mail by the `Host` header of a request.
    package enum Content: Hashable, Sendable, Codable {
        /// A code of six digits, and the path of the page that confirms it in one step.
        case verification(code: String, path: String)
        case passwordReset(code: String, path: String)
        case phoneCode(code: String)
        /// A session begins soon, at `startsAt`.
        case reminder(startsAt: Instant)
        case moved(startsAt: Instant, endsAt: Instant)
        case cancelled(AnnouncedSession)
        /// The feedback questions can be answered until this moment.
        case feedbackOpen(until: Instant)
        /// - Parameters:
        ///   - checkedInAt: the moment of the check-in.
        ///   - triedAt: the moment at which another phone tried it again.
        case checkedInElsewhere(checkedInAt: Instant, triedAt: Instant)
        /// - Parameters:
        ///   - id: the invitation, so that the mail is dropped with it.
        ///   - meeting: the meeting; nil in mails that an older version queued.
        ///   - path: the page that accepts the invitation.
        case invitation(
            id: MeetingInvitationID, by: String, to: String, role: Role, path: String, meeting: MeetingID?)
        case push(PushMessage)
        case hook(WebhookMessage)
        /// - Parameters:
        ///   - url: the address of the web hook.
        ///   - name: the meeting's name.
        ///   - path: the host's page.
        case hookDisabled(url: String, name: String, path: String)
        /// - Parameters:
        ///   - people: without names, which are read when the mail is sent.
        ///   - path: the host's page with all absences of the meeting.
        case absences(people: NewAbsences, path: String)
        /// The mail's link is signed when it is sent, so that the queue has no name.
        case certificate(CertificateID)
        /// The links of both are signed when the mail is sent.
        case replyConfirmation(ReplyID)
        case reply(ReplyID, ReplyNews)

        package var kind: Kind {
            switch self {
            case .verification: .verification
            case .passwordReset: .passwordReset
            case .phoneCode: .phoneCode
            case .reminder: .reminder
            case .moved: .moved
            case .cancelled: .cancelled
            case .feedbackOpen: .feedbackOpen
            case .checkedInElsewhere: .checkedInElsewhere
            case .invitation: .invitation
            case .push: .push
            case .hook: .hook
            case .hookDisabled: .hookDisabled
            case .absences: .absences
            case .certificate: .certificate
            case .replyConfirmation: .replyConfirmation
            case .reply: .reply
            }
        }
    }

    /// The record whose erasure deletes the mail: an account, an attendee, a person of a roster, a device, a
    /// web hook, or a reply.
    /// Ids are unique among all of them.
    package struct Owner: Hashable, Sendable {
        package let id: ID<Owner>

        package init(id: ID<Owner>) { self.id = id }
        package init(_ account: AccountID) { id = ID(sameAs: account) }
        package init(_ attendee: AttendeeID) { id = ID(sameAs: attendee) }
        package init(_ person: PersonID) { id = ID(sameAs: person) }
        package init(_ device: DeviceID) { id = ID(sameAs: device) }
        package init(_ reply: ReplyID) { id = ID(sameAs: reply) }
        package init(_ hook: WebhookID) { id = ID(sameAs: hook) }
    }

    package let id: MailID
    /// The e-mail address, as `EmailAddress.normalized` returns it, or the phone number, as
    /// `PhoneNumber.normalized` returns it. For a push message or
    /// a web hook, its id.
    package let recipient: String
    /// The tag of the text's language: `en` or `ko`. Any other tag means English.
    package let language: String
    package let content: Content
    /// The server does not send the mail before this moment.
    package let notBefore: Instant
    /// From this moment on, the server deletes the mail instead of sending it.
    package let expiresAt: Instant
    package let owner: Owner?
    /// The meeting and the session that the mail is about. The deletion of one of them deletes the mail.
    package let meeting: MeetingID?
    package let session: SessionID?

    /// The web hook that gets this delivery; nil for mails of other kinds.
    package var hook: WebhookID? {
        content.kind == .hook ? owner.map { WebhookID(high: $0.id.high, low: $0.id.low) } : nil
    }

    /// Creates a mail. Unless `id` is given, the id is new.
    package init(
        id: MailID = .makeTimeless(), to recipient: String, language: String, _ content: Content,
        notBefore: Instant, expiresAt: Instant, owner: Owner?, meeting: MeetingID? = nil,
        session: SessionID? = nil
    ) {
        self.id = id
        self.recipient = recipient
        self.language = language
        self.content = content
        self.notBefore = notBefore
        self.expiresAt = expiresAt
        self.owner = owner
        self.meeting = meeting
        self.session = session
    }
}

package typealias MailID = ID<OutgoingMail>

/// A mail of the queue without its content, for lists. Sent mails have no content any more.
package struct MailRecord: Hashable, Sendable {
    package let id: MailID
    package let kind: OutgoingMail.Kind
    package let recipient: String
    package let queuedAt: Instant
    package let expiresAt: Instant
    package let delivery: MailDelivery

    package init(
        id: MailID, kind: OutgoingMail.Kind, recipient: String, queuedAt: Instant, expiresAt: Instant,
        delivery: MailDelivery
    ) {
        self.id = id
        self.kind = kind
        self.recipient = recipient
        self.queuedAt = queuedAt
        self.expiresAt = expiresAt
        self.delivery = delivery
    }

    /// Returns the same mail in another state of its delivery.
    package func with(_ delivery: MailDelivery) -> MailRecord {
        MailRecord(
            id: id, kind: kind, recipient: recipient, queuedAt: queuedAt, expiresAt: expiresAt,
            delivery: delivery)
    }
}
