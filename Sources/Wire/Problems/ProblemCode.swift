package import Phrases

/// The codes of all problems, with their HTTP status.
package enum ProblemCode: String, Sendable, Codable, CaseIterable {
    // Problems of the request
    case notJSON = "not_json"
    case jsonTooDeep = "json_too_deep"
    case jsonKeyTooLong = "json_key_too_long"
    case jsonTooManyValues = "json_too_many_values"
    case badRequest = "bad_request"
    case invalidFields = "invalid_fields"
    case unsupportedMediaType = "unsupported_media_type"
    case bodyTooLarge = "body_too_large"
    case headersTooLarge = "headers_too_large"
    case requestTimeout = "request_timeout"
    case methodNotAllowed = "method_not_allowed"
    case upgradeRefused = "upgrade_refused"
    case streamRefused = "stream_refused"
    case notFound = "not_found"
    case addressNotFetched = "address_not_fetched"

    // Problems of the caller's identity and rights
    case notSignedIn = "not_signed_in"
    case wrongCredentials = "wrong_credentials"
    case signInEnded = "sign_in_ended"
    case tokenExpired = "token_expired"
    case accountSuspended = "account_suspended"
    case accountWithdrawn = "account_withdrawn"
    case accountNotVerified = "account_not_verified"
    case confirmationCodeNotValid = "confirmation_code_not_valid"
    case tokenLimited = "token_limited"
    case receiptNotValid = "receipt_not_valid"
    case ticketNotValid = "ticket_not_valid"
    case notAllowed = "not_allowed"
    case originNotAllowed = "origin_not_allowed"
    case signUpClosed = "sign_up_closed"
    case setupTokenRequired = "setup_token_required"
    case setupTokenNotValid = "setup_token_not_valid"
    case tooManyAttempts = "too_many_attempts"
    case tooManySignUps = "too_many_sign_ups"
    case tooManyCodeRequests = "too_many_code_requests"

    // Conflicts with the present data
    case emailTaken = "email_taken"
    case lastOperator = "last_operator"
    case sessionOverlap = "session_overlap"
    case sessionOver = "session_over"
    case sessionHasAttendees = "session_has_attendees"
    case confirmationNeeded = "confirmation_needed"
    case limitReached = "limit_reached"
    case questionSetsTooLarge = "question_sets_too_large"
    case versionMismatch = "version_mismatch"
    case preconditionRequired = "precondition_required"
    case alreadyOnRoster = "already_on_roster"
    case nameOnRoster = "name_on_roster"
    case idempotencyKeyUsed = "idempotency_key_used"

    // Problems of check-in
    case codeNotValid = "code_not_valid"
    case grantNotValid = "grant_not_valid"
    case grantExpired = "grant_expired"
    case grantUsedUp = "grant_used_up"
    case renamedTooOften = "renamed_too_often"
    case checkOutOff = "check_out_off"
    case notCheckedIn = "not_checked_in"
    case repliesClosed = "replies_closed"
    case alreadyReplied = "already_replied"
    case noSeats = "no_seats"
    case checkInNotOpen = "check_in_not_open"
    case checkInClosed = "check_in_closed"

    // Problems of offline doors
    case satelliteCodeNotValid = "satellite_code_not_valid"
    case satelliteRevoked = "satellite_revoked"
    case doorEntriesDiffer = "door_entries_differ"
    case walkInOffline = "walk_in_offline"

    // Problems of corrections
    case attendeeExists = "attendee_exists"
    case addressInUse = "address_in_use"
    case namesDeleted = "names_deleted"
    case cannotBeUndone = "cannot_be_undone"
    case changedSince = "changed_since"
    case nothingToUndo = "nothing_to_undo"
    case nothingToRedo = "nothing_to_redo"

    // Problems of roles and images
    case lastOwner = "last_owner"
    case alreadyMember = "already_member"
    case invitationNotValid = "invitation_not_valid"
    case webhooksOff = "webhooks_off"
    case imageNotUsable = "image_not_usable"
    case notAnImage = "not_an_image"

    // Problems of feedback
    case feedbackNotOpen = "feedback_not_open"
    case feedbackClosed = "feedback_closed"
    case alreadyResponded = "already_responded"
    case deviceNotRecognized = "device_not_recognized"
    case questionsLocked = "questions_locked"
    case answersHeldBack = "answers_held_back"
    case anonymityFixed = "anonymity_fixed"
    case anonymityChanged = "anonymity_changed"
    case noQuestions = "no_questions"

    // Problems of questions from the audience
    case audienceQuestionsClosed = "audience_questions_closed"
    case alreadyMerged = "already_merged"

    // Problems of groups of interest
    case matchingClosed = "matching_closed"
    case matchNotJoined = "match_not_joined"
    case matchExcluded = "match_excluded"
    case matchNotPossible = "match_not_possible"
    case matchRequestOver = "match_request_over"
    case matchRequestsTooFast = "match_requests_too_fast"

    // Problems of rooms
    case unknownRoom = "unknown_room"
    case notJoined = "not_joined"
    case tooManyRooms = "too_many_rooms"

    // Problems of the server
    case internalError = "internal_error"
    case overloaded = "overloaded"
    case meetingIsBusy = "meeting_is_busy"
    case tooManyChanges = "too_many_changes"
    case oneAtATime = "one_at_a_time"
    case tooMuchAtOnce = "too_much_at_once"
    case storageUnavailable = "storage_unavailable"
    case storageFull = "storage_full"

    package var status: Int {
        switch self {
        case .notJSON, .jsonTooDeep, .jsonKeyTooLong, .jsonTooManyValues, .badRequest,
            .streamRefused:
            400
        case .notSignedIn, .wrongCredentials, .signInEnded, .receiptNotValid, .tokenExpired,
            .accountWithdrawn, .ticketNotValid, .satelliteRevoked:
            401
        case .accountSuspended, .accountNotVerified, .tokenLimited, .notAllowed, .originNotAllowed,
            .signUpClosed, .setupTokenRequired, .matchExcluded, .deviceNotRecognized, .webhooksOff:
            403
        case .notFound, .unknownRoom: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .idempotencyKeyUsed, .emailTaken, .sessionOverlap, .sessionOver, .sessionHasAttendees,
            .confirmationNeeded, .limitReached, .questionSetsTooLarge,
            .checkInNotOpen, .checkInClosed, .grantUsedUp, .renamedTooOften, .checkOutOff, .notCheckedIn,
            .repliesClosed, .alreadyReplied, .noSeats, .doorEntriesDiffer, .walkInOffline,
            .attendeeExists, .addressInUse, .namesDeleted,
            .cannotBeUndone, .changedSince, .nothingToUndo, .nothingToRedo, .lastOwner,
            .lastOperator, .alreadyMember,
            .alreadyOnRoster, .nameOnRoster, .feedbackNotOpen, .feedbackClosed, .alreadyResponded,
            .questionsLocked,
            .answersHeldBack, .anonymityFixed, .anonymityChanged,
            .noQuestions, .audienceQuestionsClosed, .alreadyMerged, .notJoined, .tooManyRooms,
            .matchingClosed, .matchNotJoined, .matchNotPossible, .matchRequestOver:
            409
        case .versionMismatch: 412
        case .bodyTooLarge: 413
        case .unsupportedMediaType, .notAnImage: 415
        case .invalidFields, .setupTokenNotValid, .confirmationCodeNotValid, .codeNotValid, .grantNotValid,
            .grantExpired, .satelliteCodeNotValid,
            .invitationNotValid,
            .imageNotUsable, .addressNotFetched:
            422
        case .upgradeRefused: 426
        case .preconditionRequired: 428
        case .tooManyAttempts, .tooManySignUps, .tooManyCodeRequests, .tooManyChanges, .oneAtATime,
            .matchRequestsTooFast:
            429
        case .headersTooLarge: 431
        case .internalError: 500
        case .overloaded, .meetingIsBusy, .tooMuchAtOnce, .storageUnavailable, .storageFull: 503
        }
    }
}

/// The title and detail of a problem. Placeholders such as `{limit}` are replaced with the problem's values.
package struct ProblemPhrases: Sendable {
    package let title: Phrase
    package let detail: Phrase

    init(_ title: Phrase, _ detail: Phrase) {
        self.title = title
        self.detail = detail
    }
}
