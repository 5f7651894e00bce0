/// The reason why a benchmark could not run. A request that the server refuses is not an error; the report
/// counts it.
package enum BenchError: Error, Sendable, Equatable {
    case folder(String, reason: String)
    /// The benchmark's server did not start. The value is the last line of its log.
    case server(String)
    /// The meeting could not be created.
    case meeting(String)
    /// A system call failed.
    case system(call: String, reason: String)
    /// Some watchers could not join the room.
    case crowd(joined: Int, of: Int)
    /// The server describes routes that the table of worst requests lacks, or the other way round.
    case unlisted([String])
    case stopped
}
