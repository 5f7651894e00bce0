internal import Glibc

/// The system's reason why a file could not be read or written: "No such file or directory".
package struct FileFailure: Error {
    package let reason: String

    package init(reason: String) { self.reason = reason }
}

/// Reads and writes whole files.
package enum FileBytes {
    /// Reads a file.
    /// - Parameter most: the most bytes of the file. A larger file is refused.
    package static func read(_ path: String, most: Int = .max) throws(FileFailure) -> [UInt8] {
        try readWithMode(path, most: most).bytes
    }

    /// Reads a file, and returns its mode at that time.
    static func readWithMode(_ path: String, most: Int = .max) throws(FileFailure) -> (
        bytes: [UInt8], mode: mode_t
    ) {
        let file = try opened(path, O_RDONLY)
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure() }
        guard status.st_size <= most else { throw failure(EFBIG) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count == 0 { return (bytes, status.st_mode) }
            if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { throw failure() }
            // A pipe or a device has no size before it is read.
            guard bytes.count <= most else { throw failure(EFBIG) }
        }
    }

    /// Whether every user may write to a file of this mode. A device such as /dev/null has no content.
    static func isWritableByOthers(_ mode: mode_t) -> Bool {
        mode & S_IWOTH != 0 && mode & S_IFMT != S_IFCHR
    }

    /// Replaces the content of a file, or creates the file.
    /// - Parameter isPrivate: whether only the owner may read the file, also an existing one. Devices keep
    ///   their mode.
    package static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false)
        throws(FileFailure)
    {
        let file = try opened(path, O_WRONLY | O_CREAT | O_TRUNC, isPrivate ? 0o600 : 0o666)
        if isPrivate {
            var status = stat()
            if fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, fchmod(file, 0o600) != 0 {
                let failure = failure()
                close(file)
                throw failure
            }
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                let failure = failure()
                close(file)
                throw failure
            }
        }
        // Check the result of close(2), because a network file system may report a full disk only here.
        guard close(file) == 0 || errno == EINTR else { throw failure() }
    }

    /// Creates a folder and the folders above it. Does nothing if the folder exists.
    package static func makeFolder(_ path: String) throws(FileFailure) {
        if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
        let above = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        guard errno == ENOENT, !above.isEmpty else { throw failure() }
        try makeFolder(above)
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw failure() }
    }

    private static func opened(_ path: String, _ flags: Int32, _ mode: mode_t = 0o666) throws(FileFailure)
        -> Int32
    {
        let file = open(path, flags | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure() }
        return file
    }

    private static func failure(_ code: Int32 = errno) -> FileFailure {
        FileFailure(reason: String(cString: strerror(code)))
    }
}
