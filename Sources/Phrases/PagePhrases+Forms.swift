/// What the pages say of questions beside their own words.
extension Phrase.Page {
    package static let poll = Phrase("Question of the moment", "지금 묻는 질문")
    package static let furtherQuestions = Phrase("A few more questions", "몇 가지 더 여쭙니다")
    package static let otherText = Phrase("What else?", "직접 입력")
    package static let whole = Phrase("A whole number", "정수")
    package static let upToDecimals = Phrase("A number with up to {count} decimals", "소수점 아래 {count}자리까지의 수")
    package static let from = Phrase("from {min}", "{min} 이상")
    package static let upTo = Phrase("up to {max}", "{max} 이하")
    package static let notForYou = Phrase(
        "Thank you. This form is meant for others, so that nothing was stored.",
        "감사합니다. 이 양식의 대상이 아니어서 저장하지 않았습니다.")
    package static let ended = Phrase("That is all", "여기까지입니다")
    package static let nothingStored = Phrase("Your answers were not stored.", "답변은 저장되지 않았습니다.")
    package static let becameNamed = Phrase(
        "This form was anonymous before: your answers would now be stored with your name. Nothing is stored "
            + "yet. Send only if you agree.",
        "전에는 익명이었지만 이제 답변이 이름과 함께 저장됩니다. 아직 저장된 것은 없습니다. 동의할 때만 보내세요.")
    package static let becameAnonymous = Phrase(
        "This form had names before: your answers would now be stored without your name. Nothing is stored "
            + "yet. Send only if you agree.",
        "전에는 실명이었지만 이제 답변이 이름 없이 저장됩니다. 아직 저장된 것은 없습니다. 동의할 때만 보내세요.")
    package static let mendAnswers = Phrase("Some answers need another look.", "다시 확인할 답변이 있습니다.")
}
