/// The texts that every view of the host's page needs: the bar, the forms and the connection.
extension Phrase.Host {
    package static let frame: [String: Phrase] = [
        "account": Phrase("Account", "계정"),
        "back": .Page.back,
        "cancel": Phrase("Cancel", "취소"),
        "durationDays": .Page.durationDays,
        "durationHours": .Page.durationHours,
        "durationMinutes": .Page.durationMinutes,
        "gone": Phrase("We can't find that page.", "페이지를 찾을 수 없습니다."),
        "home": Phrase("Home", "홈"),
        "live": .Page.live,
        "more": Phrase("More", "더 보기"),
        "next": .Page.next,
        "none": Phrase("none", "없음"),
        "notReached": Phrase("The server cannot be reached.", "서버에 연결할 수 없습니다."),
        "notReachedHint": Phrase("Check the network, then try again.", "네트워크를 확인하고 다시 시도하세요."),
        "notSent": Phrase(
            "Not sent: the network or the server is not available. Your input is still here; try again.",
            "네트워크나 서버에 문제가 있어 전송하지 못했습니다. 입력한 내용은 그대로 있으니 다시 시도하세요."),
        "otherLanguage": Phrase("한국어", "English"),
        "over": Phrase("The live view has ended. Reload the page.", "실시간 보기가 끝났습니다. 페이지를 새로 고치세요."),
        "reconnecting": .Page.reconnecting,
        "save": .Page.save,
        "saved": Phrase("Saved.", "저장했습니다."),
        "storageFull": .Page.storageFull,
        "signOut": Phrase("Sign out", "로그아웃"),
        "stillSending": Phrase(
            "Your last press is still being sent. Wait a moment.", "방금 누른 내용을 보내고 있습니다. 잠시 기다려 주세요."),
        "somebodyFaster": .Record.changedMeanwhile,
        "tryAgain": Phrase("Try again", "다시 시도"),
        "undo": Phrase("Undo", "되돌리기"),
        "redo": Phrase("Redo", "다시 실행"),
        "draftsAreLost": Phrase(
            "Some questions have unsaved changes. If you sign out, you will lose them.",
            "저장하지 않은 질문이 있습니다. 로그아웃하면 사라집니다."),
        "loading": Phrase("Loading…", "불러오는 중…"),
    ]
}
