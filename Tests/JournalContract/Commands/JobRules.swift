package import Journal
import Meetings
import Seeds
import Synchronization
import Testing

func people(_ numbers: Range<Int>, by kind: IdentifyBy = .email) -> [PersonDraft] {
    numbers.map {
        PersonDraft(name: "Person \($0)", email: "p\($0)@example.org", number: kind == .number ? "\($0)" : "")
    }
}

/// The contents of a meeting, without ids, so that tests can compare two meetings.
private struct Contents: Equatable {
    var people: [String] = []
    var archived: [String] = []
    var version = 0
    var identifyBy: IdentifyBy?
    var sessions: [[String]] = []
    var counts: [HeadCount] = []
}

/// Checks 310 people in to a new session: those with an even number on time, and the others too late.
private func halfLate(
    on engine: any Engine
) async throws -> (watched: WatchedEngine, stage: Stage, host: AccountID, record: SessionRecord) {
    let watched = WatchedEngine(engine)
    let stage = try Stage(watched, slices: .fixed(60))
    let (host, record) = try await stage.planned()
    for number in 0..<310 {
        stage.now = at(number % 2 == 0 ? 1 : 15)
        try await stage.checkIn(number, in: record.session.id)
    }
    return (watched, stage, host, record)
}

extension Stage {
    /// Moves the late limit so that nobody is late. Returns the event's sequence.
    fileprivate func moveLateLimit(of session: SessionID, by host: AccountID) async throws -> Int64 {
        _ = try await edit(session, by: host, late: 20)
        return try await last(in: session)
    }

    fileprivate func sessions(of meeting: MeetingID) async throws -> [SessionRecord] {
        try await storage.read { rows throws(JournalError) in
            try rows.sessions(of: meeting, before: nil, limit: 100)
        }
        .reversed()
    }

    fileprivate func contents(of meeting: MeetingID) async throws -> Contents {
        var contents = Contents()
        contents.people = try await roster(of: meeting)
        contents.archived = try await roster(of: meeting, archived: true)
        contents.version = try await storage.read { rows throws(JournalError) in
            try rows.rosterVersion(of: meeting)
        }
        for record in try await sessions(of: meeting) {
            contents.identifyBy = record.meeting.identifyBy
            contents.counts.append(record.headCount)
            contents.sessions.append(
                try await attendees(of: record.session.id)
                    .map { "\($0.name) \($0.identity) \($0.status) \($0.walkIn)" }.sorted())
        }
        return contents
    }

    func jobs() async throws -> [StoredJob] {
        try await storage.read { rows throws(JournalError) in try rows.jobs() }
    }

    /// Adds sessions to a meeting, without the roster.
    fileprivate func add(_ count: Int, to meeting: MeetingID, by host: AccountID) async throws {
        for number in 0..<count {
            try await perform(
                ContinueMeeting(
                    meeting: meeting, startsAt: at(100 * (number + 1)), endsAt: at(100 * (number + 1) + 60),
                    actor: host))
        }
    }
}

