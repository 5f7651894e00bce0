internal import Glibc
internal import Threads

/// Thousands of watchers on one thread. They use plain sockets and only search each frame for one number. The
/// project's room client would wake a task for each of 40,000 messages per second, and this work would be
/// measured together with the server, on the same cores.
struct Crowd: ~Copyable {
    private struct Watcher {
        enum Stage { case upgrading, joining, watching }

        var stage = Stage.upgrading
        var partial: [UInt8] = []
        var hasReached = false
    }

    /// The most handshakes that run at the same time.
    private static let window = 128
    /// The pause between two reads of all sockets, in microseconds. A read of 2,000 sockets takes 0.1 ms.
    /// This pause is the precision of every measured time.
    private static let pause: UInt32 = 1000
    private static let patience: UInt64 = 20_000_000_000
    private static let ping: UInt8 = 9
    private static let pong: UInt8 = 10
    private static let text: UInt8 = 1
    private static let closeFrame: UInt8 = 8

    private let board: CrowdBoard
    private let stop: StopFlag
    private let join: [UInt8]
    private var watchers: [Watcher] = []
    private var polled: [pollfd] = []
    private var buffer = [UInt8](repeating: 0, count: 262_144)

    /// - Parameter room: the name of the room in the `join` message.
    init(room: String, board: CrowdBoard, stop: StopFlag) {
        self.board = board
        self.stop = stop
        join = FrameScanner.clientFrame(opcode: Self.text, Array(#"{"join":"\#(room)","id":1}"#.utf8))
    }

    deinit { for watcher in polled where watcher.fd >= 0 { close(watcher.fd) } }

    /// Connects `count` watchers. Returns when all watchers have joined the room and received its snapshot.
    mutating func gather(_ count: Int, port: UInt16, token: String) throws(BenchError) {
        let upgrade = Array(
            """
            GET /rooms HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Protocol: qring.v1\r
            Authorization: Bearer \(token)\r
            \r

            """.utf8)
        var lastSign = MonotonicTime.now
        var joined = 0
        while joined < count {
            while watchers.count < count, watchers.count - joined < Self.window {
                let descriptor = try LoopbackSocket.connect(port: port)
                watchers.append(Watcher())
                polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
                guard LoopbackSocket.send(upgrade, on: descriptor) else {
                    throw .crowd(joined: joined, of: count)
                }
            }
            let now = look(waiting: 100)
            let counts = board.counts
            if counts.joined > joined { lastSign = now }
            joined = counts.joined
            if stop.isSet { throw .stopped }
            if counts.lost > 0 || now - lastSign > Self.patience { throw .crowd(joined: joined, of: count) }
        }
    }

    /// Reads all sockets again and again until `hasEnded` or `stop` is set. This function does not wait in
    /// `poll`, because the server's `send` would then wake this thread for each frame, which it does not do
    /// for watchers on other machines.
    /// - Parameter pause: the pause between two reads in microseconds. A longer pause is sufficient if only
    ///   pings are expected.
    mutating func watch(pause: UInt32 = Self.pause, until hasEnded: StopFlag) {
        while !hasEnded.isSet, !stop.isSet {
            usleep(pause)
            look(waiting: 0)
        }
    }

    /// Reads the bytes that have arrived. Returns the time of the read.
    @discardableResult
    private mutating func look(waiting milliseconds: CInt) -> UInt64 {
        var left = poll(&polled, nfds_t(polled.count), milliseconds)
        let goal = board.goal
        var turn = CrowdBoard.Turn()
        for index in polled.indices where left > 0 && polled[index].revents != 0 {
            left -= 1
            read(index, goal, &turn)
        }
        let now = MonotonicTime.now
        board.add(turn, at: now)
        return now
    }

    private mutating func read(_ index: Int, _ goal: Int, _ turn: inout CrowdBoard.Turn) {
        // The beginning of an incomplete frame is copied to the start of the buffer, so that each frame is
        // contiguous.
        let kept = watchers[index].partial.count
        if kept > 0 {
            buffer.replaceSubrange(..<kept, with: watchers[index].partial)
            watchers[index].partial.removeAll(keepingCapacity: false)
        }
        let descriptor = polled[index].fd
        let count = buffer.withUnsafeMutableBytes {
            recv(descriptor, $0.baseAddress! + kept, $0.count - kept, CInt(MSG_DONTWAIT))
        }
        guard count > 0 else {
            if count == 0 || (errno != EAGAIN && errno != EINTR) { lose(index, &turn) }
            return
        }
        turn.bytes += count
        var place = 0
        let end = kept + count
        var isOver = false
        while !isOver {
            let step = buffer.withUnsafeBytes { bytes -> Step in
                watchers[index].stage == .upgrading
                    ? Self.upgradeStep(UnsafeRawBufferPointer(rebasing: bytes[..<end]), place)
                    : Self.frameStep(UnsafeRawBufferPointer(rebasing: bytes[..<end]), place)
            }
            switch step {
            case .wait: isOver = true
            case .refused:
                lose(index, &turn)
                return
            case .upgraded(let next):
                place = next
                watchers[index].stage = .joining
                _ = LoopbackSocket.send(join, on: descriptor)
            case .ping(let payload, let next):
                place = next
                _ = LoopbackSocket.send(FrameScanner.clientFrame(opcode: Self.pong, payload), on: descriptor)
            case .told(let checkedIn, let next):
                place = next
                tell(index, checkedIn, goal, &turn)
            }
        }
        if place < end { watchers[index].partial = Array(buffer[place..<end]) }
    }

    private mutating func tell(_ index: Int, _ checkedIn: Int?, _ goal: Int, _ turn: inout CrowdBoard.Turn) {
        guard let checkedIn else { return }
        if watchers[index].stage == .joining {
            watchers[index].stage = .watching
            turn.joined += 1
        } else {
            turn.seen.append(checkedIn)
        }
        if checkedIn == goal, !watchers[index].hasReached {
            watchers[index].hasReached = true
            turn.reached += 1
        }
    }

    private enum Step {
        case wait
        case refused
        case upgraded(next: Int)
        case ping([UInt8], next: Int)
        /// A text frame. The count is nil if the frame contains none.
        case told(Int?, next: Int)
    }

    private static func upgradeStep(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Step {
        guard let head = AnswerHead(bytes) else { return .wait }
        return head.status == 101 ? .upgraded(next: head.length) : .refused
    }

    private static func frameStep(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Step {
        guard let frame = FrameScanner.frame(in: bytes, at: place) else { return .wait }
        let payload = UnsafeRawBufferPointer(rebasing: bytes[frame.payload])
        switch frame.opcode {
        case closeFrame: return .refused
        case ping: return .ping(Array(payload), next: frame.payload.upperBound)
        default: return .told(FrameScanner.checkedIn(in: payload), next: frame.payload.upperBound)
        }
    }

    private mutating func lose(_ index: Int, _ turn: inout CrowdBoard.Turn) {
        close(polled[index].fd)
        polled[index].fd = -1
        turn.lost += 1
    }
}
