import Journal
import Meetings
import Seeds
import Testing

extension CommandRule {
    /// Rules for undos without a sequence, and for redos.
    static let undoingSteps: [CommandRule] = [
        CommandRule("undos go back step by step, redos forth, and a new change ends the redo") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            _ = try await stage.edit(session, by: host, planned: 20)
            stage.now = at(0)
            let (one, other) = (
                try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)
            )
            await expectRefused(.nothingToRedo) { try await stage.redo(in: session, by: host) }
            try await stage.perform(CorrectAttendee(attendee: one.id, status: .late, actor: host))
            try await stage.perform(CorrectAttendee(attendee: one.id, status: .excused, actor: host))
            _ = try await stage.edit(session, by: host, planned: 40)
            try await stage.perform(RemoveAttendee(attendee: other.id, actor: host))

            func seen() async throws -> String {
                let (record, one) = (try await stage.record(session), try await stage.attendee(one.id))
                return "\(one?.status ?? .pending) \(record?.session.plannedCount ?? 0) "
                    + "\(record?.headCount.known ?? 0)"
            }
            let steps = ["excused 40 1", "excused 40 2", "excused 20 2", "late 20 2", "present 20 2"]
            #expect(try await seen() == steps[0])
            for step in steps.dropFirst() {
                #expect(try await stage.undoLatest(in: session, by: host).event.kind == .undone)
                #expect(try await seen() == step)
            }
            for step in steps.dropLast().reversed() {
                #expect(try await stage.redo(in: session, by: host).event.kind == .redone)
                #expect(try await seen() == step)
            }
            await expectRefused(.nothingToRedo) { try await stage.redo(in: session, by: host) }
            for _ in 0..<2 { try await stage.undoLatest(in: session, by: host) }
            try await stage.perform(CorrectAttendee(attendee: other.id, name: "Other", actor: host))
            await expectRefused(.nothingToRedo) { try await stage.redo(in: session, by: host) }
            for step in [steps[2], "late 20 2", "present 20 2"] {
                try await stage.undoLatest(in: session, by: host)
                #expect(try await seen() == step)
            }
            // A check-in is no step, and ends no redo.
            _ = try await stage.arrive(3, in: session)
            try await stage.redo(in: session, by: host)
            #expect(try await seen() == "late 20 3")
            try await stage.expectWhole(session)
        },
        CommandRule("an undo of one attendee leaves the steps of others") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let (one, other) = (
                try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)
            )
            for status in [AttendanceStatus.late, .excused] {
                try await stage.perform(CorrectAttendee(attendee: one.id, status: status, actor: host))
                try await stage.perform(CorrectAttendee(attendee: other.id, status: status, actor: host))
            }
            for status in [RecordedStatus.late, .present] {
                try await stage.undoLatest(of: one.id, in: session, by: host)
                #expect(try await stage.attendee(one.id)?.status == status)
            }
            await expectRefused(.nothingToUndo) {
                try await stage.undoLatest(of: one.id, in: session, by: host)
            }
            #expect(try await stage.attendee(other.id)?.status == .excused)
            try await stage.redo(of: one.id, in: session, by: host)
            #expect(try await stage.attendee(one.id)?.status == .late)
            // A named step can be undone as soon as its record is as that step has left it.
            let events = try await stage.events(of: session)
            let first = try #require(events.first { $0.kind == .corrected && $0.attendeeID == other.id })
            await expectRefused(.changedSince) { try await stage.undo(first.sequence, in: session, by: host) }
            try await stage.undoLatest(of: other.id, in: session, by: host)
            try await stage.undo(first.sequence, in: session, by: host)
            #expect(try await stage.attendee(other.id)?.status == .present)
        },
        CommandRule("a step whose record has changed since is left out, and an attendee's change is no step")
        {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let (one, other) = (
                try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)
            )
            try await stage.perform(CorrectAttendee(attendee: one.id, status: .late, actor: host))
            try await stage.perform(CorrectAttendee(attendee: other.id, status: .late, actor: host))
            try await stage.perform(CorrectOwnName(receipt: Receipt(for: other), name: "Renamed"))
            try await stage.undoLatest(in: session, by: host)
            #expect(try await stage.attendee(one.id)?.status == .present)
            #expect(try await stage.attendee(other.id)?.name == "Renamed")
            await expectRefused(.nothingToUndo) { try await stage.undoLatest(in: session, by: host) }
            // The code that a host has renewed stays, and the edit before it can still be undone.
            _ = try await stage.edit(session, by: host, planned: 20)
            _ = try await stage.edit(session, by: host, planned: 40)
            try await stage.perform(EditSession(id: session, renewsCode: true, actor: host))
            let code = try await stage.record(session)?.session.joinCode
            try await stage.undoLatest(in: session, by: host)
            let after = try #require(try await stage.record(session)).session
            #expect((after.plannedCount, after.joinCode) == (20, code))
        },
        CommandRule("a merge with answers is undone and repeated") { stage in
            let (host, record) = try await stage.planned(sets: [
                QuestionSet(questions: questions, anonymous: false)
            ])
            let session = record.session.id
            stage.now = at(0)
            let (one, other) = (
                try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)
            )
            try await stage.respond(one, [id(1): .rating(2)])
            let before = try await stage.standing(session)
            try await stage.perform(MergeAttendees(attendee: one.id, into: other.id, actor: host))
            let merged = (try await stage.standing(session), try await stage.tallies(of: session))
            for _ in 0..<3 {
                try await stage.undoLatest(in: session, by: host)
                #expect(try await stage.standing(session) == before)
                try await stage.redo(of: other.id, in: session, by: host)
                #expect(try await stage.standing(session) == merged.0)
                #expect(try await stage.tallies(of: session) == merged.1)
            }
            // A removal of somebody who has answered can be repeated, too.
            try await stage.perform(RemoveAttendee(attendee: other.id, actor: host))
            try await stage.undoLatest(in: session, by: host)
            try await stage.redo(in: session, by: host)
            #expect(try await stage.standing(session).isEmpty)
            try await stage.expectWhole(session)
        },
        CommandRule("undos and redos in random order give the state of a naive list of states") { stage in
            let host = try await stage.account(1).id
            for seed in [20_261_122, 20_261_123, 20_261_124] as [UInt64] {
                let record = try await stage.meeting(of: host, allowOverlap: true)
                try await StepModel.run(on: stage, record, of: host, seed: seed)
            }
        },
    ]
}

