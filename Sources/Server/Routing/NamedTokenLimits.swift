import Journal
import Meetings

extension Token {
    /// Checks that a named token may use the route. Tokens of a sign-in may use every route.
    /// - Parameter meeting: the meeting that the request concerns; nil if the route names none.
    /// - Throws: `tokenLimited`.
    func requireLimits(of route: Route, in meeting: MeetingID? = nil) throws {
        guard let limits else { return }
        let isAllowed =
            switch route.access {
            case .operator: false
            case .signedIn, .accountOrAttendee:
                route.namedTokens == .all || route.namedTokens == .ofAllMeetings && limits.meeting == nil
            default: limits.meeting == nil || limits.meeting == meeting
            }
        // With each token, its owner may ask who it is and end it.
        let mayWrite = limits.access == .write || route.method == .get || route.namedTokens == .all
        guard isAllowed, mayWrite else { throw Refusal.tokenLimited }
    }
}

extension RequestContext {
    /// The only meeting that the caller's token opens; nil if it opens all meetings of the account.
    var onlyMeeting: MeetingID? { caller.token?.limits?.meeting }

    /// Checks that the caller's token opens a session that the body names.
    /// - Throws: `tokenLimited`.
    func requireLimits(for session: SessionID) async throws {
        guard let only = onlyMeeting else { return }
        let record = try await storage.read { rows throws(JournalError) in try rows.session(session) }
        guard record?.meeting.id == only else { throw Refusal.tokenLimited }
    }

    /// Returns the overlaps that the caller may see. A token for one meeting learns nothing of others.
    func visible(_ overlaps: [Overlap]) -> [Overlap] {
        guard let only = onlyMeeting else { return overlaps }
        return overlaps.filter { $0.session.meetingID == only }
    }

    /// Returns the error without the meetings that the caller may not see.
    func visible(_ error: any Error) -> any Error {
        guard let refusal = error as? Refusal, case .sessionOverlap(let overlaps) = refusal else {
            return error
        }
        return Refusal.sessionOverlap(visible(overlaps))
    }
}
