/// The texts of push messages. They name no person, because a locked screen may show them.
extension Phrase {
    package enum Push {
        package static let matched = Phrase("You have a match. Open the page to see where you meet.")
        package static let declined = Phrase("Your request to meet was declined.")
        package static let sessionStarts = Phrase("Your session starts now.")
        package static let checkInOpens = Phrase("Check-in is open.")
    }
}
