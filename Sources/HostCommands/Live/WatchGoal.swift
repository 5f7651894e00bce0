internal import Meetings

/// `--until checked-in=50` or `responses=9`.
struct WatchGoal: Equatable {
    enum Kind: String, CaseIterable {
        case checkedIn = "checked-in"
        case responses
    }

    let kind: Kind
    let count: Int

    init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), let count = Int(parts[1]), count >= 0 else { return nil }
        self.kind = kind
        self.count = count
    }

    /// As it is written.
    var text: String { "\(kind.rawValue)=\(count)" }

    func isReached(by view: LiveView) -> Bool {
        switch kind {
        case .checkedIn: view.attendance.map { $0.checkedIn >= count } ?? false
        case .responses: view.session != nil && view.responses >= count
        }
    }
}
