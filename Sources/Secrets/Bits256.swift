/// 256 bits in place, a key or a MAC: no heap, no reference count, nothing to print.
struct Bits256: Unprintable, Sendable {
    static let length = 32
    private var bytes = InlineArray<32, UInt8>(repeating: 0)

    /// Filled by `body`, which gets 32 bytes.
    init(filledBy body: (UnsafeMutablePointer<UInt8>) -> Void) {
        withUnsafeMutablePointer(to: &bytes) {
            // An InlineArray lays its elements out one after the other.
            $0.withMemoryRebound(to: UInt8.self, capacity: Self.length, body)
        }
    }

    func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        withUnsafePointer(to: bytes) { $0.withMemoryRebound(to: UInt8.self, capacity: Self.length, body) }
    }

    var array: [UInt8] { withBytes { Array(UnsafeBufferPointer(start: $0, count: Self.length)) } }
}
