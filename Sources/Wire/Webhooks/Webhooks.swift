package import Meetings

/// The request that adds a web hook.
package struct CreateWebhookRequest: Readable, Sendable {
    package let url: String
    /// The wanted types of events; all of them if the request names none.
    package let events: WebhookEvents

    package init(reading fields: Fields) {
        url = fields.text("url", required: true, 1...Webhook.mostURLBytes) ?? ""
        if !url.isEmpty, !WebAddress.isUsable(url) || !Self.hasAllowedPort(url) {
            fields.fail("url", .notAWebhookAddress)
        }
        let words = WebhookEvent.choices.map(\.rawValue)
        let named = fields.names("events", 1...words.count, characters: 40)
        if let named, !named.allSatisfy({ words.contains($0) }) { fields.fail("events", .notOneOf(words)) }
        events = named.map { WebhookEvents($0.compactMap { WebhookEvent(rawValue: $0) }) } ?? .all
    }

    /// Whether the URL's port is the scheme's own, 80, 443, or at least 1024, so that nobody can reach mail
    /// servers and the like.
    private static func hasAllowedPort(_ url: String) -> Bool {
        let authority = url.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
        // An IPv6 address stands in brackets, and contains colons.
        guard let colon = authority.lastIndex(of: ":"), authority.last != "]" else { return true }
        guard let port = Int(authority[authority.index(after: colon)...]) else { return false }
        return port == 80 || port == 443 || 1024...65_535 ~= port
    }

    /// Whether the URL has TLS.
    package var isSecure: Bool { url.lowercased().hasPrefix("https:") }
}

/// The request that makes deliveries due at once.
package struct RetryWebhookRequest: Readable, Sendable {
    /// The delivery; nil for all that wait.
    package let delivery: MailID?

    package init(reading fields: Fields) { delivery = fields.id("delivery", of: OutgoingMail.self) }
}

/// A web hook of a meeting.
package struct WebhookBody: Codable, Hashable, Sendable {
    package let id: WebhookID
    package let url: String
    package let events: [WebhookEvent]
    package let createdAt: Instant
    /// The name of the host who created it.
    package let createdBy: String
    /// `active`, or the reason why it gets no events: `gone`, `tooManyWaiting`, or `switchedOff` by the
    /// operator.
    package let state: String
    /// The moment until which the secret before the last rotation also signs; nil if none does.
    package let oldSecretUntil: Instant?
    /// The moment before which the receiver wants no requests (`Retry-After`); nil if it has not asked for a
    /// pause, or if the pause is over.
    package let pausedUntil: Instant?
    /// The secret, only in the answer to the request that made it.
    package var secret: String?

    /// - Parameter isSwitchedOff: whether the operator has switched web hooks off.
    package init(
        _ hook: Webhook, createdBy: String, at now: Instant, isSwitchedOff: Bool = false,
        secret: String? = nil
    ) {
        id = hook.id
        url = hook.url
        events = hook.events.list
        createdAt = hook.createdAt
        self.createdBy = createdBy
        state = hook.end == nil && isSwitchedOff ? "switchedOff" : hook.state
        oldSecretUntil = hook.previousUntil.flatMap { $0 > now ? $0 : nil }
        pausedUntil = hook.pauseEnd(at: now)
        self.secret = secret
    }
}

/// A delivery in the log of a web hook.
package struct WebhookDeliveryBody: Codable, Hashable, Sendable {
    package let id: MailID
    package let event: WebhookEvent
    /// The moment of the event.
    package let at: Instant
    package let session: SessionID?
    package let sequence: Int64?
    /// `waiting`, `sent`, `refused`, `expired` or `dropped`.
    package let state: String
    package let attempts: Int
    /// The moment of the next attempt of a waiting delivery.
    package let nextAttemptAt: Instant?
    package let endedAt: Instant?
    /// The receiver's last answer that was no success, or the reason why there was none; nil after a success.
    package let reply: String?

    package init(
        id: MailID, _ message: WebhookMessage, session: SessionID?, _ delivery: MailDelivery
    ) {
        self.id = id
        event = message.event
        at = message.at
        self.session = session
        sequence = message.sequence
        state = delivery.state.word
        attempts = delivery.attempts
        nextAttemptAt = delivery.state == .waiting ? delivery.nextAttempt : nil
        endedAt = delivery.endedAt
        reply = delivery.reply.isEmpty ? nil : delivery.reply
    }
}

/// The delivery that a test has queued.
package struct WebhookTestBody: Codable, Hashable, Sendable {
    package let delivery: MailID
    /// The moment before which the receiver wants no requests, so that the test waits; nil if it has not
    /// asked for a pause.
    package let pausedUntil: Instant?

    package init(delivery: MailID, pausedUntil: Instant?) {
        (self.delivery, self.pausedUntil) = (delivery, pausedUntil)
    }
}

/// The body of a request to a web hook. The event is the same in each attempt; the attendee and the answers
/// are as they are at the attempt, so that no attempt sends what was erased or corrected meanwhile.
package struct WebhookPayload: Encodable, Sendable {
    package let type: WebhookEvent
    /// The moment of the event.
    package let timestamp: Instant
    package let data: Content

    package struct Content: Encodable, Sendable {
        package let meeting: Named
        package let session: SessionID?
        package let round: Int?
        package let sequence: Int64?
        package let event: EventBody?
        package let attendee: AttendeeBody?
        package let response: Answered?
    }

    package struct Named: Encodable, Sendable {
        package let id: MeetingID
        package let name: String
    }

    /// The answers of a response to a set with names.
    package struct Answered: Encodable, Sendable {
        package let set: String
        package let answers: NamedAnswers
    }

    package init(
        _ message: WebhookMessage, of meeting: Meeting, session: Session?, event: Event?,
        attendee: Attendee?, response: (set: QuestionSet, response: Response)?, at now: Instant
    ) {
        type = message.event
        timestamp = message.at
        data = Content(
            meeting: Named(id: meeting.id, name: meeting.name), session: session?.id ?? message.deleted,
            round: session?.round, sequence: message.sequence, event: event.map { EventBody($0) },
            attendee: attendee.map {
                AttendeeBody(
                    forMembers: $0, identifyBy: meeting.identifyBy,
                    sessionIsOver: session?.isOver(at: now) ?? true,
                    presence: session.flatMap { [attendee] session in
                        attendee?.presence(in: session, at: now)
                    })
            },
            response: response.map { set, response in
                Answered(
                    set: set.name,
                    answers: NamedAnswers(
                        set.questions.compactMap { question in
                            response.answers[question.id].map { (question.id.text, $0) }
                        }))
            })
    }
}
