/// The version on which an edit is based. The server rejects the edit with 412 if another version is current,
/// so that the edit cannot overwrite a change that its author has not seen.
package enum Seen: Hashable, Sendable {
    /// The edit is based on this version number.
    case version(Int)
    /// The edit is based on the version with this `ETag` of the server.
    case tag(String)
    /// The edit creates a new object. The server rejects it with 412 if the object exists.
    case nothing
    /// The edit overwrites any version.
    case anything

    /// The header that names the version.
    package var condition: (name: String, value: String) {
        switch self {
        case .version(let version): ("If-Match", "\"v\(version)\"")
        case .tag(let tag): ("If-Match", tag)
        case .nothing: ("If-None-Match", "*")
        case .anything: ("If-Match", "*")
        }
    }
}

extension APICall {
    /// Returns this call with the header that names the seen version.
    func editing(_ seen: Seen) -> APICall {
        var call = self
        call.headers.append(seen.condition)
        return call
    }
}
