import Journal
import Meetings
import Testing

extension Stage {
    fileprivate func admit(
        _ guest: Admit.Guest, to session: SessionID, door: Int? = nil, onlyAsks: Bool = false,
        by actor: AccountID
    ) async throws -> Admit.Outcome {
        try await perform(Admit(guest, to: session, door: door, onlyAsks: onlyAsks, actor: actor))
    }

    fileprivate func admitted(at door: Int, of session: SessionID) async throws -> Int {
        try await storage.read { rows throws(JournalError) in try rows.admittedCount(at: door, of: session) }
    }

    fileprivate func setRole(_ role: Role, of account: AccountID, in meeting: MeetingID) async throws {
        try await perform(
            Act { transaction throws(JournalError) in
                try transaction.rows.setRole(role, of: account, in: meeting)
            })
    }

    /// Creates a meeting of host 1 that expects Kim with the number 41, and a steward.
    fileprivate func doorOfKim(identifyBy: IdentifyBy = .number) async throws -> (
        host: AccountID, steward: AccountID, session: SessionID, meeting: MeetingID
    ) {
        let (host, record) = try await planned(identifyBy: identifyBy)
        _ = try await add("Kim", email: "p41@example.org", number: "41", to: record.meeting.id, by: host)
        let steward = try await account(2).id
        try await setRole(.steward, of: steward, in: record.meeting.id)
        now = at(0)
        return (host, steward, record.session.id, record.meeting.id)
    }
}

