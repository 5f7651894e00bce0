extension CommandPhrases {
    package enum Messages {
        package static let email = Phrase("E-mail: ", "이메일: ")
        package static let name = Phrase("Name: ", "이름: ")
        package static let password = Phrase("Password: ", "비밀번호: ")
        package static let passwordAgain = Phrase("Password again: ", "비밀번호 다시: ")
        package static let aPassword = Phrase("a password", "비밀번호")
        package static let anEmail = Phrase("an e-mail address", "이메일 주소")
        package static let aName = Phrase("a name", "이름")
        package static let aNumber = Phrase("a number", "번호")
        package static let number = Phrase("Number: ", "번호: ")
        package static let invited = Phrase(
            "{email} may sign up until {time}, with:", "{email}은(는) {time}까지 다음으로 가입할 수 있습니다:")
        package static let signedUp = Phrase("Account made for {email}.", "{email} 계정을 만들었습니다.")
        package static let signedIn = Phrase(
            "Signed in as {email} at {server}.", "{server}에 {email}(으)로 로그인했습니다.")
        package static let notVerified = Phrase("The address is not verified yet.", "주소가 아직 확인되지 않았습니다.")
        package static let operatorAccount = Phrase(
            "This account is the server's operator.", "이 계정은 서버 운영자입니다.")
        package static let signedOut = Phrase("Signed out at {server}.", "{server}에서 로그아웃했습니다.")
        package static let signedOutHere = Phrase(
            "Forgotten here; the server could not be told: {reason}.", "여기서는 지웠지만 서버에 알리지 못했습니다: {reason}")

        package static let meetingMade = Phrase("{name} · round {round}", "{name} · {round}회차")
        package static let times = Phrase("{start} – {end} ({zone})", "{start} – {end} ({zone})")
        /// From Sunday on.
        package static let weekdays = [
            Phrase("Sun", "일"), Phrase("Mon", "월"), Phrase("Tue", "화"), Phrase("Wed", "수"),
            Phrase("Thu", "목"), Phrase("Fri", "금"),
            Phrase("Sat", "토"),
        ]
        package static let reallyDelete = Phrase("Delete {name}? [y/N]", "{name}을(를) 삭제할까요? [y/N]")
        package static let scan = Phrase("Scan it, or open", "스캔하거나 주소를 여세요")
        package static let joinCode = Phrase("Join code", "참여 코드")
        package static let address = Phrase("Address", "주소")
        package static let loopback = Phrase(
            "A phone cannot reach this address: it is this machine's own. Start the server with "
                + "--public-url.",
            "휴대폰에서는 열 수 없는 주소입니다(이 기기 전용). 서버를 --public-url과 함께 시작하세요.")
        package static let nextCommands = Phrase("Next:", "다음 명령:")
        package static let nextWatch = Phrase("see who comes, live", "누가 오는지 실시간으로 보기")
        package static let nextPresent = Phrase("a link for the hall's screen", "발표 화면 링크")
        package static let hallScreen = Phrase("For the hall's screen", "발표 화면용")
        package static let nextCheckIn = Phrase("check in from here", "여기서 체크인")
        package static let nextResults = Phrase("what was answered", "답변 보기")
        package static let nextRespond = Phrase("answer the questions", "질문에 답하기")
        package static let nextQuestions = Phrase("ask something", "질문 만들기")
        package static let nextCreate = Phrase("make a meeting", "모임 만들기")
        package static let nothing = Phrase("None yet.", "아직 없습니다.")
        package static let roundOn = Phrase("{name}, round {round} on {time}", "{name} {round}회차({time})")
        package static let deleted = Phrase("Deleted: {name}.", "삭제했습니다: {name}")
        package static let changed = Phrase("Changed.", "바꾸었습니다.")
        package static let overlapWarning = Phrase("Overlaps now with {name}.", "이제 {name}와(과) 겹칩니다.")
        package static let written = Phrase("Written: {path}", "저장했습니다: {path}")
        package static let presenterLink = Phrase(
            "Open it on the screen of the hall. Valid until {time}.", "발표 화면에서 여세요. {time}까지 쓸 수 있습니다.")

        package static let linksRevoked = Phrase(
            "Presenter links revoked: {count}.", "회수한 발표 화면 링크: {count}개")
        package static let headCreatedBy = Phrase("CREATED BY", "만든 사람")
        package static let headCreated = Phrase("CREATED", "만든 시각")
        package static let headName = Phrase("NAME", "이름")
        package static let headID = Phrase("ID", "ID")
        package static let headRound = Phrase("ROUND", "회차")
        package static let headStarts = Phrase("STARTS", "시작")
        package static let headPhase = Phrase("PHASE", "단계")
        package static let headCheckedIn = Phrase("IN", "체크인")
        package static let headResponses = Phrase("ANSWERED", "답변")
        package static let headStatus = Phrase("STATUS", "상태")
        package static let headWhen = Phrase("WHEN", "시각")
        package static let headIdentity = Phrase("E-MAIL/NUMBER", "이메일/번호")
        package static let headHow = Phrase("HOW", "방법")
        package static let phaseUpcoming = Phrase("upcoming", "예정")
        package static let phaseDoors = Phrase("doors open", "입장 중")
        package static let phaseRunning = Phrase("running", "진행 중")
        package static let phaseEnded = Phrase("ended", "종료")
        package static let phaseClosed = Phrase("closed", "마감")
        package static let awaited = Phrase("awaited", "대기")
        package static let present = Phrase("present", "출석")
        package static let late = Phrase("late", "지각")
        package static let absent = Phrase("absent", "결석")
        package static let excused = Phrase("excused", "공결")
        package static let walkIn = Phrase("walk-in", "현장")

        package static let checkedIn = Phrase(
            "{name} is checked in: {status}, {meeting}.", "{name} 님 체크인: {status}, {meeting}")
        package static let wasCheckedIn = Phrase(
            "{name} is checked in already: {status}, {meeting}.", "{name} 님은 이미 체크인했습니다: {status}, {meeting}")
        package static let answeredThanks = Phrase("Thank you, your answers are in.", "답변이 저장되었습니다. 고맙습니다.")
        package static let namedNotice = Phrase(
            "The host sees who answered what.", "진행자가 누가 무엇을 답했는지 볼 수 있습니다.")
        package static let optional = Phrase("optional, Enter skips", "선택, Enter로 건너뛰기")
        package static let chooseOne = Phrase("Letter: ", "글자: ")
        package static let chooseSome = Phrase(
            "Letters, {min} to {max} (such as a,c): ", "글자 {min}~{max}개(예: a,c): ")
        package static let numberAnswer = Phrase("A number from {min} to {max}:", "{min}에서 {max} 사이의 수:")
        package static let stars = Phrase("Stars, 1 to {scale}: ", "별점 1~{scale}: ")
        package static let text = Phrase("Text, {max} characters at most: ", "최대 {max}자: ")
        package static let again = Phrase("That does not fit. Once more.", "맞지 않습니다. 다시 입력하세요.")
        package static let questionsSet = Phrase("{count} questions are set.", "질문 {count}개를 저장했습니다.")
        package static let required = Phrase("required", "필수")

        package static let responses = Phrase(
            "{count} answered ({rate} of those checked in)", "{count}명 답변(체크인 인원의 {rate})")

        package static let watching = Phrase(
            "{name}, round {round}: live. Ctrl-C ends it.", "{name} {round}회차 실시간. Ctrl-C로 끝냅니다.")
        package static let inOf = Phrase("in {count}/{planned}", "체크인 {count}/{planned}")
        package static let inCount = Phrase("in {count}", "체크인 {count}")
        package static let lateCount = Phrase("late {count}", "지각 {count}")
        package static let responsesCount = Phrase("answered {count}", "답변 {count}")
        package static let andMore = Phrase("and {count} more", "외 {count}명")
        package static let omitted = Phrase(
            "{count} arrivals were left out; qring attendee list has them",
            "{count}명 생략. 전체는 qring attendee list")
        package static let reconnecting = Phrase(
            "connection lost ({reason}); again in {time}", "연결 끊김({reason}). {time} 뒤 다시 연결")
        package static let resumed = Phrase("connected again", "다시 연결됨")
        package static let silent = Phrase("nothing heard", "응답 없음")
        package static let ended = Phrase("The session is over.", "회차가 끝났습니다.")

        package static let simulated = Phrase(
            "{checkedIn} checked in, {responses} answered, in {time}; median {median}, slowest {slowest}.",
            "{time} 동안 {checkedIn}명 체크인, {responses}명 답변. 중앙값 {median}, 최대 {slowest}.")
        package static let demoMeeting = Phrase("QRing demo", "QRing 데모")
        package static let demoHost = Phrase("Demo host", "데모 진행자")
        package static let demoPhones = Phrase(
            "Phones on the same network can scan this and check in, too.", "같은 네트워크의 휴대폰으로 스캔해서 직접 체크인해 보세요.")
        package static let demoAttendees = Phrase(
            "{count} simulated attendees come over {time}.", "모의 참석자 {count}명이 {time} 동안 옵니다.")
        package static let demoSummary = Phrase("Sent and seen", "보낸 것과 본 것")
        package static let demoSent = Phrase("sent", "보냄")
        package static let demoSeen = Phrase("seen live", "실시간")
        package static let demoCounted = Phrase("server's count", "서버 집계")
        package static let demoCheckIns = Phrase("check-ins", "체크인")
        package static let demoResponses = Phrase("answers", "답변")
        package static let demoEqual = Phrase("All three agree.", "셋이 모두 일치합니다.")
        package static let demoDiffer = Phrase("They differ.", "서로 다릅니다.")
        package static let demoStays = Phrase(
            "The server stays up; Ctrl-C ends it.", "서버는 계속 실행됩니다. Ctrl-C로 끝냅니다.")
        package static let demoOthers = Phrase("({count} came from elsewhere)", "(그 밖에서 {count}명)")
        package static let tryByHand = Phrase("Try it by hand, in another terminal:", "다른 터미널에서 직접 해 보세요:")
    }

    /// What meetings are filled with where nobody wrote anything.
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
}
