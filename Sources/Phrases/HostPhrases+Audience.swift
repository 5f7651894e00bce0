/// The texts of questions from the audience.
extension Phrase.Host {
    package static let audience: [String: Phrase] = [
        "answerHint": Phrase(
            "Everybody sees it below the question. Delete the text to remove it.",
            "질문 아래에 모두에게 보입니다. 글을 지우면 답변이 삭제됩니다."),
        "askWithNames": Phrase("Show names to hosts", "진행자에게 이름 보이기"),
        "askWithoutNames": Phrase("Hide names from everybody", "이름 숨기기"),
        "checkFirst": Phrase("Check questions first", "먼저 검토하기"),
        "closeQuestions": Phrase("Stop accepting questions", "청중 질문 그만 받기"),
        "exportJSON": Phrase("Export JSON", "JSON 내보내기"),
        "heldWords": Phrase("Words that hold texts back", "보류할 단어"),
        "heldWordsHint": Phrase(
            "One word in each line, at most {count}. A question or an answer with one of them waits until a "
                + "host shows it.",
            "한 줄에 한 단어씩, 최대 {count}개까지 입력하세요. 이 단어가 있는 질문과 답변은 진행자가 공개할 때까지 보류됩니다."),
        "namesAreHidden": Phrase(
            "From now on, nobody sees who asks. Earlier questions keep their setting.",
            "지금부터 올라오는 질문은 작성자 이름이 누구에게도 보이지 않습니다."),
        "namesAreSeen": Phrase(
            "From now on, hosts see who asks. Other attendees and the big screen do not.",
            "지금부터 올라오는 질문은 진행자만 작성자 이름을 볼 수 있습니다."),
        "nobodyAsked": Phrase(
            "No questions yet. Attendees ask on their phones.",
            "아직 질문이 없습니다. 참석자는 휴대전화로 질문할 수 있습니다."),
        "nobodyMayAsk": Phrase(
            "Attendees cannot ask yet. Choose “Accept audience questions” above.",
            "아직 질문을 받지 않습니다. 위의 ‘청중 질문 받기’를 선택하세요."),
        "noTexts": Phrase("Nobody has written anything yet.", "아직 쓴 글이 없습니다."),
        "openQuestions": Phrase("Accept audience questions", "청중 질문 받기"),
        "pinned": .Page.questionPinned,
        "questionCounts": Phrase(
            "{shown} shown, {pending} pending, {hidden} hidden",
            "공개 {shown}개, 대기 {pending}개, 숨김 {hidden}개"),
        "questionGone": Phrase("This question was deleted.", "삭제된 질문입니다."),
        "question_answer": Phrase("Answer in writing", "글로 답변"),
        "question_answered": .Page.questionAnswered,
        "question_hidden": Phrase("Hidden", "숨김"),
        "question_hide": Phrase("Hide", "숨기기"),
        "question_merge": Phrase("Merge", "합치기"),
        "question_mergeHint": Phrase(
            "It gets the votes of both questions. Nobody counts twice. “Review” can undo it.",
            "두 질문의 추천이 합쳐지고, 한 사람은 한 번만 셉니다. ‘검토’에서 되돌릴 수 있습니다."),
        "question_mergeInto": Phrase("The question that stays", "남길 질문"),
        "question_pending": .Page.questionWaits,
        "question_pin": Phrase("Pin", "고정"),
        "question_show": Phrase("Show", "공개"),
        "question_unpin": Phrase("Unpin", "고정 해제"),
        "showAtOnce": Phrase("Show questions at once", "바로 공개하기"),
        "tab_audience": Phrase("Audience questions", "청중 질문"),
        "textCounts": Phrase(
            "{pending} pending, {shown} shown, {hidden} hidden (the newest)",
            "최근 글: 대기 {pending}개, 공개 {shown}개, 숨김 {hidden}개"),
        "textsOfAnswers": Phrase("Written answers", "글로 쓴 답변"),
        "texts_after": Phrase("Hold listed words back", "등록한 단어만 보류하기"),
        "texts_before": Phrase("Check texts first", "글을 먼저 검토하기"),
        "texts_none": Phrase("Show texts at once", "글을 바로 공개하기"),
        "votes": .Page.votes,
        "wordPeople": Phrase("{count} {count|person|people}", "{count}명"),
    ]
}
