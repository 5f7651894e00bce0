import Synchronization

/// A number that rises with every commit, except the commits that only check people in. While it stays the
/// same, the rows of accounts, tokens, roles, meetings, questions and settings do not change. A session's
/// attendees, counts and answers may change; then its sequence rises.
package struct Revision: Hashable, Comparable, Sendable {
    private let number: UInt64

    package static func < (left: Revision, right: Revision) -> Bool { left.number < right.number }

    /// The present revision. The writer's queue advances it, and any thread may read it.
    final class Counter: Sendable {
        private let number = Atomic<UInt64>(0)

        var current: Revision { Revision(number: number.load(ordering: .acquiring)) }

        func advance() { number.add(1, ordering: .releasing) }
    }
}
