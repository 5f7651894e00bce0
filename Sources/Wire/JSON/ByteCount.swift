/// A number of bytes for people: `5 MB`, `64 KB`, `100 bytes`. As in all limits here, a megabyte has 1024 ×
/// 1024 bytes.
package enum ByteCount {
    /// Returns the number with its unit.
    package static func text(_ bytes: Int) -> String {
        // Rounded down only if the rest is small.
        for (unit, size) in [("MB", 1 << 20), ("KB", 1 << 10)]
        where bytes >= 10 * size || bytes >= size && bytes % size == 0 {
            return "\(bytes / size) \(unit)"
        }
        return "\(bytes) bytes"
    }
}
