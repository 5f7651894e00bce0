package import Meetings
import Synchronization

/// The entrance to the stored data: commands in, committed batches out, queries beside. One serial queue
/// writes. The commands that queue up during a commit are the next batch, so that a busy store pays for one
/// flush per batch, and a quiet one answers at once. The methods may be called from any thread.
package final class Storage: Sendable {
    /// Gets each committed batch, on the writer's queue: after the commit and before the answers of the
    /// batch, so that a caller who gets an answer finds the rooms up to date. It must return soon, because
    /// the next batch waits for it.
    package typealias Listener = @Sendable (CommittedBatch) -> Void

    private let engine: any Engine
    private let writer: Writer
    /// Matches the patterns that hosts wrote.
    package let patterns: any PatternMatching

    /// Random text of the database (`Engine.epoch`).
    package var epoch: String { engine.epoch }
    package var statistics: WriterStatistics { writer.statistics.withLock { $0 } }

    /// Makes a storage that can be read. Commands may come once it is open.
    /// - Parameter patterns: matches the patterns that hosts write; without it, hosts can write none.
    package init(
        engine: any Engine, patterns: any PatternMatching = NoPatterns(),
        clock: @escaping @Sendable () -> Instant
    ) {
        self.engine = engine
        self.patterns = patterns
        writer = Writer(clock: clock)
    }

    /// Opens the storage for commands. Once, before the first of them.
    /// - Throws: `.failed` if the engine gives no connection that writes.
    package func open(listener: @escaping Listener = { _ in }) throws(JournalError) {
        try writer.open(engine, patterns: patterns, listener)
    }

    /// Runs a command, and returns after the commit of its batch.
    /// - Throws: `.refused` if a rule refused the command; `.failed` if the batch could not be written.
    package func perform<C: Command>(_ command: C) async throws(JournalError) -> C.Answer {
        let outcome = await withUnsafeContinuation { continuation in
            writer.submit(CommandJob(command, continuation))
        }
        return try outcome.get()
    }

    /// Runs a query on a reading thread, on one consistent state of committed rows.
    package func read<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found {
        try await engine.read(query)
    }

    /// - Throws: `.moved` if the files that are written to are no longer in their place; `.damageFound` if
    ///   they are known to be damaged.
    package func checkFiles() throws(JournalError) { try engine.checkFiles() }

    /// Acknowledged commits that are missing, until the operator removes their copies. Blocks briefly.
    package func losses() -> [LostCommits] { engine.losses() }

    /// Why the last batch could not be written; nil if it was, or if there has been none.
    package var lastFailure: StorageFailure? { statistics.lastFailure }

    /// Writes an empty commit if the last batch failed, so that `lastFailure` is up to date even without
    /// other writes.
    package func retryAfterFailure() async throws(JournalError) {
        if lastFailure != nil { try await perform(EmptyCommand()) }
    }

    /// Returns a session as committed. A session in use is in memory, so that no caller waits for a reading
    /// thread; otherwise every code exchange would cost two thread switches.
    package func session(_ id: SessionID) async throws(JournalError) -> SessionRecord? {
        if let record = writer.committedSessions.withLock({ $0[id] }) { return record }
        return try await read { rows throws(JournalError) in try rows.session(id) }
    }

    /// Publishes the answers that a closed anonymous set still holds back, and shuffles the database file, so
    /// that nothing joins its answers to people.
    package func seal(_ set: String, of session: SessionID) async throws(JournalError) {
        guard let responses = try await perform(PublishClosedSet(session: session, set: set)) else { return }
        try await shuffle()
        try await perform(MarkSealed(session: session, set: set, responses: responses))
    }

    /// Shuffles the file if a person's data was deleted since the last shuffle. Overwriting is not enough,
    /// because a page that is split leaves copies of moved rows behind. Returns whether it shuffled.
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

    /// Finishes the queued commands, and refuses later ones. The caller uses the storage no more.
    package func close() async {
        await writer.close()
        engine.close()
    }
}

/// Changes nothing. Its batch is a commit of its own.
private struct EmptyCommand: Command {
    func run(in transaction: Transaction) {}
}
