import Glibc

/// Finds a sequence of bytes in a buffer, which must outlive the search.
///
/// Compares two bytes of the sequence with the buffer, at 32 positions in one step. If both are equal,
/// `memcmp` compares the whole sequence. One is the byte that is rarest in the buffer: the first byte would
/// be a bad choice, because nearly all Korean syllables begin with one of three bytes (EA, EB, EC). The other
/// is the byte that is equal least often where the first one is, in a sample: x may be the rarest byte of
/// `example`, but every address at example.org has an m beside it.
///
/// A search by `memchr` for the rarest byte takes twice as long, because that byte may be in every name.
struct ByteSearch {
    private typealias Vector = SIMD4<UInt64>

    private let bytes: UnsafeRawBufferPointer
    private let sought: [UInt8]
    /// The offsets in `sought` of the two bytes.
    private let offsets: (rarest: Int, other: Int)
    /// All positions where the sequence can begin, if the sample has found them all.
    private let candidates: [Int]?
    /// The last position at which the sequence can begin.
    private let last: Int

    /// The occurrences of the rarest byte that are examined to choose the other byte.
    private static let samples = 64
    private static let width = MemoryLayout<Vector>.size
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// - Parameters:
    ///   - sought: at least one byte.
    ///   - rarest: the offset in `sought` of the byte that is rarest in `bytes`.
    ///   - start: no search begins before this position.
    init(for sought: [UInt8], rarest: Int, in bytes: UnsafeRawBufferPointer, from start: Int) {
        (self.bytes, self.sought) = (bytes, sought)
        last = bytes.count - sought.count
        var matches = [Int](repeating: 0, count: sought.count)
        var sample: [Int] = []
        var position = start
        while sample.count < Self.samples, position <= last, let base = bytes.baseAddress {
            let rest = bytes.count - position - rarest
            guard let hit = memchr(base + position + rarest, CInt(sought[rarest]), rest) else { break }
            position = UnsafeRawPointer(hit) - base - rarest
            guard position <= last else { break }
            sample.append(position)
            for offset in sought.indices where bytes[position + offset] == sought[offset] {
                matches[offset] += 1
            }
            position += 1
        }
        offsets = (rarest, matches.indices.min { matches[$0] < matches[$1] } ?? rarest)
        candidates = sample.count < Self.samples ? sample : nil
    }

    /// Returns the position of the first occurrence that begins at `start` or after it; nil if there is none.
    func first(from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        if let candidates { return candidates.first { $0 >= start && isFound(at: $0, base) } }
        let (ones, topBits) = (Vector(repeating: Self.ones), Vector(repeating: Self.ones &* 0x80))
        let rarest = Vector(repeating: Self.ones &* UInt64(sought[offsets.rarest]))
        let other = Vector(repeating: Self.ones &* UInt64(sought[offsets.other]))
        var position = start
        while position + Self.width - 1 <= last {
            let ofRarest = base.loadUnaligned(fromByteOffset: position &+ offsets.rarest, as: Vector.self)
            let ofOther = base.loadUnaligned(fromByteOffset: position &+ offsets.other, as: Vector.self)
            let different = (ofRarest ^ rarest) | (ofOther ^ other)
            // Subtracting 1 from each byte sets the top bit of a byte that was 0. The borrow can also set
            // the top bit of the next byte; then `memcmp` finds a difference.
            let hits = (different &- ones) & ~different & topBits
            if hits[0] | hits[1] | hits[2] | hits[3] != 0 {
                for part in 0..<4 {
                    var rest = hits[part].littleEndian
                    while rest != 0 {
                        let found = position + part * 8 + rest.trailingZeroBitCount / 8
                        if isFound(at: found, base) { return found }
                        rest &= rest &- 1
                    }
                }
            }
            position &+= Self.width
        }
        while position <= last {
            if isFound(at: position, base) { return position }
            position += 1
        }
        return nil
    }

    private func isFound(at position: Int, _ base: UnsafeRawPointer) -> Bool {
        memcmp(base + position, sought, sought.count) == 0
    }
}
