import Journal
import Meetings

/// The only listener to commits. It runs on the writer's queue, after each commit and before the callers get
/// their answers. So when a caller gets an answer, rooms, rights, join codes and metrics are up to date.
struct CommitListener: Sendable {
    let live: LiveRooms
    let connections: RoomConnections
    let metrics: Metrics
    let joinCodes: JoinCodeTable
    let couriers: [MailCourier]
    let webhooks: WebhookCouriers
    let mailings: MailingPass
    let matching: MatchingFrames

    func committed(_ batch: CommittedBatch) {
        if batch.hasGap { return reset() }
        live.apply(batch.sessions)
        live.home.apply(batch.sessions)
        matching.apply(batch.sessions)
        let deleted = batch.sessions.filter { $0.record == nil }.map(\.id)
        if !deleted.isEmpty { connections.end(deleted: Set(deleted)) }
        if !batch.endedRights.isEmpty {
            let ended = EndedRights(batch.endedRights)
            connections.end(ended)
            let meetings = ended.members.values.reduce(into: Set()) { $0.formUnion($1) }
            if !meetings.isEmpty { live.home.endMemberships(of: meetings) }
        }
        joinCodes.committed(batch.sessions)
        metrics.count(batch.sessions)
        mailings.committed(batch)
        if batch.hasQueuedMail { wakeCouriers() }
    }

    /// Discards everything in memory that may be old, and closes the connections of rooms. Clients connect
    /// again, and the server reads every right again.
    private func reset() {
        connections.endAll()
        live.forgetAll()
        live.home.publishAll()
        joinCodes.forgetAll()
        wakeCouriers()
    }

    private func wakeCouriers() {
        for courier in couriers { courier.wake() }
        webhooks.wake()
    }
}
