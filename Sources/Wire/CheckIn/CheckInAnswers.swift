package import Meetings

/// The grant that the client received for a code.
package struct GrantBody: Codable, Hashable, Sendable {
    package let grant: String
    package let session: SessionGlimpse
    package let expiresAt: Instant
    /// The questions of the check-in form; nil if the form has no questions.
    package let questions: [Question]?
    /// The text that the attendee must agree to; nil if the check-in asks for no consent.
    package let consent: Consent?

    package init(
        grant: String, session: SessionGlimpse, expiresAt: Instant, questions: [Question]? = nil,
        consent: Consent? = nil
    ) {
        self.grant = grant
        self.session = session
        self.expiresAt = expiresAt
        self.questions = questions
        self.consent = consent
    }
}

/// The answer to a check-in. If somebody has already checked in with these details and the caller has not
/// proved to be that person, the answer has neither an attendee nor a receipt.
package struct CheckInBody: Codable, Hashable, Sendable {
    package let attendee: AttendeeBody?
    package let session: SessionBody
    package let receipt: String?
    package let alreadyCheckedIn: Bool
    /// The message of the host or the server if an answer shows that the session is not meant for this
    /// person. In this case, nothing was stored.
    package let ended: String?

    package init(
        attendee: AttendeeBody?, session: SessionBody, receipt: String?, alreadyCheckedIn: Bool,
        ended: String? = nil
    ) {
        self.attendee = attendee
        self.session = session
        self.receipt = receipt
        self.alreadyCheckedIn = alreadyCheckedIn
        self.ended = ended
    }
}

/// The part of a session that a client with a grant may see.
package struct SessionGlimpse: Codable, Hashable, Sendable {
    package let id: SessionID
    package let name: String
    package let round: Int
    package let startsAt: Instant
    package let endsAt: Instant
    package let timeZone: String
    package let identifyBy: IdentifyBy

    package init(_ session: Session, of meeting: Meeting) {
        id = session.id
        name = meeting.name
        round = session.round
        startsAt = session.startsAt
        endsAt = session.endsAt
        timeZone = meeting.timeZone.name
        identifyBy = meeting.identifyBy
    }
}
