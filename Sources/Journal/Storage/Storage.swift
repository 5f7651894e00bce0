package import Meetings
import Synchronization

/// The interface to the stored data. Callers submit commands and run queries; a listener receives each
/// committed batch. One serial queue runs all commands. The commands that arrive during a commit form the
/// next batch, so that a busy server flushes once per batch and a quiet server answers at once. All methods
/// may be called from any thread.
package final class Storage: Sendable {
    /// Receives each committed batch on the writer's queue, after the commit and before the callers get their
    /// answers. So when a caller gets its answer, the rooms are already up to date. The listener must return
    /// soon, because the next batch waits for it.
    package typealias Listener = @Sendable (CommittedBatch) -> Void

    private let engine: any Engine
    private let writer: Writer
    private let clock: @Sendable () -> Instant
    /// The engine that matches answers against the patterns in hosts' questions.
    package let patterns: any PatternMatching

    /// The database's random identifier, which a restore renews (`Engine.epoch`).
    package var epoch: String { engine.epoch }
    package var statistics: WriterStatistics { writer.statistics.withLock { $0 } }

    /// Creates a storage that accepts queries. Call `open` before the first command.
    /// - Parameters:
    ///   - patterns: the engine for the patterns in hosts' questions. The default accepts no pattern.
    ///   - slices: the size of the slices of long commands.
    package init(
        engine: any Engine, patterns: any PatternMatching = NoPatterns(), slices: SliceSize = .adaptive,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.engine = engine
        self.patterns = patterns
        self.clock = clock
        writer = Writer(slices: slices, clock: clock)
    }

    /// Opens the storage for commands. Call it once, before the first command. Brings the long commands that
    /// a crash has interrupted to their end.
    /// - Throws: `.failed` if the engine cannot open its writing connection.
    package func open(listener: @escaping Listener = { _ in }) throws(JournalError) {
        try writer.open(engine, patterns: patterns, listener)
    }

    /// Runs a command, and returns its answer after the commit of its batch.
    /// - Throws: `.refused` if a rule refused the command; `.failed` if the batch could not be written.
    package func perform<C: Command>(_ command: C) async throws(JournalError) -> C.Answer {
        if command.planning != .none, let answer = try await performInSlices(command) { return answer }
        let outcome = await withUnsafeContinuation { continuation in
            writer.submit(CommandJob(command, continuation))
        }
        return try outcome.get()
    }

    /// The most plans of one long command. Another change of the meeting makes a plan outdated; then the
    /// command plans again.
    private static let mostPlans = 8

    /// Plans a long command and runs it in slices. Returns nil if the command is short.
    private func performInSlices<C: Command>(_ command: C) async throws(JournalError) -> C.Answer? {
        for _ in 0..<Self.mostPlans {
            let now = clock()
            let work =
                if command.planning == .scanning {
                    try await scan { rows throws(JournalError) in try command.work(in: rows, at: now) }
                } else {
                    try await read { rows throws(JournalError) in try command.work(in: rows, at: now) }
                }
            guard let work else { return nil }
            let plan = work.plan()
            let outcome = await withUnsafeContinuation { continuation in
                writer.submit(LongCommandJob(command, work, plan: plan, continuation))
            }
            if let answer = try outcome.get() { return answer }
        }
        throw .refused(.meetingIsBusy)
    }

    /// Runs a query on a reading thread. The query sees one consistent state of committed rows.
    package func read<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found {
        try await engine.read(query)
    }

    /// Runs a query whose cost grows with the data, such as a search, an export or a review. It runs on
    /// threads of its own, so that `read` never waits for it.
    /// - Throws: `.tooManySteps` if the query is larger than the engine allows.
    package func scan<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found {
        try await engine.scan(query)
    }

    /// Checks the engine's files without a commit.
    /// - Throws: `.moved` if the open files are no longer at their paths; `.damageFound` if the files are
    ///   known to be damaged.
    package func checkFiles() throws(JournalError) { try engine.checkFiles() }

    /// Returns the acknowledged commits that the database has lost. Each loss is listed until the operator
    /// removes the copies of the lost files. Blocks briefly, because it reads a folder.
    package func losses() -> [LostCommits] { engine.losses() }

    /// The reason why the last batch was not committed; nil if the last batch was committed, or if no batch
    /// has run yet.
    package var lastFailure: StorageFailure? { statistics.lastFailure }

    /// Commits an empty batch if the last batch failed. So `lastFailure` becomes nil when the disk is
    /// writable again, even if no other command runs.
    package func retryAfterFailure() async throws(JournalError) {
        if lastFailure != nil { try await perform(EmptyCommand()) }
    }

    /// Returns the session as of the last commit; nil if the session does not exist. Sessions in use come
    /// from memory, so that the caller does not wait for a reading thread. Otherwise every code exchange
    /// would cost two thread switches.
    package func session(_ id: SessionID) async throws(JournalError) -> SessionRecord? {
        if let record = writer.committedSessions.withLock({ $0[id] }) { return record }
        return try await read { rows throws(JournalError) in try rows.session(id) }
    }

    /// Publishes the responses that a closed anonymous set still holds back, and then shuffles the database
    /// file, so that the order of the rows connects no answer to a person.
    package func seal(_ set: String, of session: SessionID) async throws(JournalError) {
        guard let responses = try await perform(PublishClosedSet(session: session, set: set)) else { return }
        try await shuffle()
        try await perform(MarkSealed(session: session, set: set, responses: responses))
    }

    /// Shuffles the database file if a person's data was deleted since the last shuffle. Returns true if it
    /// shuffled the file. Overwriting deleted rows is not enough, because a page split leaves copies of the
    /// moved rows in the file.
    @discardableResult
    package func shuffleAfterErasure() async throws(JournalError) -> Bool {
        guard try await read({ rows throws(JournalError) in try rows.awaitsShuffle() }) else { return false }
        try await shuffle()
        return true
    }

    private func shuffle() async throws(JournalError) {
        let outcome = await withUnsafeContinuation { continuation in
            writer.submit(ShuffleJob(continuation))
        }
        try outcome.get()
    }

    /// Finishes the queued commands, refuses later commands, and closes the engine. The caller must not use
    /// the storage afterwards.
    package func close() async {
        await writer.close()
        engine.close()
    }
}

/// A command that changes nothing. Its commit shows whether the engine can write again.
private struct EmptyCommand: Command {
    func run(in transaction: Transaction) {}
}
