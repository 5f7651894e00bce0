/// The texts of an attendee's own page, of the results and of the projector.
extension Phrase.Page {
    package static let language = Phrase("Language", "언어")
    package static let whoAnswers = Phrase("Who is answering?", "누가 답변하나요?")
    package static let answeringAs = Phrase(
        "Answering: {name}. Also on this phone:", "답변하는 사람: {name}. 이 휴대전화로 체크인한 다른 사람:")
    package static let myAttendance = Phrase("My attendance", "내 출석")
    package static let backToAnswers = Phrase("Back to the questions", "질문으로 돌아가기")
    package static let correctName = Phrase("Correct your name", "이름 수정")
    package static let nameSaved = Phrase("Your name was saved.", "이름이 저장되었습니다.")
    package static let save = Phrase("Save", "저장")
    package static let withdraw = Phrase("Withdraw the check-in", "체크인 취소")
    package static let withdrawMeans = Phrase(
        "Your name, your input and the answers under your name are deleted. Anonymous answers stay, "
            + "because nobody can tell whose they are.",
        "이름과 입력한 내용, 실명 답변이 삭제됩니다. 익명 답변은 누구의 것인지 알 수 없으므로 남습니다.")
    package static let sure = Phrase("Yes, delete my record", "네, 제 기록을 삭제합니다")
    package static let beSure = Phrase(
        "Tick the box first, so that nothing is deleted by mistake.", "실수로 삭제되지 않도록 먼저 확인란을 선택하세요.")
    package static let withdrawNow = Phrase("Withdraw and delete", "취소하고 삭제하기")
    package static let withdrawn = Phrase("Your check-in was withdrawn", "체크인이 취소되었습니다")
    package static let withdrawnDetail = Phrase(
        "Your record was deleted from this session.", "이 회차에서 기록이 삭제되었습니다.")

    package static let enterName = Phrase("Enter your name.", "이름을 입력하세요.")
    package static let enterEmail = Phrase("Enter your e-mail address.", "이메일을 입력하세요.")
    package static let enterNumber = Phrase("Enter your number.", "번호(학번 또는 사번)를 입력하세요.")
    package static let enterAnswer = Phrase("Enter an answer.", "답변을 입력하세요.")
    package static let chooseAnswer = Phrase("Choose an answer.", "답변을 선택하세요.")
    package static let choseTooFew = Phrase(
        "You chose {count}. Choose at least {min}.", "{count}개를 선택했습니다. {min}개 이상 선택하세요.")
    package static let choseTooMany = Phrase(
        "You chose {count}. Choose at most {max}.", "{count}개를 선택했습니다. 최대 {max}개까지 선택하세요.")
    package static let emailWrong = Phrase(
        "Enter an e-mail address such as kim@example.org.", "kim@example.org와 같은 이메일을 입력하세요.")
    package static let tooLong = Phrase("Too long by {over} {over|character|characters}.", "{over}자를 줄이세요.")
    package static let counter = Phrase("{count} of {most} characters", "{most}자 중 {count}자")
    package static let buttonWaits = Phrase("Still needed: {field}", "아직 입력하지 않은 항목: {field}")
    package static let remember = Phrase("Remember me on this device", "이 기기에 내 정보 기억하기")
    package static let oneByOne = Phrase("One question at a time", "한 번에 한 질문씩")
    package static let allAtOnce = Phrase("All questions on one page", "모든 질문을 한 페이지에")
    package static let progress = Phrase("Question {number} of {count}", "{count}개 중 {number}번째 질문")
    package static let next = Phrase("Next", "다음")
    package static let back = Phrase("Back", "이전")
    package static let draftStored = Phrase("Stored on this device until you send it.", "보낼 때까지 이 기기에 저장됩니다.")
    package static let opened = Phrase("A new question is open.", "새 질문이 열렸습니다.")

    package static let storedAnonymously = Phrase(
        "Your answers are stored without your name and exact time. Nobody can tell that they "
            + "are yours, so you cannot withdraw them.",
        "답변은 이름과 정확한 시각 없이 저장되었습니다. 누구의 답변인지 알 수 없으므로 취소할 수도 없습니다.")
    package static let storedHidden = Phrase(
        "Your answers count, and nobody sees your name with them. If you withdraw, they stay without any "
            + "link to you.",
        "답변이 집계되었고 누구에게도 이름과 함께 보이지 않습니다. 체크인을 취소하면 연결 정보만 지워지고 답변은 남습니다.")
    package static let storedWithName = Phrase(
        "Your answers are stored with your name, and the host can read them. They are deleted if you "
            + "withdraw.",
        "답변은 이름과 함께 저장되었고 진행자가 볼 수 있습니다. 체크인을 취소하면 삭제됩니다.")
    package static let resultsAreShared = Phrase("Live results are below.", "아래에서 실시간 결과를 볼 수 있습니다.")
    package static let resultsNotShared = Phrase(
        "The results are not shared. If the host shares them, they appear here.",
        "결과가 공유되지 않았습니다. 진행자가 공유하면 여기에 나타납니다.")
    package static let results = Phrase("Results", "결과")
    package static let answersCount = Phrase("{count} {count|answer|answers}", "답변 {count}개")
    package static let average = Phrase("average {value}", "평균 {value}")
    package static let median = Phrase("median {value}", "중앙값 {value}")
    package static let tooFew = Phrase(
        "Shown from {minimum} answers on, to protect anonymity.",
        "익명 보호를 위해 답변이 {minimum}개 이상일 때 결과를 표시합니다.")
    package static let range = Phrase("{min} to {max}", "{min}~{max}")
    package static let pending = Phrase(
        "{count} more {count|answer is|answers are} held back to protect anonymity.",
        "익명 보호를 위해 답변 {count}개가 아직 집계되지 않았습니다.")
    package static let noQuestions = Phrase("This session has no questions yet.", "이 회차에는 아직 질문이 없습니다.")
    package static let noResults = Phrase(
        "No results are shared yet. A host shares them on the page of the session, under Results.",
        "아직 공유된 결과가 없습니다. 진행자가 회차 페이지의 결과 탭에서 공유할 수 있습니다.")
    package static let shareHere = Phrase(
        "Press S to share the results of “{title}”.",
        "S 키를 누르면 ‘{title}’ 결과를 공유합니다.")
    package static let answersSoFar = Phrase("{count} {count|answer|answers} so far", "지금까지 답변 {count}개")
    package static let noNames = Phrase(
        "Only members who are signed in see names.", "이름은 로그인한 구성원만 볼 수 있습니다.")
    package static let arrivedNow = Phrase("Just arrived", "방금 도착")
    package static let screen = Phrase(
        "Show on the screen",
        "화면에 표시할 내용")
    package static let showCode = Phrase("Code", "코드")
    package static let previousQuestion = Phrase("Previous question", "이전 질문")
    package static let nextQuestion = Phrase("Next question", "다음 질문")
    package static let showNames = Phrase("Names", "이름")
    package static let questionOf = Phrase("{number} of {count}", "{count}개 중 {number}번째")
}
