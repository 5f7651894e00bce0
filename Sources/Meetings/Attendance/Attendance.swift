/// The number of attendees in a session by recorded status. The server stores these counts with the session
/// and changes them with each record; it never counts all records again.
package struct HeadCount: Hashable, Sendable, Codable {
    package var pending = 0
    package var present = 0
    package var late = 0
    package var absent = 0
    package var excused = 0
    package var walkIns = 0
    /// The number of attendees who have checked in and are outside.
    package var left = 0

    package init() {}

    /// The number of attendee records.
    package var known: Int { pending + present + late + absent + excused }

    /// The number of attendees who have checked in.
    package var checkedIn: Int { present + late }

    /// Counts an attendee's record.
    package mutating func add(_ attendee: Attendee) { change(attendee, by: 1) }
    /// Stops counting an attendee's record. The caller must have counted the record with the same status and
    /// `walkIn`.
    package mutating func remove(_ attendee: Attendee) { change(attendee, by: -1) }

    /// Adds the counts of other records.
    package static func += (left: inout HeadCount, right: HeadCount) {
        left.pending += right.pending
        left.present += right.present
        left.late += right.late
        left.absent += right.absent
        left.excused += right.excused
        left.walkIns += right.walkIns
        left.left += right.left
    }

    private mutating func change(_ attendee: Attendee, by difference: Int) {
        switch attendee.status {
        case .pending: pending += difference
        case .present: present += difference
        case .late: late += difference
        case .absent: absent += difference
        case .excused: excused += difference
        }
        if attendee.walkIn { walkIns += difference }
        if attendee.isOutside { left += difference }
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
    /// The number of attendees with the status `present` or `late`, after corrections.
    package let checkedIn: Int
    package let walkIns: Int
    /// The number of people whom `planned` counts and no record names. They are part of `awaited`, and of
    /// `absent` after the session's end.
    package let unnamed: Int
    /// The number of attendees who are inside now, 0 after the session's end; nil if the session does not
    /// record that attendees leave.
    package let inside: Int?
    /// The number of attendees who have checked in and are outside, or left before the session's end; nil if
    /// the session does not record it.
    package let left: Int?

    /// Derives the counts that people see from the records. If the session has fewer records than the host
    /// planned, each missing record counts as one more person: awaited before the session's end, absent after
    /// it.
    package init(_ count: HeadCount, planned: Int, sessionIsOver: Bool, recordsLeaving: Bool = false) {
        unnamed = max(0, planned - count.known)
        self.planned = planned
        awaited = sessionIsOver ? 0 : count.pending + unnamed
        present = count.present
        late = count.late
        absent = count.absent + (sessionIsOver ? count.pending + unnamed : 0)
        excused = count.excused
        checkedIn = count.checkedIn
        walkIns = count.walkIns
        inside = recordsLeaving ? (sessionIsOver ? 0 : count.checkedIn - count.left) : nil
        left = recordsLeaving ? count.left : nil
    }
}

/// The number of attendees who arrived in one minute. Only attendees who count as checked in now are
/// included.
package struct ArrivalMinute: Hashable, Sendable, Codable {
    /// The first moment of the minute.
    package let at: Instant
    /// The number of arrivals in this minute.
    package let checkedIn: Int

    /// The largest number of minutes in a response: one day. If a session has more minutes, the response
    /// lists the newest ones.
    package static let most = 1440

    package init(at: Instant, checkedIn: Int) {
        self.at = at
        self.checkedIn = checkedIn
    }
}
