/// A run of consecutive frames of one channel. Each frame begins at the position where the previous frame
/// ends. The loop sends a run with one write, so that eight pending frames cost one system call per client
/// instead of eight.
struct FrameRun {
    /// The most bytes of one run. If a client does not accept the whole write, libwebsockets buffers the
    /// rest. A longer run would therefore cost more memory for each client that never reads.
    static let mostBytes = 16_384

    private(set) var bytes: [UInt8]
    private(set) var to: UInt64
    /// The position of each frame in the channel, and its offset in `bytes`.
    private var starts: [(position: UInt64, offset: Int)]

    /// The frames of the run, one by one.
    var frames: [Frame] {
        starts.indices.map { index in
            let isLast = index + 1 == starts.count
            return Frame(
                bytes: Array(bytes[starts[index].offset..<(isLast ? bytes.count : starts[index + 1].offset)]),
                from: starts[index].position, to: isLast ? to : starts[index + 1].position)
        }
    }

    init(_ frame: Frame) {
        bytes = frame.bytes
        to = frame.to
        starts = [(frame.from, 0)]
    }

    /// Adds a frame to the run. Returns false and adds nothing if the frame does not continue the run or does
    /// not fit.
    mutating func append(_ frame: Frame) -> Bool {
        guard frame.from == to, bytes.count + frame.bytes.count <= Self.mostBytes else { return false }
        add(frame)
        return true
    }

    /// Adds a frame that continues the run, whatever its size.
    mutating func add(_ frame: Frame) {
        starts.append((frame.from, bytes.count))
        bytes += frame.bytes
        to = frame.to
    }

    /// Returns the part of the run for a subscriber at `position`: the offset in `bytes`, and the number of
    /// frames. Returns `nil` if no frame begins at `position`.
    @inline(__always)
    func share(of position: UInt64) -> (offset: Int, frames: Int)? {
        if position == starts[0].position { return (0, starts.count) }
        guard position > starts[0].position, let first = starts.firstIndex(where: { $0.position == position })
        else { return nil }
        return (starts[first].offset, starts.count - first)
    }
}
