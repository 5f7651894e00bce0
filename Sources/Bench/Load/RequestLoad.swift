import Glibc
import Threads

/// Sends requests over persistent connections. Each connection waits for the response before its next
/// request. One thread calls one `poll` and parses only the status, because it shares the processor with the
/// server.
struct RequestLoad: ~Copyable {
    /// The limit at which sending stops. Responses to requests that are already sent are still received.
    struct Bound: Sendable {
        var until: UInt64 = .max
        var count = Int.max
        /// The nanoseconds from one request to the next; 0 to send as fast as connections are free.
        var interval: UInt64 = 0
        /// Ends the sending; nil if only the other limits do.
        var end: StopFlag?
    }

    struct Outcome: Sendable {
        var latencies: [UInt64] = []
        /// The moments at which the requests of `latencies` were sent.
        var sentAt: [UInt64] = []
        /// The number of responses with another status than the accepted ones, and of lost connections.
        var refused = 0
        var firstRefusal: Int?
        var startedAt: UInt64 = 0
        var lastAnswerAt: UInt64 = 0

        var rate: Double { Double(latencies.count) / max(1e-9, (lastAnswerAt - startedAt).seconds) }
    }

    private struct Connection {
        let descriptor: CInt
        var sentAt: UInt64 = 0
        var isWaiting = false
        /// The first part of an incomplete response.
        var partial: [UInt8] = []
    }

    private static let patience: UInt64 = 10_000_000_000

    private let accepted: ClosedRange<Int>
    private let request: @Sendable (Int) -> [UInt8]
    private let stop: StopFlag
    private var connections: [Connection] = []
    private var polled: [pollfd] = []
    private var free: [Int] = []
    private var next = 0
    private var lost = 0
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// - Parameters:
    ///   - ports: the ports of the servers; the connections are divided equally among them.
    ///   - accepted: the statuses of the responses that count. The default is that of a check-in.
    ///   - request: returns the bytes of the request with a number; the first number is 0.
    init(
        ports: [UInt16], connections count: Int, accepting accepted: ClosedRange<Int> = 201...201,
        stop: StopFlag, request: @escaping @Sendable (Int) -> [UInt8]
    ) throws(BenchError) {
        precondition(!ports.isEmpty, "no server")
        self.accepted = accepted
        self.request = request
        self.stop = stop
        for index in 0..<count {
            let descriptor = try LoopbackSocket.connect(port: ports[index % ports.count])
            connections.append(Connection(descriptor: descriptor))
            polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            free.append(count - 1 - index)
        }
    }

    init(
        port: UInt16, connections: Int, accepting accepted: ClosedRange<Int> = 201...201, stop: StopFlag,
        request: @escaping @Sendable (Int) -> [UInt8]
    ) throws(BenchError) {
        try self.init(
            ports: [port], connections: connections, accepting: accepted, stop: stop, request: request)
    }

    deinit { for connection in connections where connection.descriptor >= 0 { close(connection.descriptor) } }

    /// Sends requests up to a limit.
    /// - Parameters:
    ///   - sent: receives the number of each request and the time, just before the request is sent.
    ///   - answered: receives the head and the body of each accepted response.
    mutating func run(
        _ bound: Bound, sent: (Int, UInt64) -> Void = { _, _ in },
        answered: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) -> Outcome {
        var outcome = Outcome()
        var now = MonotonicTime.now
        outcome.startedAt = now
        outcome.lastAnswerAt = now
        outcome.latencies.reserveCapacity(bound.count == .max ? 100_000 : bound.count)
        var nextStart = now
        var started = 0
        var lastSign = now
        while !stop.isSet {
            let maySend = now < bound.until && started < bound.count && bound.end?.isSet != true
            while maySend, started < bound.count, now >= nextStart, let index = free.popLast() {
                connections[index].sentAt = now
                connections[index].isWaiting = true
                sent(next, now)
                let isSent = LoopbackSocket.send(request(next), on: connections[index].descriptor)
                next += 1
                started += 1
                if bound.interval > 0 { nextStart += bound.interval }
                if !isSent { lose(index, &outcome) }
            }
            let underWay = started - outcome.latencies.count - outcome.refused
            if underWay == 0, !maySend || started >= bound.count || connections.count == lost { break }
            if underWay > 0, now - lastSign > Self.patience { break }
            let wait =
                maySend && !free.isEmpty && bound.interval > 0
                ? min(100, (max(nextStart, now) - now) / 1_000_000 + 1) : 100
            let ready = poll(&polled, nfds_t(polled.count), CInt(wait))
            now = MonotonicTime.now
            if ready > 0 {
                lastSign = now
                readAll(ready, now, &outcome, answered)
            }
        }
        outcome.refused += started - outcome.latencies.count - outcome.refused
        return outcome
    }

    private mutating func readAll(
        _ ready: CInt, _ now: UInt64, _ outcome: inout Outcome, _ answered: (UnsafeRawBufferPointer) -> Void
    ) {
        var left = ready
        for index in polled.indices where polled[index].revents != 0 {
            read(index, now, &outcome, answered)
            left -= 1
            if left == 0 { return }
        }
    }

