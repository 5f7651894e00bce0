/// The texts of a session's review: unusual activity and the journal.
extension Phrase.Host {
    package static let journal: [String: Phrase] = [
        "earlier": Phrase("Earlier", "이전 이벤트"),
        "evidenceOnly": Phrase(
            "These are hints to check, not verdicts. They exclude nobody.",
            "참고할 단서이며 판정이 아닙니다. 이 때문에 제외되는 사람은 없습니다."),
        "journal": Phrase("Journal", "변경 기록"),
        "mergedWith": Phrase("with {name}", "{name} 님 기록과"),
        "undoLatest": Phrase("Undo the latest change", "마지막 변경 되돌리기"),
        "lookAgain": Phrase("Check again", "다시 확인"),
        "nothingUnusual": Phrase("Nothing unusual was found.", "이상 징후가 없습니다."),
        "recomputed": .Record.recomputed,
        "unusual": Phrase("Unusual activity", "이상 징후"),
    ]
}
