internal import Glibc
internal import Threads

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
