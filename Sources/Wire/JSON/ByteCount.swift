/// A limit as people read it: `5 MB`, `64 KB`, `100 bytes`. A megabyte has 1024 × 1024 of them here, as
/// everywhere in limits.
package enum ByteCount {
    package static func text(_ bytes: Int) -> String {
        // Rounded down only where a part of it tells little.
        for (unit, size) in [("MB", 1 << 20), ("KB", 1 << 10)]
        where bytes >= 10 * size || bytes >= size && bytes % size == 0 {
            return "\(bytes / size) \(unit)"
        }
        return "\(bytes) bytes"
    }
}
