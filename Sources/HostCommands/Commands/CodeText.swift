internal import Client
internal import Meetings

/// The text that an attendee types to check in: a code, the address that contains the code, or a join code.
struct CodeText: Equatable {
    let key: CheckInKey
    /// The server of the address; nil if the text is not an address.
    let server: ServerAddress?

    /// Returns nil if the text is an address without a code.
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