extension CommandRule {
    static let jobs: [CommandRule] = [
        CommandRule("a long import has the same outcome as a short one, with one event for each session") {
            engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(7))
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            try await stage.add(2, to: meeting, by: host)
            let commits = watched.happened.count
            let outcome = try await stage.load(people(0..<20), to: meeting, by: host)
            #expect(outcome.added == 20 && outcome.version == 1)
            // One transaction begins, one ends, and each slice has at most seven steps. Each session has a
            // last step, which shows its counts and records its event.
            let steps = 20 + 3 * 20 + 3
            #expect(watched.happened.count - commits == 1 + (steps + 6) / 7 + 1)
            #expect(try await stage.jobs().isEmpty)
            for record in try await stage.sessions(of: meeting) {
                #expect(record.headCount.pending == 20)
                try await stage.expectWhole(record.session.id)
                let events = try await stage.events(of: record.session.id).map(\.kind)
                #expect(events == [.created, .edited])
                let commits = stage.announced.commits.filter { $0.id == record.session.id && $0.isEdited }
                #expect(commits.count == 1)
            }
            let second = try await stage.load(people(5..<30), to: meeting, by: host)
            #expect(second.added == 10 && second.archived == 5 && second.unchanged == 15)
            #expect(try await stage.roster(of: meeting).count == 25)
            for record in try await stage.sessions(of: meeting) {
                #expect(record.headCount.pending == 25)
                try await stage.expectWhole(record.session.id)
            }
            await stage.storage.close()
        },
        CommandRule("people check in between the slices of an import, each once and to the right slot") {
            engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(3))
            let host = try await stage.account(1).id
            stage.now = at(0)
            for seed in 0..<6 as Range<UInt64> {
                try await checkInDuringImport(stage, watched, host, seed)
            }
            await stage.storage.close()
        },
        CommandRule("a reader sees the old roster or the new one, and other meetings do not wait") { engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(5))
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let other = try await stage.meeting(of: host, name: "Other", from: 500, to: 560)
            _ = try await stage.load(people(0..<3), to: meeting, by: host)
            let readings = Mutex<[Task<Int, any Error>]>([])
            let others = Mutex<[Task<[String], any Error>]>([])
            let counts = Mutex<[Task<Int?, any Error>]>([])
            watched.afterCommit { [stage] _ in
                let reading = Task.immediate { try await stage.roster(of: meeting).count }
                readings.withLock { $0.append(reading) }
                let slots = Task.immediate { try await stage.attendees(of: record.session.id).count }
                readings.withLock { $0.append(slots) }
                let elsewhere = Task.immediate { try await stage.roster(of: other.meeting.id) }
                others.withLock { $0.append(elsewhere) }
                let count = Task.immediate { try await stage.record(record.session.id)?.headCount.pending }
                counts.withLock { $0.append(count) }
            }
            _ = try await stage.load(people(0..<40), to: meeting, by: host)
            watched.afterCommit(nil)
            for reading in readings.withLock({ $0 }) { #expect([3, 40].contains(try await reading.value)) }
            for reading in others.withLock({ $0 }) { #expect(try await reading.value == []) }
            // The counts of a session never wait, and never show a half.
            for count in counts.withLock({ $0 }) { #expect([3, 40].contains(try await count.value)) }
            await stage.storage.close()
        },
        CommandRule("commands of hosts wait for the end of a job; two jobs of a meeting run in order") {
            engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(4))
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let added = Mutex<Task<Person, any Error>?>(nil)
            let second = Mutex<Task<ImportRoster.Outcome, any Error>?>(nil)
            watched.afterCommit { [stage] commit in
                if commit == 2 {
                    let task = Task.immediate {
                        try await stage.add("Late", email: "late@example.org", to: meeting, by: host)
                    }
                    added.withLock { $0 = task }
                    let list = Task.immediate {
                        try await stage.load(people(0..<30), to: meeting, by: host)
                    }
                    second.withLock { $0 = list }
                }
            }
            let first = try await stage.load(people(0..<20), to: meeting, by: host)
            #expect(first.added == 20 && first.version == 1)
            _ = try await added.withLock { $0 }?.value
            let last = try #require(try await second.withLock { $0 }?.value)
            // The second list was judged by the roster with all of the first list.
            #expect(last.added == 10 && last.unchanged == 20)
            watched.afterCommit(nil)
            try await stage.expectWhole(record.session.id)
            await stage.storage.close()
        },
        CommandRule("a list that was made from an older roster is refused, also if it waited for a job") {
            engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(4))
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let second = Mutex<Task<ImportRoster.Outcome, any Error>?>(nil)
            watched.afterCommit { [stage] commit in
                guard commit == 2 else { return }
                let task = Task.immediate {
                    try await stage.perform(
                        ImportRoster(meeting: meeting, entries: [], expected: .version(0), actor: host))
                }
                second.withLock { $0 = task }
            }
            _ = try await stage.load(people(0..<20), to: meeting, by: host)
            await expectRefused(.versionMismatch(current: 1)) {
                try await second.withLock { $0 }?.value
            }
            watched.afterCommit(nil)
            #expect(try await stage.roster(of: meeting).count == 20)
            await stage.storage.close()
        },
        CommandRule("a new kind of key in slices has the same outcome as at once") { engine in
            let stage = try Stage(WatchedEngine(engine), slices: .fixed(6))
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            try await stage.add(1, to: meeting, by: host)
            _ = try await stage.load(
                people(0..<10, by: .number) + [PersonDraft(name: "Person 3", number: "77")], to: meeting,
                by: host)
            for kind in [IdentifyBy.number, .name, .email] {
                try await stage.perform(
                    EditMeeting(id: meeting, identifyBy: kind, actor: host))
                let contents = try await stage.contents(of: meeting)
                #expect(contents.identifyBy == kind)
            }
            try await stage.perform(EditMeeting(id: meeting, identifyBy: .name, actor: host))
            stage.now = at(0)
            // Two people have this name, so only the host can tell them apart.
            let third = try await stage.arrive(3, in: record.session.id)
            #expect(third.walkIn)
            let fourth = try await stage.arrive(4, in: record.session.id)
            #expect(!fourth.walkIn)
            try await stage.expectWhole(record.session.id)
            await stage.storage.close()
        },
        CommandRule("a check-in during a change of the kind of key ends the change, and keeps its slot") {
            engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(6))
            let host = try await stage.account(1).id
            stage.now = at(0)
            for commit in 1...5 {
                let record = try await stage.meeting(of: host, name: "M\(commit)", allowOverlap: true)
                _ = try await stage.load(people(0..<20, by: .number), to: record.meeting.id, by: host)
                let arrival = Mutex<Task<CheckIn.Outcome, any Error>?>(nil)
                watched.afterCommit { [stage] number in
                    guard number == commit else { return }
                    let task = Task.immediate { try await stage.checkIn(7, in: record.session.id) }
                    arrival.withLock { $0 = task }
                }
                await expectRefused(.sessionHasAttendees) {
                    try await stage.perform(
                        EditMeeting(id: record.meeting.id, identifyBy: .number, actor: host))
                }
                let arrived = try await arrival.withLock { $0 }?.value.fresh
                #expect(arrived?.walkIn == false && arrived?.identity == "p7@example.org")
                watched.afterCommit(nil)
                let contents = try await stage.contents(of: record.meeting.id)
                #expect(contents.identifyBy == .email && contents.sessions[0].count == 20)
                // Everybody else is still found by the old key.
                #expect(try await !stage.arrive(8, in: record.session.id).walkIn)
                try await stage.expectWhole(record.session.id)
            }
            await stage.storage.close()
        },
        CommandRule("a long series appears at once, with all slots") { engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(9))
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            _ = try await stage.load(people(0..<15), to: meeting, by: host)
            let seen = Mutex<[Task<Int, any Error>]>([])
            watched.afterCommit { [stage] _ in
                let task = Task.immediate { try await stage.sessions(of: meeting).count }
                seen.withLock { $0.append(task) }
            }
            let added = try await stage.perform(
                RepeatMeeting(meeting: meeting, rule: .weekly, count: 4, actor: host))
            watched.afterCommit(nil)
            #expect(added.map(\.session.round) == [2, 3, 4, 5])
            for task in seen.withLock({ $0 }) { #expect([1, 5].contains(try await task.value)) }
            #expect(try await stage.jobs().isEmpty)
            for record in added {
                #expect(record.headCount.pending == 15 && record.meeting.id == meeting)
                #expect(try await stage.record(record.session.id) == record)
                try await stage.expectWhole(record.session.id)
            }
            await stage.storage.close()
        },
        CommandRule("a deleted session vanishes at once, and its rows are erased in slices") { engine in
            let stage = try Stage(WatchedEngine(engine), slices: .fixed(5))
            let (host, record) = try await stage.planned(sets: [QuestionSet(name: QuestionSet.feedback)])
            let (meeting, session) = (record.meeting.id, record.session.id)
            _ = try await stage.load(people(0..<12), to: meeting, by: host)
            try await stage.add(1, to: meeting, by: host)
            stage.now = at(0)
            let kim = try await stage.arrive(3, in: session)
            try await stage.perform(DeleteSession(id: session, confirmation: "Meeting", actor: host))
            #expect(try await stage.record(session) == nil)
            #expect(try await stage.storage.session(session) == nil)
            #expect(try await stage.attendee(kim.id) == nil)
            #expect(try await stage.sessions(of: meeting).map(\.session.round) == [2])
            #expect(stage.announced.last(session)?.record == nil)
            await expectRefused(.notFound(.session)) { try await stage.checkIn(4, in: session) }
            await expectRefused(.receiptNotValid) {
                try await stage.perform(CorrectOwnName(receipt: Receipt(for: kim), name: "X"))
            }
            let join = try await stage.storage.read { rows throws(JournalError) in
                try rows.session(joinCode: record.session.joinCode)
            }
            #expect(join == nil)
            try await stage.perform(DeleteMeeting(id: meeting, confirmation: "Meeting", actor: host))
            let found = try await stage.storage.read { rows throws(JournalError) in try rows.meeting(meeting)
            }
            #expect(found == nil)
            await expectRefused(.notFound(.meeting)) {
                try await stage.add("Kim", to: meeting, by: host)
            }
            for _ in 0..<40 { try await stage.perform(Act { _ in }) }
            #expect(try await stage.jobs().isEmpty)
            #expect(try await stage.attendees(of: session).isEmpty)
            #expect(try await stage.events(of: session).isEmpty)
            #expect(try await stage.roster(of: meeting).isEmpty)
            await stage.storage.close()
        },
        CommandRule("a late limit that moves for many attendees gives each the right status, also newcomers")
        {
            engine in
            let (watched, stage, host, record) = try await halfLate(on: engine)
            let session = record.session.id
            #expect(try await stage.record(session)?.headCount.late == 155)
            let arrivals = Mutex<[Task<CheckIn.Outcome, any Error>]>([])
            watched.afterCommit { [stage] commit in
                guard commit < 5 else { return }
                let task = Task.immediate { try await stage.checkIn(1000 + commit, in: session) }
                arrivals.withLock { $0.append(task) }
            }
            let outcome = try await stage.edit(session, by: host, late: 20)
            watched.afterCommit(nil)
            for arrival in arrivals.withLock({ $0 }) { _ = try await arrival.value }
            #expect(outcome.record.session.lateAfterMinutes == 20)
            let counts = try #require(try await stage.record(session)).headCount
            #expect(counts.late == 0 && counts.present == 314)
            let events = try await stage.events(of: session).filter { $0.kind == .edited }
            #expect(events.count == 1 && (155...159).contains(events[0].data.recomputed ?? 0))
            try await stage.expectWhole(session)
            await stage.storage.close()
        },
        CommandRule("an undo of a late limit for many attendees runs in slices, also for newcomers") {
            engine in
            let (watched, stage, host, record) = try await halfLate(on: engine)
            let session = record.session.id
            let edit = try await stage.moveLateLimit(of: session, by: host)
            let arrivals = Mutex<[Task<CheckIn.Outcome, any Error>]>([])
            let readings = Mutex<[Task<Int, any Error>]>([])
            watched.afterCommit { [stage] commit in
                let reading = Task.immediate {
                    try await stage.attendees(of: session).count { $0.status == .late }
                }
                readings.withLock { $0.append(reading) }
                // These people come while the steps run, and just before they end.
                guard commit == 2 || commit == 6 else { return }
                for number in 0..<70 {
                    let task = Task.immediate {
                        try await stage.checkIn(1000 * commit + number, in: session)
                    }
                    arrivals.withLock { $0.append(task) }
                }
            }
            let commits = watched.happened.count
            let undone = try await stage.undo(edit, in: session, by: host)
            #expect(watched.happened.count - commits > 8)
            watched.afterCommit(nil)
            for arrival in arrivals.withLock({ $0 }) { _ = try await arrival.value }
            // A reader sees the statuses before the undo, or all after it. Everybody who came meanwhile is
            // late.
            for reading in readings.withLock({ $0 }) {
                let late = try await reading.value
                #expect(late == 0 || (155...295).contains(late))
            }
            #expect(undone.record.session.lateAfterMinutes == record.session.lateAfterMinutes)
            let counts = try #require(try await stage.record(session)).headCount
            #expect((counts.late, counts.present) == (155 + 140, 155))
            let events = try await stage.events(of: session).filter { $0.kind == .undone }
            #expect(events.count == 1 && events[0].data.undoes == edit)
            try await stage.expectWhole(session)
            // The undo is an edit, which can be undone, too.
            try await stage.undo(undone.event.sequence, in: session, by: host)
            #expect(try await stage.record(session)?.headCount.late == 0)
            await stage.storage.close()
        },
        CommandRule("the attendees keep their statuses if an undo of a late limit is refused at its end") {
            engine in
            let (watched, stage, host, record) = try await halfLate(on: engine)
            let session = record.session.id
            let edit = try await stage.moveLateLimit(of: session, by: host)
            // The session ends while the work is in progress, and then its late limit cannot move any more.
            watched.afterCommit { [stage] commit in if commit == 3 { stage.now = at(60) + millisecond } }
            await expectRefused(.sessionOver) { try await stage.undo(edit, in: session, by: host) }
            watched.afterCommit(nil)
            #expect(try await stage.record(session)?.headCount.late == 0)
            #expect(try await stage.record(session)?.session.lateAfterMinutes == 20)
            #expect(try await stage.jobs().isEmpty)
            try await stage.expectWhole(session)
            await stage.storage.close()
        },
        CommandRule("a list of sessions has the old counts or the new, also while slices show them") {
            engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(3))
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            try await stage.add(8, to: meeting, by: host)
            let readings = Mutex<[Task<Set<Int>, any Error>]>([])
            let arrivals = Mutex<[Task<CheckIn.Outcome, any Error>]>([])
            stage.now = at(0)
            watched.afterCommit { [stage] commit in
                let reading = Task.immediate {
                    Set(try await stage.sessions(of: meeting).map(\.headCount.known))
                }
                readings.withLock { $0.append(reading) }
                // One of them checks in after the counts of the first session were shown.
                let task = Task.immediate { try await stage.checkIn(commit % 4, in: record.session.id) }
                arrivals.withLock { $0.append(task) }
            }
            _ = try await stage.load(people(0..<4), to: meeting, by: host)
            watched.afterCommit(nil)
            for arrival in arrivals.withLock({ $0 }) { _ = try await arrival.value }
            for reading in readings.withLock({ $0 }) {
                let counts = try await reading.value
                // Before the end, only the people who checked in to the first session have records.
                #expect(counts == [4] || counts.isSubset(of: [0, 1, 2, 3, 4]) && counts.contains(0))
            }
            for record in try await stage.sessions(of: meeting) {
                #expect(record.headCount.known == 4)
                try await stage.expectWhole(record.session.id)
            }
            await stage.storage.close()
        },
        CommandRule("500 check-ins pass between the slices of a long import, which stay small") { engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(50))
            let (host, record) = try await stage.planned()
            let elsewhere = try await stage.meeting(
                of: host, name: "Hall", from: 0, to: 50, allowOverlap: true)
            stage.now = at(0)
            let tasks = Mutex<[Task<CheckIn.Outcome, any Error>]>([])
            watched.afterCommit { [stage] commit in
                guard commit <= 10 else { return }
                for number in 0..<50 {
                    let task = Task.immediate {
                        try await stage.checkIn(commit * 50 + number, in: elsewhere.session.id)
                    }
                    tasks.withLock { $0.append(task) }
                }
            }
            let outcome = try await stage.load(people(0..<300), to: record.meeting.id, by: host)
            #expect(outcome.added == 300)
            // All people are in the hall before the import ends, because each batch runs before the next
            // slice.
            let hall = try await stage.record(elsewhere.session.id)
            #expect(hall?.headCount.present == 500)
            watched.afterCommit(nil)
            for task in tasks.withLock({ $0 }) { #expect(try await task.value.fresh != nil) }
            try await stage.expectWhole(record.session.id)
            await stage.storage.close()
        },
    ]
}

