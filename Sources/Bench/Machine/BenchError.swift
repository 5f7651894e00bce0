/// Why a benchmark could not be run. What the server refused during one is a figure, and no error.
package enum BenchError: Error, Sendable, Equatable {
    case folder(String, reason: String)
    /// Its own server did not start, with its last words.
    case server(String)
    /// The meeting could not be prepared.
    case meeting(String)
    /// A call to the kernel failed.
    case system(call: String, reason: String)
    /// Not all watchers could be brought into the room.
    case crowd(joined: Int, of: Int)
    case stopped
}
