import FoundationEssentials

/// The version of the Engine.IO protocol that a client speaks. A client without `EIO` speaks version 3.
package enum EngineVersion: Int, Sendable, CaseIterable {
    case three = 3
    case four = 4
}

/// A packet of Engine.IO, <https://github.com/socketio/engine.io-protocol>.
package struct EnginePacket: Hashable, Sendable {
    package enum Kind: UInt8, Sendable, CaseIterable {
        case open = 0
        case close, ping, pong, message, upgrade, noop
    }

    package let kind: Kind
    /// UTF-8 text, or the bytes of a binary message.
    package let data: [UInt8]
    package let isBinary: Bool

    package init(_ kind: Kind, _ data: [UInt8] = []) {
        (self.kind, self.data, isBinary) = (kind, data, false)
    }

    /// Makes a binary message.
    package init(binary data: [UInt8]) {
        (kind, self.data, isBinary) = (.message, data, true)
    }

    /// Reads the packet of a text frame: a digit and the data. Returns nil if it is malformed.
    package init?(text: some Collection<UInt8>) {
        guard let first = text.first, let kind = Kind(digit: first) else { return nil }
        self.init(kind, Array(text.dropFirst()))
    }

    /// Reads the message of a binary frame. In version 3, the first byte is the kind of the packet.
    package init?(binaryFrame bytes: [UInt8], _ version: EngineVersion) {
        switch version {
        case .four: self.init(binary: bytes)
        case .three:
            guard bytes.first == Kind.message.rawValue else { return nil }
            self.init(binary: Array(bytes.dropFirst()))
        }
    }

    /// The bytes of a binary frame for a binary message.
    package func binaryFrame(_ version: EngineVersion) -> [UInt8] {
        version == .three ? [Kind.message.rawValue] + data : data
    }

    /// The packet as text. Binary data is in base64.
    package func text(_ version: EngineVersion) -> [UInt8] {
        guard isBinary else { return [UInt8(ascii: "0") + kind.rawValue] + data }
        return Array((version == .three ? "b4" : "b").utf8) + Data(data).base64EncodedData()
    }

    /// Reads a packet of a payload of text.
    private init?(payloadText text: some Collection<UInt8>, _ version: EngineVersion) {
        guard text.first == UInt8(ascii: "b") else {
            self.init(text: text)
            return
        }
        let rest = text.dropFirst()
        guard version == .four || rest.first == UInt8(ascii: "4"),
            let data = decodedBase64(version == .three ? Array(rest.dropFirst()) : Array(rest))
        else { return nil }
        self.init(binary: data)
    }
}

extension EnginePacket.Kind {
    fileprivate init?(digit: UInt8) {
        guard digit >= UInt8(ascii: "0"), let kind = Self(rawValue: digit - UInt8(ascii: "0")) else {
            return nil
        }
        self = kind
    }
}

/// A payload: the packets of one polling request or response.
package enum EnginePayload {
    /// The most packets of one payload.
    package static let mostPackets = 256
    private static let separator: UInt8 = 0x1e

    /// Joins packets that are texts already. `packets` must not be empty.
    package static func join(_ packets: [[UInt8]], _ version: EngineVersion) -> [UInt8] {
        switch version {
        case .four: Array(packets.joined(separator: [separator]))
        case .three:
            packets.reduce(into: []) { bytes, packet in
                bytes += Array("\(utf16Length(of: packet)):".utf8) + packet
            }
        }
    }

    /// Reads the packets of a payload. Returns nil if it is malformed or has too many packets.
    package static func split(_ bytes: [UInt8], _ version: EngineVersion) -> [EnginePacket]? {
        switch version {
        case .four:
            let parts = bytes.split(separator: separator, omittingEmptySubsequences: false)
            guard parts.count <= mostPackets else { return nil }
            return all(parts) { EnginePacket(payload: $0, .four) }
        case .three:
            return bytes.first.map { $0 < 2 } ?? false ? splitBinary(bytes[...]) : splitText(bytes[...])
        }
    }

    private static func all<Part>(_ parts: [Part], _ read: (Part) -> EnginePacket?) -> [EnginePacket]? {
        var packets: [EnginePacket] = []
        for part in parts {
            guard let packet = read(part) else { return nil }
            packets.append(packet)
        }
        return packets
    }

    /// Reads `<length>:<packet>` again and again. JavaScript counts the length in UTF-16 code units.
    private static func splitText(_ bytes: ArraySlice<UInt8>) -> [EnginePacket]? {
        var (rest, packets) = (bytes, [EnginePacket]())
        while !rest.isEmpty {
            guard let colon = rest.firstIndex(of: UInt8(ascii: ":")),
                let length = number(rest[..<colon]), packets.count < mostPackets
            else { return nil }
            rest = rest[(colon + 1)...]
            guard let end = self.end(of: length, in: rest),
                let packet = EnginePacket(payload: rest[..<end], .three)
            else { return nil }
            packets.append(packet)
            rest = rest[end...]
        }
        return packets.isEmpty ? nil : packets
    }

    /// Reads packets of version 3's binary payload: 0 for text or 1 for binary, the digits of the length as
    /// bytes, 255, and the packet.
    private static func splitBinary(_ bytes: ArraySlice<UInt8>) -> [EnginePacket]? {
        var (rest, packets) = (bytes, [EnginePacket]())
        while let first = rest.first {
            guard first < 2, let mark = rest.firstIndex(of: 255), packets.count < mostPackets,
                let length = number(rest[(rest.startIndex + 1)..<mark].map { $0 &+ UInt8(ascii: "0") })
            else { return nil }
            rest = rest[(mark + 1)...]
            guard length <= rest.count else { return nil }
            let data = rest.prefix(length)
            guard
                let packet = first == 1
                    ? EnginePacket(binaryFrame: Array(data), .three) : EnginePacket(text: data)
            else { return nil }
            packets.append(packet)
            rest = rest.dropFirst(length)
        }
        return packets
    }

    /// Reads a length of one to six digits.
    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard (1...6).contains(digits.count) else { return nil }
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    /// Returns the index after `length` UTF-16 code units of UTF-8; nil if the bytes are fewer.
    private static func end(of length: Int, in bytes: ArraySlice<UInt8>) -> Int? {
        var (index, left) = (bytes.startIndex, length)
        while left > 0 {
            guard index < bytes.endIndex else { return nil }
            let size = size(of: bytes[index])
            left -= size == 4 ? 2 : 1
            index += size
        }
        return left == 0 && index <= bytes.endIndex ? index : nil
    }

    private static func utf16Length(of bytes: [UInt8]) -> Int {
        var length = 0
        for byte in bytes where byte & 0xc0 != 0x80 { length += byte >= 0xf0 ? 2 : 1 }
        return length
    }

    /// The number of bytes of the UTF-8 character that begins with `byte`.
    private static func size(of byte: UInt8) -> Int {
        switch byte {
        case 0xf0...: 4
        case 0xe0...: 3
        case 0xc0...: 2
        default: 1
        }
    }
}

extension EnginePacket {
    fileprivate init?(payload text: ArraySlice<UInt8>, _ version: EngineVersion) {
        self.init(payloadText: text, version)
    }
}

/// Decodes base64 (RFC 4648 §4). Returns nil unless an encoder makes the same text.
private func decodedBase64(_ text: [UInt8]) -> [UInt8]? {
    guard let data = Data(base64Encoded: Data(text)), data.base64EncodedData() == Data(text) else {
        return nil
    }
    return Array(data)
}
