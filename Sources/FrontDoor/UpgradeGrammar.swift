import HTTPGrammar

/// Decides whether the first bytes of a connection are a request that the websocket server serves: a
/// websocket upgrade, or the request of an event stream.
///
/// The decision depends only on the bytes. Only one strict form of request is accepted for each path. If any
/// byte differs, the HTTP server gets the request and can answer with a problem. If this check were tolerant,
/// two parsers could read the same bytes differently, and one of them is known to loop endlessly on
/// unexpected bytes.
package struct UpgradeGrammar: Sendable {
    /// The kind of connection that the first bytes show.
    package enum Verdict: Equatable, Sendable {
        /// The bytes are the beginning of an accepted request, and more bytes are needed for the decision.
        case incomplete
        /// The bytes are an ordinary HTTP request, or an upgrade of another form.
        case http
        /// The bytes are exactly one complete and well-formed request of an endpoint, without further bytes.
        case upgrade
    }

    /// A path that the websocket server serves. The path is compared byte by byte.
    package struct Endpoint: Sendable {
        enum Kind: Sendable {
            case webSocket(subprotocol: [UInt8]?)
            case eventStream
        }

        let start: [UInt8]
        let kind: Kind
        let allowsQuery: Bool

        /// Websockets. `subprotocol` is the one that a client must offer (RFC 6455 §4.1), compared byte by
        /// byte; nil if a client needs to offer none.
        package static func webSocket(
            _ path: String, subprotocol: String?, allowsQuery: Bool = false
        ) -> Endpoint {
            Endpoint(path, .webSocket(subprotocol: subprotocol.map { Array($0.utf8) }), allowsQuery)
        }

        /// Streams of server-sent events. The path may have a query.
        package static func eventStream(_ path: String) -> Endpoint { Endpoint(path, .eventStream, true) }

        private init(_ path: String, _ kind: Kind, _ allowsQuery: Bool) {
            precondition(path.utf8.first == UInt8(ascii: "/"))
            (start, self.kind, self.allowsQuery) = (Array("GET \(path)".utf8), kind, allowsQuery)
        }
    }

    /// The largest head of an upgrade with its blank line, in bytes. Larger heads go to the HTTP server,
    /// which refuses them.
    package let headLimit: Int
    private let endpoints: [Endpoint]

    private static let version = Array(" HTTP/1.1\r\n".utf8)

    /// - Parameters:
    ///   - path: a path for upgrades without a query.
    ///   - subprotocol: the subprotocol that a client must offer at `path`.
    ///   - others: further endpoints.
    ///   - headLimit: the size of the largest head, in bytes.
    package init(
        path: String = "/rooms", subprotocol: String = "qring.v1", others: [Endpoint] = [],
        headLimit: Int = 8_192
    ) {
        precondition(headLimit > 0)
        self.headLimit = headLimit
        endpoints = [.webSocket(path, subprotocol: subprotocol)] + others
    }

    /// Returns the verdict on `bytes`, which must begin with the first byte of the connection. At most
    /// `headLimit` + 1 bytes are needed.
    package func judge(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        for endpoint in endpoints {
            switch endpoint.requestLine(of: bytes, version: Self.version) {
            case .other: continue
            case .incomplete: return bytes.count < headLimit ? .incomplete : .http
            case .complete(let end): return judge(bytes, from: end, at: endpoint)
            }
        }
        return .http
    }

    private func judge(_ bytes: UnsafeRawBufferPointer, from end: Int, at endpoint: Endpoint) -> Verdict {
        var fields = RequiredFields(of: endpoint.kind)
        var lineStart = end
        while let lineEnd = bytes[lineStart...].firstIndex(of: UInt8(ascii: "\r")) {
            guard lineEnd + 1 < bytes.count else { break }
            guard bytes[lineEnd + 1] == UInt8(ascii: "\n") else { return .http }
            let next = lineEnd + 2
            if lineEnd == lineStart {
                return fields.areComplete && next == bytes.count && next <= headLimit ? .upgrade : .http
            }
            guard let field = HeaderField(line: bytes[lineStart..<lineEnd]), fields.accept(field) else {
                return .http
            }
            lineStart = next
        }
        // `rest` is the line that has not arrived completely. If it contains a byte that no field may
        // contain, such as NUL or a single line feed, the request is not an upgrade.
        let rest = bytes[lineStart...]
        guard rest.allSatisfy({ HTTPGrammar.isFieldText($0) || $0 == UInt8(ascii: "\r") }) else {
            return .http
        }
        return bytes.count < headLimit ? .incomplete : .http
    }

    /// Returns the verdict on an array of bytes.
    package func judge(_ bytes: [UInt8]) -> Verdict {
        bytes.withUnsafeBytes { judge($0) }
    }
}

extension UpgradeGrammar.Endpoint {
    enum RequestLine {
        /// The line belongs to another request.
        case other
        case incomplete
        /// The headers begin at this offset.
        case complete(Int)
    }

