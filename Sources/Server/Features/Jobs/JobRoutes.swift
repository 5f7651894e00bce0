import Meetings
import Wire

extension RouteTable {
    /// The route for a job that the caller started.
    static let jobs: [Route] = [
        Route(
            .get, "/api/v1/jobs/{id}", .signedIn,
            does: "Show a long change that the caller started", gives: .json(JobBody.self),
            sends: [.pollingPause], namedTokens: .all, JobHandlers.show)
    ]
}
