import Journal
import Meetings
import Seeds
import Testing

extension CommandRule {
    /// Rules for random sequences of check-ins, moves, corrections, merges, removals, withdrawals, undos and
    /// roster changes.
    static let anyOrder: [CommandRule] = [IdentifyBy.email, .number, .name].map { kind in
        CommandRule("counts, roster slots and keys are right after random changes, identified by \(kind)") {
            stage in
            let (host, record) = try await stage.planned(identifyBy: kind)
            var turmoil = Turmoil(
                stage: stage, host: host, record: record,
                random: SeededNumbers(seed: 20_261_121 + UInt64(kind == .name ? 1 : 0)))
            try await stage.perform(
                EditSession(
                    id: record.session.id, settings: SessionSettings(checkOut: .phones), actor: host))
            stage.now = at(-5)
            for _ in 0..<300 { try await turmoil.step() }
            #expect(turmoil.undone > 20 && turmoil.done > 150, "\(turmoil.undone) undone of \(turmoil.done)")
        }
    }
}

/// A session with random changes. The seed is fixed, so every run makes the same changes.
private struct Turmoil {
    let stage: Stage
    let host: AccountID
    let record: SessionRecord
    var random: SeededNumbers
    private(set) var done = 0
    private(set) var undone = 0

    init(stage: Stage, host: AccountID, record: SessionRecord, random: SeededNumbers) {
        self.stage = stage
        self.host = host
        self.record = record
        self.random = random
    }

    private var session: SessionID { record.session.id }
    private var meeting: MeetingID { record.meeting.id }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    /// Makes one change, which a rule may refuse but the storage must never fail. About half of the changes
    /// that can be undone are undone at once. After an undo, only the events differ from before.
    mutating func step() async throws {
        stage.now = stage.now + .seconds(number(0..<9))
        let (before, last) = (try await stage.standing(session), try await stage.last(in: session))
        do throws(JournalError) {
            try await change()
            done += 1
        } catch {
            if case .failed = error { throw error }
            #expect(try await stage.standing(session) == before, "\(error)")
        }
        try await expectSound()
        let now = try await stage.last(in: session)
        guard now > last, number(0..<2) == 0, try await stage.kept(now, in: session)?.before != nil else {
            return
        }
        let wasUndone = try await stage.events(of: session).last?.kind == .undone
        do throws(JournalError) {
            _ = try await stage.storage.perform(UndoCorrection(session: session, sequence: now, actor: host))
        } catch {
            // The undo may be refused if another record already uses the roster slot that the undo would
            // restore.
            if case .failed = error { throw error }
            #expect(wasUndone, "\(error)")
            return
        }
        undone += 1
        let (after, events) = (try await stage.standing(session), try await stage.events(of: session))
        let (lost, new) = (before.subtracting(after), after.subtracting(before))
        #expect(
            lost.isEmpty && new.isEmpty,
            "\(lost)\n became \(new)\n after \(String(describing: events.dropLast().last))")
        try await expectSound()
    }

    private mutating func change() async throws(JournalError) {
        let people = try await rows { [session] rows throws(JournalError) in
            try rows.attendees(of: session, statuses: nil, text: nil, after: nil, limit: 10_000)
        }
        let roster = try await rows { [meeting] rows throws(JournalError) in
            try rows.people(of: meeting, archived: false, text: nil, after: nil, limit: 1000)
                + rows.people(of: meeting, archived: true, text: nil, after: nil, limit: 1000)
        }
        let (one, other) = (people.randomElement(using: &random), people.randomElement(using: &random))
        let (somebody, who) = (roster.randomElement(using: &random), number(0..<25))
        let storage = stage.storage
        switch number(0..<16) {
        case 0, 1, 2:
            _ = try await storage.perform(
                CheckIn(
                    session: session, moment: stage.now, method: .qr, grant: nil, name: "P\(who)",
                    email: "p\(who)@example.org",
                    number: "\(who)"))
        case 3:
            guard let one else { return }
            let status = AttendanceStatus.allCases.randomElement(using: &random)
            _ = try await storage.perform(CorrectAttendee(attendee: one.id, status: status, actor: host))
        case 4:
            let status: AttendanceStatus? =
                ([nil, .awaited, .present, .excused] as [AttendanceStatus?]).randomElement(using: &random)
                ?? nil
            _ = try await storage.perform(
                AddAttendee(
                    session: session, name: "P\(who)", email: "p\(who)@example.org", number: "\(who)",
                    status: status, actor: host))
        case 5, 6:
            guard let one, let other else { return }
            _ = try await storage.perform(MergeAttendees(attendee: one.id, into: other.id, actor: host))
        case 7:
            guard let one else { return }
            try await storage.perform(
                RemoveAttendee(attendee: one.id, erases: number(0..<4) == 0, actor: host))
        case 8:
            guard let one else { return }
            _ = try await storage.perform(WithdrawCheckIn(receipt: Receipt(for: one)))
        case 9, 10:
            let draft = PersonDraft(
                name: "P\(number(0..<25))", email: "p\(who)@example.org", number: "\(who)")
            _ = try await storage.perform(AddPerson(meeting: meeting, draft: draft, actor: host))
        case 11:
            guard let somebody else { return }
            let (renames, archived) = (number(0..<2) == 0, number(0..<3) == 0)
            _ = try await storage.perform(
                EditPerson(
                    meeting: meeting, id: somebody.id, name: renames ? "P\(who)" : nil,
                    email: renames ? "p\(who)@example.org" : nil,
                    archived: archived, actor: host))
        case 12:
            guard let somebody, number(0..<3) == 0 else { return }
            try await storage.perform(RemovePerson(meeting: meeting, id: somebody.id, actor: host))
        case 13, 14:
            guard let one else { return }
            let move: Move = number(0..<2) == 0 ? .leave : .enterAgain
            if number(0..<2) == 0 {
                _ = try await storage.perform(MoveAttendee(one.id, move, actor: host))
            } else {
                _ = try await storage.perform(MoveOneself(Receipt(for: one), move))
            }
        default:
            let last = try await rows { [session] rows throws(JournalError) in
                try rows.session(session)?.sequence ?? 1
            }
            let sequence = max(1, last - Int64(number(0..<8)))
            _ = try await storage.perform(UndoCorrection(session: session, sequence: sequence, actor: host))
        }
    }

    private func rows<T: Sendable>(_ read: @escaping @Sendable (any ReadableRows) throws(JournalError) -> T)
        async throws(JournalError) -> T
    {
        try await stage.storage.read(read)
    }

    /// Expects that the counts equal the rows, that each person has at most one roster slot, that each
    /// attendee is at most one person, and that each key belongs to its own attendee.
    private func expectSound() async throws {
        try await stage.expectWhole(session)
        let standing = try await stage.standing(session)
        let people = standing.compactMap(\.person)
        #expect(Set(people).count == people.count)
        for one in standing {
            if let key = one.keys.key,
                let own = one.record.identity.isEmpty ? nil : IdentityKey(one.record.identity)
            {
                #expect(key == own)
            }
            guard let id = one.person else { continue }
            let found = try await rows { [session] rows throws(JournalError) in
                (try rows.person(id), try rows.attendee(of: id, in: session))
            }
            #expect(found.0?.meetingID == meeting && found.1?.id == one.id)
            // An archived person has no untouched awaited record.
            if one.record.status == .pending, one.record.arrivalSequence == 0, one.record.version == 1 {
                #expect(found.0?.isArchived == false)
            }
        }
    }
}
