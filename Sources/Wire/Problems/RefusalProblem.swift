package import Meetings
package import Phrases

extension Problem {
    package init(_ refusal: Refusal, in language: Language) {
        switch refusal {
        case .notFound(let thing):
            self.init(code: .notFound, in: language, ["thing": thing.phrase.text(in: language)])
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
        case .sessionOverlap(let overlaps):
            self.init(code: .sessionOverlap, in: language, ["name": overlaps.first?.meetingName ?? ""])
            self.overlaps = overlaps.map(OverlapBody.init)
        case .sessionOver: self.init(code: .sessionOver, in: language)
        case .sessionHasAttendees: self.init(code: .sessionHasAttendees, in: language)
        case .confirmationNeeded(let name, let checkIns):
            self.init(code: .confirmationNeeded, in: language, ["name": name, "count": String(checkIns)])
        case .limitReached(let thing, let limit):
            self.init(
                code: .limitReached, in: language,
                ["thing": thing.phrase.text(in: language), "limit": String(limit)])
        case .alreadyOnRoster(let name): self.init(code: .alreadyOnRoster, in: language, ["name": name])
        case .keyUsedForAnotherRequest: self.init(code: .idempotencyKeyUsed, in: language)
        case .codeNotValid: self.init(code: .codeNotValid, in: language)
        case .grantNotValid: self.init(code: .grantNotValid, in: language)
        case .receiptNotValid: self.init(code: .receiptNotValid, in: language)
        case .checkInNotOpen(let opensAt):
            self.init(code: .checkInNotOpen, in: language, ["time": opensAt.rfc3339])
            self.opensAt = opensAt
        case .checkInClosed(let closedAt):
            self.init(code: .checkInClosed, in: language, ["time": closedAt?.rfc3339 ?? "–"])
            self.closedAt = closedAt
        case .attendeeExists(let attendee):
            self.init(code: .attendeeExists, in: language)
            attendeeId = attendee
        case .cannotBeUndone: self.init(code: .cannotBeUndone, in: language)
        case .changedSince: self.init(code: .changedSince, in: language)
        case .lastOwner: self.init(code: .lastOwner, in: language)
        case .alreadyMember: self.init(code: .alreadyMember, in: language)
        case .invitationNotValid: self.init(code: .invitationNotValid, in: language)
        case .imageNotUsable(let most):
            self.init(code: .imageNotUsable, in: language, ["limit": String(most)])
        case .feedbackNotOpen(let opensAt):
            self.init(code: .feedbackNotOpen, in: language, ["time": opensAt?.rfc3339 ?? "–"])
            self.opensAt = opensAt
        case .feedbackClosed: self.init(code: .feedbackClosed, in: language)
        case .alreadyResponded: self.init(code: .alreadyResponded, in: language)
        case .questionsLocked: self.init(code: .questionsLocked, in: language)
        case .anonymityFixed: self.init(code: .anonymityFixed, in: language)
        case .anonymityChanged(let anonymous):
            self.init(
                code: .anonymityChanged, in: language,
                saying: anonymous ? ProblemCode.becameAnonymous : ProblemCode.becameNamed)
            self.anonymous = anonymous
        case .noQuestions: self.init(code: .noQuestions, in: language)
        }
    }
}

extension Thing {
    package var phrase: Phrase {
        switch self {
        case .account: Phrase("account", "계정")
        case .meeting: Phrase("meeting", "모임")
        case .session: Phrase("session", "회차")
        case .attendee: Phrase("attendee", "참석자")
        case .question: Phrase("question", "질문")
        case .questionSet: Phrase("question set", "질문 묶음")
        case .presenterLink: Phrase("presenter link", "발표 화면 링크")
        case .token: Phrase("token", "토큰")
        case .page: Phrase("page", "페이지")
        case .event: Phrase("event", "기록")
        case .member: Phrase("member", "구성원")
        case .invitation: Phrase("invitation", "초대")
        case .image: Phrase("image", "이미지")
        case .person: Phrase("person", "명단의 사람")
        case .form: Phrase("published form", "공개된 양식")
        case .response: Phrase("response", "응답")
        case .rosterSlot: Phrase("place of a person in a session", "회차별 자리")
        }
    }
}

