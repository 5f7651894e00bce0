internal import Meetings
internal import Wire

/// The attendees of a session: read once, page by page, and kept up with the room. Sorted by name, so that
/// nobody moves under the finger.
struct People: Sendable {
    private(set) var isComplete = false
    /// How many came in pages so far, while they are being read.
    private(set) var readCount = 0
    private(set) var query = ""
    private(set) var filter: AttendanceStatus?
    /// Arrivals in each minute since 1970, of those who are known.
    private(set) var arrivalsByMinute: [Int64: Int] = [:]

    private var all = PeopleByName([])
    /// Of all, those that match; nil where everybody does.
    private var chosen: PeopleByName?
    private var byID: [AttendeeID: AttendeeBody] = [:]
    /// What the room has told since reading began: newer than any page.
    private var told: Set<AttendeeID> = []
    /// What came in pages since then; who is in neither is gone.
    private var seen: Set<AttendeeID> = []
    private var isReading = false

    var count: Int { byID.count }
    /// Those that match `query` and `filter`, by name.
    var matches: [AttendeeBody] { (chosen ?? all).list }

    subscript(id: AttendeeID) -> AttendeeBody? { byID[id] }

    // MARK: Reading

    mutating func beginReading() {
        isReading = true
        readCount = 0
        told = []
        seen = []
    }

    mutating func read(_ page: [AttendeeBody], isLast: Bool) {
        guard isReading else { return }
        readCount += page.count
        for person in page where !told.contains(person.id) { byID[person.id] = person }
        seen.formUnion(page.map(\.id))
        guard isLast else { return }
        isReading = false
        isComplete = true
        byID = byID.filter { seen.contains($0.key) || told.contains($0.key) }
        seen = []
        all = PeopleByName(Array(byID.values))
        arrivalsByMinute = [:]
        for person in byID.values { count(person, 1) }
        choose()
    }

    // MARK: The room

    mutating func put(_ person: AttendeeBody) {
        take(out: person.id)
        byID[person.id] = person
        count(person, 1)
        all.insert(person)
        if isChosen(person) { chosen?.insert(person) }
    }

    mutating func remove(_ id: AttendeeID) { take(out: id) }

    private mutating func take(out id: AttendeeID) {
        told.insert(id)
        guard let before = byID.removeValue(forKey: id) else { return }
        count(before, -1)
        all.remove(before)
        chosen?.remove(before)
    }

    private mutating func count(_ person: AttendeeBody, _ difference: Int) {
        guard let moment = person.checkedInAt else { return }
        arrivalsByMinute[moment.milliseconds / 60_000, default: 0] += difference
    }

    // MARK: Choosing

    mutating func look(for query: String, filter: AttendanceStatus?) {
        (self.query, self.filter) = (query, filter)
        choose()
    }

    private mutating func choose() {
        chosen =
            query.isEmpty && filter == nil ? nil : PeopleByName(all.list.filter(isChosen), areSorted: true)
    }

    private func isChosen(_ person: AttendeeBody) -> Bool {
        guard filter == nil || person.status == filter else { return false }
        let wanted = query.lowercased()
        return wanted.isEmpty
            || [person.name, person.email, person.number].contains {
                $0?.lowercased().contains(wanted) == true
            }
    }
}

/// People by name, and those of one name by id. Who comes or goes costs no comparison with everybody.
struct PeopleByName: Sendable {
    private(set) var list: [AttendeeBody]

    init(_ people: [AttendeeBody], areSorted: Bool = false) {
        list = areSorted ? people : people.sorted(by: Self.comesBefore)
    }

    mutating func insert(_ person: AttendeeBody) { list.insert(person, at: firstIndex(notBefore: person)) }

    /// `person` as it was put in.
    mutating func remove(_ person: AttendeeBody) {
        let index = firstIndex(notBefore: person)
        if index < list.count, list[index].id == person.id { list.remove(at: index) }
    }

    private static func comesBefore(_ one: AttendeeBody, _ other: AttendeeBody) -> Bool {
        one.name == other.name ? one.id < other.id : one.name < other.name
    }

    private func firstIndex(notBefore person: AttendeeBody) -> Int {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.comesBefore(list[middle], person) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
