/// The texts of exported files and attendance sheets.
extension Phrase {
    package enum Export {
        package static let name = Phrase("Name")
        package static let email = Phrase("E-mail")
        package static let number = Phrase("Number")
        package static let status = Phrase("Status")
        package static let checkedInAt = Phrase("Checked in at")
        package static let method = Phrase("Method")
        package static let answeredAt = Phrase("Answered at")
        /// In the title of a column.
        package static let hiddenTexts = Phrase("{count} hidden {count|text|texts} left out")
        package static let pendingTexts = Phrase("{count} {count|text|texts} waiting for a check left out")
        package static let hour = Phrase("Hour")
        package static let walkIn = Phrase("Walk-in")
        package static let firstTime = Phrase("first time")
        /// The heading of a column.
        package static let firstTimeHeading = Phrase("First time")
        /// The heading of the column with the number of the text that an attendee agreed to.
        package static let consent = Phrase("Number of the consent text")
        package static let unnamed = Phrase("and {count} unnamed")
        package static let note = Phrase("Note")
        package static let yes = Phrase("yes")
        package static let askedAt = Phrase("Asked at")
        package static let question = Phrase("Question")
        package static let votes = Phrase("Votes")
        package static let pinned = Phrase("Pinned")
        package static let answer = Phrase("Answer")
        package static let answerOrFigure = Phrase("Answer or figure")
        package static let value = Phrase("Value")
        package static let rankedPoints = Phrase("{choice}: average points (0 if not ranked)")
        package static let rankedFirst = Phrase("{choice}: ranked first")
        package static let percent = Phrase("Percent")
        package static let choiceValue = Phrase("Choice's value")
        package static let answers = Phrase("Answers")
        package static let average = Phrase("Average")
        package static let deviation = Phrase("Standard deviation")
        package static let median = Phrase("Median")
        package static let mode = Phrase("Most frequent")
        package static let least = Phrase("Lowest")
        package static let most = Phrase("Highest")
        package static let signature = Phrase("Signature")
        package static let sheetTitle = Phrase("Attendance: {name}, session {round}")
        package static let sheetCounts = Phrase(
            "{present} present, {late} late, {absent} absent, {excused} excused, {awaited} awaited")
        package static let sheetMade = Phrase("As of {time} ({zone}).")
    }
}
