internal import CommandLine
internal import Meetings
internal import Phrases
internal import Wire

/// The words of the API in those of people: `joinCode` is for programs.
enum RecordWords {
    private typealias Words = CommandPhrases.Words

    static func method(_ method: CheckInMethod) -> Phrase {
        switch method {
        case .qr: Words.byQR
        case .joinCode: Words.byJoinCode
        case .host: Words.byHost
        case .cli: Words.byCommandLine
        }
    }

    static func role(_ role: Role) -> Phrase {
        switch role {
        case .owner: Words.owner
        case .host: Words.host
        case .viewer: Words.viewer
        }
    }

    static func event(_ kind: Event.Kind) -> Phrase {
        switch kind {
        case .created: Words.created
        case .checkedIn: Words.checkedIn
        case .corrected: Words.corrected
        case .renamed: Words.renamed
        case .merged: Words.merged
        case .withdrawn: Words.withdrawn
        case .responded: Words.responded
        case .edited: Words.edited
        case .undone: Words.undone
        case .added: Words.added
        case .removed: Words.removed
        case .presenterLinkCreated: Words.presenterLinkCreated
        case .presenterLinkRevoked: Words.presenterLinkRevoked
        }
    }

    /// Who did it; nil for an account that is gone, whose id tells nobody anything.
    static func actor(_ event: EventBody, _ call: Invocation) -> String? {
        if let name = event.actorName { return name }
        return switch Event.Actor(event.actor) {
        case .attendee: call.text(Words.anAttendee)
        case .server: call.text(Words.theServer)
        case .account, nil: nil
        }
    }
}
