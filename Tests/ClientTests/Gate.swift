import Glibc
import Synchronization

/// A barrier that opens when `count` threads wait. Only threads of the test's server may wait, because
/// waiting blocks the thread.
final class Gate: Sendable {
    private let missing: Mutex<Int>
    private let pipe: (read: Int32, write: Int32)

    init(_ count: Int) {
        missing = Mutex(count)
        var ends: [Int32] = [0, 0]
        _ = Glibc.pipe(&ends)
        pipe = (ends[0], ends[1])
    }

    /// Waits until `count` threads have called this function. Each thread reads from a pipe, which blocks
    /// until the last thread closes the write end.
    func wait() {
        let isLast = missing.withLock { missing in
            missing -= 1
            return missing == 0
        }
        if isLast { close(pipe.write) }
        var byte: UInt8 = 0
        _ = read(pipe.read, &byte, 1)
    }

    deinit { close(pipe.read) }
}
