extension CommandPhrases {
    /// What fields that can be edited are called, by their names in the API.
    package enum Fields {
        package static let all: [String: Phrase] = [
            "startsAt": Phrase("start", "시작"),
            "endsAt": Phrase("end", "끝"),
            "lateAfterMinutes": Phrase("late after, in minutes", "지각 기준(분)"),
            "checkInOpensMinutesBefore": Phrase("check-in opens, in minutes before", "체크인 시작(몇 분 전)"),
            "feedbackClosesHoursAfter": Phrase("feedback closes, in hours after", "피드백 마감(몇 시간 뒤)"),
            "plannedCount": Phrase("planned", "예정 인원"),
            "codeKind": Phrase("kind of code", "코드 종류"),
            "codeAcceptedSeconds": Phrase("code accepted, in seconds", "코드 유효 시간(초)"),
            "code": Phrase("code", "코드"),
            "name": Phrase("name", "이름"),
            "place": Phrase("place", "장소"),
            "description": Phrase("description", "설명"),
            "timeZone": Phrase("time zone", "시간대"),
            "identifyBy": Phrase("told apart by", "구분 기준"),
            "email": Phrase("e-mail", "이메일"),
            "number": Phrase("number", "번호"),
            "role": Phrase("role", "역할"),
            "status": Phrase("status", "상태"),
            "checkedInAt": Phrase("checked in at", "체크인 시각"),
            "note": Phrase("note", "메모"),
            "questions": Phrase("questions", "질문"),
            "open": Phrase("open", "열림"),
            "shared": Phrase("shared", "공유"),
            "anonymous": Phrase("anonymous", "익명"),
            "publishedAs": Phrase("published as", "공개 이름"),
            "roster": Phrase("roster", "명단"),
            "image": Phrase("picture", "이미지"),
        ]
        package static let change = Phrase("{field}: {from} → {to}", "{field}: {from} → {to}")
        package static let recomputed = Phrase("statuses recomputed: {count}", "다시 계산한 상태: {count}")
        package static let undoes = Phrase("undoes {sequence}", "{sequence}번을 되돌림")
        package static let yes = Phrase("yes", "예")
        package static let no = Phrase("no", "아니요")
        package static let ifVersion = Phrase(
            "only if it still has this version, from show or list --json", "show나 list --json에 나온 이 버전일 때만")
    }
}
