internal import Meetings
internal import Wire

/// The attendees of a session. The dashboard requests them page by page, and then updates them from the room.
/// They are sorted by name, so that new arrivals do not change the order of the others.
struct People: Sendable {
    private(set) var isComplete = false
    /// The number of attendees in the pages received so far.
    private(set) var readCount = 0
    private(set) var query = ""
    private(set) var filter: AttendanceStatus?
    /// The number of arrivals in each minute since 1970, counted from the known attendees.
    private(set) var arrivalsByMinute: [Int64: Int] = [:]

    private var all = PeopleByName([])
    /// The attendees who match the query and the filter; nil if all attendees match.
    private var chosen: PeopleByName?
    private var byID: [AttendeeID: AttendeeBody] = [:]
    /// The attendees that the room has updated since the dashboard began to request the pages. These updates
    /// are newer than any page.
    private var fromRoom: Set<AttendeeID> = []
    /// The attendees in the pages received so far. After the last page, attendees who are neither in a page
    /// nor in an update are removed.
    private var seen: Set<AttendeeID> = []
    private var isReading = false

    var count: Int { byID.count }
    /// The attendees who match `query` and `filter`, sorted by name.
    var matches: [AttendeeBody] { (chosen ?? all).list }

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
        for person in page where !fromRoom.contains(person.id) { byID[person.id] = person }
        seen.formUnion(page.map(\.id))
        guard isLast else { return }
        isReading = false
        isComplete = true
        byID = byID.filter { seen.contains($0.key) || fromRoom.contains($0.key) }
        seen = []
        all = PeopleByName(Array(byID.values))
        arrivalsByMinute = [:]
        for person in byID.values { count(person, 1) }
        choose()
    }

    // MARK: Updates from the room

    mutating func put(_ person: AttendeeBody) {
        take(out: person.id)
        byID[person.id] = person
        count(person, 1)
        all.insert(person)
        if isChosen(person) { chosen?.insert(person) }
    }

    mutating func remove(_ id: AttendeeID) { take(out: id) }

    private mutating func take(out id: AttendeeID) {
        fromRoom.insert(id)
        guard let before = byID.removeValue(forKey: id) else { return }
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

/// Attendees sorted by name, and by id if names are equal. Inserting and removing one attendee needs only a
/// binary search.
struct PeopleByName: Sendable {
    private(set) var list: [AttendeeBody]

    init(_ people: [AttendeeBody], areSorted: Bool = false) {
        list = areSorted ? people : people.sorted(by: Self.comesBefore)
    }

    mutating func insert(_ person: AttendeeBody) { list.insert(person, at: firstIndex(notBefore: person)) }

    /// Removes an attendee.
    /// - Parameter person: the same value that was inserted, because its name and id determine its position.
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
