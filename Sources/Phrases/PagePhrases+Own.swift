/// The texts of an attendee's own page, of the results and of the projector.
extension Phrase.Page {
    package static let language = Phrase("Language")
    package static let whoAnswers = Phrase("Who is answering?")
    package static let answeringAs = Phrase("Answering: {name}. Also on this phone:")
    package static let showToStaff = Phrase("Show this screen to staff if they ask.")
    package static let addToCalendar = Phrase("Add to calendar")
    package static let meeting = Phrase("Meeting")
    package static let when = Phrase("When")
    package static let venue = Phrase("Where")
    package static let zone = Phrase("Time zone: {offset} ({name})")
    package static let about = Phrase("About this meeting")
    package static let myAttendance = Phrase("My attendance")
    package static let correctDetails = Phrase("Correct your details")
    package static let detailsSaved = Phrase("Your details were saved.")
    package static let addressTaken = Phrase(
        "This is in use in this session already. Is it yours? If you mistyped it, correct it. If you "
            + "checked in twice, ask the host to merge the two check-ins.")
    package static let save = Phrase("Save")
    package static let withdraw = Phrase("Withdraw the check-in")
    package static let withdrawMeans = Phrase(
        "Your name, your input and the answers under your name are deleted. Anonymous answers stay, "
            + "because they are not linked to you.")
    package static let sure = Phrase("Yes, delete my record")
    package static let beSure = Phrase("Tick the box first, so that nothing is deleted by mistake.")
    package static let withdrawNow = Phrase("Withdraw and delete")
    package static let withdrawn = Phrase("Your check-in was withdrawn")
    package static let withdrawnDetail = Phrase("Your record was deleted from this session.")

    package static let enterName = Phrase("Enter your name.")
    package static let enterEmail = Phrase("Enter your e-mail address.")
    package static let enterNumber = Phrase("Enter your number.")
    package static let consent = Phrase("Consent")
    package static let tickBox = Phrase(
        "Tick the box to check in. If you do not agree, ask the host for another way to take part.")
    package static let enterAnswer = Phrase("Enter an answer.")
    package static let chooseAnswer = Phrase("Choose an answer.")
    package static let otherLeft = Phrase(
        "You typed your own answer but did not choose the choice above it. Choose it, or delete "
            + "the text.")
    package static let clear = Phrase("Clear my answer")
    package static let noAnswer = Phrase("No answer")
    package static let choseTooFew = Phrase("You chose {count}. Choose at least {min}.")
    package static let choseTooMany = Phrase("You chose {count}. Choose at most {max}.")
    package static let emailWrong = Phrase("Enter an e-mail address such as kim@example.org.")
    package static let tooLong = Phrase("Too long by {over} {over|character|characters}.")
    package static let counter = Phrase("{count} of {most} characters")
    package static let buttonWaits = Phrase("Still needed: {field}")
    package static let remember = Phrase("Remember me on this device")
    package static let oneByOne = Phrase("One question at a time")
    package static let allAtOnce = Phrase("All questions on one page")
    package static let progress = Phrase("Question {number} of {count}")
    package static let next = Phrase("Next")
    package static let back = Phrase("Back")
    package static let draftStored = Phrase("Stored on this device until you send it.")
    package static let opened = Phrase("New question: {title}")
    package static let showNow = Phrase("Show the new question: {title}")
    package static let setClosed = Phrase("Closed: {title}")
    package static let textKept = Phrase(
        "Your answer was not sent. Copy what you entered, or discard it.")
    package static let notAnswered = Phrase("You did not answer.")
    package static let youAnswered = Phrase("You answered.")
    package static let yourAnswerIs = Phrase("Your answer: {answer}")
    package static let earlier = Phrase("Earlier")
    package static let yourText = Phrase("What you entered")
    package static let copy = Phrase("Copy")
    package static let copied = Phrase("Copied")
    package static let selected = Phrase("Selected: copy it now")
    package static let putAside = Phrase("Discard")
    package static let yourAnswer = Phrase("Your answer")
    package static let sessionGone = Phrase(
        "The host has deleted this session. Your attendance record was deleted too.")
    package static let answersAreInDetail = Phrase(
        "Only your first answers count. What you entered now was not added.")
    package static let parts = Phrase("Parts of this meeting")
    package static let partNow = Phrase("Now")
    package static let partQuestions = Phrase("Questions")
    package static let partGroups = Phrase("Groups")
    package static let partMe = Phrase("Me")
    /// A mark for screen readers, behind the name of a part in which something is new.
    package static let isNew = Phrase("(new)")
    package static let questionsOpen = Phrase("You can ask the host questions now.")
    package static let nothingOpen = Phrase("Nothing to answer right now")
    package static let nothingOpenDetail = Phrase(
        "Keep this page open. New questions appear here automatically.")
    package static let sessionOver = Phrase(
        "The session has ended. Your answers stay here, and “My attendance” shows your check-in.")
    package static let feedbackClosed = Phrase(
        "Feedback ended at {time}. If you still want to say something, contact the host.")
    package static let backToMine = Phrase("Back to my page")

