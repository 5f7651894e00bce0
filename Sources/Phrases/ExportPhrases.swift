/// The texts of exported files, attendance sheets and posters.
extension Phrase {
    package enum Export {
        package static let name = Phrase("Name", "이름")
        package static let email = Phrase("E-mail", "이메일")
        package static let number = Phrase("Number", "번호")
        package static let status = Phrase("Status", "상태")
        package static let checkedInAt = Phrase("Checked in at", "체크인 시각")
        package static let method = Phrase("Method", "방법")
        package static let answeredAt = Phrase("Answered at", "응답 시각")
        /// In the title of a column.
        package static let hiddenTexts = Phrase(
            "{count} hidden {count|text|texts} left out", "숨긴 글 {count}개 제외")
        package static let pendingTexts = Phrase(
            "{count} {count|text|texts} waiting for a check left out", "확인 대기 중인 글 {count}개 제외")
        package static let hour = Phrase("Hour", "시간대")
        package static let walkIn = Phrase("Walk-in", "현장 참가")
        package static let firstTime = Phrase("first time", "첫 출석")
        /// The heading of a column.
        package static let firstTimeHeading = Phrase("First time", "첫 출석")
        package static let unnamed = Phrase("and {count} unnamed", "외 이름 없는 {count}명")
        package static let note = Phrase("Note", "메모")
        package static let yes = Phrase("yes", "예")
        package static let askedAt = Phrase("Asked at", "질문 시각")
        package static let question = Phrase("Question", "질문")
        package static let votes = Phrase("Votes", "추천 수")
        package static let pinned = Phrase("Pinned", "고정")
        package static let answer = Phrase("Answer", "답변")
        package static let answerOrFigure = Phrase("Answer or figure", "답변 또는 통계")
        package static let value = Phrase("Value", "값")
        package static let percent = Phrase("Percent", "비율(%)")
        package static let choiceValue = Phrase("Choice's value", "선택지 값")
        package static let answers = Phrase("Answers", "답변 수")
        package static let average = Phrase("Average", "평균")
        package static let deviation = Phrase("Standard deviation", "표준편차")
        package static let median = Phrase("Median", "중앙값")
        package static let mode = Phrase("Most frequent", "최빈값")
        package static let least = Phrase("Lowest", "최솟값")
        package static let most = Phrase("Highest", "최댓값")
        package static let signature = Phrase("Signature", "서명")
        package static let sheetTitle = Phrase("Attendance: {name}, session {round}", "출석부: {name} {round}회차")
        package static let sheetCounts = Phrase(
            "{present} present, {late} late, {absent} absent, {excused} excused, {awaited} awaited",
            "출석 {present}, 지각 {late}, 결석 {absent}, 공결 {excused}, 미도착 {awaited}")
        package static let sheetMade = Phrase("As of {time} ({zone}).", "{time} 기준 ({zone})")
        package static let roundTitle = Phrase("{name} (session {round})", "{name} ({round}회차)")
        package static let scanToCheckIn = Phrase("Scan to check in", "스캔해서 체크인하세요")
        package static let orEnterCode = Phrase(
            "or open {address} and enter the join code", "또는 {address}에서 참여 코드 입력")
        package static let orEnterShownCode = Phrase(
            "or open {address} and enter the join code that the screen shows",
            "또는 {address}에서 화면에 보이는 참여 코드 입력")
        package static let codeOfSession = Phrase("{code} ({time})", "{code} ({time})")
    }
}
