import Journal
import Meetings
import Testing

extension Stage {
    fileprivate func admit(_ guest: AdmitAtKiosk.Guest, to session: SessionID, by link: PresenterLink)
        async throws -> AdmitAtKiosk.Outcome
    {
        try await perform(AdmitAtKiosk(guest, to: session, by: link.hash))
    }

    /// Creates a meeting of host 1 that expects Kim with the number 41, and a kiosk of host 2.
    fileprivate func kioskOfKim(identifyBy: IdentifyBy = .number) async throws -> (
        owner: AccountID, helper: AccountID, record: SessionRecord, link: PresenterLink
    ) {
        let (owner, record) = try await planned(identifyBy: identifyBy)
        _ = try await add(
            "Kim Jisoo", email: "p41@example.org", number: "41", to: record.meeting.id, by: owner)
        let helper = try await account(2).id
        try await setRole(.host, of: helper, in: record.meeting.id)
        now = at(0)
        let link = try await perform(
            AddPresenterLink(session: record.session.id, hash: hash(1), purpose: .kiosk, actor: helper))
        return (owner, helper, record, link)
    }

    private func setRole(_ role: Role, of account: AccountID, in meeting: MeetingID) async throws {
        try await perform(
            Act { transaction throws(JournalError) in
                try transaction.rows.setRole(role, of: account, in: meeting)
            })
    }

    fileprivate func kim(of session: SessionID) async throws -> AttendeeID {
        try #require(try await attendees(of: session).first { $0.name == "Kim Jisoo" }).id
    }
}

