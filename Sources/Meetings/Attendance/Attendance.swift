/// The number of attendees in a session by recorded status. It is stored with the session and changes with
/// each record; it is never recounted.
package struct HeadCount: Hashable, Sendable, Codable {
    package var pending = 0
    package var present = 0
    package var late = 0
    package var absent = 0
    package var excused = 0
    package var walkIns = 0

    package init() {}

    /// The number of records.
    package var known: Int { pending + present + late + absent + excused }

    /// Counts a record.
    package mutating func add(_ attendee: Attendee) { change(attendee, by: 1) }
    /// Stops counting a record, which must have been counted with the same status and `walkIn`.
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

/// The counts of a session as people see them.
package struct Attendance: Hashable, Sendable, Codable {
    package let planned: Int
    package let awaited: Int
    package let present: Int
    package let late: Int
    package let absent: Int
    package let excused: Int
    /// `present + late`, with corrections.
    package let checkedIn: Int
    package let walkIns: Int

    /// Derives the counts. If the session has fewer records than the host planned, each missing record counts
    /// as one more person: awaited before the end, absent after it.
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

/// The number of arrivals in one minute, of the attendees who count as checked in now.
package struct ArrivalMinute: Hashable, Sendable, Codable {
    /// The first moment of the minute.
    package let at: Instant
    /// The arrivals in this minute.
    package let checkedIn: Int

    /// The largest number of minutes that a reply lists: one day. If a session has more, the reply lists the
    /// newest.
    package static let most = 1440

    package init(at: Instant, checkedIn: Int) {
        self.at = at
        self.checkedIn = checkedIn
    }
}
