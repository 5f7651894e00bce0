/// Formats a number of bytes for people: `5 MB`, `64 KB`, `100 bytes`. A megabyte has 1024 × 1024 bytes, as
/// in all limits of the server.
package enum ByteCount {
    /// Returns the number with its unit.
    package static func text(_ bytes: Int) -> String {
        // A number is rounded down to whole units only if it has at least 10 of them.
        for (unit, size) in [("MB", 1 << 20), ("KB", 1 << 10)]
        where bytes >= 10 * size || bytes >= size && bytes % size == 0 {
            return "\(bytes / size) \(unit)"
        }
        return "\(bytes) bytes"
    }
}
