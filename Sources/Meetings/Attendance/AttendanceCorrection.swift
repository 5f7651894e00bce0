/// What a host says of somebody's attendance: a status, the true time, or both.
///
/// | said | status | time | given by |
/// |---|---|---|---|
/// | a time | `present` or `late`, as the time has it | the said one; in the check-in window | rule |
/// | `present` or `late` | the said one | what is known, else now while check-in is open, else none | host |
/// | `present` or `late`, and a time | the said one | the said one, in the window or not | host |
/// | `absent` or `excused` | the said one | what is known stays, as evidence | host |
/// | `awaited` | `awaited` (after the end: `absent`) | none: the person may check in afresh | rule |
/// | nothing | as it is | as it is | as it is |
///
/// No time lies in the future, and those who did not come have none: `absent`, `excused` and `awaited` with a
/// time are refused.
package struct AttendanceCorrection: Hashable, Sendable {
    package let status: AttendanceStatus?
    package let checkedInAt: Instant?

    /// How far another clock may be ahead of the server's.
    package static let tolerance = Duration.seconds(60)

    package init(status: AttendanceStatus?, checkedInAt: Instant?) {
        self.status = status
        self.checkedInAt = checkedInAt
    }

    /// For somebody who is added without a word about it: here now while check-in is open, awaited before it,
    /// and there at a time that nobody knows after it.
    package static func ofSomebodyAdded(in session: Session, at now: Instant) -> AttendanceCorrection {
        if now < session.checkInOpensAt { return AttendanceCorrection(status: nil, checkedInAt: nil) }
        if now > session.checkInClosesAt { return AttendanceCorrection(status: .present, checkedInAt: nil) }
        return AttendanceCorrection(status: nil, checkedInAt: now)
    }

    /// Changes the status, its origin, the time and the method; who comes in by a host's word has the method
    /// `host`.
    package func apply(to attendee: inout Attendee, in session: Session, at now: Instant) throws(Refusal) {
        let time = try timeGiven(in: session, at: now)
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
            attendee.arrivalSequence = 0
        }
    }

    private func arrive(_ attendee: inout Attendee, at time: Instant?) {
        attendee.checkedInAt = time
        attendee.method = attendee.method ?? .host
    }

    private func timeGiven(in session: Session, at now: Instant) throws(Refusal) -> Instant? {
        guard let checkedInAt else { return nil }
        let came = status.map { $0 == .present || $0 == .late } ?? true
        guard came else { throw .invalid([FieldError("/checkedInAt", .noTimeOfTheAbsent)]) }
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
    /// Whether somebody came by either record: then the person came, at the first time that is known. Of two
    /// words of hosts the kept record's counts, and a host's before the rule's. Name, identity and note are
    /// the kept record's where it has them; nobody who was known is a walk-in.
    package func absorbing(_ other: Attendee, in session: Session) -> Attendee {
        var merged = self
        if merged.identity.isEmpty { merged.identity = other.identity }
        if merged.note.isEmpty { merged.note = other.note }
        merged.walkIn = walkIn && other.walkIn
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
        merged.method = first.method
        merged.evidence = first.evidence
        if let word = came.first(where: \.statusIsByHost) {
            merged.status = word.status
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
