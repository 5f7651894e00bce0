extension Phrase {
    /// The texts of replies to the question who comes to a session: for hosts, on pages and in mails.
    package enum Reply {
        // The statuses, for hosts and at doors.
        package static let invited = Phrase("no reply yet")
        package static let no = Phrase("not coming")
        package static let maybe = Phrase("maybe")
        package static let accepted = Phrase("coming")
        package static let waiting = Phrase("on the waiting list")
        package static let requested = Phrase("waits for the host")
        package static let declined = Phrase("declined by the host")
        /// The statuses by their names in the API.
        package static let statuses = [
            "invited": invited, "no": no, "maybe": maybe, "accepted": accepted, "waiting": waiting,
            "requested": requested, "declined": declined,
        ]
        package static let seats = Phrase("{taken} of {capacity} seats")
        package static let taken = Phrase("{taken} {taken|seat|seats} taken, without a limit")
        package static let withGuests = Phrase("with {count} {count|guest|guests}")
        package static let mailed = Phrase("{count} {count|mail is|mails are} on the way.")
        // The columns of tables.
        package static let reply = Phrase("Reply")
        package static let guests = Phrase("Guests")
        package static let changedAt = Phrase("Changed at")

        // The page.
        package static let question = Phrase("Are you coming?")
        package static let yes = Phrase("Yes, I am coming")
        package static let noAnswer = Phrase("No, I am not coming")
        package static let maybeAnswer = Phrase("Maybe")
        package static let howManyGuests = Phrase("Guests who come with you")
        package static let send = Phrase("Send my reply")
        package static let change = Phrase("Change my reply")
        package static let seatsLeft = Phrase("{count} {count|seat|seats} left.")
        package static let full = Phrase(
            "All seats are taken. If you say yes, you join the waiting list.")
        package static let byApproval = Phrase("The host decides about each yes.")
        package static let whatIsStored = Phrase(
            "The hosts of this meeting see your name and your reply. They are deleted with the names of this "
                + "session.")
        package static let closed = Phrase("This session takes no replies now. Ask the host.")
        package static let youCome = Phrase("You are coming. A seat is yours.")
        package static let youComeWithGuests = Phrase(
            "You are coming with {count} {count|guest|guests}. Your seats are reserved.")
        package static let youWait = Phrase(
            "You are on the waiting list. You get a seat when it is your turn.")
        package static let youAsked = Phrase("The host has your reply, and will decide.")
        package static let youDecline = Phrase("You are not coming.")
        package static let youMayCome = Phrase("You may come. No seat is reserved for you.")
        package static let hostDeclined = Phrase("The host could not accept you for this session.")
        package static let keepLink = Phrase(
            "Keep the address of this page, for example as a bookmark. By it you can change your reply "
                + "later. Do not give it to others.")
        package static let keepLinkMailed = Phrase(
            "A mail with the link is on its way to you, if this server sends mails.")
        package static let confirm = Phrase("Confirm my e-mail address")
        package static let confirmWhy = Phrase(
            "Confirm that this address is yours. Then we can mail you if a seat becomes free.")
        package static let confirmed = Phrase("Your e-mail address is confirmed.")
        package static let linkEnded = Phrase(
            "This link has ended, because your e-mail address is confirmed. Use the link in the mail to you.")
        package static let fewerGuests = Phrase(
            "There are not so many free seats. Your reply has not changed.")

        // The mails.
        package static let invitedSubject = Phrase("Are you coming? {name}, {time}")
        package static let invitedMail = Phrase("The host of {name} asks whether you are coming.")
        package static let receivedSubject = Phrase("Your reply: {name}")
        package static let receivedMail = Phrase(
            "Your reply to {name} has arrived. By this link you see it, and can change it.")
        package static let confirmMail = Phrase(
            "Somebody has replied to {name} with this address. If it was you, open the link and confirm your "
                + "address. Then we can mail you if a seat becomes free.")
        package static let notYou = Phrase(
            "If it was not you, ignore this mail. You get no more mails about it unless you confirm.")
        package static let promotedSubject = Phrase("You have a seat: {name}, {time}")
        package static let promotedMail = Phrase(
            "A seat became free, and it is yours. If you cannot come, change your reply, so that somebody "
                + "else gets it.")
        package static let approvedMail = Phrase("The host of {name} has accepted you. A seat is yours.")
        package static let declinedSubject = Phrase("No seat: {name}, {time}")
        package static let declinedMail = Phrase("The host of {name} could not accept you for this session.")
        package static let open = Phrase("Open my reply")
        package static let whyYou = Phrase("You get this mail because of a reply to {name}.")
    }
}
