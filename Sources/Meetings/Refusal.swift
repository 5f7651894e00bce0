/// The reason why a well-formed request is refused. A case carries the values that its message needs, and
/// never a secret.
package enum Refusal: Error, Hashable, Sendable {
    /// The thing does not exist, or this caller may not know that it exists.
    case notFound(Thing)
    /// The caller is signed in, but is not a member of the meeting or does not have the necessary role.
    case notAllowed
    /// Fields of the request are wrong; at least one error.
    case invalid([FieldError])
    /// Somebody else changed the thing meanwhile; `current` is its present version.
    case versionMismatch(current: Int)

    // Accounts
    case emailTaken
    case signUpClosed
    /// The server has never had an operator, and the sign-up carries no setup token.
    case setupTokenRequired
    case setupTokenNotValid
    /// The account is the only operator left, so it cannot be deleted.
    case lastOperator
    case wrongCredentials
    /// The password was changed between its check and the command.
    case passwordChanged
    /// A used refresh token was sent again, by another client or after more than a minute. The whole sign-in
    /// ends.
    case signInEnded

    // Meetings and sessions
    /// The overlapping sessions, at least one.
    case sessionOverlap([Overlap])
    case sessionOver
    /// `identifyBy` cannot change, because a session that is not over has attendees who were identified in
    /// the present way.
    case sessionHasAttendees
    case confirmationNeeded(name: String, checkIns: Int)
    case limitReached(Thing, limit: Int)
    /// The attendee is on the roster already, or a person there has the same e-mail address or number.
    case alreadyOnRoster(name: String)
    /// The idempotency key was used before with a different request.
    case keyUsedForAnotherRequest

    // Check-in
    case codeNotValid
    case grantNotValid
    case receiptNotValid
    case checkInNotOpen(opensAt: Instant)
    /// `closedAt` is the end of the session, or of the latest session of the meeting. Nil if the meeting has
    /// no session.
    case checkInClosed(closedAt: Instant?)

    // Corrections
    /// An attendee with this e-mail address or number is in the session already.
    case attendeeExists(AttendeeID)
    /// There is nothing to restore, or the data for the undo has been deleted.
    case cannotBeUndone
    /// A later change would be lost by the undo, so the event cannot be undone.
    case changedSince

    // Roles and images
    /// A meeting must have at least one owner.
    case lastOwner
    case alreadyMember
    /// The invitation is for another address, was accepted before, has expired, or was revoked.
    case invitationNotValid
    /// The image is damaged or has too many pixels.
    case imageNotUsable(mostPixels: Int)

    // Feedback
    case feedbackNotOpen(opensAt: Instant?)
    case feedbackClosed
    case alreadyResponded
    case questionsLocked
    /// `anonymous` cannot change any more, because attendees saw or could have seen whether the set is
    /// anonymous.
    case anonymityFixed
    /// The form showed another value of `anonymous` when the attendee answered; `anonymous` is the present
    /// value.
    case anonymityChanged(anonymous: Bool)
    case noQuestions
}

/// The things that a refusal or a message can be about.
package enum Thing: String, Sendable, CaseIterable {
    case account, meeting, session, attendee, question, questionSet, presenterLink, token, page, event,
        member, invitation, image, person,
        rosterSlot, form, response
}

/// An overlapping session, with the name of its meeting.
package struct Overlap: Hashable, Sendable {
    package let session: Session
    package let meetingName: String

    package init(_ session: Session, meetingName: String) {
        self.session = session
        self.meetingName = meetingName
    }
}

/// JSON pointers (RFC 6901).
package enum JSONPointer {
    /// Returns `name` as one token of a pointer, with `~` and `/` escaped (RFC 6901 §3).
    package static func escaped(_ name: String) -> String {
        name.contains { $0 == "~" || $0 == "/" }
            ? name.replacing("~", with: "~0").replacing("/", with: "~1") : name
    }

    /// Returns the unescaped reference tokens of `pointer`, from the root to the value (RFC 6901 §4).
    package static func tokens(of pointer: String) -> [String] {
        pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init).map {
            token in
            token.contains("~") ? token.replacing("~1", with: "/").replacing("~0", with: "~") : token
        }
    }
}

