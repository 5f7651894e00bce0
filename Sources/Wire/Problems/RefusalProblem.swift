package import Meetings
package import Phrases

extension Problem {
    /// Makes the problem for a rule's refusal.
    package init(_ refusal: Refusal, in language: Language) {
        switch refusal {
        case .notFound(let thing):
            self.init(code: .notFound, in: language, ["thing": thing.asObject(in: language)])
        case .notAllowed: self.init(code: .notAllowed, in: language)
        case .invalid(let errors):
            self.init(code: .invalidFields, in: language)
            self.errors = errors.prefix(FieldError.mostReported).map { FieldProblem($0, in: language) }
        case .versionMismatch(let current):
            self.init(code: .versionMismatch, in: language)
            self.current = current
        case .emailTaken: self.init(code: .emailTaken, in: language)
        case .signUpClosed: self.init(code: .signUpClosed, in: language)
        case .setupTokenRequired: self.init(code: .setupTokenRequired, in: language)
        case .setupTokenNotValid: self.init(code: .setupTokenNotValid, in: language)
        case .lastOperator: self.init(code: .lastOperator, in: language)
        case .wrongCredentials, .passwordChanged: self.init(code: .wrongCredentials, in: language)
        case .signInEnded: self.init(code: .signInEnded, in: language)
        case .tokenExpired: self.init(code: .tokenExpired, in: language)
        case .accountSuspended: self.init(code: .accountSuspended, in: language)
        case .accountWithdrawn: self.init(code: .accountWithdrawn, in: language)
        case .confirmationCodeNotValid: self.init(code: .confirmationCodeNotValid, in: language)
        case .tokenLimited: self.init(code: .tokenLimited, in: language)
        case .accountNotVerified: self.init(code: .accountNotVerified, in: language)
        case .sessionOverlap(let overlaps):
            // The list is empty if the caller's token opens none of the other meetings.
            self.init(
                code: .sessionOverlap, in: language, ["name": overlaps.first?.meetingName ?? ""],
                saying: overlaps.isEmpty ? ProblemCode.overlapsAnotherMeeting : nil)
            self.overlaps = overlaps.map(OverlapBody.init)
        case .sessionOver: self.init(code: .sessionOver, in: language)
        case .sessionHasAttendees: self.init(code: .sessionHasAttendees, in: language)
        case .confirmationNeeded(let name, let checkIns):
            self.init(code: .confirmationNeeded, in: language, ["name": name, "count": String(checkIns)])
        case .answersWouldBeDeleted(let set, let responses):
            self.init(
                code: .confirmationNeeded, in: language, ["name": set, "count": String(responses)],
                saying: ProblemCode.answersWouldBeDeleted)
        case .limitReached(let thing, let limit):
            self.init(
                code: .limitReached, in: language,
                ["thing": thing.plural(in: language), "limit": String(limit)])
        case .questionSetsTooLarge: self.init(code: .questionSetsTooLarge, in: language)
        case .meetingIsBusy:
            self.init(code: .meetingIsBusy, in: language)
            retryAfterSeconds = 2
        case .nameOnRoster(let name): self.init(code: .nameOnRoster, in: language, ["name": name])
        case .alreadyOnRoster(let name): self.init(code: .alreadyOnRoster, in: language, ["name": name])
        case .keyUsedForAnotherRequest: self.init(code: .idempotencyKeyUsed, in: language)
        case .codeNotValid: self.init(code: .codeNotValid, in: language)
        case .grantNotValid: self.init(code: .grantNotValid, in: language)
        case .grantExpired: self.init(code: .grantExpired, in: language)
        case .grantUsedUp: self.init(code: .grantUsedUp, in: language)
        case .renamedTooOften(let limit):
            self.init(code: .renamedTooOften, in: language, ["limit": String(limit)])
        case .checkOutOff: self.init(code: .checkOutOff, in: language)
        case .notCheckedIn: self.init(code: .notCheckedIn, in: language)
        case .repliesClosed: self.init(code: .repliesClosed, in: language)
        case .alreadyReplied: self.init(code: .alreadyReplied, in: language)
        case .noSeats(let free): self.init(code: .noSeats, in: language, ["count": String(free)])
        case .namesDeleted: self.init(code: .namesDeleted, in: language)
        case .receiptNotValid: self.init(code: .receiptNotValid, in: language)
        case .checkInNotOpen(let opensAt):
            self.init(code: .checkInNotOpen, in: language, ["time": opensAt.rfc3339])
            self.opensAt = opensAt
        case .checkInClosed(let closedAt):
            self.init(
                code: .checkInClosed, in: language, ["time": closedAt?.rfc3339 ?? ""],
                saying: closedAt == nil
                    ? Phrase("No session is planned now. Ask the host.")
                    : nil)
            self.closedAt = closedAt
        case .satelliteCodeNotValid: self.init(code: .satelliteCodeNotValid, in: language)
        case .satelliteRevoked: self.init(code: .satelliteRevoked, in: language)
        case .doorEntriesDiffer: self.init(code: .doorEntriesDiffer, in: language)
        case .attendeeExists(let attendee):
            self.init(code: .attendeeExists, in: language)
            attendeeId = attendee
        case .addressInUse: self.init(code: .addressInUse, in: language)
        case .cannotBeUndone: self.init(code: .cannotBeUndone, in: language)
        case .changedSince: self.init(code: .changedSince, in: language)
        case .nothingToUndo: self.init(code: .nothingToUndo, in: language)
        case .nothingToRedo: self.init(code: .nothingToRedo, in: language)
        case .lastOwner: self.init(code: .lastOwner, in: language)
        case .alreadyMember: self.init(code: .alreadyMember, in: language)
        case .invitationNotValid: self.init(code: .invitationNotValid, in: language)
        case .webhooksOff: self.init(code: .webhooksOff, in: language)
        case .imageNotUsable(let most):
            self.init(code: .imageNotUsable, in: language, ["limit": String(most)])
        case .feedbackNotOpen(let opensAt):
            self.init(
                code: .feedbackNotOpen, in: language, ["time": opensAt?.rfc3339 ?? ""],
                saying: opensAt == nil
                    ? Phrase("The host opens these questions. Look again a little later.") : nil)
            self.opensAt = opensAt
        case .feedbackClosed: self.init(code: .feedbackClosed, in: language)
        case .alreadyResponded: self.init(code: .alreadyResponded, in: language)
        case .deviceNotRecognized: self.init(code: .deviceNotRecognized, in: language)
        case .questionsLocked: self.init(code: .questionsLocked, in: language)
        case .answersHeldBack: self.init(code: .answersHeldBack, in: language)
        case .anonymityFixed: self.init(code: .anonymityFixed, in: language)
        case .anonymityChanged(let promise):
            self.init(code: .anonymityChanged, in: language, saying: promise.newPhrase)
            anonymous = promise == .anonymous
            self.promise = promise
        case .noQuestions: self.init(code: .noQuestions, in: language)
        case .audienceQuestionsClosed: self.init(code: .audienceQuestionsClosed, in: language)
        case .audiencePromiseChanged(let promise):
            self.init(
                code: .anonymityChanged, in: language,
                saying: promise == .named
                    ? ProblemCode.questionsBecameNamed : ProblemCode.questionsBecameHidden)
        case .alreadyMerged: self.init(code: .alreadyMerged, in: language)
        case .matchingClosed: self.init(code: .matchingClosed, in: language)
        case .matchNotJoined: self.init(code: .matchNotJoined, in: language)
        case .matchExcluded: self.init(code: .matchExcluded, in: language)
        case .matchNotPossible: self.init(code: .matchNotPossible, in: language)
        case .matchRequestOver: self.init(code: .matchRequestOver, in: language)
        case .matchRequestsTooFast(let seconds):
            self.init(code: .matchRequestsTooFast, in: language, ["seconds": String(seconds)])
            retryAfterSeconds = seconds
        case .matchPromiseChanged(let promise):
            self.init(
                code: .anonymityChanged, in: language,
                saying: promise == .named ? ProblemCode.groupsBecameNamed : ProblemCode.groupsBecameHidden)
            self.promise = promise == .named ? .named : .hidden
        }
    }
}

