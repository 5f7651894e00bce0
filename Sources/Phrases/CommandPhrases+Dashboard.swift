extension CommandPhrases {
    /// What the full-screen dashboard shows. Short: it stands in columns.
    package enum Dashboard {
        package static let summary = Phrase(
            "show a session live on the whole screen; without SESSION, today's sessions",
            "회차를 전체 화면으로 실시간 보기. SESSION이 없으면 오늘의 회차")
        package static let session = Phrase(
            "Session or meeting: id, the beginning of one, name, NAME#ROUND, or @ for the nearest",
            "회차나 모임: ID, ID 앞부분, 이름, 이름#회차, 가장 가까운 것은 @")
        package static let homeExample = Phrase("today's sessions; Enter opens one", "오늘의 회차. Enter로 열기")
        package static let nearestExample = Phrase("the running or next session", "진행 중이거나 다음 회차")
        package static let notes = Phrase(
            "It needs 40×12 cells; 80×24 has room for the QR code. NO_COLOR and LANG are heeded, TERM=dumb "
                + "and locales other than UTF-8 get ASCII. Without a terminal it prints a line an update, "
                + "like watch.",
            "40×12칸 이상이 필요하고, 80×24이면 QR 코드도 나옵니다. NO_COLOR와 LANG을 따르며, TERM=dumb이나 UTF-8이 아닌 로캘에서는 ASCII로 "
                + "그립니다. 터미널이 없으면 watch처럼 한 줄씩 출력합니다."
        )
        package static let noScreen = Phrase(
            "this terminal ({term}) is not known here; try TERM=xterm-256color or TERM=dumb.",
            "알 수 없는 터미널({term})입니다. TERM=xterm-256color나 TERM=dumb을 써 보세요.")

        package static let round = Phrase("round {round}", "{round}회차")
        package static let live = Phrase("live", "실시간")
        package static let connecting = Phrase("connecting", "연결 중")
        package static let reconnecting = Phrase("reconnecting in {time} s", "{time}초 뒤 다시 연결")
        package static let reconnectingNow = Phrase("reconnecting", "다시 연결 중")
        package static let resumed = Phrase("resumed", "이어서 연결됨")
        package static let afresh = Phrase("connected afresh", "새로 연결됨")
        package static let needs = Phrase("needs {columns}×{rows}", "{columns}×{rows} 필요")
        package static let has = Phrase("this is {columns}×{rows}", "현재 {columns}×{rows}")

        package static let startsIn = Phrase("starts in {time}", "시작까지 {time}")
        package static let opensIn = Phrase("check-in opens in {time}", "체크인까지 {time}")
        package static let lateIn = Phrase("late limit in {time}", "지각 처리까지 {time}")
        package static let endsIn = Phrase("ends in {time}", "종료까지 {time}")
        package static let endedAgo = Phrase("ended {time} ago", "{time} 전 종료")
        package static let start = Phrase("start", "시작")
        package static let late = Phrase("late", "지각")
        package static let end = Phrase("end", "종료")
        package static let days = Phrase("{days} d {time}", "{days}일 {time}")

        package static let hereOf = Phrase("{count} of {planned} here", "{planned}명 중 {count}명 체크인")
        package static let here = Phrase("{count} here", "{count}명 체크인")
        package static let walkIns = Phrase("walk-ins", "현장")
        package static let perMinute = Phrase("Arrivals a minute", "분당 도착")
        package static let most = Phrase("most {count}", "최대 {count}")
        package static let newest = Phrase("Newest arrivals", "최근 도착")
        package static let nobody = Phrase("Nobody yet", "아직 아무도 없습니다")
        package static let noQuestions = Phrase("No questions", "질문 없음")
        package static let question = Phrase("Question {number} of {count}", "질문 {number}/{count}")
        package static let noAnswers = Phrase("No answers yet", "아직 답변이 없습니다")
        package static let responded = Phrase("{count} answered", "{count}명 답변")
        package static let joinCode = Phrase("Join code", "참여 코드")
        package static let noCode = Phrase("No code is shown to you", "표시할 코드가 없습니다")
        package static let codeTooLarge = Phrase(
            "The QR code needs {columns}×{rows}; this is {width}×{height}.",
            "QR 코드에는 {columns}×{rows}칸이 필요합니다(현재 {width}×{height}).")

        package static let overview = Phrase("Overview", "개요")
        package static let attendees = Phrase("Attendees", "참석자")
        package static let questions = Phrase("Questions", "질문")
        package static let all = Phrase("all", "전체")
        package static let shownOf = Phrase("{shown} of {count}", "{count}명 중 {shown}명")
        package static let loading = Phrase("reading {count}…", "{count}명 읽는 중…")
        package static let noMatch = Phrase("Nobody matches", "해당하는 사람이 없습니다")
        package static let search = Phrase("search", "검색")

        package static let marked = Phrase("{name}: {status}. u undoes it.", "{name}: {status}. u로 되돌리기")
        package static let undone = Phrase("{name}: {status} again", "{name}: 다시 {status}")
        package static let undoneBare = Phrase("Undone", "되돌렸습니다")
        package static let nothingToUndo = Phrase("Nothing to undo here", "되돌릴 것이 없습니다")
        package static let alreadySo = Phrase("{name} is {status} already", "{name}: 이미 {status}")
        package static let nobodyChosen = Phrase(
            "Nobody is chosen: 2 shows the attendees", "선택된 사람이 없습니다. 2를 눌러 참석자를 보세요")
        package static let marking = Phrase("{name} …", "{name} …")
        package static let gone = Phrase("This session was deleted", "삭제된 회차입니다")

        package static let today = Phrase("Today", "오늘")
        package static let later = Phrase("Later", "이후")
        package static let earlier = Phrase("Earlier", "이전")
        package static let noSessions = Phrase(
            "No sessions yet: qring meeting create NAME --now", "아직 회차가 없습니다: qring meeting create NAME --now"
        )
        package static let nothingToday = Phrase("No session today", "오늘은 회차가 없습니다")

        package static let keyHelp = Phrase("help", "도움말")
        package static let keyQuit = Phrase("quit", "나가기")
        package static let keyPanes = Phrase("panes", "화면")
        package static let keySearch = Phrase("search", "검색")
        package static let keyCode = Phrase("code", "코드")
        package static let keyQuestion = Phrase("question", "질문")
        package static let keyOpen = Phrase("opens", "열기")
        package static let keyBack = Phrase("back", "뒤로")
        package static let keyUndo = Phrase("undo", "되돌리기")
        package static let keyFilter = Phrase("filter", "필터")
        package static let keyDone = Phrase("done", "완료")
        package static let keyChoose = Phrase("choose", "선택")

        package static let helpTitle = Phrase("Keys", "키")
        package static let helpPanes = Phrase("overview attendees questions", "개요 참석자 질문")
        package static let helpNextPane = Phrase("next pane", "다음 화면")
        package static let helpSearch = Phrase("search the attendees", "참석자 검색")
        package static let helpFilter = Phrase("attendees of one status", "상태별 참석자")
        package static let helpMove = Phrase("move (the mouse works, too)", "이동(마우스도 됨)")
        package static let helpMark = Phrase("present late absent excused", "출석 지각 결석 공결")
        package static let helpUndo = Phrase("undo the last mark", "마지막 변경 되돌리기")
        package static let helpQuestion = Phrase("next, previous question", "다음, 이전 질문")
        package static let helpCode = Phrase("the code, full screen", "코드 전체 화면")
        package static let helpHome = Phrase("all sessions", "모든 회차")
        package static let helpRedraw = Phrase("draw again", "다시 그리기")
        package static let helpHelp = Phrase("this help", "이 도움말")
        package static let helpQuit = Phrase("quit", "나가기")
    }
}
