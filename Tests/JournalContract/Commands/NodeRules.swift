package import Journal
import Meetings
import Seeds
import Synchronization
import Testing

/// A rule about two nodes of one database. An engine's tests run each rule with two engines on a new, empty
/// database.
package struct NodeRule: Sendable, CustomStringConvertible {
    package let description: String
    package let check: @Sendable (any Engine, any Engine) async throws -> Void

    /// Creates a rule that gets a stage over each engine. Their rooms show every session.
    private init(
        _ description: String, slices: SliceSize = .adaptive,
        _ check: @escaping @Sendable (Stage, Stage) async throws -> Void
    ) {
        self.description = description
        self.check = { first, second in
            let stages = try [first, second].map { try Stage($0, slices: slices, rooms: EveryRoom()) }
            for stage in stages { stage.now = at(1) }
            let result: Result<Void, any Error>
            do { result = .success(try await check(stages[0], stages[1])) } catch { result = .failure(error) }
            for stage in stages { await stage.storage.close() }
            try result.get()
        }
    }

    package static let all: [NodeRule] = [
        NodeRule("check-ins of both nodes take the next sequence, and each node announces each arrival once")
        {
            first, second in
            let (_, record) = try await first.planned()
            let session = record.session.id
            let count = 60
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    let stage = number.isMultiple(of: 2) ? first : second
                    group.addTask { try await stage.checkIn(number, in: session) }
                }
                try await group.waitForAll()
            }
            let arrived = try await first.events(of: session).filter { $0.kind == .checkedIn }
            try #require(arrived.count == count)
            for stage in [first, second] {
                try await stage.expectWhole(session)
                await stage.announced.wait { $0.arrivals(in: session).count >= count }
                let announced = stage.announced.batches.arrivals(in: session)
                #expect(announced == arrived.map(\.attendeeID))
                // A room takes its position from the record.
                let sequences = stage.announced.commits.filter { $0.id == session }.compactMap(
                    \.record?.sequence)
                #expect(sequences == sequences.sorted())
            }
        },
        NodeRule("a command sees the commits of the other node, although its node had read the session") {
            first, second in
            let (host, record) = try await first.planned()
            let session = record.session.id
            try await first.checkIn(1, in: session)
            _ = try await second.edit(session, by: host, planned: 77)
            try await first.checkIn(2, in: session)
            #expect(first.announced.last(session)?.record?.session.plannedCount == 77)
            #expect(try await first.storage.session(session)?.session.plannedCount == 77)
            try await first.expectWhole(session)
        },
        NodeRule("both nodes know the sessions as they are stored, after any changes of either") {
            first, second in
            let (host, record) = try await first.planned(sets: [QuestionSet(questions: questions)])
            let other = try await first.meeting(of: host, name: "Other", allowOverlap: true)
            let sessions = [record.session.id, other.session.id]
            var random = SeededNumbers(seed: 20_261_130)
            for number in 0..<120 {
                let stage = Bool.random(using: &random) ? first : second
                let session = sessions.randomElement(using: &random) ?? sessions[0]
                switch Int.random(in: 0..<10, using: &random) {
                case 0: _ = try await stage.edit(session, by: host, planned: number)
                case 1: _ = try await stage.settings(sessions[0], by: host, shared: number.isMultiple(of: 2))
                case 2:
                    guard let one = try await stage.attendees(of: session).randomElement(using: &random)
                    else { continue }
                    try await stage.perform(RemoveAttendee(attendee: one.id, erases: false, actor: host))
                case 3:
                    try await stage.perform(
                        EditMeeting(id: other.meeting.id, name: "Other \(number)", actor: host))
                default: _ = try await stage.checkIn(number, in: session)
                }
                guard number.isMultiple(of: 4) else { continue }
                for node in [first, second] {
                    // A batch takes the commits of the other node first.
                    try await node.perform(Act { _ throws(JournalError) in })
                    for session in sessions {
                        let stored = try await node.storage.read { rows throws(JournalError) in
                            try rows.session(session)
                        }
                        let known = try await node.storage.session(session)
                        #expect(known?.session == stored?.session)
                        #expect(known?.meeting == stored?.meeting)
                        #expect(known?.headCount == stored?.headCount)
                        #expect(known?.sequence == stored?.sequence)
                        #expect(known?.feedback == stored?.feedback)
                    }
                }
            }
        },
        NodeRule("a web hook that one node adds gets the events of the other node, which knew others") {
            first, second in
            let (host, record) = try await first.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            let hooks = [1, 2].map { number in
                AddWebhook(
                    id: id(700 + number), meeting: meeting, url: "https://example.org/", events: .all,
                    secret: [1], actor: host)
            }
            try await first.perform(hooks[0])
            try await first.checkIn(1, in: session)
            try await second.perform(hooks[1])
            try await first.checkIn(2, in: session)
            try await second.perform(RemoveWebhook(id: hooks[0].id, meeting: meeting, actor: host))
            try await first.checkIn(3, in: session)
            let waiting = try await first.storage.read { rows throws(JournalError) in
                [
                    try rows.waitingDeliveries(of: hooks[0].id, limit: 9),
                    try rows.waitingDeliveries(of: hooks[1].id, limit: 9),
                ]
            }
            #expect(waiting == [0, 2])
        },
        NodeRule("a person who checks in on both nodes at once is one attendee") { first, second in
            let (_, record) = try await first.planned()
            let session = record.session.id
            async let one = first.checkIn(1, in: session)
            async let two = second.checkIn(1, in: session)
            let outcomes = try await [one, two]
            #expect(outcomes.count { $0.fresh != nil } == 1)
            #expect(try await first.attendees(of: session).count == 1)
            try await second.expectWhole(session)
        },
        NodeRule("a batch that waits for the other node takes the commands that arrive meanwhile") {
            first, second in
            let (_, record) = try await first.planned()
            let session = record.session.id
            try await second.checkIn(0, in: session)
            let before = second.storage.statistics.commits
            let hold = Hold()
            let holding = Task.immediate { try await first.storage.perform(hold) }
            await hold.isHolding()
            let arriving = (1...5).map { number in
                Task.immediate { try await second.checkIn(number, in: session) }
            }
            hold.letGo()
            try await holding.value
            for task in arriving { _ = try await task.value }
            #expect(second.storage.statistics.commits - before == 1)
        },
        NodeRule("a node learns of the rights that end on the other node") { first, second in
            let (_, record) = try await first.planned()
            let attendee = try await second.arrive(1, in: record.session.id)
            try await first.perform(WithdrawCheckIn(receipt: Receipt(for: attendee)))
            await second.announced.wait { $0.contains { $0.endedRights == [.attendee(attendee.id)] } }
            await second.announced.wait { batches in
                batches.flatMap(\.sessions).contains { $0.removed == [attendee.id] }
            }
        },
        NodeRule("a new name of a meeting reaches the rooms and the memory of the other node") {
            first, second in
            let (host, record) = try await first.planned()
            let session = record.session.id
            try await second.checkIn(1, in: session)
            try await first.perform(EditMeeting(id: record.meeting.id, name: "Renamed", actor: host))
            await second.announced.wait { batches in
                batches.flatMap(\.sessions).contains { $0.isEdited && $0.record?.meeting.name == "Renamed" }
            }
            #expect(try await second.storage.session(session)?.meeting.name == "Renamed")
        },
        NodeRule("a node learns that the other node has deleted a session") { first, second in
            let (host, record) = try await first.planned()
            let session = record.session.id
            try await second.checkIn(1, in: session)
            try await first.perform(
                DeleteMeeting(id: record.meeting.id, confirmation: record.meeting.name, actor: host))
            await second.announced.wait { batches in
                batches.flatMap(\.sessions).contains { $0.id == session && $0.record == nil }
            }
            await expectRefused(.notFound(.session)) { try await second.checkIn(2, in: session) }
        },
        NodeRule(
            "commands and readers of a meeting wait for a long command of the other node", slices: .fixed(3)
        ) { first, second in
            let (host, record) = try await first.planned()
            let session = record.session.id
            async let long = first.load(people(0..<60), to: record.meeting.id, by: host)
            for number in 0..<30 {
                try await second.checkIn(number, in: session)
                // A reader sees the roster as it was or as it will be.
                let names = try await second.roster(of: record.meeting.id)
                #expect(names.isEmpty || names.count == 60)
            }
            _ = try await long
            try await second.expectWhole(session)
            #expect(try await first.attendees(of: session).count == 60)
        },
        NodeRule("two long commands of one meeting run one after the other", slices: .fixed(3)) {
            first, second in
            let (host, record) = try await first.planned()
            async let one = first.load(people(0..<40), to: record.meeting.id, by: host)
            async let two = second.load(people(20..<60), to: record.meeting.id, by: host)
            _ = try await (one, two)
            let names = Set(try await first.roster(of: record.meeting.id))
            let choices = [0..<40, 20..<60].map { Set(people($0).map(\.name)) }
            #expect(choices.contains(names))
            try await second.expectWhole(record.session.id)
        },
    ]
}

/// Rooms for every session.
private struct EveryRoom: RoomDirectory {
    func shows(_ session: SessionID) -> Bool { true }
    var hasLists: Bool { true }
    func shownSessions(of meetings: Set<MeetingID>) -> Set<SessionID> { [] }
}

extension [CommittedBatch] {
    /// The people who arrived in the session, in the order of the announcements.
    fileprivate func arrivals(in session: SessionID) -> [AttendeeID] {
        flatMap(\.sessions).filter { $0.id == session }.flatMap(\.arrivals).map(\.id)
    }
}
