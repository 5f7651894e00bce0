internal import Client
internal import Wire

/// One update as one line of `watch --json`.
struct WatchLine: Encodable {
    let update: String
    /// The value for `--since` that resumes the room after this update.
    let position: String?
    var recovered: Bool?
    var snapshot: RoomFrame.Snapshot?
    var frame: RoomFrame?
    var problem: Problem?
    var retryInMs: Int?
    var reason: String?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case update, position, recovered, snapshot, frame, problem, retryInMs, reason
    }

    static let fields = CodingKeys.allCases.map(\.rawValue)

    init(_ update: RoomUpdate, position: RoomPosition?) {
        self.position = position?.text
        switch update {
        case .joined(let joined):
            self.update = "joined"
            recovered = joined.recovered
        case .snapshot(let snapshot, _, _):
            self.update = "snapshot"
            self.snapshot = snapshot
        case .frame(let frame):
            self.update = "frame"
            self.frame = frame
        case .home: self.update = "home"
        case .refused(let problem):
            self.update = "refused"
            self.problem = problem
        case .reconnecting(let delay, let interruption):
            self.update = "reconnecting"
            retryInMs = Int(delay / .milliseconds(1))
            reason = String(describing: interruption)
        case .ended(let end):
            self.update = "ended"
            reason = String(describing: end)
        }
    }
}
