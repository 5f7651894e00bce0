package import Phrases

extension ProblemCode {
    /// The detail of `storageUnavailable` if the operator can correct the problem by restoring the files.
    package static let storageMoved = Phrase(
        "Nothing was saved: the server's data folder was moved, replaced or deleted. Its operator must "
            + "restore the folder, or restart the server.")

    /// The detail of `storageUnavailable` if nobody knows whether the change was stored.
    package static let storageUnsure = Phrase(
        "It is not certain whether this was saved. Wait a moment and look, before you send it again.")

    /// The detail of `wrongCredentials` if the server checks the next password later.
    package static let nextPasswordWaits = Phrase(
        "Wrong e-mail address or password. The next password is checked {seconds} s from now.")

    /// The detail of `storageUnavailable` if a long command was begun and is completed later.
    package static let storageUnfinished = Phrase(
        "The server has begun this change, but could not finish it now. It finishes the change as soon as it "
            + "can write again. Check the result before you send the change again.")

    /// The detail of `storageUnavailable` if a long command was begun and reverted.
    package static let storageReverted = Phrase(
        "The server stopped before this change was complete, and has reverted it. Send the change again.")

    /// The detail of `internalError` if the database refused single steps of a long command.
    package static let storageIncomplete = Phrase(
        "The change is done, except for at least one entry that the server could not store. Compare the "
            + "result with your list. Ask the server's operator: the reason is in its log.")

    /// The detail of `internalError` if the database refused the values of a request.
    package static let unstorable = Phrase(
        "Nothing was saved, because the server could not store one of the values. Ask the server's operator: "
            + "the reason is in its log.")

    /// The detail of `sessionOverlap` for a token that may not see the other meeting.
    package static let overlapsAnotherMeeting = Phrase(
        "Another meeting takes place at that time. Choose another time, or save it anyway.")

    /// The details of `anonymityChanged`, by the present promise.
    package static let becameNamed = Phrase(
        "Nothing was stored. The form promised something else, but now your answers would be stored with "
            + "your name, and the host would see them. Decide whether to send them.")
    package static let becameHidden = Phrase(
        "Nothing was stored. The form promised something else. Now your answers would be stored with a "
            + "link to you, and shown without your name. Decide whether to send them.")
    package static let becameAnonymous = Phrase(
        "Nothing was stored. The form said that your answers are linked to you. Now they would be stored "
            + "without your name. Decide whether to send them.")
    /// The detail of `confirmationNeeded` if a question set has responses.
    package static let answersWouldBeDeleted = Phrase(
        "This also deletes {count} {count|response|responses}. To confirm, enter the name of the set: {name}")
    /// The detail of `anonymityChanged` if an attendee's question would now be stored with the name.
    package static let questionsBecameNamed = Phrase(
        "Your question was not sent. The form said that nobody sees your name. The host has "
            + "changed this: hosts now see it. Send the question only if you agree.")
    /// The detail of `anonymityChanged` if the hosts would now see the names in groups of interest.
    package static let groupsBecameNamed = Phrase(
        "Nothing was stored. The form said that your name is shown to nobody, but now the hosts would see "
            + "it beside your nickname. Decide whether to take part.")
    /// The detail of `anonymityChanged` if nobody would now see the names in groups of interest.
    package static let groupsBecameHidden = Phrase(
        "Nothing was stored. The form said that the hosts see your name, but now your name would be shown to "
            + "nobody. Decide whether to take part.")
    /// The detail of `anonymityChanged` if an attendee's question would now be shown without the name.
    package static let questionsBecameHidden = Phrase(
        "Your question was not sent. The form said that the hosts see your name. The host has "
            + "changed this: nobody sees it now. Decide again whether to send the question.")
    /// The detail of `storageUnavailable` if the database is damaged.
    package static let storageDamaged = Phrase(
        "Nothing was saved: the server's database is damaged. Its operator must restore a backup.")
    /// The detail of `storageFull` while a little space is left.
    package static let storageLow = Phrase(
        "Less than {least} is free on the server's disk. Its operator must free space, or saving will fail "
            + "soon.")

