/// The texts of questions from the audience.
extension Phrase.Host {
    package static let audience: [String: Phrase] = [
        "askWithNames": Phrase("Ask with names", "이름을 받고 질문받기"),
        "askWithoutNames": Phrase("Ask without names", "이름 없이 질문받기"),
        "checkFirst": Phrase("Check questions first", "먼저 검토하기"),
        "closeQuestions": Phrase("Close questions", "질문 받기 마치기"),
        "namesAreHidden": Phrase(
            "The names of the next questions are shown to nobody.",
            "다음 질문부터 이름이 아무에게도 보이지 않습니다."),
        "namesAreSeen": Phrase(
            "The hosts see the names of the next questions. The hall does not.",
            "다음 질문부터 진행자가 이름을 봅니다. 화면에는 보이지 않습니다."),
        "nobodyAsked": Phrase(
            "Nobody has asked yet. Open the questions, and tell the audience.",
            "아직 질문이 없습니다. 질문 받기를 열고 청중에게 알려 주세요."),
        "noTexts": Phrase("Nobody has written anything yet.", "아직 쓴 글이 없습니다."),
        "openQuestions": Phrase("Open questions", "질문 받기"),
        "pinned": .Page.questionPinned,
        "questionCounts": Phrase(
            "{shown} shown, {pending} pending, {hidden} hidden",
            "공개 {shown}개, 대기 {pending}개, 숨김 {hidden}개"),
        "question_answered": .Page.questionAnswered,
        "question_hidden": Phrase("Hidden", "숨김"),
        "question_hide": Phrase("Hide", "숨기기"),
        "question_pending": .Page.questionWaits,
        "question_pin": Phrase("Pin", "고정"),
        "question_show": Phrase("Show", "공개"),
        "question_unpin": Phrase("Unpin", "고정 해제"),
        "showAtOnce": Phrase("Show questions at once", "바로 공개하기"),
        "tab_audience": Phrase("Audience", "청중 질문"),
        "textCounts": Phrase(
            "{pending} pending, {shown} shown, {hidden} hidden (the newest)",
            "최근 글: 대기 {pending}개, 공개 {shown}개, 숨김 {hidden}개"),
        "textsOfAnswers": Phrase("Written answers", "글로 쓴 답변"),
        "texts_after": Phrase("Hold listed words back", "등록한 단어만 보류하기"),
        "texts_before": Phrase("Check texts first", "글을 먼저 검토하기"),
        "texts_none": Phrase("Show texts at once", "글을 바로 공개하기"),
        "votes": .Page.votes,
    ]
}
