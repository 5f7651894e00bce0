import Meetings
import Seeds
import Testing

struct StaysTests {
    /// A session of one hour that records leaving.
    private func hour(minutes: Int = 0, percent: Int = 0) -> Session {
        var session = session(endsAt: Instant(seconds: 1_795_255_200 + 3600))
        session.take(
            SessionSettings(checkOut: .door, minimumMinutes: minutes, minimumPercent: percent))
        return session
    }

    private func guest(in session: Session, at minute: Int = 0) -> Attendee {
        var guest = attendee(.present)
        guest.checkedInAt = session.startsAt + .minutes(minute)
        return guest
    }

    /// Moves the attendee in and out, beginning with leaving.
    private func moved(_ attendee: Attendee, in session: Session, at minutes: [Int]) throws -> Attendee {
        var attendee = attendee
        for (index, minute) in minutes.enumerated() {
            let moment = session.startsAt + .minutes(minute)
            if index.isMultiple(of: 2) {
                attendee.leave(at: moment)
            } else {
                try attendee.enterAgain(at: moment)
            }
        }
        return attendee
    }

    @Test func `time outside does not count, nor time before the start and after the end`() throws {
        let session = hour()
        let person = try moved(guest(in: session, at: -20), in: session, at: [-10, 5, 20, 30])
        let over = session.endsAt + .hours(3)
        #expect(person.timePresent(in: session, at: over) == .minutes(15 + 30))
        #expect(person.timePresent(in: session, at: session.startsAt + .minutes(25)) == .minutes(15))
        #expect(person.timePresent(in: session, at: session.startsAt - .minutes(5)) == .zero)
        #expect(person.isInside(session, at: session.endsAt))
        #expect(!person.isInside(session, at: session.endsAt + moment))
    }

    @Test func `a second leaving or returning changes nothing`() throws {
        let session = hour()
        var person = try moved(guest(in: session), in: session, at: [10])
        let once = person
        person.leave(at: session.startsAt + .minutes(20))
        #expect(person == once && person.stays?.leftAt == session.startsAt + .minutes(10))
        try person.enterAgain(at: session.startsAt + .minutes(30))
        let back = person
        try person.enterAgain(at: session.startsAt + .minutes(40))
        #expect(person == back)
    }

