import Journal
package import Meetings

/// An enumeration whose cases are stored as small numbers: the index of the case in `cases`. The lists are
/// part of the file format, so append new cases and never move a case.
package protocol Coded: Equatable, Sendable {
    static var cases: [Self] { get }
    var code: Int { get }
}

extension RecordedStatus: Coded {
    package static let cases: [RecordedStatus] = [.pending, .present, .late, .absent, .excused]
    package var code: Int {
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
    package static let cases: [CheckInMethod] = [.qr, .joinCode, .host, .cli, .pass, .door, .offlineDoor]
    package var code: Int {
        switch self {
        case .qr: 0
        case .joinCode: 1
        case .host: 2
        case .cli: 3
        case .pass: 4
        case .door: 5
        case .offlineDoor: 6
        }
    }
}

extension Event.Kind: Coded {
    package static let cases: [Event.Kind] = [
        .created, .checkedIn, .corrected, .renamed, .merged, .withdrawn, .responded, .edited, .undone, .added,
        .removed,
        .presenterLinkCreated, .presenterLinkRevoked, .asked, .voted, .voteRemoved, .moderated,
        .questionsMerged, .redone, .left, .returned,
    ]
    package var code: Int {
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
        case .left: 19
        case .returned: 20
        }
    }
}

/// The list begins with the owner, so that owners sort first.
extension Role: Coded {
    package static let cases: [Role] = [.owner, .host, .viewer, .steward]
    package var code: Int {
        switch self {
        case .owner: 0
        case .host: 1
        case .viewer: 2
        case .steward: 3
        }
    }
}

extension Token.End: Coded {
    package static let cases: [Token.End] = [.suspended, .withdrawn]
    package var code: Int {
        switch self {
        case .suspended: 0
        case .withdrawn: 1
        }
    }
}

extension Token.Kind: Coded {
    package static let cases: [Token.Kind] = [.access, .refresh, .named]
    package var code: Int {
        switch self {
        case .access: 0
        case .refresh: 1
        case .named: 2
        }
    }
}

extension IdentifyBy: Coded {
    package static let cases: [IdentifyBy] = [.email, .number, .name]
    package var code: Int {
        switch self {
        case .email: 0
        case .number: 1
        case .name: 2
        }
    }
}

extension Reminders: Coded {
    package static let cases: [Reminders] = [.off, .english, .korean, .on]
    package var code: Int {
        switch self {
        case .off: 0
        case .english: 1
        case .korean: 2
        case .on: 3
        }
    }
}

extension Regulars: Coded {
    package static let cases: [Regulars] = [.everybody, .kept, .nobody]
    package var code: Int {
        switch self {
        case .everybody: 0
        case .kept: 1
        case .nobody: 2
        }
    }
}

extension ImageHeader.Format: Coded {
    package static let cases: [ImageHeader.Format] = [.jpeg, .png]
    package var code: Int {
        switch self {
        case .jpeg: 0
        case .png: 1
        }
    }
}

extension CheckOut: Coded {
    package static let cases: [CheckOut] = [.notRecorded, .door, .phones]
    package var code: Int {
        switch self {
        case .notRecorded: 0
        case .door: 1
        case .phones: 2
        }
    }
}

extension CodeKind: Coded {
    package static let cases: [CodeKind] = [.static, .rotating]
    package var code: Int {
        switch self {
        case .static: 0
        case .rotating: 1
        }
    }
}

extension PresenterLink.Purpose: Coded {
    package static let cases: [PresenterLink.Purpose] = [.hall, .kiosk]
    package var code: Int {
        switch self {
        case .hall: 0
        case .kiosk: 1
        }
    }
}
