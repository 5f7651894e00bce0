import CLibWebSockets

/// Whether a client masks its frames. RFC 6455 §5.1: a server "MUST close the connection upon receiving a frame that is not masked".
///
/// The library keeps the mask bit to itself. But a mask has four bytes, and the kernel counts what came: whoever sent less than the upgrade and
/// the messages come to with masks has sent one without. Pings, pongs and fragments that are still arriving only ever add to what came, so that
/// a client that masks is never taken for one that does not; one that does not is found at its first message, or hides four bytes a message by
/// sending as much beside them.
struct MaskCount {
    /// The least that has come, where everything was masked; nil where it is not known what the upgrade's share was.
    private var least: Int64?
    /// Payload of the frame that is arriving.
    private var frame: Int64 = 0

    /// - Parameter head: bytes of the upgrade, its blank line included.
    mutating func begin(head: Int64) { least = head > 0 ? head : nil }

    /// - Parameter isEnd: whether the frame ends with this piece.
    mutating func took(_ payload: Int, isEnd: Bool) {
        frame += Int64(payload)
        guard isEnd else { return }
        // RFC 6455 §5.2: two bytes, the length's further ones, and the mask.
        let header: Int64 = frame < 126 ? 6 : frame < 65_536 ? 8 : 14
        least = least.map { $0 + header + frame }
        frame = 0
    }

    /// - Parameter taken: bytes that have come since the connection began, or -1 where that is not known.
    func isBroken(taken: Int64) -> Bool {
        guard let least, taken >= 0 else { return false }
        return taken < least
    }

    func isBroken(_ wsi: OpaquePointer?) -> Bool {
        guard let wsi, least != nil else { return false }
        return isBroken(taken: qring_lws_bytes_come(wsi))
    }
}
