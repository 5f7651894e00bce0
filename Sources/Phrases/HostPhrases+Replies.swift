/// The texts of replies (RSVP) on the host's page.
extension Phrase.Host {
    package static let replies: [String: Phrase] = [
        "tab_replies": Phrase("RSVP"),
        "repliesAbout": Phrase(
            "Ask people whether they come. If all seats are taken, a yes goes on the waiting list, and a "
                + "free seat goes to the person who waits longest."),
        "repliesMode": Phrase("Replies"),
        "replies_off": Phrase("Off: nobody can reply"),
        "replies_open": Phrase("Open: a yes takes a seat at once"),
        "replies_approval": Phrase("By approval: a host decides about each yes"),
        "repliesSeats": Phrase("Seats"),
        "repliesSeatsHint": Phrase("Leave it empty for no limit."),
        "repliesGuests": Phrase("Guests whom a person may bring"),
        "repliesLink": Phrase("QR code of the page for replies"),
        "repliesCopy": Phrase("Copy the link"),
        "repliesMail": Phrase("Mail the roster"),
        "repliesMailAsk": Phrase(
            "Everybody on the roster with an address gets a mail with an own link, once. People who have "
                + "replied get none."),
        "repliesMailed": Phrase.Reply.mailed,
        "repliesLimit": Phrase("A limit of a day was reached. Repeat it tomorrow."),
        "repliesShow": Phrase("Replies to show"),
        "repliesTaken": Phrase.Reply.taken,
        "repliesNone": Phrase("Nobody."),
        "repliesExport": Phrase("Export all replies (CSV)"),
        "repliesApprove": Phrase("Accept"),
        "repliesDecline": Phrase("Decline"),
        "repliesRemove": Phrase("Delete the reply"),
        "repliesRemoveOf": Phrase("Delete the reply of {name}?"),
        "repliesRemoveAsk": Phrase(
            "The person's link ends, and a seat becomes free. The person can reply again."),
        "repliesFull": Phrase("No seat is free"),
        "repliesFullAsk": Phrase("{name} is on the waiting list. Give a seat anyway, beyond the limit?"),
        "repliesBeyond": Phrase("Give a seat anyway"),
        "seats": Phrase.Reply.seats,
        "withGuests": Phrase.Reply.withGuests,
    ].merging(Phrase.Record.named("reply", Phrase.Reply.statuses)) { own, _ in own }
}