    func requestLine(of bytes: UnsafeRawBufferPointer, version: [UInt8]) -> RequestLine {
        guard bytes.starts(with: start.prefix(bytes.count)) else { return .other }
        var end = start.count
        guard bytes.count > end else { return .incomplete }
        if allowsQuery, bytes[end] == UInt8(ascii: "?") {
            // A query has visible ASCII characters only.
            end = bytes[end...].firstIndex { !(0x21...0x7e).contains($0) } ?? bytes.count
        }
        guard bytes[end...].starts(with: version.prefix(bytes.count - end)) else { return .other }
        let next = end + version.count
        return bytes.count < next ? .incomplete : .complete(next)
    }
}

/// The set of required fields (RFC 6455 §4.2.1) that an upgrade request contains. Each field must occur once
/// and with an allowed value. The request of an event stream needs `Host` only.
private struct RequiredFields {
    private let kind: UpgradeGrammar.Endpoint.Kind
    private var seen: Set<Name> = []

    private enum Name: String, CaseIterable {
        case host
        case upgrade
        case connection
        case key = "sec-websocket-key"
        case version = "sec-websocket-version"
        case subprotocol = "sec-websocket-protocol"
    }

    /// The names of fields that announce a body or another protocol. A request with such a field is not an
    /// upgrade, and goes to the HTTP server.
    private static let foreign: Set<[UInt8]> = [
        Array("content-length".utf8), Array("transfer-encoding".utf8), Array("http2-settings".utf8),
        Array("expect".utf8),
        Array("trailer".utf8),
    ]
    private static let required = [[UInt8]: Name](
        uniqueKeysWithValues: Name.allCases.map { (Array($0.rawValue.utf8), $0) })

    init(of kind: UpgradeGrammar.Endpoint.Kind) { self.kind = kind }

    var areComplete: Bool {
        switch kind {
        case .webSocket(let subprotocol):
            Name.allCases.allSatisfy { seen.contains($0) || $0 == .subprotocol && subprotocol == nil }
        case .eventStream: seen.contains(.host)
        }
    }

    /// Adds a field. Returns false if a request with this field is not an upgrade.
    mutating func accept(_ field: HeaderField) -> Bool {
        if Self.foreign.contains(field.name) { return false }
        guard let name = Self.required[field.name] else { return true }
        if case .eventStream = kind {
            switch name {
            case .host: break
            case .connection: return true
            case .upgrade, .key, .version, .subprotocol: return false
            }
        }
        guard seen.insert(name).inserted else { return false }
        return switch name {
        case .host: !field.value.isEmpty
        case .upgrade: Self.equals(field.value, "websocket")
        case .connection: field.elements.contains { Self.equals($0, "upgrade") }
        case .key: Self.isKey(field.value)
        case .version: field.value.elementsEqual("13".utf8)
        case .subprotocol: isOffered(in: field)
        }
    }

    private func isOffered(in field: HeaderField) -> Bool {
        guard case .webSocket(let subprotocol?) = kind else { return true }
        return field.elements.contains { $0.elementsEqual(subprotocol) }
    }

    private static func equals(_ value: Slice<UnsafeRawBufferPointer>, _ expected: StaticString) -> Bool {
        value.lazy.map(HTTPGrammar.lowercased).elementsEqual(
            UnsafeBufferPointer(start: expected.utf8Start, count: expected.utf8CodeUnitCount))
    }

    /// Whether `value` is the base64 form of 16 bytes (RFC 6455 §4.1): 22 digits and `==`.
    private static func isKey(_ value: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard value.count == 24, value.suffix(2).elementsEqual("==".utf8) else { return false }
        return value.dropLast(2).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }
}

/// A header field (RFC 9110 §5). It must not be folded, and must have no white space before its colon.
private struct HeaderField {
    /// The field's name, in lower case.
    let name: [UInt8]
    /// The field's value, without white space at its beginning and end.
    let value: Slice<UnsafeRawBufferPointer>

    /// Parses a line. Returns nil unless the line has the form `token ":" OWS value OWS`. A folded line is
    /// rejected, because it begins with white space.
    init?(line: Slice<UnsafeRawBufferPointer>) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return nil }
        let name = line[..<colon]
        guard name.allSatisfy(HTTPGrammar.isToken), line.allSatisfy(HTTPGrammar.isFieldText) else {
            return nil
        }
        self.name = name.map(HTTPGrammar.lowercased)
        self.value = HTTPGrammar.trimmed(line[(colon + 1)...])
    }

    /// The elements of a comma-separated value. Empty elements are ignored (RFC 9110 §5.6.1).
    var elements: some Sequence<Slice<UnsafeRawBufferPointer>> {
        value.split(separator: UInt8(ascii: ",")).lazy.map(HTTPGrammar.trimmed).filter { !$0.isEmpty }
    }
}
