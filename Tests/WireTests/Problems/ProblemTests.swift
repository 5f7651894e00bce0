import Meetings
import Phrases
import Testing
import Wire

struct ProblemTests {
    private static let now = Instant(seconds: 1_795_255_200)

    /// One refusal of each case, or several if a case has optional values. The switch fails to compile until
    /// a new case is added here.
    private static let refusals: [Refusal] = {
        let all: [Refusal] =
            Thing.allCases.map { .notFound($0) } + [
                .notAllowed, .invalid([FieldError("/name", .missing)]), .versionMismatch(current: 7),
                .emailTaken, .signUpClosed,
                .setupTokenRequired, .setupTokenNotValid, .lastOperator, .wrongCredentials, .passwordChanged,
                .signInEnded, .tokenExpired, .accountSuspended, .accountWithdrawn, .accountNotVerified,
                .confirmationCodeNotValid, .tokenLimited,
                .sessionOverlap([Overlap(Sample.session, meetingName: "{time} & Co")]), .sessionOver,
                .sessionHasAttendees,
                .confirmationNeeded(name: "독서 모임", checkIns: 12), .limitReached(.presenterLink, limit: 20),
                .questionSetsTooLarge,
                .keyUsedForAnotherRequest,
                .codeNotValid, .grantNotValid, .grantExpired, .grantUsedUp,
                .renamedTooOften(limit: 20), .checkOutOff, .notCheckedIn, .namesDeleted,
                .repliesClosed, .alreadyReplied, .noSeats(free: 2), .satelliteCodeNotValid, .satelliteRevoked,
                .doorEntriesDiffer,
                .receiptNotValid, .checkInNotOpen(opensAt: now), .checkInClosed(closedAt: now),
                .checkInClosed(closedAt: nil),
                .feedbackNotOpen(opensAt: now), .feedbackNotOpen(opensAt: nil), .feedbackClosed,
                .alreadyResponded, .deviceNotRecognized, .questionsLocked, .answersHeldBack,
                .anonymityFixed, .anonymityChanged(.anonymous), .anonymityChanged(.hidden),
                .anonymityChanged(.named),
                .answersWouldBeDeleted(set: "poll-1", responses: 2),
                .noQuestions, .audienceQuestionsClosed, .audiencePromiseChanged(.hidden),
                .audiencePromiseChanged(.named), .alreadyMerged, .matchingClosed, .matchNotJoined,
                .matchExcluded, .matchNotPossible, .matchRequestOver,
                .matchRequestsTooFast(afterSeconds: 9), .matchPromiseChanged(.hidden),
                .matchPromiseChanged(.named),
                .attendeeExists(.make(at: now)), .addressInUse, .cannotBeUndone, .changedSince,
                .nothingToUndo, .nothingToRedo, .lastOwner, .alreadyMember, .invitationNotValid, .webhooksOff,
                .imageNotUsable(mostPixels: 25), .alreadyOnRoster(name: "Kim"), .nameOnRoster(name: "Kim"),
                .meetingIsBusy,
            ]
        for refusal in all {
            switch refusal {
            case .notFound, .notAllowed, .invalid, .versionMismatch, .emailTaken, .signUpClosed,
                .setupTokenRequired,
                .setupTokenNotValid, .lastOperator, .wrongCredentials, .passwordChanged,
                .signInEnded, .tokenExpired, .accountSuspended, .accountWithdrawn, .accountNotVerified,
                .confirmationCodeNotValid, .tokenLimited,
                .sessionOverlap, .sessionOver,
                .sessionHasAttendees, .confirmationNeeded, .answersWouldBeDeleted, .limitReached,
                .questionSetsTooLarge,
                .keyUsedForAnotherRequest,
                .codeNotValid,
                .grantNotValid, .grantExpired, .grantUsedUp,
                .renamedTooOften, .checkOutOff, .notCheckedIn, .namesDeleted,
                .repliesClosed, .alreadyReplied, .noSeats, .satelliteCodeNotValid, .satelliteRevoked,
                .doorEntriesDiffer, .receiptNotValid,
                .checkInNotOpen, .checkInClosed, .feedbackNotOpen, .feedbackClosed, .alreadyResponded,
                .deviceNotRecognized, .questionsLocked, .answersHeldBack, .anonymityFixed,
                .audienceQuestionsClosed, .audiencePromiseChanged, .alreadyMerged,
                .matchingClosed, .matchNotJoined, .matchExcluded, .matchNotPossible, .matchRequestOver,
                .matchRequestsTooFast, .matchPromiseChanged,
                .anonymityChanged, .noQuestions, .attendeeExists, .addressInUse, .cannotBeUndone,
                .changedSince, .nothingToUndo, .nothingToRedo, .lastOwner,
                .alreadyMember,
                .invitationNotValid, .webhooksOff, .imageNotUsable,
                .alreadyOnRoster, .nameOnRoster, .meetingIsBusy:
                continue
            }
        }
        return all
    }()

