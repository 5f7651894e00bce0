/// The moments at which an attendee left a session and returned, after the check-in. An attendee who never
/// left has no value of this type.
///
/// The first stay begins with the check-in (`Attendee.checkedInAt`), which is not stored twice. So a
/// correction of the check-in moves the beginning of the first stay. A stay is half-open, `[in, out)`.
package struct Stays: Hashable, Sendable, Codable {
    /// The moments in their order: left, returned, left, and so on. It is not empty.
    package let moves: [Instant]

    /// The most stays of one attendee. Each move adds an event that is never deleted.
    package static let most = 50
    package static let mostMoves = 2 * most - 1

    /// Returns nil if there are no moves, too many, or if they are not in order.
    package init?(_ moves: [Instant]) {
        guard (1...Self.mostMoves).contains(moves.count), zip(moves, moves.dropFirst()).allSatisfy(<=) else {
            return nil
        }
        self.moves = moves
    }

    package var isInside: Bool { moves.count.isMultiple(of: 2) }

    /// The moment since when the attendee is outside; nil if the attendee is inside.
    package var leftAt: Instant? { isInside ? nil : moves.last }

    /// Returns the value after one more move. A clock that has stepped back does not change the order.
    fileprivate func adding(_ moment: Instant) -> Stays? {
        Stays(moves + [max(moment, moves[moves.count - 1])])
    }

    /// Returns the value for a check-in at `start`; nil if no move remains. The attendee is inside at
    /// `start`, so a stay that began before it begins there.
    fileprivate func beginning(at start: Instant) -> Stays? {
        let earlier = moves.count { $0 <= start }
        return Stays(Array(moves.dropFirst(earlier + earlier % 2)))
    }

    /// Returns the stays as ranges. The last one ends at `now` if the attendee is inside.
    fileprivate func ranges(from start: Instant, until now: Instant) -> [Range<Instant>] {
        let moments = [start] + moves + (isInside ? [now] : [])
        return stride(from: 0, to: moments.count - 1, by: 2).compactMap { index in
            moments[index] < moments[index + 1] ? moments[index]..<moments[index + 1] : nil
        }
    }

    /// Returns the union of the stays of several records, as one record that begins with the earliest
    /// check-in. If there are more stays than `most`, the shortest absences are left out.
    fileprivate static func union(_ records: [(start: Instant, stays: Stays?)]) -> Stays? {
        let end = Instant(milliseconds: .max)
        // An attendee who left at once has no time inside, but the first stay begins with the check-in.
        let start = records.map(\.start).min() ?? end
        var union = [start..<start]
        let all = records.flatMap { $0.stays?.ranges(from: $0.start, until: end) ?? [$0.start..<end] }
        for range in all.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = union.last, range.lowerBound <= last.upperBound {
                union[union.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                union.append(range)
            }
        }
        while union.count > most {
            let gaps = zip(union, union.dropFirst()).map { $1.lowerBound.since($0.upperBound) }
            guard let shortest = gaps.indices.min(by: { gaps[$0] < gaps[$1] }) else { break }
            union[shortest] = union[shortest].lowerBound..<union[shortest + 1].upperBound
            union.remove(at: shortest + 1)
        }
        return Stays(union.flatMap { [$0.lowerBound, $0.upperBound] }.dropFirst().filter { $0 < end })
    }
}

extension Attendee {
    /// Whether the attendee has checked in and is outside.
    package var isOutside: Bool { status.countsAsCheckedIn && stays?.isInside == false }

    /// Returns whether the attendee is inside at `now`. Nobody is inside after the session's end.
    package func isInside(_ session: Session, at now: Instant) -> Bool {
        status.countsAsCheckedIn && !isOutside && !session.isOver(at: now)
    }

    /// Notes that the attendee leaves, or does nothing if the attendee is outside.
    package mutating func leave(at moment: Instant) {
        guard !isOutside else { return }
        move(at: moment)
    }

    /// Notes that the attendee returns, or does nothing if the attendee is inside.
    /// - Throws: `limitReached` if the attendee has had `Stays.most` stays.
    package mutating func enterAgain(at moment: Instant) throws(Refusal) {
        guard isOutside else { return }
        guard (stays?.moves.count ?? 0) < Stays.mostMoves else {
            throw .limitReached(.stay, limit: Stays.most)
        }
        move(at: moment)
    }

    /// Adds a move.
    package mutating func move(at moment: Instant) {
        stays = stays.map { $0.adding(moment) ?? $0 } ?? Stays([max(moment, checkedInAt ?? moment)])
    }

    /// Removes the last move. Returns its moment; nil if there is none.
    package mutating func removeLastMove() -> Instant? {
        guard let last = stays?.moves.last else { return nil }
        stays = stays.flatMap { Stays($0.moves.dropLast()) }
        return last
    }

    /// Removes the moves that a new moment of the check-in contradicts.
    mutating func restartStays() { stays = checkedInAt.flatMap { stays?.beginning(at: $0) } }

    /// Returns the time that the attendee was inside between the session's start and its end, or until `now`.
    /// If the moment of the check-in is unknown, the first stay begins with the session.
    package func timePresent(in session: Session, at now: Instant) -> Duration {
        guard status.countsAsCheckedIn else { return .zero }
        let (start, end) = (checkedInAt ?? session.startsAt, min(now, session.endsAt))
        let stays = stays?.ranges(from: start, until: end) ?? (start < end ? [start..<end] : [])
        return stays.reduce(.zero) { time, stay in
            let (from, to) = (max(stay.lowerBound, session.startsAt), min(stay.upperBound, end))
            return from < to ? time + to.since(from) : time
        }
    }

    /// Returns how long the attendee was present; nil if the session records no leaving, or if the attendee
    /// has not checked in.
    package func presence(in session: Session, at now: Instant) -> PresenceTime? {
        guard session.recordsLeaving, status.countsAsCheckedIn else { return nil }
        let time = timePresent(in: session, at: now)
        let isDecided = isOutside || session.isOver(at: now)
        return PresenceTime(
            leftAt: stays?.leftAt, minutes: Int(time.components.seconds / 60),
            isPartial: isDecided && session.leastPresence.map { time < $0 } ?? false)
    }

    /// Returns the stays of a record that absorbs the records of the same person.
    static func stays(of records: [Attendee]) -> Stays? {
        let known = records.compactMap { record in record.checkedInAt.map { (start: $0, stays: record.stays) }
        }
        return known.isEmpty ? records.first?.stays : Stays.union(known)
    }
}

/// How long an attendee was present in a session that records leaving.
package struct PresenceTime: Hashable, Sendable {
    /// The moment since when the attendee is outside; nil if the attendee is inside, or was inside at the
    /// session's end.
    package let leftAt: Instant?
    /// The full minutes between the session's start and its end, or until now.
    package let minutes: Int
    /// Whether the attendee was present for less than the session's minimum time. It is false while the
    /// attendee is inside and the session is not over.
    package let isPartial: Bool
}

/// How a session records that attendees leave.
package enum CheckOut: String, Sendable, Codable, CaseIterable {
    /// The session does not record it.
    case notRecorded = "none"
    /// Hosts and the staff at the door record it.
    case door
    /// Hosts and the staff at the door record it, and attendees by their own phones.
    case phones
}
