/// The server's own texts around the questions of a set.
extension Phrase.Page {
    package static let poll = Phrase("Live question", "실시간 질문")
    /// The name of a poll that has no title and no question.
    package static let pollNumber = Phrase("Poll {number}", "투표 {number}")
    package static let furtherQuestions = Phrase("A few more questions", "추가 질문")
    package static let yes = Phrase("Yes", "예")
    package static let no = Phrase("No", "아니요")
    package static let word = Phrase("word {number} of {count}", "단어 {count}개 중 {number}번째")
    package static let wordsHint = Phrase(
        "At most {count} {count|word|words}, 30 characters each.", "단어 {count}개까지, 각각 30자 이내로 입력하세요.")
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
        "The promise of this form has changed. Your answers would now be stored with your name, and the "
            + "host would see them. Nothing is stored yet: send only if you agree.",
        "이 양식의 안내가 바뀌었습니다. 이제 답변이 이름과 함께 저장되고 진행자가 볼 수 있습니다. 아직 저장된 것은 없습니다. 동의할 때만 보내세요.")
    package static let becameHidden = Phrase(
        "The promise of this form has changed. Your answers would now be stored with a link to you, and "
            + "shown without your name. Nothing is stored yet: send only if you agree.",
        "이 양식의 안내가 바뀌었습니다. 이제 답변은 본인과 연결되어 저장되고 이름 없이 표시됩니다. 아직 저장된 것은 없습니다. 동의할 때만 보내세요.")
    package static let becameAnonymous = Phrase(
        "The promise of this form has changed. Your answers would now be stored without your name. "
            + "Nothing is stored yet: send only if you agree.",
        "이 양식의 안내가 바뀌었습니다. 이제 답변이 이름 없이 저장됩니다. 아직 저장된 것은 없습니다. 동의할 때만 보내세요.")
    package static let checkAnswers = Phrase("Check the answers that are marked.", "표시된 답변을 확인하세요.")
}
