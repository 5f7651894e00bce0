import Meetings
import Testing

struct SessionWindowsTests {
    private let round = session()

    @Test func `check-in is open from an hour before the start to the end, both included`() {
        #expect(!round.checkInIsOpen(at: round.startsAt - .minutes(60) - moment))
        #expect(round.checkInIsOpen(at: round.startsAt - .minutes(60)))
        #expect(round.checkInIsOpen(at: round.endsAt))
        #expect(!round.checkInIsOpen(at: round.endsAt + moment))
    }

    @Test func `check-in may open with the start, or a day before it`() {
        #expect(!session(checkInOpensMinutesBefore: 0).checkInIsOpen(at: round.startsAt - moment))
        #expect(session(checkInOpensMinutesBefore: 0).checkInIsOpen(at: round.startsAt))
        #expect(session(checkInOpensMinutesBefore: 1440).checkInIsOpen(at: round.startsAt - .hours(24)))
    }

    @Test func `a scan is late one millisecond after the limit`() {
        #expect(round.status(ofArrivalAt: round.startsAt - .minutes(60)) == .present)
        #expect(round.status(ofArrivalAt: round.startsAt + .minutes(10)) == .present)
        #expect(round.status(ofArrivalAt: round.startsAt + .minutes(10) + moment) == .late)
        #expect(session(lateAfterMinutes: 0).status(ofArrivalAt: round.startsAt) == .present)
        #expect(session(lateAfterMinutes: 0).status(ofArrivalAt: round.startsAt + moment) == .late)
    }

    @Test func `each phase begins at its moment`() {
        let borders: [(Instant, Phase, Phase)] = [
            (round.startsAt - .minutes(60), .upcoming, .doors), (round.startsAt, .doors, .running),
            (round.endsAt + moment, .running, .ended), (round.endsAt + .hours(24) + moment, .ended, .closed),
        ]
        for (border, before, after) in borders {
            #expect(round.phase(at: border - moment) == before)
            #expect(round.phase(at: border) == after)
        }
    }

    @Test func `a session is over after its end, not at it`() {
        #expect(!round.isOver(at: round.endsAt))
        #expect(round.isOver(at: round.endsAt + moment))
    }

    @Test func `the clock turns exactly where something shows otherwise`() throws {
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

    @Test func `a session may begin where another ends`() {
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
