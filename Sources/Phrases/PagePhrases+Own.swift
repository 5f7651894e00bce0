/// What an attendee's own page says, and what the scripts of the pages say.
extension Phrase.Page {
    package static let language = Phrase("Language", "언어")
    package static let whoAnswers = Phrase("Who is answering?", "누가 답하나요?")
    package static let answeringAs = Phrase(
        "Answering: {name}. On this phone too:", "답하는 사람: {name}. 이 휴대전화의 다른 사람:")
    package static let myAttendance = Phrase("My attendance", "내 출석")
    package static let backToAnswers = Phrase("Back to the questions", "질문으로 돌아가기")
    package static let mendName = Phrase("Mend the name", "이름 고치기")
    package static let mended = Phrase("The name is saved.", "이름이 저장되었습니다.")
    package static let save = Phrase("Save", "저장")
    package static let withdraw = Phrase("Withdraw the check-in", "체크인 취소")
    package static let withdrawMeans = Phrase(
        "Your name, what you typed and the answers under your name are erased. Anonymous answers stay: "
            + "nobody can tell whose they are.",
        "이름과 입력한 내용, 실명 답변이 삭제됩니다. 익명 답변은 누구의 것인지 알 수 없으므로 남습니다.")
    package static let sure = Phrase("Yes, erase my record", "네, 제 기록을 삭제합니다")
    package static let beSure = Phrase(
        "Tick the box first, so that nothing is erased by mistake.", "실수로 삭제되지 않도록 먼저 상자를 선택하세요.")
    package static let withdrawNow = Phrase("Withdraw and erase", "취소하고 삭제하기")
    package static let withdrawn = Phrase("Your check-in is withdrawn", "체크인이 취소되었습니다")
    package static let withdrawnDetail = Phrase(
        "Your record has been erased from this session.", "이 회차에서 기록이 삭제되었습니다.")

    package static let needed = Phrase("This is needed.", "필수 항목입니다.")
    package static let emailWrong = Phrase(
        "Write an e-mail address, such as kim@example.org.", "kim@example.org처럼 이메일을 쓰세요.")
    package static let numberWrong = Phrase("This number does not fit.", "맞지 않는 숫자입니다.")
    package static let tooLong = Phrase("Too long by {over}.", "{over}자 넘습니다.")
    package static let counter = Phrase("{count} of {most} characters", "{most}자 중 {count}자")
    package static let buttonWaits = Phrase("Waits for: {field}", "입력을 기다리는 항목: {field}")
    package static let remember = Phrase("Remember me on this device", "이 기기에 내 정보 기억하기")
    package static let oneByOne = Phrase("One question at a time", "한 번에 한 질문씩")
    package static let allAtOnce = Phrase("All questions on one page", "모든 질문을 한 페이지에")
    package static let progress = Phrase("Question {number} of {count}", "{count}개 중 {number}번째 질문")
    package static let next = Phrase("Next", "다음")
    package static let back = Phrase("Back", "이전")
    package static let draftKept = Phrase("Kept on this device until you send it.", "보낼 때까지 이 기기에 보관됩니다.")
    package static let opened = Phrase("A new question is open.", "새 질문이 열렸습니다.")

    package static let keptAnonymously = Phrase(
        "Your answers are stored without your name, and with the hour only. Nobody can tell that they are "
            + "yours, and they cannot be taken back.",
        "답변은 이름 없이, 시각은 시 단위로만 저장되었습니다. 누구의 답인지 알 수 없으며, 되돌릴 수도 없습니다.")
    package static let keptByName = Phrase(
        "Your answers are stored with your name, and the host can read them. They go if you withdraw your "
            + "check-in.",
        "답변은 이름과 함께 저장되었고 진행자가 볼 수 있습니다. 체크인을 취소하면 함께 삭제됩니다.")
    package static let resultsAreShared = Phrase(
        "The results are shared: they are below, and move by themselves.",
        "결과가 공유되었습니다. 아래에서 실시간으로 볼 수 있습니다.")
    package static let resultsNotShared = Phrase(
        "The results are not shared. Where the host shares them, they appear here.",
        "결과는 아직 공유되지 않았습니다. 진행자가 공유하면 여기에 나타납니다.")
    package static let results = Phrase("Results", "결과")
    package static let answersCount = Phrase("Answers: {count}", "답변 {count}개")
    package static let average = Phrase("average {value}", "평균 {value}")
    package static let median = Phrase("median {value}", "중앙값 {value}")
    package static let tooFew = Phrase("Shown from {minimum} answers on.", "답변이 {minimum}개 모이면 표시됩니다.")
    package static let star = Phrase("{count} ★", "{count} ★")
    package static let pending = Phrase(
        "Newer answers that wait until their group is complete: {count}", "묶음이 찰 때까지 기다리는 새 답변 {count}개")
    package static let noQuestions = Phrase("Nothing is asked in this session yet.", "이 회차에는 아직 질문이 없습니다.")
    package static let noResults = Phrase(
        "No results are shared yet. A host shares them on the session's page, under Results.",
        "아직 공유된 결과가 없습니다. 진행자가 회차 페이지의 결과 탭에서 공유하면 여기에 나타납니다.")
    package static let shareHere = Phrase(
        "Share the results of “{title}” now: key S", "‘{title}’ 결과 공유하기: S 키")
    package static let answersSoFar = Phrase("Answers so far: {count}", "지금까지 답변 {count}개")
    package static let noNames = Phrase("Names are for members who are signed in.", "이름은 로그인한 구성원만 볼 수 있습니다.")
    package static let arrivedNow = Phrase("Just arrived", "방금 도착")
    package static let screen = Phrase("What the screen shows", "화면에 보일 것")
    package static let showCode = Phrase("Code", "코드")
    package static let previousQuestion = Phrase("Previous question", "이전 질문")
    package static let nextQuestion = Phrase("Next question", "다음 질문")
    package static let showNames = Phrase("Names", "이름")
    package static let questionOf = Phrase("{number} of {count}", "{count}개 중 {number}번째")
}
