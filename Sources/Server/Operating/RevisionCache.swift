import Journal
import Synchronization

/// Values that requests have computed from stored rows, for later requests. All values are of one revision
/// of the storage. The first use with a later revision removes them all. So no request finds a value that
/// was computed before a change of a right, a setting or a record.
///
/// Check-ins do not change the revision. A value that depends on the attendees of a session also needs the
/// session's sequence (`SessionRecord.sequence`). Any thread may use the cache.
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
    ///   - mostBytes: the most bytes of all values together, by the sizes that callers pass to `store`.
    init(most: Int, mostBytes: Int) {
        (self.most, self.mostBytes) = (most, mostBytes)
    }

    /// Returns the value, if it was stored at this revision.
    func value(_ key: Key, at revision: Revision) -> Value? {
        state.withLock { state in
            Self.advance(to: revision, &state) ? state.values[key]?.value : nil
        }
    }

    /// Stores a value.
    /// - Parameter revision: the revision before the rows were read.
    func store(_ value: Value, _ key: Key, bytes: Int = 0, at revision: Revision) {
        guard bytes <= mostBytes else { return }
        state.withLock { state in
            guard Self.advance(to: revision, &state) else { return }
            state.bytes -= state.values.removeValue(forKey: key)?.bytes ?? 0
            if state.values.count >= most || state.bytes + bytes > mostBytes {
                (state.values, state.bytes) = ([:], 0)
            }
            state.values[key] = (value, bytes)
            state.bytes += bytes
        }
    }

    /// Removes the values of an earlier revision. Returns false if the values are of a later one.
    private static func advance(to revision: Revision, _ state: inout State) -> Bool {
        if state.revision == revision { return true }
        if let present = state.revision, revision < present { return false }
        state = State(revision: revision)
        return true
    }
}
