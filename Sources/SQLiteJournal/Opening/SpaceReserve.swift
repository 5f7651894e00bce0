import Glibc
import Journal
import Synchronization

/// Disk space that only an opening uses: the file `journal.reserve`. A start writes the index of the log and
/// a commit. If the disk is full, the opening releases the reserve for that, so that hosts can read their
/// lists. Nothing else is saved until the disk has room for the whole reserve again.
///
/// Any thread may use this object. The lock is held while the file grows.
final class SpaceReserve: Sendable {
    /// The size of the reserve, in bytes.
    static let size = 1_000_000
    /// The space that an opening uses, in bytes: 32 KB for the index of the log, a commit, and the mark.
    private static let needed = 131_072
    private static let interval = Duration.seconds(1)

    private struct State {
        var isClosed = false
        var triedAt: ContinuousClock.Instant?
    }

    private let path: String
    private let isShort = Atomic<Bool>(false)
    private let state = Mutex(State())

    /// Releases the reserve if the disk has no room for an opening. The caller must have locked the folder.
    init(in folder: DataFolder) {
        path = folder.reservePath
        let probe = path + ".probe"
        let fits = Self.grow(probe, to: Self.needed, synced: false)
        unlink(probe)
        guard !fits else { return }
        unlink(path)
        isShort.store(true, ordering: .relaxed)
    }

    /// An opening that failed gives the space back.
    deinit { close() }

    /// Whether the disk had no room for the whole reserve.
    var isMissing: Bool { isShort.load(ordering: .relaxed) }

    /// The failure of all commits until there is room.
    var failure: StorageFailure {
        StorageFailure(
            .full, operation: "reserve space", code: ENOSPC, detail: String(cString: strerror(ENOSPC)))
    }

    /// Reserves the space after an opening. If the disk has no room for all of it, the next start needs a
    /// part of it.
    func fill() {
        if !Self.grow(path, to: Self.size) {
            isShort.store(true, ordering: .relaxed)
            // Another file may be smaller only if the disk has no room.
            _ = Self.grow(path, to: 2 * Self.needed) || Self.grow(path, to: Self.needed)
        }
    }

    /// Reserves the rest of the space if it is missing. Returns whether it was missing until this call. If it
    /// is missing, the disk is tried at most once a second.
    /// - Throws: `.full` if the disk has no room yet.
    func check() throws(JournalError) -> Bool {
        guard isMissing else { return false }
        let isFilled = state.withLock { state in
            let now = ContinuousClock.now
            guard state.triedAt.map({ now - $0 >= Self.interval }) ?? true else { return false }
            state.triedAt = now
            return Self.grow(path, to: Self.size)
        }
        guard isFilled else { throw .failed(failure) }
        isShort.store(false, ordering: .relaxed)
        return true
    }

    /// Reserves the space that an opened database no longer uses. Only the first call has an effect.
    func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if isFirst, isMissing { fill() }
    }

    /// Writes to the end of the file until it has the size. If the disk is too full, the file keeps its size,
    /// or does not exist. The bytes are not all alike, because a file system could compress them.
    private static func grow(_ path: String, to size: Int, synced: Bool = true) -> Bool {
        let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return false }
        defer { Glibc.close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return false }
        let before = Int(status.st_size)
        guard before < size else { return true }
        let bytes = incompressible.suffix(from: min(before, incompressible.count)).prefix(size - before)
        if pwrite(file, Array(bytes), bytes.count, off_t(before)) == bytes.count,
            !synced || fsync(file) == 0
        {
            return true
        }
        if before == 0 { unlink(path) } else { ftruncate(file, off_t(before)) }
        return false
    }

    /// The bytes of the file, by Marsaglia's xorshift generator. They are the same in each file.
    private static let incompressible: [UInt8] = {
        var value: UInt64 = 0x9e37_79b9_7f4a_7c15
        var words = [UInt64](repeating: 0, count: size / 8)
        for index in words.indices {
            value ^= value << 13
            value ^= value >> 7
            value ^= value << 17
            words[index] = value
        }
        return words.withUnsafeBytes { Array($0) }
    }()
}
