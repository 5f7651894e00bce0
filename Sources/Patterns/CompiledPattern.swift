private import CRE2

/// A regular expression that RE2 has compiled.
///
/// This class is `Sendable` without a lock, because re2.h states that an "RE2" object "is safe for concurrent
/// use by multiple threads".
final class CompiledPattern: Sendable {
    /// The error message of RE2, or nil if the pattern is valid.
    let error: String?
    /// The number of steps of the compiled program, which is the highest cost of one byte of text.
    let steps: Int
    // The access is safe: the handle is a `let` that only this object uses. `init` sets it before another
    // thread can use this object, and `deinit` releases it when no thread uses this object any more. Several
    // threads may use the RE2 object at the same time, as stated above.
    private nonisolated(unsafe) let handle: OpaquePointer

    init(_ pattern: String, memory: Int) {
        var pattern = pattern
        handle = pattern.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                qring_re2_compile($0.baseAddress, $0.count, Int64(memory))
            }
        }
        error = qring_re2_error(handle).map { String(cString: $0) }
        steps = Int(qring_re2_steps(handle))
    }

    deinit { qring_re2_release(handle) }

    func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { qring_re2_matches(handle, $0.baseAddress, $0.count) }
                != 0
        }
    }
}
