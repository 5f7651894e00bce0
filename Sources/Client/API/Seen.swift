/// What an edit says it saw of what it edits, so that nobody's work is overwritten unseen.
package enum Seen: Hashable, Sendable {
    /// 412 where it has another version by now.
    case version(Int)
    /// What the server gave as its `ETag`.
    case tag(String)
    /// That it is not there yet; 412 where it is by now.
    case nothing
    /// Overwrites whatever is there.
    case anything

    var header: (name: String, value: String) {
        switch self {
        case .version(let version): ("If-Match", "\"v\(version)\"")
        case .tag(let tag): ("If-Match", tag)
        case .nothing: ("If-None-Match", "*")
        case .anything: ("If-Match", "*")
        }
    }
}

extension APICall {
    func editing(_ seen: Seen) -> APICall {
        var call = self
        call.headers.append(seen.header)
        return call
    }
}
