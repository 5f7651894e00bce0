internal import Client
internal import CommandLine
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// Decides when `watch` calls the host back to the terminal. Each alert comes once, except the lost
/// connection, which comes once for each loss.
struct WatchAlerts {
    /// `lateLimit` is a milestone of the session (`LiveView.milestones`); the others follow from updates.
    enum Alert: Hashable, Sendable { case firstArrival, goal, lateLimit, connectionLost }

    private let goal: WatchGoal?
    private var given: Set<Alert> = []

    /// - Parameters:
    ///   - goal: the goal of `--until`; without one, the planned number of attendees is the goal.
    ///   - view: the session before the first update. What has happened there already gives no alert.
    init(goal: WatchGoal?, of view: LiveView) {
        self.goal = goal
        given = Set(due(in: view))
    }

    /// Returns the alerts that an update brings.
    mutating func alerts(after update: RoomUpdate, in view: LiveView) -> [Alert] {
        switch update {
        case .reconnecting: return given.insert(.connectionLost).inserted ? [.connectionLost] : []
        case .joined:
            given.remove(.connectionLost)
            return []
        case .refused, .heard, .home, .ended: return []
        case .snapshot, .frame: return due(in: view).filter { given.insert($0).inserted }
        }
    }

    private func due(in view: LiveView) -> [Alert] {
        let attendance = view.attendance
        let isAtGoal =
            if let goal {
                goal.isReached(by: view)
            } else {
                attendance.map { $0.planned > 0 && $0.checkedIn >= $0.planned } ?? false
            }
        return ((attendance?.checkedIn ?? 0) > 0 ? [.firstArrival] : []) + (isAtGoal ? [.goal] : [])
    }
}

/// Rings the bell, and shows a notification of the desktop, through the terminal.
enum TerminalAlert {
    /// Shows an alert on standard error, if it is a terminal and the user wants alerts.
    static func show(_ alert: WatchAlerts.Alert, of view: LiveView, _ call: Invocation) {
        let (bell, notify) = (call.arguments.has("bell"), call.arguments.has("notify"))
        guard bell || notify, call.console.errIsTerminal else { return }
        if bell { call.console.err("\u{7}") }
        guard notify else { return }
        let phrase: Phrase =
            switch alert {
            case .firstArrival: CommandPhrases.Alerts.firstArrival
            case .goal: CommandPhrases.Alerts.goal
            case .lateLimit: CommandPhrases.Alerts.lateLimit
            case .connectionLost: CommandPhrases.Alerts.connectionLost
            }
        let count = String(view.attendance?.checkedIn ?? 0)
        // A semicolon separates the fields of these sequences.
        let name = TerminalEscaping.safe(view.session?.meetingName ?? "").replacing(";", with: ",")
        let body = call.text(phrase, ["count": count]).replacing(";", with: ",")
        let sequences = notification(title: name, body: body)
        call.console.err(call.environment["TMUX"] == nil ? sequences : throughTmux(sequences))
    }

    /// Returns the sequences of iTerm2 and Windows Terminal (OSC 9), and of urxvt, foot and others (OSC 777).
    /// A terminal ignores the one that it does not know.
    static func notification(title: String, body: String) -> String {
        "\u{1B}]9;\(title): \(body)\u{7}\u{1B}]777;notify;\(title);\(body)\u{7}"
    }

    /// Returns the sequences in the envelope in which tmux passes them on (tmux(1), `allow-passthrough`).
    static func throughTmux(_ sequences: String) -> String {
        "\u{1B}Ptmux;\(sequences.replacing("\u{1B}", with: "\u{1B}\u{1B}"))\u{1B}\\"
    }
}

extension CommandPhrases {
    /// The texts of the alerts of `watch`.
    enum Alerts {
        static let bell = Phrase(
            "ring the bell at the first arrival, the goal, the late limit and a lost connection")
        static let notify = Phrase("show a notification of the desktop for the same")
        static let firstArrival = Phrase("The first person has checked in.")
        static let goal = Phrase("The goal is reached: {count} checked in.")
        static let lateLimit = Phrase("Check-ins are late from now on; {count} so far.")
        static let connectionLost = Phrase("The connection is lost.")
    }
}