/// An error in one field of a request.
package struct FieldError: Error, Hashable, Sendable {
    /// A JSON pointer (RFC 6901) into the body, such as `/session/startsAt`; empty for the body itself.
    package let field: String
    package let reason: FieldReason
    /// The line of the file in which the field is, counted from 1; nil if the request is not a file.
    package let line: Int?

    /// The largest number of errors that a response lists.
    package static let mostReported = 100

    package init(_ field: String, _ reason: FieldReason, line: Int? = nil) {
        self.field = field
        self.reason = reason
        self.line = line
    }
}

/// What is wrong with a field. The message for people is made from this by `Wire`.
package enum FieldReason: Error, Hashable, Sendable {
    case missing
    /// `expected` is a JSON type: `string`, `integer`, `boolean`, `array`, `object`.
    case wrongType(expected: String)
    /// The number of characters is outside these bounds, both included.
    case length(min: Int, max: Int)
    /// The integer is outside these bounds, both included.
    case range(min: Int, max: Int)
    /// The number of elements is outside these bounds, both included.
    case count(min: Int, max: Int)
    /// The text holds control characters or other characters that cannot be shown.
    case notText
    /// The number of characters is allowed, but the number of bytes is too large.
    case tooManyBytes
    case notATime
    case notADate
    case notAnEmail
    case notAnID
    /// Not a name of the IANA time zone database.
    case unknownZone
    case endsBeforeStart
    case tooLongASession(maxDays: Int)
    /// The session is before 1970 or after 2199.
    case outsideTheYears
    /// The value is none of these.
    case notOneOf([String])
    /// The value occurs twice.
    case repeated
    case unknownQuestion
    case unknownChoice

    // Answers to questions
    /// The answer is missing, and the host's own rule has a message for this.
    case missingWithMessage(LocalizedText)
    /// The number is outside these bounds, both included.
    case between(min: Double, max: Double)
    case decimals(most: Int)
    /// A text for the choice "other", which was not chosen or which the question does not have.
    case otherNotChosen
    /// The answer breaks this rule of the host.
    case rule(Rule)

    // Questions
    /// The pattern was rejected; the text is the pattern engine's reason.
    case badPattern(String)
    /// The rule cannot apply to a question of this kind.
    case ruleDoesNotApply
    /// The lower bound is above the upper bound.
    case reversedBounds
    /// More than one choice takes a text of the attendee; only one may.
    case oneOther
    case notALanguage
    case notASetName
    /// A branch in an anonymous set: the following set would reveal the answer.
    case branchTellsAnswer
    /// The set `check-in` can be neither anonymous nor published, because its answers belong to attendees.
    case checkInIsAlwaysNamed
    case timeOfAbsentAttendee
    case inTheFuture
    case outsideTheWindow
    /// No attendee of the session has this id.
    case unknownAttendee
    /// The same person as in an earlier entry of the request; the text is that entry's pointer.
    case sameAs(String)
    /// Another person on the roster has this e-mail address or number.
    case takenByAnotherPerson
    /// The file has no column of names.
    case noNameColumn
    /// A quote is never closed, or text follows a closing quote.
    case badQuotes
    case tooManyColumns(most: Int)
    case notUTF8

    // Files of questions
    case notJSON
    case tooDeep(most: Int)
    case keyTooLong(most: Int)
    case tooManyValues(most: Int)
    /// The file is in no format that the import reads.
    case unknownFormat
    case unknownField
    /// Several things in the file have this name, so that the reference is ambiguous.
    case ambiguousName
    /// The target format cannot express this.
    case notRepresentable
    case notAWebAddress
    case notAFormName
    /// Another form is published under this name.
    case formNameTaken
}