extension Thing {
    /// Returns the name as the object of a sentence. In Korean, 을 or 를 follows, depending on the final
    /// consonant.
    fileprivate func asObject(in language: Language) -> String {
        let name = phrase.text(in: language)
        guard language == .korean, let last = name.unicodeScalars.last?.value,
            (0xAC00...0xD7A3).contains(last)
        else { return name }
        // Unicode has 28 syllables for each pair of an initial and a vowel. The first of them has no final
        // consonant.
        return name + ((last - 0xAC00) % 28 == 0 ? "를" : "을")
    }

    /// Returns the name for several of these things. The sentences of other languages than English take the
    /// name as it is.
    fileprivate func plural(in language: Language) -> String {
        let name = phrase.text(in: language)
        return switch self {
        case _ where language != .english: name
        case .person: "people"
        case .rosterSlot: name
        case .mergedVote: "votes of the merged question"
        case .matchPerson: "people in groups of interest"
        case .blockedPerson: "blocked people"
        case .matchRequest: "requests to meet"
        case .webhookDelivery: "deliveries"
        case .pass: "passes"
        case .passKey: "keys of passes"
        case .certificateKey: "keys of certificates"
        case .reply: "replies"
        case .replyChange: "changes of a reply"
        default: name + "s"
        }
    }

