/// The texts of questions from the audience.
extension Phrase.Host {
    package static let audience: [String: Phrase] = [
        "askWithNames": Phrase("Show names to hosts", "진행자에게 이름 보이기"),
        "askWithoutNames": Phrase("Hide names from everybody", "이름 숨기기"),
        "checkFirst": Phrase("Check questions first", "먼저 검토하기"),
        "closeQuestions": Phrase("Stop accepting questions", "청중 질문 그만 받기"),
        "namesAreHidden": Phrase(
            "From now on, nobody sees who asks. Earlier questions keep their setting.",
            "지금부터 올라오는 질문은 작성자 이름이 누구에게도 보이지 않습니다."),
        "namesAreSeen": Phrase(
            "From now on, hosts see who asks. Other attendees and the big screen do not.",
            "지금부터 올라오는 질문은 진행자만 작성자 이름을 볼 수 있습니다."),
        "nobodyAsked": Phrase("No questions yet.", "아직 질문이 없습니다."),
        "openQuestions": Phrase("Accept audience questions", "청중 질문 받기"),
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
        "tab_audience": Phrase("Audience questions", "청중 질문"),
        "votes": .Page.votes,
    ]
}
