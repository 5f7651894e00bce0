import HTTPGrammar

/// Which of the fields that an upgrade needs (RFC 6455 §4.2.1) have been seen, once each and with the one
/// value they may have.
struct RequiredFields {
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

    /// Fields that announce a body or another protocol. An upgrade with any of them is HTTP's to refuse.
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

    /// False where this field makes the request something else than an upgrade.
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
