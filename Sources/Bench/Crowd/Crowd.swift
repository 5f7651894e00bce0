internal import Glibc
internal import Threads

/// Simulates thousands of watchers on one thread. It uses plain sockets and searches frames for one number.
/// The project's room client would wake a task for every message. At 40,000 messages a second, this would
/// take processor time from the server on the same cores.
struct Crowd: ~Copyable {
    /// The protocol that the watchers speak.
    package enum Client: String, Sendable {
        case rooms
        /// Socket.IO 5 on Engine.IO 4, by websocket.
        case socketIO
    }

    private struct Watcher {
        enum Stage { case upgrading, joining, watching }

        var stage = Stage.upgrading
        var partial: [UInt8] = []
        var hasReached = false
    }

    /// The maximum number of handshakes at the same time.
    private static let window = 128
    /// The pause between two polls of all sockets, in microseconds. A poll costs 0.1 ms for 2,000 sockets.
    /// The pause is the precision of all times that the crowd measures.
    private static let pause: UInt32 = 1000
    private static let patience: UInt64 = 20_000_000_000
    private static let ping: UInt8 = 9
    private static let pong: UInt8 = 10
    private static let text: UInt8 = 1
    private static let closeFrame: UInt8 = 8

    private let board: CrowdBoard
    private let stop: StopFlag
    private let client: Client
    private let join: [UInt8]
    private var watchers: [Watcher] = []
    private var polled: [pollfd] = []
    private var buffer = [UInt8](repeating: 0, count: 262_144)

    /// - Parameter room: the room's name in a `join` message.
    init(room: String, client: Client, board: CrowdBoard, stop: StopFlag) {
        self.board = board
        self.stop = stop
        self.client = client
        let messages =
            switch client {
            case .rooms: [#"{"join":"\#(room)","id":1}"#]
            case .socketIO: ["40", #"421["join",{"room":"\#(room)"}]"#]
            }
        join = messages.flatMap { FrameScanner.clientFrame(opcode: Self.text, Array($0.utf8)) }
    }

    deinit { for watcher in polled where watcher.fd >= 0 { close(watcher.fd) } }

    /// Connects the watchers. Returns when all of them have joined the room and received their snapshot.
    mutating func gather(_ count: Int, port: UInt16, token: String) throws(BenchError) {
        let (path, subprotocol) =
            switch client {
            case .rooms: ("/rooms", "Sec-WebSocket-Protocol: qring.v1\r\n")
            case .socketIO: ("/socket.io/?EIO=4&transport=websocket", "")
            }
        let upgrade = Array(
            """
            GET \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r
            Sec-WebSocket-Version: 13\r
            \(subprotocol)Authorization: Bearer \(token)\r
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

    /// Reads frames until `hasEnded` is set or the benchmark stops. This function does not block in `poll`,
    /// because the server's `send` would then wake this thread for each frame. Watchers on other machines do
    /// not cause this work.
    /// - Parameter pause: the microseconds between two polls; longer if only pings are expected.
    mutating func watch(pause: UInt32 = Self.pause, until hasEnded: StopFlag) {
        while !hasEnded.isSet, !stop.isSet {
            usleep(pause)
            look(waiting: 0)
        }
    }

    /// Reads the received frames of all sockets. Returns the time after this work.
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
        // Put the rest of an earlier read first, so that each frame is in one piece.
        let unread = watchers[index].partial.count
        if unread > 0 {
            buffer.replaceSubrange(..<unread, with: watchers[index].partial)
            watchers[index].partial.removeAll(keepingCapacity: false)
        }
        let descriptor = polled[index].fd
        let count = buffer.withUnsafeMutableBytes {
            recv(descriptor, $0.baseAddress! + unread, $0.count - unread, CInt(MSG_DONTWAIT))
        }
        guard count > 0 else {
            if count == 0 || (errno != EAGAIN && errno != EINTR) { lose(index, &turn) }
            return
        }
        turn.bytes += count
        var offset = 0
        let end = unread + count
        var isOver = false
        while !isOver {
            let result = buffer.withUnsafeBytes { bytes -> ReadResult in
                watchers[index].stage == .upgrading
                    ? Self.readUpgrade(UnsafeRawBufferPointer(rebasing: bytes[..<end]), offset)
                    : Self.readFrame(UnsafeRawBufferPointer(rebasing: bytes[..<end]), offset)
            }
            switch result {
            case .wait: isOver = true
            case .refused:
                lose(index, &turn)
                return
            case .upgraded(let next):
                offset = next
                watchers[index].stage = .joining
                _ = LoopbackSocket.send(join, on: descriptor)
            case .ping(let payload, let next):
                offset = next
                _ = LoopbackSocket.send(FrameScanner.clientFrame(opcode: Self.pong, payload), on: descriptor)
            case .packetPing(let next):
                offset = next
                let pong = FrameScanner.clientFrame(opcode: Self.text, Array("3".utf8))
                _ = LoopbackSocket.send(pong, on: descriptor)
            case .frame(let checkedIn, let next):
                offset = next
                receive(index, checkedIn, goal, &turn)
            }
        }
        if offset < end { watchers[index].partial = Array(buffer[offset..<end]) }
    }

    private mutating func receive(_ index: Int, _ checkedIn: Int?, _ goal: Int, _ turn: inout CrowdBoard.Turn)
    {
        turn.frames += 1
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

    private enum ReadResult {
        case wait
        case refused
        case upgraded(next: Int)
        case ping([UInt8], next: Int)
        /// The heartbeat of Engine.IO.
        case packetPing(next: Int)
        /// A text frame with the number of check-ins; nil if the frame has no whole counts.
        case frame(Int?, next: Int)
    }

    private static func readUpgrade(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> ReadResult {
        guard let head = AnswerHead(bytes) else { return .wait }
        return head.status == 101 ? .upgraded(next: head.length) : .refused
    }

    private static func readFrame(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> ReadResult {
        guard let frame = FrameScanner.frame(in: bytes, at: offset) else { return .wait }
        let payload = UnsafeRawBufferPointer(rebasing: bytes[frame.payload])
        switch frame.opcode {
        case closeFrame: return .refused
        case ping: return .ping(Array(payload), next: frame.payload.upperBound)
        default:
            if payload.count == 1, payload[0] == UInt8(ascii: "2") {
                return .packetPing(next: frame.payload.upperBound)
            }
            return .frame(FrameScanner.checkedIn(in: payload), next: frame.payload.upperBound)
        }
    }

    private mutating func lose(_ index: Int, _ turn: inout CrowdBoard.Turn) {
        close(polled[index].fd)
        polled[index].fd = -1
        turn.lost += 1
    }
}
