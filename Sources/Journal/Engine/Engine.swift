package import Meetings

/// A database that stores and finds rows. It contains no rules: every rule is in the commands, which are the
/// same for all engines.
package protocol Engine: Sendable {
    /// A random identifier that is created with the database and renewed by a restore. A client's sequence is
    /// valid within one epoch only.
    var epoch: String { get }
    /// The jobs that have changed only a part of a meeting so far. The writer notes them here; `read` waits
    /// for them if its query reads such a meeting.
    var unsettled: UnsettledMeetings { get }

    /// Opens the only connection that writes. The writer calls this once on its queue, and uses the
    /// connection only there.
    func openWriter() throws(JournalError) -> any WritableRows

    /// Runs `query` on a reading connection, and not on the caller's thread. The query sees one consistent
    /// state of committed rows. If it reads the roster, the attendees or the totals of a meeting that a
    /// visible job (`StoredJob.isVisible`) is changing, it runs again after the job's end. So it may run
    /// twice.
    func read<Found: Sendable>(_ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found)
        async throws(JournalError)
        -> Found

    /// Runs `query` as `read` does. If a connection is free, it runs on the caller's thread, which saves two
    /// thread switches. Use it for a query that finds a few records by their keys.
    func lookUp<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found

    /// Runs `query` as `read` does, but on other threads, so that queries never wait for it. Use it for a
    /// query whose cost grows with the data, such as a search, an export or a review.
    /// - Throws: `.tooManySteps` if the query is larger than the engine allows; it has then no result.
    func scan<Found: Sendable>(_ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found)
        async throws(JournalError)
        -> Found

    /// Returns the questions of the set as the engine read them last. They may have changed since. Nil if the
    /// engine does not remember them. It does not wait.
    func knownQuestions(of set: String, in session: SessionID) -> [Question]?

    /// Checks the files without a commit. Every commit makes the same check. Queries continue to work if this
    /// throws.
    /// - Throws: `.moved` if the files are no longer at their paths; `.damageFound` if the file is known to
    ///   be damaged.
    func checkFiles() throws(JournalError)

    /// Returns the acknowledged commits that are missing, oldest first. Each loss is listed until the
    /// operator removes the copy of the lost files. Blocks briefly, because it reads a folder.
    func losses() -> [LostCommits]

    /// The check of the database file since the start; nil if the engine has no file, or a new one.
    var fileCheck: FileCheckReport? { get }
    /// The failure of all commits since the opening, which was made on a full disk; nil after the disk has
    /// had room again.
    var openingFailure: StorageFailure? { get }

    /// Calls `wake`, on any thread, whenever another node may have committed something, and `receive` with
    /// the messages of other nodes, until `close`.
    func subscribe(
        _ wake: @escaping @Sendable () -> Void, receiving receive: @escaping @Sendable ([UInt8]) -> Void)
    /// Sends a message of a few bytes to all other nodes. It may be lost, and `receive` may get several
    /// messages as one.
    func broadcast(_ message: [UInt8])
    /// The state of the connection to other nodes; nil if the engine has only one node.
    var nodeStatus: NodeStatus? { get }

    /// Makes the last checkpoint and releases all resources. Call it when no query and no batch is running.
    func close()
}

extension Engine {
    // The defaults for engines without connections for look-ups and without threads for scans.
    package func lookUp<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found { try await read(query) }

    package func scan<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found { try await read(query) }

    // For an engine that decodes no questions.
    package func knownQuestions(of set: String, in session: SessionID) -> [Question]? { nil }

    // The defaults for engines with one node.
    package func subscribe(
        _ wake: @escaping @Sendable () -> Void, receiving receive: @escaping @Sendable ([UInt8]) -> Void
    ) {}
    package func broadcast(_ message: [UInt8]) {}
    package var nodeStatus: NodeStatus? { nil }

    // The defaults for engines that store nothing in files.
    package func checkFiles() throws(JournalError) {}
    package func losses() -> [LostCommits] { [] }
    package var fileCheck: FileCheckReport? { nil }
    package var openingFailure: StorageFailure? { nil }
}

/// The check of the database file that each start makes.
package struct FileCheckReport: Hashable, Sendable {
    package enum State: Sendable {
        /// The check runs while the server serves.
        case running
        case sound
        case damaged
        /// The check was interrupted, or a read failed.
        case unfinished
    }

    package let state: State
    /// The size of the file, in bytes.
    package let bytes: Int
    /// The time that the check took; zero while it runs.
    package let duration: Duration

    package init(state: State, bytes: Int, duration: Duration) {
        (self.state, self.bytes, self.duration) = (state, bytes, duration)
    }
}

/// Acknowledged commits that a database no longer has, because its files were truncated, damaged or replaced
/// by older files, or a log that did not belong to the database.
package struct LostCommits: Hashable, Sendable {
    /// The number of lost commits; at least 1, or 0 for a foreign log without which no commit is missing.
    package let commits: Int64
    /// The time of the last commit before the lost ones; nil if the database does not contain that commit.
    package let since: Instant?
    /// The time of the last lost commit.
    package let until: Instant
    /// The folder with copies of the files as the server found them; nil until a server has made the copies.
    package let copy: String?
    /// The number of commits in a log that does not belong to the database; nil if there was no such log.
    package let inForeignLog: Int64?

    package init(
        commits: Int64, since: Instant?, until: Instant, copy: String?, inForeignLog: Int64? = nil
    ) {
        (self.commits, self.since, self.until, self.copy) = (commits, since, until, copy)
        self.inForeignLog = inForeignLog
    }
}

/// The position after which the next page of meetings begins, in the order of the list.
package struct MeetingCursor: Hashable, Sendable {
    /// Whether the meeting's latest session has ended.
    package let ended: Bool
    package let startsAt: Instant
    package let id: MeetingID

    package init(ended: Bool, startsAt: Instant, id: MeetingID) {
        self.ended = ended
        self.startsAt = startsAt
        self.id = id
    }

    /// Creates the position after `listing`, in a list that was made at `now`.
    package init(after listing: SessionRecord, at now: Instant) {
        self.init(
            ended: listing.session.isOver(at: now), startsAt: listing.session.startsAt, id: listing.meeting.id
        )
    }
}

/// The position after which the next page of responses begins. Responses are ordered newest first; responses
/// of the same moment are ordered by their random ids.
package struct ResponseCursor: Hashable, Sendable {
    package let at: Instant
    package let id: ResponseID

    package init(at: Instant, id: ResponseID) {
        self.at = at
        self.id = id
    }
}