    @Test func `every problem code has one error status, and a name of small letters`() {
        #expect(Set(ProblemCode.allCases.map(\.rawValue)).count == ProblemCode.allCases.count)
        for code in ProblemCode.allCases {
            #expect((400...599).contains(code.status))
            #expect(code.rawValue.allSatisfy { $0 == "_" || ("a"..."z").contains($0) }, "\(code)")
        }
        #expect(
            Set(ProblemCode.allCases.map(\.status)) == [
                400, 401, 403, 404, 405, 408, 409, 412, 413, 415, 422, 426, 428, 429, 431, 500, 503,
            ])
    }

    @Test(arguments: Language.allCases)
    func `no message names a time that is unknown`(language: Language) {
        for refusal in [Refusal.feedbackNotOpen(opensAt: nil), .checkInClosed(closedAt: nil)] {
            let problem = Problem(refusal, in: language)
            #expect(!problem.detail.contains("–") && !problem.detail.contains("{"), "\(problem.detail)")
        }
    }

    @Test(arguments: ProblemCode.allCases)
    func `every problem has an English and a Korean text with the same values`(code: ProblemCode) {
        for phrase in [code.phrases.title, code.phrases.detail] {
            #expect(
                !phrase.english.isEmpty && !phrase.text(in: .korean).isEmpty
                    && phrase.english != phrase.text(in: .korean))
            #expect(
                Set(Phrase.placeholders(in: phrase.english))
                    == Set(Phrase.placeholders(in: phrase.text(in: .korean))))
            #expect(phrase.english.unicodeScalars.allSatisfy { $0.value < 0x1100 })
            #expect(phrase.text(in: .korean).unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) })
        }
        #expect(Phrase.placeholders(in: code.phrases.title.english).isEmpty)
    }

    @Test(arguments: ProblemCode.allCases, Language.allCases)
    func `a problem gets its status, type and texts from its code`(
        code: ProblemCode, language: Language
    ) {
        let values = [
            "expected": "1", "limit": "1", "thing": "1", "seconds": "1", "minutes": "1", "name": "1",
            "count": "1",
            "time": "1", "reason": "1",
        ]
        let problem = Problem(code: code, in: language, values)
        #expect(
            (problem.code, problem.status, problem.type) == (
                code.rawValue, code.status, "urn:qring:problem:\(code.rawValue)"
            ))
        #expect(!problem.detail.contains("{"))
        #expect(problem.retryAfterSeconds == (code.status == 503 ? 2 : nil))
    }

    @Test(arguments: refusals, Language.allCases)
    func `every refusal gives a problem whose texts have all values filled in`(
        refusal: Refusal, language: Language
    ) {
        let problem = Problem(refusal, in: language)
        let code = ProblemCode(rawValue: problem.code)
        #expect(code?.status == problem.status)
        #expect(!problem.detail.replacing("{time} & Co", with: "").contains("{"))
        #expect(problem.title == code?.phrases.title.text(in: language))
    }

    @Test func `two refusals have the same code only if clients need not tell them apart`() {
        let codes = Dictionary(grouping: Self.refusals) { Problem($0, in: .english).code }
        for (code, refusals) in codes where refusals.count > 1 {
            let shared = [
                "not_found", "check_in_closed", "feedback_not_open", "grant_not_valid", "wrong_credentials",
                "anonymity_changed", "confirmation_needed",
            ]
            #expect(shared.contains(code))
        }
    }

    @Test func `a problem contains the values of its refusal`() {
        #expect(Problem(.versionMismatch(current: 7), in: .english).current == 7)
        #expect(Problem(.checkInNotOpen(opensAt: Self.now), in: .english).opensAt == Self.now)
        #expect(Problem(.checkInClosed(closedAt: Self.now), in: .english).closedAt == Self.now)
        #expect(Problem(.feedbackNotOpen(opensAt: Self.now), in: .english).opensAt == Self.now)
        #expect(
            Problem(.sessionOverlap([Overlap(Sample.session, meetingName: "A")]), in: .english).overlaps?.map(
                \.id) == [Sample.session.id])
        #expect(Problem(.confirmationNeeded(name: "A", checkIns: 12), in: .korean).detail.contains("12"))
        #expect(Problem(.limitReached(.presenterLink, limit: 20), in: .korean).detail.contains("현장 화면 링크"))
    }

    @Test func `a problem's JSON follows RFC 9457, and leaves out the header's retry seconds`() throws {
        var problem = Problem(.invalid([FieldError("/session/endsAt", .endsBeforeStart)]), in: .english)
        problem.requestId = "r1"
        problem.retryAfterSeconds = 9
        #expect(
            json(problem)
                == #"""
                {"type":"urn:qring:problem:invalid_fields","title":"Some values were refused",\#
                "status":422,"detail":"Check the values below, then try again.",\#
                "code":"invalid_fields","requestId":"r1",\#
                "errors":[{"field":"/session/endsAt","code":"ends_before_start",\#
                "message":"The end must come after the start."}]}
                """#
        )
        var read = try WireJSON.decode(Problem.self, from: WireJSON.bytes(problem))
        #expect(read != problem)
        read.retryAfterSeconds = 9
        #expect(read == problem)
    }

    @Test(arguments: Language.allCases)
    func `every field reason has its own code, and a message with its values`(
        language: Language
    ) {
        let reasons: [FieldReason] = [
            .missing, .wrongType(expected: "string"), .length(min: 11, max: 22), .range(min: 11, max: 22),
            .count(min: 11, max: 22),
            .notText,
            .notATime, .notADate, .notAnEmail, .notAnID, .unknownZone, .endsBeforeStart,
            .tooLongASession(maxDays: 14), .notALifetime(maxDays: 366),
            .notOneOf(["a", "b"]), .repeated,
            .unknownQuestion, .unknownChoice, .timeOfAbsentAttendee, .inTheFuture, .outsideTheWindow,
            .unknownAttendee, .unknownPerson,
            .decimals(most: 2), .otherNotChosen, .badPattern("missing )"), .ruleDoesNotApply, .oneOther,
            .notALanguage, .notASetName,
            .branchTellsAnswer, .checkInIsAlwaysNamed, .anonymousAnswersStay, .setBelongsToSession,
            .notTogether(with: "xx"), .dateOutside(earliest: "2026-01-01", latest: "–"),
            .rule(Rule(.not(.text("a")))), .rule(Rule(.minMax(min: 1, max: nil))),
            .rule(Rule(.minMaxLength(min: nil, max: 5))),
            .rule(Rule(.sameAs(.text("a")))), .rule(Rule(.pattern("a"))),
            .sameAs("/lines/2"), .takenByAnotherPerson, .sessionNotOver, .notADoorEntry, .notAPublicKey,
            .noNameColumn, .badQuotes, .notUTF8,
            .notJSON, .tooDeep(most: 11), .keyTooLong(most: 11), .tooManyValues(most: 11),
            .tooManyColumns(most: 11),
            .unknownFormat, .unknownField, .notRepresentable, .notAWebAddress, .notAWebhookAddress,
            .notAFormName,
            .formNameTaken,
            .reversedBounds, .ambiguousName, .tooManyBytes, .outsideTheYears, .wellKnownPassword,
            .passwordContainsAddress, .notAPhoneNumber, .notAgreed, .otherConsent,
        ]
        for reason in reasons {
            switch reason {
            case .missing, .noAnswers, .wrongType, .length, .range, .count, .notText, .notATime,
                .notADate, .notAnEmail,
                .notAPhoneNumber,
                .notAnID, .unknownZone,
                .endsBeforeStart,
                .tooLongASession, .notALifetime, .notOneOf, .repeated, .unknownQuestion, .unknownChoice,
                .timeOfAbsentAttendee,
                .inTheFuture,
                .outsideTheWindow, .unknownAttendee, .unknownPerson, .missingWithMessage, .between, .decimals,
                .otherNotChosen,
                .sameAs, .takenByAnotherPerson, .sessionNotOver, .notADoorEntry, .notAPublicKey,
                .noNameColumn, .badQuotes, .notUTF8, .notJSON, .tooDeep, .keyTooLong, .tooManyValues,
                .tooManyColumns, .tooManyBytes,
                .outsideTheYears, .unknownFormat,
                .unknownField, .notRepresentable, .notAWebAddress,
                .notAWebhookAddress, .notAFormName, .formNameTaken, .reversedBounds, .ambiguousName,
                .rule, .badPattern, .ruleDoesNotApply, .oneOther, .notALanguage, .notASetName,
                .branchTellsAnswer, .checkInIsAlwaysNamed, .anonymousAnswersStay, .setBelongsToSession,
                .notTogether, .dateOutside, .wellKnownPassword, .passwordContainsAddress, .notAgreed,
                .otherConsent:
                break
            }
        }
        let said = reasons.map { FieldProblem(FieldError("/x", $0), in: language) }
        // This reason has the code of a missing field.
        let none = FieldProblem(FieldError("/answers", .noAnswers), in: language)
        #expect(none.code == said[0].code && none.message != said[0].message)
        #expect(Set(said.map(\.code)).count == reasons.count)
        #expect(Set(said.map(\.message)).count == reasons.count)
        #expect(said.allSatisfy { !$0.message.contains("{") && !$0.message.isEmpty && $0.field == "/x" })
        #expect(said[2].message.contains("11") && said[2].message.contains("22"))
        #expect(said[14].message.contains("a, b"))
    }

    @Test(arguments: Language.allCases) func `a message writes a numeric bound as people write it`(
        language: Language
    ) {
        let hasComma = [.german, .spanish, .french].contains(language)
        let (half, more) = hasComma ? ("0,5", "1,5") : ("0.5", "1.5")
        let said = FieldProblem(FieldError("/x", .between(min: 0.5, max: 1_000_000_000)), in: language)
        #expect(said.code == "range" && said.message.contains(half) && said.message.contains("1000000000"))
        for (min, max) in [(1.5, nil), (nil, 2), (1.5, 2)] as [(Double?, Double?)] {
            let said = FieldProblem(FieldError("/x", .rule(Rule(.minMax(min: min, max: max)))), in: language)
            #expect(said.code == "rule_min_max" && !said.message.contains("{"))
            #expect(
                said.message.contains(more) == (min != nil) && said.message.contains("2") == (max != nil))
        }
    }

    @Test func `the host's own message replaces the standard one, in the caller's language`() {
        let message = LocalizedText(["ko": "두 글자 이상", "en": "Two or more"])
        for reason in [
            FieldReason.rule(Rule(.minMaxLength(min: 2, max: nil), message: message)),
            .missingWithMessage(message),
        ] {
            #expect(FieldProblem(FieldError("/x", reason), in: .korean).message == "두 글자 이상")
            #expect(FieldProblem(FieldError("/x", reason), in: .english).message == "Two or more")
        }
        #expect(FieldProblem(FieldError("/x", .missingWithMessage(message)), in: .english).code == "missing")
    }

    @Test(arguments: Thing.allCases) func `every kind of thing has a name in English and Korean`(thing: Thing)
    {
        #expect(!thing.phrase.english.isEmpty && thing.phrase.text(in: .korean) != thing.phrase.english)
    }
}
