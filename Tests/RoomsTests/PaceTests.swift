import Meetings
import Rooms
import Testing
import Wire

struct PaceTests {
    @Test func `a quiet room flushes at once, and news before that flush need no second one`() {
        var stage = Stage()
        #expect(stage.arrive(1, at: .seconds(5)) == .flushNow)
        #expect(stage.arrive(1, at: .seconds(5)) == .none)
        #expect(stage.turn(at: .seconds(5)) == .none)
        #expect(stage.flush(at: .seconds(5)).next == .none)
    }

    @Test func `a busy room flushes fifty milliseconds after its last flush`() {
        var stage = Stage()
        _ = stage.arrive(1)
        _ = stage.flush(at: .seconds(1))
        #expect(stage.arrive(1, at: .milliseconds(1001)) == .flush(at: .milliseconds(1050)))
        #expect(stage.arrive(1, at: .milliseconds(1049)) == .none)
        _ = stage.flush(at: .milliseconds(1050))
        #expect(stage.arrive(1, at: .microseconds(1_099_999)) == .flush(at: .milliseconds(1100)))
        _ = stage.flush(at: .milliseconds(1100))
        #expect(stage.arrive(1, at: .milliseconds(1150)) == .flushNow)
    }

    @Test(arguments: [(0, 50), (1000, 50), (1001, 50), (2000, 100), (3000, 150), (50_000, 150)])
    func `a room with more than 1,000 watchers flushes less often, but at once after a quiet time`(
        watchers: Int, milliseconds: Int
    ) {
        var stage = Stage()
        stage.room.watchers = watchers
        #expect(stage.arrive(1, at: .seconds(1)) == .flushNow)
        _ = stage.flush(at: .seconds(1))
        guard case .flush(let at) = stage.arrive(1, at: .milliseconds(1001)) else {
            Issue.record("a busy room flushed at once")
            return
        }
        #expect(Int((at - .seconds(1)) / .milliseconds(1)) == milliseconds)
        _ = stage.flush(at: at)
        #expect(stage.arrive(1, at: at + .milliseconds(milliseconds + 1)) == .flushNow)
    }

    @Test func `a room that flushed late waits from that flush`() {
        var stage = Stage()
        _ = stage.arrive(1)
        _ = stage.flush(at: .milliseconds(70))
        #expect(stage.arrive(1, at: .milliseconds(71)) == .flush(at: .milliseconds(120)))
    }

    private static func poll(_ number: Int, fives: Int) -> SetResults {
        results("p\(number)", fives: fives, shared: true, question: QuestionID(high: 5, low: UInt64(number)))
    }

    @Test func `a quiet room shows five changed tallies at once, and the others one after the other`() {
        var stage = Stage()
        for number in 0..<8 { _ = stage.apply(Self.poll(number, fives: 1)) }
        var shown: [[QuestionID]] = []
        var next = Room.Action.flushNow
        while next != .none {
            let flushed = stage.flush(for: [.session], at: .milliseconds(50 * shown.count))
            shown.append(flushed.publications.compactMap(\.frame.tally?.questionId))
            next = flushed.next
        }
        #expect(shown.map(\.count) == [5, 1, 1, 1])
        #expect(Set(shown.joined()).count == 8)
    }

