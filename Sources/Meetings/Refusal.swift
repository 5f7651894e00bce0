/// The reason why the server refuses a well-formed request. A case carries the values for its message, and
/// never a secret.
package enum Refusal: Error, Hashable, Sendable {
    /// The requested thing does not exist, or the caller may not know that it exists.
    case notFound(Thing)
    /// The caller is signed in, but is not a member of the meeting or does not have the necessary role.
    case notAllowed
    /// Fields of the request are wrong. The list contains at least one error.
    case invalid([FieldError])
    /// Somebody else changed the resource after the caller read it. `current` is the present version.
    case versionMismatch(current: Int)

    // Accounts
    case emailTaken
    case signUpClosed
    /// The server has never had an operator, so the sign-up needs the setup token, but contains none.
    case setupTokenRequired
    case setupTokenNotValid
    /// The account is the server's only operator, so it cannot be deleted.
    case lastOperator
    case wrongCredentials
    /// Somebody changed the password after the server checked it, but before the command ran.
    case passwordChanged
    /// A client used a refresh token a second time, and either the client is another one or more than a
    /// minute has passed. The whole sign-in ends.
    case signInEnded
    /// The access token has expired. The client can exchange its refresh token for a new one.
    case tokenExpired
    /// An operator has suspended the account.
    case accountSuspended
    /// The account of this token was deleted.
    case accountWithdrawn
    /// The code from a mail is wrong, has expired or was used.
    case confirmationCodeNotValid
    /// The server requires a verified e-mail address for this request.
    case accountNotVerified

    /// A named token may not do this (`TokenLimits`).
    case tokenLimited

    // Meetings and sessions
    /// The session overlaps other sessions. The list contains at least one of them.
    case sessionOverlap([Overlap])
    case sessionOver
    /// `identifyBy` cannot change, because a session that is not over has attendees who were identified by
    /// the present kind of identity.
    case sessionHasAttendees
    case confirmationNeeded(name: String, checkIns: Int)
    /// The question set has responses, and the confirmation is not the set's name.
    case answersWouldBeDeleted(set: String, responses: Int)
    case limitReached(Thing, limit: Int)
    /// The question sets of the session would together be above `QuestionsSize.most`.
    case questionSetsTooLarge
    /// A long command is changing the meeting, and too many commands are already waiting for its end.
    case meetingIsBusy
    /// The attendee is already on the roster, or a person on the roster has the same e-mail address or
    /// number.
    case alreadyOnRoster(name: String)
    /// A person on the roster has the same name, and the host has not said that it is another person.
    case nameOnRoster(name: String)
    /// The client used the same idempotency key before with a different request.
    case keyUsedForAnotherRequest

    // Check-in
    case codeNotValid
    case grantNotValid
    /// Codes rotate in this session, and the code was exchanged more than ten minutes ago.
    case grantExpired
    /// The grant was used for too many people, or its check-ins were withdrawn too often.
    case grantUsedUp
    /// The attendee has changed their own name `limit` times in this session.
    case renamedTooOften(limit: Int)
    /// The retention of the session's names is over, so nobody can add or correct an attendee any more.
    case namesDeleted
    case receiptNotValid
    case checkInNotOpen(opensAt: Instant)
    /// The session does not record that attendees leave, or not by their phones.
    case checkOutOff
    /// The attendee has not checked in, so the attendee can neither leave nor return.
    case notCheckedIn
    /// The session does not ask for replies, it is over, the person has checked in, or the host has declined
    /// the person.
    case repliesClosed
    /// Somebody has replied with this address or number. Only the person's own link changes the reply.
    case alreadyReplied
    /// The person wants to bring more guests than there are free seats.
    case noSeats(free: Int)
    /// Check-in is over. `closedAt` is the end of the session, or of the latest session of the meeting. It is
    /// nil if the meeting has no session.
    case checkInClosed(closedAt: Instant?)

    // Offline doors
    /// The code by which a laptop joins is unknown, has expired, or was used.
    case satelliteCodeNotValid
    /// A host has revoked the offline door, its creator is no longer a host, or its session was deleted.
    case satelliteRevoked
    /// The offline door has sent two different entries with one number, so its folder was copied or restored.
    case doorEntriesDiffer

    // Corrections
    /// The session already has an attendee with this e-mail address or number.
    case attendeeExists(AttendeeID)
    /// An attendee wants to change their address or number to one that the session knows already.
    case addressInUse
    /// The event has nothing to restore, or the server has deleted the data for the undo.
    case cannotBeUndone
    /// The event cannot be undone, because the undo would overwrite a later change.
    case changedSince
    /// No correction of a host can be undone.
    case nothingToUndo
    /// Nothing was undone, or a host has made a new change since.
    case nothingToRedo

    // Roles and images
    /// A meeting must have at least one owner.
    case lastOwner
    case alreadyMember
    /// The invitation is for another address, was already accepted, has expired, or was revoked.
    case invitationNotValid
    /// The operator has switched web hooks off.
    case webhooksOff
    /// The image is damaged or has too many pixels.
    case imageNotUsable(mostPixels: Int)

    // Feedback
    case feedbackNotOpen(opensAt: Instant?)
    case feedbackClosed
    case alreadyResponded
    /// The form takes one response from each device, and the request names no device.
    case deviceNotRecognized
    case questionsLocked
    /// One or two answers to an anonymous set are held back, and the edit would change which questions the
    /// rest of their group sees.
    case answersHeldBack
    /// `promise` can no longer change, because attendees saw or could have seen its value.
    case anonymityFixed
    /// The attendee answered a form that showed another promise. The associated value is the present one.
    case anonymityChanged(AnswerPromise)
    case noQuestions

    // Questions from the audience
    /// Attendees can neither ask nor vote now.
    case audienceQuestionsClosed
    /// The attendee asked on a form that showed another promise. The associated value is the present one.
    case audiencePromiseChanged(AudienceQuestion.Promise)
    /// The question was merged into another one, or the other one was merged into it.
    case alreadyMerged

    // Groups of interest
    /// The host has not switched the groups on, or the feedback window is over.
    case matchingClosed
    /// The attendee has not opted in.
    case matchNotJoined
    /// A host has excluded the attendee.
    case matchExcluded
    /// One of the two meets somebody, has too many requests, or has declined before.
    case matchNotPossible
    /// The request has expired, has ended or was answered, or the attendee meets nobody.
    case matchRequestOver
    /// The attendee has made too many requests in the last minute.
    case matchRequestsTooFast(afterSeconds: Int)
    /// The attendee opted in on a form that showed another promise. The associated value is the present one.
    case matchPromiseChanged(AudienceQuestion.Promise)
}