extension CommandRule {
    static let kiosks: [CommandRule] = [
        CommandRule("a kiosk checks in the guest who has confirmed the name, once, for the link's creator") {
            stage in
            let (_, helper, record, link) = try await stage.kioskOfKim()
            let session = record.session.id
            let kim = try await stage.kim(of: session)
            let first = try await stage.admit(
                .found(kim, KioskName("kim"), ending: nil), to: session, by: link)
            #expect(first.state == .welcome && first.name == "kim…")
            let again = try await stage.admit(
                .found(kim, KioskName("KIM  jisoo"), ending: "41"), to: session, by: link)
            #expect(again.state == .alreadyIn && again.name == "Kim Jisoo")
            let events = try await stage.events(of: session).filter { $0.kind == .checkedIn }
            #expect(events.map(\.actor) == [.account(helper)] && events.map(\.data.link) == [link.id])
            #expect(try await stage.attendance(of: session).checkedIn == 1)
            try await stage.expectWhole(session)
        },
        CommandRule("a kiosk checks nobody in whose name or ending does not match any more") { stage in
            let (owner, _, record, link) = try await stage.kioskOfKim()
            let session = record.session.id
            let kim = try await stage.kim(of: session)
            for (name, ending) in [
                ("lee", nil), ("ki", nil), ("isoo", nil), ("kim", "41"), ("kim jisoo", "14"),
            ]
                as [(String, String?)]
            {
                await expectRefused(.notFound(.attendee)) {
                    _ = try await stage.admit(
                        .found(kim, KioskName(name), ending: ending), to: session, by: link)
                }
            }
            // An attendee of another session.
            let other = try await stage.perform(
                ContinueMeeting(
                    meeting: record.meeting.id, startsAt: at(300), endsAt: at(360), actor: owner))
            let later = try await stage.kim(of: other.session.id)
            await expectRefused(.notFound(.attendee)) {
                _ = try await stage.admit(
                    .found(later, KioskName("kim"), ending: nil), to: session, by: link)
            }
            #expect(try await stage.attendance(of: session).checkedIn == 0)
        },
        CommandRule("a kiosk does not tell whose number somebody has scanned") { stage in
            let (_, _, record, link) = try await stage.kioskOfKim()
            let session = record.session.id
            func scan(_ guest: Admit.Guest) async throws -> AdmitAtKiosk.Outcome {
                try await stage.admit(.scanned(guest), to: session, by: link)
            }
            await expectRefused(.notFound(.attendee)) { _ = try await scan(.identity(IdentityKey("42"))) }
            for expected in [KioskState.welcome, .alreadyIn] {
                let outcome = try await scan(.identity(IdentityKey("41")))
                #expect(outcome.state == expected && outcome.name == nil)
            }
            for guest in [Admit.Guest.notAPass, .sessionCode] {
                #expect(try await scan(guest).state == .noPass)
            }
            let foreign = try await scan(.pass(.makeTimeless(), of: .makeTimeless()))
            #expect(foreign.state == .askStaff && foreign.name == nil)
        },
        CommandRule("an excused guest speaks with the staff, and an absent one is let in") { stage in
            let (owner, _, record, link) = try await stage.kioskOfKim()
            let session = record.session.id
            let guest = AdmitAtKiosk.Guest.found(
                try await stage.kim(of: session), KioskName("Kim Jisoo"), ending: nil)
            for (status, expected) in [
                (AttendanceStatus.excused, KioskState.askStaff), (.absent, .welcome),
            ] {
                try await stage.perform(
                    CorrectAttendee(
                        attendee: try await stage.kim(of: session), status: status, actor: owner))
                let outcome = try await stage.admit(guest, to: session, by: link)
                #expect(outcome.state == expected && (outcome.name == nil) == (expected == .askStaff))
            }
        },
        CommandRule("a kiosk says when it is not the time for check-in, and lets guests return") { stage in
            let (owner, _, record, link) = try await stage.kioskOfKim()
            let session = record.session.id
            let guest = AdmitAtKiosk.Guest.found(
                try await stage.kim(of: session), KioskName("Kim"), ending: nil)
            stage.now = at(-300)
            #expect(try await stage.admit(guest, to: session, by: link).state == .notNow)
            stage.now = at(0)
            _ = try await stage.perform(
                EditSession(id: session, settings: SessionSettings(checkOut: .door), actor: owner))
            #expect(try await stage.admit(guest, to: session, by: link).state == .welcome)
            stage.now = at(5)
            _ = try await stage.perform(
                Admit(.identity(IdentityKey("41")), to: session, leaves: true, actor: owner))
            #expect(try await stage.admit(guest, to: session, by: link).state == .returned)
            #expect(try await stage.admit(guest, to: session, by: link).state == .alreadyIn)
            try await stage.expectWhole(session)
        },
        CommandRule("a kiosk opens nothing with the link of a hall, of another session or of a former host") {
            stage in
            let (owner, helper, record, link) = try await stage.kioskOfKim()
            let (session, meeting) = (record.session.id, record.meeting.id)
            let guest = AdmitAtKiosk.Guest.found(
                try await stage.kim(of: session), KioskName("kim"), ending: nil)
            func expectClosed(_ link: PresenterLink) async {
                await expectRefused(.notAllowed) {
                    _ = try await stage.admit(guest, to: session, by: link)
                }
            }
            let hall = try await stage.perform(
                AddPresenterLink(session: session, hash: hash(2), actor: helper))
            await expectClosed(hall)
            let other = try await stage.perform(
                ContinueMeeting(meeting: meeting, startsAt: at(300), endsAt: at(360), actor: owner))
            await expectClosed(
                try await stage.perform(
                    AddPresenterLink(
                        session: other.session.id, hash: hash(3), purpose: .kiosk, actor: owner)))
            try await stage.perform(RevokePresenterLink(session: session, link: link.id, actor: owner))
            #expect(stage.announced.endedRights == [.presenterLink(link.id)])
            await expectClosed(link)
            // A steward keeps doors, but gives no links.
            let next = try await stage.perform(
                AddPresenterLink(session: session, hash: hash(4), purpose: .kiosk, actor: helper))
            try await stage.perform(
                ChangeRole(meeting: meeting, account: helper, role: .steward, actor: owner))
            await expectClosed(next)
            let own = try await stage.perform(
                AddPresenterLink(session: session, hash: hash(5), purpose: .kiosk, actor: owner))
            stage.now = record.session.endsAt + .milliseconds(1)
            await expectClosed(own)
            stage.now = at(0)
            #expect(try await stage.admit(guest, to: session, by: own).state == .welcome)
            try await stage.expectWhole(session)
        },
    ]
}
