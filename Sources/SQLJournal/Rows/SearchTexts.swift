import Meetings
import Synchronization

/// The search texts of the large sessions that hosts are searching, in memory. They only find candidates: the
/// caller compares the row of each candidate, so outdated texts give no wrong results. They must never lack
/// the text of a committed row, so the writer notes each new text before its commit.
///
/// The first search of a session scans its rows, and asks the writer for notes from then on. A batch may be
/// open at this moment, whose earlier changes the writer did not note. So the texts are read by a later
/// search, whose snapshot begins after the end of that batch. All searches after it use the texts.
///
/// After each erasure, all texts are dropped, so that the memory holds no erased name. A text that a batch
/// has replaced is overwritten after its commit. If a batch or a command is rolled back that had replaced
/// texts, their session loses its texts, because the older texts are valid again. The texts have a limit of
/// bytes: if they are too many, the session that was searched least recently loses its texts.
///
/// The writer's thread calls `batchBegan`, `note`, `rolledBack`, `batchEnded` and `dropAll`. Any thread may
/// call the other functions. The lock is a leaf.
package final class SearchTexts: Sendable {
    /// Texts that were appended one after the other.
    struct Segment: Sendable {
        private(set) var ids: [AttendeeID] = []
        /// The index in `bytes` after each text and its separator.
        private var ends: [Int] = []
        private(set) var bytes: [UInt8] = []
        /// How often each byte occurs.
        private var counts = [Int](repeating: 0, count: 256)

        /// No name contains this byte.
        private static let separator: UInt8 = 0

        mutating func append(_ text: UnsafeRawBufferPointer, of id: AttendeeID) {
            ids.append(id)
            bytes.append(contentsOf: text)
            bytes.append(Self.separator)
            ends.append(bytes.count)
            for byte in text { counts[Int(byte)] += 1 }
        }

        /// Returns the ids of the texts that contain `sought`, in the order of the texts, at most `limit`.
        /// - Parameter first: the index of the first text.
        func ids(containing sought: [UInt8], from first: Int, limit: Int) -> [AttendeeID] {
            guard let rarest = sought.indices.min(by: { counts[Int(sought[$0])] < counts[Int(sought[$1])] }),
                counts[Int(sought[rarest])] > 0
            else { return [] }
            var found: [AttendeeID] = []
            bytes.withUnsafeBytes { bytes in
                var position = first == 0 ? 0 : ends[first - 1]
                let search = ByteSearch(for: sought, rarest: rarest, in: bytes, from: position)
                while found.count < limit, let hit = search.first(from: position) {
                    let index = index(ofTextAt: hit)
                    found.append(ids[index])
                    position = ends[index]
                }
            }
            return found
        }

        func text(at index: Int) -> ArraySlice<UInt8> { bytes[range(ofTextAt: index)] }

        /// Overwrites the text at the index, unless that was done before.
        mutating func erase(at index: Int) {
            for position in range(ofTextAt: index) where bytes[position] != Self.separator {
                counts[Int(bytes[position])] -= 1
                bytes[position] = Self.separator
            }
        }

        private func range(ofTextAt index: Int) -> Range<Int> {
            (index == 0 ? 0 : ends[index - 1])..<(ends[index] - 1)
        }

        /// Returns the index of the text of `id`. The ids must be in order.
        func index(of id: AttendeeID) -> Int? {
            let index = Self.first(ids.count) { ids[$0] >= id }
            return index < ids.count && ids[index] == id ? index : nil
        }

        /// Returns the index of the first text whose id is above `cursor`. The ids must be in order.
        func index(after cursor: AttendeeID) -> Int { Self.first(ids.count) { ids[$0] > cursor } }

        private func index(ofTextAt position: Int) -> Int {
            Self.first(ends.count) { ends[$0] > position }
        }

        /// Returns the first index below `count` for which `holds` is true; `count` if there is none.
        private static func first(_ count: Int, _ holds: (Int) -> Bool) -> Int {
            var (low, high) = (0, count)
            while low < high {
                let middle = (low + high) / 2
                if holds(middle) { high = middle } else { low = middle + 1 }
            }
            return low
        }
    }

    /// The texts of a session.
    struct Texts: Sendable {
        /// All texts of one snapshot, in the order of their ids.
        let main: Segment
        /// The texts that the writer has noted since then.
        let noted: Segment

        /// Returns the attendees whose text may contain `sought`, in the order of their ids, and whether
        /// these are all.
        /// - Parameter limit: the most candidates of `main`.
        func candidates(for sought: [UInt8], after cursor: AttendeeID, limit: Int)
            -> (ids: [AttendeeID], areAll: Bool)
        {
            var ids = main.ids(containing: sought, from: main.index(after: cursor), limit: limit)
            let last = ids.count == limit ? ids.last : nil
            for id in noted.ids(containing: sought, from: 0, limit: .max) where id > cursor {
                if last.map({ id < $0 }) ?? true { ids.append(id) }
            }
            return (Set(ids).sorted(), last == nil)
        }
    }

    /// The next step of a search.
    enum Step {
        /// It scans the rows.
        case scan
        /// It reads the texts, and stores them under the number of its registration.
        case read(registration: Int)
        case use(Texts)
    }

    private struct Entry {
        let registration: Int
        /// The last batch that had begun at the registration.
        let batch: Int
        var main: Segment?
        var noted = Segment()
        /// The index in `noted` of the newest text of each attendee.
        var newest: [AttendeeID: Int] = [:]
        /// The texts of `main` and of `noted` that the open batch has replaced, by their indexes.
        var replaced: (main: [Int], noted: [Int]) = ([], [])
        var usedAt: Int

        var hasReplaced: Bool { !replaced.main.isEmpty || !replaced.noted.isEmpty }

        /// An entry of `newest` takes about 24 bytes.
        var bytes: Int { (main?.bytes.count ?? 0) + noted.bytes.count + 24 * newest.count }

        /// Appends the text, unless it is the attendee's newest one already.
        mutating func note(_ text: UnsafeRawBufferPointer, of id: AttendeeID) {
            if let index = newest[id] {
                if noted.text(at: index).elementsEqual(text) { return }
                replaced.noted.append(index)
            }
            if let main, let index = main.index(of: id) {
                if newest[id] == nil, main.text(at: index).elementsEqual(text) { return }
                replaced.main.append(index)
            }
            newest[id] = noted.ids.count
            noted.append(text, of: id)
        }

        /// Overwrites the texts that the committed batch has replaced.
        mutating func eraseReplaced() {
            for index in replaced.main { main?.erase(at: index) }
            for index in replaced.noted { noted.erase(at: index) }
            replaced = ([], [])
        }

        /// Returns whether `texts` has an older text of an attendee than the writer has noted.
        func isOlder(_ texts: Segment) -> Bool {
            newest.contains { id, index in
                texts.index(of: id).map { texts.text(at: $0) != noted.text(at: index) } ?? false
            }
        }
    }

    private struct State {
        var entries: [SessionID: Entry] = [:]
        /// The number of searches and registrations so far.
        var clock = 0
        var used = 0

        /// The sessions whose texts the open batch has replaced. These are ids, because changing an entry
        /// while looping over `entries` would copy its bytes.
        var withReplaced: [SessionID] { entries.compactMap { $0.value.hasReplaced ? $0.key : nil } }
    }

    /// The most sessions with texts, and the most notes of a session beyond the number of its texts.
    private static let mostSessions = 16
    private static let mostNotes = 10_000

    /// The most bytes of all texts. 100,000 attendees have about 5 MB.
    private let mostBytes: Int
    /// The fewest attendees of a session whose texts are stored. A smaller session is searched fast anyway.
    let leastAttendees: Int
    private let state = Mutex(State())
    private let begun = Atomic(0)
    private let ended = Atomic(0)
    /// Whether the writer has to note texts.
    private let isNeeded = Atomic(false)

    package init(leastAttendees: Int, mostBytes: Int) {
        (self.leastAttendees, self.mostBytes) = (leastAttendees, mostBytes)
    }

    /// The number of searches that used the texts.
    var usedCount: Int { state.withLock { $0.used } }

    /// The bytes of all texts.
    var byteCount: Int { state.withLock { $0.entries.values.reduce(0) { $0 + $1.bytes } } }

    /// Whether the texts of a session hold this one, for tests.
    func holds(_ text: String, of session: SessionID) -> Bool {
        state.withLock { state in
            guard let entry = state.entries[session] else { return false }
            return [entry.main, entry.noted].contains { segment in
                String(decoding: segment?.bytes ?? [], as: UTF8.self).contains(text)
            }
        }
    }

    // MARK: The writer

    package func batchBegan() { begun.add(1, ordering: .sequentiallyConsistent) }

    /// Notes the text of a new or changed row, before the commit.
    func note(_ text: String, of attendee: AttendeeID, in session: SessionID) {
        // `batchBegan` comes before this load, and a registration sets the flag before it reads the number of
        // the batch. So either this text is noted, or the registration waits for the end of this batch.
        guard isNeeded.load(ordering: .sequentiallyConsistent) else { return }
        state.withLock { state in
            guard state.entries[session] != nil else { return }
            var text = text
            text.withUTF8 { state.entries[session]?.note(UnsafeRawBufferPointer($0), of: attendee) }
            // Many notes make a search slow. The next searches read the texts again.
            if let entry = state.entries[session],
                entry.noted.ids.count > Self.mostNotes + (entry.main?.ids.count ?? 0)
            {
                state.entries[session] = nil
            }
            fit(&state, without: session)
        }
    }

    /// Called after the open batch, or one of its commands, was rolled back.
    package func rolledBack() {
        guard isNeeded.load(ordering: .sequentiallyConsistent) else { return }
        state.withLock { state in
            for session in state.withReplaced { state.entries[session] = nil }
        }
    }

    /// Called after the batch was committed or rolled back.
    package func batchEnded(isCommitted: Bool) {
        if !isCommitted { rolledBack() }
        if isNeeded.load(ordering: .sequentiallyConsistent) {
            state.withLock { state in
                for session in state.withReplaced { state.entries[session]?.eraseReplaced() }
            }
        }
        ended.store(begun.load(ordering: .relaxed), ordering: .sequentiallyConsistent)
    }

    /// Drops all texts. Searches that are reading texts at the moment cannot store them.
    package func dropAll() {
        guard isNeeded.load(ordering: .sequentiallyConsistent) else { return }
        state.withLock { state in
            state.entries = [:]
            isNeeded.store(false, ordering: .sequentiallyConsistent)
        }
    }

    // MARK: Searches

    /// The number of the last batch that a snapshot shows for certain, if it begins after this call.
    package var lastEnded: Int { ended.load(ordering: .sequentiallyConsistent) }

    /// Returns the next step of a search of this session.
    /// - Parameter snapshot: the value of `lastEnded` before the search's snapshot began.
    func step(for session: SessionID, snapshot: Int) -> Step {
        state.withLock { state in
            state.clock += 1
            guard var entry = state.entries[session] else {
                isNeeded.store(true, ordering: .sequentiallyConsistent)
                state.entries[session] = Entry(
                    registration: state.clock, batch: begun.load(ordering: .sequentiallyConsistent),
                    usedAt: state.clock)
                fit(&state, without: session)
                return .scan
            }
            entry.usedAt = state.clock
            state.entries[session] = entry
            guard let main = entry.main else {
                return snapshot >= entry.batch ? .read(registration: entry.registration) : .scan
            }
            state.used += 1
            return .use(Texts(main: main, noted: entry.noted))
        }
    }

    /// Stores the texts of a session, unless they were dropped meanwhile or are too many.
    func store(_ texts: Segment, of session: SessionID, registration: Int) {
        state.withLock { state in
            guard let entry = state.entries[session], entry.registration == registration else { return }
            // The next search reads newer texts.
            guard !entry.isOlder(texts) else {
                state.entries[session] = nil
                return
            }
            state.entries[session]?.main = texts
            fit(&state, without: session)
        }
    }

    /// Drops the texts that were used least recently until the others fit.
    /// - Parameter latest: the session that loses its texts last.
    private func fit(_ state: inout State, without latest: SessionID) {
        while state.entries.count > Self.mostSessions
            || state.entries.values.reduce(0, { $0 + $1.bytes }) > mostBytes
        {
            let others = state.entries.filter { $0.key != latest }
            let oldest = others.min { $0.value.usedAt < $1.value.usedAt }?.key ?? latest
            state.entries[oldest] = nil
        }
        if state.entries.isEmpty { isNeeded.store(false, ordering: .sequentiallyConsistent) }
    }
}
