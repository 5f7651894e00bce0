import Meetings
import Rooms
import Testing
import Wire

struct CatchUpTests {
    private func person(_ number: UInt64) -> AttendeeID { AttendeeID(high: 7, low: number) }

    private func missed(_ stage: Stage, from position: Int64, view: View = .session) -> [Publication]? {
        stage.room.catchUp(from: position, view: view, at: Stage.startsAt)
    }

    @Test func `a returning client gets missed arrivals in frames of fifty, and the counts at their end`()
        throws
    {
        var stage = Stage(sets: [results(fives: 2, shared: true)])
        stage.arrive(130)
        _ = stage.flushAll()
        let frames = try #require(missed(stage, from: 10))
        #expect(frames.arrivals == stage.arrivals.dropFirst(10).map(\.id))
        #expect(frames.chains(from: 10))
        #expect(frames.map(\.to) == [60, 110, 130, 130])
        #expect(frames.map { $0.frame.attendance != nil } == [false, false, true, false])
        #expect(frames[2].frame.attendance == stage.attendance)
        #expect(frames[2].frame.code == Stage.code)
        #expect(frames[3].frame.tally?.answers == 2)
    }

    @Test func `a returning client that missed no event gets the counts`() throws {
        var stage = Stage()
        stage.arrive(3)
        _ = stage.flushAll()
        let frames = try #require(missed(stage, from: 3))
        #expect(frames.map(\.from) == [3] && frames.map(\.to) == [3])
        #expect(frames.first?.frame.attendance == stage.attendance)
        #expect(frames.arrivals.isEmpty)
    }

    @Test func `a catch-up or snapshot contains nothing that the room has not published yet`() throws {
        var stage = Stage()
        stage.arrive(60)
        _ = stage.flush(for: [.session])
        #expect(stage.room.published == 50)
        let frames = try #require(missed(stage, from: 0))
        #expect(frames.last?.to == 50)
        // The counts have all 60, so that the frames say how many names are still to come.
        #expect(frames.last?.frame.arrivalsToCome == 10)
        let snapshot = stage.room.snapshot(for: .session, at: Stage.startsAt)
        #expect(snapshot.sequence == 50)
        #expect(snapshot.snapshot?.arrivalsToCome == 10)
        #expect(stage.room.snapshot(for: .audience, at: Stage.startsAt).snapshot?.arrivalsToCome == nil)
        #expect(snapshot.snapshot?.arrivals?.map(\.id) == stage.arrivals.prefix(50).map(\.id))
        let read = stage.room.catchUp(
            from: 0, with: stage.room.completed(stage.news(after: 0), after: 0), view: .session,
            at: Stage.startsAt)
        #expect(read.last?.to == 50)
        #expect(read.arrivals.count == 50)
    }

    @Test func `a room remembers all news since it was made, at most a thousand`() {
        var stage = Stage(sequence: 100)
        #expect(missed(stage, from: 100) != nil)
        #expect(missed(stage, from: 99) == nil)
        stage.arrive(1000)
        _ = stage.flushAll()
        #expect(missed(stage, from: 100)?.arrivals.count == 1000)
        stage.arrive(1)
        _ = stage.flushAll()
        #expect(missed(stage, from: 100) == nil)
        #expect(missed(stage, from: 101)?.arrivals.count == 1000)
        stage.arrive(3000)
        _ = stage.flushAll()
        #expect(missed(stage, from: 3100) == nil)
        #expect(missed(stage, from: 3101)?.arrivals == stage.arrivals.suffix(1000).map(\.id))
    }

    @Test func `events without an attendee take no room memory`() {
        var stage = Stage()
        stage.arrive(1)
        for _ in 0..<2000 { stage.respond() }
        _ = stage.commit()
        _ = stage.flushAll()
        #expect(missed(stage, from: 0)?.arrivals.count == 1)
    }

    @Test func `a catch-up reads forgotten news from the journal and adds newer news from memory`() {
        var stage = Stage()
        stage.arrive(1500)
        let read = stage.news(after: 20)
        stage.arrive(30)
        _ = stage.flushAll()
        #expect(missed(stage, from: 20) == nil)
        let missed = stage.room.catchUp(
            from: 20, with: stage.room.completed(read, after: 20), view: .session, at: Stage.startsAt)
        #expect(missed.arrivals == stage.arrivals.dropFirst(20).map(\.id))
        #expect(missed.chains(from: 20))
        #expect(missed.last?.to == 1530)
        #expect(missed.omitted == 0)
    }

    @Test func `a room adds all news after the position if the journal returned none`() {
        var stage = Stage(sequence: 5)
        stage.arrive(2)
        #expect(stage.room.completed([], after: 5).count == 2)
        #expect(stage.room.completed([], after: 6).count == 1)
    }

