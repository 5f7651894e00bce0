import Glibc

/// Random numbers of the kernel's generator, suitable for secrets. One system call reads a block of 32
/// numbers, because `SystemRandomNumberGenerator` makes one for each number.
struct BlockRandomness: RandomNumberGenerator {
    private static let blockSize = 32

    private var block: [UInt64] = []

    mutating func next() -> UInt64 {
        if let number = block.popLast() { return number }
        block = [UInt64](repeating: 0, count: Self.blockSize)
        block.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            arc4random_buf(start, bytes.count)
        }
        return block.removeLast()
    }
}
