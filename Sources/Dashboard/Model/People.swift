internal import Meetings
internal import Wire

/// The attendees of a session. The dashboard requests them page by page, and then updates them from the room.
/// They are sorted by name at first, so that new arrivals do not change the order of the others.
struct People: Sendable {
    enum Order: CaseIterable, Hashable, Sendable {
        case name
        /// The newest arrival first; attendees who have not arrived are last.
        case arrival
        /// Awaited attendees first, because they need the host.
        case status

        func comesBefore(_ one: AttendeeBody, _ other: AttendeeBody) -> Bool {
            switch self {
            case .name: break
            case .arrival:
                let (first, second) = (one.checkedInAt, other.checkedInAt)
                if first != second { return (first ?? .distantPast) > (second ?? .distantPast) }
            case .status:
                let (first, second) = (Self.rank(one.status), Self.rank(other.status))
                if first != second { return first < second }
            }
            return one.name == other.name ? one.id < other.id : one.name < other.name
        }

        private static func rank(_ status: AttendanceStatus) -> Int {
            switch status {
            case .awaited: 0
            case .late: 1
            case .present: 2
            case .absent: 3
            case .excused: 4
            }
        }
    }

    private(set) var isComplete = false
    /// The number of attendees in the pages received so far.
    private(set) var readCount = 0
    private(set) var query = ""
    private(set) var filter: AttendanceStatus?
    /// The number of arrivals in each minute since 1970, counted from the known attendees.
    private(set) var arrivalsByMinute: [Int64: Int] = [:]

    private(set) var order = Order.name
    private var all = SortedPeople([], by: .name)
    /// The attendees who match the query and the filter; nil if all attendees match.
    private var chosen: SortedPeople?
    private var byID: [AttendeeID: AttendeeBody] = [:]
    /// The texts that a search looks through, so that each attendee is normalized once.
    private var searched: [AttendeeID: SearchedText] = [:]
    /// The number of attendees that all searches have looked at.
    private(set) var examined = 0
    /// The attendees that the room has updated since the dashboard began to request the pages. These updates
    /// are newer than any page.
    private var fromRoom: Set<AttendeeID> = []
    /// The attendees in the pages received so far. After the last page, attendees who are neither in a page
    /// nor in an update are removed.
    private var seen: Set<AttendeeID> = []
    private var isReading = false

    var count: Int { byID.count }
    /// The attendees who match `query` and `filter`, in the order `order`.
    var matches: [AttendeeBody] { (chosen ?? all).list }
    /// All attendees in the order `order`.
    var everybody: [AttendeeBody] { all.list }

    subscript(id: AttendeeID) -> AttendeeBody? { byID[id] }

    // MARK: Reading the pages

    mutating func beginReading() {
        isReading = true
        readCount = 0
        fromRoom = []
        seen = []
    }

    mutating func read(_ page: [AttendeeBody], isLast: Bool) {
        guard isReading else { return }
        readCount += page.count
        for person in page where !fromRoom.contains(person.id) {
            byID[person.id] = person
            searched[person.id] = SearchedText(person)
        }
        seen.formUnion(page.map(\.id))
        guard isLast else { return }
        isReading = false
        isComplete = true
        byID = byID.filter { seen.contains($0.key) || fromRoom.contains($0.key) }
        searched = searched.filter { byID[$0.key] != nil }
        seen = []
        all = SortedPeople(Array(byID.values), by: order)
        arrivalsByMinute = [:]
        for person in byID.values { count(person, 1) }
        choose(among: all.list)
    }

    // MARK: Updates from the room

    mutating func put(_ person: AttendeeBody) {
        take(out: person.id)
        byID[person.id] = person
        searched[person.id] = SearchedText(person)
        count(person, 1)
        all.insert(person)
        if isChosen(person, SearchedText(query)) { chosen?.insert(person) }
    }

    mutating func remove(_ id: AttendeeID) { take(out: id) }

    private mutating func take(out id: AttendeeID) {
        fromRoom.insert(id)
        guard let before = byID.removeValue(forKey: id) else { return }
        searched[id] = nil
        count(before, -1)
        all.remove(before)
        chosen?.remove(before)
    }

    private mutating func count(_ person: AttendeeBody, _ difference: Int) {
        guard let moment = person.checkedInAt else { return }
        arrivalsByMinute[moment.milliseconds / 60_000, default: 0] += difference
    }

    // MARK: Search and filter

    mutating func look(for query: String, filter: AttendanceStatus?) {
        // A longer search finds nobody whom the shorter one has not found.
        let (shorter, longer) = (SearchedText(self.query), SearchedText(query))
        let narrows = chosen != nil && filter == self.filter && longer.begins(with: shorter)
        (self.query, self.filter) = (query, filter)
        choose(among: narrows ? matches : all.list)
    }

    mutating func sort(by order: Order) {
        self.order = order
        all = SortedPeople(all.list, by: order)
        choose(among: all.list)
    }

    /// - Parameter people: attendees in the order `order`, among them everybody who matches.
    private mutating func choose(among people: [AttendeeBody]) {
        guard !query.isEmpty || filter != nil else {
            chosen = nil
            return
        }
        examined += people.count
        let wanted = SearchedText(query)
        chosen = SortedPeople(people.filter { isChosen($0, wanted) }, by: order, areSorted: true)
    }

    private func isChosen(_ person: AttendeeBody, _ wanted: SearchedText) -> Bool {
        (filter == nil || person.status == filter) && searched[person.id]?.contains(wanted) == true
    }
}

/// A text in the form that a search compares: as `IdentityKey`, and as bytes.
private struct SearchedText: Sendable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(IdentityKey(text).text.utf8) }

    /// The name, the e-mail address and the number, one on each line. A searched text has no line break,
    /// so no match spans two of them.
    init(_ person: AttendeeBody) {
        bytes = Array(
            [person.name, person.email, person.number].compactMap { $0.map { IdentityKey($0).text } }
                .joined(separator: "\n").utf8)
    }

    func begins(with other: SearchedText) -> Bool { bytes.starts(with: other.bytes) }

    func contains(_ other: SearchedText) -> Bool {
        guard let first = other.bytes.first else { return true }
        guard bytes.count >= other.bytes.count else { return false }
        return bytes.withUnsafeBufferPointer { text in
            other.bytes.withUnsafeBufferPointer { wanted in
                (0...text.count - wanted.count).contains { start in
                    text[start] == first
                        && wanted.indices.allSatisfy { text[start + $0] == wanted[$0] }
                }
            }
        }
    }
}

/// Attendees in an order. Inserting and removing one attendee needs only a binary search.
struct SortedPeople: Sendable {
    private(set) var list: [AttendeeBody]
    private let order: People.Order

    init(_ people: [AttendeeBody], by order: People.Order, areSorted: Bool = false) {
        self.order = order
        list = areSorted ? people : people.sorted(by: order.comesBefore)
    }

    mutating func insert(_ person: AttendeeBody) { list.insert(person, at: firstIndex(notBefore: person)) }

    /// Removes an attendee.
    /// - Parameter person: the same value that was inserted, because it determines the position.
    mutating func remove(_ person: AttendeeBody) {
        let index = firstIndex(notBefore: person)
        if index < list.count, list[index].id == person.id { list.remove(at: index) }
    }

    private func firstIndex(notBefore person: AttendeeBody) -> Int {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if order.comesBefore(list[middle], person) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Instant {
    /// Earlier than every arrival.
    fileprivate static let distantPast = Instant(milliseconds: .min / 2)
}