    @Test func `a subscriber gets at most 25 frames in any second while answers change all tallies`() {
        var stage = Stage()
        var sent: [Int] = []
        var newest: [QuestionID: Int] = [:]
        var due = 0
        // Answers arrive every 10 ms, stop after each third second, and change 12 tallies each.
        for moment in stride(from: 0, to: 9000, by: 10) {
            let at = Duration.milliseconds(moment)
            if moment % 3000 < 1500 {
                for number in 0..<12 { _ = stage.apply(Self.poll(number, fives: moment / 10 + 1), at: at) }
                stage.arrive(1, at: at)
            }
            guard moment >= due else { continue }
            let (publications, next) = stage.flush(for: [.session], at: at)
            sent += publications.map { _ in moment }
            for tally in publications.compactMap(\.frame.tally) { newest[tally.questionId] = tally.answers }
            due = next == .none ? moment + 10 : moment + 50
        }
        #expect(sent.count > 100)
        for moment in sent { #expect(sent.count { (moment..<moment + 1000).contains($0) } <= 25) }
        #expect(newest.count == 12 && newest.values.allSatisfy { $0 == 750 }, "\(newest)")
    }

    @Test func `a room ignores a commit that it already contains`() {
        var stage = Stage(sequence: 10)
        let old = stage.commit(sequence: 10)
        #expect(stage.apply(old) == .none)
        #expect(stage.flush().publications.isEmpty)
        #expect((stage.room.sequence, stage.room.published) == (10, 10))
    }

    @Test func `a room does not publish news that it already contained when it was made`() throws {
        var stage = Stage(sequence: 10)
        let attendee = Attendee(id: .makeTimeless(), sessionID: stage.session.id, name: "A", status: .present)
        let commit = stage.commit(
            [
                News(sequence: 10, kind: .arrived(attendee)), News(sequence: 11, kind: .changed(attendee)),
            ], sequence: 11)
        _ = stage.apply(commit)
        let frame = try #require(stage.flush(for: [.session]).publications.first?.frame)
        #expect(frame.arrivals == nil)
        #expect(frame.changed?.count == 1)
    }

    @Test func `a room publishes two hundred arrivals in four frames of fifty, in order`() {
        var stage = Stage()
        stage.arrive(200)
        var sent: [Publication] = []
        for turn in 0..<4 {
            let (publications, next) = stage.flush(for: [.session], at: .milliseconds(50 * turn))
            #expect(publications.count == 1)
            #expect(publications.first?.frame.arrivals?.count == 50)
            #expect(next == (turn < 3 ? .flush(at: .milliseconds(50 * turn + 50)) : .none))
            sent += publications
        }
        #expect(sent.arrivals == stage.arrivals.map(\.id))
        #expect(sent.chains(from: 0))
        #expect(sent.map(\.to) == [50, 100, 150, 200])
        #expect(sent.omitted == 0)
    }

    @Test func `the first frame of a burst has the counts of the whole burst`() {
        var stage = Stage(plannedCount: 300)
        stage.arrive(200)
        let sent = stage.flushAll()
        #expect(sent.first?.frame.attendance == stage.attendance)
        #expect(sent.first?.frame.attendance?.present == 200)
        #expect(sent.dropFirst().allSatisfy { $0.frame.attendance == nil })
    }

    @Test(arguments: [(49, 1), (50, 1), (51, 2), (100, 2), (101, 3)])
    func `a frame has at most fifty arrivals`(
        count: Int, frames: Int
    ) {
        var stage = Stage()
        stage.arrive(count)
        let sent = stage.flushAll()
        #expect(sent.count == frames)
        #expect(sent.arrivals.count == count)
        #expect(sent.last?.to == Int64(count))
        // The first frame has the count of all, so each says how many names later ones bring.
        #expect(sent.map { $0.frame.arrivalsToCome ?? 0 } == (1...frames).map { max(0, count - 50 * $0) })
    }

    @Test func `a frame includes other news that follow its fiftieth arrival`() {
        var stage = Stage()
        stage.arrive(50)
        stage.respond()
        stage.change(AttendeeID(high: 7, low: 1), to: .late)
        _ = stage.commit()
        let sent = stage.flushAll()
        #expect(sent.map(\.to) == [52])
        #expect(sent.first?.frame.arrivals?.first?.status == .late)
    }

    @Test func `the news of one event are always in one frame`() {
        var stage = Stage()
        stage.arrive(49)
        let people = (0..<3).map {
            Attendee(
                id: AttendeeID(high: 9, low: $0), sessionID: stage.session.id, name: "A", status: .present)
        }
        _ = stage.apply(
            stage.commit(people.map { News(sequence: 50, kind: .arrived($0)) }, sequence: 50))
        let sent = stage.flushAll()
        #expect(sent.map { $0.frame.arrivals?.count } == [49, 3])
        #expect(sent.map(\.to) == [49, 50])
    }

    @Test func `an event of more than fifty arrivals is one frame`() {
        var stage = Stage()
        let people = (0..<60).map {
            Attendee(
                id: AttendeeID(high: 9, low: $0), sessionID: stage.session.id, name: "A", status: .present)
        }
        _ = stage.apply(stage.commit(people.map { News(sequence: 1, kind: .arrived($0)) }, sequence: 1))
        #expect(stage.flushAll().map { $0.frame.arrivals?.count } == [60])
    }

    @Test(arguments: [(999, 0), (1000, 0), (1001, 1), (1500, 500), (5000, 4000)])
    func `a room only counts waiting arrivals beyond a thousand`(count: Int, omitted: Int) {
        var stage = Stage()
        stage.arrive(count)
        let sent = stage.flushAll()
        #expect(sent.omitted == omitted)
        #expect(sent.first?.frame.arrivalsOmitted == (omitted > 0 ? omitted : nil))
        #expect(sent.arrivals == stage.arrivals.suffix(1000).map(\.id))
        #expect(sent.chains(from: 0))
        stage.arrive(1)
        #expect(stage.flushAll().omitted == 0)
    }

    @Test func `a room counts arrivals that overflow while it publishes others`() {
        var stage = Stage()
        stage.arrive(1000)
        var sent = stage.flush(for: [.session]).publications
        stage.arrive(100)
        // 1,050 arrivals wait, and the room's ring buffer holds 1,000.
        sent += stage.flushAll()
        #expect(sent.omitted == 50)
        #expect(sent.arrivals.count == 1050)
    }

    @Test func `an arrival that is removed before it is published does not count as omitted`() {
        var stage = Stage()
        stage.arrive(2)
        stage.remove(AttendeeID(high: 7, low: 1))
        _ = stage.commit()
        let sent = stage.flushAll()
        #expect(sent.arrivals == [AttendeeID(high: 7, low: 2)])
        #expect(sent.omitted == 0)
        #expect(sent.first?.frame.removed == [AttendeeID(high: 7, low: 1)])
        #expect(!sent.texts.joined().contains("Person 1\""))
    }

    @Test func `an event without an attendee advances the position`() {
        var stage = Stage()
        stage.respond()
        #expect(stage.commit() == .flushNow)
        let sent = stage.flushAll()
        #expect(sent.map(\.to) == [1])
        #expect(sent.first?.frame.arrivals == nil)
    }

    @Test func `a phase change by the clock shows whether feedback is open now`() {
        var stage = Stage(sets: [SetResults(set: QuestionSet(), tallies: [])])
        _ = stage.turn()
        let start = stage.session.startsAt
        let (publications, _) = stage.flush(for: [.audience], now: start)
        #expect(publications.first?.frame.sets?.map(\.open) == [true])
    }

    @Test func `a phase change by the clock does not advance the sequence`() {
        var stage = Stage(sequence: 4)
        #expect(stage.turn() == .flushNow)
        let over = stage.session.endsAt + .milliseconds(1)
        let (publications, next) = stage.flush(for: [.session, .audience], now: over)
        #expect(next == .none)
        #expect(publications.map(\.view) == [.session, .audience])
        #expect(
            publications.allSatisfy {
                $0.from == 4 && $0.to == 4 && $0.frame.session?.phase == .ended && $0.frame.attendance != nil
            })
    }

    @Test func `a room without watchers publishes nothing and stores no backlog`() {
        var stage = Stage()
        stage.arrive(120)
        var next = Room.Action.flushNow
        while next != .none {
            let flushed = stage.flush(for: [])
            #expect(flushed.publications.isEmpty)
            next = flushed.next
        }
        #expect(stage.room.published == 120)
        stage.arrive(1)
        #expect(stage.flushAll().omitted == 0)
    }
}