/// Compares undos and redos with a list of all states of a session.
private struct StepModel {
    /// What people see of the session.
    struct State: Equatable {
        let attendees: Set<Standing>
        let planned: Int?
    }

    let stage: Stage
    let host: AccountID
    let session: SessionID
    var random: SeededNumbers

    static func run(on stage: Stage, _ record: SessionRecord, of host: AccountID, seed: UInt64)
        async throws
    {
        stage.now = at(0)
        var model = StepModel(
            stage: stage, host: host, session: record.session.id, random: SeededNumbers(seed: seed))
        for number in 1...5 { _ = try await stage.arrive(number, in: model.session) }
        var (states, position, undone, redone) = ([try await model.state()], 0, 0, 0)
        for step in 0..<90 {
            stage.now = stage.now + .seconds(1)
            switch model.number(0..<5) {
            case 0, 1:
                try await model.change(step)
                let now = try await model.state()
                guard now != states[position] else { continue }
                states = states[...position] + [now]
                position += 1
            case 2, 3:
                if position == 0 {
                    await expectRefused(.nothingToUndo) {
                        try await stage.undoLatest(in: model.session, by: host)
                    }
                } else {
                    try await stage.undoLatest(in: model.session, by: host)
                    (position, undone) = (position - 1, undone + 1)
                }
            default:
                if position == states.count - 1 {
                    await expectRefused(.nothingToRedo) { try await stage.redo(in: model.session, by: host) }
                } else {
                    try await stage.redo(in: model.session, by: host)
                    (position, redone) = (position + 1, redone + 1)
                }
            }
            let now = try await model.state()
            #expect(now == states[position], "step \(step) of seed \(seed)")
            guard now == states[position] else { return }
        }
        #expect(undone > 15 && redone > 3, "\(undone) undone, \(redone) redone")
        try await stage.expectWhole(model.session)
    }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    private func state() async throws -> State {
        State(
            attendees: try await stage.standing(session),
            planned: try await stage.record(session)?.session.plannedCount)
    }

    private mutating func change(_ step: Int) async throws {
        let people = try await stage.attendees(of: session)
        let (one, other) = (people.randomElement(using: &random), people.randomElement(using: &random))
        switch (number(0..<6), one, other) {
        case (0, _, _), (_, nil, _):
            try await stage.perform(AddAttendee(session: session, name: "Added \(step)", actor: host))
        case (1, let one?, _):
            try await stage.perform(RemoveAttendee(attendee: one.id, actor: host))
        case (2, let one?, let other?) where one.id != other.id:
            try await stage.perform(MergeAttendees(attendee: one.id, into: other.id, actor: host))
        case (3, _, _):
            _ = try await stage.edit(session, by: host, planned: 30 + step)
        case (4, let one?, _):
            try await stage.perform(CorrectAttendee(attendee: one.id, name: "Name \(step)", actor: host))
        default:
            guard let one else { return }
            try await stage.perform(
                CorrectAttendee(
                    attendee: one.id, status: AttendanceStatus.allCases.randomElement(using: &random),
                    actor: host))
        }
    }
}

extension Stage {
    @discardableResult
    func undoLatest(of attendee: AttendeeID? = nil, in session: SessionID, by host: AccountID)
        async throws -> UndoCorrection.Outcome
    {
        try await perform(UndoCorrection(session: session, .latest(of: attendee), actor: host))
    }

    @discardableResult
    func redo(of attendee: AttendeeID? = nil, in session: SessionID, by host: AccountID)
        async throws -> UndoCorrection.Outcome
    {
        try await perform(UndoCorrection(session: session, .redo(of: attendee), actor: host))
    }
}
