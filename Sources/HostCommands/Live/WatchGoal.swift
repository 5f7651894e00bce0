internal import Meetings
internal import Phrases

/// The goal at which `watch` ends: `--until checked-in=50` or `responses=9`.
struct WatchGoal: Equatable {
    enum Kind: String, CaseIterable {
        case checkedIn = "checked-in"
        case responses
    }

    let kind: Kind
    let count: Int

    init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), let count = Int(parts[1]),
            count >= 0
        else { return nil }
        self.kind = kind
        self.count = count
    }

    /// The goal as the user types it.
    var text: String { "\(kind.rawValue)=\(count)" }

    func isReached(by view: LiveView) -> Bool {
        (kind == .checkedIn ? view.attendance != nil : view.session != nil) && progress(of: view) >= count
    }

    func progress(of view: LiveView) -> Int {
        switch kind {
        case .checkedIn: view.attendance?.checkedIn ?? 0
        case .responses: view.responses
        }
    }

    var phrase: Phrase {
        switch kind {
        case .checkedIn: CommandPhrases.Progress.checkedIn
        case .responses: CommandPhrases.Progress.responses
        }
    }
}

extension CommandPhrases.Progress {
    static let checkedIn = Phrase("checked in", "체크인")
    static let responses = Phrase("answers", "답변")
}
