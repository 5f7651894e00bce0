import Meetings
import Testing

struct SessionTimeRulesTests {
    private let round = session()

    @Test func `check-in is open from an hour before the start to the end, both included`() {
        #expect(!round.checkInIsOpen(at: round.startsAt - .minutes(60) - moment))
        #expect(round.checkInIsOpen(at: round.startsAt - .minutes(60)))
        #expect(round.checkInIsOpen(at: round.endsAt))
        #expect(!round.checkInIsOpen(at: round.endsAt + moment))
    }

    @Test func `check-in can open at the start or a day before it`() {
        #expect(!session(checkInOpensMinutesBefore: 0).checkInIsOpen(at: round.startsAt - moment))
        #expect(session(checkInOpensMinutesBefore: 0).checkInIsOpen(at: round.startsAt))
        #expect(session(checkInOpensMinutesBefore: 1440).checkInIsOpen(at: round.startsAt - .hours(24)))
    }

    @Test func `by the late rule, a scan is late one millisecond after the limit`() {
        #expect(round.status(ofArrivalAt: round.startsAt - .minutes(60)) == .present)
        #expect(round.status(ofArrivalAt: round.startsAt + .minutes(10)) == .present)
        #expect(round.status(ofArrivalAt: round.startsAt + .minutes(10) + moment) == .late)
        #expect(session(lateAfterMinutes: 0).status(ofArrivalAt: round.startsAt) == .present)
        #expect(session(lateAfterMinutes: 0).status(ofArrivalAt: round.startsAt + moment) == .late)
    }

    @Test func `each phase of a session begins at its exact moment`() {
        let borders: [(Instant, Phase, Phase)] = [
            (round.startsAt - .minutes(60), .upcoming, .doors), (round.startsAt, .doors, .running),
            (round.endsAt + moment, .running, .ended), (round.endsAt + .hours(24) + moment, .ended, .closed),
        ]
        for (border, before, after) in borders {
            #expect(round.phase(at: border - moment) == before)
            #expect(round.phase(at: border) == after)
        }
    }

    @Test func `a session is over after its end, but not at its end`() {
        #expect(!round.isOver(at: round.endsAt))
        #expect(round.isOver(at: round.endsAt + moment))
    }

    @Test func `the next phase change is exactly the next moment at which something changes`() throws {
        for round in [session(), session(checkInOpensMinutesBefore: 0), session(feedbackClosesHoursAfter: 0)]
        {
            let set = QuestionSet()
            func shown(_ now: Instant) -> [AnyHashable] {
                [
                    round.phase(at: now), round.checkInIsOpen(at: now), set.isOpen(in: round, at: now),
                    round.isOver(at: now),
                ]
            }
            var now = round.checkInOpensAt - .hours(1)
            var turns: [Instant] = []
            while let turn = round.nextPhaseChange(after: now) {
                #expect(shown(turn - moment) == shown(now))
                #expect(shown(turn) != shown(turn - moment))
                turns.append(turn)
                now = turn
            }
            #expect(round.phase(at: now) == .closed)
            #expect(
                turns.count
                    == (round.checkInOpensMinutesBefore == 0 || round.feedbackClosesHoursAfter == 0 ? 3 : 4))
        }
    }

    @Test func `a session may begin when another ends`() {
        let (start, end) = (round.startsAt, round.endsAt)
        #expect(!overlaps(end, end + .hours(1), with: round))
        #expect(!overlaps(start - .hours(1), start, with: round))
        #expect(overlaps(end - moment, end + .hours(1), with: round))
        #expect(overlaps(start - .hours(1), start + moment, with: round))
        #expect(overlaps(start, end, with: round))
        #expect(overlaps(start + moment, end - moment, with: round))
        #expect(overlaps(start - .hours(1), end + .hours(1), with: round))
    }
}

struct SessionTimesTests {
    private let start = Instant(seconds: 1_795_255_200)

    @Test func `a session must end after its start`() {
        #expect(SessionTimes.error(startsAt: start, endsAt: start) == .endsBeforeStart)
        #expect(SessionTimes.error(startsAt: start, endsAt: start - moment) == .endsBeforeStart)
        #expect(SessionTimes.error(startsAt: start, endsAt: start + moment) == nil)
    }

    @Test func `both ends must be in the years that a request may give`() throws {
        let (first, last) = (
            Instant(milliseconds: 0), try #require(Instant(rfc3339: "2199-12-31T23:59:59.999Z"))
        )
        #expect(SessionTimes.error(startsAt: first, endsAt: first + moment) == nil)
        #expect(SessionTimes.error(startsAt: last - moment, endsAt: last) == nil)
        #expect(SessionTimes.error(startsAt: first - moment, endsAt: first) == .outsideTheYears)
        #expect(SessionTimes.error(startsAt: last, endsAt: last + moment) == .outsideTheYears)
        #expect(
            SessionTimes.error(startsAt: Instant(milliseconds: .max - 1), endsAt: Instant(milliseconds: .max))
                == .outsideTheYears)
        #expect(
            SessionTimes.error(startsAt: Instant(milliseconds: .min), endsAt: Instant(milliseconds: .max))
                == .outsideTheYears)
    }

    @Test func `a session lasts at most fourteen days`() {
        #expect(SessionTimes.error(startsAt: start, endsAt: start + .hours(14 * 24)) == nil)
        #expect(
            SessionTimes.error(startsAt: start, endsAt: start + .hours(14 * 24) + moment)
                == .tooLongASession(maxDays: 14))
    }
}
