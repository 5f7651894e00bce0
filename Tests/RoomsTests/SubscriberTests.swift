import Meetings
import Rooms
import Seeds
import Testing
import Wire

/// A subscriber to one view. It accepts a frame only if the frame begins at the subscriber's position.
private struct Subscriber {
    let view: View
    var position: Int64
    /// The newest sequence that the last snapshot covers; 0 if the subscriber was there from the start.
    var knowsUpTo: Int64
    var isStalled = false
    var hasMissed = false
    var arrivals: [AttendeeID] = []
    var people: Set<AttendeeID> = []
    var omitted = 0
    var attendance: Attendance?
    var tally: TallyBody?
    var code: CodeBody?

    mutating func take(_ publication: Publication) {
        guard publication.view == view else { return }
        guard !isStalled, !hasMissed else {
            hasMissed = true
            return
        }
        #expect(publication.from == position, "a frame that begins elsewhere")
        read(publication.frame)
        position = publication.to
    }

    mutating func read(_ frame: RoomFrame) {
        #expect((frame.sequence ?? -1) >= position, "the sequence went back")
        #expect(frame.arrivals?.count ?? 0 <= RoomFrame.mostArrivals)
        let came = (frame.arrivals ?? []).map(\.id)
        arrivals += came
        people.formUnion(came)
        people.subtract(frame.removed ?? [])
        omitted += frame.arrivalsOmitted ?? 0
        attendance = frame.attendance ?? attendance
        tally = frame.tally ?? tally
        code = frame.code ?? code
        if let snapshot = frame.snapshot {
            arrivals = []
            people = Set((snapshot.arrivals ?? []).map(\.id))
            omitted = 0
            attendance = snapshot.session.attendance
            tally = snapshot.tallies.first
            code = snapshot.code
        }
    }

    /// Catches up as the server does: from the room's memory, else from the journal, else with a snapshot.
    mutating func catchUp(with stage: Stage, read: [News]?) {
        let missed =
            stage.room.catchUp(from: position, view: view, at: Stage.startsAt)
            ?? read.map {
                stage.room.catchUp(
                    from: position, with: stage.room.completed($0, after: position), view: view,
                    at: Stage.startsAt)
            }
        if let missed {
            #expect(missed.chains(from: position))
            for publication in missed {
                self.read(publication.frame)
                position = publication.to
            }
        } else {
            self.read(stage.room.snapshot(for: view, at: Stage.startsAt))
            position = stage.room.published
            knowsUpTo = position
        }
        hasMissed = false
    }
}

struct SubscriberTests {
    @Test(arguments: 0..<UInt64(30))
    func `each subscriber ends with every arrival once and the newest counts, whatever happens`(seed: UInt64)
        throws
    {
        var numbers = SeededNumbers(seed: seed)
        var stage = Stage(plannedCount: 500, sets: [results(fives: 0, shared: true)])
        var watching: [Subscriber] = View.allCases.flatMap { view in
            (0..<3).map { _ in
                Subscriber(view: view, position: 0, knowsUpTo: 0, code: view == .audience ? nil : Stage.code)
            }
        }
        var removed: Set<AttendeeID> = []
        var fives = 0
        var elapsed = Duration.zero
        // In every third run, so many people arrive at once that memory overflows between two flushes.
        let mostAtOnce = [3, 40, 700][Int(seed % 3)]

        for _ in 0..<150 {
            elapsed += .milliseconds(Int.random(in: 0...30, using: &numbers))
            switch Int.random(in: 0..<12, using: &numbers) {
            case 0..<4:
                for _ in 0..<Int.random(in: 1...mostAtOnce, using: &numbers) { stage.arrive() }
                _ = stage.commit(at: elapsed)
            case 4:
                guard let id = stage.arrivals.randomElement(using: &numbers)?.id else { break }
                stage.change(id, to: [.present, .late, .excused].randomElement(using: &numbers) ?? .late)
                _ = stage.commit(at: elapsed)
            case 5:
                guard let id = stage.arrivals.randomElement(using: &numbers)?.id else { break }
                stage.remove(id)
                removed.insert(id)
                _ = stage.commit(at: elapsed)
            case 6:
                fives += 1
                stage.respond()
                _ = stage.commit(at: elapsed)
                _ = stage.apply(results(fives: fives, shared: true), at: elapsed)
            case 7:
                let number = Int.random(in: 0...3, using: &numbers)
                _ = stage.show(CodeBody(url: "\(number)", joinCode: "K7QX2M", expiresInMs: 1), at: elapsed)
            case 8:
                let index = watching.indices.randomElement(using: &numbers) ?? 0
                watching[index].isStalled.toggle()
                if !watching[index].isStalled {
                    let read =
                        Bool.random(using: &numbers) ? stage.news(after: watching[index].position) : nil
                    watching[index].catchUp(with: stage, read: read)
                }
            default:
                let (publications, _) = stage.flush(at: elapsed)
                for publication in publications {
                    for index in watching.indices { watching[index].take(publication) }
                }
            }
        }
        var next = Room.Action.flushNow
        while next != .none {
            let flushed = stage.flush(at: elapsed)
            for publication in flushed.publications {
                for index in watching.indices { watching[index].take(publication) }
            }
            next = flushed.next
        }
        for index in watching.indices where watching[index].isStalled || watching[index].hasMissed {
            watching[index].isStalled = false
            watching[index].catchUp(with: stage, read: stage.news(after: watching[index].position))
        }

        #expect(stage.room.published == stage.sequence)
        for subscriber in watching {
            #expect(subscriber.position == stage.sequence)
            #expect(subscriber.attendance == stage.attendance || stage.sequence == 0)
            #expect(subscriber.tally.map(\.answers) ?? 0 == fives)
            #expect(subscriber.code == (subscriber.view == .audience ? nil : stage.room.code))
            guard subscriber.view == .session else {
                #expect(subscriber.arrivals.isEmpty && subscriber.omitted == 0)
                continue
            }
            let came = stage.arrivals.filter { $0.sequence > subscriber.knowsUpTo }.map(\.id)
            let received = Set(subscriber.arrivals)
            #expect(received.count == subscriber.arrivals.count, "somebody came twice")
            #expect(came.filter(received.contains) == subscriber.arrivals, "out of order, or known already")
            let missing = came.filter { !received.contains($0) }
            // An arrival that was not published was either counted as omitted or removed. The omitted count
            // is never larger than the number of unpublished arrivals.
            #expect(missing.count { !removed.contains($0) } <= subscriber.omitted)
            #expect(subscriber.omitted <= missing.count)
            if subscriber.omitted == 0 { #expect(subscriber.people.isDisjoint(with: removed)) }
        }
    }
}
