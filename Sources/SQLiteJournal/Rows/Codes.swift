import Journal
import Meetings

/// An enumeration whose cases are stored as small numbers: the index of the case in `cases`. The lists are
/// part of the file format, so append new cases and never move a case.
protocol Coded: Equatable, Sendable {
    static var cases: [Self] { get }
    var code: Int { get }
}

extension RecordedStatus: Coded {
    static let cases: [RecordedStatus] = [.pending, .present, .late, .absent, .excused]
    var code: Int {
        switch self {
        case .pending: 0
        case .present: 1
        case .late: 2
        case .absent: 3
        case .excused: 4
        }
    }
}

extension CheckInMethod: Coded {
    static let cases: [CheckInMethod] = [.qr, .joinCode, .host, .cli]
    var code: Int {
        switch self {
        case .qr: 0
        case .joinCode: 1
        case .host: 2
        case .cli: 3
        }
    }
}

extension Event.Kind: Coded {
    static let cases: [Event.Kind] = [
        .created, .checkedIn, .corrected, .renamed, .merged, .withdrawn, .responded, .edited, .undone, .added,
        .removed,
        .presenterLinkCreated, .presenterLinkRevoked, .asked, .voted, .voteRemoved, .moderated,
        .questionsMerged, .redone,
    ]
    var code: Int {
        switch self {
        case .created: 0
        case .checkedIn: 1
        case .corrected: 2
        case .renamed: 3
        case .merged: 4
        case .withdrawn: 5
        case .responded: 6
        case .edited: 7
        case .undone: 8
        case .added: 9
        case .removed: 10
        case .presenterLinkCreated: 11
        case .presenterLinkRevoked: 12
        case .asked: 13
        case .voted: 14
        case .voteRemoved: 15
        case .moderated: 16
        case .questionsMerged: 17
        case .redone: 18
        }
    }
}

/// The list begins with the owner, so that owners sort first.
extension Role: Coded {
    static let cases: [Role] = [.owner, .host, .viewer]
    var code: Int {
        switch self {
        case .owner: 0
        case .host: 1
        case .viewer: 2
        }
    }
}

extension Token.End: Coded {
    static let cases: [Token.End] = [.suspended, .withdrawn]
    var code: Int {
        switch self {
        case .suspended: 0
        case .withdrawn: 1
        }
    }
}

extension Token.Kind: Coded {
    static let cases: [Token.Kind] = [.access, .refresh, .named]
    var code: Int {
        switch self {
        case .access: 0
        case .refresh: 1
        case .named: 2
        }
    }
}

extension IdentifyBy: Coded {
    static let cases: [IdentifyBy] = [.email, .number, .name]
    var code: Int {
        switch self {
        case .email: 0
        case .number: 1
        case .name: 2
        }
    }
}

extension Reminders: Coded {
    static let cases: [Reminders] = [.off, .english, .korean]
    var code: Int {
        switch self {
        case .off: 0
        case .english: 1
        case .korean: 2
        }
    }
}

extension Regulars: Coded {
    static let cases: [Regulars] = [.everybody, .kept, .nobody]
    var code: Int {
        switch self {
        case .everybody: 0
        case .kept: 1
        case .nobody: 2
        }
    }
}

extension ImageHeader.Format: Coded {
    static let cases: [ImageHeader.Format] = [.jpeg, .png]
    var code: Int {
        switch self {
        case .jpeg: 0
        case .png: 1
        }
    }
}

extension CodeKind: Coded {
    static let cases: [CodeKind] = [.static, .rotating]
    var code: Int {
        switch self {
        case .static: 0
        case .rotating: 1
        }
    }
}
