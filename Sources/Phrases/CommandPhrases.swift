/// The texts of commands and of the dashboard. A phrase that only one file uses is in that file, in an
/// extension of its enum; phrases that several files use are here. `Usage` has the errors of a command line,
/// `Fail` the errors of a running command, and `Help` the texts of declarations.
package enum CommandPhrases {
    /// The texts of `qring admin`.
    package enum Admin {
        package static let notDone = Phrase("The command failed: {reason}", "명령을 실행하지 못했습니다: {reason}")
    }
    /// The texts of corrections, members and images.
    package enum Correct {
        package static let attendee = Phrase("id, name, e-mail address or number", "ID, 이름, 이메일 또는 번호")
        package static let note = Phrase(
            "the reason, for the journal and the members", "이유(변경 기록에 남고 구성원에게 보임)")
    }

    /// The dashboard's texts. They are short, because the dashboard's columns are narrow.
    package enum Dashboard {
        package static let round = Phrase("session {round}", "{round}회차")
        package static let reconnecting = Phrase("reconnecting in {time} s", "{time}초 뒤 다시 연결")
        package static let joinCode = Phrase.Page.joinCode
        package static let perMinute = Phrase("Arrivals per minute", "분당 도착")
        package static let newest = Phrase("Newest arrivals", "최근 도착")
        package static let walkIns = Phrase("walk-ins", "현장 참가")
    }

    /// The texts of `qring admin doctor`: a line for each check, and a way to fix each problem.
    package enum Doctor {
        package static let listenBad = Phrase(
            "{address} is not an address and port",
            "{address}은(는) 올바른 수신 주소가 아닙니다")
        package static let listenBadAdvice = Phrase(
            "use, for example, 127.0.0.1:8080 or [::]:8080",
            "127.0.0.1:8080이나 [::]:8080처럼 지정하세요")
    }

    /// The texts of questions, question sets, question files and answers.
    package enum Forms {
        package static let anonymous = Phrase(
            "store answers without names; cannot be changed once the questions were opened or shown",
            "이름 없이 답변 저장. 질문이 열리거나 참석자에게 보인 뒤에는 바꿀 수 없음")
    }

    /// The texts in the declarations of commands.
    package enum Help {
        package static let options = Phrase("options", "옵션")
        package static let json = Phrase(
            "print JSON, optionally only these fields",
            "JSON으로 출력. 필드를 지정하면 그 필드만")
        package static let jsonSome = Phrase("only these fields", "이 필드만")
        package static let session = Phrase(
            "a name, NAME#ROUND, a join code, an id or its unique end, or @ for the nearest",
            "이름, 이름#회차, 참여 코드, ID나 ID의 끝부분, 또는 가장 가까운 회차 @")
        package static let meeting = Phrase(
            "a name, an id or its unique end, or @ for the nearest",
            "이름, ID나 ID의 끝부분, 또는 가장 가까운 모임 @")
        package static let email = Phrase("e-mail address", "이메일")
        package static let passwordFile = Phrase(
            "read the password from a file, - for standard input",
            "비밀번호를 파일에서 읽기, -는 표준 입력")
        package static let accountName = Phrase("your name, as others see it", "다른 사람에게 보일 이름")
        package static let duration = Phrase(
            "how long the session lasts: 2h, 90m, 1h30m (default 2h)",
            "진행 시간: 2h, 90m, 1h30m(기본 2h)")
        package static let ends = Phrase(
            "like --starts; +2h counts from the start",
            "--starts와 같음. +2h는 시작 시각부터")
        package static let planned = Phrase("the number of people expected", "예정 인원")
        package static let allowOverlap = Phrase(
            "create it even if it overlaps another session of yours",
            "내 다른 회차와 겹쳐도 만들기")
        package static let lateAfter = Phrase(
            "minutes after the start from which attendees are late (default 10)",
            "시작 후 지각으로 처리할 때까지의 분(기본 10)")
        package static let revokeLinks = Phrase(
            "revoke all presenter links; open screens end at once",
            "발표 화면 링크를 모두 회수. 열려 있는 화면은 바로 종료")
        package static let renewCode = Phrase(
            "create a new code; the old code stops working",
            "새 코드 만들기. 이전 코드는 쓸 수 없음")
        package static let confirm = Phrase(
            "the meeting's name as confirmation, if people have checked in",
            "체크인한 사람이 있을 때 확인할 모임 이름")
        package static let sessionNearest = Phrase("show the running or next session", "진행 중이거나 다음인 회차 보기")
        package static let attendeeName = Phrase("the attendee's name", "참석자 이름")
        package static let number = Phrase("staff or student number", "번호(학번 또는 사번)")
        package static let search = Phrase("only names that contain this text", "이 글자가 들어간 이름만")
        package static let set = Phrase(
            "the question set, 1–40 characters of a–z, 0–9 and - (default feedback)",
            "질문 묶음(a–z, 0–9, - 1~40자, 기본 feedback)")
        package static let attendees = Phrase("the number of attendees", "참석자 수")
        package static let seed = Phrase("repeat the same people and answers", "같은 사람과 답변을 반복")
    }

    package enum Messages {
        package static let copied = Phrase("Copied: {text}", "복사했습니다: {text}")
        package static let email = Phrase("E-mail: ", "이메일: ")
        package static let name = Phrase("Name: ", "이름: ")
        package static let anEmail = Phrase("an e-mail address", "이메일")
        package static let aName = Phrase("a name", "이름")
        package static let signedUp = Phrase("The account {email} was created.", "{email} 계정을 만들었습니다.")
        package static let operatorAccount = Phrase("This account operates the server.", "이 서버의 운영자 계정입니다.")
        package static let meetingMade = Phrase("{name} · session {round}", "{name} · {round}회차")
        package static let joinCode = Phrase.Page.joinCode
        package static let address = Phrase("Address", "주소")
        package static let nextCreate = Phrase("create a meeting", "모임 만들기")
        package static let nothing = Phrase("None yet.", "아직 없습니다.")
        package static let nothingFound = Phrase("Nothing matches.", "조건에 맞는 결과가 없습니다.")
        package static let deleted = Phrase("{name} was deleted.", "{name}을(를) 삭제했습니다.")
        package static let changed = Phrase("The change was saved.", "변경을 저장했습니다.")
        package static let headName = Phrase("NAME", "이름")
        package static let headID = Phrase("ID", "ID")
        package static let headRound = Phrase("ROUND", "회차")
        package static let headStarts = Phrase("STARTS", "시작")
        package static let headPhase = Phrase("PHASE", "단계")
        package static let headCheckedIn = Phrase("IN", "체크인")
        package static let headResponses = Phrase("ANSWERED", "답변")
        package static let required = Phrase.Page.required
        package static let responsesCount = Phrase("answered {count}", "답변 {count}")
    }

    /// The content of sample meetings.
    package enum Sample {
        package static let rating = Phrase("How was it today?", "오늘 모임은 어땠나요?")
        package static let choice = Phrase("What helped you most?", "무엇이 가장 도움이 되었나요?")
        package static let choices = [
            Phrase("The talk", "발표"), Phrase("The discussion", "토론"), Phrase("The exercises", "실습"),
            Phrase("The people", "사람들"),
        ]
        package static let text = Phrase("What should we do better next time?", "다음에 더 나아져야 할 점은?")
        package static let texts = [
            Phrase("More time for questions", "질문 시간을 늘려 주세요"), Phrase("It was just right", "딱 좋았어요"),
            Phrase("A larger room, please", "더 넓은 방이면 좋겠어요"), Phrase("Start a little earlier", "조금 일찍 시작해요"),
            Phrase("More exercises", "실습을 더 해요"), Phrase("Share the slides", "자료를 공유해 주세요"),
        ]
        /// Words for word clouds, the most frequent first.
        package static let words = [
            Phrase("practice", "실습"), Phrase("people", "사람"), Phrase("questions", "질문"),
            Phrase("coffee", "커피"), Phrase("ideas", "아이디어"), Phrase("speed", "속도"),
            Phrase("examples", "예제"), Phrase("curious", "호기심"), Phrase("tired", "피곤"),
        ]
        package static let others = [
            Phrase("Something else", "그 밖에"), Phrase("All of it", "전부"), Phrase("The coffee", "커피"),
            Phrase("The walk there", "오는 길"),
        ]
        package static let people = [
            Phrase("Kim Minji", "김민지"), Phrase("Lee Jun", "이준"), Phrase("Park Seoyeon", "박서연"),
            Phrase("Choi Haneul", "최하늘"),
            Phrase("Jung Dohyun", "정도현"), Phrase("Kang Sora", "강소라"), Phrase("Ada Byron", "한지우"),
            Phrase("Alan Moore", "윤서준"),
            Phrase("Maria Lopez", "임하은"), Phrase("Omar Haddad", "오지호"), Phrase("Ines Weber", "서유나"),
            Phrase("Noah Clark", "신태오"),
        ]
    }

    /// The texts of series, rosters and their files.
    package enum Roster {
        package static let startsWithinTheHour = Phrase(
            "Starts in {minutes} {minutes|minute|minutes}.",
            "{minutes}분 뒤에 시작합니다.")
    }

    /// The texts of `qring serve` and `qring demo`.
    package enum Serve {
        package static let cannotStart = Phrase(
            "The server cannot start: {reason}",
            "서버를 시작할 수 없습니다: {reason}")
    }

    /// The headings of manual pages.
    package enum Manual {}

    /// The labels of progress bars.
    package enum Progress {}

    /// The texts of help topics.
    package enum Topic {
        package static let nearest = Phrase(
            "the running session, or else the next one",
            "진행 중인 회차, 없으면 다음 회차")
    }

    package enum Fail {
        package static let unreachable = Phrase(
            "{url} cannot be reached: {detail}.",
            "{url}에 연결할 수 없습니다: {detail}")
        /// Returns the reason why a connection failed, in the reader's language.
        /// - Parameter detail: the English message of libcurl (curl/src/lib/strerror.c) or libwebsockets.
        package static func reason(_ detail: String, in language: Language) -> String {
            let known = reasons.first { words, _ in words.contains { detail.lowercased().contains($0) } }
            return known?.1.text(in: language) ?? detail
        }

        private static let reasons: [([String], Phrase)] = [
            (["resolve"], Phrase("the server's name is unknown", "서버 이름을 찾을 수 없습니다")),
            (
                ["certificate"],
                Phrase("this machine does not trust the server's certificate", "서버 인증서를 신뢰할 수 없습니다")
            ),
            (["ssl", "tls"], Phrase("the secure connection failed", "보안 연결을 할 수 없습니다")),
            (
                ["reset", "empty reply", "failure when receiving"],
                Phrase("the connection broke", "연결이 끊어졌습니다")
            ),
            (
                ["no route", "network is unreachable"],
                Phrase("the network cannot reach the server", "네트워크에서 서버에 연결할 수 없습니다")
            ),
            (
                ["refused", "connect to server", "failed to connect"],
                Phrase("no server answers at this address", "이 주소에서 응답하는 서버가 없습니다")
            ),
        ]

        package static let timedOut = Phrase("{url} did not answer in time.", "{url}에서 제시간에 응답하지 않았습니다.")
        package static let notQRing = Phrase(
            "the server at {url} is not a QRing server (status {status}).",
            "{url}의 서버는 QRing 서버가 아닙니다(상태 {status}).")
        package static let notSignedIn = Phrase(
            "you are not signed in at {server}.",
            "{server}에 로그인하지 않았습니다.")
        package static let noTerminal = Phrase(
            "{what} is needed, but there is no terminal to ask for it. Add {option}.",
            "{what}이(가) 필요하지만 터미널이 없어 물어볼 수 없습니다. {option}을(를) 추가하세요.")
        package static let passwordsDiffer = Phrase(
            "The two passwords differ.", "두 비밀번호가 서로 다릅니다.")
        package static let sessionDeleted = Phrase("The session was deleted.", "회차가 삭제되었습니다.")
        package static let noneToCome = Phrase(
            "No session is running or planned.", "진행 중이거나 예정된 회차가 없습니다.")
        package static let fileUnreadable = Phrase(
            "{path} cannot be read: {reason}.", "{path}을(를) 읽을 수 없습니다: {reason}")
        package static let fileUnwritable = Phrase(
            "{path} cannot be written: {reason}.",
            "{path}을(를) 쓸 수 없습니다: {reason}")
        package static let notFound = Phrase(
            "there is no session or meeting \"{text}\".",
            "\"{text}\"에 해당하는 회차나 모임이 없습니다.")
        package static let ambiguous = Phrase(
            "\"{text}\" matches several meetings or sessions. Use one of these ids:\n{candidates}",
            "\"{text}\"에 해당하는 것이 여럿입니다. 이 중 하나의 ID를 쓰세요:\n{candidates}")
        package static let notACode = Phrase(
            "\"{text}\" is not a check-in code, a check-in address or a join code.",
            "\"{text}\"은(는) 체크인 코드, 체크인 주소, 참여 코드가 아닙니다.")
        package static let roomEnded = Phrase(
            "the server closed the connection (code {code}).",
            "서버가 연결을 닫았습니다(코드 {code}).")
        package static let simulationFailed = Phrase(
            "{count} of {all} simulated attendees failed. The first failure: {reason}",
            "가상 참석자 {all}명 중 {count}명이 실패했습니다. 첫 오류: {reason}")
        package static let inputEnded = Phrase("the input ended before the answer.", "답을 받기 전에 입력이 끝났습니다.")
        package static let nothingToChange = Phrase(
            "say what to change, for example --ends +30m",
            "바꿀 내용을 지정하세요(예: --ends +30m)")
    }
}
