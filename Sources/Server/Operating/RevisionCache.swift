import Journal
import Synchronization

/// Values that requests have computed from stored rows, for the next requests that need the same. All
/// values are of one revision of the storage. A later revision removes them all, so that no value outlives
/// a right, a setting or a record that it was computed from.
///
/// Check-ins do not change the revision. A value that depends on the attendees of a session also needs the
/// session's sequence (`SessionRecord.sequence`). Any thread may use it.
final class RevisionCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var revision: Revision?
        var values: [Key: (value: Value, bytes: Int)] = [:]
        var bytes = 0
    }

    private let most: Int
    private let mostBytes: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - most: the most values. If there would be more, the others are removed.
    ///   - mostBytes: the most bytes of all values, as `store` counts them.
    init(most: Int, mostBytes: Int) {
        (self.most, self.mostBytes) = (most, mostBytes)
    }

    /// Returns the value for the key at the present revision.
    func value(_ key: Key, at revision: Revision) -> Value? {
        state.withLock { state in
            Self.begin(revision, &state) ? state.values[key]?.value : nil
        }
    }

    /// Stores a value.
    /// - Parameter revision: the revision before the rows were read.
    func store(_ value: Value, _ key: Key, bytes: Int = 0, at revision: Revision) {
        guard bytes <= mostBytes else { return }
        state.withLock { state in
            guard Self.begin(revision, &state) else { return }
            state.bytes -= state.values.removeValue(forKey: key)?.bytes ?? 0
            if state.values.count >= most || state.bytes + bytes > mostBytes {
                (state.values, state.bytes) = ([:], 0)
            }
            state.values[key] = (value, bytes)
            state.bytes += bytes
        }
    }

    /// Removes the values of an earlier revision. Returns false if the values are of a later one.
    private static func begin(_ revision: Revision, _ state: inout State) -> Bool {
        if state.revision == revision { return true }
        if let present = state.revision, revision < present { return false }
        state = State(revision: revision)
        return true
    }
}
