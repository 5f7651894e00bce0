/// The number of a table's rows and a checksum of their values. The order of the rows does not matter. Only
/// checksums of one process can be compared, because each process has other random keys.
struct TableSum: Hashable {
    private(set) var rows = 0
    private var sum: UInt64 = 0

    mutating func add(_ slice: RowSlice) {
        slice.bytes.withUnsafeBytes { bytes in
            for row in 0..<slice.count {
                // SipHash with a random key (`Hasher`). A sum of the hashes is the same in any order.
                var hasher = Hasher()
                hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[slice.range(ofRow: row)]))
                sum &+= UInt64(bitPattern: Int64(hasher.finalize()))
            }
        }
        rows += slice.count
    }
}
