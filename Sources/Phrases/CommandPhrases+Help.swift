extension CommandPhrases {
    /// In declarations.
    package enum Help {
        package static let topics = Phrase("Topics", "주제")
        package static let headline = Phrase(
            "qring: check-in by QR code and live feedback for meetings.",
            "qring: QR 코드 체크인과 실시간 피드백을 위한 모임 도구.")
        package static let moreAboutACommand = Phrase(
            "Examples and options of a command: qring help COMMAND", "명령의 예와 옵션: qring help COMMAND")
        package static let examples = Phrase("Examples", "예")
        package static let usage = Phrase("Usage", "사용법")
        package static let options = Phrase("options", "옵션")

        package static let server = Phrase(
            "the server (QRING_SERVER, else the one last signed in at)", "서버 (QRING_SERVER, 없으면 마지막에 로그인한 서버)"
        )
        package static let lang = Phrase("language (QRING_LANG)", "언어 (QRING_LANG)")
        package static let help = Phrase("examples and options", "예와 옵션")
        package static let json = Phrase(
            "JSON to standard output; of these fields alone where any are named", "표준 출력으로 JSON. 필드를 쓰면 그 필드만"
        )
        package static let jsonSome = Phrase("these fields alone", "이 필드만")
        package static let jsonFields = Phrase("Fields of --json", "--json의 필드")
        package static let noInput = Phrase("never ask anything", "아무것도 묻지 않기")
        package static let yes = Phrase("do not ask whether it is meant", "확인을 묻지 않기")
        package static let command = Phrase("COMMAND", "명령")
        package static let resultsFollow = Phrase("again whenever they change", "바뀔 때마다 다시")
        package static let sessionMoveExample = Phrase("in the meeting's zone", "모임의 시간대로")
        package static let versionOption = Phrase("qring --version is the same", "qring --version과 같음")
        package static let helpExample = Phrase("examples and options of a command", "명령의 예와 옵션")
        package static let helpTopicExample = Phrase("what a command ends with", "명령의 종료 코드")
        package static let session = Phrase(
            "id, unique beginning of one, name, NAME#ROUND, or @ for the nearest",
            "ID, ID의 앞부분, 이름, 이름#회차, 또는 가장 가까운 회차 @")
        package static let meeting = Phrase(
            "id, unique beginning of one, name, or @ for the nearest", "ID, ID의 앞부분, 이름, 또는 가장 가까운 모임 @")

        package static let signup = Phrase("make an account, and sign in", "계정을 만들고 로그인")
        package static let signupExample = Phrase("asks for the password", "비밀번호를 물어봅니다")
        package static let passwordFromFile = Phrase(
            "the password is the first line of a file", "파일의 첫 줄이 비밀번호")
        package static let email = Phrase("e-mail address", "이메일 주소")
        package static let passwordFile = Phrase(
            "read the password from a file, - for standard input", "비밀번호를 파일에서 읽기, -는 표준 입력")
        package static let invitation = Phrase(
            "what the operator gave you, where sign-up is by invitation", "초대로만 가입하는 서버에서 운영자가 준 것")
        package static let setupTokenFile = Phrase(
            "for the first account: the file with the server's set-up token (default: the one in this "
                + "machine's data folder)",
            "첫 계정용: 서버의 설정 토큰이 든 파일 (기본: 이 컴퓨터의 데이터 폴더에 있는 파일)")
        package static let invite = Phrase("let somebody sign up (operators)", "다른 사람의 가입을 허용 (운영자)")
        package static let inviteExample = Phrase("prints what to type there", "상대가 입력할 명령을 보여 줍니다")
        package static let accountName = Phrase("your name, as others see it", "다른 사람에게 보일 이름")
        package static let login = Phrase("sign in", "로그인")
        package static let logout = Phrase("sign out", "로그아웃")
        package static let logoutExample = Phrase("ends the sign-in on the server, too", "서버에서도 로그인을 끝냅니다")
        package static let whoami = Phrase("who is signed in, and where", "누가 어디에 로그인했는지")

        package static let meetingCreate = Phrase("make a meeting with its first session", "모임과 첫 회차 만들기")
        package static let meetingCreateNow = Phrase(
            "starts now, and shows the QR code", "지금 시작하고 QR 코드를 보여 줍니다")
        package static let meetingCreatePlanned = Phrase(
            "30 people are expected; an end before the start is on the next day", "30명 예정. 끝이 시작보다 이르면 다음 날")
        package static let meetingName = Phrase("1–100 characters", "1~100자")
        package static let now = Phrase("start now", "지금 시작")
        package static let duration = Phrase(
            "how long: 2h, 90m, 1h30m (default 2h)", "길이: 2h, 90m, 1h30m (기본 2h)")
        package static let starts = Phrase(
            "2026-11-21 19:00, \"tomorrow 7pm\", \"Fri 19:00\", +2h, in the meeting's zone",
            "2026-11-21 19:00, \"내일 오후 7시\", \"금 19:00\", +2h. 모임의 시간대로 읽습니다")
        package static let ends = Phrase("as --starts; +2h is from the start", "--starts와 같음. +2h는 시작부터")
        package static let zone = Phrase("IANA time zone (default: this machine's)", "IANA 시간대 (기본: 이 기기)")
        package static let planned = Phrase("how many are expected", "예정 인원")
        package static let identifyBy = Phrase(
            "what people are told apart by (default email)", "사람을 구분하는 기준 (기본 email)")
        package static let question = Phrase(
            "an optional short-answer question; may be given again", "주관식 선택 질문. 여러 번 쓸 수 있음")
        package static let sampleQuestions = Phrase("one question of each kind", "종류마다 질문 하나씩")
        package static let place = Phrase("where it is", "장소")
        package static let description = Phrase("what it is about", "설명")
        package static let allowOverlap = Phrase(
            "although another session of yours is at that time", "다른 회차와 겹쳐도 만들기")
        package static let follow = Phrase("draw the code again whenever it changes", "코드가 바뀔 때마다 다시 그림")
        package static let rotating = Phrase("a code that changes every 10 s", "10초마다 바뀌는 코드")
        package static let lateAfter = Phrase(
            "minutes after the start that are still on time (default 10)", "지각이 되기까지의 분 (기본 10)")
        package static let meetingContinue = Phrase("make the next session of a meeting", "모임의 다음 회차 만들기")
        package static let meetingContinueExample = Phrase(
            "a week later; times are in the meeting's zone", "일주일 뒤. 시각은 모임의 시간대로 읽습니다")
        package static let meetingList = Phrase("your meetings", "내 모임 목록")
        package static let meetingShow = Phrase("one meeting and its sessions", "모임 하나와 회차들")
        package static let meetingEdit = Phrase("change a meeting", "모임 바꾸기")
        package static let newName = Phrase("the new name", "새 이름")
        package static let revokeLinks = Phrase(
            "revoke all presenter links; their screens end at once", "발표 화면 링크 모두 회수. 열려 있는 화면은 바로 끝남")
        package static let presentList = Phrase("list the presenter links of the session", "회차의 발표 화면 링크 목록")
        package static let presentRevoke = Phrase(
            "revoke one presenter link by its ID, or all", "ID로 발표 화면 링크 하나, 또는 모두(all) 회수")
        package static let renewCode = Phrase(
            "make a new code; the old one dies", "새 코드 만들기. 이전 코드는 쓸 수 없게 됨")
        package static let meetingDelete = Phrase("delete a meeting and all its sessions", "모임과 모든 회차 삭제")
        package static let confirm = Phrase(
            "the meeting's name, where people have checked in", "체크인이 있을 때 확인할 모임 이름")

        package static let sessionList = Phrase("the sessions of a meeting, newest first", "모임의 회차들, 최근 순")
        package static let sessionShow = Phrase("one session", "회차 하나")
        package static let sessionEdit = Phrase(
            "change a session's times, plan or code", "회차의 시간, 인원, 코드 바꾸기")
        package static let sessionEditExample = Phrase("half an hour longer", "30분 늘리기")
        package static let sessionStarts = Phrase(
            "a time alone is on its day, +10m is from its start; the end moves along, unless --ends says it",
            "시각만 쓰면 같은 날, +10m은 원래 시작부터. --ends가 없으면 끝도 함께 옮깁니다")
        package static let sessionLateExample = Phrase(
            "starts late; statuses are recomputed", "늦게 시작. 출결 상태를 다시 계산합니다")
        package static let sessionEnds = Phrase(
            "as --starts; +30m is from the present end", "--starts와 같음. +30m은 지금 끝에서부터")
        package static let sessionDelete = Phrase(
            "delete a session; the only one takes its meeting along", "회차 삭제. 하나뿐이면 모임도 삭제")
        package static let sessionNearest = Phrase("the running or next session", "진행 중이거나 다음 회차")

        package static let qr = Phrase("draw a check-in code", "체크인 코드 그리기")
        package static let qrExample = Phrase("of the nearest session, in the terminal", "가장 가까운 회차를 터미널에")
        package static let qrPoster = Phrase("of a meeting: static, for a poster", "모임 코드: 포스터용으로 바뀌지 않음")
        package static let qrWhat = Phrase("a session, or with --poster a meeting", "회차, --poster면 모임")
        package static let poster = Phrase("the meeting's code instead of a session's", "회차 코드 대신 모임 코드")
        package static let png = Phrase("into a PNG file, - for standard output", "PNG 파일로, -는 표준 출력")
        package static let svg = Phrase("into an SVG file, - for standard output", "SVG 파일로, -는 표준 출력")
        package static let size = Phrase(
            "pixels a side of the PNG, 64–2048 (default 1024); for more draw an SVG",
            "PNG 한 변의 픽셀, 64~2048 (기본 1024). 더 크게는 SVG로")
        package static let present = Phrase(
            "make a link for a hall's screen: code and counts, no names", "발표 화면 링크 만들기: 코드와 인원만, 이름 없음")

        package static let checkin = Phrase("check in as an attendee", "참석자로 체크인")
        package static let checkinExample = Phrase("by the join code", "참여 코드로")
        package static let checkinURL = Phrase("by the address in the QR code", "QR 코드의 주소로")
        package static let code = Phrase(
            "the code, the address it is in, or the join code", "코드, 코드가 든 주소, 또는 참여 코드")
        package static let attendeeName = Phrase("the attendee's name", "참석자 이름")
        package static let number = Phrase("staff or student number", "사번 또는 학번")
        package static let respond = Phrase("answer the questions as an attendee", "참석자로 질문에 답하기")
        package static let respondExample = Phrase("asks one question after the other", "질문을 하나씩 물어봅니다")
        package static let respondSession = Phrase(
            "by default the session checked in to last from here", "기본은 여기서 마지막으로 체크인한 회차")
        package static let answers = Phrase(
            "JSON: {\"1\": [\"a\"], \"2\": \"text\", \"3\": 5}, - for standard input",
            "JSON: {\"1\": [\"a\"], \"2\": \"글\", \"3\": 5}, -는 표준 입력")
        package static let receipt = Phrase(
            "a file with the receipt, where it is not saved here; - for standard input",
            "여기에 저장되지 않은 확인증이 든 파일, -는 표준 입력")
        package static let attendeeList = Phrase("who is here, late, awaited", "출석, 지각, 대기 명단")
        package static let status = Phrase("only these", "이 상태만")
        package static let search = Phrase("only those whose name has it", "이름에 이 글자가 든 사람만")

        package static let questionList = Phrase("the questions of a session", "회차의 질문들")
        package static let questionSet = Phrase(
            "replace the questions by those in a JSON file", "JSON 파일의 질문으로 바꾸기")
        package static let questionSetExample = Phrase(
            "[{\"kind\": \"rating\", \"title\": \"How was it?\"}, …]",
            "[{\"kind\": \"rating\", \"title\": \"어땠나요?\"}, …]")
        package static let questionFile = Phrase("a JSON file, - for standard input", "JSON 파일, -는 표준 입력")
        package static let set = Phrase("question set (default feedback)", "질문 묶음 (기본 feedback)")
        package static let results = Phrase("results as bars", "결과를 막대로")

        package static let watch = Phrase("follow a session live, a line an update", "회차를 실시간으로 보기, 소식마다 한 줄")
        package static let watchExample = Phrase("until 50 are in, for a minute at most", "50명이 올 때까지, 최대 1분")
        package static let since = Phrase(
            "resume after an update: EPOCH:N, as --json prints it", "그 소식 다음부터: --json이 출력하는 EPOCH:N")
        package static let until = Phrase(
            "end when checked-in=N or responses=N", "checked-in=N 또는 responses=N이면 끝내기")
        package static let timeout = Phrase("give up after that, with 124", "이 시간이 지나면 124로 끝내기")
        package static let simulate = Phrase(
            "attendees who check in and answer, over the real API", "실제 API로 체크인하고 답하는 모의 참석자")
        package static let simulateExample = Phrase("200 people within half a minute", "30초에 걸쳐 200명")
        package static let attendees = Phrase("how many", "인원")
        package static let over = Phrase("spread over that time (default 30s)", "이 시간에 걸쳐 (기본 30s)")
        package static let seed = Phrase("the same people and answers again", "같은 사람과 답을 다시")
        package static let parallel = Phrase("requests at once at most (default 32)", "동시 요청 수 상한 (기본 32)")
        package static let demoOver = Phrase("spread over that time (default 20s)", "이 시간에 걸쳐 (기본 20s)")
        package static let demoExit = Phrase("end when everybody has come", "모두 오면 끝내기")
        package static let version = Phrase("print the version", "버전 출력")
        package static let helpCommand = Phrase(
            "help with a command or a topic; manual pages", "명령이나 주제의 도움말, 매뉴얼")
        package static let helpTopic = Phrase("a command or a topic", "명령 또는 주제")
    }
}
