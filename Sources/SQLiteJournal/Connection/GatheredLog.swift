import CSQLite
import Glibc
import SQLJournal

/// The log of a connection. The frames of a commit reach the kernel together. SQLite itself writes each page
/// of a commit by two calls: the header of its frame, and the page. A commit of 25 check-ins has 60 pages,
/// and the calls took a tenth of the server's processor time.
///
/// SQLite calls this class through a file system (vfs.html) that is SQLite's own in all other respects.
/// Frames are in memory only while COMMIT runs (`gather`), and every reader finds them in the log in time:
///
/// - Other connections read a frame after its commit. The last frame of a commit reaches the kernel within
///   the call that writes it, with all frames before it.
/// - SQLite may also read, flush, shorten or measure the log while it commits. Before each of these calls,
///   this class writes the frames.
///
/// If a batch is larger than SQLite's cache, SQLite writes pages before COMMIT. This class passes them to the
/// kernel at once. After a rollback, another process may write to the same part of the log, and frames in
/// memory would later overwrite its commit.
final class GatheredLog {
    /// SQLite's functions for a file.
    private typealias Methods = sqlite3_io_methods
    /// SQLite's handle of an open file. The handle of a log is followed by a reference to its `GatheredLog`.
    private typealias File = UnsafeMutablePointer<sqlite3_file>

    /// The operation of `xFileControl` that begins or ends the gathering. "Opcodes … greater than 100" are
    /// free for applications (c3ref/c_fcntl_begin_atomic_write.html).
    private static let gathering: CInt = 0x5152_696E
    /// The size of a frame's header (fileformat2.html §4.1). No other part of a log has this size.
    private static let headerSize = 24
    /// The largest size of the frames in memory, in bytes.
    private static let capacity = 131_072
    /// SQLite's own file system. `nonisolated(unsafe)`: SQLite made it before this pointer exists, and nobody
    /// changes it.
    private nonisolated(unsafe) static let system = sqlite3_vfs_find(nil)

    /// SQLite's own functions for the log.
    private let own: Methods
    private let methods = UnsafeMutablePointer<Methods>.allocate(capacity: 1)
    private let frames = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    /// Whether COMMIT is running.
    private var isGathering = false
    /// The number of bytes in `frames`.
    private var count = 0
    /// The offset of the first of these bytes in the file.
    private var start: sqlite3_int64 = 0
    /// Whether the newest frame ends a commit.
    private var endsCommit = false

    private init(_ own: Methods) {
        self.own = own
        methods.initialize(to: own)
        methods.pointee.xWrite = { file, bytes, count, offset in
            GatheredLog.of(file).write(bytes, Int(count), at: offset, of: file)
        }
        methods.pointee.xRead = { file, bytes, count, offset in
            GatheredLog.of(file).afterWriting(of: file) { $0.xRead(file, bytes, count, offset) }
        }
        methods.pointee.xSync = { file, flags in
            GatheredLog.of(file).afterWriting(of: file) { $0.xSync(file, flags) }
        }
        methods.pointee.xTruncate = { file, size in
            GatheredLog.of(file).afterWriting(of: file) { $0.xTruncate(file, size) }
        }
        methods.pointee.xFileSize = { file, size in
            GatheredLog.of(file).afterWriting(of: file) { $0.xFileSize(file, size) }
        }
        methods.pointee.xFileControl = { file, operation, argument in
            let log = GatheredLog.of(file)
            guard operation == GatheredLog.gathering, let argument else {
                return log.own.xFileControl(file, operation, argument)
            }
            (log.isGathering, log.count) = (argument.load(as: Bool.self), 0)
            return SQLITE_OK
        }
        methods.pointee.xClose = { file in
            let log = GatheredLog.of(file)
            defer { Unmanaged.passUnretained(log).release() }
            return log.own.xClose(file)
        }
    }

    deinit {
        methods.deallocate()
        frames.deallocate()
    }

    // MARK: For SQLite

