/// The words for the values and fields of records. Pages, commands, the dashboard and exports show these
/// words.
extension Phrase {
    /// Each table has the API's names as keys.
    package enum Record {
        package static let phases: [String: Phrase] = [
            "upcoming": Phrase("upcoming", "예정"),
            "doors": Phrase("check-in open", "체크인 가능"),
            "running": Phrase("running", "진행 중"),
            "ended": Phrase("ended", "종료"),
            "closed": Phrase("closed", "마감"),
        ]

        package static let statuses: [String: Phrase] = [
            "awaited": Phrase("awaited", "미도착"),
            "present": Phrase("present", "출석"),
            "late": Phrase("late", "지각"),
            "absent": Phrase("absent", "결석"),
            "excused": Phrase("excused", "공결"),
        ]

        package static let roles: [String: Phrase] = [
            "owner": Phrase("owner", "소유자"),
            "host": Phrase("host", "진행자"),
            "viewer": Phrase("viewer", "열람자"),
        ]

        package static let actions: [String: Phrase] = [
            "exported": Phrase("personal data exported", "개인정보 내보내기"),
            "erased": Phrase("person erased", "개인정보 삭제"),
            "memberInvited": Phrase("member invited", "구성원 초대"),
            "invitationRevoked": Phrase("invitation revoked", "초대 취소"),
            "invitationAccepted": Phrase("invitation accepted", "초대 수락"),
            "roleChanged": Phrase("role changed", "역할 변경"),
            "memberRemoved": Phrase("member removed", "구성원 제외"),
            "presenterLinkCreated": Phrase("presenter link created", "발표 화면 링크 생성"),
            "presenterLinkRevoked": Phrase("presenter link revoked", "발표 화면 링크 회수"),
            "accountCreated": Phrase("account created", "계정 생성"),
            "accountInvited": Phrase("invited to sign up", "가입 초대"),
            "accountSuspended": Phrase("account suspended", "계정 정지"),
            "accountResumed": Phrase("account resumed", "계정 정지 해제"),
            "passwordReset": Phrase("password reset", "비밀번호 재설정"),
            "operatorMade": Phrase("made an operator", "운영자 지정"),
            "accountDeleted": Phrase("account deleted", "계정 삭제"),
            "sessionExpired": Phrase("old session deleted", "보관 기간이 지난 회차 삭제"),
            "codesRenewed": Phrase("all codes renewed", "모든 코드 재발급"),
            "mailsLimited": Phrase("mails wait: daily limit reached", "하루 발송 한도에 도달해 메일 대기"),
        ]

        package static let methods: [String: Phrase] = [
            "qr": Phrase("QR code", "QR 코드"),
            "joinCode": Phrase("join code", "참여 코드"),
            "host": Phrase("host", "진행자"),
            "cli": Phrase("command line", "명령줄"),
        ]

        /// The kinds of journal events.
        package static let events: [String: Phrase] = [
            "created": Phrase("created", "생성"),
            "checkedIn": Phrase("checked in", "체크인"),
            "corrected": Phrase("corrected", "수정"),
            "renamed": Phrase("renamed", "이름 변경"),
            "merged": Phrase("merged", "합침"),
            "withdrawn": Phrase("withdrawn", "체크인 취소"),
            "responded": Phrase("responded", "응답"),
            "edited": Phrase("edited", "설정 변경"),
            "undone": Phrase("undone", "되돌림"),
            "redone": Phrase("redone", "다시 실행"),
            "added": Phrase("added", "추가"),
            "removed": Phrase("removed", "삭제"),
            "presenterLinkCreated": Phrase("presenter link created", "발표 화면 링크 생성"),
            "presenterLinkRevoked": Phrase("presenter link revoked", "발표 화면 링크 회수"),
            "asked": Phrase("question asked", "질문 등록"),
            "voted": Phrase("question voted", "질문 추천"),
            "voteRemoved": Phrase("vote removed", "추천 취소"),
            "moderated": Phrase("question moderated", "질문 검토"),
            "questionsMerged": Phrase("questions merged", "질문 합치기"),
        ]

        /// The statuses of questions from the audience.
        package static let questionStatuses: [String: Phrase] = [
            "pending": Phrase("pending", "대기"),
            "visible": Phrase("visible", "공개"),
            "answered": Phrase("answered", "답변 완료"),
            "hidden": Phrase("hidden", "숨김"),
        ]

        /// The labels of the fields that an edit can change.
        package static let fields: [String: Phrase] = [
            "startsAt": Phrase("start", "시작"),
            "endsAt": Phrase("end", "종료"),
            "lateAfterMinutes": Phrase("late after (minutes)", "지각 기준(분)"),
            "checkInOpensMinutesBefore": Phrase("check-in opens (minutes before)", "체크인 시작(몇 분 전)"),
            "feedbackClosesHoursAfter": Phrase("feedback closes (hours after)", "피드백 마감(몇 시간 뒤)"),
            "plannedCount": Phrase("planned count", "예정 인원"),
            "codeKind": Phrase("kind of code", "코드 종류"),
            "codeAcceptedSeconds": Phrase("code valid (seconds)", "코드 유효 시간(초)"),
            "code": Phrase("code", "코드"),
            "name": Phrase("name", "이름"),
            "place": Phrase("venue", "장소"),
            "description": Phrase("description", "설명"),
            "timeZone": Phrase("time zone", "시간대"),
            "identifyBy": Phrase("identified by", "구분 방법"),
            "email": Phrase("e-mail", "이메일"),
            "number": Phrase("number", "번호"),
            "role": Phrase("role", "역할"),
            "status": Phrase("status", "상태"),
            "checkedInAt": Phrase("checked in at", "체크인 시각"),
            "receipts": Phrase("receipt (revoked)", "체크인 증명(취소)"),
            "reminders": Phrase("mails to the roster", "명단에 보내는 메일"),
            "note": Phrase("note", "메모"),
            "questions": Phrase("questions", "질문"),
            "open": Phrase("open", "열림"),
            "shared": Phrase("shared", "공유"),
            "anonymous": Phrase("anonymous", "익명"),
            "promise": Phrase("promise", "공개 방식"),
            "changeable": Phrase("answers can change", "답변 변경"),
            "position": Phrase("place in the list", "순서"),
            "deleted": Phrase("deleted", "삭제"),
            "publishedAs": Phrase("published as", "공개 이름"),
            "oncePerDevice": Phrase("one answer per device", "기기마다 한 번"),
            "roster": Phrase("roster", "명단"),
            "image": Phrase("image", "이미지"),
            "questionsOpen": Phrase("audience questions open", "청중 질문 받기"),
            "questionsPromise": Phrase("who sees the names of audience questions", "청중 질문의 이름 공개 범위"),
            "groupsOpen": Phrase("groups of interest open", "관심사 모임 열림"),
            "groupsPromise": Phrase("names in groups of interest", "관심사 모임의 이름"),
            "groupsPlaces": Phrase("places to meet", "만날 자리"),
            "questionsModeration": Phrase("moderation of audience questions", "청중 질문 검토 방식"),
            "heldWords": Phrase("held words", "보류 단어"),
            "moderation": Phrase("moderation of texts", "글 답변 검토 방식"),
            "text": Phrase("text", "글 답변"),
            "pinned": Phrase("pinned", "고정"),
            "answer": Phrase("answer", "답변"),
        ]

        package static let endBeforeStart = Phrase(
            "The end must come after the start.", "종료는 시작보다 뒤여야 합니다.")
        package static let changedMeanwhile = Phrase(
            "Somebody changed it meanwhile. Check the new version, then save again.",
            "그사이 내용이 바뀌었습니다. 확인한 뒤 다시 저장하세요.")
        package static let unknownZone = Phrase(
            "Enter a time zone such as Asia/Seoul.", "Asia/Seoul과 같은 시간대를 입력하세요.")
        package static let readAsKorean = Phrase(
            "The file is not UTF-8. It was read as Korean text (CP949).",
            "UTF-8 파일이 아니어서 한글 완성형(CP949)으로 읽었습니다.")
        package static let recomputed = Phrase(
            "{count} {count|status|statuses} recomputed", "상태 {count}개 다시 계산")
        /// A changed field, with its old and new values.
        package static let change = Phrase("{field}: {from} → {to}", "{field}: {from} → {to}")
        package static let no = Phrase("no", "아니요")
        /// The record that a merged record became part of.
        package static let into = Phrase("with {name}", "{name} 님 기록과")
        package static let undoes = Phrase("reverts event {sequence}", "{sequence}번 이벤트를 되돌림")
        /// The actors of events that have no name.
        package static let anAttendee = Phrase("attendee", "참석자")
        package static let theServer = Phrase("server", "서버")

        /// Returns a table for the scripts of the pages, which compose names such as `phase_doors`.
        static func named(_ beginning: String, _ table: [String: Phrase]) -> [String: Phrase] {
            Dictionary(uniqueKeysWithValues: table.map { ("\(beginning)_\($0.key)", $0.value) })
        }
    }
}
