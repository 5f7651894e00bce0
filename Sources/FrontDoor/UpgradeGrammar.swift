import HTTPGrammar

/// What the first bytes of a connection are, read strictly.
///
/// A pure function of the bytes, which knows neither sockets nor libraries. Only what is, whole, the one form
/// of upgrade that QRing speaks is an upgrade; whatever departs from it by a byte is HTTP's, which can answer
/// with a problem. Leniency here would let two parsers read the same bytes differently, and one of them has
/// been seen to spin on what it did not expect.
package struct UpgradeGrammar: Sendable {
    package enum Verdict: Equatable, Sendable {
        /// So far a prefix of an upgrade; more bytes decide.
        case incomplete
        /// Plain HTTP, or an attempt at an upgrade that is not ours.
        case http
        /// Exactly one complete and well-formed upgrade request, with nothing behind it.
        case upgrade
    }

    /// The largest head in bytes, its blank line included, that can be an upgrade. More is HTTP's to refuse.
    package let headLimit: Int
    private let requestLine: [UInt8]
    private let subprotocol: [UInt8]

    /// - Parameters:
    ///   - path: the one path that upgrades, matched byte for byte and without a query.
    ///   - subprotocol: the one that a client must offer (RFC 6455 §4.1), matched byte for byte.
    ///   - headLimit: see the property; 8,192 unless told.
    package init(path: String = "/rooms", subprotocol: String = "qring.v1", headLimit: Int = 8_192) {
        precondition(path.utf8.first == UInt8(ascii: "/") && headLimit > 0)
        self.headLimit = headLimit
        self.requestLine = Array("GET \(path) HTTP/1.1\r\n".utf8)
        self.subprotocol = Array(subprotocol.utf8)
    }

    /// Judges everything that has arrived, from the first byte on. Bytes beyond `headLimit` + 1 need not be
    /// given.
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
        // The line that is still arriving: what no field may hold is refused at once, a bare line feed and
        // NUL among it.
        let rest = bytes[lineStart...]
        guard rest.allSatisfy({ HTTPGrammar.isFieldText($0) || $0 == UInt8(ascii: "\r") }) else {
            return .http
        }
        return bytes.count < headLimit ? .incomplete : .http
    }

    /// `judge` over an array.
    package func judge(_ bytes: [UInt8]) -> Verdict {
        bytes.withUnsafeBytes { judge($0) }
    }
}