extension FieldReason {
    var said: (code: String, phrase: Phrase, values: [String: String]) {
        switch self {
        case .missing: ("missing", Phrase("This is needed.", "필수 항목입니다."), [:])
        case .wrongType(let expected):
            ("wrong_type", Phrase("This must be of type {type}.", "{type} 형식이어야 합니다."), ["type": expected])
        case .length(let min, let max):
            (
                "length", Phrase("This must be {min} to {max} characters long.", "{min}~{max}자여야 합니다."),
                ["min": String(min), "max": String(max)]
            )
        case .range(let min, let max):
            (
                "range", Phrase("This must be {min} to {max}.", "{min}에서 {max} 사이여야 합니다."),
                ["min": String(min), "max": String(max)]
            )
        case .count(let min, let max):
            (
                "count", Phrase("Give {min} to {max} of these.", "{min}~{max}개여야 합니다."),
                ["min": String(min), "max": String(max)]
            )
        case .tooManyBytes:
            (
                "too_many_bytes",
                Phrase(
                    "This is too long: some of its characters count as several. Make it shorter.",
                    "너무 깁니다. 여러 글자로 계산되는 문자가 있습니다. 더 짧게 입력하세요."), [:]
            )
        case .notText:
            ("not_text", Phrase("This has characters that cannot be used here.", "쓸 수 없는 문자가 있습니다."), [:])
        case .notATime:
            (
                "not_a_time",
                Phrase(
                    "Give a time such as 2026-11-21T19:00:00+09:00.",
                    "2026-11-21T19:00:00+09:00 같은 시각을 "
                        + "쓰세요."),
                [:]
            )
        case .notADate:
            ("not_a_date", Phrase("Give a date such as 2001-05-20.", "2001-05-20 같은 날짜를 쓰세요."), [:])
        case .notAnEmail:
            (
                "not_an_email",
                Phrase("Give an e-mail address such as kim@example.org.", "kim@example.org 같은 이메일을 쓰세요."), [:]
            )
        case .notAnID:
            (
                "not_an_id",
                Phrase("This is not an id: 26 letters and digits.", "ID가 아닙니다. 26자의 글자와 숫자여야 합니다."), [:]
            )
        case .unknownZone:
            (
                "unknown_zone",
                Phrase("Give an IANA time zone such as Asia/Seoul.", "Asia/Seoul 같은 IANA 시간대를 쓰세요."), [:]
            )
        case .endsBeforeStart:
            ("ends_before_start", Phrase("The end must come after the start.", "끝은 시작보다 뒤여야 합니다."), [:])
        case .tooLongASession(let days):
            (
                "too_long", Phrase("A session may last {days} days at most.", "회차는 최대 {days}일입니다."),
                ["days": String(days)]
            )
        case .outsideTheYears:
            (
                "outside_the_years",
                Phrase(
                    "Sessions can be from 1970 to 2199. Choose another time.",
                    "회차는 1970년부터 2199년까지 만들 수 있습니다. 다른 시간을 고르세요."), [:]
            )
        case .notOneOf(let values):
            (
                "not_one_of", Phrase("This must be one of: {values}.", "다음 중 하나여야 합니다: {values}."),
                ["values": values.joined(separator: ", ")]
            )
        case .repeated: ("repeated", Phrase("This is given twice.", "중복되었습니다."), [:])
        case .unknownQuestion:
            ("unknown_question", Phrase("There is no such question here.", "여기에 없는 질문입니다."), [:])
        case .unknownChoice: ("unknown_choice", Phrase("There is no such choice.", "없는 선택지입니다."), [:])
        case .missingWithMessage, .between, .decimals, .otherNotChosen, .rule, .badPattern, .reversedBounds,
            .ruleDoesNotApply, .oneOther,
            .notALanguage,
            .notASetName, .branchTellsAnswer, .checkInIsAlwaysNamed:
            saidOfForms
        case .notJSON, .tooDeep, .keyTooLong, .tooManyValues, .unknownFormat, .unknownField, .ambiguousName,
            .notRepresentable,
            .notAWebAddress, .notAFormName, .formNameTaken:
            saidOfImports
        case .timeOfAbsentAttendee:
            ("no_time_of_the_absent", Phrase("Only who came has a time.", "온 사람에게만 시각이 있습니다."), [:])
        case .inTheFuture: ("in_the_future", Phrase("This time is still to come.", "아직 오지 않은 시각입니다."), [:])
        case .unknownAttendee:
            (
                "unknown_attendee", Phrase("There is no such other attendee here.", "이 회차에 그런 다른 참석자가 없습니다."),
                [:]
            )
        case .outsideTheWindow:
            (
                "outside_the_window",
                Phrase(
                    "This is outside the check-in window. Messages the status too.",
                    "체크인 시간 밖입니다. 상태도 함께 적으세요."), [:]
            )
        case .sameAs(let other):
            ("same_as", Phrase("The same as in {other}.", "{other}와(과) 같습니다."), ["other": other])
        case .takenByAnotherPerson:
            (
                "of_another_person", Phrase("Another person of the roster has this.", "명단의 다른 사람이 쓰고 있습니다."),
                [:]
            )
        case .noNameColumn:
            (
                "no_name_column",
                Phrase(
                    "The first line must name the columns: name, and email or number where there are any.",
                    "첫 줄에 열 이름이 있어야 합니다: 이름, 그리고 있다면 이메일이나 번호."), [:]
            )
        case .badQuotes:
            (
                "bad_quotes",
                Phrase(
                    "A quotation mark is not closed, or something stands behind it.",
                    "따옴표가 닫히지 않았거나 뒤에 다른 글자가 있습니다."),
                [:]
            )
        case .tooManyColumns(let most):
            (
                "too_many_columns",
                Phrase(
                    "This line has more than {max} columns. Delete the columns that are not needed.",
                    "이 줄의 열이 {max}개를 넘습니다. 필요 없는 열을 지우세요."
                ),
                ["max": String(most)]
            )
        case .notUTF8:
            (
                "not_utf8",
                Phrase(
                    "The file's letters cannot be read: it is not UTF-8. In Excel, save it as \"CSV UTF-8 "
                        + "(Comma delimited)\".",
                    "파일의 글자를 읽을 수 없습니다(UTF-8이 아님). 엑셀에서 \"CSV UTF-8(쉼표로 분리)\"로 저장하세요."), [:]
            )
        }
    }
}
