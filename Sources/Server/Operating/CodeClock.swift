import Glibc
import Meetings

/// The clock of rotating codes: it starts at the server's wall clock and goes on by a steady one, so that
/// setting the wall clock back brings no used-up code back, and setting it forward skips none.
struct CodeClock: Sendable {
    private let clock: any ServerClock
    private let startedAt: Instant
    private let started: Duration

    /// - Parameter notBefore: where it stood when the server ran last.
    init(_ clock: any ServerClock, notBefore: Instant? = nil) {
        self.clock = clock
        startedAt = max(clock.now, notBefore ?? clock.now)
        started = clock.elapsed
    }

    var now: Instant { startedAt + (clock.elapsed - started) }
}

/// Where the clock of codes stood a second ago, beside the database: a server that starts with its clock set
/// back goes on from there, and shows no code a second time. It holds no secret, and is written without a
/// flush: what a power cut takes of it are seconds.
struct CodeClockMark: Sendable {
    private let path: String
    private static let digits = 15

    init(folder: String) { path = "\(folder)/codes.clock" }

    /// Nil where there is none, or nothing sensible in it.
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

    /// In its place, all at once. A disk that cannot take it is nobody's failure here.
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
