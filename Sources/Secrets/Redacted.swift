/// What must never be printed: not by interpolation, `print`, `String(reflecting:)`, `dump`, a debugger or a
/// failed test.
package protocol Unprintable: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Unprintable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { description }
    /// Without children, so that nothing finds its way around `description`.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A secret of somebody else's type, a password for example. Whoever wants the value must write `revealed`,
/// which is easy to find.
package struct Redacted<Value: Sendable>: Unprintable, Sendable {
    package let revealed: Value

    package init(_ value: Value) {
        revealed = value
    }
}
