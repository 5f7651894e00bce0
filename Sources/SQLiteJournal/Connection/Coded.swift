import Meetings

/// An enumeration kept as a small number: its place in `cases`. The lists are part of the file's format: add
/// at the end, move nothing.
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
        .presenterLinkCreated, .presenterLinkRevoked,
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
        }
    }
}

/// Owners sort first.
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

extension Token.Kind: Coded {
    static let cases: [Token.Kind] = [.access, .refresh]
    var code: Int {
        switch self {
        case .access: 0
        case .refresh: 1
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
