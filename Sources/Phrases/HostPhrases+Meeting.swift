/// The texts of the first view and of a meeting: its sessions, roster, members, image and settings.
extension Phrase.Host {
    package static let meeting: [String: Phrase] = [
        "addToRoster": Phrase("Add a person", "명단에 추가"),
        "allCodesRenewed": Phrase(
            "All codes were renewed. Old codes and posters no longer work.",
            "모든 코드를 재발급했습니다. 이전 코드와 포스터는 더 이상 쓸 수 없습니다."),
        "allMeetings": Phrase("All meetings", "모든 모임"),
        "archive": Phrase("Archive", "보관"),
        "archived": Phrase("{name} was archived.", "{name} 님을 보관했습니다."),
        "calendar": Phrase("Calendar", "캘린더"),
        "checkedInOf": Phrase("{count} of {planned} checked in", "{planned}명 중 {count}명 체크인"),
        "chooseFile": Phrase("Choose a file", "파일 선택"),
        "chooseImage": Phrase("Choose an image", "이미지 선택"),
        "code_rotating": Phrase("rotating: a new code every 10 seconds", "자동 변경: 10초마다 새 코드"),
        "code_static": Phrase("static: one code for the whole session", "고정: 회차 내내 같은 코드"),
        "codeKind": Phrase("Check-in code", "체크인 코드"),
        "codeKindHint": Phrase(
            "If the code rotates, attendees must use the code on the screen. They cannot check in "
                + "with the poster.",
            "코드가 자동으로 바뀌면 현장 스크린의 코드로만 체크인할 수 있습니다. 포스터로는 체크인할 수 없습니다."),
        "codeOf": Phrase("QR code of {name}", "{name}의 QR 코드"),
        "continueMeeting": Phrase("Next session", "다음 회차 만들기"),
        "create": Phrase("Create", "만들기"),
        "customTimes": Phrase("Choose the times", "시간 선택"),
        "deleteMeetingAsk": Phrase(
            "All sessions, also the planned ones, their check-ins and answers, and the roster are deleted. "
                + "This cannot be undone.",
            "예정된 회차를 포함한 모든 회차, 체크인과 답변, 명단이 삭제됩니다. 되돌릴 수 없습니다."),
        "deleteMeeting": Phrase("Delete this meeting", "이 모임 삭제"),
        "description": Phrase("Description", "설명"),
        "editMeeting": Phrase("Name, venue and description", "이름, 장소, 설명"),
        "endsAt": Phrase("Ends", "종료"),
        "endsBeforeStart": .Record.endBeforeStart,
        "goodUntil": Phrase("until {time}", "{time}까지"),
        "handOver": Phrase("Copy this link and send it yourself.", "링크를 복사해 직접 전달하세요."),
        "howManyWeeks": Phrase("Number of weekly sessions", "매주 만들 회차 수"),
        "identify_email": Phrase("E-mail address", "이메일"),
        "identify_name": Phrase("Name", "이름"),
        "identify_number": Phrase("Number", "번호(학번 또는 사번)"),
        "identifyBy": Phrase("Attendees are identified by", "참석자를 구분하는 방법"),
        "erasePersonAsk": Phrase(
            "This deletes the entry, and the records, notes, named answers and mails of all sessions of this "
                + "meeting. Nobody can undo this.",
            "명단의 항목과 이 모임 모든 회차의 출석 기록, 메모, 이름이 보이는 답변, 메일을 삭제합니다. 되돌릴 수 없습니다."),
        "exportData": Phrase("All data", "전체 정보"),
        "exportOf": Phrase("Show all data about {name}", "{name} 님의 정보 모두 보기"),
        "image": Phrase("Image", "이미지"),
        "imageHint": Phrase("JPEG or PNG, at most 5 MB", "JPEG 또는 PNG, 최대 5MB"),
        "imported": Phrase(
            "Imported: {added} added, {updated} updated, {archived} archived.",
            "명단을 가져왔습니다. 추가 {added}명, 수정 {updated}명, 보관 {archived}명."),
        "importHint": Phrase(
            """
            A CSV file with name, e-mail address and number. It replaces the whole roster: people who are \
            not in the file are archived.
            """,
            "이름, 이메일, 번호가 있는 CSV 파일입니다. 명단 전체를 대신하며, 파일에 없는 사람은 보관됩니다."),
        "importRoster": Phrase("Import a roster", "명단 가져오기"),
        "invite": Phrase("Invite", "초대"),
        "invitedAs": Phrase("invited as {role}", "초대됨: {role}"),
        "inviteByMail": Phrase("Send the invitation by mail", "초대를 메일로 보내기"),
        "invitedByMail": Phrase(
            "{email} was invited, and gets a mail if the address accepts mails.",
            "{email} 님을 초대했습니다. 수신을 거부하지 않은 주소이면 메일이 발송됩니다."),
        "invitedNoMail": Phrase(
            "{email} was invited, but gets no mail, because your daily limit is reached. "
                + "Send the link yourself.",
            "{email} 님을 초대했지만, 하루 발송 한도에 도달하여 메일을 보내지 않았습니다. 링크를 직접 전달하세요."),
        "invitedSomebody": Phrase("{email} was invited.", "{email} 님을 초대했습니다."),
        "inviteSomebody": Phrase("Invite a co-host or viewer", "공동 진행자 또는 열람자 초대"),
        "lateAfter": Phrase("Late after (minutes from the start)", "지각 기준(시작 후 분)"),
        "leaveMeeting": Phrase("Leave", "나가기"),
        "leaveMeetingAsk": Phrase("Leave this meeting?", "이 모임에서 나갈까요?"),
        "leaveMeetingAbout": Phrase(
            "Your presenter links and invitations stop working. To come back, you need a new invitation.",
            "내가 만든 발표 화면 링크와 초대는 더 이상 사용할 수 없습니다. 다시 들어오려면 새 초대를 받아야 합니다."),
        "line": Phrase("Line {number}:", "{number}번째 줄:"),
        "manage": Phrase("Manage", "관리"),
        "manageOf": Phrase("Manage {name}", "{name} 관리"),
        "meetingName": Phrase("Name of the meeting", "모임 이름"),
        "meetingNameHint": Phrase("You can change it later.", "나중에 바꿀 수 있습니다."),
        "members": Phrase("Hosts and viewers", "진행자와 열람자"),
        "nearest": Phrase("Next", "다음 회차"),
        "newMeeting": Phrase("New meeting", "새 모임"),
        "noMeetings": Phrase(
            """
            You have no meetings yet. Create the first one with two taps: it starts now and lasts two \
            hours.
            """,
            "아직 모임이 없습니다. 지금부터 두 시간 동안의 모임을 두 번만 눌러 만들 수 있습니다."),
        "noneToCome": CommandPhrases.Fail.noneToCome,
        "noneArchived": Phrase("Nobody is archived.", "보관된 사람이 없습니다."),
        "nothingFound": CommandPhrases.Messages.nothingFound,
        "now2h": Phrase("Now, for two hours", "지금부터 두 시간"),
        "overlapAnyway": Phrase("Create anyway", "그래도 만들기"),
        "overlaps": Phrase("Overlaps with {name}, {time}.", "{name} 회차와 겹칩니다. {time}"),
        "overTheSeries": Phrase("All sessions", "모든 회차"),
        "place": Phrase("Venue", "장소"),
        "planned": Phrase("Planned attendees", "예정 인원"),
        "poster": Phrase("Poster", "포스터"),
        "readAsKorean": .Record.readAsKorean,
        "regulars": Phrase("The next session expects", "다음 회차에서 기다릴 사람"),
        "regulars_everybody": Phrase("everybody who came", "온 사람 모두"),
        "regulars_kept": Phrase("the people kept on the roster", "명단에 남긴 사람"),
        "regulars_nobody": Phrase("nobody", "없음"),
        "renewAllAsk": Phrase(
            "The codes of all sessions and the code on the poster stop working at once. Somebody who has "
                + "scanned an old code and has not checked in yet must scan the new one. Check-ins stay.",
            "모든 회차의 코드와 포스터의 코드를 바로 쓸 수 없게 됩니다. 이전 코드를 스캔하고 아직 체크인하지 않은 사람은 새 코드를 "
                + "스캔해야 합니다. 체크인 기록은 그대로입니다."),
        "renewAllCodes": Phrase("Renew all codes", "모든 코드 재발급"),
        "renewAllHint": Phrase(
            "If outsiders know codes of this meeting, renew all of them. Print new posters afterwards.",
            "모임의 코드가 외부에 알려졌다면 모두 재발급하세요. 그런 다음 포스터를 새로 출력하세요."),
        "reminders": Phrase("Mails to the people on the roster", "명단에 있는 사람에게 보내는 메일"),
        "reminders_off": Phrase("none", "보내지 않음"),
        "reminders_en": Phrase("in English", "영어로 보냄"),
        "reminders_ko": Phrase("in Korean", "한국어로 보냄"),
        "remindersHint": Phrase(
            "A day and an hour before a session, when it moves or is deleted, and when feedback is open.",
            "회차 하루 전과 한 시간 전, 회차가 바뀌거나 삭제될 때, 피드백이 열릴 때 보냅니다."),
        "roundTitle": Phrase("Title of this session", "이 회차의 제목"),
        "roundTitled": Phrase("Session {round}: {title}", "{round}회차: {title}"),
        "remove": Phrase("Remove", "제거"),
        "removeMemberAsk": Phrase("Remove {name} from this meeting?", "{name} 님을 이 모임에서 제거할까요?"),
        "removeMemberAbout": Phrase(
            "{name} loses access at once. Presenter links and invitations by {name} stop working.",
            "{name} 님은 바로 접근할 수 없으며, {name} 님이 만든 발표 화면 링크와 초대도 더 이상 사용할 수 없습니다."),
        "deletePictureAsk": Phrase(
            "Delete the image of this meeting?", "이 모임의 이미지를 삭제할까요?"),
        "removedPicture": Phrase("The image was deleted.", "이미지를 삭제했습니다."),
        "removeOf": Phrase("Remove {name}", "{name} 제거"),
        "role": Phrase("Role", "역할"),
        "roleOf": Phrase("Role of {name}", "{name}의 역할"),
        "roster": Phrase("Roster", "명단"),
        "rosterArchived": Phrase("Archived", "보관됨"),
        "rosterEmpty": Phrase(
            "The roster is empty: anybody may check in. Add people or import a list below.",
            "명단이 비어 있어 누구나 체크인할 수 있습니다. 아래에서 사람을 추가하거나 명단을 가져오세요."),
        "rosterNow": Phrase("On the roster", "현재 명단"),
        "round": .Page.round,
        "rounds": Phrase("Sessions", "회차"),
        "runningNow": Phrase("Running now", "진행 중"),
        "runSession": Phrase("Run this session", "이 회차 진행하기"),
        "sameName": Phrase(
            "{name} is on the roster already. Add another person with this name?",
            "{name} 님이 이미 명단에 있습니다. 이름이 같은 다른 사람을 추가할까요?"),
        "searchRounds": Phrase("Search sessions", "회차 검색"),
        "startsAt": Phrase("Starts", "시작"),
        "revokeInvitation": Phrase("Revoke", "초대 취소"),
        "timeZone": Phrase("Time zone", "시간대"),
        "totals": Phrase(
            "{present} present, {late} late, {absent} absent, {excused} excused",
            "출석 {present}, 지각 {late}, 결석 {absent}, 공결 {excused}"),
        "unarchive": Phrase("Restore", "복원"),
        "unarchived": Phrase("{name} was restored to the roster.", "{name} 님을 명단에 복원했습니다."),
        "unnamedMeeting": Phrase("Meeting", "모임"),
        "withinTheHour": Phrase("Starts in {minutes} min", "{minutes}분 뒤 시작"),
        "today": Phrase("Today", "오늘"),
        "yourMeetings": Phrase("Your meetings", "내 모임"),
        "zoneWrong": .Record.unknownZone,
        "andMore": Phrase("and {count} more", "외 {count}명"),
        "import_added": Phrase("{count} added", "추가 {count}명"),
        "import_archived": Phrase("{count} archived: not in the file", "보관 {count}명: 파일에 없음"),
        "import_unarchived": Phrase("{count} restored", "보관 해제 {count}명"),
        "import_unchanged": Phrase("{count} unchanged", "그대로 {count}명"),
        "import_updated": Phrase("{count} changed", "변경 {count}명"),
        "importAmbiguous": Phrase(
            "These names belong to several attendees without an address or number. Merge them: {names}",
            "이메일이나 번호가 없는 여러 참석자와 이름이 같습니다. 직접 합치세요: {names}"),
        "importAsk": Phrase("Import this roster?", "이 명단을 가져올까요?"),
        "importNow": Phrase("Import", "가져오기"),
        "importUndone": Phrase(
            "The former roster is back. People whom the import added are archived.",
            "이전 명단으로 되돌렸습니다. 가져오면서 추가된 사람은 보관했습니다."),
        "importWithoutKey": Phrase(
            "{count} {count|person has|people have} no value in the column that identifies "
                + "attendees. If they check in, the server cannot match them with the roster.",
            "참석자를 구분하는 열에 값이 없는 사람이 {count}명 있습니다. 이 사람들은 체크인해도 명단과 연결되지 않습니다."),
        "importWouldHave": Phrase(
            "After the import, the roster will have {count} {count|person|people}.",
            "가져오면 명단은 {count}명이 됩니다."),
        "lineNumber": Phrase("line {number}", "{number}번째 줄"),
    ]
}
