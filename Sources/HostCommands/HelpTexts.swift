internal import CommandLine
internal import Phrases

extension HelpSection {
    private typealias Overview = CommandPhrases.Overview

    /// The headings of the overview.
    static let all = [
        HelpSection(Overview.start, ["demo", "serve", "signup", "login"]),
        HelpSection(
            Overview.host,
            [
                "meeting", "session", "series", "roster", "member", "qr", "present", "attendee", "question",
                "poll", "results", "moderate", "ask", "groups", "open", "copy",
            ]),
        HelpSection(Overview.live, ["watch", "dashboard", "events", "simulate"]),
        HelpSection(Overview.attendee, ["checkin", "respond"]),
        HelpSection(
            Overview.account, ["whoami", "logout", "invite", "verify", "password", "token", "account"]),
        HelpSection(Overview.scripting, ["api", "context", "config"]),
        HelpSection(Overview.operator, ["admin", "bench"]),
    ]
}

extension HelpTopic {
    private typealias Topic = CommandPhrases.Topic
    private typealias Manual = CommandPhrases.Manual

    static let all = [environment, exitCodes, times, references, formatting]

    static let environment = HelpTopic(
        name: "environment", summary: Topic.environment, manualHeading: Manual.environment,
        rows: [
            ("", Topic.environmentOrder), ("QRING_SERVER", Topic.server), ("QRING_CONTEXT", Topic.context),
            ("QRING_TOKEN", Topic.token), ("QRING_EMAIL", Topic.email),
            ("QRING_LANG", Topic.lang), ("QRING_THEME", Topic.theme),
            ("QRING_PAGER, PAGER", Topic.pager), ("BROWSER", Topic.browser),
            ("DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME", Topic.screen), ("TMUX", Topic.tmux),
            ("LC_ALL, LC_MESSAGES, LANG", Topic.locale),
            ("NO_COLOR", Topic.noColor), ("TERM", Topic.term),
            ("XDG_CONFIG_HOME", Topic.config), ("XDG_DATA_HOME", Topic.data), ("no_proxy", Topic.noProxy),
            ("QRING_LISTEN, QRING_DATA, …", Topic.serve),
        ])

    static let exitCodes = HelpTopic(
        name: "exit-codes", summary: Topic.exitCodes, manualHeading: Manual.exitStatus,
        rows: ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })

    static let times = HelpTopic(
        name: "times", summary: Topic.times, manualHeading: Manual.times,
        rows: [
            ("", Topic.timesZone), ("now", Topic.now), ("+2h, +1h30m, +45m", Topic.later),
            ("19:00, 7pm, 7:30pm", Topic.today),
            ("tomorrow 7pm", Topic.tomorrow), ("Fri 19:00", Topic.weekday),
            ("next friday 9:30", Topic.nextWeekday),
            ("2026-11-21 19:00", Topic.date),
            ("2026-11-21T19:00:00+09:00", Topic.instant), ("내일 오후 7시, 다음 주 금요일 19시 30분", Topic.korean),
        ])

    static let references = HelpTopic(
        name: "names", summary: Topic.references, manualHeading: Manual.references,
        rows: [
            ("", Topic.ambiguous), ("@", Topic.nearest), ("\"Study group\"", Topic.byName),
            ("\"Study group#2\"", Topic.byRound),
            ("MWN8B4", Topic.byJoinCode),
            ("C6VRPS9", Topic.byID),
        ])

    static let formatting = HelpTopic(
        name: "formatting", summary: Topic.formatting, manualHeading: Manual.formatting,
        rows: [
            ("--json", Topic.json), ("--json id,name", Topic.jsonFields), ("--json=name", Topic.jsonEquals),
            ("--json attendance.present", Topic.jsonBelow), ("--jsonl", Topic.jsonLines),
            ("--jq '.items[].name'", Topic.jq), ("--limit 20", Topic.limit),
            ("| cat", Topic.plain),
        ])
}

extension ExitCode {
    var meaning: Phrase {
        typealias Topic = CommandPhrases.Topic
        return switch self {
        case .success: Topic.success
        case .failed: Topic.failed
        case .usage: Topic.usage
        case .notAllowed: Topic.notAllowed
        case .notFound: Topic.notFound
        case .conflict: Topic.conflict
        case .timedOut: Topic.timedOut
        case .interrupted: Topic.interrupted
        }
    }
}

