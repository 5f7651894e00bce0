import HTTPGrammar

/// Decides strictly what the first bytes of a connection are.
///
/// A pure function of the bytes. Only one form of request is an upgrade; if any byte differs, the request
/// goes to the HTTP server, which can answer with a problem. If this were lenient, two parsers could read the
/// same bytes differently, and one of them is known to spin on unexpected bytes.
package struct UpgradeGrammar: Sendable {
    package enum Verdict: Equatable, Sendable {
        /// The bytes are the beginning of an upgrade; more bytes decide.
        case incomplete
        /// Plain HTTP, or an upgrade of another form.
        case http
        /// Exactly one complete and well-formed upgrade request, with nothing behind it.
        case upgrade
    }

    /// The largest head of an upgrade, in bytes, with its blank line. The HTTP server refuses larger ones.
    package let headLimit: Int
    private let requestLine: [UInt8]
    private let subprotocol: [UInt8]

    /// - Parameters:
    ///   - path: the only path that upgrades, compared byte for byte and without a query.
    ///   - subprotocol: the subprotocol that a client must offer (RFC 6455 §4.1), compared byte for byte.
    ///   - headLimit: the largest head, in bytes.
    package init(path: String = "/rooms", subprotocol: String = "qring.v1", headLimit: Int = 8_192) {
        precondition(path.utf8.first == UInt8(ascii: "/") && headLimit > 0)
        self.headLimit = headLimit
        self.requestLine = Array("GET \(path) HTTP/1.1\r\n".utf8)
        self.subprotocol = Array(subprotocol.utf8)
    }

    /// Judges all bytes that have arrived, from the first byte on. More than `headLimit` + 1 bytes are not
    /// needed.
    package func judge(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        guard bytes.starts(with: requestLine.prefix(bytes.count)) else { return .http }
        guard bytes.count > requestLine.count else { return bytes.count < headLimit ? .incomplete : .http }
        var fields = RequiredFields(subprotocol: subprotocol)
        var lineStart = requestLine.count
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
        // The line that is still arriving. A byte that no field may contain, such as a lone line feed or NUL,
        // decides at once.
        let rest = bytes[lineStart...]
        guard rest.allSatisfy({ HTTPGrammar.isFieldText($0) || $0 == UInt8(ascii: "\r") }) else {
            return .http
        }
        return bytes.count < headLimit ? .incomplete : .http
    }

    /// `judge` for an array.
    package func judge(_ bytes: [UInt8]) -> Verdict {
        bytes.withUnsafeBytes { judge($0) }
    }
}

/// The fields that an upgrade needs (RFC 6455 §4.2.1) and that were seen, once each and with a permitted
/// value.
private struct RequiredFields {
    private let subprotocol: [UInt8]
    private var seen: Set<Name> = []

    private enum Name: String, CaseIterable {
        case host
        case upgrade
        case connection
        case key = "sec-websocket-key"
        case version = "sec-websocket-version"
        case subprotocol = "sec-websocket-protocol"
    }

    /// Fields that announce a body or another protocol. The HTTP server refuses an upgrade with one of them.
    private static let foreign: Set<[UInt8]> = [
        Array("content-length".utf8), Array("transfer-encoding".utf8), Array("http2-settings".utf8),
        Array("expect".utf8),
        Array("trailer".utf8),
    ]
    private static let required = [[UInt8]: Name](
        uniqueKeysWithValues: Name.allCases.map { (Array($0.rawValue.utf8), $0) })

    init(subprotocol: [UInt8]) {
        self.subprotocol = subprotocol
    }

    var areComplete: Bool { seen.count == Name.allCases.count }

    /// Returns false if a request with this field is no upgrade.
    mutating func accept(_ field: HeaderField) -> Bool {
        if Self.foreign.contains(field.name) { return false }
        guard let name = Self.required[field.name] else { return true }
        guard seen.insert(name).inserted else { return false }
        return switch name {
        case .host: !field.value.isEmpty
        case .upgrade: Self.equals(field.value, "websocket")
        case .connection: field.elements.contains { Self.equals($0, "upgrade") }
        case .key: Self.isKey(field.value)
        case .version: field.value.elementsEqual("13".utf8)
        case .subprotocol: field.elements.contains { $0.elementsEqual(subprotocol) }
        }
    }

    private static func equals(_ value: Slice<UnsafeRawBufferPointer>, _ expected: StaticString) -> Bool {
        value.lazy.map(HTTPGrammar.lowercased).elementsEqual(
            UnsafeBufferPointer(start: expected.utf8Start, count: expected.utf8CodeUnitCount))
    }

    /// The base64 of 16 bytes (RFC 6455 §4.1): 22 digits and `==`.
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

/// A field line (RFC 9110 §5), without folding and without white space before its colon.
private struct HeaderField {
    /// In lower case.
    let name: [UInt8]
    /// Without white space around it.
    let value: Slice<UnsafeRawBufferPointer>

    /// Returns nil if the line is not exactly `token ":" OWS value OWS`. A folded line begins with white
    /// space, which is no token.
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
