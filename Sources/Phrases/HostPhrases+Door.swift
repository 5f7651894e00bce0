/// The texts of the door on phones and tablets.
extension Phrase.Host {
    package static let door = texts.merging(
        Phrase.Record.named("status", Phrase.Record.statuses)
    ) { own, _ in own }.merging(Phrase.Record.named("reply", Phrase.Reply.statuses)) { own, _ in own }

    private static let texts: [String: Phrase] = [
        "title": Phrase("Door", context: "page"),
        "signInFirst": Phrase("Sign in first, in another tab. Then come back here."),
        "signIn": Phrase("Sign in"),
        "again": Phrase("Try again"),
        "noDoor": Phrase(
            "You are not on the door staff of a session in the next 24 hours. Ask an owner of the meeting to "
                + "make you a steward or a host."),
        "chooseDoor": Phrase("Which session?"),
        "door": Phrase("Door {number}"),
        "doorNumber": Phrase("The number of this door"),
        "prompt": Phrase("Scan, or type a name or a number"),
        "found": Phrase("People with this name"),
        "counts": Phrase("Door {here} · all {all} · expected {expected}"),
        "ready": Phrase("Ready", context: "door"),
        "checking": Phrase("Checking"),
        "isIn": Phrase("In", context: "door"),
        "letIn": Phrase("Let in?"),
        "doNotLetIn": Phrase("Do not let in"),
        "alreadyIn": Phrase("Already in"),
        "returned": Phrase("In again"),
        "out": Phrase("Out", context: "door"),
        "alreadyOut": Phrase("Already out"),
        "notIn": Phrase("Not checked in", context: "door"),
        "exit": Phrase("Let people out"),
        "countsInside": Phrase("Door {here} · all {all} · inside {inside} · expected {expected}"),
        "noSeat": Phrase("No seat yet", context: "door"),
        "notComing": Phrase("Not expected", context: "door"),
        "full": Phrase("Full", context: "door"),
        "seats": Phrase.Reply.seats,
        "withGuests": Phrase.Reply.withGuests,
        "notValid": Phrase("Not valid"),
        "notAPass": Phrase("Not a pass"),
        "notChecked": Phrase("Not checked"),
        "undone": Phrase("Undone"),
        "notUndone": Phrase("Not undone"),
        "undo": Phrase("Undo"),
        "note": Phrase("Note: {note}"),
        "since": Phrase("since {time}"),
        "revoked": Phrase("This pass was revoked. Search for the name."),
        "notExpected": Phrase("Not expected in this session, or the pass is for another one."),
        "otherMeeting": Phrase("This pass is for another meeting."),
        "aboutSessionCode": Phrase(
            "This is the session's code. Attendees scan it with their own phones."),
        "noSuchPass": Phrase(
            "No pass, and nobody here has this number or address. Search for the name."),
        "firstTime": Phrase("first time"),
        "walkIn": Phrase("walk-in"),
        "scanAgain": Phrase("Nobody was let in. Scan again."),
        "unknownResult": Phrase(
            "It is not known whether the server has let the person in. Try again."),
        "tryAgain": Phrase("Try again"),
        "waiting": Phrase("{count} waiting"),
        "goOn": Phrase("Go on"),
        "tooMany": Phrase(
            "Too many scans wait for the server. This scan was not taken: scan it again later."),
        "koreanKeyboard": Phrase(
            "The scanner writes Korean letters. Switch the keyboard to English, and scan again."),
        "asWalkIn": Phrase("let in \"{name}\" as a walk-in"),
        "typeMore": Phrase("More people match. Type more letters."),
        "noConnection": Phrase("No connection to the server. Check the network, and try again."),
        "startCamera": Phrase("Scan with the camera"),
        "stopCamera": Phrase("Switch the camera off"),
        "photograph": Phrase("Photograph a pass"),
        "photographAgain": Phrase("The photograph shows no QR code. Take it closer, with more light."),
        "noCode": Phrase("No QR code"),
        "noCamera": Phrase("The camera cannot be used. Allow it for this page, or photograph the pass."),
        "cameraNeedsHTTPS": Phrase(
            "The camera needs an address with https. Photograph the pass, or use a scanner."),
        "askFirst": Phrase("Ask before each admission"),
        "storedHere": Phrase("Stored here", context: "door"),
        "storedAgain": Phrase("In again, stored here", context: "door"),
        "storedOut": Phrase("Out, stored here", context: "door"),
        "unknownHere": Phrase("Not known here", context: "door"),
        "aboutUnknown": Phrase(
            "The pass is genuine, but newer than this laptop's list, or ended. Decide yourself."),
        "allSent": Phrase("Offline door: the server has all entries, seen {time}"),
        "unsent": Phrase(
            "Offline door: the server lacks {count} {count|entry|entries}, last seen {time}"),
        "doorRevoked": Phrase("The host has revoked this offline door. Its entries wait for the host."),
        "doorCopied": Phrase(
            "This folder is a copy: the server takes none of its entries. Add a new offline door."),
        "doubles": Phrase("{count} double {count|entry|entries}"),
        "doorCode": Phrase("The code on the laptop of this door"),
        "openDoor": Phrase("Open the door"),
    ]
}