extension CommandRule {
    static let doors: [CommandRule] = [
        CommandRule("a door lets in a person by the number, once, and counts what each door has let in") {
            stage in
            let (_, steward, session, _) = try await stage.doorOfKim()
            let first = try await stage.admit(.identity(IdentityKey("41")), to: session, door: 2, by: steward)
            #expect(first.verdict == .admitted && first.attendee?.name == "Kim")
            #expect(first.attendee?.method == .door && first.attendee?.door == 2)
            #expect(first.counts.checkedIn == 1 && first.counts.pending == 0)
            let again = try await stage.admit(.identity(IdentityKey("41")), to: session, door: 3, by: steward)
            #expect(again.verdict == .alreadyIn && again.sequence == nil && again.attendee == first.attendee)
            let walkIn = try await stage.admit(.walkIn(name: "Lee"), to: session, door: 3, by: steward)
            #expect(walkIn.verdict == .admitted && walkIn.attendee?.walkIn == true)
            #expect(try await stage.admitted(at: 2, of: session) == 1)
            #expect(try await stage.admitted(at: 3, of: session) == 1)
            #expect(try await stage.admitted(at: 1, of: session) == 0)
            let unknown = try await stage.admit(.identity(IdentityKey("42")), to: session, by: steward)
            #expect(unknown.verdict == .notAPass && unknown.counts.checkedIn == 2)
            try await stage.expectWhole(session)
        },
        CommandRule("a door that only asks changes nothing") { stage in
            let (_, steward, session, _) = try await stage.doorOfKim()
            let events = try await stage.events(of: session)
            for guest in [Admit.Guest.identity(IdentityKey("41")), .walkIn(name: "Lee")] {
                let asked = try await stage.admit(guest, to: session, door: 1, onlyAsks: true, by: steward)
                #expect(asked.verdict == .expected && asked.sequence == nil)
            }
            #expect(try await stage.events(of: session) == events)
            #expect(try await stage.attendance(of: session).checkedIn == 0)
            try await stage.expectWhole(session)
        },
        CommandRule("a name that is typed for a walk-in fills the slot of an expected person of that name") {
            stage in
            let (_, steward, session, _) = try await stage.doorOfKim(identifyBy: .name)
            let kim = try await stage.admit(.walkIn(name: "kim"), to: session, by: steward)
            #expect(kim.attendee?.walkIn == false && kim.attendee?.name == "Kim")
            let other = try await stage.admit(.walkIn(name: "Kim"), to: session, by: steward)
            #expect(other.attendee?.walkIn == true && other.attendee?.id != kim.attendee?.id)
            #expect(try await stage.attendance(of: session).checkedIn == 2)
            try await stage.expectWhole(session)
        },
        CommandRule("a steward undoes an own admission, and the person can come in again") { stage in
            let (host, steward, session, _) = try await stage.doorOfKim()
            let kim = Admit.Guest.identity(IdentityKey("41"))
            let first = try #require(try await stage.admit(kim, to: session, door: 1, by: steward).sequence)
            await expectRefused(.notFound(.event)) {
                try await stage.perform(UndoAdmission(in: session, sequence: first, actor: host))
            }
            try await stage.perform(UndoAdmission(in: session, sequence: first, actor: steward))
            #expect(try await stage.attendance(of: session).awaited == 1)
            #expect(try await stage.admitted(at: 1, of: session) == 0)
            // The undo is no admission, so it cannot be undone here.
            await expectRefused(.notFound(.event)) {
                try await stage.perform(UndoAdmission(in: session, sequence: first + 1, actor: steward))
            }
            await expectRefused(.changedSince) {
                try await stage.perform(UndoAdmission(in: session, sequence: first, actor: steward))
            }
            let lee = try await stage.admit(.walkIn(name: "Lee"), to: session, by: steward)
            try await stage.perform(
                UndoAdmission(in: session, sequence: try #require(lee.sequence), actor: steward))
            #expect(try await stage.attendees(of: session).map(\.name) == ["Kim"])
            #expect(try await stage.admit(kim, to: session, by: steward).verdict == .admitted)
            try await stage.expectWhole(session)
        },
        CommandRule("a steward cannot undo an admission after ten minutes, and a host can") { stage in
            let (host, steward, session, _) = try await stage.doorOfKim()
            let kim = Admit.Guest.identity(IdentityKey("41"))
            let first = try #require(try await stage.admit(kim, to: session, by: steward).sequence)
            stage.now = at(0) + Door.undoWindow + .milliseconds(1)
            await expectRefused(.cannotBeUndone) {
                try await stage.perform(UndoAdmission(in: session, sequence: first, actor: steward))
            }
            _ = try await stage.perform(UndoCorrection(session: session, sequence: first, actor: host))
            let second = try #require(try await stage.admit(kim, to: session, by: steward).sequence)
            stage.now = stage.now + Door.undoWindow
            try await stage.perform(UndoAdmission(in: session, sequence: second, actor: steward))
            #expect(try await stage.attendance(of: session).awaited == 1)
        },
        CommandRule("an undo of the latest correction passes over the admissions of the doors") { stage in
            let (host, steward, session, _) = try await stage.doorOfKim()
            let lee = try await stage.perform(AddAttendee(session: session, name: "Lee", actor: host)).0
            try await stage.perform(CorrectAttendee(attendee: lee.id, status: .excused, actor: host))
            let kim = try await stage.admit(.identity(IdentityKey("41")), to: session, by: steward)
            let undone = try await stage.perform(
                UndoCorrection(session: session, .latest(of: nil), actor: host))
            #expect(undone.attendee?.id == lee.id && undone.attendee?.status == .present)
            // An admission after the undo does not end the possibility to redo it.
            _ = try await stage.admit(.walkIn(name: "Park"), to: session, by: steward)
            let redone = try await stage.perform(
                UndoCorrection(session: session, .redo(of: nil), actor: host))
            #expect(redone.attendee?.status == .excused)
            // A redo does not let in again whom the door has sent back.
            try await stage.perform(
                UndoAdmission(in: session, sequence: try #require(kim.sequence), actor: steward))
            await expectRefused(.nothingToRedo) {
                _ = try await stage.perform(
                    UndoCorrection(session: session, .redo(of: nil), actor: host))
            }
            let again = try await stage.admit(.identity(IdentityKey("41")), to: session, by: steward)
            #expect(again.verdict == .admitted)
            // Many admissions do not push a host's step out of reach.
            for number in 0..<210 {
                _ = try await stage.admit(.walkIn(name: "Walk \(number)"), to: session, by: steward)
            }
            let earlier = try await stage.perform(
                UndoCorrection(session: session, .latest(of: nil), actor: host))
            #expect(earlier.attendee?.status == .present && earlier.attendee?.name == "Lee")
            // Among the steps of the one person, the admission is the latest.
            let back = try await stage.perform(
                UndoCorrection(session: session, .latest(of: kim.attendee?.id), actor: host))
            #expect(back.attendee?.status == .pending)
            try await stage.expectWhole(session)
        },
        CommandRule("a door lets people out and in again, with an undo, if the session records leaving") {
            stage in
            let (host, steward, session, _) = try await stage.doorOfKim()
            let kim = Admit.Guest.identity(IdentityKey("41"))
            func leave(_ guest: Admit.Guest) async throws -> Admit.Outcome {
                try await stage.perform(Admit(guest, to: session, leaves: true, actor: steward))
            }
            _ = try await stage.admit(kim, to: session, by: steward)
            await expectRefused(.checkOutOff) { _ = try await leave(kim) }
            _ = try await stage.perform(
                EditSession(id: session, settings: SessionSettings(checkOut: .door), actor: host))
            #expect(try await leave(.walkIn(name: "Lee")).verdict == .notIn)
            stage.now = at(5)
            let out = try await leave(kim)
            #expect(out.verdict == .left && out.attendee?.stays?.leftAt == at(5) && out.counts.left == 1)
            #expect(try await leave(kim).verdict == .alreadyOut)
            try await stage.perform(
                UndoAdmission(in: session, sequence: try #require(out.sequence), actor: steward))
            #expect(try await stage.admit(kim, to: session, by: steward).verdict == .alreadyIn)
            _ = try await leave(kim)
            stage.now = at(9)
            let again = try await stage.admit(kim, to: session, by: steward)
            #expect(again.verdict == .returned && again.counts.left == 0)
            // A door that asks about a person outside says that the person may come in.
            _ = try await leave(kim)
            let asked = try await stage.admit(kim, to: session, onlyAsks: true, by: steward)
            #expect(asked.verdict == .expected && asked.counts.left == 1)
            _ = try await stage.admit(kim, to: session, by: steward)
            let kinds = try await stage.events(of: session).map(\.kind)
            #expect(kinds.suffix(6) == [.left, .undone, .left, .returned, .left, .returned])
            try await stage.expectWhole(session)
        },
        CommandRule("owners, hosts and stewards let people in, and viewers and strangers do not") { stage in
            let (host, steward, session, meeting) = try await stage.doorOfKim()
            let other = try await stage.account(3).id
            for role in [Role.viewer, nil] {
                if let role {
                    try await stage.setRole(role, of: other, in: meeting)
                } else {
                    try await stage.perform(RemoveMember(meeting: meeting, account: other, actor: host))
                }
                await expectRefused(.notAllowed) {
                    _ = try await stage.admit(.walkIn(name: "Lee"), to: session, by: other)
                }
                await expectRefused(.notAllowed) {
                    try await stage.perform(UndoAdmission(in: session, sequence: 1, actor: other))
                }
            }
            for actor in [host, steward] {
                #expect(
                    try await stage.admit(.walkIn(name: "Lee"), to: session, by: actor).verdict == .admitted)
            }
            // The right ends at once.
            try await stage.perform(
                ChangeRole(meeting: meeting, account: steward, role: .viewer, actor: host))
            await expectRefused(.notAllowed) {
                _ = try await stage.admit(.walkIn(name: "Park"), to: session, by: steward)
            }
        },
        CommandRule("a steward reads no meeting and no session, and keeps doors only") { stage in
            let (host, steward, session, meeting) = try await stage.doorOfKim()
            try await stage.storage.read { rows throws(JournalError) in
                for (account, reads) in [(host, true), (steward, false)] {
                    #expect(try rows.canRead(account, meeting) == reads)
                    #expect(
                        try rows.meetings(of: account, at: at(0), after: nil, limit: 9).isEmpty != reads)
                    #expect((try rows.nearestSession(of: account, at: at(0)) != nil) == reads)
                    #expect((try rows.nearestSession(of: account, at: at(-9)) != nil) == reads)
                    let range = at(0)..<at(1)
                    let read = try rows.sessions(
                        of: account, atDoor: false, overlapping: range, after: nil, limit: 9)
                    let doors = try rows.sessions(
                        of: account, atDoor: true, overlapping: range, after: nil, limit: 9)
                    #expect(read.isEmpty != reads && doors.map(\.session.id) == [session])
                }
            }
            // A member who becomes a steward leaves the rooms.
            let viewer = try await stage.account(3).id
            try await stage.setRole(.viewer, of: viewer, in: meeting)
            try await stage.perform(
                ChangeRole(meeting: meeting, account: viewer, role: .steward, actor: host))
            #expect(stage.announced.endedRights == [.member(viewer, of: meeting)])
        },
    ]
}
