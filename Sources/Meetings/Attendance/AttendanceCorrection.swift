/// A host's correction of one attendee: a status, a time, or both.
///
/// | given | status | time | decided by |
/// |---|---|---|---|
/// | a time | `present` or `late`, by the late rule | the given one, in the check-in window | rule |
/// | `present` or `late` | the given one | the recorded one; else now if check-in is open; else none | host |
/// | `present` or `late`, and a time | the given one | the given one, in the window or not | host |
/// | `absent` or `excused` | the given one | the recorded one stays, as evidence | host |
/// | `awaited` | `awaited` (after the end: `absent`) | none; the person can check in again | rule |
/// | nothing | unchanged | unchanged | unchanged |
///
/// The correction is refused if the time is in the future. A time together with `absent`, `excused` or
/// `awaited` is refused too, because the person did not come.
package struct AttendanceCorrection: Hashable, Sendable {
    package let status: AttendanceStatus?
    package let checkedInAt: Instant?

    /// The largest difference by which the host's clock may be ahead of the server's clock. If a given time
    /// is ahead by at most this much, the server uses its present time.
    package static let tolerance = Duration.seconds(60)

    package init(status: AttendanceStatus?, checkedInAt: Instant?) {
        self.status = status
        self.checkedInAt = checkedInAt
    }

    /// Returns the correction for a person whom a host adds without a status or time. Before check-in opens,
    /// the person is awaited. While check-in is open, the person arrives now. After check-in has closed, the
    /// person is present, and the time is unknown.
    package static func forAddedPerson(in session: Session, at now: Instant) -> AttendanceCorrection {
        if now < session.checkInOpensAt { return AttendanceCorrection(status: nil, checkedInAt: nil) }
        if now > session.checkInClosesAt { return AttendanceCorrection(status: .present, checkedInAt: nil) }
        return AttendanceCorrection(status: nil, checkedInAt: now)
    }

    /// Changes the attendee's status, the mark that a host or the rule decided the status, the time, and the
    /// method. If an attendee without a method arrives by a correction, the method becomes `host`.
    /// - Throws: `invalid` for `checkedInAt` in three cases: the time is in the future (beyond `tolerance`);
    ///   the time is outside the check-in window and no status was given; the status says that the person did
    ///   not come.
    package func apply(to attendee: inout Attendee, in session: Session, at now: Instant) throws(Refusal) {
        let time = try checkedTime(in: session, at: now)
        switch status {
        case nil:
            guard let time else { return }
            attendee.status = session.status(ofArrivalAt: time)
            attendee.statusIsByHost = false
            arrive(&attendee, at: time)
        case .present, .late:
            attendee.status = status == .present ? .present : .late
            attendee.statusIsByHost = true
            arrive(
                &attendee, at: time ?? attendee.checkedInAt ?? (session.checkInIsOpen(at: now) ? now : nil))
        case .absent, .excused:
            attendee.status = status == .absent ? .absent : .excused
            attendee.statusIsByHost = true
        case .awaited:
            attendee.status = .pending
            attendee.statusIsByHost = false
            attendee.checkedInAt = nil
            attendee.method = nil
            attendee.door = nil
            attendee.consentNumber = nil
            attendee.arrivalSequence = 0
        }
    }

    private func arrive(_ attendee: inout Attendee, at time: Instant?) {
        attendee.checkedInAt = time
        attendee.method = attendee.method ?? .host
    }

    private func checkedTime(in session: Session, at now: Instant) throws(Refusal) -> Instant? {
        guard let checkedInAt else { return nil }
        let came = status.map { $0 == .present || $0 == .late } ?? true
        guard came else { throw .invalid([FieldError("/checkedInAt", .timeOfAbsentAttendee)]) }
        guard checkedInAt <= now + Self.tolerance else {
            throw .invalid([FieldError("/checkedInAt", .inTheFuture)])
        }
        let time = min(checkedInAt, now)
        guard status != nil || session.checkInOpensAt <= time && time <= session.checkInClosesAt else {
            throw .invalid([FieldError("/checkedInAt", .outsideTheWindow)])
        }
        return time
    }
}

extension Attendee {
    /// Returns this record merged with another record of the same person. If either record is checked in, the
    /// merged record is checked in at the earliest known time. A status that a host set has priority over the
    /// late rule. If a host set both statuses, this record's status is used. The person was inside whenever
    /// one of the two was. The name, identity and note come from this record, unless they are empty. The
    /// result is a walk-in only if both records are walk-ins.
    package func absorbing(_ other: Attendee, in session: Session) -> Attendee {
        var merged = self
        if merged.identity.isEmpty { merged.identity = other.identity }
        if merged.note.isEmpty { merged.note = other.note }
        // The other record's attendee must not learn the name of a record that nobody had typed.
        if checkedInAt == nil, other.checkedInAt != nil, typed == nil {
            merged.setTyped(other.seenByAttendee)
        }
        merged.walkIn = walkIn && other.walkIn
        // A receipt that has ended must not be valid again through the merge.
        merged.receiptsEndedAt = [receiptsEndedAt, other.receiptsEndedAt].compactMap { $0 }.max()
        let records = [self, other]
        let came = records.filter(\.status.countsAsCheckedIn)
        guard !came.isEmpty else {
            guard !statusIsByHost, other.statusIsByHost else { return merged }
            merged.status = other.status
            merged.statusIsByHost = true
            return merged
        }
        let first =
            came.filter { $0.checkedInAt != nil }.min {
                ($0.checkedInAt ?? .distant) < ($1.checkedInAt ?? .distant)
            } ?? came[0]
        merged.checkedInAt = first.checkedInAt
        merged.stays = Self.stays(of: came)
        merged.method = first.method
        merged.door = first.door
        merged.evidence = first.evidence
        merged.consentNumber = first.consentNumber ?? came.lazy.compactMap(\.consentNumber).first
        if let corrected = came.first(where: \.statusIsByHost) {
            merged.status = corrected.status
            merged.statusIsByHost = true
        } else {
            merged.status = first.checkedInAt.map { session.status(ofArrivalAt: $0) } ?? first.status
            merged.statusIsByHost = false
        }
        return merged
    }
}

extension Instant {
    fileprivate static let distant = Instant(milliseconds: .max)
}
