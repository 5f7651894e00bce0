internal import Wire

/// A request of the HTTP API, without the server's address and the caller's token.
package struct APICall: Sendable {
    package let method: String
    /// The path and the query, percent-encoded.
    package private(set) var target: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]?

    /// Creates a call without a body. Query items whose value is nil are omitted.
    package init(_ method: String, _ path: String, _ query: KeyValuePairs<String, String?> = [:]) {
        self.method = method
        target = path
        headers = []
        add(query)
    }

    /// Creates a GET of a target, which may have a query. Both are percent-encoded already.
    package init(at target: some StringProtocol) {
        method = "GET"
        self.target = String(target)
        headers = []
    }

    /// Creates a call with a JSON body. Query items whose value is nil are omitted.
    package init(
        _ method: String, _ path: String, _ query: KeyValuePairs<String, String?> = [:], body: some Encodable,
        headers: [(name: String, value: String)] = []
    ) {
        self.init(method, path, query)
        self.headers = headers
        self.body = WireJSON.bytes(body)
    }

    /// Adds a query item. If `value` is nil, adds nothing.
    package mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        target += "\(target.contains("?") ? "&" : "?")\(name)=\(Self.escaped(value))"
    }

    /// Adds the query items whose value is not nil.
    mutating func add(_ query: KeyValuePairs<String, String?>) {
        for (name, value) in query { add(name, value) }
    }

    /// Percent-encodes all bytes except the unreserved characters (RFC 3986 §2.3).
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                escaped += hex.utf8.count == 1 ? "%0\(hex)" : "%\(hex)"
            }
        }
        return escaped
    }

    /// Returns a random idempotency key of 128 bits.
    package static func randomKey() -> String {
        var random = SystemRandomNumberGenerator()
        return String(random.next() as UInt64, radix: 36) + String(random.next() as UInt64, radix: 36)
    }
}
