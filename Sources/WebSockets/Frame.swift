/// A text frame that is encoded once for all its receivers. A subscriber at the channel position `from` is at
/// the position `to` after the frame was sent to this subscriber.
package struct Frame: Sendable, Hashable {
    /// The frame's header and payload, as they are sent.
    let bytes: [UInt8]
    package let from: UInt64
    package let to: UInt64

    /// The text that the frame carries.
    var text: ArraySlice<UInt8> {
        switch bytes[1] & 0x7f {
        case 126: bytes[4...]
        case 127: bytes[10...]
        default: bytes[2...]
        }
    }

    /// Encodes one unmasked, final text frame (RFC 6455 §5.2). `text` must be UTF-8. If `from` and `to` are
    /// equal, the server sends the frame to all subscribers at this position, and their position does not
    /// change. `to` must not be less than `from`.
    package static func encode(text: some Collection<UInt8>, from: UInt64, to: UInt64) -> Frame {
        precondition(from <= to, "a frame never goes back")
        return Frame(bytes: FrameFormat.encode(.text, text), from: from, to: to)
    }

    /// Returns the same frame for a subscriber at an earlier position, without encoding it again.
    package func from(_ position: UInt64) -> Frame {
        precondition(position <= to, "a frame never goes back")
        return Frame(bytes: bytes, from: position, to: to)
    }
}

/// The encoding of frames (RFC 6455 §5.2).
enum FrameFormat {
    enum Opcode: UInt8 {
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xa
    }

    /// Encodes one final frame. A client must pass a `mask`, because a client must mask its frames (§5.3).
    static func encode(_ opcode: Opcode, _ payload: some Collection<UInt8>, mask: UInt32? = nil) -> [UInt8] {
        let count = payload.count
        let masked: UInt8 = mask == nil ? 0 : 0x80
        var bytes: [UInt8] = []
        bytes.reserveCapacity(14 + count)
        bytes.append(0x80 | opcode.rawValue)
        switch count {
        case ..<126:
            bytes.append(masked | UInt8(count))
        case ..<65_536:
            bytes.append(masked | 126)
            bytes.append(UInt8(truncatingIfNeeded: count >> 8))
            bytes.append(UInt8(truncatingIfNeeded: count))
        default:
            bytes.append(masked | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: count >> shift))
            }
        }
        guard let mask else {
            bytes.append(contentsOf: payload)
            return bytes
        }
        let key = (0..<4).map { UInt8(truncatingIfNeeded: mask >> (24 - 8 * $0)) }
        bytes.append(contentsOf: key)
        var index = 0
        for byte in payload {
            bytes.append(byte ^ key[index & 3])
            index += 1
        }
        return bytes
    }

    /// Encodes a close frame. The frame has no body if `code` is 1005 (§7.1.5).
    static func close(code: UInt16, reason: [UInt8] = [], mask: UInt32? = nil) -> [UInt8] {
        encode(
            .close, code == CloseCode.noCode ? [] : [UInt8(code >> 8), UInt8(code & 0xff)] + reason,
            mask: mask)
    }

    /// A ping frame with a payload of one byte, because libwebsockets does not report empty pings and pongs
    /// to its clients.
    static let ping = encode(.ping, [UInt8(ascii: "q")])
}
