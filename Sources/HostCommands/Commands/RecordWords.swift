internal import CommandLine
internal import Meetings
internal import Phrases
internal import Wire

/// Converts values of the API into words for people. For example, `joinCode` becomes "join code".
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

    /// Returns the name of the person or program that caused the event; nil if the account was deleted,
    /// because its id means nothing to a reader.
    static func actor(_ event: EventBody, _ call: Invocation) -> String? {
        if let name = event.actorName { return name }
        return switch Event.Actor(event.actor) {
        case .attendee: call.text(Words.anAttendee)
        case .server: call.text(Words.theServer)
        case .account, nil: nil
        }
    }
}

extension CommandPhrases {
    /// The words that tables show for values of the API.
    enum Words {
        static let byQR = Phrase("QR code", "QR 코드")
        static let byJoinCode = Phrase("join code", "참여 코드")
        static let byHost = Phrase("host", "진행자")
        static let byCommandLine = Phrase("command line", "명령줄")
        static let owner = Phrase("owner", "소유자")
        static let host = Phrase("host", "진행자")
        static let viewer = Phrase("viewer", "열람자")
        static let created = Phrase("created", "생성")
        static let checkedIn = Phrase("checked in", "체크인")
        static let corrected = Phrase("corrected", "수정")
        static let renamed = Phrase("renamed", "이름 변경")
        static let merged = Phrase("merged", "합침")
        static let withdrawn = Phrase("withdrawn", "체크인 취소")
        static let responded = Phrase("responded", "응답")
        static let edited = Phrase("edited", "설정 변경")
        static let undone = Phrase("undone", "되돌림")
        static let added = Phrase("added", "추가")
        static let removed = Phrase("removed", "삭제")
        static let presenterLinkCreated = Phrase("presenter link created", "발표 화면 링크 생성")
        static let presenterLinkRevoked = Phrase("presenter link revoked", "발표 화면 링크 회수")
        static let anAttendee = Phrase("attendee", "참석자")
        static let theServer = Phrase("server", "서버")
    }
}