/// Imports a list while people check in between the slices, at moments that `seed` decides.
private func checkInDuringImport(
    _ stage: Stage, _ watched: WatchedEngine, _ host: AccountID, _ seed: UInt64
) async throws {
    var random = SeededNumbers(seed: seed)
    let record = try await stage.meeting(of: host, name: "M\(seed)", allowOverlap: true)
    let (session, meeting) = (record.session.id, record.meeting.id)
    _ = try await stage.load(people(0..<4), to: meeting, by: host)
    let arrivals = (0..<12).map { _ in
        (person: Int.random(in: 0..<24, using: &random), commit: Int.random(in: 1..<14, using: &random))
    }
    let tasks = Mutex<[Task<CheckIn.Outcome, any Error>]>([])
    // The writer's own queue submits the check-ins, so that they run before the next slice.
    watched.afterCommit { [stage] commit in
        for arrival in arrivals where arrival.commit == commit {
            let task = Task.immediate { try await stage.checkIn(arrival.person, in: session) }
            tasks.withLock { $0.append(task) }
        }
    }
    // The people 2 and 3 leave, and 4 to 19 join; 20 to 23 are on no list.
    let list = people(0..<2) + people(4..<20)
    let outcome = try await stage.load(list, to: meeting, by: host)
    watched.afterCommit(nil)
    #expect(outcome.added == 16 && outcome.archived == 2)
    let checkIns = tasks.withLock { $0 }
    #expect(checkIns.count == arrivals.count)
    for task in checkIns { _ = try await task.value }
    try await stage.expectWhole(session)

    let attendees = try await stage.attendees(of: session)
    let arrived = Set(arrivals.map { "p\($0.person)@example.org" })
    #expect(Set(attendees.map(\.identity)).count == attendees.count, "nobody has two records")
    #expect(Set(attendees.filter { $0.status == .present }.map(\.identity)) == arrived)
    let expected = Set(list.map(\.email))
    #expect(Set(attendees.map(\.identity)) == expected.union(arrived))
    for attendee in attendees {
        let slot = try await stage.storage.read { rows throws(JournalError) in
            try rows.person(inSlotOf: attendee.id)
        }
        // The people of the new list have slots, also if they came first; nobody of them came without a slot
        // after the list had theirs. The others are walk-ins, because the meeting had a roster before.
        if expected.contains(attendee.identity) {
            #expect(slot != nil)
        } else if slot == nil {
            #expect(attendee.walkIn)
        }
    }
}

