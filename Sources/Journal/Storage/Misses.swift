import Meetings

/// The things that a check-in of the batch looked for and did not find, so that a batch of check-ins looks
/// only once. Another command may add them, so it empties the set.
struct Misses {
    /// A thing that each check-in looks for, although many sessions do not have it.
    enum Thing: Hashable {
        case checkInQuestions(SessionID)
        case roster(MeetingID)
        /// The traces of merged records.
        case traces(SessionID)
    }

    private var things: Set<Thing> = []
    private var isCheckIn = false

    /// Begins a command, or the batch.
    mutating func begin(checksIn: Bool) {
        isCheckIn = checksIn
        if !checksIn { things.removeAll(keepingCapacity: true) }
    }

    func contains(_ thing: Thing) -> Bool { things.contains(thing) }

    /// Notes that the running command has not found the thing.
    mutating func note(_ thing: Thing) { if isCheckIn { things.insert(thing) } }
}
