import Glibc

/// Finds a text in many texts that are stored one after the other.
///
/// Compares two bytes of the text, at 32 places in one step. The first is the byte that is rarest in all
/// texts: in UTF-8, nearly all Korean syllables begin with one of three bytes (EA, EB, EC). The other is
/// where fewest of the first texts agree that have the first: beside the x of `example`, an m tells nothing
/// about addresses at example.org. Only where both are equal, the rest is compared. `memchr` for the first
/// byte alone takes twice as long, because it stops in nearly every text.
struct ByteSearch {
    private typealias Vector = SIMD4<UInt64>

    private let bytes: UnsafeRawBufferPointer
    private let sought: [UInt8]
    /// The offsets in `sought` of the two bytes.
    private let offsets: (Int, Int)
    /// The last place at which the text can begin.
    private let last: Int

    /// The places that are examined to choose the second byte.
    private static let samples = 64
    private static let width = MemoryLayout<Vector>.size
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// - Parameters:
    ///   - sought: at least one byte.
    ///   - rarest: the offset of its rarest byte.
    ///   - start: where the search will begin.
    init(for sought: [UInt8], rarest: Int, in bytes: UnsafeRawBufferPointer, from start: Int) {
        (self.bytes, self.sought) = (bytes, sought)
        last = bytes.count - sought.count
        var equal = [Int](repeating: 0, count: sought.count)
        var place = start
        if let base = bytes.baseAddress {
            for _ in 0..<Self.samples where place <= last {
                let rest = bytes.count - place - rarest
                guard let hit = memchr(base + place + rarest, CInt(sought[rarest]), rest) else { break }
                place = UnsafeRawPointer(hit) - base - rarest
                guard place <= last else { break }
                for offset in sought.indices where bytes[place + offset] == sought[offset] {
                    equal[offset] += 1
                }
                place += 1
            }
        }
        offsets = (rarest, equal.indices.min { equal[$0] < equal[$1] } ?? rarest)
    }

    /// Returns the first place at `start` or after it where the text begins; nil if there is none.
    func first(from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let (ones, tops) = (Vector(repeating: Self.ones), Vector(repeating: Self.ones &* 0x80))
        let first = Vector(repeating: Self.ones &* UInt64(sought[offsets.0]))
        let second = Vector(repeating: Self.ones &* UInt64(sought[offsets.1]))
        var place = start
        while place + Self.width - 1 <= last {
            let ofFirst = base.loadUnaligned(fromByteOffset: place &+ offsets.0, as: Vector.self)
            let ofSecond = base.loadUnaligned(fromByteOffset: place &+ offsets.1, as: Vector.self)
            let different = (ofFirst ^ first) | (ofSecond ^ second)
            // Subtracting 1 from each byte sets the top bit of a byte that was 0. A byte after such a one may
            // get it, too, and is compared for nothing.
            let hits = (different &- ones) & ~different & tops
            if hits[0] | hits[1] | hits[2] | hits[3] != 0 {
                for part in 0..<4 {
                    var rest = hits[part].littleEndian
                    while rest != 0 {
                        let found = place + part * 8 + rest.trailingZeroBitCount / 8
                        if isText(at: found, base) { return found }
                        rest &= rest &- 1
                    }
                }
            }
            place &+= Self.width
        }
        while place <= last {
            if isText(at: place, base) { return place }
            place += 1
        }
        return nil
    }

    private func isText(at place: Int, _ base: UnsafeRawPointer) -> Bool {
        memcmp(base + place, sought, sought.count) == 0
    }
}
