internal import Glibc

/// The owner of a file descriptor. The descriptor is closed when this value is destroyed.
struct OpenFile: ~Copyable {
    private let descriptor: Int32
    private let path: String

    init(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(SecretsError) {
        descriptor = open(path, flags, mode)
        self.path = path
        guard descriptor >= 0 else { throw .file(operation: "open", path: path, code: errno) }
    }

    deinit {
        // An error of `close` is ignored, because important data were already written with `sync`.
        if descriptor >= 0 { close(descriptor) }
    }

    func status() throws(SecretsError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failed("fstat") }
        return status
    }

    /// Reads up to `count` bytes. Returns fewer bytes if the file ends earlier.
    func read(_ count: Int) throws(SecretsError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), count - filled)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw failed("read") }
            if got == 0 { break }
            filled += got
        }
        return Array(bytes.prefix(filled))
    }

    func write(_ bytes: [UInt8]) throws(SecretsError) {
        var written = 0
        while written < bytes.count {
            let put = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if put < 0 && errno == EINTR { continue }
            guard put >= 0 else { throw failed("write") }
            written += put
        }
    }

    func sync() throws(SecretsError) {
        guard fsync(descriptor) == 0 else { throw failed("fsync") }
    }

    private func failed(_ operation: String) -> SecretsError {
        .file(operation: operation, path: path, code: errno)
    }
}
