import Journal
import Meetings
import Testing

extension CommandRule {
    static let corrections: [CommandRule] = [
        CommandRule("a revoked receipt ends at once, the attendance stays, and an undo restores both") {
            stage in
            let (host, record) = try await stage.planned()
            stage.now = at(0)
            let attendee = try await stage.arrive(1, in: record.session.id)
            let receipt = Receipt(for: attendee)
            func holder() async throws -> AttendeeID? {
                try await stage.storage.read { rows throws(JournalError) in
                    try rows.attendee(holding: receipt)?.id
                }
            }
            #expect(try await holder() == attendee.id)
            let (revoked, _) = try await stage.perform(
                CorrectAttendee(attendee: attendee.id, endsReceipts: true, actor: host))
            #expect(revoked.status == .present && revoked.version == attendee.version + 1)
            #expect(stage.announced.endedRights == [.attendee(attendee.id)])
            #expect(try await holder() == nil)
            #expect(try await stage.checkIn(1, in: record.session.id, receipt: receipt).isElsewhere)
            let event = try #require(try await stage.events(of: record.session.id).last)
            #expect(event.data.fields == ["receipts"])
            _ = try await stage.perform(
                UndoCorrection(session: record.session.id, .named(event.sequence), actor: host))
            #expect(try await holder() == attendee.id)
            try await stage.expectWhole(record.session.id)
        },
        CommandRule(
            "a correction sets status, note and true time in one event, and announces it to the rooms"
        ) {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(30)
            let late = try await stage.arrive(1, in: session)
            #expect(late.status == .late)
            let (corrected, after) = try await stage.perform(
                CorrectAttendee(
                    attendee: late.id, note: "was here", checkedInAt: at(5), expected: .version(1),
                    actor: host))
            #expect(
                (corrected.status, corrected.checkedInAt, corrected.note, corrected.version) == (
                    .present, at(5), "was here", 2
                ))
            #expect((after.headCount.present, after.headCount.late) == (1, 0))
            let event = try #require(try await stage.events(of: session).last)
            #expect((event.kind, event.actor, event.attendeeID) == (.corrected, .account(host), late.id))
            #expect(
                event.data
                    == EventData(status: .present, before: .late, fields: ["status", "checkedInAt", "note"]))
            #expect(stage.announced.last(session)?.changed == [corrected])
            try await stage.expectWhole(session)
        },
        CommandRule(
            "the second of two corrections of the same version is refused, and overwrites nothing"
        ) { stage in
            let (host, record) = try await stage.planned()
            stage.now = at(0)
            let person = try await stage.arrive(1, in: record.session.id)
            try await stage.perform(
                CorrectAttendee(attendee: person.id, status: .excused, expected: .version(1), actor: host))
            await expectRefused(.versionMismatch(current: 2)) {
                try await stage.perform(
                    CorrectAttendee(attendee: person.id, status: .absent, expected: .version(1), actor: host))
            }
            #expect(try await stage.attendee(person.id)?.status == .excused)
        },
        CommandRule("a correction that changes nothing adds no event") { stage in
            let (host, record) = try await stage.planned()
            stage.now = at(0)
            let person = try await stage.arrive(1, in: record.session.id)
            let before = try await stage.events(of: record.session.id).count
            let (same, _) = try await stage.perform(
                CorrectAttendee(attendee: person.id, name: person.name, note: "", actor: host))
            #expect(same == person)
            #expect(try await stage.events(of: record.session.id).count == before)
        },
        CommandRule("an attendee set back to awaited can check in again, also with the same grant") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let person = try #require(try await stage.checkIn(1, in: session, grant: hash(1)).fresh)
            try await stage.perform(CorrectAttendee(attendee: person.id, status: .awaited, actor: host))
            #expect(try await stage.record(session)?.headCount.pending == 1)
            stage.now = at(20)
            let again = try #require(
                try await stage.checkIn(1, in: session, grant: hash(1), receipt: Receipt(for: person)).fresh)
            #expect((again.id, again.status, again.checkedInAt) == (person.id, .late, at(20)))
            try await stage.expectWhole(session)
        },
        CommandRule(
            "an attendee whom a host adds has the method host, arrives, and is never a walk-in"
        ) { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(5)
            let (here, _) = try await stage.perform(
                AddAttendee(session: session, name: "Kim", email: "kim@example.org", actor: host))
            #expect(
                (here.status, here.method, here.walkIn, here.checkedInAt) == (.present, .host, false, at(5)))
            #expect(stage.announced.last(session)?.arrivals == [here])
            let (excused, _) = try await stage.perform(
                AddAttendee(session: session, name: "Lee", status: .excused, actor: host))
            #expect((excused.arrivalSequence, excused.method, excused.identity) == (0, nil, ""))
            await expectRefused(.attendeeExists(here.id)) {
                try await stage.perform(
                    AddAttendee(session: session, name: "Kim again", email: "KIM@example.org ", actor: host))
            }
            #expect(try await stage.checkIn(7, in: session, identity: "kim@example.org").isElsewhere)
            try await stage.expectWhole(session)
        },
        CommandRule("a viewer cannot correct anything") { stage in
            let (_, record) = try await stage.planned()
            stage.now = at(0)
            let person = try await stage.arrive(1, in: record.session.id)
            let other = try await stage.account(2).id
            await expectRefused(.notAllowed) {
                try await stage.perform(CorrectAttendee(attendee: person.id, name: "X", actor: other))
            }
            await expectRefused(.notAllowed) {
                try await stage.perform(RemoveAttendee(attendee: person.id, actor: other))
            }
            await expectRefused(.notAllowed) {
                try await stage.perform(AddAttendee(session: record.session.id, name: "X", actor: other))
            }
            await expectRefused(.notAllowed) {
                try await stage.perform(MergeAttendees(attendee: person.id, into: person.id, actor: other))
            }
            await expectRefused(.notAllowed) { try await stage.undo(1, in: record.session.id, by: other) }
        },
        CommandRule("erasing an attendee also erases the stored values of the corrections") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let (first, second) = (
                try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)
            )
            try await stage.perform(
                CorrectAttendee(attendee: first.id, name: "Secret", note: "ill", actor: host))
            try await stage.perform(
                MergeAttendees(attendee: first.id, into: second.id, note: "one person", actor: host))
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: first)))
            let kept = try await stage.storage.read { rows throws(JournalError) in
                (try rows.corrections(of: session, in: 1...100), try rows.traces(into: second.id))
            }
            #expect(kept.0.isEmpty && kept.1.isEmpty)
            #expect(try await stage.record(session)?.headCount == HeadCount())
        },
    ]
}

extension Stage {
    @discardableResult
    func undo(_ sequence: Int64, in session: SessionID, by host: AccountID) async throws
        -> UndoCorrection.Outcome
    {
        try await perform(UndoCorrection(session: session, sequence: sequence, actor: host))
    }

    /// Returns the sequence of the session's newest event.
    func last(in session: SessionID) async throws -> Int64 {
        try #require(try await record(session)).sequence
    }
}
