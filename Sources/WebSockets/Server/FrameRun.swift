/// Frames of one channel that were published one after the other, each leading where the next begins. They
/// leave in one write: a client's share of eight pending frames then costs one call into the kernel instead
/// of eight.
struct FrameRun {
    /// So much may leave at once. Of one write that a client does not take, the rest waits in this process: a
    /// longer run would cost as much more for each of a thousand that never read.
    static let mostBytes = 16_384

    private(set) var bytes: [UInt8]
    private(set) var to: UInt64
    /// Where each frame begins, in the channel and in `bytes`.
    private var starts: [(position: UInt64, offset: Int)]

    init(_ frame: Frame) {
        bytes = frame.bytes
        to = frame.to
        starts = [(frame.from, 0)]
    }

    /// `false` where `frame` does not continue it, or no longer fits.
    mutating func append(_ frame: Frame) -> Bool {
        guard frame.from == to, bytes.count + frame.bytes.count <= Self.mostBytes else { return false }
        starts.append((frame.from, bytes.count))
        bytes += frame.bytes
        to = frame.to
        return true
    }

    /// From where in `bytes` on it is for somebody who stands at `position`, and how many frames that is.
    /// `nil` for who stands elsewhere.
    @inline(__always)
    func share(of position: UInt64) -> (offset: Int, frames: Int)? {
        if position == starts[0].position { return (0, starts.count) }
        guard position > starts[0].position, let first = starts.firstIndex(where: { $0.position == position })
        else { return nil }
        return (starts[first].offset, starts.count - first)
    }
}
