import FoundationEssentials
import Glibc
import Journal
import SQLJournal
import Synchronization
import Threads

/// A thread that notifies this node of the commits of other nodes, and the others of this node's commits.
///
/// After a commit it sends a notification, at most one every 2 ms, outside the transactions of the data. A
/// notification only wakes a node; the node reads the table of commits. If a notification is lost, the node
/// finds the commit by its next poll. Notifications also carry messages, such as counts of failed attempts,
/// that may be lost.
final class Feed: Sendable {
    private struct State {
        /// When the writer had last taken every commit that a poll had found.
        var contact = ContinuousClock.now
        /// The newest commit that a poll has found.
        var newest: Int64 = 0
        /// Before the first poll, nobody knows that there are none.
        var others = 1
        var skew = Duration.zero
        var roundTrip = Duration.zero
        /// The messages to send.
        var outbox: [UInt8] = []
    }

    /// The most bytes of messages in one notification: base64 makes 8,000 characters of 6,000 bytes, and the
    /// server takes fewer than that.
    private static let mostInNotification = 5_880
    private static let mostInOutbox = 10 * mostInNotification
    /// The pause between two notifications with messages.
    private static let messagePause = Duration.milliseconds(20)

    /// The pause between two notifications of commits.
    private static let sendingPause = Duration.milliseconds(2)
    /// The pause between two polls, while there are other nodes, and while there are none.
    private static let pollPause = Duration.milliseconds(25)
    private static let longPollPause = Duration.milliseconds(500)
    /// The pause before another attempt to connect.
    private static let connectPause = Duration.milliseconds(100)

    private let settings: String
    private let state = Mutex(State())
    /// The newest commit that the writer has taken, and the newest one that it has made.
    private let taken = Atomic<Int64>(0)
    private let made = Atomic<Int64>(0)
    private let isClosed = Atomic(false)
    private let event: EventDescriptor
    private let thread = LoopThread(named: "journal-feed")

    init(settings: String) throws(JournalError) {
        guard let event = EventDescriptor() else {
            throw .failed(StorageFailure(.other, operation: "eventfd", code: errno))
        }
        (self.settings, self.event) = (settings, event)
    }

    /// Starts the thread. It calls `wake` when another node has committed, and `receive` with the messages of
    /// others.
    func start(_ wake: @escaping @Sendable () -> Void, receive: @escaping @Sendable ([UInt8]) -> Void) {
        do throws(ThreadNotStarted) {
            try thread.start { self.run(wake, receive) }
        } catch {
            preconditionFailure("no thread for the feed: errno \(error.errno)")
        }
    }

    func close() {
        isClosed.store(true, ordering: .relaxed)
        event.signal()
        thread.join()
    }

    var status: NodeStatus {
        let state = state.withLock { $0 }
        return NodeStatus(
            others: state.others, silence: .now - state.contact, skew: state.skew, roundTrip: state.roundTrip)
    }

    /// The newest commit that a poll has found.
    var newest: Int64 { state.withLock { $0.newest } }

    func noteTaken(_ number: Int64) {
        taken.store(number, ordering: .relaxed)
        state.withLock { if number >= $0.newest { $0.contact = .now } }
    }

    /// Notifies other nodes of a commit soon.
    func announce(_ number: Int64) {
        made.store(number, ordering: .relaxed)
        if state.withLock({ $0.others > 0 }) { event.signal() }
    }

    /// Sends a message to all other nodes soon. Messages of one moment may arrive as one.
    func broadcast(_ message: [UInt8]) {
        let mustSend = state.withLock { state in
            guard state.others > 0, state.outbox.count + message.count <= Self.mostInOutbox else {
                return false
            }
            state.outbox += message
            return true
        }
        if mustSend { event.signal() }
    }

    private func takeMessages() -> [UInt8] {
        state.withLock { state in
            let message = Array(state.outbox.prefix(Self.mostInNotification))
            state.outbox.removeFirst(message.count)
            return message
        }
    }

