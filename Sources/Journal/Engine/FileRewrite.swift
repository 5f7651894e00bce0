/// One rewrite of the engine's file in key order, while batches and queries continue. It removes the order of
/// insertion and the remains of deleted rows from the file.
///
/// The caller calls the functions one after the other: `catchUp` and `finish` in turn until `finish`
/// returns true, or `abandon` after an error, and then `release`. Only `cancel` may be called at any time
/// and on any thread.
package protocol FileRewrite: AnyObject, Sendable {
    /// Copies rows until so few are left that `finish` is short. It takes seconds to minutes, on a thread
    /// of its own.
    /// - Throws: `.closed` after `cancel`; `.full` if the disk becomes too full; `.busy` if the rewrite
    ///   cannot keep up with the changes; the engine's failures.
    func catchUp() async throws(JournalError)

    /// Copies the last changes and replaces the file. Call it on the writer's queue, outside a batch. The
    /// next query sees the new file.
    /// - Returns: false if too many changes are left or a query still needs the old log. The caller then
    ///   calls `catchUp` and `finish` again.
    func finish() throws(JournalError) -> Bool

    /// Ends the rewrite without a new file. Call it on the writer's queue, outside a batch.
    func abandon()

    /// Frees the space of the old file, or of an unfinished copy.
    func release() async

    /// Makes `catchUp` and `release` end soon.
    func cancel()

    /// The pause after a `finish` that returned false. If it is nil, the pauses become longer with each try,
    /// because a try that cannot succeed yet delays the commands.
    var pause: Duration? { get }
}

extension FileRewrite {
    package var pause: Duration? { nil }
}

/// The rewrite of an engine without a file. It does nothing.
package final class NoFileRewrite: FileRewrite {
    package init() {}
    package func catchUp() {}
    package func finish() -> Bool { true }
    package func abandon() {}
    package func release() {}
    package func cancel() {}
}
