/// Frames of one channel that were published one after the other; each begins where the one before ends. They
/// leave in one write: eight pending frames then cost one system call per client instead of eight.
struct FrameRun {
    /// The most bytes of one write. If a client does not take a write, the library buffers the rest: a longer
    /// run would cost more memory for each client that never reads.
    static let mostBytes = 16_384

    private(set) var bytes: [UInt8]
    private(set) var to: UInt64
    /// The beginning of each frame, in the channel and in `bytes`.
    private var starts: [(position: UInt64, offset: Int)]

    init(_ frame: Frame) {
        bytes = frame.bytes
        to = frame.to
        starts = [(frame.from, 0)]
    }

    /// Adds a frame. Returns false if the frame does not continue the run or does not fit.
    mutating func append(_ frame: Frame) -> Bool {
        guard frame.from == to, bytes.count + frame.bytes.count <= Self.mostBytes else { return false }
        starts.append((frame.from, bytes.count))
        bytes += frame.bytes
        to = frame.to
        return true
    }

    /// The part of `bytes` for a subscriber at `position`: its offset, and its number of frames. `nil` if no
    /// frame begins at that position.
    @inline(__always)
    func share(of position: UInt64) -> (offset: Int, frames: Int)? {
        if position == starts[0].position { return (0, starts.count) }
        guard position > starts[0].position, let first = starts.firstIndex(where: { $0.position == position })
        else { return nil }
        return (starts[first].offset, starts.count - first)
    }
}
