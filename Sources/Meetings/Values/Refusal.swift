/// Every reason for which a well-formed request is not done. A case carries what its message needs, and never a secret.
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
    case wrongCredentials

    // Meetings and sessions
    /// The sessions in the way, at least one.
    case sessionOverlap([Session])
    case sessionOver
    case confirmationNeeded(meetingName: String, checkIns: Int)
    case limitReached(Thing, limit: Int)

    // Check-in
    case codeNotValid
    case grantNotValid
    case receiptNotValid
    case grantUsed
    case checkInNotOpen(opensAt: Instant)
    /// Nil where it is not over but no session of the meeting is planned.
    case checkInClosed(closedAt: Instant?)

    // Feedback
    case feedbackNotOpen(opensAt: Instant?)
    case feedbackClosed
    case alreadyResponded
    case questionsLocked
    case noQuestions
}

/// What a sentence can be about.
package enum Thing: String, Sendable, CaseIterable {
    case account, meeting, session, attendee, question, questionSet, presenterLink, token, page
}
