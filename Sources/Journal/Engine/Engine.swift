package import Meetings

/// A store of rows. An engine stores and finds; every rule is in the commands, which are the same for all
/// engines.
package protocol Engine: Sendable {
    /// Random text that is made with the database and renewed by a restore. A client's sequence is valid
    /// within one epoch only.
    var epoch: String { get }

    /// Opens the one connection that writes. Called once, on the writer's queue, and used there only.
    func openWriter() throws(JournalError) -> any WritableRows

    /// Runs `query` on a connection for reading, off the caller's thread, on one consistent state of
    /// committed rows.
    func read<Found: Sendable>(_ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found)
        async throws(JournalError)
        -> Found

    /// Checks the files without a commit; every commit checks them, too. Reads continue if this throws.
    /// - Throws: `.moved` if the files are no longer at their paths; `.damageFound` if the file is known to
    ///   be damaged.
    func checkFiles() throws(JournalError)

    /// Acknowledged commits that are missing, oldest first. A loss is listed until the operator removes its
    /// copy. Reads a folder; blocks briefly.
    func losses() -> [LostCommits]

    /// Releases everything, when nothing runs any more. The engine takes its last checkpoint here.
    func close()
}

extension Engine {
    // For engines that store nothing in files.
    package func checkFiles() throws(JournalError) {}
    package func losses() -> [LostCommits] { [] }
}

/// Acknowledged commits that a database no longer has, because its files were cut, damaged or replaced by
/// older ones.
package struct LostCommits: Hashable, Sendable {
    /// At least 1.
    package let commits: Int64
    /// The time of the last commit before the gap; nil if the database does not know it.
    package let since: Instant?
    /// The time of the last commit that is missing.
    package let until: Instant
    /// The folder with copies of the files as they were found; nil before a server has made them.
    package let copy: String?

    package init(commits: Int64, since: Instant?, until: Instant, copy: String?) {
        (self.commits, self.since, self.until, self.copy) = (commits, since, until, copy)
    }
}

/// Where the next page of meetings begins: after the meeting with these values, in the list's order.
package struct MeetingCursor: Hashable, Sendable {
    /// Whether the latest session has ended.
    package let ended: Bool
    package let startsAt: Instant
    package let id: MeetingID

    package init(ended: Bool, startsAt: Instant, id: MeetingID) {
        self.ended = ended
        self.startsAt = startsAt
        self.id = id
    }

    /// After `listing`, in a list that was made at `now`.
    package init(after listing: SessionRecord, at now: Instant) {
        self.init(
            ended: listing.session.isOver(at: now), startsAt: listing.session.startsAt, id: listing.meeting.id
        )
    }
}

/// Where the next page of responses begins. The order is newest first, and by random id within one moment.
package struct ResponseCursor: Hashable, Sendable {
    package let at: Instant
    package let id: ResponseID

    package init(at: Instant, id: ResponseID) {
        self.at = at
        self.id = id
    }
}
