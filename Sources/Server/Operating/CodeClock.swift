import Glibc
import Journal
import Meetings
import Synchronization

/// The clock of rotating codes. It never goes back, because an old code would become valid again.
///
/// Its source is the wall clock, or the database's clock if several servers can share the database. Once a
/// second it compares itself with its source; in between it follows a steady clock that nobody can set.
///
/// | the source was set | the code clock |
/// |---|---|
/// | forward | takes the new time; screens show the new code within a second |
/// | back | loses a tenth of each second until it agrees; a code is accepted for 33 s meanwhile, not 30 s |
final class CodeClock: Sendable {
    private struct State {
        /// The value of the code clock at `since` on the steady clock.
        var value: Instant
        var since: Duration
        /// How far the code clock was ahead of its source at `since`.
        var lead = Duration.zero
        /// The source minus the steady clock at the last comparison.
        var offset: Duration

        func now(at elapsed: Duration) -> Instant {
            let passed = elapsed - since
            // The clock nearly always has no lead. Without this line, each call would divide a `Duration`,
            // which has 128 bits.
            guard lead > .zero else { return value + passed }
            return value + passed - min(lead, max(.zero, passed / 10))
        }
    }

    /// The largest difference between two offsets that count as equal.
    private static let tolerance = Duration.milliseconds(200)

    private let clock: any ServerClock
    private let state: Mutex<State>

    /// - Parameters:
    ///   - nodes: the connection to the database; nil if no other server can share the database.
    ///   - notBefore: the clock's value when the server last ran.
    init(_ clock: any ServerClock, nodes: NodeStatus? = nil, notBefore: Instant? = nil) {
        let (now, elapsed) = (clock.now - (nodes?.skew ?? .zero), clock.elapsed)
        self.clock = clock
        state = Mutex(
            State(
                value: max(now, notBefore ?? now), since: elapsed,
                offset: .milliseconds(now.milliseconds) - elapsed))
    }

    var now: Instant { state.withLock { $0.now(at: clock.elapsed) } }

    /// Compares this clock with its source. Call it once a second.
    ///
    /// The measured difference to the database's clock is wrong for a moment after the wall clock was set. So
    /// a step counts when two comparisons in a row have found it.
    /// - Parameter nodes: the connection to the database; nil if no other server can share the database.
    func compare(with nodes: NodeStatus?) {
        // Without contact to the database, the difference to its clock may be old.
        if let nodes, nodes.silence > NodeStatus.mostSilence { return }
        let source = clock.now - (nodes?.skew ?? .zero)
        let elapsed = clock.elapsed
        state.withLock { state in
            let offset = .milliseconds(source.milliseconds) - elapsed
            defer { state.offset = offset }
            guard abs((offset - state.offset) / Self.tolerance) <= 1 else { return }
            let now = state.now(at: elapsed)
            (state.value, state.since) = (max(now, source), elapsed)
            state.lead = state.value.since(source)
        }
    }
}

/// A file beside the database with the value that the code clock had a second ago. If a server starts with
/// its wall clock set back, the code clock continues from this value and shows no code twice. The file holds
/// no secret. The file is not flushed, so a power cut loses a few seconds at most.
struct CodeClockFile: Sendable {
    private let path: String
    private static let digits = 15

    init(folder: String) { path = "\(folder)/codes.clock" }

    /// Returns the stored value; nil if the file is missing or the value is implausible.
    func read() -> Instant? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.digits)
        guard pread(file, &bytes, bytes.count, 0) == bytes.count,
            let number = Int64(String(decoding: bytes, as: UTF8.self))
        else {
            return nil
        }
        let moment = Instant(milliseconds: number)
        return moment.isSensible ? moment : nil
    }

    /// Overwrites the value with a single write. Ignores errors, for example a full disk.
    func write(_ moment: Instant) {
        let number = String(max(0, moment.milliseconds))
        let bytes = Array(
            (String(repeating: "0", count: max(0, Self.digits - number.utf8.count)) + number).utf8)
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        _ = pwrite(file, bytes, bytes.count, 0)
    }
}