    /// The name of the thing.
    package var phrase: Phrase {
        switch self {
        case .account: Phrase("account")
        case .meeting: Phrase("meeting")
        case .session: Phrase("session")
        case .attendee: Phrase("attendee")
        case .question: Phrase("question")
        case .questionSet: Phrase("question set")
        case .presenterLink: Phrase("presenter link")
        case .token: Phrase("token")
        case .page: Phrase("page")
        case .event: Phrase("event")
        case .member: Phrase("member")
        case .invitation: Phrase("invitation")
        case .image: Phrase("image")
        case .person: Phrase("person")
        case .form: Phrase("published form")
        case .response: Phrase("response")
        case .job: Phrase("job")
        case .rosterSlot: Phrase("roster entries at once")
        case .audienceQuestion: Phrase("question")
        case .mergedQuestion: Phrase("merged question")
        case .removedVote: Phrase("removed vote")
        case .changedAnswer: Phrase("changed answer")
        case .mergedVote: Phrase("vote of the merged question")
        case .matchPerson: Phrase("person", context: "groups")
        case .matchOptIn: Phrase("opt-in")
        case .matchRequest: Phrase("request to meet")
        case .pendingMatchRequest: Phrase("open request")
        case .blockedPerson: Phrase("blocked person")
        case .matchReport: Phrase("report")
        case .mail: Phrase("mail")
        case .device: Phrase("device")
        case .webhook: Phrase("web hook")
        case .webhookDelivery: Phrase("delivery")
        case .consentText: Phrase("consent text")
        case .pass: Phrase("pass")
        case .passKey: Phrase("key of passes")
        case .stay: Phrase("stay")
        case .certificate: Phrase("certificate")
        case .certificateKey: Phrase("key of certificates")
        case .reply: Phrase("reply")
        case .replyChange: Phrase("change of a reply")
        case .satellite: Phrase("offline door")
        }
    }
}

extension AnswerPromise {
    /// The text for an attendee whose form showed another promise.
    fileprivate var newPhrase: Phrase {
        switch self {
        case .anonymous: ProblemCode.becameAnonymous
        case .hidden: ProblemCode.becameHidden
        case .named: ProblemCode.becameNamed
        }
    }
}
