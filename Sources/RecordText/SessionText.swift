package import Meetings
package import Phrases

/// The words and figures of sessions, as commands and the dashboard show them.
package enum SessionText {
    private typealias Messages = CommandPhrases.Messages

    package static func phase(_ phase: Phase) -> Phrase {
        switch phase {
        case .upcoming: Messages.phaseUpcoming
        case .doors: Messages.phaseDoors
        case .running: Messages.phaseRunning
        case .ended: Messages.phaseEnded
        case .closed: Messages.phaseClosed
        }
    }

    package static func status(_ status: AttendanceStatus) -> Phrase {
        switch status {
        case .awaited: Messages.awaited
        case .present: Messages.present
        case .late: Messages.late
        case .absent: Messages.absent
        case .excused: Messages.excused
        }
    }
}