/// The kinds of things that a refusal or a message can be about.
package enum Thing: String, Sendable, CaseIterable {
    case account, meeting, session, attendee, question, questionSet, presenterLink, token, page, event,
        member, invitation, image, person,
        rosterSlot, form, response, job, audienceQuestion, mergedQuestion, mergedVote, removedVote,
        changedAnswer,
        matchPerson, matchOptIn, matchRequest, pendingMatchRequest, blockedPerson, matchReport, mail, device,
        webhook, webhookDelivery, consentText, pass, passKey, stay, certificate, certificateKey, reply,
        replyChange, satellite
}

/// An overlapping session together with the name of its meeting.
package struct Overlap: Hashable, Sendable {
    package let session: Session
    package let meetingName: String

    package init(_ session: Session, meetingName: String) {
        self.session = session
        self.meetingName = meetingName
    }
}

/// Functions for JSON pointers (RFC 6901).
package enum JSONPointer {
    /// Returns `name` as one reference token of a pointer, with `~` and `/` escaped (RFC 6901 §3).
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
    /// The JSON pointer (RFC 6901) of the field in the body, such as `/session/startsAt`. It is empty for the
    /// whole body.
    package let field: String
    package let reason: FieldReason
    /// The line of the uploaded file that contains the field, counted from 1. Nil if the request is not a
    /// file.
    package let line: Int?

    /// The largest number of errors that a response lists.
    package static let mostReported = 100

    package init(_ field: String, _ reason: FieldReason, line: Int? = nil) {
        self.field = field
        self.reason = reason
        self.line = line
    }
}

