/// The texts of a session: its code, counts and attendees, corrections, settings and deletion.
extension Phrase.Host {
    package static let session: [String: Phrase] = [
        "added": Phrase("{name} was added.", "{name} 님을 추가했습니다."),
        "addPerson": Phrase("Add", "추가"),
        "addSomebody": Phrase("Add an attendee who could not scan", "스캔하지 못한 참석자 추가"),
        "allStatuses": Phrase("All", "전체"),
        "arrivalsPerMinute": CommandPhrases.Dashboard.perMinute,
        "asTable": Phrase("As a table", "표로 보기"),
        "by": Phrase("by {name}", "{name} 님이"),
        "byTheTime": Phrase("by the arrival time", "도착 시각에 따름"),
        "cameAt": Phrase("Arrived at", "도착 시각"),
        "cameAtHint": Phrase(
            "The real arrival time. The status follows it, unless you also set the status.",
            "실제 도착 시각입니다. 상태를 따로 정하지 않으면 이 시각에 따라 바뀝니다."),
        "cannotUndo": Phrase("This can no longer be undone.", "더 이상 되돌릴 수 없습니다."),
        "checkedIn": .Page.checkedIn,
        "checkInOpens": Phrase("Check-in opens (minutes before the start)", "체크인 시작(시작 전 분)"),
        "codeAccepted": Phrase("A rotating code stays valid for (seconds)", "자동 변경 코드의 유효 시간(초)"),
        "codeRenewed": Phrase(
            "The code was renewed. The old code is no longer valid.", "코드를 재발급했습니다. 이전 코드는 더 이상 쓸 수 없습니다."),
        "copyLink": Phrase("Copy the check-in link", "체크인 링크 복사"),
        "correctPeople": Phrase("Correct attendance", "출석 수정"),
        "count_walkIns": CommandPhrases.Dashboard.walkIns,
        "dangerous": Phrase("Code and deletion", "코드 재발급 및 회차 삭제"),
        "deleted": Phrase("Deleted.", "삭제했습니다."),
        "deleteOf": Phrase("Delete {name}?", "삭제할까요? {name}"),
        "deleteSessionAsk": Phrase(
            "This session and its expected people, check-ins and answers are deleted. This cannot be undone.",
            "이 회차와 예정된 참석자, 체크인, 답변이 모두 삭제됩니다. 되돌릴 수 없습니다."),
        "erase": Phrase("Erase", "완전히 삭제"),
        "eraseOf": Phrase("Erase {name} completely", "{name} 님의 기록 완전히 삭제"),
        "eraseAsk": Phrase(
            "The check-in, the answers with a name and the notes are deleted at once. This cannot be undone.",
            "체크인, 이름이 있는 답변, 메모가 바로 삭제됩니다. 되돌릴 수 없습니다."),
        "erased": Phrase("{name} was erased.", "{name} 님의 기록을 완전히 삭제했습니다."),
        "deleteSession": Phrase("Delete this session", "이 회차 삭제"),
        "correct": Phrase("Correct", "수정"),
        "edit": Phrase("Edit", "편집"),
        "editNote": Phrase("Reason, shown in the journal", "변경 이유(변경 기록에 남습니다)"),
        "editOf": Phrase("Edit {name}", "{name} 편집"),
        "fasterOn": Phrase(
            "Somebody else changed {name} meanwhile. The status is now: {status}.",
            "그사이 다른 사람이 {name} 님의 기록을 수정했습니다. 현재 상태: {status}."),
        "feedbackCloses": Phrase("Feedback closes (hours after the end)", "피드백 마감(종료 후 시간)"),
        "isOver": Phrase("Ended", "종료되었습니다"),
        "linkCopied": Phrase("The link was copied.", "링크를 복사했습니다."),
        "linkRevoked": Phrase(
            "The link was revoked, and its screens were disconnected.", "링크를 회수하고, 이 링크로 연 화면의 연결을 끊었습니다."),
        "merged": Phrase("Merged into one record: {name}.", "하나의 기록으로 합쳤습니다: {name}."),
        "mergeHint": Phrase(
            "Search for the other record. The merged record keeps the earlier arrival time.",
            "다른 기록을 검색하세요. 합친 기록에는 더 이른 도착 시각이 남습니다."),
        "mergeInto": Phrase("Merge into {name}", "{name}에 합치기"),
        "mergeWith": Phrase("The other record", "다른 기록"),
        "minute": Phrase("Minute", "분"),
        "name": .Export.name,
        "newestArrivals": CommandPhrases.Dashboard.newest,
        "nobodyHere": Phrase(
            "No attendee matches. Change the search or the status.", "해당하는 참석자가 없습니다. 검색어나 상태를 바꿔 보세요."),
        "nobodyYet": Phrase(
            "Nobody has checked in yet. Show the code on the projector.",
            "아직 체크인한 사람이 없습니다. 프로젝터로 코드를 보여 주세요."),
        "noPresenterLinks": Phrase("There are no links.", "링크가 없습니다."),
        "note": .Export.note,
        "openProjector": Phrase("Open the projector", "프로젝터 열기"),
        "presenterLink": Phrase("Create a presenter link", "발표 화면 링크 만들기"),
        "presenterLinkAbout": Phrase(
            "It shows the code and the counts, but no names, until the session ends.",
            "코드와 인원만 보이고 이름은 보이지 않습니다. 회차가 끝날 때까지 쓸 수 있습니다."),
        "presenterLinks": Phrase("Presenter links", "발표 화면 링크"),
        "printSheet": Phrase("Print the attendance sheet", "출석부 인쇄"),
        "removed": Phrase(
            "{name} was removed. You can undo this in the review.", "{name} 님을 삭제했습니다. 검토 탭에서 되돌릴 수 있습니다."),
        "receiptRevoked": Phrase(
            "The receipt of {name} was revoked.", "{name} 님의 체크인 증명을 취소했습니다."),
        "revokeReceiptHint": Phrase(
            "If a phone that checked in for this person should no longer answer or ask, revoke its receipt. "
                + "The attendance stays.",
            "이 사람으로 체크인한 휴대전화에서 더 이상 답변하거나 질문하지 못하게 하려면 체크인 증명을 취소하세요. "
                + "출석 기록은 그대로입니다."),
        "revokeReceiptOf": Phrase("Revoke the receipt of {name}", "{name} 님의 체크인 증명 취소"),
        "removeHint": Phrase(
            "Deletes the check-in. You can undo this in the review.", "체크인을 삭제합니다. 검토 탭에서 되돌릴 수 있습니다."),
        "renewCode": Phrase("Renew the code", "코드 재발급"),
        "renewHint": Phrase(
            "If outsiders know the code, renew it. The old code then stops working.",
            "코드가 외부에 알려졌다면 재발급하세요. 이전 코드는 더 이상 쓸 수 없습니다."),
        "revoke": Phrase("Revoke", "회수"),
        "revokeLinksToo": Phrase("Also revoke the presenter links", "발표 화면 링크도 회수"),
        "samePerson": Phrase("Merge duplicates", "중복 출석자 합치기"),
        "saveAnyway": Phrase("Save anyway", "그래도 저장"),
        "searchPeople": Phrase("Search names and e-mail addresses", "이름 또는 이메일 검색"),
        "status": .Export.status,
        "tab_live": Phrase("Live", "실시간"),
        "tab_people": Phrase("People", "참석자"),
        "tab_questions": Phrase("Questions", "질문"),
        "tab_results": Phrase("Results", "결과"),
        "tab_review": Phrase("Review", "검토"),
        "tab_settings": Phrase("Settings", "설정"),
        "time": Phrase("Time", "시각"),
        "toRotating": Phrase("Rotate the code", "코드 자동 변경 켜기"),
        "toStatic": Phrase("Stop rotating the code", "코드 고정하기"),
        "typeAt": .Page.orType,
        "typeToDelete": Phrase(
            "Enter {name} to delete it with everything in it", "모두 삭제하려면 이름을 입력하세요: {name}"),
        "undone": Phrase("Undone.", "되돌렸습니다."),
        "redone": Phrase("Redone.", "다시 실행했습니다."),
        "redoneOf": Phrase("Redone: {name}.", "다시 실행했습니다: {name}."),
        "untilEnd": Phrase("Ends in {time}", "종료까지 {time}"),
        "untilLate": Phrase("Late from {limit} (in {time})", "{limit}부터 지각 ({time} 남음)"),
        "untilStart": .Page.untilStart,
        "firstTime": .Export.firstTime,
        "unnamed": .Export.unnamed,
        "keepEverybody": Phrase("Expect everybody again", "온 사람 모두 명단에 추가"),
        "keptEverybody": Phrase(
            "{kept} {kept|person|people} added to the roster, {unchanged} on it already.",
            "명단에 {kept}명을 추가했습니다. {unchanged}명은 이미 있습니다."),
        "walkIn": Phrase("walk-in", "현장 참가"),
        "typedName": Phrase("typed: {name}", "입력한 이름: {name}"),
        "kind_rotating": Phrase("rotating", "자동 변경"),
        "kind_static": Phrase("fixed", "고정"),
        "renewAsk": Phrase(
            "This session's old code and links with it stop working at once. The QR code on the "
                + "meeting's poster keeps working.",
            "이 회차의 이전 코드와 그 코드가 든 링크는 바로 쓸 수 없게 됩니다. 모임 포스터의 QR 코드는 계속 쓸 수 있습니다."),
        "renewAskLinks": Phrase(
            "Screens that use a presenter link are disconnected, too.",
            "발표 화면 링크로 연 화면도 연결이 끊어집니다."),
        "toRotatingAsk": Phrase(
            "The code changes every 10 seconds. Attendees must use the code on the screen. "
                + "Printed codes and links that you sent stop working.",
            "10초마다 코드가 바뀝니다. 이제 현장 스크린에 보이는 코드로만 체크인할 수 있습니다. 인쇄한 코드와 이미 보낸 링크는 쓸 수 없습니다."),
        "toStaticAsk": Phrase(
            """
            One code stays valid for the whole session. Somebody who is not in the room can then use \
            a photo of it.
            """,
            "회차 내내 같은 코드를 씁니다. 현장에 없는 사람이 코드 사진으로 체크인할 수 있습니다."),
        "undoKey": Phrase(
            "Press Z to undo your last status change, and Shift+Z to redo it.",
            "Z 키를 누르면 마지막 출결 변경을 되돌리고, Shift+Z를 누르면 다시 실행합니다."),
        "undoneOf": Phrase("Undone: {name}.", "되돌렸습니다: {name}."),
    ]
}
