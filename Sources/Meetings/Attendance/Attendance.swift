/// How many people a session's records hold, by recorded status: kept beside the records and changed with
/// them, never recounted on the way.
package struct HeadCount: Hashable, Sendable, Codable {
    package var pending = 0
    package var present = 0
    package var late = 0
    package var absent = 0
    package var excused = 0
    package var walkIns = 0

    package init() {}

    package var known: Int { pending + present + late + absent + excused }

    package mutating func add(_ attendee: Attendee) { change(attendee, by: 1) }
    package mutating func remove(_ attendee: Attendee) { change(attendee, by: -1) }

    private mutating func change(_ attendee: Attendee, by difference: Int) {
        switch attendee.status {
        case .pending: pending += difference
        case .present: present += difference
        case .late: late += difference
        case .absent: absent += difference
        case .excused: excused += difference
        }
        if attendee.walkIn { walkIns += difference }
    }
}

/// The counts of a session as everybody sees them.
package struct Attendance: Hashable, Sendable, Codable {
    package let planned: Int
    package let awaited: Int
    package let present: Int
    package let late: Int
    package let absent: Int
    package let excused: Int
    /// `present + late`, as corrected.
    package let checkedIn: Int
    package let walkIns: Int

    /// Where fewer people are known than planned, the difference stands as unnamed places: awaited before the
    /// end, absent after it.
    package init(_ count: HeadCount, planned: Int, sessionIsOver: Bool) {
        let unnamed = max(0, planned - count.known)
        self.planned = planned
        awaited = sessionIsOver ? 0 : count.pending + unnamed
        present = count.present
        late = count.late
        absent = count.absent + (sessionIsOver ? count.pending + unnamed : 0)
        excused = count.excused
        checkedIn = count.present + count.late
        walkIns = count.walkIns
    }
}
