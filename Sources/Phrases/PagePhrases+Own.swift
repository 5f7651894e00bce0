/// The texts of an attendee's own page, of the results and of the projector.
extension Phrase.Page {
    package static let language = Phrase("Language", "언어")
    package static let whoAnswers = Phrase("Who is answering?", "누가 답변하나요?")
    package static let answeringAs = Phrase(
        "Answering: {name}. Also on this phone:", "답변하는 사람: {name}. 이 휴대전화로 체크인한 다른 사람:")
    package static let showToStaff = Phrase(
        "Show this screen to staff if they ask.", "직원이 요청하면 이 화면을 보여 주세요.")
    package static let addToCalendar = Phrase("Add to calendar", "캘린더에 추가")
    package static let meeting = Phrase("Meeting", "모임")
    package static let when = Phrase("When", "일시")
    package static let venue = Phrase("Where", "장소")
    package static let zone = Phrase("Time zone: {offset} ({name})", "시간대: {offset} ({name})")
    package static let about = Phrase("About this meeting", "모임 소개")
    package static let myAttendance = Phrase("My attendance", "내 출석")
    package static let backToAnswers = Phrase("Back to the questions", "질문으로 돌아가기")
    package static let correctDetails = Phrase("Correct your details", "내 정보 수정")
    package static let detailsSaved = Phrase("Your details were saved.", "내 정보가 저장되었습니다.")
    package static let addressTaken = Phrase(
        "This is in use in this session already. Is it yours? If you mistyped it, correct it. If you "
            + "checked in twice, ask the host to merge the two check-ins.",
        "이 회차에서 이미 사용 중입니다. 본인의 것이 맞나요? 잘못 입력했다면 고치세요. 두 번 체크인했다면 진행자에게 합쳐 달라고 요청하세요.")
    package static let save = Phrase("Save", "저장")
    package static let withdraw = Phrase("Withdraw the check-in", "체크인 취소")
    package static let withdrawMeans = Phrase(
        "Your name, your input and the answers under your name are deleted. Anonymous answers stay, "
            + "because they are not linked to you.",
        "이름과 입력한 내용, 실명 답변이 삭제됩니다. 익명 답변은 나와 연결되어 있지 않으므로 남습니다.")
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
    package static let otherLeft = Phrase(
        "You typed your own answer but did not choose the choice above it. Choose it, or delete "
            + "the text.",
        "직접 입력한 답변이 있지만 바로 위의 선택지를 고르지 않았습니다. 선택지를 고르거나 입력한 내용을 지우세요.")
    package static let clear = Phrase("Clear my answer", "선택 취소")
    package static let noAnswer = Phrase("No answer", "답변하지 않음")
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
    package static let opened = Phrase("New question: {title}", "새 질문: {title}")
    package static let showNow = Phrase("Show the new question: {title}", "새 질문 보기: {title}")
    package static let setClosed = Phrase("The host has closed these questions.", "진행자가 질문을 마감했습니다.")
    package static let textKept = Phrase(
        "Your answer was not sent. You can copy what you entered. New questions appear here "
            + "automatically.",
        "답변이 전송되지 않았습니다. 입력한 내용은 복사할 수 있습니다. 새 질문이 열리면 이 화면에 자동으로 나타납니다.")
    package static let nothingWritten = Phrase(
        "You did not answer these questions. New questions appear here automatically.",
        "답변하기 전에 마감되었습니다. 새 질문이 열리면 이 화면에 자동으로 나타납니다.")
    package static let answersKept = Phrase(
        "Your answers are stored, and can no longer change.", "보낸 답변은 저장되었으며 더 이상 바꿀 수 없습니다.")
    package static let yourText = Phrase("What you entered", "입력한 내용")
    package static let copy = Phrase("Copy", "복사")
    package static let copied = Phrase("Copied", "복사했습니다")
    package static let selected = Phrase("Selected: copy it now", "선택했습니다. 이제 복사하세요")
    package static let putAside = Phrase("Close", "닫기")
    package static let yourAnswer = Phrase("Your answer", "내 답변")
    package static let sessionGone = Phrase(
        "The host has deleted this session. Your attendance record was deleted too.",
        "진행자가 이 회차를 삭제했습니다. 출석 기록도 함께 삭제되었습니다.")
    package static let answersAreInDetail = Phrase(
        "Only your first answers count. What you entered now was not added.",
        "처음 보낸 답변만 집계됩니다. 방금 입력한 내용은 추가되지 않았습니다.")
    package static let nothingOpen = Phrase("Nothing to answer right now", "지금은 답변할 질문이 없습니다")
    package static let nothingOpenDetail = Phrase(
        "Keep this page open. New questions appear here automatically.",
        "이 화면을 열어 두세요. 새 질문이 열리면 자동으로 나타납니다.")
    package static let feedbackClosed = Phrase(
        "Feedback ended at {time}. If you still want to say something, contact the host.",
        "피드백은 {time}에 마감되었습니다. 더 전할 내용이 있으면 진행자에게 말씀해 주세요.")
    package static let backToMine = Phrase("Back to my page", "내 화면으로 돌아가기")

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
    package static let resultsAreShared = Phrase(
        "Live results of “{title}” are below.", "‘{title}’ 결과를 아래에서 실시간으로 볼 수 있습니다.")
    package static let resultsNotShared = Phrase(
        "If the host shares the results of “{title}”, they appear here.",
        "진행자가 ‘{title}’ 결과를 공유하면 여기에 나타납니다.")
    package static let results = Phrase("Results", "결과")
    package static let equalTexts = Phrase("Given more than once", "여러 번 나온 답변")
    package static let equalTextsAmong = Phrase(
        "Given more than once, among {count} answers", "답변 {count}개 중 여러 번 나온 답변")
    package static let moreEqualTexts = Phrase(
        "and {count} more {count|text|texts} given more than once", "여러 번 나온 답변 {count}가지 더 있음")
    package static let repeatedText = Phrase("{text} ({count} times)", "{text} ({count}번)")
    package static let answersCount = Phrase("{count} {count|answer|answers}", "답변 {count}개")
    package static let average = Phrase("average {value}", "평균 {value}")
    package static let median = Phrase("median {value}", "중앙값 {value}")
    package static let deviation = Phrase("standard deviation {value}", "표준편차 {value}")
    package static let mode = Phrase("most frequent {value}", "최빈값 {value}")
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
    package static let showThanks = Phrase("Thanks", "마무리")
    package static let shareResults = Phrase("Share", "결과 공유")
    package static let black = Phrase("Black", "검은 화면")
    package static let dark = Phrase("Dark", "어둡게")
    package static let fullScreen = Phrase("Full screen", "전체 화면")
    package static let answerNow = Phrase("Answer now on your phone.", "지금 휴대전화에서 답변하세요.")
    package static let sendWords = Phrase(
        "Send at most {count} {count|word|words}.", "단어를 {count}개까지 보낼 수 있습니다.")
    /// This label and the following two stand below their number.
    package static let peopleCheckedIn = Phrase("{count|person|people} checked in", "{count|명 체크인|명 체크인}")
    package static let questionsAsked = Phrase("{count|question|questions}", "{count|개 질문|개 질문}")
    package static let responsesCount = Phrase("{count|response|responses}", "{count|개 답변|개 답변}")
    package static let feedbackUntil = Phrase(
        "Please give feedback on your phone until {time}.", "{time}까지 휴대전화에서 피드백을 남겨 주세요.")
    package static let untilStart = Phrase("Starts in {time}", "시작까지 {time}")
    package static let durationDays = Phrase(
        "{days} {days|day|days} {hours} h", "{days}일 {hours}시간")
    package static let durationHours = Phrase(
        "{hours}:{minutes}:{seconds}", "{hours}시간 {minutes}분 {seconds}초")
    package static let durationMinutes = Phrase("{minutes}:{seconds}", "{minutes}분 {seconds}초")
}
