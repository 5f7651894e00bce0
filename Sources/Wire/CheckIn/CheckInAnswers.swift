package import Meetings

package struct GrantBody: Codable, Hashable, Sendable {
    package let grant: String
    package let session: SessionGlimpse
    package let expiresAt: Instant
    /// What is asked with the check-in; nil where nothing is.
    package let questions: [Question]?

    package init(grant: String, session: SessionGlimpse, expiresAt: Instant, questions: [Question]? = nil) {
        self.grant = grant
        self.session = session
        self.expiresAt = expiresAt
        self.questions = questions
    }
}

/// The answer to a check-in. Where somebody is in already and the caller has not proved to be them, there is
/// no attendee and no receipt.
package struct CheckInBody: Codable, Hashable, Sendable {
    package let attendee: AttendeeBody?
    package let session: SessionBody
    package let receipt: String?
    package let alreadyCheckedIn: Bool
    /// Where an answer says that the session is not meant for this person: the host's words or the server's.
    /// Nothing was kept then.
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

/// What a grant's holder may know of the session.
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
