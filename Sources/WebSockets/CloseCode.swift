/// The close codes of RFC 6455 §7.4.1, and the ones that this server adds for rooms.
package enum CloseCode {
    package static let normal: UInt16 = 1000
    /// The server is shutting down. The client should connect again and resume.
    package static let goingAway: UInt16 = 1001
    package static let protocolError: UInt16 = 1002
    /// The peer sent a binary frame, but this protocol allows only text frames.
    package static let unsupportedData: UInt16 = 1003
    /// Reported locally if a close frame has no code. This code is never sent.
    package static let noCode: UInt16 = 1005
    /// Reported locally if a connection ends without a close frame. This code is never sent.
    package static let abnormal: UInt16 = 1006
    package static let invalidText: UInt16 = 1007
    package static let policy: UInt16 = 1008
    package static let tooBig: UInt16 = 1009
    /// The client did not read fast enough. The client should connect again and resume.
    package static let slow: UInt16 = 4002

    /// Whether the client should connect again and resume after this code.
    package static func isWorthReconnecting(_ code: UInt16) -> Bool { code == goingAway || code == slow }

    /// Whether a close frame may contain `code`. RFC 6455 §7.4.1 and IANA's registry allow single codes, and
    /// §7.4.2 allows the ranges for libraries and applications.
    static func maySend(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// The longest reason of a close frame, in bytes. A control frame has at most 125 bytes of payload, and
    /// the code uses two of them (RFC 6455 §5.5).
    static let longestReason = 123

    /// Returns the UTF-8 bytes of `reason`, cut to `longestReason` bytes at most. The cut never splits a
    /// character.
    static func fitting(_ reason: String) -> [UInt8] {
        let bytes = Array(reason.utf8)
        guard bytes.count > longestReason else { return bytes }
        var end = longestReason
        while end > 0, bytes[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
        return Array(bytes[..<end])
    }
}
