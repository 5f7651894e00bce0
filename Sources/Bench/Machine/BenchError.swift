/// The reason why a benchmark could not run. Requests that the server refuses during a benchmark are counted,
/// and are not errors.
package enum BenchError: Error, Sendable, Equatable {
    case folder(String, reason: String)
    /// The benchmark's server did not start. The value is the server's last output.
    case server(String)
    /// The meeting could not be prepared.
    case meeting(String)
    /// A system call failed.
    case system(call: String, reason: String)
    /// Not all watchers could join the room.
    case crowd(joined: Int, of: Int)
    case stopped
}
