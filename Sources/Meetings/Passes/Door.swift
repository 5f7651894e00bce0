/// The rules of the doors of a session.
package enum Door {
    /// The numbers by which a host tells the doors apart.
    package static let numbers = 1...99

    /// The time in which an account can undo what it has done at a door. A host can undo it later in the
    /// journal.
    package static let undoWindow = Duration.seconds(600)

    /// The least number of characters of a search for a name. Many Korean names have two.
    package static let fewestSearched = 2
    /// The most people that a search shows.
    package static let mostFound = 6
}

/// What the door says about a person or a scanned text.
package enum DoorVerdict: String, Hashable, Sendable, Codable, CaseIterable {
    /// The person is checked in now.
    case admitted
    /// The person was checked in before, and is inside if the session records leaving.
    case alreadyIn
    /// The person had left, and is inside again.
    case returned
    /// The person has left now.
    case left
    /// The person wants to leave, and has left before.
    case alreadyOut
    /// The person wants to leave, and has not checked in.
    case notIn
    /// The person may come in, for the first time or again. The door was only asked, and has let in nobody.
    case expected
    /// The server issued this pass, and it is not valid any more.
    case revoked
    /// The server issued this pass, but this offline door does not know it: the server issued it after the
    /// door's last contact, or has ended it.
    case unknownHere
    /// The pass is valid, but not in this session: it is for another one, or this session does not expect
    /// the person.
    case notForThisSession
    /// The person is on the waiting list, or the host has not decided about the reply. The door asks the
    /// staff.
    case waiting
    /// The person has replied no, or the host has declined the person. The door asks the staff.
    case declined
    /// With this person and the guests, more people would be inside than the session has seats. The door asks
    /// the staff.
    case full
    /// The text is the code of a session, which attendees scan with their own phones.
    case sessionCode
    /// The text is not a pass of this server, and nobody in this session has it as the number or address.
    case notAPass
}