    /// Registers the file system, and returns its name for `sqlite3_open_v2`. Returns nil, which names
    /// SQLite's own file system, if SQLite has no memory.
    static func registerFileSystem() -> String? {
        guard let system else { return nil }
        let name = "qring"
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: system.pointee)
        vfs.pointee.szOsFile += CInt(MemoryLayout<UnsafeRawPointer>.size)
        vfs.pointee.zName = UnsafePointer(strdup(name))
        vfs.pointee.xOpen = { _, path, file, flags, outcome in GatheredLog.open(path, file, flags, outcome) }
        // SQLite uses this memory until the process ends.
        return sqlite3_vfs_register(vfs, 0) == SQLITE_OK ? name : nil
    }

    /// Runs COMMIT on a connection, and gathers the frames of its main database meanwhile. If COMMIT fails,
    /// the frames in memory are discarded, because SQLite rolls the batch back.
    static func gather<Failure>(
        for database: OpaquePointer?, during commit: () throws(Failure) -> Void
    ) throws(Failure) {
        var file: File?
        sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
        func set(_ isGathering: Bool) {
            var isGathering = isGathering
            // SQLite's own files ignore the operation. Its journals in memory have no such function.
            _ = file?.pointee.pMethods?.pointee.xFileControl?(file, gathering, &isGathering)
        }
        set(true)
        defer { set(false) }
        try commit()
    }

    private static func open(
        _ path: UnsafePointer<CChar>?, _ file: File?, _ flags: CInt, _ outcome: UnsafeMutablePointer<CInt>?
    ) -> CInt {
        guard let system, let file else { return SQLITE_CANTOPEN }
        let code = system.pointee.xOpen(system, path, file, flags, outcome)
        guard code == SQLITE_OK, flags & SQLITE_OPEN_WAL != 0, let own = file.pointee.pMethods else {
            return code
        }
        let log = GatheredLog(own.pointee)
        reference(of: file, in: system).storeBytes(
            of: Unmanaged.passRetained(log).toOpaque(), as: UnsafeMutableRawPointer.self)
        file.pointee.pMethods = UnsafePointer(log.methods)
        return code
    }

    /// Returns the memory behind SQLite's handle.
    private static func reference(
        of file: File, in system: UnsafeMutablePointer<sqlite3_vfs>
    ) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(file) + Int(system.pointee.szOsFile)
    }

    private static func of(_ file: File?) -> GatheredLog {
        guard let system, let file else { preconditionFailure("SQLite passed no file") }
        let stored = reference(of: file, in: system).loadUnaligned(as: UnsafeMutableRawPointer.self)
        return Unmanaged<GatheredLog>.fromOpaque(stored).takeUnretainedValue()
    }

    // MARK: Frames

    private func write(
        _ bytes: UnsafeRawPointer?, _ size: Int, at offset: sqlite3_int64, of file: File?
    ) -> CInt {
        guard isGathering, let bytes, size <= Self.capacity else {
            return afterWriting(of: file) { $0.xWrite(file, bytes, CInt(size), offset) }
        }
        if offset != start + sqlite3_int64(count) || count + size > Self.capacity {
            let code = writeFrames(of: file)
            guard code == SQLITE_OK else { return code }
        }
        if count == 0 { start = offset }
        (frames + count).copyMemory(from: bytes, byteCount: size)
        count += size
        // "For commit records, the size of the database file in pages after the commit. For all other
        // records, zero" (fileformat2.html §4.1, bytes 4 to 7).
        if size == Self.headerSize {
            endsCommit = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self) != 0
        }
        return endsCommit ? writeFrames(of: file) : SQLITE_OK
    }

    /// Passes the frames to the kernel. They leave the memory even if this fails, because COMMIT then fails.
    private func writeFrames(of file: File?) -> CInt {
        guard count > 0 else { return SQLITE_OK }
        defer { count = 0 }
        return own.xWrite(file, frames, CInt(count), start)
    }

    private func afterWriting(of file: File?, _ call: (Methods) -> CInt) -> CInt {
        let code = writeFrames(of: file)
        return code == SQLITE_OK ? call(own) : code
    }
}
