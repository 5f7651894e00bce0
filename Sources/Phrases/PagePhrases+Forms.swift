/// The server's own texts around the questions of a set.
extension Phrase.Page {
    package static let poll = Phrase("Live question", "실시간 질문")
    package static let furtherQuestions = Phrase("A few more questions", "추가 질문")
    package static let otherText = Phrase("Your own answer", "직접 입력")
    package static let wholeNumber = Phrase("whole number", "정수")
    package static let decimalNumber = Phrase(
        "number with at most {count} {count|decimal|decimals}", "소수점 아래 {count}자리까지의 수")
    /// `{kind}` is replaced with `wholeNumber` or `decimalNumber`, in this phrase and the following phrases.
    package static let anyNumber = Phrase("Enter a {kind}.", "{kind}을(를) 입력하세요.")
    package static let numberAtLeast = Phrase(
        "Enter a {kind} of at least {min}.", "{min} 이상의 {kind}을(를) 입력하세요.")
    package static let numberAtMost = Phrase(
        "Enter a {kind} of at most {max}.", "{max} 이하의 {kind}을(를) 입력하세요.")
    package static let numberBetween = Phrase(
        "Enter a {kind} from {min} to {max}.", "{min} 이상 {max} 이하의 {kind}을(를) 입력하세요.")
    package static let notForYou = Phrase(
        "Thank you. This form is for other people, so nothing was stored.",
        "감사합니다. 이 양식의 대상이 아니어서 저장하지 않았습니다.")
    package static let ended = Phrase("The form ends here", "양식이 여기에서 끝납니다")
    package static let nothingStored = Phrase("Your answers were not stored.", "답변은 저장되지 않았습니다.")
    package static let becameNamed = Phrase(
        "This form was anonymous before. Your answers would now be stored with your name. Nothing is "
            + "stored yet: send only if you agree.",
        "전에는 익명이었지만 이제 답변이 이름과 함께 저장됩니다. 아직 저장된 것은 없습니다. 동의할 때만 보내세요.")
    package static let becameAnonymous = Phrase(
        "This form had names before. Your answers would now be stored without your name. Nothing is "
            + "stored yet: send only if you agree.",
        "전에는 실명이었지만 이제 답변이 이름 없이 저장됩니다. 아직 저장된 것은 없습니다. 동의할 때만 보내세요.")
    package static let checkAnswers = Phrase("Check the answers that are marked.", "표시된 답변을 확인하세요.")
}
