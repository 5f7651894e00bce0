import Glibc
import Meetings

/// The clock of rotating codes. It starts at the time of the server's wall clock, and then follows a steady
/// clock that nobody can set. If somebody sets the wall clock back, no old code becomes valid; if somebody
/// sets it forward, no code is skipped.
struct CodeClock: Sendable {
    private let clock: any ServerClock
    private let startedAt: Instant
    private let started: Duration

    /// - Parameter notBefore: the clock's value when the server last ran.
    init(_ clock: any ServerClock, notBefore: Instant? = nil) {
        self.clock = clock
        startedAt = max(clock.now, notBefore ?? clock.now)
        started = clock.elapsed
    }

    var now: Instant { startedAt + (clock.elapsed - started) }
}

/// A file beside the database with the value that the code clock had a second ago. If a server starts with
/// its wall clock set back, the code clock continues from this value and shows no code twice. The file holds
/// no secret. The file is not flushed, so a power cut loses a few seconds at most.
struct CodeClockMark: Sendable {
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
