internal import Client
internal import Meetings

/// What somebody gives to check in: the code, the address that carries it, or the join code.
struct CodeText: Equatable {
    let key: CheckInKey
    /// Where the address leads, where it is one.
    let server: ServerAddress?

    /// Nil for an address without a code.
    init?(_ text: String) {
        if let scheme = text.firstRange(of: "://") {
            let rest = text[scheme.upperBound...]
            let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count >= 3, parts[1].lowercased() == "c", !parts[2].isEmpty,
                let server = ServerAddress("\(text[..<scheme.lowerBound])://\(parts[0])")
            else { return nil }
            key = .code(String(parts[2].prefix { $0 != "?" && $0 != "#" }))
            self.server = server
            return
        }
        guard !text.isEmpty, !text.contains("/") else { return nil }
        key = JoinCode.normalized(text).map { .joinCode($0) } ?? .code(text)
        server = nil
    }
}
