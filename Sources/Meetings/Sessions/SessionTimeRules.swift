// These rules follow from a session's times: whether check-in is open, whether an attendee is late, whether
// feedback is open, which phase the session is in, and whether two sessions overlap.
//
// `SQLJournal` repeats some of these rules as SQL, in its folder `Rows`. Change both together:
// - the late rule: `recompute` in AttendeeRows.swift
// - the feedback window: `toSeal` in FeedbackRows.swift
// - the check-in window and the overlap of sessions: SessionRows.swift

// MARK: Check-in window

extension Session {
    /// The first moment at which attendees can check in.
    package var checkInOpensAt: Instant { startsAt - .minutes(checkInOpensMinutesBefore) }

    /// The last moment at which attendees can check in: the end of the session.
    package var checkInClosesAt: Instant { endsAt }

    /// Returns whether check-in is open at `now`. Both ends of the window are included.
    package func checkInIsOpen(at now: Instant) -> Bool { checkInOpensAt <= now && now <= checkInClosesAt }

    /// The shortest lifetime of a grant, so that a person who scans at the last moment can still
    /// type. In sessions with rotating codes, every grant lives exactly this long, because a scan that is
    /// used later may have been passed on.
    package static let shortestGrant = Duration.minutes(10)

    /// Returns the last moment at which a grant can check in.
    /// - Parameter moment: the moment at which the code was exchanged for the grant.
    package func grantExpiresAt(exchangedAt moment: Instant) -> Instant {
        let shortest = moment + Self.shortestGrant
        return codeKind == .rotating ? shortest : max(checkInClosesAt, shortest)
    }
}

// MARK: Late rule

extension Session {
    /// The last moment at which an attendee is on time.
    package var lateAfter: Instant { startsAt + .minutes(lateAfterMinutes) }

    /// Returns the status of an attendee who checks in at `moment`, by the late rule: `present` at or before
    /// `startsAt + lateAfterMinutes`, `late` after it.
    package func status(ofArrivalAt moment: Instant) -> RecordedStatus {
        moment <= lateAfter ? .present : .late
    }

    /// Returns the reason for which nobody can check in at `moment`; nil if check-in is open. A session whose
    /// names are deleted stays closed.
    package func refusal(ofCheckInAt moment: Instant) -> Refusal? {
        if moment < checkInOpensAt { return .checkInNotOpen(opensAt: checkInOpensAt) }
        guard moment <= checkInClosesAt, namesDeletedAt == nil else {
            return .checkInClosed(closedAt: checkInClosesAt)
        }
        return nil
    }
}

// MARK: Presence

extension Session {
    /// Whether the session records that attendees leave and return.
    package var recordsLeaving: Bool { checkOut != .notRecorded }

    /// The minimum time for full presence, at most the session's length; nil if there is none. An attendee
    /// who was present for less is partially present.
    package var leastPresence: Duration? {
        guard recordsLeaving, minimumMinutes > 0 || minimumPercent > 0 else { return nil }
        let length = endsAt.since(startsAt)
        return minimumMinutes > 0 ? min(.minutes(minimumMinutes), length) : length * minimumPercent / 100
    }
}

// MARK: Feedback window

extension Session {
    /// The first moment at which the `feedback` set accepts responses: the start of the session.
    package var feedbackOpensAt: Instant { startsAt }

    /// The last moment at which the `feedback` set accepts responses.
    package var feedbackClosesAt: Instant { endsAt + .hours(feedbackClosesHoursAfter) }

    /// Returns whether feedback is open at `now`. If a host opened or closed feedback by hand, `byHand`
    /// decides. Otherwise, feedback is open in the feedback window, including both of its ends.
    func feedbackIsOpen(byHand: Bool?, at now: Instant) -> Bool {
        byHand ?? (feedbackOpensAt <= now && now <= feedbackClosesAt)
    }

    /// Returns whether a set is open, or whether the feedback window has ever opened it. The window matters
    /// only if `byClock` is true. If a host opened or closed the set by hand, only `byHand` decides.
    func feedbackHasOpened(byHand: Bool?, byClock: Bool, at now: Instant) -> Bool {
        byHand ?? (byClock && feedbackOpensAt <= now)
    }
}

// MARK: Phases

/// The phases of a session.
package enum Phase: String, Sendable, Codable, CaseIterable {
    /// Check-in has not opened yet.
    case upcoming
    /// Check-in is open, and the session has not started.
    case doors
    /// The session is running: from its start to its end, both included.
    case running
    /// The session is over. Feedback is still accepted.
    case ended
    /// The session is over, and the feedback window has closed.
    case closed
}

extension Session {
    /// Returns whether the session is over: `now` is after `endsAt`.
    package func isOver(at now: Instant) -> Bool { now > endsAt }

    /// Returns the session's phase at `now`.
    package func phase(at now: Instant) -> Phase {
        if now < checkInOpensAt { return .upcoming }
        if now < startsAt { return .doors }
        if now <= endsAt { return .running }
        return now <= feedbackClosesAt ? .ended : .closed
    }

    /// Returns the next moment after `now` at which time alone changes the session's phase or opens or closes
    /// a window. Returns nil after the last such moment.
    package func nextPhaseChange(after now: Instant) -> Instant? {
        let moment = Duration.milliseconds(1)
        return [checkInOpensAt, startsAt, endsAt + moment, feedbackClosesAt + moment].filter { $0 > now }
            .min()
    }
}

// MARK: Overlap

/// Returns whether a session with these times would overlap `other`. A session covers `[startsAt, endsAt)`,
/// so a session may begin at the moment at which another one ends. The server refuses an overlap between
/// sessions of meetings that one account owns, unless the host allows the overlap.
package func overlaps(_ startsAt: Instant, _ endsAt: Instant, with other: Session) -> Bool {
    startsAt < other.endsAt && other.startsAt < endsAt
}

// MARK: Valid start and end

/// The limits of a session's start and end.
package enum SessionTimes {
    /// The length of the longest session, in days.
    package static let mostDays = 14

    /// Returns the reason why the times are not valid; nil if they are valid. The end must be after the
    /// start, at most 14 days later. Both times must be in the years 1970 to 2199, because a series could
    /// otherwise reach years that RFC 3339 cannot write.
    package static func error(startsAt: Instant, endsAt: Instant) -> FieldReason? {
        if !startsAt.isSensible || !endsAt.isSensible { return .outsideTheYears }
        if endsAt <= startsAt { return .endsBeforeStart }
        if endsAt.since(startsAt) > .hours(24 * mostDays) { return .tooLongASession(maxDays: mostDays) }
        return nil
    }
}
