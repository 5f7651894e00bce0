package import Meetings
package import Phrases

/// Converts the values of sessions into words and figures, which commands and the dashboard show.
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

extension CommandPhrases.Messages {
    static let phaseUpcoming = Phrase("upcoming", "예정")
    static let phaseDoors = Phrase("doors open", "입장 중")
    static let phaseRunning = Phrase("running", "진행 중")
    static let phaseEnded = Phrase("ended", "종료")
    static let phaseClosed = Phrase("closed", "마감")
    static let awaited = Phrase("awaited", "대기")
    static let present = Phrase("present", "출석")
    static let late = Phrase("late", "지각")
    static let absent = Phrase("absent", "결석")
    static let excused = Phrase("excused", "공결")
}
