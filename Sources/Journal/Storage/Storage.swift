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
    /// Receives the report of a job that has begun, on the writer's queue. It must return soon.
    package typealias JobListener = @Sendable (JobReport) -> Void
    /// Receives the reason why a step of a long command was left out, on the writer's queue. It must return
    /// soon.
    package typealias SkipListener = @Sendable (StorageFailure) -> Void

    private typealias RewriteTask = Task<Result<Void, JournalError>, Never>

    private struct Rewriting {
        /// The running rewrite.
        var task: RewriteTask?
        var isClosed = false
    }

    let engine: any Engine
    /// Whether other nodes may share the database.
    private let isShared: Bool
    private let writer: Writer
    private let clock: @Sendable () -> Instant
    private let rewriting = Mutex(Rewriting())
    /// The engine that matches answers against the patterns in hosts' questions.
    package let patterns: any PatternMatching

    /// The database's random identifier, which a restore renews (`Engine.epoch`).
    package var epoch: String { engine.epoch }
    package var statistics: WriterStatistics { writer.statistics.withLock { $0 } }

    /// Creates a storage that accepts queries. Call `open` before the first command.
    /// - Parameters:
    ///   - patterns: the engine for the patterns in hosts' questions. The default accepts no pattern.
    ///   - slices: the size of the slices of long commands.
    ///   - limits: the limits of each account.
    ///   - satellite: the satellite that this process is; nil for a server.
    package init(
        engine: any Engine, patterns: any PatternMatching = NoPatterns(), slices: SliceSize = .adaptive,
        limits: AccountLimits = AccountLimits(), satellite: OwnSatellite? = nil,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.engine = engine
        isShared = engine.nodeStatus != nil
        self.patterns = patterns
        self.clock = clock
        writer = Writer(slices: slices, limits: limits, satellite: satellite, clock: clock)
    }

    /// Opens the storage for commands. Call it once, before the first command. Finishes the long commands
    /// that a crash has interrupted.
    /// - Parameters:
    ///   - rooms: the rooms that commits of other nodes must reach.
    ///   - receive: gets the messages of other nodes, on any thread. It may get several messages as one.
    /// - Throws: `.failed` if the engine cannot open its writing connection.
    package func open(
        rooms: (any RoomDirectory)? = nil, listener: @escaping Listener = { _ in },
        skipped: @escaping SkipListener = { _ in },
        receiving receive: @escaping @Sendable ([UInt8]) -> Void = { _ in }
    ) throws(JournalError) {
        try writer.open(engine, patterns: patterns, rooms: rooms, listener, skipped: skipped)
        engine.subscribe({ [weak writer] in writer?.look() }, receiving: receive)
    }

    /// Sends a message of a few bytes to all other nodes. It may be lost.
    package func broadcast(_ message: [UInt8]) { engine.broadcast(message) }

    /// The state of the connection to other nodes; nil if the engine has only one node.
    package var nodeStatus: NodeStatus? { engine.nodeStatus }

    /// Takes the commits of other nodes soon. Many calls at once cost one look at the database.
    package func takeCommits() { if isShared { writer.look() } }

    /// Looks soon for the jobs of nodes that have ended. Call it once a second.
    package func takeOverJobs() { if engine.nodeStatus != nil { writer.takeOverJobs() } }

    /// Runs a command, and returns its answer after the commit of its batch.
    /// - Parameters:
    ///   - request: a wish for a report, if the command becomes a job.
    ///   - started: receives the report, before this function returns. It is not called if the command does
    ///     not become a job.
    /// - Throws: `.refused` if a rule refused the command; `.failed` if the batch could not be written.
    package func perform<C: Command>(
        _ command: C, reporting request: JobReport.Request? = nil,
        started: @escaping JobListener = { _ in }
    ) async throws(JournalError) -> C.Answer {
        if command.planning != .none,
            let answer = try await performInSlices(command, reporting: request, started: started)
        {
            return answer
        }
        return try await performAtOnce(command)
    }

    /// Performs the command and returns its answer. Returns nil without a change if the command would run in
    /// slices now.
    /// - Throws: the same errors as `perform`.
    package func performIfShort<C: Command>(_ command: C) async throws(JournalError) -> C.Answer? {
        if command.planning != .none, try await plan(command) != nil { return nil }
        return try await performAtOnce(command)
    }

    /// Checks a person in, as `perform` does. This function names the type of its command, so that the
    /// compiler specialises the writer's code for it.
    package func checkIn(_ command: CheckInWithReceipt) async throws(JournalError)
        -> CheckInWithReceipt.Answer
    {
        try await performAtOnce(command)
    }

    private func performAtOnce<C: Command>(_ command: C) async throws(JournalError) -> C.Answer {
        let outcome = await withUnsafeContinuation { continuation in
            writer.submit(CommandJob(command, continuation))
        }
        return try outcome.get()
    }

    private func plan<C: Command>(_ command: C) async throws(JournalError) -> (any Work)? {
        let now = clock()
        guard command.planning == .scanning else {
            return try await read { rows throws(JournalError) in try command.work(in: rows, at: now) }
        }
        return try await scan { rows throws(JournalError) in try command.work(in: rows, at: now) }
    }

    /// The most plans of one long command. Another change of the meeting makes a plan outdated; then the
    /// command plans again.
    private static let mostPlans = 8

    /// Plans a long command and runs it in slices. Returns nil if the command is short.
    private func performInSlices<C: Command>(
        _ command: C, reporting request: JobReport.Request?, started: @escaping JobListener
    ) async throws(JournalError) -> C.Answer? {
        for _ in 0..<Self.mostPlans {
            guard let work = try await plan(command) else { return nil }
            let plan = work.plan()
            let outcome = await withUnsafeContinuation { continuation in
                writer.submit(
                    LongCommandJob(
                        command, work, plan: plan, reporting: request, started, continuation))
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

    /// Runs a query that finds a few records by their keys, on the caller's thread if a connection is free. A
    /// query that reads a list needs `read`, because the caller's thread would wait for the disk.
    package func lookUp<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found {
        try await engine.lookUp(query)
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

    /// The check of the database file since the start (`Engine.fileCheck`).
    package var fileCheck: FileCheckReport? { engine.fileCheck }

    /// The reason why the last batch was not committed; nil if the last batch was committed, or if no batch
    /// has run yet.
    package var lastFailure: StorageFailure? { statistics.lastFailure }

    /// Whether nothing can be saved, because the disk is full.
    package var isFull: Bool { writer.isFull.load(ordering: .relaxed) }

    /// Commits an empty batch if the last batch failed. So `lastFailure` becomes nil when the disk is
    /// writable again, even if no other command runs.
    package func retryAfterFailure() async throws(JournalError) {
        if lastFailure != nil { try await perform(EmptyCommand()) }
    }

    /// The revision of the stored rows, for values that a caller stores in memory. The caller must read it
    /// before the rows. When a command other than a check-in is answered, the revision has already risen. Nil
    /// if other nodes may share the database, because this node learns of their commits later.
    package var revision: Revision? { isShared ? nil : writer.revision.current }

    /// Returns the session as of the last commit, from memory. Returns nil if a commit other than a check-in
    /// has raised the revision.
    /// - Parameter record: the session as it was read at `revision` or later.
    package func current(_ record: SessionRecord, since revision: Revision) -> SessionRecord? {
        let latest = writer.committedSessions.withLock { $0[record.session.id] } ?? record
        // The revision rises before the writer removes a session from its copy.
        return self.revision == revision ? latest : nil
    }

    /// Returns the session as of the last commit; nil if the session does not exist. Sessions in use come
    /// from memory. Others are read on another thread, because a check-in asks on the thread of the HTTP
    /// loop, which must not wait for the disk.
    package func session(_ id: SessionID) async throws(JournalError) -> SessionRecord? {
        if let record = writer.committedSessions.withLock({ $0[id] }) { return record }
        return try await read { rows throws(JournalError) in try rows.session(id) }
    }

    /// Publishes the responses that closed anonymous sets still hold back, and then rewrites the database
    /// file once, so that the order of the rows connects no answer to a person.
    /// - Returns: the sets that are sealed now. Sets that were deleted or opened meanwhile are left out.
    ///   If no set is left, the file is not rewritten.
    @discardableResult
    package func seal(_ sets: [(session: SessionID, set: String)]) async throws(JournalError) -> [(
        session: SessionID, set: String
    )] {
        var marks: [MarkSealed] = []
        for (session, set) in sets {
            let command = PublishClosedSet(session: session, set: set)
            guard let responses = try await performUnlessRefused(command) ?? nil else { continue }
            marks.append(MarkSealed(session: session, set: set, responses: responses))
        }
        guard !marks.isEmpty else { return [] }
        try await rewriteFile()
        var sealed: [(session: SessionID, set: String)] = []
        for mark in marks where try await performUnlessRefused(mark) ?? false {
            sealed.append((mark.session, mark.set))
        }
        return sealed
    }

    /// Seals one set.
    package func seal(_ set: String, of session: SessionID) async throws(JournalError) {
        try await seal([(session, set)])
    }

    private func performUnlessRefused<C: Command>(_ command: C) async throws(JournalError) -> C.Answer? {
        do throws(JournalError) { return try await perform(command) } catch {
            guard case .refused = error else { throw error }
            return nil
        }
    }

    /// Rewrites the database file if a person's data was deleted since the last rewrite. Returns true if
    /// it rewrote the file. Overwriting deleted rows is not enough, because a page split leaves copies of
    /// the moved rows in the file.
    @discardableResult
    package func shuffleAfterErasure() async throws(JournalError) -> Bool {
        guard try await awaitsShuffle() else { return false }
        try await rewriteFile()
        return true
    }

    /// Whether a person's data was deleted since the last rewrite of the file.
    package func awaitsShuffle() async throws(JournalError) -> Bool {
        try await read { rows throws(JournalError) in try rows.awaitsShuffle() }
    }

    /// Rewrites the database file in the order of its keys, without the remains of deleted rows
    /// (`FileRewrite`). Commands and queries continue meanwhile. Only one rewrite runs at a time: a second
    /// call waits for the first rewrite, and then makes its own. Returns when the new file is in use.
    /// - Throws: `.full` if the disk has no room for a second copy of the file; `.closed` after `close`; the
    ///   errors of `FileRewrite`. The old file then stays in use.
    package func rewriteFile() async throws(JournalError) {
        while true {
            let (task, isOurs) = rewriting.withLock { current -> (RewriteTask?, Bool) in
                if current.isClosed { return (nil, false) }
                if let task = current.task { return (task, false) }
                let task = RewriteTask { await self.runRewrite() }
                current.task = task
                return (task, true)
            }
            guard let task else { throw .failed(StorageFailure(.closed, operation: "rewrite the file")) }
            let result = await task.value
            if isOurs { return try result.get() }
        }
    }

    private func runRewrite() async -> Result<Void, JournalError> {
        defer { rewriting.withLock { $0.task = nil } }
        do throws(JournalError) {
            let rewrite = try await onWriter { rows throws(JournalError) in try rows.beginRewrite() }
            return await withTaskCancellationHandler {
                let result = await complete(rewrite)
                await rewrite.release()
                return result
            } onCancel: {
                rewrite.cancel()
            }
        } catch {
            return .failure(error)
        }
    }

    /// Runs the rewrite until it has replaced the file, or abandons it.
    private func complete(_ rewrite: any FileRewrite) async -> Result<Void, JournalError> {
        var pause = Duration.milliseconds(20)
        do throws(JournalError) {
            while true {
                try await rewrite.catchUp()
                if try await onWriter({ _ throws(JournalError) in try rewrite.finish() }) {
                    return .success(())
                }
                // The rewrite is not finished. Unless it sets its own pause, each try delays commands for
                // some milliseconds, so the pauses between the tries become longer. The sleep ends early if
                // the storage closes, and then `catchUp` throws.
                try? await Task.sleep(for: rewrite.pause ?? pause)
                pause = min(pause * 2, .seconds(2))
            }
        } catch {
            do throws(JournalError) { try await onWriter { _ in rewrite.abandon() } } catch {
                return .failure(error)
            }
            return .failure(error)
        }
    }

    /// Runs `body` on the writer's queue, outside a batch.
    private func onWriter<Value: Sendable>(
        _ body: @escaping @Sendable (any WritableRows) throws(JournalError) -> Value
    ) async throws(JournalError) -> Value {
        let outcome = await withUnsafeContinuation { continuation in
            writer.submit(
                StandaloneJob<Value>(continuation) { rows in
                    do throws(JournalError) { return .success(try body(rows)) } catch {
                        return .failure(error)
                    }
                })
        }
        return try outcome.get()
    }

    /// Cancels a running rewrite, finishes the queued commands, refuses later commands, and closes the
    /// engine. The caller must not use the storage afterwards.
    package func close() async {
        let task = rewriting.withLock { current in
            current.isClosed = true
            return current.task
        }
        task?.cancel()
        _ = await task?.value
        await writer.close()
        engine.close()
    }
}

/// A command that changes nothing. Its commit shows whether the engine can write again.
private struct EmptyCommand: Command {
    func run(in transaction: Transaction) {}
}
