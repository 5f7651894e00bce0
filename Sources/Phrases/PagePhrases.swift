/// The texts of the pages for attendees and of the projector.
extension Phrase {
    package enum Page {
        package static let checkIn = Phrase("Check in", "체크인")
        package static let name = Phrase("Your name", "이름")
        package static let email = Phrase("Your e-mail address", "이메일")
        package static let number = Phrase("Your number", "번호(학번 또는 사번)")
        package static let sending = Phrase("Sending …", "보내는 중…")
        package static let notSent = Phrase("Not sent yet. Trying again …", "아직 전송되지 않았습니다. 다시 시도하는 중입니다…")
        package static let whatIsStored = Phrase(
            "Your name, your input and the time are stored for the host of this meeting.",
            "이름과 입력한 내용, 시각이 이 모임의 진행자를 위해 저장됩니다.")
        package static let youAreIn = Phrase("You are checked in, {name}", "{name} 님, 체크인되었습니다")
        package static let onTime = Phrase("Checked in at {time}, on time", "{time} 체크인, 정시 출석입니다")
        package static let late = Phrase("Checked in at {time}, late", "{time} 체크인, 지각입니다")
        package static let recorded = Phrase("Your attendance is recorded.", "출석이 기록되었습니다.")
        package static let emailIsIn = Phrase(
            "This e-mail address has checked in already. Is it yours?",
            "이미 체크인된 이메일입니다. 본인의 이메일이 맞나요?")
        package static let numberIsIn = Phrase(
            "This number has checked in already. Is it yours?", "이미 체크인된 번호입니다. 본인의 번호가 맞나요?")
        package static let alreadyInDetail = Phrase(
            "If it is yours and you checked in on another phone, you need to do nothing more.",
            "본인의 것이 맞고 다른 휴대전화로 직접 체크인했다면 더 할 일이 없습니다.")
        package static let mistyped = Phrase(
            "If you mistyped it, correct it and check in again. If somebody else used yours, ask the host.",
            "잘못 입력했다면 고쳐서 다시 체크인하세요. 다른 사람이 내 것을 사용했다면 진행자에게 문의하세요.")
        package static let correctIt = Phrase("No, correct it", "아니요, 고칠게요")
        package static let isItYours = Phrase("Correct this if it is not yours.", "본인의 것이 아니면 고치세요.")
        package static let joinAnother = Phrase("Join another session", "다른 회차 참여하기")
        package static let opensByItself = Phrase(
            "Keep this page on your screen. Check-in starts here automatically.",
            "이 화면을 그대로 두세요. 체크인이 시작되면 자동으로 바뀝니다.")
        package static let lookAgain = Phrase("Check again", "다시 확인")
        package static let opensIn = Phrase("Opens in {time}", "{time} 뒤에 열립니다")
        package static let startsIn = Phrase("Starts in {time}", "{time} 뒤에 시작합니다")
        package static let another = Phrase("Check in another person on this phone", "이 휴대전화로 다른 사람 체크인하기")
        package static let round = Phrase("Session {round}", "{round}회차")
        package static let feedback = Phrase("Feedback", "피드백")
        package static let feedbackOpens = Phrase(
            "Feedback opens here at {time}.", "피드백은 {time}에 이 화면에서 열립니다.")
        package static let anonymous = Phrase(
            "Anonymous: your answers are stored without your name. Only the hour is stored, not "
                + "the exact time.",
            "익명: 답변은 이름 없이 저장됩니다. 시각도 정확한 시각이 아니라 시 단위로만 저장됩니다.")
        package static let named = Phrase(
            "With names: the host sees who gave each answer.", "실명: 누가 어떤 답변을 했는지 진행자가 볼 수 있습니다.")
        package static let namesHidden = Phrase(
            "Name hidden: your answers count once, and nobody sees your name with them. The server stores "
                + "the link.",
            "이름 숨김: 답변은 한 번만 집계되고 누구에게도 이름과 함께 보이지 않습니다. 서버에는 연결 정보가 저장됩니다.")
        package static let answersCanChange = Phrase(
            "You can change your answers while this is open.", "열려 있는 동안 답변을 바꿀 수 있습니다.")
        package static let changeAnswers = Phrase("Change my answer", "내 답변 바꾸기")
        package static let sendChange = Phrase("Send the new answer", "바꾼 답변 보내기")
        package static let send = Phrase("Send", "보내기")
        package static let required = Phrase("required", "필수")
        package static let stars = Phrase("{count} of {scale}", "{scale}점 중 {count}점")
        package static let thanks = Phrase("Thank you", "감사합니다")
        package static let thanksDetail = Phrase("Your answers were received.", "답변을 받았습니다.")
        package static let forHosts = Phrase("For hosts", "진행자용")
        package static let join = Phrase("Join a session", "회차 참여")
        package static let joinCode = Phrase("Join code", "참여 코드")
        package static let joinHint = Phrase("The six characters under the QR code.", "QR 코드 아래의 여섯 글자입니다.")
        package static let scanScreen = Phrase("Scan the code on the screen", "화면의 코드를 스캔하세요")
        package static let codeOnScreen = Phrase(
            "The code of this session keeps changing, so the poster cannot check you in. Scan the code on "
                + "the screen, or enter it below.",
            "이 회차의 코드는 계속 바뀌므로 포스터로는 체크인할 수 없습니다. 화면의 코드를 스캔하거나 아래에 입력하세요.")
        package static let proceed = Phrase("Continue", "계속")
        package static let checkInOpensAt = Phrase("Check-in opens at {time}.", "체크인은 {time}에 열립니다.")
        package static let checkInClosedAt = Phrase(
            "Check-in closed at {time}. Ask the host to add you.", "체크인은 {time}에 마감되었습니다. 진행자에게 추가를 부탁하세요.")
        package static let tryAgain = Phrase("Scan or enter the code again", "코드를 다시 스캔하거나 입력하세요")
        package static let characters = Phrase("At most {count} characters", "최대 {count}자")
        package static let scan = Phrase("Scan to check in", "스캔해서 체크인하세요")
        package static let orType = Phrase("or enter the code at {address}", "또는 {address}에서 코드 입력")
        package static let checkedIn = Phrase("checked in", "체크인")
        package static let preview = Phrase("Preview", "미리 보기")
        package static let previewAbout = Phrase(
            "Attendees see these questions. Nothing that you enter here is sent.",
            "참석자에게 보이는 화면입니다. 여기에 입력한 내용은 전송되지 않습니다.")
        package static let ofPlanned = Phrase("{count} planned", "예정 {count}명")
        package static let live = Phrase("live", "실시간")
        package static let reconnecting = Phrase("reconnecting …", "다시 연결하는 중…")
        package static let linkOver = Phrase(
            "This link no longer works. Ask the host for a new one.",
            "더 이상 사용할 수 없는 링크입니다. 진행자에게 새 링크를 받으세요.")
        package static let linkNeeded = Phrase(
            "Sign in as a host in this browser, or open the link that a host made for this screen.",
            "이 브라우저에서 진행자로 로그인하거나, 진행자가 이 화면용으로 만든 링크를 여세요.")
        package static let skip = Phrase("Skip to the content", "본문으로 건너뛰기")
        package static let storageFull = Phrase(
            "The server's disk is full. Nothing can be saved until its operator frees space, but you can "
                + "read everything that was saved.",
            "서버의 디스크가 가득 찼습니다. 운영자가 공간을 비울 때까지 저장할 수 없지만, 저장된 내용은 모두 볼 수 있습니다.")
        package static let needsScript = Phrase(
            "The host's page needs JavaScript. Without it, use the command line: qring help.",
            "진행자 페이지에는 자바스크립트가 필요합니다. 자바스크립트 없이는 명령줄을 사용하세요: qring help")
        package static let chooseUpTo = Phrase("Choose {min} to {max}", "{min}~{max}개 선택")
    }
}