    // MARK: The thread

    private static let listen = Query(
        "listen", "SELECT set_config('qring.channel', 'qring_' || md5(current_schema()), false)")
    private static let notify = Query("notify", "SELECT pg_notify(current_setting('qring.channel'), ?)")
    private static let poll = Query(
        "poll",
        """
        SELECT coalesce((SELECT max(number) FROM commits), 0), (SELECT count(*) FROM nodes),
            CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)
        """)

    private func run(_ wake: () -> Void, _ receive: ([UInt8]) -> Void) {
        var connection: Connection?
        var (nextPoll, nextSending, nextMessage) = (
            ContinuousClock.now, ContinuousClock.now, ContinuousClock.now
        )
        var sent: Int64 = 0
        while !isClosed.load(ordering: .relaxed) {
            guard let open = connection, open.isOpen else {
                connection?.close()
                connection = connect()
                if connection == nil { wait(for: nil, Self.connectPause) }
                continue
            }
            var next = nextPoll
            if made.load(ordering: .relaxed) != sent { next = min(next, nextSending) }
            if state.withLock({ !$0.outbox.isEmpty }) { next = min(next, nextMessage) }
            wait(for: open, next - .now)
            event.clear()
            for payload in open.takeNotifications() {
                if payload.isEmpty { wake() } else { Data(base64Encoded: payload).map { receive(Array($0)) } }
            }
            let now = ContinuousClock.now
            let newest = made.load(ordering: .relaxed)
            if newest != sent, now >= nextSending {
                // A server may refuse it; then the others poll.
                _ = try? open.first(Self.notify, "") { _ in true }
                (sent, nextSending) = (newest, now + Self.sendingPause)
            }
            if now >= nextMessage, case let message = takeMessages(), !message.isEmpty {
                _ = try? open.first(Self.notify, Data(message).base64EncodedString()) { _ in true }
                nextMessage = now + Self.messagePause
            }
            if now >= nextPoll {
                nextPoll = now + Self.pollPause
                guard let found = poll(open) else { continue }
                if found.newest > taken.load(ordering: .relaxed) { wake() }
                nextPoll = .now + (found.others > 0 ? Self.pollPause : Self.longPollPause)
            }
        }
        connection?.close()
    }

    private func connect() -> Connection? {
        guard let connection = try? Connection(settings: settings, for: .listening),
            let channel = try? connection.first(Self.listen, read: { $0.text(0) }),
            (try? connection.execute("LISTEN \(channel)", "listen")) != nil
        else { return nil }
        return connection
    }

    /// Waits for a notification or a commit of this node.
    private func wait(for connection: Connection?, _ limit: Duration) {
        var descriptors = [pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0)]
        if let socket = connection?.socket {
            descriptors.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
        }
        // Rounded up, so that the thread does not spin before the end.
        let milliseconds = limit <= .zero ? 0 : (limit + .microseconds(999)) / .milliseconds(1)
        _ = Glibc.poll(&descriptors, nfds_t(descriptors.count), Int32(milliseconds))
    }

    /// Measures the difference of the clocks, and counts the nodes. Returns nil if the connection is broken.
    @discardableResult
    func poll(_ connection: Connection) -> (newest: Int64, others: Int)? {
        let (began, asked) = (WallClock.milliseconds, ContinuousClock.now)
        guard
            let (newest, nodes, theirs) = try? connection.first(
                Self.poll, read: { ($0.int64(0), $0.int(1), $0.int64(2)) })
        else { return nil }
        let ours = (began + WallClock.milliseconds) / 2
        let roundTrip = ContinuousClock.now - asked
        let others = max(0, nodes - 1)
        state.withLock { state in
            (state.newest, state.others) = (newest, others)
            if newest <= taken.load(ordering: .relaxed) { state.contact = .now }
            state.skew = .milliseconds(ours - theirs)
            state.roundTrip = roundTrip
        }
        return (newest, others)
    }
}

/// The time of this machine.
private enum WallClock {
    static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
