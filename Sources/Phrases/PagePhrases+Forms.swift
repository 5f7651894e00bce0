/// The server's own texts around the questions of a set.
extension Phrase.Page {
    package static let poll = Phrase("Live question", "실시간 질문")
    /// The name of a poll that has no title and no question.
    package static let pollNumber = Phrase("Poll {number}", "설문 {number}")
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
    package static let formWithoutName = Phrase(
        "This form asks for no sign-in. Your answers are stored without a link to you, unless you write who "
            + "you are.",
        "로그인이 필요 없는 양식입니다. 답변에 직접 적지 않는 한 누가 답했는지 저장되지 않습니다.")
    package static let formOncePerDevice = Phrase(
        "It takes one answer from each device. A cookie in your browser remembers that you have answered, "
            + "and not what.",
        "기기마다 한 번만 답할 수 있습니다. 답변했다는 사실만 브라우저 쿠키로 확인하며, 답변 내용과는 연결하지 않습니다.")
    package static let formAnsweredOnDevice = Phrase(
        "This device has sent its answers. The form takes one answer from each device.",
        "이 기기에서 이미 답변을 보냈습니다. 이 양식은 기기마다 한 번만 답할 수 있습니다.")
    /// What the requirement of one answer per device cannot prevent.
    package static let oncePerDeviceLimits = Phrase(
        "A device is a browser that keeps a cookie. A private window, deleted cookies or another device "
            + "allow another answer, and people who share a device can answer only once.",
        "기기는 쿠키를 저장한 브라우저로 구분합니다. 시크릿 창이나 다른 기기를 쓰거나 쿠키를 지우면 다시 답할 수 있고, 기기를 함께 쓰는 사람들은 한 "
            + "번만 답할 수 있습니다.")
    /// The rule for the names of published forms (`PublishedForm.isName`).
    package static let formNameRule = Phrase(
        "Use 1 to 40 characters of A–Z, a–z, 0–9, - and _.",
        "A–Z, a–z, 0–9, -, _만 사용해 1~40자로 입력하세요.")
    /// The rule for the names of question sets (`QuestionSet.isName`).
    package static let setNameRule = Phrase(
        "Use 1 to 40 characters of a–z, 0–9 and -.", "a–z, 0–9, -만 사용해 1~40자로 입력하세요.")
    package static let formOpensAt = Phrase("The form opens at {time}.", "양식은 {time}에 열립니다.")
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
    package static let oneFormAtATime = Phrase(
        "Send one form at a time. What you typed in another form on this page is lost.",
        "양식은 하나씩 보내세요. 이 페이지의 다른 양식에 입력한 내용은 사라집니다.")
    package static let checkAnswers = Phrase("Check the answers that are marked.", "표시된 답변을 확인하세요.")
}
