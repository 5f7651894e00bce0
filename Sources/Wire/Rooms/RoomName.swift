package import Meetings

/// A room that a websocket client can join.
package enum RoomName: Hashable, Sendable {
    case session(SessionID)
    case presenter(SessionID)
    case audience(SessionID)
    case home

    package var text: String {
        switch self {
        case .session(let id): "session:\(id.text)"
        case .presenter(let id): "presenter:\(id.text)"
        case .audience(let id): "audience:\(id.text)"
        case .home: "home"
        }
    }

    package init?(_ text: String) {
        if text == "home" {
            self = .home
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let id = SessionID(parts[1]) else { return nil }
        switch parts[0] {
        case "session": self = .session(id)
        case "presenter": self = .presenter(id)
        case "audience": self = .audience(id)
        default: return nil
        }
    }

    package var sessionID: SessionID? {
        switch self {
        case .session(let id), .presenter(let id), .audience(let id): id
        case .home: nil
        }
    }
}