    @Test func `a snapshot has the fifty newest arrivals, newest last`() {
        var stage = Stage()
        stage.arrive(75)
        _ = stage.flushAll()
        stage.change(person(70), to: .late)
        stage.remove(person(71))
        _ = stage.commit()
        _ = stage.flushAll()
        let arrivals = stage.room.snapshot(for: .session, at: Stage.startsAt).snapshot?.arrivals
        #expect(arrivals?.map(\.id) == (26...75).filter { $0 != 71 }.map { person($0) })
        #expect(arrivals?.first { $0.id == person(70) }?.status == .late)
    }

    @Test func `a restored walk-in is among the newest arrivals again, in the old place`() throws {
        var stage = Stage()
        stage.arrive(60)
        _ = stage.flushAll()
        let all = stage.arrivals.map(\.id)
        func newest() throws -> [AttendeeID] {
            try #require(stage.room.snapshot(for: .session, at: Stage.startsAt).snapshot?.arrivals).map(\.id)
        }
        // The tenth arrival is not among the newest fifty, and the eleventh is the oldest of them.
        for (id, isNew) in [(all[59], true), (all[30], true), (all[10], true), (all[9], false)] {
            let before = try newest()
            #expect(before == Array(all.suffix(50)))
            let gone = stage.people[id]
            stage.remove(id)
            _ = stage.commit()
            #expect(try newest() == all.suffix(50).filter { $0 != id })
            stage.restore(try #require(gone))
            _ = stage.commit()
            #expect(try newest() == before && before.contains(id) == isNew)
            // The restoration is published.
            _ = stage.flushAll()
            #expect(try newest() == before)
        }
        // An attendee who is awaited again has no arrival, and may arrive again.
        stage.setBack(all[40])
        _ = stage.commit()
        _ = stage.flushAll()
        #expect(try !newest().contains(all[40]))
        stage.arriveAgain(all[40])
        _ = stage.commit()
        _ = stage.flushAll()
        #expect(try newest().suffix(2) == [all[59], all[40]])
    }

    @Test func `a change of an arrival before its frame adds the attendee once`() throws {
        var stage = Stage()
        stage.arrive(1)
        _ = stage.flushAll()
        let second = stage.arrive()
        stage.change(second, to: .late)
        _ = stage.commit()
        _ = stage.flushAll()
        let snapshot = stage.room.snapshot(for: .session, at: Stage.startsAt).snapshot
        #expect(snapshot?.arrivals?.map(\.id) == stage.arrivals.map(\.id))
    }

    @Test func `a removed attendee is not named in memory, snapshots or catch-ups`() throws {
        var stage = Stage()
        stage.arrive(3)
        _ = stage.flushAll()
        stage.change(person(2), to: .late)
        _ = stage.commit()
        let read = stage.news(after: 0)
        #expect(
            read.contains {
                $0.kind
                    == .changed(
                        stage.people[person(2)]
                            ?? Attendee(id: person(2), sessionID: stage.session.id, name: ""))
            }
        )
        stage.remove(person(2))
        _ = stage.commit()
        let flushed = stage.flushAll()
        #expect(flushed.last?.frame.removed == [person(2)])
        let caughtUp = try #require(missed(stage, from: 0))
        let fromJournal = stage.room.catchUp(
            from: 0, with: stage.room.completed(read, after: 0), view: .session, at: Stage.startsAt)
        let snapshot = stage.room.snapshot(for: .session, at: Stage.startsAt)
        for text in flushed.texts + caughtUp.texts + fromJournal.texts + [
            String(decoding: WireJSON.bytes(snapshot), as: UTF8.self)
        ] {
            #expect(!text.contains("Person 2") && !text.contains("p2@"))
        }
        for missed in [caughtUp, fromJournal] {
            #expect(missed.arrivals == [person(1), person(3)])
            #expect(missed.flatMap { $0.frame.removed ?? [] } == [person(2)])
        }
    }

    @Test func `a room publishes a changed attendee once, in the newest state`() throws {
        var stage = Stage()
        stage.arrive(1)
        _ = stage.flushAll()
        for status in [RecordedStatus.late, .excused, .absent] { stage.change(person(1), to: status) }
        _ = stage.commit()
        #expect(stage.flushAll().flatMap { $0.frame.changed ?? [] }.map(\.status) == [.absent])
        // A client that missed the arrival gets the attendee's newest state, so it needs no change.
        let frame = try #require(missed(stage, from: 0)?.first?.frame)
        #expect(frame.arrivals?.map(\.status) == [.absent])
        #expect(frame.changed == nil)
    }

    @Test func `a catch-up shows an arrival in its newest state if it changed after the journal was read`() {
        var stage = Stage()
        stage.arrive(1)
        let read = stage.news(after: 0)
        stage.change(person(1), to: .late)
        _ = stage.commit()
        _ = stage.flushAll()
        let missed = stage.room.catchUp(
            from: 0, with: stage.room.completed(read, after: 0), view: .session, at: Stage.startsAt)
        #expect(missed.flatMap { $0.frame.arrivals ?? [] }.map(\.status) == [.late])
        #expect(missed.allSatisfy { $0.frame.changed == nil })
    }
}
