private import CRE2

/// A pattern as RE2 compiled it.
///
/// `Sendable` without a lock: re2.h says that an "RE2" object "is safe for concurrent use by multiple
/// threads".
final class CompiledPattern: Sendable {
    /// RE2's words for what is wrong; nil where it can be matched.
    let error: String?
    /// The most that a byte of text can cost.
    let steps: Int
    // Unsafe only in name: a `let` that never leaves this object, set before anybody else can have the object
    // and released when nobody has it any more. What it points to is safe on several threads at once, as said
    // above.
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
