/// The texts of the pages for attendees and of the projector.
extension Phrase {
    package enum Page {
        package static let checkIn = Phrase("Check in")
        package static let name = Phrase("Your name")
        package static let email = Phrase("Your e-mail address")
        package static let number = Phrase("Your number")
        package static let sending = Phrase("Sending …")
        package static let notSent = Phrase("Not sent yet. Trying again …")
        package static let whatIsStored = Phrase(
            "Your name, your input and the time are stored for the host of this meeting.")
        package static let youAreIn = Phrase("You are checked in, {name}")
        package static let youAreOut = Phrase("{name}, you are out since {time}")
        package static let iAmLeaving = Phrase("I am leaving")
        package static let iAmBack = Phrase("I am back")
        package static let leaveMeans = Phrase(
            "Press this when you leave the room. The hosts see when you leave and return.")
        package static let returnMeans = Phrase("Press this when you are in the room again.")
        package static let onTime = Phrase("Checked in at {time}, on time")
        package static let late = Phrase("Checked in at {time}, late")
        package static let recorded = Phrase("Your attendance is recorded.")
        package static let emailIsIn = Phrase("This e-mail address has checked in already. Is it yours?")
        package static let numberIsIn = Phrase("This number has checked in already. Is it yours?")
        package static let alreadyInDetail = Phrase(
            "If it is yours and you checked in on another phone, you need to do nothing more.")
        package static let mistyped = Phrase(
            "If you mistyped it, correct it and check in again. If somebody else used yours, ask the host.")
        package static let correctIt = Phrase("No, correct it")
        package static let isItYours = Phrase("Correct this if it is not yours.")
        package static let joinAnother = Phrase("Join another session")
        package static let opensByItself = Phrase(
            "Keep this page on your screen. Check-in starts here automatically.")
        package static let lookAgain = Phrase("Check again")
        package static let opensIn = Phrase("Opens in {time}")
        package static let startsIn = Phrase("Starts in {time}")
        package static let another = Phrase("Check in another person on this phone")
        package static let round = Phrase("Session {round}")
        package static let feedback = Phrase("Feedback")
        package static let feedbackOpens = Phrase("Feedback opens here at {time}.")
        package static let anonymous = Phrase(
            "Anonymous: your answers are stored without your name. Only the hour is stored, not "
                + "the exact time.")
        package static let named = Phrase("With names: the host sees who gave each answer.")
        package static let namesHidden = Phrase(
            "Name hidden: your answers count once, and nobody sees your name with them. The server stores "
                + "the link.")
        // The promises in one line, before "more".
        package static let anonymousShort = Phrase("Anonymous")
        package static let nameHiddenShort = Phrase("Name hidden")
        package static let namedShort = Phrase("With names")
        package static let more = Phrase("more")
        package static let answersCanChange = Phrase("You can change your answers while this is open.")
        package static let changeAnswers = Phrase("Change my answer")
        package static let sendChange = Phrase("Send the new answer")
        package static let send = Phrase("Send")
        package static let required = Phrase("required")
        package static let stars = Phrase("{count} of {scale}")
        package static let thanks = Phrase("Thank you")
        package static let thanksDetail = Phrase("Your answers were received.")
        package static let forHosts = Phrase("For hosts")
        package static let join = Phrase("Join a session")
        package static let joinCode = Phrase("Join code")
        package static let backTo = Phrase("Back to {meeting}")
        package static let joinHint = Phrase("The six characters under the QR code.")
        package static let scanScreen = Phrase("Scan the code on the screen")
        package static let codeOnScreen = Phrase(
            "The code of this session keeps changing, so the poster cannot check you in. Scan the code on "
                + "the screen, or enter it below.")
        package static let proceed = Phrase("Continue")
        package static let checkInOpensAt = Phrase("Check-in opens at {time}.")
        package static let checkInClosedAt = Phrase("Check-in closed at {time}. Ask the host to add you.")
        package static let tryAgain = Phrase("Scan or enter the code again")
        package static let characters = Phrase("At most {count} characters")
        package static let scan = Phrase("Scan to check in")
        package static let orType = Phrase("or enter the code at {address}")
        package static let checkedIn = Phrase("checked in", context: "below a number")
        package static let preview = Phrase("Preview")
        package static let previewAbout = Phrase(
            "Attendees see these questions. Nothing that you enter here is sent.")
        package static let insideNow = Phrase("{count} inside now")
        package static let ofPlanned = Phrase("{count} planned")
        package static let live = Phrase("live")
        package static let reconnecting = Phrase("reconnecting …")
        package static let linkOver = Phrase("This link no longer works. Ask the host for a new one.")
        package static let linkNeeded = Phrase(
            "Sign in as a host in this browser, or open the link that a host made for this screen.")
        package static let skip = Phrase("Skip to the content")
        package static let storageFull = Phrase(
            "The server's disk is full. Nothing can be saved until its operator frees space, but you can "
                + "read everything that was saved.")
        package static let needsScript = Phrase(
            "The host's page needs JavaScript. Without it, use the command line: qring help.")
        package static let chooseUpTo = Phrase("Choose {min} to {max}")
    }
}
