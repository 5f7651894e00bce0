package import Meetings
package import Phrases

extension Problem {
    package init(_ refusal: Refusal, in language: Language) {
        switch refusal {
        case .notFound(let thing): self.init(code: .notFound, in: language, ["thing": thing.phrase.text(in: language)])
        case .notAllowed: self.init(code: .notAllowed, in: language)
        case .invalid(let errors):
            self.init(code: .invalidFields, in: language)
            self.errors = errors.map { FieldProblem($0, in: language) }
        case .versionMismatch(let current):
            self.init(code: .versionMismatch, in: language)
            self.current = current
        case .emailTaken: self.init(code: .emailTaken, in: language)
        case .signUpClosed: self.init(code: .signUpClosed, in: language)
        case .wrongCredentials: self.init(code: .wrongCredentials, in: language)
        case .sessionOverlap(let overlaps):
            self.init(code: .sessionOverlap, in: language, ["name": overlaps.first?.meetingName ?? ""])
            self.overlaps = overlaps.map(OverlapBody.init)
        case .sessionOver: self.init(code: .sessionOver, in: language)
        case .sessionHasAttendees: self.init(code: .sessionHasAttendees, in: language)
        case .confirmationNeeded(let name, let checkIns):
            self.init(code: .confirmationNeeded, in: language, ["name": name, "count": String(checkIns)])
        case .limitReached(let thing, let limit):
            self.init(code: .limitReached, in: language, ["thing": thing.phrase.text(in: language), "limit": String(limit)])
        case .codeNotValid: self.init(code: .codeNotValid, in: language)
        case .grantNotValid: self.init(code: .grantNotValid, in: language)
        case .receiptNotValid: self.init(code: .receiptNotValid, in: language)
        case .checkInNotOpen(let opensAt):
            self.init(code: .checkInNotOpen, in: language, ["time": opensAt.rfc3339])
            self.opensAt = opensAt
        case .checkInClosed(let closedAt):
            self.init(code: .checkInClosed, in: language, ["time": closedAt?.rfc3339 ?? "–"])
            self.closedAt = closedAt
        case .feedbackNotOpen(let opensAt):
            self.init(code: .feedbackNotOpen, in: language, ["time": opensAt?.rfc3339 ?? "–"])
            self.opensAt = opensAt
        case .feedbackClosed: self.init(code: .feedbackClosed, in: language)
        case .alreadyResponded: self.init(code: .alreadyResponded, in: language)
        case .questionsLocked: self.init(code: .questionsLocked, in: language)
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
            ("range", Phrase("This must be {min} to {max}.", "{min}에서 {max} 사이여야 합니다."), ["min": String(min), "max": String(max)])
        case .count(let min, let max):
            ("count", Phrase("Give {min} to {max} of these.", "{min}~{max}개여야 합니다."), ["min": String(min), "max": String(max)])
        case .notText: ("not_text", Phrase("This has characters that cannot be used here.", "쓸 수 없는 문자가 있습니다."), [:])
        case .notATime:
            (
                "not_a_time",
                Phrase("Give a time such as 2026-11-21T19:00:00+09:00.", "2026-11-21T19:00:00+09:00 같은 시각을 쓰세요."), [:]
            )
        case .notADate: ("not_a_date", Phrase("Give a date such as 2001-05-20.", "2001-05-20 같은 날짜를 쓰세요."), [:])
        case .notAnEmail: ("not_an_email", Phrase("Give an e-mail address such as kim@example.org.", "kim@example.org 같은 이메일을 쓰세요."), [:])
        case .notAnID: ("not_an_id", Phrase("This is not an id: 26 letters and digits.", "ID가 아닙니다. 26자의 글자와 숫자여야 합니다."), [:])
        case .unknownZone: ("unknown_zone", Phrase("Give an IANA time zone such as Asia/Seoul.", "Asia/Seoul 같은 IANA 시간대를 쓰세요."), [:])
        case .endsBeforeStart: ("ends_before_start", Phrase("The end must come after the start.", "끝은 시작보다 뒤여야 합니다."), [:])
        case .tooLongASession(let days):
            ("too_long", Phrase("A session may last {days} days at most.", "회차는 최대 {days}일입니다."), ["days": String(days)])
        case .notOneOf(let values):
            ("not_one_of", Phrase("This must be one of: {values}.", "다음 중 하나여야 합니다: {values}."), ["values": values.joined(separator: ", ")])
        case .repeated: ("repeated", Phrase("This is given twice.", "중복되었습니다."), [:])
        case .unknownQuestion: ("unknown_question", Phrase("There is no such question here.", "여기에 없는 질문입니다."), [:])
        case .unknownChoice: ("unknown_choice", Phrase("There is no such choice.", "없는 선택지입니다."), [:])
        }
    }
}
