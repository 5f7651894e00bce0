/// Every reason for which a well-formed request is not done. A case carries what its message needs, and never
/// a secret.
package enum Refusal: Error, Hashable, Sendable {
    case notFound(Thing)
    /// Signed in, but not a member, or without the role.
    case notAllowed
    case invalid([FieldError])
    /// Somebody else edited it meanwhile; `current` is the version that stands.
    case versionMismatch(current: Int)

    // Accounts
    case emailTaken
    case signUpClosed
    /// There has never been an operator, and the sign-up has no proof.
    case setupTokenRequired
    case setupTokenNotValid
    /// The last operator cannot withdraw.
    case lastOperator
    case wrongCredentials
    /// The password was right when it was checked, and has changed since.
    case passwordChanged
    /// A used refresh token was sent again, by another client or later than a minute.
    case signInEnded

    // Meetings and sessions
    /// The sessions in the way, at least one.
    case sessionOverlap([Overlap])
    case sessionOver
    /// Attendees who are in were told apart by another kind of key.
    case sessionHasAttendees
    case confirmationNeeded(name: String, checkIns: Int)
    case limitReached(Thing, limit: Int)
    /// The attendee has a place on the roster, or somebody there has the e-mail address or number.
    case alreadyOnRoster(name: String)
    /// The idempotency key belongs to another request.
    case keyUsedOtherwise

    // Check-in
    case codeNotValid
    case grantNotValid
    case receiptNotValid
    case checkInNotOpen(opensAt: Instant)
    /// Nil where it is not over but no session of the meeting is planned.
    case checkInClosed(closedAt: Instant?)

    // Corrections
    /// Somebody with this e-mail address or number is in the session.
    case attendeeExists(AttendeeID)
    /// Nothing that could be put back, or no longer kept.
    case cannotBeUndone
    case changedSince

    // Roles and images
    /// A meeting keeps an owner.
    case lastOwner
    case alreadyMember
    /// For another address, used up, expired or taken back.
    case invitationNotValid
    /// Damaged, or of too many pixels.
    case imageNotUsable(mostPixels: Int)

    // Feedback
    case feedbackNotOpen(opensAt: Instant?)
    case feedbackClosed
    case alreadyResponded
    case questionsLocked
    /// Attendees have been told whether answers are anonymous, or could have read it.
    case anonymityFixed
    /// The form showed another value when it was answered; `anonymous` is the present value.
    case anonymityChanged(anonymous: Bool)
    case noQuestions
}

/// What a sentence can be about.
package enum Thing: String, Sendable, CaseIterable {
    case account, meeting, session, attendee, question, questionSet, presenterLink, token, page, event,
        member, invitation, image, person,
        place, form, response
}

/// A session in the way of another, with the name of its meeting.
package struct Overlap: Hashable, Sendable {
    package let session: Session
    package let meetingName: String

    package init(_ session: Session, meetingName: String) {
        self.session = session
        self.meetingName = meetingName
    }
}
