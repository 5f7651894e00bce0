/// A key or MAC of 256 bits, which is stored without a heap allocation or a reference count, and is never
/// printed.
struct Bits256: Unprintable, Sendable {
    static let length = 32
    private var bytes = InlineArray<32, UInt8>(repeating: 0)

    /// Calls `body` with a pointer to 32 bytes, which `body` must fill.
    init(filledBy body: (UnsafeMutablePointer<UInt8>) -> Void) {
        withUnsafeMutablePointer(to: &bytes) {
            // The elements of an InlineArray are contiguous in memory.
            $0.withMemoryRebound(to: UInt8.self, capacity: Self.length, body)
        }
    }

    func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        withUnsafePointer(to: bytes) { $0.withMemoryRebound(to: UInt8.self, capacity: Self.length, body) }
    }

    var array: [UInt8] { withBytes { Array(UnsafeBufferPointer(start: $0, count: Self.length)) } }
}