extension Stage {
    /// Checks twelve people in to the first session.
    fileprivate func fill(_ meeting: MeetingID) async throws {
        now = at(0)
        let sessions = try await sessions(of: meeting)
        let first = try #require(sessions.min { $0.session.round < $1.session.round })
        for number in 100..<112 { _ = try await arrive(number, in: first.session.id) }
    }
}

/// A rule about crashes. The engine's tests give the function that copies the committed rows of an engine, as
/// a server finds them after a crash.
package struct CrashRule: Sendable, CustomStringConvertible {
    /// Copies the rows as a crash at this moment would leave them. Returns a function that opens the copy.
    package typealias Crash = @Sendable () throws -> Opening
    package typealias Opening = @Sendable () throws -> any Engine

    package let description: String
    package let check: @Sendable (any Engine, @escaping Crash) async throws -> Void

    /// Creates a rule: after a crash at any commit of `act`, the meeting has the old contents or the new, and
    /// each session has at most one more event. If the act starts a job, its report names the same contents.
    /// - Parameter isWhole: false allows other contents, because the work completes a part of the act only.
    fileprivate init(
        _ description: String, isWhole: Bool = true,
        prepare: @escaping @Sendable (Stage, MeetingID, AccountID) async throws -> Void = { _, _, _ in },
        act:
            @escaping @Sendable (
                Stage, MeetingID, AccountID, @escaping Storage.JobListener
            ) async throws -> Void
    ) {
        self.description = description
        check = { engine, crash in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(8))
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            try await stage.add(1, to: meeting, by: host)
            _ = try await stage.load(people(0..<8, by: .number), to: meeting, by: host)
            try await prepare(stage, meeting, host)
            let before = try await stage.contents(of: meeting)
            let started = Mutex<JobReport?>(nil)
            let crashed = try await watched.copies(by: crash) {
                try await act(stage, meeting, host) { report in started.withLock { $0 = report } }
            }
            let after = try await stage.contents(of: meeting)
            #expect(before != after)
            for open in crashed {
                let stage = try Stage(open(), slices: .fixed(8))
                let contents = try await stage.contents(of: meeting)
                #expect(!isWhole || contents == before || contents == after)
                if isWhole, let id = started.withLock({ $0 })?.id {
                    let report = try #require(
                        try await stage.storage.read { rows throws(JournalError) in try rows.jobReport(id) })
                    #expect(report.endedAt != nil)
                    #expect((report.outcome == .failed(.reverted)) == (contents == before))
                }
                // An erasure needs a slice after each of some batches.
                for _ in 0..<30 { try await stage.perform(Act { _ in }) }
                #expect(try await stage.jobs().isEmpty)
                for record in try await stage.sessions(of: meeting) {
                    try await stage.expectWhole(record.session.id)
                }
                #expect(try await stage.contents(of: meeting) == contents)
                await stage.storage.close()
            }
            await stage.storage.close()
        }
    }

    /// Creates a rule: after a crash at any commit of `act`, the restarted storage completes the job, and
    /// then everything is as `expect` says.
    init<Prepared: Sendable>(
        _ description: String, prepare: @escaping @Sendable (Stage) async throws -> Prepared,
        act: @escaping @Sendable (Stage, Prepared) async throws -> Void,
        expect: @escaping @Sendable (Stage, Prepared) async throws -> Void
    ) {
        self.description = description
        check = { engine, crash in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(12))
            let prepared = try await prepare(stage)
            let crashed = try await watched.copies(by: crash) { try await act(stage, prepared) }
            for open in crashed {
                let stage = try Stage(open(), slices: .fixed(12))
                for _ in 0..<200 where try await !stage.jobs().isEmpty {
                    try await stage.perform(Act { _ in })
                }
                #expect(try await stage.jobs().isEmpty)
                try await expect(stage, prepared)
                await stage.storage.close()
            }
            await stage.storage.close()
        }
    }

    private init(
        _ description: String,
        check: @escaping @Sendable (any Engine, @escaping Crash) async throws -> Void
    ) {
        (self.description, self.check) = (description, check)
    }

    package static let all = whole + endings + [codeRevocation, refusedStep]

    private static let refusedStep = CrashRule(
        "a restarted storage leaves out a person whom the database refuses, and opens"
    ) { engine, crash in
        let watched = WatchedEngine(engine)
        let stage = try Stage(watched, slices: .fixed(8))
        let (host, record) = try await stage.planned()
        let meeting = record.meeting.id
        let crashed = try await watched.copies(by: crash) {
            _ = try await stage.load(people(0..<20), to: meeting, by: host)
        }
        let sizes = Mutex<Set<Int>>([])
        for open in crashed {
            let watched = try WatchedEngine(open())
            watched.refusePerson(named: "Person 15")
            let stage = try Stage(watched, slices: .fixed(8))
            #expect(try await stage.jobs().isEmpty)
            let count = try await stage.roster(of: meeting).count
            sizes.withLock { _ = $0.insert(count) }
            #expect((stage.skipped.count == 0) == (count == 20))
            #expect(try await stage.record(record.session.id)?.headCount.pending == count)
            try await stage.expectWhole(record.session.id)
            await stage.storage.close()
        }
        #expect(sizes.withLock { $0 } == [19, 20])
        await stage.storage.close()
    }

    private static let whole = [
        CrashRule("an import that a crash interrupts is complete after the restart") {
            stage, meeting, host, started in
            let list = people(2..<20, by: .number).enumerated().map {
                ImportRoster.Entry(pointer: "/people/\($0)", draft: $1)
            }
            _ = try await stage.storage.perform(
                ImportRoster(meeting: meeting, entries: list, actor: host),
                reporting: .init(account: host, kind: .roster, meeting: meeting), started: started)
        },
        CrashRule("a change of the kind of key that a crash interrupts is complete after the restart") {
            stage, meeting, host, started in
            _ = try await stage.storage.perform(
                EditMeeting(
                    id: meeting, identifyBy: .number, language: .value("fr"), accent: .value(.rose),
                    actor: host),
                reporting: .init(account: host, kind: .identifyBy, meeting: meeting), started: started)
        },
        CrashRule("a deletion that a crash interrupts is complete after the restart") {
            stage, meeting, host, _ in
            let session = try await stage.sessions(of: meeting)[0].session.id
            try await stage.perform(DeleteSession(id: session, confirmation: nil, actor: host))
            for _ in 0..<12 { try await stage.perform(Act { _ in }) }
        },
        CrashRule(
            "everybody who came is on the roster after a crash",
            prepare: { stage, meeting, _ in try await stage.fill(meeting) },
            act: { stage, meeting, host, _ in
                _ = try await stage.perform(KeepEverybody(meeting: meeting, actor: host))
            }),
        CrashRule(
            "a round that everybody joins leaves no hidden rows after a crash, and can be made then",
            isWhole: false,
            prepare: { stage, meeting, host in
                try await stage.fill(meeting)
                try await stage.perform(EditMeeting(id: meeting, regulars: .everybody, actor: host))
            },
            act: { stage, meeting, host, _ in
                _ = try await stage.perform(
                    RepeatMeeting(meeting: meeting, rule: .weekly, count: 1, actor: host))
            }),
        CrashRule("a series that a crash interrupts is not there after the restart") {
            stage, meeting, host, started in
            _ = try await stage.storage.perform(
                RepeatMeeting(meeting: meeting, rule: .weekly, count: 3, actor: host),
                reporting: .init(account: host, kind: .series, meeting: meeting), started: started)
        },
    ]
}

extension WatchedEngine {
    /// Returns a function for each commit of `act`, which has more than three. It opens a copy of the engine
    /// after that commit.
    fileprivate func copies(by crash: @escaping CrashRule.Crash, during act: () async throws -> Void)
        async throws
        -> [CrashRule.Opening]
    {
        let copies = Mutex<[CrashRule.Opening]>([])
        afterCommit { _ in
            do {
                let copy = try crash()
                copies.withLock { $0.append(copy) }
            } catch {
                Issue.record(error)
            }
        }
        try await act()
        afterCommit(nil)
        let crashed = copies.withLock { $0 }
        #expect(crashed.count > 3)
        return crashed
    }
}