    /// The title and detail of the problem.
    package var phrases: ProblemPhrases {
        switch self {
        case .notJSON:
            ProblemPhrases(
                Phrase("Not JSON"),
                Phrase("The body is not a JSON object. Send UTF-8 JSON without duplicate keys."))
        case .jsonTooDeep:
            ProblemPhrases(
                Phrase("JSON is nested too deeply"),
                Phrase("Objects and arrays may be nested at most {limit} levels deep."))
        case .jsonKeyTooLong:
            ProblemPhrases(
                Phrase("A key in the JSON is too long"),
                Phrase("A key of a JSON object can have at most {limit} bytes."))
        case .jsonTooManyValues:
            ProblemPhrases(
                Phrase("Too many values in the JSON"), Phrase("Send at most {limit} values in one request."))
        case .badRequest:
            ProblemPhrases(
                Phrase("Bad request"),
                Phrase(
                    "The request violates HTTP's grammar. Correct it as RFC 9112 describes, then send it "
                        + "again."))
        case .invalidFields:
            ProblemPhrases(
                Phrase("Some values were refused"), Phrase("Check the values below, then try again."))
        case .unsupportedMediaType:
            ProblemPhrases(Phrase("Unsupported media type"), Phrase("Send the body as {expected}."))
        case .bodyTooLarge:
            ProblemPhrases(Phrase("Too large"), Phrase("You can send at most {limit} here."))
        case .headersTooLarge:
            ProblemPhrases(
                Phrase("Headers too large"),
                Phrase("The headers may have at most 8 KB. Send fewer or shorter ones."))
        case .requestTimeout:
            ProblemPhrases(
                Phrase("Too slow", context: "problem"),
                Phrase("The request did not arrive within 10 seconds. Send it again."))
        case .methodNotAllowed:
            ProblemPhrases(
                Phrase("Method not allowed"), Phrase("Use one of the methods in the Allow header."))
        case .upgradeRefused:
            ProblemPhrases(
                Phrase("Not a room connection"),
                Phrase(
                    "Open a new connection and send GET /rooms with Upgrade: websocket, version 13 and the "
                        + "subprotocol qring.v1."))
        case .streamRefused:
            ProblemPhrases(
                Phrase("Not an event stream"),
                Phrase(
                    "Send GET /rooms/events with HTTP/1.1 on a new connection, without a body and with "
                        + "nothing after it."))
        case .ticketNotValid:
            ProblemPhrases(
                Phrase("This ticket is not valid"),
                Phrase("A ticket is valid once, for 30 seconds. Request a new one and connect again."))
        case .notFound:
            ProblemPhrases(
                Phrase("Not found"), Phrase("We can't find that {thing}. It may have been deleted."))
        case .addressNotFetched:
            ProblemPhrases(
                Phrase("The server could not download the file"),
                Phrase("Reason: {reason}. Download the file yourself, then send it."))
        case .notSignedIn:
            ProblemPhrases(Phrase("Not signed in"), Phrase("Sign in, then try again."))
        case .wrongCredentials:
            ProblemPhrases(Phrase("Sign-in failed"), Phrase("Wrong e-mail address or password."))
        case .signInEnded:
            ProblemPhrases(
                Phrase("Signed out for your safety"),
                Phrase(
                    "This sign-in was used in two places, so somebody may have copied it. It has ended "
                        + "everywhere. Sign in again."))
        case .tokenExpired:
            ProblemPhrases(
                Phrase("The sign-in must be renewed"),
                Phrase("This access token has expired. Renew it with the refresh token, or sign in again."))
        case .accountSuspended:
            ProblemPhrases(
                Phrase("Your account is suspended"),
                Phrase(
                    "An operator of this server has suspended your account. Your data is still stored. Ask "
                        + "the operator."))
        case .accountWithdrawn:
            ProblemPhrases(
                Phrase("This account was deleted"),
                Phrase("Nobody can sign in to this account any more. Sign up again if you need an account."))
        case .confirmationCodeNotValid:
            ProblemPhrases(
                Phrase("This code is not valid", context: "sign-in"),
                Phrase(
                    "The code is wrong, has expired or was used. Check the newest message or request a "
                        + "new code."))
        case .accountNotVerified:
            ProblemPhrases(
                Phrase("Verify your e-mail address first"),
                Phrase(
                    "Enter the code from the mail that this server sent to you. You can request a new mail."))
        case .tokenLimited:
            ProblemPhrases(
                Phrase("This token may not do this"),
                Phrase(
                    "The token is limited to reading or to one meeting, or this needs a sign-in. Sign in, or "
                        + "create a token that may do it."))
        case .receiptNotValid:
            ProblemPhrases(
                Phrase("No valid check-in"),
                Phrase("This check-in is no longer valid, or this device has none. Check in again."))
        case .notAllowed:
            ProblemPhrases(
                Phrase("Not allowed"), Phrase("Your role does not allow this. Ask an owner of the meeting."))
        case .originNotAllowed:
            ProblemPhrases(
                Phrase("Not allowed from this page"),
                Phrase("This can only be sent from the server's own pages."))
        case .signUpClosed:
            ProblemPhrases(
                Phrase("Sign-up is closed"), Phrase("This server accepts no new accounts. Ask its operator."))
        case .webhooksOff:
            ProblemPhrases(
                Phrase("Web hooks are switched off"),
                Phrase(
                    "This server sends no events, because its operator has switched web hooks off. Ask its "
                        + "operator."))
        case .setupTokenRequired:
            ProblemPhrases(
                Phrase("Set-up token required"),
                Phrase(
                    "The first account becomes the operator. Enter the set-up token. The server printed it "
                        + "when it started, and it is in the file setup-token of the data folder."))
        case .setupTokenNotValid:
            ProblemPhrases(
                Phrase("Wrong set-up token"),
                Phrase("Check the token. It is in the file setup-token of the server's data folder."))
        case .tooManyAttempts:
            ProblemPhrases(Phrase("Too many failed attempts"), Phrase("Wait {seconds} s, then try again."))
        case .tooManyCodeRequests:
            ProblemPhrases(
                Phrase("Too many requests for codes"),
                Phrase(
                    "Many people have just asked for codes. Ask for yours again in {time}. A code that you "
                        + "already have is valid for 10 minutes."))
        case .tooManySignUps:
            ProblemPhrases(
                Phrase("Too many new accounts"),
                Phrase(
                    "Too many people signed up from your network in the last hour. Try again in {minutes} "
                        + "min, or ask the operator for an invitation."))
        case .emailTaken:
            ProblemPhrases(
                Phrase("This e-mail address has an account"),
                Phrase("Sign in with this address, or use another one."))
        case .sessionOverlap:
            ProblemPhrases(
                Phrase("Sessions overlap"),
                Phrase("{name} takes place at that time. Choose another time, or save it anyway."))
        case .sessionOver:
            ProblemPhrases(
                Phrase("The session is over"), Phrase("You cannot change this after the session has ended."))
        case .sessionHasAttendees:
            ProblemPhrases(
                Phrase("There are attendees already"),
                Phrase("You can change how attendees are identified only before the first one checks in."))
        case .confirmationNeeded:
            ProblemPhrases(
                Phrase("Confirmation required"),
                Phrase("This also deletes check-ins: {count}. To confirm, enter the name: {name}"))
        case .limitReached:
            ProblemPhrases(Phrase("Limit reached"), Phrase("At most {limit} {thing} are allowed."))
        case .questionSetsTooLarge:
            ProblemPhrases(
                Phrase("Too many questions"),
                Phrase(
                    "All questions of a session together may have 1.25 MB, 1,000 questions, and 25,000 texts "
                        + "in all languages. Shorten or delete questions of this session, or copy fewer of "
                        + "them."))
        case .meetingIsBusy:
            ProblemPhrases(
                Phrase("A long change is in progress"),
                Phrase("Another long change of this meeting is in progress. Try again in a few seconds."))
        case .alreadyOnRoster:
            ProblemPhrases(
                Phrase("Already on the roster"),
                Phrase(
                    "{name} has this roster entry, e-mail address or number. Edit that entry, or restore "
                        + "it from the archive."))
        case .nameOnRoster:
            ProblemPhrases(
                Phrase("This name is on the roster"),
                Phrase("{name} is on the roster already. If this is another person, add them anyway."))
        case .versionMismatch:
            ProblemPhrases(Phrase("Changed meanwhile"), .Record.changedMeanwhile)
        case .preconditionRequired:
            ProblemPhrases(
                Phrase("The version is missing"),
                Phrase(
                    "Somebody else may be editing this too. Read it first, then send its ETag as If-Match. "
                        + "If-Match: * overwrites any version."))
        case .idempotencyKeyUsed:
            ProblemPhrases(
                Phrase("Key used for another request"),
                Phrase("Another request was sent with this Idempotency-Key. Use a new key."))
        case .codeNotValid:
            ProblemPhrases(
                Phrase("This code is not valid"),
                Phrase("This code has expired. Scan the one on the screen now."))
        case .grantNotValid:
            ProblemPhrases(
                Phrase("Start again"),
                Phrase(
                    "This form has expired, or it was opened in another browser. Scan or type the code again."
                ))
        case .grantExpired:
            ProblemPhrases(
                Phrase("Your scan has expired"),
                Phrase("Scan the code on the screen again, or type it. What you typed is kept."))
        case .grantUsedUp:
            ProblemPhrases(
                Phrase("One scan is for one person"),
                Phrase("This scan was used for several people. Scan or type the code again."))
        case .renamedTooOften:
            ProblemPhrases(
                Phrase("Name changed too often"),
                Phrase("You have changed your name {limit} times. Ask the host to correct it."))
        case .checkOutOff:
            ProblemPhrases(
                Phrase("Leaving is not recorded here"),
                Phrase(
                    "This session does not record that attendees leave this way. Tell the host, or the staff "
                        + "at the door."))
        case .notCheckedIn:
            ProblemPhrases(
                Phrase("Not checked in"),
                Phrase(
                    "Leaving and returning are recorded only after a check-in. Check in first, or ask the "
                        + "host."))
        case .repliesClosed:
            ProblemPhrases(
                Phrase("No replies now"),
                Phrase(
                    "The session does not ask for replies, it is over, or you have checked in already. Ask "
                        + "the host."))
        case .alreadyReplied:
            ProblemPhrases(
                Phrase("A reply has arrived already"),
                Phrase(
                    "Somebody has replied with this address or number. To change your reply, use your own "
                        + "link from the page or from the mail. If you have lost it, ask the host."))
        case .noSeats:
            ProblemPhrases(
                Phrase("Not enough free seats"),
                Phrase(
                    "{count} {count|seat is|seats are} free. Bring fewer guests, or wait until more seats "
                        + "are free. The reply has not changed."))
        case .checkInNotOpen:
            ProblemPhrases(Phrase("Check-in is not open yet"), Phrase("It opens at {time}."))
        case .checkInClosed:
            ProblemPhrases(
                Phrase("Check-in is closed"), Phrase("It closed at {time}. Ask the host to add you."))
        case .satelliteCodeNotValid:
            ProblemPhrases(
                Phrase("This code opens no offline door"),
                Phrase(
                    "The code is wrong, was used, or is older than a week. Ask the host for a new offline "
                        + "door."))
        case .satelliteRevoked:
            ProblemPhrases(
                Phrase("This offline door has been revoked"),
                Phrase(
                    "The server takes no more from this laptop until the host decides. Ask the host for a "
                        + "new offline door."))
        case .doorEntriesDiffer:
            ProblemPhrases(
                Phrase("Two laptops use the same offline door"),
                Phrase(
                    "The folder of this offline door was copied or restored, so its entries no longer fit. "
                        + "Nothing was stored. Ask the host for a new offline door."))
        case .walkInOffline:
            ProblemPhrases(
                Phrase("No walk-ins at an offline door"),
                Phrase(
                    "An offline door stores passes, numbers and names of the list only. Note the person's "
                        + "name, and add the person when the server is back."))
        case .attendeeExists:
            ProblemPhrases(
                Phrase("This attendee exists already"),
                Phrase("An attendee of this session has this e-mail address or number. Correct that record."))
        case .addressInUse:
            ProblemPhrases(
                Phrase("Is this address yours?"),
                Phrase(
                    "This address or number is in use in this session already. If you mistyped it, correct "
                        + "it. If you checked in twice, ask the host to merge the two check-ins."))
        case .namesDeleted:
            ProblemPhrases(
                Phrase("The names of this session were deleted"),
                Phrase(
                    "The server deletes names some time after a session. Statuses, answers and counts stay, "
                        + "but nobody can add or correct attendees of this session any more."))
        case .cannotBeUndone:
            ProblemPhrases(
                Phrase("Cannot be undone"),
                Phrase(
                    "This event is not a correction, or its old values were deleted. Correct the record "
                        + "instead."))
        case .changedSince:
            ProblemPhrases(
                Phrase("Changed again later"),
                Phrase(
                    "A later change affects the same record. Undo that change first, or correct the record."))
        case .nothingToUndo:
            ProblemPhrases(
                Phrase("Nothing to undo"),
                Phrase("No correction can be undone now. The journal shows what has changed since."))
        case .nothingToRedo:
            ProblemPhrases(
                Phrase("Nothing to redo"),
                Phrase("Nothing was undone, or somebody has made a new change since. Make the change again."))
        case .lastOwner:
            ProblemPhrases(
                Phrase("The last owner"),
                Phrase("A meeting needs an owner. Make somebody else an owner first."))
        case .lastOperator:
            ProblemPhrases(
                Phrase("The only operator"),
                Phrase(
                    "A server needs an operator. First make another account an operator: stop the server, "
                        + "and run qring admin user make-operator EMAIL on its machine."))
        case .alreadyMember:
            ProblemPhrases(
                Phrase("Already a member"),
                Phrase("The account with this address is a member. Change its role instead."))
        case .invitationNotValid:
            ProblemPhrases(
                Phrase("Invitation not valid"),
                Phrase(
                    "The invitation is for another address, has been used, has expired, or was revoked. Ask "
                        + "the person who invited you for a new one."))
        case .notAnImage:
            ProblemPhrases(
                Phrase("Not a JPEG or PNG"),
                Phrase(
                    "The file must be a JPEG or PNG image of at most {limit}. Save the image in one of "
                        + "these formats."))
        case .imageNotUsable:
            ProblemPhrases(
                Phrase("Image not usable"),
                Phrase("The image is damaged or has more than {limit} million pixels. Send a smaller one."))
        case .feedbackNotOpen:
            ProblemPhrases(Phrase("Feedback is not open yet"), Phrase("It opens at {time}."))
        case .feedbackClosed:
            ProblemPhrases(
                Phrase("Feedback is closed"),
                Phrase("Answers are no longer accepted. Ask the host to open it again."))
        case .alreadyResponded:
            ProblemPhrases(Phrase("Answered already"), Phrase("Your answers are stored. They cannot change."))
        case .deviceNotRecognized:
            ProblemPhrases(
                Phrase("This device was not recognized"),
                Phrase(
                    "The form takes one answer from each device. Allow cookies for this page, open the form "
                        + "again, and send your answers."))
        case .questionsLocked:
            ProblemPhrases(
                Phrase("Questions are locked"),
                Phrase(
                    "There are responses already. You can still change texts, and add optional questions "
                        + "at the end."))
        case .answersHeldBack:
            ProblemPhrases(
                Phrase("You can't change these questions yet"),
                Phrase(
                    "One or two anonymous answers still wait for a group of three. If you add, hide "
                        + "or show a question now, the results can reveal who gave them. Try again after "
                        + "more answers, or create a new set."))
        case .anonymityFixed:
            ProblemPhrases(
                Phrase("The promise is fixed"),
                Phrase(
                    "These questions were opened or shown, so you can no longer change whether answers are "
                        + "anonymous, without names or with names. Create a new set instead."))
        case .anonymityChanged:
            ProblemPhrases(
                Phrase("The form has changed"),
                Phrase("Nothing was stored. Read the form again, then decide whether to send your answers."))
        case .noQuestions:
            ProblemPhrases(
                Phrase("No questions", context: "problem"),
                Phrase("The host has not added any questions here."))
        case .audienceQuestionsClosed:
            ProblemPhrases(
                Phrase("The host is not accepting questions"),
                Phrase("Ask the host to accept audience questions."))
        case .alreadyMerged:
            ProblemPhrases(
                Phrase("Already merged"),
                Phrase(
                    "This question was merged into another one. Load the list again, and use the "
                        + "question that remains."))
        case .matchingClosed:
            ProblemPhrases(
                Phrase("Groups of interest are off"),
                Phrase("Nobody can take part now. Ask the host to switch the groups of interest on."))
        case .matchNotJoined:
            ProblemPhrases(
                Phrase("Take part first"), Phrase("Choose a nickname and keywords, then ask again."))
        case .matchExcluded:
            ProblemPhrases(
                Phrase("You cannot take part"),
                Phrase("A host has excluded you from the groups of interest of this session. Ask a host why.")
            )
        case .matchNotPossible:
            ProblemPhrases(
                Phrase("This person cannot be asked now"),
                Phrase(
                    "Perhaps one of you is already meeting somebody, or the person has declined. "
                        + "Ask somebody else."))
        case .matchRequestOver:
            ProblemPhrases(
                Phrase("This request is over"),
                Phrase("It has expired, was answered or was withdrawn. Look at the page again."))
        case .matchRequestsTooFast:
            ProblemPhrases(
                Phrase("Too many requests"),
                Phrase("You asked often in the last minute. Try again in {seconds} s."))
        case .unknownRoom:
            ProblemPhrases(
                Phrase("Unknown room"),
                Phrase("Rooms are session:<id>, presenter:<id>, audience:<id> and home."))
        case .notJoined:
            ProblemPhrases(Phrase("Not joined"), Phrase("Join the room first."))
        case .tooManyRooms:
            ProblemPhrases(
                Phrase("Too many rooms"),
                Phrase("A connection can join at most {limit} rooms. Leave one, or open another connection."))
        case .internalError:
            ProblemPhrases(
                Phrase("Something went wrong"),
                Phrase("This is an error in the server. Tell its operator the request id."))
        case .overloaded:
            ProblemPhrases(
                Phrase("Busy"), Phrase("The server is busy. Nothing was changed. Try again in a moment."))
        case .tooManyChanges:
            ProblemPhrases(
                Phrase("Too many changes"),
                Phrase(
                    "Your account made too many changes in a short time. This one was not made. "
                        + "Try again in {seconds} s."))
        case .oneAtATime:
            ProblemPhrases(
                Phrase("Still working"),
                Phrase(
                    "Several of your lists or exports are still being made. Wait until they are ready, then "
                        + "try again."))
        case .tooMuchAtOnce:
            ProblemPhrases(
                Phrase("Too much at once"),
                Phrase(
                    "This search or export reads too much data at once. Choose fewer items for a page, or a "
                        + "smaller part of the data."))
        case .storageUnavailable:
            ProblemPhrases(
                Phrase("Storage unavailable"),
                Phrase("Nothing was saved. Try again in a moment. If this continues, tell the operator."))
        case .storageFull:
            ProblemPhrases(
                Phrase("Storage is full"),
                Phrase(
                    "Nothing was saved. The operator must free disk space, or raise the quota or the limit "
                        + "on file sizes."))
        }
    }
}
