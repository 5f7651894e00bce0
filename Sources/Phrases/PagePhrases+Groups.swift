/// The texts of the attendee's page for groups of interest.
extension Phrase.Page {
    package static let groups = Phrase("Groups of interest")
    package static let groupsMean = Phrase("Find somebody in this session with the same interests, and meet.")
    package static let groupsOff = Phrase(
        "The groups of interest are off. This page opens when a host switches them on.")
    package static let nickname = Phrase("Nickname")
    package static let nicknameMeans = Phrase(
        "Only the person whom you meet sees it, and the hosts if somebody reports you. "
            + "It need not be your name.")
    package static let keywords = Phrase("Interests")
    package static let keywordsMean = Phrase(
        "1 to 8 words, separated by commas. Everybody who takes part sees them without your nickname.")
    package static let fromProfile = Phrase(
        "Filled in from the profile of your account. Change what others should not see.")
    package static let ages = Phrase("Only meet people of certain ages (optional)")
    package static let agesMean = Phrase(
        "Only people of these ages find you, and you find only them. The others see neither your age nor "
            + "your age group, but they can work out the age group.")
    package static let ageGroup = Phrase("Your age group")
    package static let noAge = Phrase("not stated")
    package static let ageMin = Phrase("From age")
    package static let ageMax = Phrase("To age")
    package static let ageMissing = Phrase("Choose your age group, or leave both ages empty.")
    package static let groupsHidden = Phrase(
        "Your name is shown to nobody. It is stored with your nickname, so that you can leave at any time.")
    package static let groupsNamed = Phrase(
        "If somebody reports you, the hosts see your name. Other attendees never see it.")
    package static let takePart = Phrase("Take part")
    package static let changeProfile = Phrase("Change nickname or interests")
    package static let leaveGroups = Phrase("Leave the groups")
    package static let leftGroups = Phrase("You left. Nobody sees your interests any more.")
    package static let youAs = Phrase("You take part as {nickname}.")
    package static let interestsHere = Phrase("Interests here")
    package static let peopleCount = Phrase("{count} {count|person takes|people take} part")
    package static let peopleToAsk = Phrase("People you can ask")
    package static let peopleWith = Phrase("People interested in {keyword}")
    package static let allPeople = Phrase("Show everybody")
    package static let nobodyToAsk = Phrase(
        "Nobody else can be asked now. This page shows new people when they take part.")
    package static let inCommon = Phrase("{count} in common")
    package static let askToMeet = Phrase("Ask to meet")
    package static let askSomebody = Phrase("Ask to meet somebody interested in {keywords}")
    package static let somebodyAsks = Phrase("Somebody asks to meet you")
    package static let somebodyAgreed = Phrase("You are meeting somebody")
    package static let interestedIn = Phrase("Interested in {keywords}")
    package static let accept = Phrase("Accept")
    package static let decline = Phrase("Decline")
    package static let youAsked = Phrase("You asked to meet")
    package static let secondsLeft = Phrase("{count} {count|second|seconds} left")
    package static let requestDeclined = Phrase("This person declined. Ask somebody else.")
    package static let requestExpired = Phrase("There was no answer within 30 seconds. You can ask again.")
    package static let withdrawRequest = Phrase("Withdraw the request")
    package static let youMeet = Phrase("You meet {nickname}")
    package static let meetAt = Phrase("Meet here: {place}")
    package static let lineToMatch = Phrase("A line to {nickname}")
    package static let lineMeans = Phrase(
        "Up to 200 characters. Only {nickname} sees it. It is deleted when your meeting ends.")
    package static let sendLine = Phrase("Send")
    package static let lineFrom = Phrase("{nickname} writes: {text}")
    package static let metLeft = Phrase("The person whom you wanted to meet has left. Look for others.")
    package static let lookForOthers = Phrase("Look for others")
    package static let endMeeting = Phrase("We met: look for others")
    package static let reportOrBlock = Phrase("Report or block")
    package static let reportMeans = Phrase(
        "The hosts see the other person's nickname, interests and your text, but not who reported. "
            + "You will not see each other again here.")
    package static let reportText = Phrase("What happened? (optional)")
    package static let sendReport = Phrase("Report and block")
    package static let blockOnly = Phrase("Block without a report")
    package static let reported = Phrase(
        "The hosts got your report. You will not see this person again here.")
    package static let blockedNow = Phrase("You will not see this person again here.")
    package static let unblockAll = Phrase("Unblock {count} {count|person|people}")
    package static let backToGroups = Phrase("Back to the groups")
}
