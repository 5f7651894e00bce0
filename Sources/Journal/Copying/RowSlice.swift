/// Some rows of a table, in the form in which a copy passes them from one engine to the other.
///
/// It is the binary format of COPY in PostgreSQL (sql-copy, "Binary Format"): the number of fields in 2
/// bytes, then for each field its length in 4 bytes, −1 for a null, and its bytes. A number has 8 bytes, with
/// the most significant byte first. A text is UTF-8. An id has 16 bytes. The actor of an event or action is
/// an id: of the account, or 0 for an attendee and 1 for the server.
package struct RowSlice: Sendable {
    package private(set) var bytes: [UInt8] = []
    /// The position after each row.
    package private(set) var ends: [Int] = []

    package init() {}

    package var count: Int { ends.count }
    /// Whether the slice is as long as slices should be: about 1 MB, or 10,000 rows.
    package var isFull: Bool { bytes.count >= 1_000_000 || ends.count >= 10_000 }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    // MARK: Writing

    package mutating func beginRow(fields: Int) { append(bigEndian: Int16(fields)) }
    package mutating func endRow() { ends.append(bytes.count) }

    package mutating func appendNull() { append(bigEndian: Int32(-1)) }

    package mutating func append(_ number: Int64) {
        append(bigEndian: Int32(8))
        append(bigEndian: number)
    }

    package mutating func append(_ value: UnsafeRawBufferPointer) {
        append(bigEndian: Int32(value.count))
        bytes.append(contentsOf: value)
    }

    /// Appends a row that already has this form.
    package mutating func append(row: ArraySlice<UInt8>) {
        bytes.append(contentsOf: row)
        endRow()
    }

    private mutating func append(bigEndian number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    // MARK: Reading

    package func range(ofRow row: Int) -> Range<Int> { (row == 0 ? 0 : ends[row - 1])..<ends[row] }

    /// Returns the position of each field's bytes; nil for a null.
    package func fields(ofRow row: Int) -> [Range<Int>?] {
        bytes.withUnsafeBytes { bytes in
            let range = range(ofRow: row)
            let count = Int(Self.read(Int16.self, bytes, range.lowerBound))
            var fields: [Range<Int>?] = []
            fields.reserveCapacity(count)
            var position = range.lowerBound + 2
            for _ in 0..<count {
                let length = Int(Self.read(Int32.self, bytes, position))
                position += 4
                guard length >= 0 else {
                    fields.append(nil)
                    continue
                }
                fields.append(position..<position + length)
                position += length
            }
            return fields
        }
    }

    /// Reads a number of 8 bytes.
    package func number(at field: Range<Int>) -> Int64 {
        bytes.withUnsafeBytes { Self.read(Int64.self, $0, field.lowerBound) }
    }

    /// Returns the length of the row that begins at `position`; nil if its end is not in `bytes`.
    package static func lengthOfRow(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int? {
        guard position + 2 <= bytes.count else { return nil }
        var end = position + 2
        for _ in 0..<max(0, read(Int16.self, bytes, position)) {
            guard end + 4 <= bytes.count else { return nil }
            end += 4 + max(0, Int(read(Int32.self, bytes, end)))
        }
        return end <= bytes.count ? end - position : nil
    }

    package static func read<Number: FixedWidthInteger & BitwiseCopyable>(
        _: Number.Type, _ bytes: UnsafeRawBufferPointer, _ position: Int
    ) -> Number { Number(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self)) }
}
