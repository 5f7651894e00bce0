/// The texts of mails.
extension Phrase {
    package enum Mail {
        package static let greeting = Phrase("Hello,")
        package static let verificationSubject = Phrase("{code} is your QRing verification code")
        package static let verification = Phrase(
            "Enter this code to confirm that this e-mail address is yours:")
        package static let verificationLink = Phrase("Confirm my e-mail address")
        package static let resetSubject = Phrase("Choose a new QRing password")
        package static let reset = Phrase(
            "Somebody asked to reset the password of your account. To choose a new password, enter this "
                + "code:")
        package static let resetLink = Phrase("Choose a new password")
        /// The whole text message: one message of an SMS has 70 characters if it is Korean.
        package static let phoneCode = Phrase(
            "{code} is your QRing code. It is valid for 10 minutes. Do not give it to anybody.")
        package static let orOpen = Phrase("Or open this link:")
        package static let codeExpires = Phrase("The code and the link can be used once, until {time} (UTC).")
        package static let notYou = Phrase(
            "If you did not ask for this mail, you need to do nothing. Do not give the code to anybody.")
        package static let reminderSubject = Phrase("Reminder: {name}, {time}")
        package static let reminder = Phrase("{name} begins soon.")
        package static let movedSubject = Phrase("{name} has moved to {time}")
        package static let moved = Phrase("{name} takes place at another time.")
        package static let cancelledSubject = Phrase("{name} is cancelled: {time}")
        package static let cancelled = Phrase("{name} does not take place at this time.")
        package static let feedbackSubject = Phrase("{name}: feedback is open")
        package static let feedback = Phrase(
            "You can answer the questions about {name} until {time}. Open the page on the phone that you "
                + "checked in with.")
        package static let feedbackLink = Phrase("Answer the questions")
        package static let elsewhereSubject = Phrase("{name}: you have checked in already")
        package static let elsewhere = Phrase(
            "You checked in at {time}. At {again}, another phone tried to check in with your details.")
        package static let elsewhereMeans = Phrase(
            "Your check-in counts, and nothing has changed. If this was not you, tell the host.")
        package static let invitationSubject = Phrase("Invitation to {name}")
        package static let invitation = Phrase(
            "{inviter} invites you to the meeting {name} as {role}. Sign in or sign up with this e-mail "
                + "address to accept.")
        package static let invitationLink = Phrase("Open the invitation")
        package static let invitationStranger = Phrase(
            "If you do not know this person, ignore this mail. Nothing happens until you accept.")
        package static let hookDisabledSubject = Phrase("{name}: a web hook was disabled")
        package static let hookDisabled = Phrase(
            "The web hook {url} of the meeting {name} gets no more events, because its receiver has not "
                + "taken them. Correct the receiver, then enable the web hook again.")
        package static let hookDisabledLink = Phrase("Open the meeting")
        package static let absencesSubject = Phrase("{name}: absences of {count} {count|person|people}")
        package static let absences = Phrase(
            "In the session of {time}, {count} {count|person|people} reached the number of absences that is "
                + "set for {name}:")
        package static let absent = Phrase("{name}: {row} in a row, {all} in all")
        package static let moreAbsent = Phrase("And {count} more.")
        package static let absencesLink = Phrase("Open the meeting")
        package static let absencesWhy = Phrase(
            "You get this mail because you are an owner or host of {name}. The people named here get no "
                + "mail. You can switch this mail off in the absence rule on the meeting's page, or all "
                + "mails in your account.")
        package static let when = Phrase("When: {time} ({zone})")
        package static let whereItIs = Phrase("Where: {place}")
        package static let whyYou = Phrase("You get this mail because you are on the roster of {name}.")
        package static let whyInvited = Phrase("You get this mail because somebody invited you to a meeting.")
        /// The label of a link, before its URL.
        package static let labelled = Phrase("{label}:")
        package static let unsubscribe = Phrase("Stop these mails")
        package static let unsubscribeAsk = Phrase("Which mails do you no longer want?")
        package static let unsubscribeMeeting = Phrase("Mails about this meeting")
        package static let unsubscribeAll = Phrase("Mails about any meeting on this server")
        /// True also if the roster no longer has the entry with the mail's address. The page says the same in
        /// both cases, so that a stranger who opens a forwarded link learns nothing about the person.
        package static let unsubscribed = Phrase("Mails with this link have ended")
        package static let unsubscribedDetail = Phrase(
            "Nothing else has changed. If you get such a mail again, use the link in that mail.")
        /// The title of a session in calendars.
        package static let calendarTitle = Phrase("{name} (session {round})")
        package static let testSubject = Phrase("Test mail from QRing")
        package static let test = Phrase("This mail shows that the QRing server can send mails.")
        package static let sentBy = Phrase(
            "This mail was sent automatically by the QRing server at {server}.")
    }
}
