/// The texts of the attendee's page for questions from the audience.
extension Phrase.Page {
    package static let audienceQuestions = Phrase("Questions for the host")
    package static let yourQuestion = Phrase("Your question")
    package static let askNow = Phrase("Ask")
    package static let questionHidden = Phrase(
        "Nobody sees your name. It is stored with the question only so that the question is "
            + "deleted if you withdraw your check-in.")
    package static let questionNamed = Phrase(
        "The hosts see your name with the question. It is not shown on the hall's screen or to other "
            + "attendees.")
    package static let questionSent = Phrase("Your question was sent.")
    package static let questionPending = Phrase(
        "Your question was sent. A host checks it before it is shown.")
    package static let questionsClosed = Phrase(
        "Questions are closed at the moment. You can still read the questions that were asked.")
    package static let noQuestionsYet = Phrase("Nobody has asked yet. Be the first.")
    package static let vote = Phrase("Vote")
    package static let removeVote = Phrase("Remove my vote")
    package static let votes = Phrase("{count} {count|vote|votes}")
    package static let newQuestions = Phrase("Show {count} new {count|question|questions}")
    package static let questionOrder = Phrase("Order of the questions")
    package static let byVotes = Phrase("Most votes")
    package static let byTime = Phrase("Newest")
    package static let questionWaits = Phrase("Waiting for a host to check it")
    package static let questionAnswered = Phrase("Answered")
    package static let questionPinned = Phrase("Pinned")

    // On the hall's screen.
    package static let showAudience = Phrase("Audience")
    package static let audienceInHall = Phrase("Questions from the audience")
    package static let audienceShown = Phrase("{count} {count|question|questions}")
    package static let audienceNone = Phrase("No questions yet")
    package static let audienceOpen = Phrase("Ask and vote on your phone.")
    package static let audienceClosed = Phrase("The host takes no questions now.")
    /// Stands below the number.
    package static let votesBelow = Phrase("{count|vote|votes}")
}
