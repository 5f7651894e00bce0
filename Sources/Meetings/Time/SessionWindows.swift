/// The windows of a session. Both ends of each belong to it (design: rules of the domain).
extension Session {
    package var checkInOpensAt: Instant { startsAt - .minutes(checkInOpensMinutesBefore) }
    package var checkInClosesAt: Instant { endsAt }
    package var feedbackOpensAt: Instant { startsAt }
    package var feedbackClosesAt: Instant { endsAt + .hours(feedbackClosesHoursAfter) }
    /// The last moment at which an arrival is on time.
    package var lateAfter: Instant { startsAt + .minutes(lateAfterMinutes) }

    package func isOver(at now: Instant) -> Bool { now > endsAt }
    package func checkInIsOpen(at now: Instant) -> Bool { checkInOpensAt <= now && now <= checkInClosesAt }

    package func phase(at now: Instant) -> Phase {
        if now < checkInOpensAt { return .upcoming }
        if now < startsAt { return .doors }
        if now <= endsAt { return .running }
        return now <= feedbackClosesAt ? .ended : .closed
    }

    /// The next moment after `now` at which the clock alone changes what the session shows: its phase or its
    /// windows. Nil after the last.
    package func nextPhaseChange(after now: Instant) -> Instant? {
        let moment = Duration.milliseconds(1)
        return [checkInOpensAt, startsAt, endsAt + moment, feedbackClosesAt + moment].filter { $0 > now }
            .min()
    }

    /// The status that the rule gives to an arrival at `moment`.
    package func status(ofArrivalAt moment: Instant) -> RecordedStatus {
        moment <= lateAfter ? .present : .late
    }
}

package enum Phase: String, Sendable, Codable, CaseIterable {
    /// Before check-in opens.
    case upcoming
    /// Check-in is open, and the start is still to come.
    case doors
    case running
    /// Over; feedback may still come.
    case ended
    /// Over, and feedback has closed.
    case closed
}

/// Sessions of meetings that one account owns may not overlap. A session covers `[startsAt, endsAt)`, so one
/// may begin where another ends.
package func overlaps(_ startsAt: Instant, _ endsAt: Instant, with other: Session) -> Bool {
    startsAt < other.endsAt && other.startsAt < endsAt
}
