extension CommandPhrases {
    /// For whoever keeps a server's data.
    package enum Admin {
        package static let data = Phrase("folder of the database (QRING_DATA)", "데이터베이스 폴더 (QRING_DATA)")

        // Backups
        package static let backup = Phrase(
            "back up the data, while the server runs or not", "서버가 실행 중이든 아니든 데이터 백업")
        package static let backupExample = Phrase(
            "one file with everything, the secret included", "비밀 키까지 모두 담은 파일 하나")
        package static let backupFile = Phrase("the file to make; never overwritten", "만들 파일. 덮어쓰지 않습니다")
        package static let backupNotes = Phrase(
            "The file holds names, addresses and the server's secret: keep it where only you can read it.",
            "파일에는 이름, 주소, 서버의 비밀 키가 들어 있으니 본인만 읽을 수 있는 곳에 두세요.")
        package static let backedUp = Phrase(
            "Backed up and verified: {path} ({size})", "백업하고 검사했습니다: {path} ({size})")

        package static let restore = Phrase("put a backup in the place of the data", "백업을 데이터 자리에 되돌리기")
        package static let restoreExample = Phrase(
            "into a new folder, as on another machine", "다른 컴퓨터처럼 새 폴더로")
        package static let restoreReplaceExample = Phrase(
            "instead of the data there, which are kept aside", "있던 데이터는 옆에 보관하고 바꿉니다")
        package static let restoreFile = Phrase("what qring admin backup made", "qring admin backup이 만든 파일")
        package static let replace = Phrase(
            "move data that are there aside, into replaced-…", "있던 데이터를 replaced-… 폴더로 옮깁니다")
        package static let restored = Phrase("Restored into {folder}.", "{folder}에 복원했습니다.")
        package static let restoredFrom = Phrase("As of {time}.", "{time} 시점의 데이터입니다.")
        package static let replaced = Phrase("What was there before: {path}", "이전 데이터: {path}")

        // What keeps them from being done
        package static let exists = Phrase(
            "{path} is there already; a backup overwrites nothing.", "{path}이(가) 이미 있습니다. 백업은 덮어쓰지 않습니다.")
        package static let noData = Phrase("There are no data in {folder}.", "{folder}에 데이터가 없습니다.")
        package static let hasData = Phrase(
            "There are data in {folder}. --replace moves them aside first.",
            "{folder}에 데이터가 있습니다. --replace를 주면 먼저 옆으로 옮깁니다.")
        package static let inUse = Phrase(
            "A server is running on {folder}; stop it first.", "{folder}를 쓰는 서버가 있습니다. 먼저 멈추세요.")
        package static let noSecret = Phrase(
            "There is no secret at {path}. Without it every code, grant and receipt is void; put it there "
                + "from where it was.",
            "{path}에 비밀 키가 없습니다. 없으면 코드와 영수증이 모두 무효가 되니 원래 있던 것을 그 자리에 두세요.")
        package static let secretDamaged = Phrase(
            "The secret at {path} is damaged: it has 32 bytes.", "{path}의 비밀 키가 손상되었습니다. 32바이트여야 합니다.")
        package static let notABackup = Phrase("{path} is no backup of QRing.", "{path}은(는) QRing의 백업이 아닙니다.")
        package static let noFile = Phrase(
            "There is no file at {path}. Check the name of the backup.", "{path}에 파일이 없습니다. 백업 파일의 이름을 확인하세요."
        )
        package static let notReadable = Phrase(
            "{path} cannot be read: {detail}", "{path}을(를) 읽을 수 없습니다: {detail}")
        package static let damaged = Phrase("{path} is damaged: {detail}", "{path}이(가) 손상되었습니다: {detail}")
        package static let notDone = Phrase("It could not be done: {reason}", "할 수 없었습니다: {reason}")

        // Accounts
        package static let userCreate = Phrase("make an account in the data folder", "데이터 폴더에 계정 만들기")
        package static let userCreateExample = Phrase(
            "prompts for the password; the first account becomes the operator",
            "비밀번호를 물어봅니다. 첫 계정은 운영자의 계정입니다")
        package static let userAdmin = Phrase("make the account an operator", "운영자 계정으로 만들기")
        package static let userList = Phrase("list the accounts in the data folder", "데이터 폴더의 계정 목록")
        package static let userListExample = Phrase("shows which of them are operators", "누가 운영자인지 표시합니다")
        package static let userIsOperator = Phrase("operator", "운영자")
        package static let userOperator = Phrase("make an account an operator", "계정을 운영자로 지정")
        package static let userOperatorExample = Phrase(
            "then the previous operator can delete their account", "이전 운영자가 탈퇴할 수 있게 됩니다")
        package static let userMadeOperator = Phrase("{email} is an operator.", "{email}은(는) 운영자입니다.")
        package static let userNotes = Phrase(
            "Stop the server first, and run this as the server's own user: the files must stay that user's.",
            "먼저 서버를 멈추고 서버와 같은 사용자로 실행하세요. 파일의 소유자가 바뀌면 안 됩니다.")

        // Verification
        package static let verify = Phrase(
            "recount everything from the journal and the rows", "저널과 행에서 모든 것을 다시 세기")
        package static let verifyExample = Phrase(
            "changes nothing, and may run beside the server", "아무것도 바꾸지 않으며 서버와 함께 실행할 수 있습니다")
        package static let verified = Phrase(
            "All is well: {sessions} sessions, {attendees} attendees ({checkedIn} checked in), {events} "
                + "events, {responses} responses.",
            "이상 없음: 회차 {sessions}개, 참석자 {attendees}명 (체크인 {checkedIn}명), 이벤트 {events}개, 응답 {responses}개.")
        package static let faultCount = Phrase("{count} faults found.", "문제 {count}개를 찾았습니다.")
        package static let theFile = Phrase("The database as a whole", "데이터베이스 전체")
        package static let inSession = Phrase("Session {session}", "회차 {session}")

        package static let commitsMissing = Phrase(
            "acknowledged changes are missing (commits: {commits}), made after {since}, the last at "
                + "{until}. The next start copies these files first.",
            "저장했다고 응답한 변경이 사라졌습니다(커밋 {commits}개). {since} 이후의 변경이며 마지막 변경은 {until}입니다. 다음에 시작하면 서버가 먼저 이 "
                + "파일들을 복사합니다."
        )
        package static let commitsMissingCopied = Phrase(
            "acknowledged changes are missing (commits: {commits}), made after {since}, the last at "
                + "{until}. The files as they were found are in {copy}. "
                + "When the loss is resolved, move that folder out of the data folder.",
            "저장했다고 응답한 변경이 사라졌습니다(커밋 {commits}개). {since} 이후의 변경이며 마지막 변경은 {until}입니다. 발견 당시의 파일은 {copy}에 "
                + "있습니다. "
                + "처리한 뒤에는 그 폴더를 데이터 폴더 밖으로 옮기세요.")
        package static let damagedFile = Phrase("the file is damaged: {detail}", "파일이 손상되었습니다: {detail}")
        package static let brokenReference = Phrase(
            "{rows} rows of {table} refer to a missing row of {parent}",
            "{table}의 행 {rows}개가 {parent}에 없는 행을 가리킵니다")
        package static let unreadable = Phrase(
            "{what} could not be checked: {detail}", "{what}을(를) 검사할 수 없습니다: {detail}")
        package static let journalGap = Phrase(
            "the journal has {events} events up to number {last}; {missing} is missing",
            "저널의 이벤트가 {last}번까지 {events}개이고 {missing}번이 없습니다")
        package static let counterDiffers = Phrase(
            "the counter stands at {kept}, the journal ends at {counted}", "카운터는 {kept}, 저널의 끝은 {counted}입니다")
        package static let unknownEventData = Phrase(
            "event {sequence} holds something that no event may hold", "{sequence}번 이벤트에 있을 수 없는 값이 있습니다")
        package static let headCountDiffers = Phrase(
            "{what} is kept as {kept}, counted {counted}", "{what}의 기록은 {kept}, 다시 세면 {counted}입니다")
        package static let arrivalWithoutEvent = Phrase(
            "attendee {attendee} came in by event {sequence}, which says otherwise or is missing",
            "참석자 {attendee}의 체크인 이벤트 {sequence}번이 없거나 다릅니다")
        package static let arrivalLost = Phrase(
            "event {sequence} brought attendee {attendee} in, of whom there is no record",
            "{sequence}번 이벤트로 체크인한 참석자 {attendee}의 기록이 없습니다")
        package static let responsesDiffer = Phrase(
            "set {set}: responses are kept as {kept}, counted {counted}",
            "{set}: 응답 수 기록은 {kept}, 다시 세면 {counted}입니다")
        package static let publishedDiffer = Phrase(
            "set {set}: published responses are kept as {kept}, counted {counted}",
            "{set}: 공개된 응답 수 기록은 {kept}, 다시 세면 {counted}입니다")
        package static let marksDiffer = Phrase(
            "set {set}: {kept} attendees are marked as having answered, for {counted} responses",
            "{set}: 응답 {counted}개에 응답 표시는 {kept}명입니다")
        package static let responseEventsDiffer = Phrase(
            "set {set}: the journal tells of {kept} responses, there are {counted}",
            "{set}: 저널의 응답은 {kept}개, 실제는 {counted}개입니다")
        package static let anonymousNamed = Phrase(
            "set {set} is anonymous, and {count} responses or events of it name an attendee",
            "{set}은(는) 익명인데 응답이나 이벤트 {count}개에 참석자가 있습니다")
        package static let answerDoesNotFit = Phrase(
            "set {set}: {count} answers fit no question", "{set}: 답변 {count}개가 어느 질문에도 맞지 않습니다")
        package static let tallyDiffers = Phrase(
            "set {set}, question {question}: the tally is {kept}, counted {counted}",
            "{set}, 질문 {question}: 집계는 {kept}, 다시 세면 {counted}입니다"
        )
        package static let placeElsewhere = Phrase(
            "attendee {attendee} has the place of a person of another session or meeting",
            "참석자 {attendee}의 자리가 다른 회차나 모임의 사람 것입니다")
        package static let keyDiffers = Phrase(
            "attendee {attendee} is found by another address or number than their record has",
            "참석자 {attendee}의 찾기 키가 기록의 주소나 번호와 다릅니다")
        package static let latestSessionDiffers = Phrase(
            "lists of meetings do not show it as the latest, or with other times",
            "모임 목록에 최신 회차로 보이지 않거나 시각이 다릅니다")
    }
}
