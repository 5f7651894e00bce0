/// Fetches what hosts name by its address. Whoever implements it must keep strangers from reaching, through
/// this server, what only this server can reach: private, loopback and link-local addresses are refused after
/// names have been looked up, and on every redirect.
package protocol DocumentFetching: Sendable {
    /// The body of a 2xx answer, of `mostBytes` at most. `url` is of `http` or `https`.
    func fetch(_ url: String, mostBytes: Int) async throws(DocumentFetchFailure) -> [UInt8]
}

package enum DocumentFetchFailure: Error, Hashable, Sendable {
    /// The name leads to an address that strangers may not reach through this server.
    case addressNotAllowed
    case unreachable
    case timedOut
    case tooLarge
    case answered(status: Int)
}
