import Glibc
import Synchronization
import Threads

/// A thread whose work can fail. Another thread can wait for its end.
final class WatcherThread: Sendable {
    private final class Outcome: Sendable {
        let failure = Mutex<BenchError?>(nil)
    }

    private let outcome = Outcome()
    private let thread = LoopThread(named: "watchers")

    init(_ work: @escaping @Sendable () -> BenchError?) {
        do throws(ThreadNotStarted) {
            try thread.start { [outcome] in
                let failure = work()
                outcome.failure.withLock { $0 = failure }
            }
        } catch {
            preconditionFailure("no thread for the watchers: errno \(error.errno)")
        }
    }

    /// The failure of the thread's work; nil while the thread is running, or if its work did not fail.
    var failure: BenchError? { outcome.failure.withLock { $0 } }

    /// Waits until the thread has ended.
    func wait() { thread.join() }
}

/// Simulates one active watcher among passive ones. Its response times show the delay that a busy event loop
/// causes for others.
enum EchoWatcher {
    /// Sends one `{"ping": n}` message every `interval` nanoseconds and returns the response times in
    /// nanoseconds.
    static func latencies(
        port: UInt16, token: String, until end: UInt64, interval: UInt64, stop: StopFlag
    ) throws(BenchError) -> [UInt64] {
        let descriptor = try LoopbackSocket.connect(port: port)
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let upgrade = """
            GET /rooms HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\
            Sec-WebSocket-Protocol: qring.v1\r\n\
            Authorization: Bearer \(token)\r\n\r\n
            """
        var buffer = [UInt8](repeating: 0, count: 4096)
        guard LoopbackSocket.send(Array(upgrade.utf8), on: descriptor),
            recv(descriptor, &buffer, buffer.count, 0) > 12
        else {
            throw .crowd(joined: 0, of: 1)
        }
        var latencies: [UInt64] = []
        var next = MonotonicTime.now
        while next < end, !stop.isSet {
            let now = MonotonicTime.now
            if now < next { usleep(UInt32((next - now) / 1000) + 1) }
            let started = MonotonicTime.now
            let message = FrameScanner.clientFrame(opcode: 1, Array(#"{"ping":1}"#.utf8))
            guard LoopbackSocket.send(message, on: descriptor), recv(descriptor, &buffer, buffer.count, 0) > 0
            else {
                throw .system(call: "recv", reason: "no pong")
            }
            latencies.append(MonotonicTime.now - started)
            next += interval
        }
        return latencies
    }
}

/// Parses frames from a server (RFC 6455 §5.2: never masked), as far as a counting watcher needs them.
package enum FrameScanner {
    package struct Found: Equatable, Sendable {
        package let opcode: UInt8
        package let payload: Range<Int>
    }

    /// Returns the frame that begins at `start`; nil if the frame is incomplete.
    package static func frame(in bytes: UnsafeRawBufferPointer, at start: Int) -> Found? {
        guard bytes.count - start >= 2 else { return nil }
        var length = Int(bytes[start + 1] & 0x7F)
        var header = 2
        if length == 126 {
            header = 4
            guard bytes.count - start >= header else { return nil }
            length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
        } else if length == 127 {
            header = 10
            guard bytes.count - start >= header else { return nil }
            length = (2..<10).reduce(0) { $0 << 8 | Int(bytes[start + $1]) }
        }
        guard bytes.count - start - header >= length else { return nil }
        return Found(opcode: bytes[start] & 0x0F, payload: (start + header)..<(start + header + length))
    }

    /// Returns the number of checked-in attendees; nil if the frame has no whole counts.
    package static func checkedIn(in payload: UnsafeRawBufferPointer) -> Int? {
        let name: StaticString = "\"checkedIn\":"
        guard let found = ByteSearch.first(name, in: payload) else { return nil }
        var offset = found + name.utf8CodeUnitCount
        var number = 0
        var hasDigits = false
        while offset < payload.count, payload[offset] >= 48, payload[offset] <= 57 {
            number = number * 10 + Int(payload[offset] - 48)
            hasDigits = true
            offset += 1
        }
        return hasDigits ? number : nil
    }

    /// Returns a client's frame with at most 125 bytes. Its masking key is zero, which RFC 6455 permits, so
    /// masking does not change the payload.
    package static func clientFrame(opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        precondition(payload.count <= 125)
        return [0x80 | opcode, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
    }
}
