extension CommandPhrases {
    /// Headings of `qring help`.
    package enum Overview {
        package static let start = Phrase("Begin", "시작")
        package static let host = Phrase("Meetings", "모임")
        package static let live = Phrase("Live", "실시간")
        package static let attendee = Phrase("As an attendee", "참석자로")
        package static let account = Phrase("Account", "계정")
        package static let `operator` = Phrase("For operators", "운영자용")
        package static let other = Phrase("More", "그 밖에")
    }

    /// What holds for many commands.
    package enum Topic {
        package static let environment = Phrase("variables that qring reads", "qring이 읽는 환경 변수")
        package static let environmentOrder = Phrase(
            "A flag counts before its variable, and a variable before what is saved in config.json.",
            "옵션이 환경 변수보다, 환경 변수가 config.json에 저장된 것보다 먼저입니다.")
        package static let server = Phrase(
            "the server; else the one last signed in at, else http://127.0.0.1:8080",
            "서버. 없으면 마지막에 로그인한 서버, 그다음 http://127.0.0.1:8080")
        package static let token = Phrase(
            "an access token, in place of the saved sign-in", "저장된 로그인 대신 쓰는 접근 토큰")
        package static let email = Phrase("which of several saved sign-ins is meant", "저장된 로그인이 여럿일 때 고르는 주소")
        package static let lang = Phrase("en or ko", "en 또는 ko")
        package static let locale = Phrase(
            "the language where nothing else names one; text is plain ASCII where they name no UTF-8",
            "다른 설정이 없을 때의 언어. UTF-8이 아니면 ASCII로 그립니다")
        package static let noColor = Phrase("any value: no colours", "값이 있으면 색을 쓰지 않습니다")
        package static let term = Phrase(
            "dumb: no colours, nothing written over itself", "dumb이면 색과 덮어쓰기를 쓰지 않습니다")
        package static let config = Phrase(
            "holds qring/config.json: servers, sign-ins, receipts (default ~/.config)",
            "qring/config.json의 위치: 서버, 로그인, 확인증 (기본 ~/.config)"
        )
        package static let data = Phrase(
            "holds qring/, the server's data (default ~/.local/share)",
            "서버 데이터 qring/의 위치 (기본 ~/.local/share)")
        package static let noProxy = Phrase(
            "hosts that are not asked through http_proxy or https_proxy",
            "http_proxy, https_proxy를 거치지 않을 호스트")
        package static let serve = Phrase(
            "the options of serve and admin, in capitals: --public-url is QRING_PUBLIC_URL",
            "serve와 admin의 옵션을 대문자로: --public-url은 QRING_PUBLIC_URL")

        package static let exitCodes = Phrase("what a command ends with", "명령의 종료 코드")
        package static let success = Phrase("done", "성공")
        package static let failed = Phrase("failed", "실패")
        package static let usage = Phrase(
            "the line cannot be understood; nothing was done", "명령줄을 이해할 수 없어 아무것도 하지 않음")
        package static let notAllowed = Phrase("not signed in, or not allowed", "로그인하지 않았거나 권한이 없음")
        package static let notFound = Phrase(
            "there is no such meeting, session or person", "그런 모임, 회차, 사람이 없음")
        package static let conflict = Phrase(
            "it conflicts with what is there: an overlap, a change of somebody else, a name that could be "
                + "several",
            "이미 있는 것과 충돌: 겹침, 다른 사람의 변경, 여럿일 수 있는 이름")
        package static let timedOut = Phrase(
            "the time limit was over, or the server did not answer in time", "제한 시간이 지났거나 서버가 제때 응답하지 않음")
        package static let interrupted = Phrase("by Ctrl-C or SIGTERM", "Ctrl-C 또는 SIGTERM으로 끝남")

        package static let times = Phrase("how to write a time", "시각을 쓰는 법")
        package static let timesZone = Phrase(
            "Times are read in the meeting's zone, and shown with it. The day may stand behind the time.",
            "시각은 모임의 시간대로 읽고 시간대와 함께 보여 줍니다. 날짜를 시각 뒤에 써도 됩니다.")
        package static let now = Phrase("at once", "바로")
        package static let later = Phrase("from now; in --ends from the start", "지금부터. --ends에서는 시작부터")
        package static let today = Phrase(
            "today; tomorrow where that is more than six hours ago. As an end: after the start",
            "오늘. 6시간보다 더 지났으면 내일. 끝 시각이면 시작 다음")
        package static let tomorrow = Phrase("today, tomorrow", "today(오늘), tomorrow(내일)")
        package static let weekday = Phrase(
            "the next one, today included: Fri or friday", "다가오는 요일(오늘 포함): Fri 또는 friday")
        package static let nextWeekday = Phrase("the next one, today left out", "다가오는 요일(오늘 제외)")
        package static let date = Phrase("a date, or with a T between", "날짜와 시각. 사이에 T를 써도 됩니다")
        package static let instant = Phrase(
            "RFC 3339, whatever the meeting's zone", "RFC 3339. 모임의 시간대와 상관없음")
        package static let korean = Phrase("the same in Korean", "한국어로")

        package static let references = Phrase("how to name a meeting or session", "모임과 회차를 가리키는 법")
        package static let ambiguous = Phrase(
            "Where several could be meant, they are listed, and nothing is done.",
            "여럿일 수 있으면 목록을 보여 주고 아무것도 하지 않습니다.")
        package static let nearest = Phrase("the running session, else the next one", "진행 중인 회차, 없으면 다음 회차")
        package static let byName = Phrase(
            "a meeting's name, in capitals or not; as a session its latest round",
            "모임 이름(대소문자 무관). 회차로는 가장 최근 회차")
        package static let byRound = Phrase("one round of it", "그 모임의 한 회차")
        package static let byID = Phrase(
            "an id, or four letters or more that only one begins with", "ID, 또는 하나뿐인 네 글자 이상의 앞부분")

        package static let formatting = Phrase("JSON and plain text", "JSON과 일반 글")
        package static let json = Phrase(
            "data as the API has them, whole, on standard output", "API와 같은 데이터를 표준 출력에 온전히")
        package static let jsonFields = Phrase(
            "these fields alone; of a list, those of its items. An unknown one lists all",
            "이 필드만. 목록이면 항목의 필드. 모르는 필드를 쓰면 전체를 보여 줍니다")
        package static let jsonEquals = Phrase(
            "the same, where the next word could be a session", "다음 단어가 회차일 수도 있을 때")
        package static let plain = Phrase(
            "without a terminal nothing is cut, coloured or asked; messages go to standard error",
            "터미널이 아니면 자르거나 색칠하거나 묻지 않습니다. 알림은 표준 오류로"
        )
    }
}