    private mutating func read(
        _ index: Int, _ now: UInt64, _ outcome: inout Outcome, _ answered: (UnsafeRawBufferPointer) -> Void
    ) {
        let count = recv(connections[index].descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
        guard count > 0 else {
            if count == 0 || (errno != EAGAIN && errno != EINTR) { lose(index, &outcome) }
            return
        }
        let status: Int?
        if connections[index].partial.isEmpty {
            status = buffer.withUnsafeBytes {
                Self.status(ofWhole: UnsafeRawBufferPointer(rebasing: $0[..<count]), accepted, answered)
            }
            if status == nil { connections[index].partial = Array(buffer[..<count]) }
        } else {
            connections[index].partial += buffer[..<count]
            status = connections[index].partial.withUnsafeBytes {
                Self.status(ofWhole: $0, accepted, answered)
            }
            if status != nil { connections[index].partial.removeAll(keepingCapacity: true) }
        }
        guard let status else { return }
        free.append(index)
        connections[index].isWaiting = false
        outcome.lastAnswerAt = now
        if accepted.contains(status) {
            outcome.latencies.append(now - connections[index].sentAt)
            outcome.sentAt.append(connections[index].sentAt)
        } else {
            outcome.refused += 1
            outcome.firstRefusal = outcome.firstRefusal ?? status
        }
    }

    /// Returns nil if the response is incomplete.
    private static func status(
        ofWhole bytes: UnsafeRawBufferPointer, _ accepted: ClosedRange<Int>,
        _ answered: (UnsafeRawBufferPointer) -> Void
    ) -> Int? {
        guard let head = AnswerHead(bytes), bytes.count >= head.length else { return nil }
        if accepted.contains(head.status) { answered(bytes) }
        return head.status
    }

    private mutating func lose(_ index: Int, _ outcome: inout Outcome) {
        guard polled[index].fd >= 0 else { return }
        // poll(2): "If this field is negative, then the corresponding events field is ignored".
        polled[index].fd = -1
        lost += 1
        free.removeAll { $0 == index }
        guard connections[index].isWaiting else { return }
        outcome.refused += 1
        outcome.firstRefusal = outcome.firstRefusal ?? 0
    }
}

/// Check-in requests as bytes. The requests are built once; for each person, only the digits in them change.
package struct CheckInRequests: Sendable {
    private static let digits = 8
    /// The maximum number of people in a session.
    package static let mostInSession = 90_000

    private let texts: [[UInt8]]
    private let offsets: [Int]
    private let inTurn: Bool

    /// - Parameters:
    ///   - codes: one check-in code for each session, all of the same length. The first 90,000 people use the
    ///     first code, the next 90,000 the second, and so on.
    ///   - inTurn: whether people use all codes in turn instead.
    ///   - name: the name of all people; a number follows.
    package init(codes: [String], named name: String = "Attendee", port: UInt16, inTurn: Bool = false) {
        self.inTurn = inTurn
        let nobody = String(repeating: "0", count: Self.digits)
        let requests = codes.map { code in
            let body =
                #"""
                {"code":"\#(code)","name":"\#(name) \#(nobody)",\#
                "email":"attendee-\#(nobody)@bench.example"}
                """#
            return Array(
                """
                POST /api/v1/check-ins HTTP/1.1\r
                Host: 127.0.0.1:\(port)\r
                Content-Type: application/json\r
                Content-Length: \(body.utf8.count)\r
                \r
                \(body)
                """.utf8)
        }
        texts = requests
        let first = requests.first ?? []
        offsets =
            Self.offsets(of: "\(name) \(nobody)", in: first, skipping: name.utf8.count + 1)
            + Self.offsets(of: "attendee-\(nobody)", in: first, skipping: 9)
    }

    /// Returns a different number for each person below 10⁸, because the factor and 10⁸ have no common
    /// divisor.
    static func shuffled(_ person: Int) -> Int { person * 61_803_399 % 100_000_000 }

    private static func offsets(of text: String, in bytes: [UInt8], skipping count: Int) -> [Int] {
        let text = Array(text.utf8)
        guard bytes.count >= text.count else { return [] }
        return (0...(bytes.count - text.count)).filter { bytes[$0..<($0 + text.count)].elementsEqual(text) }
            .map { $0 + count }
    }

    /// Returns the request of the person with this number; the first number is 0. The names and addresses are
    /// all different and not sorted, as in reality. Sorted names would be neighbours in the database's index,
    /// and commits would be smaller than in a real session.
    package func bytes(for person: Int) -> [UInt8] {
        var request = texts[
            inTurn ? person % texts.count : min(person / Self.mostInSession, texts.count - 1)]
        for offset in offsets {
            var rest = Self.shuffled(person)
            for digit in stride(from: Self.digits - 1, through: 0, by: -1) {
                request[offset + digit] = UInt8(48 + rest % 10)
                rest /= 10
            }
        }
        return request
    }
}
