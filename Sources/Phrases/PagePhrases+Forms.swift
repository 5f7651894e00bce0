/// The server's own texts around the questions of a set.
extension Phrase.Page {
    package static let poll = Phrase("Live question")
    /// The name of a poll that has no title and no question.
    package static let pollNumber = Phrase("Poll {number}")
    package static let furtherQuestions = Phrase("A few more questions")
    package static let yes = Phrase("Yes")
    package static let no = Phrase("No")
    package static let word = Phrase("word {number} of {count}")
    package static let rankByTouch = Phrase(
        "Tap the choices in your order, the best first, at most {count}. To change the order, drag a number "
            + "or use the arrows.")
    package static let rankByNumbers = Phrase(
        "Give your best choice the number 1, the next one 2, and so on. Rank at most {count}.")
    /// The labels of the buttons of a ranked choice.
    package static let rankUp = Phrase("Move “{choice}” up")
    package static let rankDown = Phrase("Move “{choice}” down")
    package static let rankOut = Phrase("Remove “{choice}” from the ranking")
    package static let rankedAt = Phrase("“{choice}”: place {place}")
    package static let rankedNowhere = Phrase("“{choice}” is not ranked.")
    package static let rankedAll = Phrase("You have ranked {count}. Remove one first.")
    package static let wordsHint = Phrase("At most {count} {count|word|words}, 30 characters each.")
    package static let otherText = Phrase("Your own answer")
    package static let wholeNumber = Phrase("whole number")
    package static let decimalNumber = Phrase("number with at most {count} {count|decimal|decimals}")
    package static let formWithoutName = Phrase(
        "This form asks for no sign-in. Your answers are stored without a link to you, unless you write who "
            + "you are.")
    package static let formOncePerDevice = Phrase(
        "It takes one answer from each device. A cookie in your browser remembers that you have answered, "
            + "and not what.")
    package static let formAnsweredOnDevice = Phrase(
        "This device has sent its answers. The form takes one answer from each device.")
    /// What the requirement of one answer per device cannot prevent.
    package static let oncePerDeviceLimits = Phrase(
        "A device is a browser that keeps a cookie. A private window, deleted cookies or another device "
            + "allow another answer, and people who share a device can answer only once.")
    /// The rule for the names of published forms (`PublishedForm.isName`).
    package static let formNameRule = Phrase("Use 1 to 40 characters of A–Z, a–z, 0–9, - and _.")
    /// The rule for the names of question sets (`QuestionSet.isName`).
    package static let setNameRule = Phrase("Use 1 to 40 characters of a–z, 0–9 and -.")
    package static let formOpensAt = Phrase("The form opens at {time}.")
    /// `{kind}` is replaced with `wholeNumber` or `decimalNumber`, in this phrase and the following phrases.
    package static let anyNumber = Phrase("Enter a {kind}.")
    package static let numberAtLeast = Phrase("Enter a {kind} of at least {min}.")
    package static let numberAtMost = Phrase("Enter a {kind} of at most {max}.")
    package static let numberBetween = Phrase("Enter a {kind} from {min} to {max}.")
    package static let notForYou = Phrase("Thank you. This form is for other people, so nothing was stored.")
    package static let ended = Phrase("The form ends here")
    package static let nothingStored = Phrase("Your answers were not stored.")
    package static let becameNamed = Phrase(
        "The promise of this form has changed. Your answers would now be stored with your name, and the "
            + "host would see them. Nothing is stored yet: send only if you agree.")
    package static let becameHidden = Phrase(
        "The promise of this form has changed. Your answers would now be stored with a link to you, and "
            + "shown without your name. Nothing is stored yet: send only if you agree.")
    package static let becameAnonymous = Phrase(
        "The promise of this form has changed. Your answers would now be stored without your name. "
            + "Nothing is stored yet: send only if you agree.")
    package static let oneFormAtATime = Phrase(
        "Send one form at a time. What you typed in another form on this page is lost.")
    /// `now` is the name of the first part of the bar.
    package static let newsByTap = Phrase(
        "To see newer questions and results, send this form or tap “{now}”.")
    package static let checkAnswers = Phrase("Check the answers that are marked.")
}
