/// Close codes of RFC 6455 §7.4.1 and of the rooms.
package enum CloseCode {
    package static let normal: UInt16 = 1000
    /// The server is shutting down: connect again and resume.
    package static let goingAway: UInt16 = 1001
    package static let protocolError: UInt16 = 1002
    /// A binary frame; this protocol has only text.
    package static let unsupportedData: UInt16 = 1003
    /// Never sent. It stands for a close frame without a code.
    package static let noCode: UInt16 = 1005
    /// Never sent. It stands for the end of a connection without a close frame.
    package static let abnormal: UInt16 = 1006
    package static let invalidText: UInt16 = 1007
    package static let policy: UInt16 = 1008
    package static let tooBig: UInt16 = 1009
    /// The client did not read fast enough: connect again and resume.
    package static let slow: UInt16 = 4002

    /// Whether a close frame may carry `code`: one that RFC 6455 §7.4.1 or IANA's registry defines for the
    /// wire, or one of the ranges of §7.4.2 for libraries and applications.
    static func maySend(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// The longest reason, in bytes: a control frame has at most 125, and two of them are the code (RFC 6455
    /// §5.5).
    static let longestReason = 123

    /// Returns `reason`, cut to the longest part that fits, never within a character.
    static func fitting(_ reason: String) -> [UInt8] {
        let bytes = Array(reason.utf8)
        guard bytes.count > longestReason else { return bytes }
        var end = longestReason
        while end > 0, bytes[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
        return Array(bytes[..<end])
    }
}