    @Test func `the fifty-first stay is refused, and the attendee can still leave the fiftieth`() throws {
        let session = hour()
        let minutes = Array(0..<2 * Stays.most - 2)
        var person = try moved(guest(in: session), in: session, at: minutes)
        #expect(person.isInside(session, at: session.startsAt + .minutes(1)))
        person.leave(at: session.startsAt + .hours(3))
        #expect(person.isOutside)
        #expect(throws: Refusal.limitReached(.stay, limit: Stays.most)) {
            try person.enterAgain(at: session.startsAt + .hours(4))
        }
    }

    @Test func `a clock that steps back keeps the moves in order`() throws {
        let session = hour()
        let person = try moved(guest(in: session, at: 10), in: session, at: [5, 3])
        #expect(person.stays?.moves == [10, 10].map { session.startsAt + .minutes($0) })
    }

    @Test func `a later check-in removes the moves before it, and an earlier one none`() throws {
        let session = hour()
        func corrected(to minute: Int) throws -> [Int]? {
            var person = try moved(guest(in: session), in: session, at: [10, 20, 40])
            person.checkedInAt = session.startsAt + .minutes(minute)
            return person.stays?.moves.map { Int($0.since(session.startsAt).components.seconds / 60) }
        }
        #expect(try corrected(to: -5) == [10, 20, 40])
        #expect(try corrected(to: 15) == [40])
        #expect(try corrected(to: 30) == [40])
        #expect(try corrected(to: 50) == nil)
        var awaited = try moved(guest(in: session), in: session, at: [10])
        try AttendanceCorrection(status: .awaited, checkedInAt: nil)
            .apply(to: &awaited, in: session, at: session.endsAt)
        #expect(awaited.stays == nil)
    }

    @Test func `a merged person was inside whenever one of the two records was`() throws {
        let session = hour()
        let first = try moved(guest(in: session), in: session, at: [10, 30, 40])
        let second = try moved(guest(in: session, at: 5), in: session, at: [20, 35, 50])
        for (one, other) in [(first, second), (second, first)] {
            let merged = one.absorbing(other, in: session)
            #expect(merged.checkedInAt == session.startsAt)
            #expect(merged.stays?.moves == [20, 30, 50].map { session.startsAt + .minutes($0) })
        }
        let stayed = first.absorbing(guest(in: session, at: 15), in: session)
        #expect(stayed.stays?.moves == [10, 15].map { session.startsAt + .minutes($0) })
    }

    @Test func `an attendee who left at once is outside after a merge, until the other record came`() throws {
        let session = hour()
        let left = try moved(guest(in: session, at: 5), in: session, at: [5])
        #expect(left.absorbing(left, in: session).stays?.moves == left.stays?.moves)
        let merged = left.absorbing(guest(in: session, at: 40), in: session)
        #expect(merged.timePresent(in: session, at: session.endsAt) == .minutes(20))
    }

    @Test func `a record that did not come adds no stay to a merge`() throws {
        let session = hour()
        let person = try moved(guest(in: session), in: session, at: [10])
        var absent = guest(in: session, at: 20)
        absent.status = .absent
        #expect(person.absorbing(absent, in: session).stays == person.stays)
        #expect(absent.absorbing(person, in: session).stays == person.stays)
    }

    @Test func `presence is partial below the minutes or the percentage, once it is decided`() throws {
        let session = hour(minutes: 30)
        let left = try moved(guest(in: session), in: session, at: [29])
        #expect(left.presence(in: session, at: session.startsAt + .minutes(40))?.isPartial == true)
        let enough = try moved(guest(in: session), in: session, at: [30])
        #expect(enough.presence(in: session, at: session.endsAt)?.isPartial == false)
        let late = guest(in: session, at: 31)
        #expect(late.presence(in: session, at: session.startsAt + .minutes(40))?.isPartial == false)
        #expect(late.presence(in: session, at: session.endsAt + moment)?.isPartial == true)
        #expect(late.presence(in: session, at: session.endsAt + moment)?.minutes == 29)
        #expect(hour(percent: 80).leastPresence == .minutes(48))
        // Nobody can be present for longer than the session.
        #expect(hour(minutes: 90).leastPresence == .minutes(60))
        #expect(hour().leastPresence == nil)
        var silent = session
        silent.checkOut = .notRecorded
        #expect(late.presence(in: silent, at: session.endsAt + moment) == nil)
    }

    @Test func `minutes replace a percentage, and the other way round`() {
        var session = hour(percent: 80)
        session.take(SessionSettings(minimumMinutes: 20))
        #expect((session.minimumMinutes, session.minimumPercent) == (20, 0))
        session.take(SessionSettings(minimumPercent: 50))
        #expect((session.minimumMinutes, session.minimumPercent) == (0, 50))
        session.take(SessionSettings(minimumPercent: 0))
        #expect(session.leastPresence == nil)
        let next = hour(minutes: 5).next(
            id: .makeTimeless(), round: 2, startsAt: session.endsAt, endsAt: session.endsAt + .hours(1),
            SessionSettings())
        #expect((next.checkOut, next.minimumMinutes) == (.door, 5))
    }

    @Test func `after random moves, the time present is the minutes in which the attendee was inside`() throws
    {
        var numbers = SeededNumbers(seed: 98)
        let session = hour()
        for _ in 0..<300 {
            let start = Int.random(in: -30...70, using: &numbers)
            let minutes = (0..<Int.random(in: 0...12, using: &numbers))
                .map { _ in Int.random(in: start...90, using: &numbers) }.sorted()
            let person = try moved(guest(in: session, at: start), in: session, at: minutes)
            let now = Int.random(in: -30...90, using: &numbers)
            let inside = (0..<60).count { minute in
                let moves = minutes.count { $0 <= minute }
                return minute >= start && minute < now && moves.isMultiple(of: 2)
            }
            #expect(
                person.timePresent(in: session, at: session.startsAt + .minutes(now)) == .minutes(inside))
            let absorbed = person.absorbing(guest(in: session, at: 60), in: session)
            #expect(
                absorbed.timePresent(in: session, at: session.endsAt)
                    == person.timePresent(in: session, at: session.endsAt))
        }
    }

    @Test func `merges of many stays keep the limit, and never shorten the time present`() throws {
        var numbers = SeededNumbers(seed: 99)
        var session = hour()
        session.endsAt = session.startsAt + .hours(24)
        for _ in 0..<50 {
            func random() throws -> Attendee {
                let minutes = (0..<2 * Stays.most - 2).map { _ in Int.random(in: 0...1440, using: &numbers) }
                return try moved(guest(in: session), in: session, at: minutes.sorted())
            }
            let (one, other) = (try random(), try random())
            let merged = one.absorbing(other, in: session)
            #expect((merged.stays?.moves.count ?? 0) < 2 * Stays.most)
            let times = [one, other, merged].map { $0.timePresent(in: session, at: session.endsAt) }
            #expect(times[2] >= max(times[0], times[1]))
        }
    }

    @Test func `nobody is inside after the end, and counts follow every move`() throws {
        let session = hour()
        var (count, person) = (HeadCount(), guest(in: session))
        func shown(isOver: Bool = false) -> [Int?] {
            let shown = Attendance(count, planned: 0, sessionIsOver: isOver, recordsLeaving: true)
            return [shown.checkedIn, shown.inside, shown.left]
        }
        count.add(person)
        #expect(shown() == [1, 1, 0])
        count.remove(person)
        person.leave(at: session.startsAt)
        count.add(person)
        #expect(shown() == [1, 0, 1])
        #expect(shown(isOver: true) == [1, 0, 1])
        count.remove(person)
        #expect(count == HeadCount())
        let silent = Attendance(count, planned: 0, sessionIsOver: false)
        #expect(silent.inside == nil && silent.left == nil)
    }
}