extension CommandPhrases.Manual {
    static let exitStatus = Phrase("EXIT STATUS", "종료 코드")
    static let environment = Phrase("ENVIRONMENT", "환경 변수")
    static let times = Phrase("TIMES", "시각")
    static let references = Phrase("MEETINGS AND SESSIONS", "모임과 회차")
    static let formatting = Phrase("OUTPUT", "출력")
}

extension CommandPhrases {
    /// Headings of `qring help`.
    enum Overview {
        static let start = Phrase("Getting started", "시작하기")
        static let host = Phrase("Meetings", "모임")
        static let live = Phrase("Live", "실시간")
        static let attendee = Phrase("As an attendee", "참석자로")
        static let account = Phrase("Account", "계정")
        static let scripting = Phrase("Scripts and settings", "스크립트와 설정")
        package static let `operator` = Phrase("For operators", "운영자용")
    }
}

extension CommandPhrases.Topic {
    static let environment = Phrase("environment variables", "환경 변수")
    static let environmentOrder = Phrase(
        "An option overrides its variable, and a variable overrides config.json.",
        "옵션이 환경 변수보다, 환경 변수가 config.json보다 우선합니다.")
    static let server = Phrase(
        "the server (default: the server of the last login, or else http://127.0.0.1:8080)",
        "서버(기본: 마지막에 로그인한 서버, 없으면 http://127.0.0.1:8080)")
    static let token = Phrase("an access token, instead of the saved sign-in", "저장된 로그인 대신 쓰는 접근 토큰")
    static let email = Phrase("the account to use if several are signed in", "로그인한 계정이 여럿일 때 쓸 계정")
    static let context = Phrase("the saved server with this name", "이 이름으로 저장한 서버")
    static let lang = Phrase("en or ko", "en 또는 ko")
    static let theme = Phrase(
        "the colours: standard, dark, light, contrast or terminal",
        "색: standard, dark, light, contrast, terminal")
    static let pager = Phrase(
        "the pager for long output on a terminal; empty or cat for none",
        "터미널에서 긴 출력을 보여 줄 페이저. 비우거나 cat이면 쓰지 않음")
    static let screen = Phrase("whether qring open has a screen for a browser", "qring open이 브라우저를 띄울 화면")
    static let tmux = Phrase("notifications pass through tmux", "알림이 tmux를 거쳐 전달됨")
    static let browser = Phrase("the browser of qring open", "qring open이 쓸 브라우저")
    static let locale = Phrase(
        "the language if nothing else sets it; without UTF-8, text is plain ASCII",
        "다른 설정이 없을 때의 언어. UTF-8이 아니면 ASCII로 표시")
    static let noColor = Phrase("any value switches colours off", "값이 있으면 색을 쓰지 않음")
    static let term = Phrase("dumb: no colours, and no line is overwritten", "dumb이면 색과 덮어쓰기를 쓰지 않음")
    static let config = Phrase(
        "the folder of qring/config.json with servers, sign-ins and receipts (default ~/.config)",
        "qring/config.json(서버, 로그인, 확인증)의 폴더(기본 ~/.config)")
    static let data = Phrase(
        "the folder of qring/, the server's data (default ~/.local/share)",
        "서버 데이터 qring/의 폴더(기본 ~/.local/share)")
    static let noProxy = Phrase(
        "hosts that bypass http_proxy and https_proxy",
        "http_proxy, https_proxy를 거치지 않을 호스트")
    static let serve = Phrase(
        "the options of serve and admin in capitals: --public-url is QRING_PUBLIC_URL",
        "serve와 admin의 옵션을 대문자로: --public-url은 QRING_PUBLIC_URL")
    static let exitCodes = Phrase("exit codes", "종료 코드")
    static let success = Phrase("success", "성공")
    static let failed = Phrase("failure", "실패")
    static let usage = Phrase("the command line is wrong; nothing was done", "명령줄이 올바르지 않아 아무것도 하지 않음")
    static let notAllowed = Phrase("not signed in, or not allowed", "로그인하지 않았거나 권한이 없음")
    static let notFound = Phrase("the meeting, session or person does not exist", "모임, 회차, 사람이 없음")
    static let conflict = Phrase(
        "a conflict: an overlap, a change by somebody else, or an ambiguous name",
        "충돌: 회차가 겹침, 다른 사람이 먼저 변경함, 이름이 같은 항목이 여럿임")
    static let timedOut = Phrase(
        "the time limit has passed, or the server did not answer in time",
        "제한 시간이 지났거나 서버가 제때 응답하지 않음")
    static let interrupted = Phrase("interrupted by Ctrl-C or SIGTERM", "Ctrl-C 또는 SIGTERM으로 중단")
    static let times = Phrase("how to write times", "시각을 쓰는 법")
    static let timesZone = Phrase(
        "Times are in the meeting's time zone. The day may follow the time.",
        "시각은 모임의 시간대를 따릅니다. 날짜를 시각 뒤에 써도 됩니다.")
    static let now = Phrase("immediately", "지금 바로")
    static let later = Phrase("from now; with --ends, from the start", "지금부터. --ends에서는 시작부터")
    static let today = Phrase(
        "today, or tomorrow if today's time passed more than six hours ago; an end time is "
            + "after the start",
        "오늘. 오늘 그 시각에서 6시간이 더 지났으면 내일. 종료 시각이면 시작 다음")
    static let tomorrow = Phrase("today, tomorrow", "today(오늘), tomorrow(내일)")
    static let weekday = Phrase(
        "the next such day, which may be today: Fri or friday",
        "다가오는 요일(오늘 포함): Fri 또는 friday")
    static let nextWeekday = Phrase("the next such day, but not today", "다가오는 요일(오늘 제외)")
    static let date = Phrase("a date and time; a T may separate them", "날짜와 시각. 사이에 T를 써도 됩니다")
    static let instant = Phrase("RFC 3339, with its own offset", "RFC 3339(자체 시간대 포함)")
    static let korean = Phrase("the same in Korean", "한국어로 쓴 시각")
    static let references = Phrase("how to name a meeting or session", "모임과 회차를 가리키는 법")
    static let ambiguous = Phrase(
        "If several match, they are listed, and nothing is done.",
        "여럿이 해당하면 목록을 보여 주고 아무것도 하지 않습니다.")
    static let byName = Phrase(
        "a meeting's name in any case; as a session, it means the latest session",
        "모임 이름(대소문자 무관). 회차로는 가장 최근 회차")
    static let byRound = Phrase("one session of the meeting", "그 모임의 한 회차")
    static let byID = Phrase(
        "an id, or its unique end of at least four letters",
        "ID, 또는 하나뿐인 네 글자 이상의 끝부분")
    static let byJoinCode = Phrase("a session's join code", "회차의 참여 코드")
    static let formatting = Phrase("JSON and plain text", "JSON과 일반 텍스트")
    static let json = Phrase("print the API's data to standard output", "API의 데이터를 표준 출력으로 출력")
    static let jsonFields = Phrase(
        "only these fields; for a list, the fields of its items. An unknown field lists all",
        "이 필드만. 목록이면 항목의 필드. 모르는 필드를 쓰면 전체 목록을 표시")
    static let jsonEquals = Phrase(
        "the same as --json name, if the argument SESSION follows directly",
        "--json name과 같음. 바로 뒤에 회차를 쓸 때 사용")
    static let jsonBelow = Phrase(
        "a dot leads into an object, or into every object of a list", "점은 객체 안, 또는 목록의 모든 객체 안으로")
    static let jsonLines = Phrase(
        "JSON Lines: each item of a list on its own line", "JSON Lines: 목록의 항목마다 한 줄")
    static let jq = Phrase(
        "a program of jq on the JSON; qring needs no jq for this", "JSON에 jq 식 적용. jq를 설치할 필요 없음")
    static let limit = Phrase("at most this many items of a list", "목록의 최대 항목 수")
    static let plain = Phrase(
        "without a terminal, nothing is cut, coloured or asked; messages go to standard error",
        "터미널이 아니면 자르거나 색칠하거나 묻지 않음. 메시지는 표준 오류로")
}
