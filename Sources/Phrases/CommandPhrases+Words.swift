extension CommandPhrases {
    /// What the API calls by a word of its own, as people read it in tables.
    package enum Words {
        package static let byQR = Phrase("QR code", "QR 코드")
        package static let byJoinCode = Phrase("join code", "참여 코드")
        package static let byHost = Phrase("host", "진행자")
        package static let byCommandLine = Phrase("command line", "명령줄")

        package static let owner = Phrase("owner", "소유자")
        package static let host = Phrase("host", "진행자")
        package static let viewer = Phrase("viewer", "열람자")

        package static let created = Phrase("created", "생성")
        package static let checkedIn = Phrase("checked in", "체크인")
        package static let corrected = Phrase("corrected", "정정")
        package static let renamed = Phrase("renamed", "이름 변경")
        package static let merged = Phrase("merged", "병합")
        package static let withdrawn = Phrase("withdrawn", "철회")
        package static let responded = Phrase("responded", "응답")
        package static let edited = Phrase("edited", "편집")
        package static let undone = Phrase("undone", "되돌림")
        package static let added = Phrase("added", "추가")
        package static let removed = Phrase("removed", "삭제")
        package static let presenterLinkCreated = Phrase("presenter link created", "발표 화면 링크 생성")
        package static let presenterLinkRevoked = Phrase("presenter link revoked", "발표 화면 링크 회수")

        package static let anAttendee = Phrase("attendee", "참석자")
        package static let theServer = Phrase("server", "서버")

        package static let multipleChoice = Phrase("choose {count}", "{count}개 선택")
        package static let shortAnswer = Phrase("text, {max} characters at most", "글, 최대 {max}자")
        package static let rating = Phrase("stars, 1–{scale}", "별점 1~{scale}")
        package static let number = Phrase("number", "수")
        package static let numberBetween = Phrase("number {least}–{most}", "수 {least}~{most}")
    }
}
