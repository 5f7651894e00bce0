/// A type whose values are never printed, neither by interpolation, `print`, `String(reflecting:)` and
/// `dump`, nor by a debugger or a failed test.
package protocol Unprintable: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Unprintable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { description }
    /// A mirror without children, so that reflection shows only `description`.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A secret value of another type, such as a password. Code that needs the value must read `revealed`, which
/// is easy to find in the source.
package struct Redacted<Value: Sendable>: Unprintable, Sendable {
    package let revealed: Value

    package init(_ value: Value) {
        revealed = value
    }
}