/// The reason why a field is wrong. `Wire` makes the message for people from this value.
package enum FieldReason: Error, Hashable, Sendable {
    case missing
    /// A response has no answers.
    case noAnswers
    /// The value has the wrong JSON type. `expected` is `string`, `integer`, `boolean`, `array` or `object`.
    case wrongType(expected: String)
    /// The text has fewer than `min` or more than `max` characters.
    case length(min: Int, max: Int)
    /// The integer is less than `min` or greater than `max`.
    case range(min: Int, max: Int)
    /// The list has fewer than `min` or more than `max` elements.
    case count(min: Int, max: Int)
    /// The text holds control characters, or invisible characters that its field does not allow.
    case notText
    /// The number of characters is allowed, but the number of bytes is too large.
    case tooManyBytes
    case notATime
    case notADate
    case notAnEmail
    case notAPhoneNumber
    case notAnID
    /// The new password is on the list of well-known passwords.
    case wellKnownPassword
    /// The new password contains the e-mail address of its account.
    case passwordContainsAddress
    /// The zone is not a name of the IANA time zone database.
    case unknownZone
    case endsBeforeStart
    case tooLongASession(maxDays: Int)
    /// The session is before 1970 or after 2199.
    case outsideTheYears
    /// The end of a token is in the past, or later than `maxDays` from now.
    case notALifetime(maxDays: Int)
    /// The value is none of the listed values.
    case notOneOf([String])
    /// The same value occurs twice.
    case repeated
    /// The field contradicts or repeats another field of the request.
    case notTogether(with: String)
    case unknownQuestion
    case unknownChoice

    // Answers to questions
    /// The answer is missing. The host's own rule has a message for a missing answer.
    case missingWithMessage(LocalizedText)
    /// The number is less than `min` or greater than `max`.
    case between(min: Double, max: Double)
    case decimals(most: Int)
    /// The day is before `earliest` or after `latest`; a dash stands for no limit.
    case dateOutside(earliest: String, latest: String)
    /// The answer has a text for the choice "other", but the attendee did not choose it, or the question does
    /// not have this choice.
    case otherNotChosen
    /// The answer breaks a rule of the host. The associated value is the rule.
    case rule(Rule)

    // Questions
    /// The pattern was rejected; the text is the pattern engine's reason.
    case badPattern(String)
    /// The rule cannot apply to the kind of the question.
    case ruleDoesNotApply
    /// The lower bound is above the upper bound.
    case reversedBounds
    /// More than one choice is marked as the choice "other". A question may have only one.
    case oneOther
    case notALanguage
    case notASetName
    /// A branch is in a set that shows no names. The following set would reveal the attendee's answer.
    case branchTellsAnswer
    /// The set belongs to every session, so it cannot be deleted.
    case setBelongsToSession
    /// Answers to an anonymous set cannot change, because nothing shows which answers to replace.
    case anonymousAnswersStay
    /// The set `check-in` can be neither anonymous nor published, because its answers belong to attendees.
    case checkInIsAlwaysNamed
    /// The meeting requires consent, and the attendee has not agreed.
    case notAgreed
    /// The attendee agreed to another text than the meeting's present one.
    case otherConsent
    case timeOfAbsentAttendee
    case inTheFuture
    case outsideTheWindow
    /// No attendee of the session has the given id.
    case unknownAttendee
    /// No person on the roster has the given id.
    case unknownPerson
    /// The text is no entry that an offline door of this session has signed.
    case notADoorEntry
    /// The text is no Ed25519 key.
    case notAPublicKey
    /// The session is not over, so nobody can get a certificate of it.
    case sessionNotOver
    /// The person is the same as in an earlier entry of the request. The text is the JSON pointer of that
    /// entry.
    case sameAs(String)
    /// Another person on the roster has the same e-mail address or number.
    case takenByAnotherPerson
    /// The file has no column with names.
    case noNameColumn
    /// A quoted cell has no closing quote, or text follows the closing quote.
    case badQuotes
    case tooManyColumns(most: Int)
    case notUTF8

    // Files of questions
    case notJSON
    case tooDeep(most: Int)
    case keyTooLong(most: Int)
    case tooManyValues(most: Int)
    /// The import cannot read the format of the file.
    case unknownFormat
    case unknownField
    /// The reference is ambiguous, because several things in the file have this name.
    case ambiguousName
    /// The target format cannot express this value.
    case notRepresentable
    case notAWebAddress
    case notAWebhookAddress
    case notAFormName
    /// Another form is already published under the same name.
    case formNameTaken
}
