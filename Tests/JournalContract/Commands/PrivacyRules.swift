import Journal
import Meetings
import Testing

extension CommandRule {
    static let privacy: [CommandRule] = [
        CommandRule("an erased person leaves the roster and all sessions, and the log has no name") { stage in
            let (host, record) = try await stage.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            let kim = try await stage.add("Kim", email: "p1@example.org", to: meeting, by: host)
            stage.now = at(5)
            let removed = try await stage.arrive(1, in: session)
            try await stage.perform(RemoveAttendee(attendee: removed.id, note: "Kim was late", actor: host))
            let here = try await stage.arrive(1, in: session)
            try await stage.perform(CorrectAttendee(attendee: here.id, note: "ill", actor: host))
            let other = try await stage.arrive(2, in: session)
            await expectRefused(.notFound(.person)) {
                try await stage.storage.erase(id(99), of: meeting, by: .account(host))
            }
            let stranger = try await stage.account(2).id
            await expectRefused(.notAllowed) {
                try await stage.storage.erase(kim.id, of: meeting, by: .account(stranger))
            }

            try await stage.storage.erase(kim.id, of: meeting, by: .account(host))
            #expect(try await stage.attendee(here.id) == nil)
            #expect(try await stage.attendees(of: session).map(\.id) == [other.id])
            let (corrections, person) = try await stage.storage.read { rows throws(JournalError) in
                (try rows.corrections(of: session, in: 1...Int64.max), try rows.person(kim.id))
            }
            #expect(corrections.isEmpty && person == nil)
            try await stage.expectWhole(session)
            let actions = try await stage.storage.read { rows throws(JournalError) in
                try rows.actions(in: meeting, before: nil, limit: 9)
            }
            #expect(actions.map(\.kind) == [.erased])
            #expect(actions.first?.actor == .account(host) && actions.first?.account == nil)
        },
        CommandRule("an erasure of a person in many sessions takes several transactions") { stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let kim = try await stage.add("Kim", email: "p1@example.org", to: meeting, by: host)
            var sessions = [record.session.id]
            for round in 1...(2 * ErasePerson.most) {
                let next = try await stage.perform(
                    ContinueMeeting(
                        meeting: meeting, startsAt: at(round * 100), endsAt: at(round * 100 + 60),
                        actor: host))
                sessions.append(next.session.id)
                stage.now = at(round * 100)
                try await stage.checkIn(1, in: next.session.id)
            }
            try await stage.storage.erase(kim.id, of: meeting, by: .server)
            for session in sessions {
                #expect(try await stage.attendees(of: session).isEmpty)
                try await stage.expectWhole(session)
            }
        },
        CommandRule("an expired session is deleted, and its meeting goes with the last one") { stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            _ = try await stage.add("Kim", email: "p1@example.org", to: meeting, by: host)
            let second = try await stage.perform(
                ContinueMeeting(meeting: meeting, startsAt: at(100), endsAt: at(160), actor: host))
            stage.now = at(5)
            try await stage.checkIn(1, in: record.session.id)
            stage.now = at(1000)
            #expect(try await stage.storage.deleteSession(endedBefore: at(60)) == false)
            #expect(try await stage.storage.deleteSession(endedBefore: at(61)))
            #expect(try await stage.storage.deleteSession(endedBefore: at(61)) == false)
            #expect(try await stage.record(record.session.id) == nil)
            #expect(try await stage.record(second.session.id)?.session.round == 2)
            #expect(try await stage.storage.deleteSession(endedBefore: at(161)))
            let (found, actions) = try await stage.storage.read { rows throws(JournalError) in
                (try rows.meeting(meeting), try rows.actions(in: meeting, before: nil, limit: 9))
            }
            #expect(found == nil)
            #expect(actions.map(\.kind) == [.sessionExpired, .sessionExpired])
            try await stage.storage.forgetActions(before: at(1001))
            let left = try await stage.storage.read { rows throws(JournalError) in
                try rows.actions(in: nil, before: nil, limit: 9)
            }
            #expect(left.isEmpty)
        },
        CommandRule("a reader sees only what the promise allows, and an attendee nothing of the roster") {
            stage in
            let (host, record) = try await stage.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            let kim = try await stage.add("Kim", email: "p1@example.org", to: meeting, by: host)
            stage.now = at(5)
            let here = try await stage.arrive(1, in: session)
            try await stage.perform(CorrectAttendee(attendee: here.id, note: "ill", actor: host))
            let (own, ofHost, ofFolder) = try await stage.storage.read { rows throws(JournalError) in
                let attendee = try rows.attendee(here.id) ?? here
                return (
                    try rows.data(of: attendee, for: .attendee(Receipt(for: here))),
                    try rows.data(of: kim, for: .host), try rows.data(of: attendee, for: .folder)
                )
            }
            #expect(own?.corrections.isEmpty == true)
            #expect(ofFolder?.corrections.count == 1)
            #expect(ofHost?.attendances.map(\.attendee.id) == [here.id])
            #expect(ofHost?.attendances.first?.attendee.note == "ill")
        },
        CommandRule("roles, links, invitations and suspensions are in the action log, without addresses") {
            stage in
            let (host, record) = try await stage.planned()
            let (meeting, second) = (record.meeting.id, try await stage.account(2))
            let (invitation, _) = try await stage.perform(
                InviteMember(meeting: meeting, email: second.email, role: .host, actor: host))
            try await stage.perform(
                AcceptInvitation(invitation: invitation.id, hasLink: false, actor: second.id))
            try await stage.perform(
                AddPresenterLink(session: record.session.id, hash: hash(1), actor: second.id))
            try await stage.perform(
                ChangeRole(meeting: meeting, account: second.id, role: .viewer, actor: host))
            try await stage.perform(RemoveMember(meeting: meeting, account: second.id, actor: host))
            try await stage.perform(SuspendAccount(id: second.id))
            try await stage.perform(ResumeAccount(id: second.id))
            let (ofMeeting, all) = try await stage.storage.read { rows throws(JournalError) in
                (
                    try rows.actions(in: meeting, before: nil, limit: 99),
                    try rows.actions(in: nil, before: nil, limit: 99)
                )
            }
            #expect(
                Set(ofMeeting.map(\.kind)) == [
                    .memberInvited, .invitationAccepted, .presenterLinkCreated, .roleChanged,
                    .presenterLinkRevoked, .memberRemoved,
                ])
            #expect(ofMeeting.allSatisfy { $0.account == second.id })
            #expect(all.contains { $0.kind == .accountSuspended && $0.actor == .server })
            #expect(all.contains { $0.kind == .accountCreated && $0.actor == .account(second.id) })
        },
    ]
}
