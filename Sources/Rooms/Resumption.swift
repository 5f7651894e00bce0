/// Decides how a client joins a room at the position that it has reached. A pure value: each result of the
/// driver returns the next action.
///
/// If several servers share a database, the client may have seen more than this server's room has published.
/// A snapshot of the room would then be older than what the client shows, and later frames would repeat
/// arrivals. So the database decides. If it is below the position, the position is invented, or the database
/// was restored, and the client gets a snapshot. Otherwise the room waits for the missing commits.
package struct Resumption: Sendable {
    package enum Action: Hashable, Sendable {
        /// Join at this position; nil joins with a snapshot.
        case join(since: Int64?)
        /// Read the journal's news after this position, because the room's memory does not reach back so far.
        case readNews(after: Int64)
        /// Find the room again, because it was removed from memory.
        case findRoom
        /// Read the session's sequence from the database.
        case readSequence
        /// Take the commits of other servers, and wait for a limited time until the room has published this
        /// position.
        case awaitCommits(until: Int64)
        /// Close the connection. The client connects again, perhaps to another server.
        case tryAgain
        /// The session does not exist any more.
        case refuse
        /// The client has joined.
        case end
    }

    /// The result of an attempt to join.
    package enum Outcome: Hashable, Sendable {
        case joined
        /// The room's memory does not reach back to the position.
        case needsNews
        /// The room has not published the position yet.
        case isBehind
        /// The room was removed from memory.
        case isGone
    }

    private let since: Int64?
    private var hasFoundAgain = false
    private var hasWaited = false

    /// - Parameter since: the client's position in this epoch; nil if it has none.
    package init(since: Int64?) { self.since = since }

    package var first: Action { .join(since: since) }

    package mutating func next(after outcome: Outcome) -> Action {
        switch outcome {
        case .joined: return .end
        case .needsNews: return since.map { .readNews(after: $0) } ?? .refuse
        case .isBehind: return hasWaited ? .tryAgain : .readSequence
        case .isGone:
            defer { hasFoundAgain = true }
            return hasFoundAgain ? .refuse : .findRoom
        }
    }

    /// - Parameter hasAll: false if the client has missed more news than the journal returns at once.
    package func readNews(hasAll: Bool) -> Action { .join(since: hasAll ? since : nil) }

    package func foundRoom() -> Action { .join(since: since) }

    /// - Parameter stored: the sequence in the database; nil if the session does not exist.
    package func readSequence(_ stored: Int64?) -> Action {
        guard let stored, let since else { return .refuse }
        return stored < since ? .join(since: nil) : .awaitCommits(until: since)
    }

    /// The database could not be read.
    package func failedToReadSequence() -> Action { .tryAgain }

    /// - Parameter isPublished: false if the time was over first.
    package mutating func waited(isPublished: Bool) -> Action {
        hasWaited = true
        return isPublished ? .join(since: since) : .tryAgain
    }
}
