import Glibc
import Synchronization

/// Opens when `count` threads wait at it. On threads of the test's own server only.
final class Gate: Sendable {
    private let missing: Mutex<Int>
    private let pipe: (read: Int32, write: Int32)

    init(_ count: Int) {
        missing = Mutex(count)
        var ends: [Int32] = [0, 0]
        _ = Glibc.pipe(&ends)
        pipe = (ends[0], ends[1])
    }

    /// Reading blocks until the last one closes the other end.
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
