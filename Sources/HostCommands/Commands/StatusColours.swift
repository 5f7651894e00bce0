internal import Meetings
internal import Terminal
internal import Wire

// The colours of a session's phase and of an attendee's status in plain commands.

extension Phase {
    var role: Paint.Role? {
        switch self {
        case .upcoming: nil
        case .doors: .notice
        case .running: .good
        case .ended, .closed: .faint
        }
    }
}

extension AttendanceStatus {
    var role: Paint.Role? {
        switch self {
        case .present: .good
        case .late: .warning
        case .absent: .bad
        case .excused: .notice
        case .awaited: .faint
        }
    }
}

extension Paint.Role? {
    /// The role as the only one of a table's row.
    func inColumn(_ column: Int) -> [Int: Paint.Role] { map { [column: $0] } ?? [:] }
}
