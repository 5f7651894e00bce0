import Glibc
import Journal
package import Meetings
import Synchronization

/// The decoded questions of the sets that were read last. All connections of an engine share them, so that
/// the writer does not decode a set for each response: the largest sets take tens of milliseconds.
///
/// Questions are used again only if the rows hold the bytes from which they were decoded. Therefore no edit,
/// no rollback and no older snapshot of a reader can give wrong questions. To compare bytes is much cheaper
/// than to decode them. The exception is `questions(of:in:)`: it compares nothing, so its questions can be
/// outdated, or from a transaction that was rolled back.
///
/// Any thread may use it. There are two generations of sets. When the younger one is full, it replaces the
/// older one. A set that is used moves to the younger one.
package final class DecodedQuestions: Sendable {
    struct Key: Hashable {
        let session: SessionID
        let set: String
    }

    /// The questions of one set, with the bytes of their rows.
    struct Entry {
        private(set) var questions: [Question] = []
        private(set) var bytes: [UInt8] = []
        /// The index in `bytes` after each row.
        private var ends: [Int] = []

        /// Adds the question of the next row.
        mutating func append(_ question: Question, of body: UnsafeRawBufferPointer) {
            questions.append(question)
            bytes.append(contentsOf: body)
            ends.append(bytes.count)
        }

        /// Whether the row at `index` holds these bytes.
        func holds(_ body: UnsafeRawBufferPointer, at index: Int) -> Bool {
            guard index < ends.count else { return false }
            let start = index == 0 ? 0 : ends[index - 1]
            guard ends[index] - start == body.count, let other = body.baseAddress else { return false }
            return bytes.withUnsafeBytes { bytes in
                guard let own = bytes.baseAddress else { return false }
                return memcmp(own + start, other, body.count) == 0
            }
        }
    }

    private struct State {
        var young: [Key: Entry] = [:]
        var old: [Key: Entry] = [:]
        var youngBytes = 0
        var decoded = 0
    }

    /// The most bytes of the rows of one generation. The decoded questions take several times as much memory.
    private static let mostBytes = 4_000_000

    private let state = Mutex(State())

    package init() {}

    /// The number of questions that were decoded so far.
    var decodedCount: Int { state.withLock { $0.decoded } }

    /// The questions of a set as they were decoded last. It only looks, because the HTTP loop calls it.
    package func questions(of set: String, in session: SessionID) -> [Question]? {
        let key = Key(session: session, set: set)
        return state.withLock { state in (state.young[key] ?? state.old[key])?.questions }
    }

    func entry(_ key: Key) -> Entry? {
        let (entry, removed) = state.withLock { state -> (Entry?, [Key: Entry]) in
            if let entry = state.young[key] { return (entry, [:]) }
            guard let entry = state.old.removeValue(forKey: key) else { return (nil, [:]) }
            return (entry, Self.store(entry, key, &state))
        }
        // The removed sets are freed here, after the lock was released.
        _ = removed
        return entry
    }

    /// Stores the questions of a set that a connection has decoded. Sets without questions are not stored.
    func store(_ entry: Entry, _ key: Key) {
        guard !entry.questions.isEmpty else { return }
        let removed = state.withLock { state in
            state.decoded += entry.questions.count
            return Self.store(entry, key, &state)
        }
        _ = removed
    }

    private static func store(_ entry: Entry, _ key: Key, _ state: inout State) -> [Key: Entry] {
        guard entry.bytes.count <= mostBytes else { return [:] }
        var removed: [Key: Entry] = [:]
        if state.youngBytes + entry.bytes.count > mostBytes {
            removed = state.old
            (state.old, state.young, state.youngBytes) = (state.young, [:], 0)
        }
        state.youngBytes += entry.bytes.count - (state.young[key]?.bytes.count ?? 0)
        state.young[key] = entry
        return removed
    }

    /// Forgets the questions of a deleted set.
    func remove(_ key: Key) {
        state.withLock { state in
            state.old[key] = nil
            state.youngBytes -= state.young.removeValue(forKey: key)?.bytes.count ?? 0
        }
    }
}

extension Query {
    fileprivate static let questionsOfSet = Query(
        "list questions", "SELECT body FROM questions WHERE session = ? AND set_name = ? ORDER BY position")
}

extension SQLRows {
    /// Returns the questions of a set, in their order. Decodes them only if their rows have changed since
    /// they were decoded.
    func questions(of set: String, in session: SessionID) throws(JournalError) -> [Question] {
        let key = DecodedQuestions.Key(session: session, set: set)
        if let known = decoded.entry(key) {
            var index = 0
            let areSame = try connection.all(.questionsOfSet, session, set) { row in
                defer { index += 1 }
                return row.withBytes(0) { known.holds($0, at: index) }
            }
            if areSame.count == known.questions.count, areSame.allSatisfy(\.self) { return known.questions }
        }
        var entry = DecodedQuestions.Entry()
        _ = try connection.all(.questionsOfSet, session, set) { row throws(JournalError) in
            let question: Question = try row.json(0)
            row.withBytes(0) { entry.append(question, of: $0) }
        }
        decoded.store(entry, key)
        return entry.questions
    }
}