    package static let storedAnonymously = Phrase(
        "Your answers are stored without your name and exact time. Nobody can tell that they "
            + "are yours, so you cannot withdraw them.")
    package static let storedHidden = Phrase(
        "Your answers count, and nobody sees your name with them. If you withdraw, they stay without any "
            + "link to you.")
    package static let storedWithName = Phrase(
        "Your answers are stored with your name, and the host can read them. They are deleted if you "
            + "withdraw.")
    package static let resultsAreShared = Phrase("Live results of “{title}” are below.")
    package static let resultsNotShared = Phrase(
        "If the host shares the results of “{title}”, they appear here.")
    package static let results = Phrase("Results")
    package static let equalTexts = Phrase("Given more than once")
    package static let equalTextsAmong = Phrase("Given more than once, among {count} answers")
    package static let moreEqualTexts = Phrase("and {count} more {count|text|texts} given more than once")
    package static let repeatedText = Phrase("{text} ({count} times)")
    package static let answersCount = Phrase("{count} {count|answer|answers}")
    package static let average = Phrase("average {value}")
    /// What the points of a ranking mean.
    package static let rankedPoints = Phrase(
        "average points: {most} for first place, one less for each place below, 0 if not ranked")
    package static let median = Phrase("median {value}")
    package static let deviation = Phrase("standard deviation {value}")
    package static let mode = Phrase("most frequent {value}")
    package static let tooFew = Phrase("Shown from {minimum} answers on, to protect anonymity.")
    package static let range = Phrase("{min} to {max}")
    package static let pending = Phrase(
        "{count} more {count|answer is|answers are} held back to protect anonymity.")
    package static let noQuestions = Phrase("This session has no questions yet.")
    package static let noResults = Phrase(
        "No results are shared yet. A host shares them on the page of the session, under Results.")
    package static let shareHere = Phrase("Press S to share the results of “{title}”.")
    package static let answersSoFar = Phrase("{count} {count|answer|answers} so far")
    package static let noNames = Phrase("Only members who are signed in see names.")
    package static let arrivedNow = Phrase("Just arrived")
    package static let screen = Phrase("Show on the screen")
    package static let showCode = Phrase("Code")
    package static let previousQuestion = Phrase("Previous question")
    package static let nextQuestion = Phrase("Next question")
    package static let showNames = Phrase("Names")
    package static let questionOf = Phrase("{number} of {count}")
    package static let showThanks = Phrase("Thanks")
    package static let shareResults = Phrase("Share")
    package static let black = Phrase("Black")
    package static let dark = Phrase("Dark")
    package static let fullScreen = Phrase("Full screen")
    package static let answerNow = Phrase("Answer now on your phone.")
    package static let sendWords = Phrase("Send at most {count} {count|word|words}.")
    /// This label and the following two stand below their number.
    package static let peopleCheckedIn = Phrase("{count|person|people} checked in")
    package static let questionsAsked = Phrase("{count|question|questions}")
    package static let responsesCount = Phrase("{count|response|responses}")
    package static let feedbackUntil = Phrase("Please give feedback on your phone until {time}.")
    package static let untilStart = Phrase("Starts in {time}", context: "projector")
    package static let durationDays = Phrase("{days} {days|day|days} {hours} h")
    package static let durationHours = Phrase("{hours}:{minutes}:{seconds}")
    package static let durationMinutes = Phrase("{minutes}:{seconds}")
}
