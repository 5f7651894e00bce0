extension CommandPhrases {
    /// Of series, rosters and files.
    package enum Roster {
        package static let repeatMeeting = Phrase("plan the next sessions by a rule", "규칙에 따라 다음 회차들을 만들기")
        package static let repeatWeekly = Phrase(
            "the next ten weeks, at the same local time", "같은 시각으로 앞으로 10주")
        package static let repeatOn = Phrase("Mondays and Wednesdays", "월요일과 수요일")
        package static let rule = Phrase("weekly, on weekdays, or every so many days", "매주, 요일별, 또는 며칠마다")
        package static let every = Phrase("for days: every so many (1–366)", "days일 때 며칠마다 (1~366)")
        package static let on = Phrase(
            "for weekdays: which; Monday to Friday by default", "weekdays일 때 요일, 기본은 월~금")
        package static let count = Phrase("how many (1–100)", "몇 회 (1~100)")
        package static let firstStarts = Phrase(
            "of the first one; without it the rule goes on from the latest session",
            "첫 회의 시작. 없으면 마지막 회차에 이어서")
        package static let planned = Phrase("Planned: {count}.", "{count}회를 만들었습니다.")

        package static let list = Phrase("people of a meeting, with their totals", "모임 명단과 출결 합계")
        package static let absentInARow = Phrase(
            "only those absent so many times in a row (1–20)", "연속으로 이만큼 결석한 사람만 (1~20)")
        package static let archivedOnes = Phrase("those who are archived", "보관된 사람")
        package static let importFile = Phrase(
            "make the roster what a CSV file says; who is missing from it is archived",
            "CSV 파일대로 명단 만들기 (없는 사람은 보관)")
        package static let importExample = Phrase("columns: name, email, number", "열: 이름, 이메일, 번호")
        package static let file = Phrase(
            "CSV in UTF-8 or a Korean Excel's CP949, - for standard input",
            "CSV 파일(UTF-8, 또는 한글 엑셀의 CP949), -는 표준 입력")
        package static let importNotes = Phrase(
            "All of it is taken, or nothing: bad rows and duplicates are named with their line. It is one "
                + "request and one step on the server, a second or two for 10,000 people, so there is no "
                + "bar to show.",
            "전부 가져오거나 아무것도 가져오지 않습니다. 잘못되거나 겹치는 줄은 줄 번호와 함께 알려 줍니다. 요청 하나로 한 번에 처리되므로(1만 명에 1~2초) 진행 막대는 "
                + "없습니다."
        )
        package static let importing = Phrase(
            "Importing {size}, all in one step …", "{size} 가져오는 중 (한 번에 처리) …")
        package static let readAsKorean = Phrase(
            "The file was not UTF-8, and was read as Korean (CP949).", "UTF-8이 아니어서 한글 완성형(CP949)으로 읽었습니다.")
        package static let add = Phrase("put somebody on the roster", "명단에 추가")
        package static let rename = Phrase(
            "change somebody's name, e-mail address or number", "이름, 이메일, 번호 바꾸기")
        package static let archive = Phrase(
            "expect somebody no more; what they attended stays", "명단에서 보관 (출결 기록은 유지)")
        package static let unarchive = Phrase("expect them again", "보관 해제")
        package static let keep = Phrase("keep a walk-in on the roster", "현장 참석자를 명단에 추가")
        package static let person = Phrase(
            "id, e-mail address, number, or name where only one has it", "ID, 이메일, 번호, 또는 하나뿐인 이름")
        package static let noPerson = Phrase(
            "nobody on the roster has the id, name, e-mail address or number \"{text}\".",
            "명단에 ID, 이름, 이메일 또는 번호가 \"{text}\"인 사람이 없습니다.")
        package static let newName = Phrase("the new name", "새 이름")
        package static let added = Phrase("On the roster: {name}.", "명단에 추가했습니다: {name}")
        package static let archived = Phrase("Archived: {name}.", "보관했습니다: {name}")
        package static let unarchived = Phrase("Expected again: {name}.", "보관을 해제했습니다: {name}")
        package static let imported = Phrase(
            "{people} on the roster: {added} added, {updated} changed, {unarchived} unarchived, {archived} "
                + "archived.",
            "명단 {people}명: 추가 {added}, 변경 {updated}, 보관 해제 {unarchived}, 보관 {archived}.")
        package static let withoutKey = Phrase(
            "{count} have nothing to check in by: this meeting tells people apart by {kind}.",
            "{count}명은 {kind}이(가) 없어 스스로 체크인할 수 없습니다.")
        package static let headPresent = Phrase("PRESENT", "출석")
        package static let headLate = Phrase("LATE", "지각")
        package static let headAbsent = Phrase("ABSENT", "결석")
        package static let headExcused = Phrase("EXCUSED", "공결")
        package static let headEmail = Phrase("E-MAIL", "이메일")
        package static let headNumber = Phrase("NUMBER", "번호")

        package static let calendar = Phrase("the sessions as an .ics file", "회차들을 .ics 파일로")
        package static let export = Phrase("attendance as a CSV file", "출결을 CSV 파일로")
        package static let bom = Phrase(
            "with the mark by which a Korean Excel knows UTF-8", "한글 엑셀이 UTF-8로 읽도록 표시 추가")
        package static let sheet = Phrase("an attendance sheet for printing (HTML)", "인쇄용 출석부 (HTML)")
        package static let poster = Phrase(
            "a poster with the meeting's code (PDF, or HTML by the file's name)",
            "모임 코드 포스터 (PDF, 파일 이름에 따라 HTML)")
        package static let output = Phrase("where to, - for standard output", "저장할 곳, -는 표준 출력")
        package static let searchRounds = Phrase(
            "a round's number, a day such as 2026-11-21 or 2026-11, or a name",
            "회차 번호, 2026-11-21이나 2026-11 같은 날짜, 이름")
        package static let searchMeetings = Phrase("only those whose name has it", "이름에 이 글자가 든 모임만")
        package static let startsWithinTheHour = Phrase(
            "Starts within the hour: in {minutes} min.", "한 시간 안에 시작합니다: {minutes}분 뒤")
        package static let isRunning = Phrase("Running now.", "지금 진행 중입니다.")
    }
}
