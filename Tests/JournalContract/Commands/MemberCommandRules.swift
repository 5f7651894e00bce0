import Journal
import Meetings
import Testing

extension CommandRule {
    static let membership: [CommandRule] = [
        CommandRule("an invitation makes only its own address a member, once, and within two weeks") {
            stage in
            let (host, record) = try await stage.planned()
            let (meeting, second, third) = (
                record.meeting.id, try await stage.account(2), try await stage.account(3).id
            )
            let (invitation, receiver) = try await stage.perform(
                InviteMember(meeting: meeting, email: second.email, role: .host, actor: host))
            #expect((receiver.account?.id, invitation.accountID) == (second.id, second.id))
            await expectRefused(.invitationNotValid) {
                try await stage.perform(
                    AcceptInvitation(invitation: invitation.id, hasLink: true, actor: third))
            }
            let (_, role) = try await stage.perform(
                AcceptInvitation(invitation: invitation.id, hasLink: false, actor: second.id))
            #expect(role == .host)
            await expectRefused(.invitationNotValid) {
                try await stage.perform(
                    AcceptInvitation(invitation: invitation.id, hasLink: true, actor: second.id))
            }
            await expectRefused(.alreadyMember) {
                try await stage.perform(
                    InviteMember(meeting: meeting, email: second.email, role: .viewer, actor: host))
            }
            await expectRefused(.notAllowed) {
                try await stage.perform(
                    InviteMember(meeting: meeting, email: "x@example.org", role: .viewer, actor: second.id))
            }

            // An account that was created after the invitation can accept it only with the link. An
            // invitation is still valid in the millisecond of its expiry.
            let (later, nobody) = try await stage.perform(
                InviteMember(meeting: meeting, email: "host4@example.org", role: .viewer, actor: host))
            #expect(nobody.account == nil && nobody.isMailed == nil)
            let fourth = try await stage.account(4).id
            await expectRefused(.invitationNotValid) {
                try await stage.perform(AcceptInvitation(invitation: later.id, hasLink: false, actor: fourth))
            }
            stage.now = later.expiresAt + .seconds(2)
            await expectRefused(.invitationNotValid) {
                try await stage.perform(AcceptInvitation(invitation: later.id, hasLink: true, actor: fourth))
            }
            stage.now = later.expiresAt
            try await stage.perform(AcceptInvitation(invitation: later.id, hasLink: true, actor: fourth))
        },
        CommandRule("the last owner can neither leave nor become less, unless there is another owner") {
            stage in
            let (host, record) = try await stage.planned()
            let (meeting, second) = (record.meeting.id, try await stage.account(2).id)
            await expectRefused(.lastOwner) {
                try await stage.perform(RemoveMember(meeting: meeting, account: host, actor: host))
            }
            await expectRefused(.lastOwner) {
                try await stage.perform(ChangeRole(meeting: meeting, account: host, role: .host, actor: host))
            }
            let (invitation, _) = try await stage.perform(
                InviteMember(meeting: meeting, email: "host2@example.org", role: .owner, actor: host))
            try await stage.perform(AcceptInvitation(invitation: invitation.id, hasLink: true, actor: second))
            try await stage.perform(ChangeRole(meeting: meeting, account: host, role: .viewer, actor: second))
            await expectRefused(.notAllowed) {
                try await stage.perform(RemoveMember(meeting: meeting, account: second, actor: host))
            }
            try await stage.perform(RemoveMember(meeting: meeting, account: host, actor: host))
            await expectRefused(.notFound(.member)) {
                try await stage.perform(RemoveMember(meeting: meeting, account: host, actor: second))
            }
        },
        CommandRule("sessions overlap only with the owner's other sessions, whoever plans them") {
            stage in
            let (host, record) = try await stage.planned()
            let second = try await stage.account(2).id
            let (invitation, _) = try await stage.perform(
                InviteMember(meeting: record.meeting.id, email: "host2@example.org", role: .host, actor: host)
            )
            try await stage.perform(AcceptInvitation(invitation: invitation.id, hasLink: true, actor: second))
            _ = try await stage.meeting(of: second, name: "Own", from: 100, to: 160)
            let other = try await stage.meeting(of: host, name: "Owner's", from: 200, to: 260)
            // Session times are half-open: one session may begin when another session ends.
            for (from, to) in [(100, 160), (160, 200)] {
                try await stage.perform(
                    ContinueMeeting(
                        meeting: record.meeting.id, startsAt: at(from), endsAt: at(to), actor: second))
            }
            await expectRefused(.sessionOverlap([Overlap(other.session, meetingName: "Owner's")])) {
                try await stage.perform(
                    ContinueMeeting(
                        meeting: record.meeting.id, startsAt: at(200) - millisecond + millisecond,
                        endsAt: at(201), actor: second))
            }
        },
        CommandRule("an edit of a meeting that changes nothing adds no version and no event") { stage in
            let (host, record) = try await stage.planned()
            let same = try await stage.perform(
                EditMeeting(id: record.meeting.id, name: record.meeting.name, venue: "", actor: host))
            #expect((same.meeting.version, same.sequence) == (1, 1))
        },
        CommandRule("check-in evidence is deleted a month after the end, but names and statuses stay") {
            stage in
            let (_, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let evidence = CheckInEvidence(device: hash(1), network: "192.0.2.0/24")
            try await stage.perform(
                CheckIn(
                    session: session, moment: at(0), method: .qr, grant: nil, name: "Kim",
                    email: "k@example.org", evidence: evidence))
            let before = try #require(try await stage.attendees(of: session).first)
            #expect(before.evidence == evidence)
            stage.now = at(60) + Retention().evidence
            try await stage.perform(ForgetEvidence())
            #expect(try await stage.attendees(of: session) == [before])
            stage.now = at(60) + Retention().evidence + millisecond
            try await stage.perform(ForgetEvidence())
            var after = before
            after.evidence = nil
            #expect(try await stage.attendees(of: session) == [after])
        },
        CommandRule("evidence is deleted a few attendees at a time, in all sessions that ended long ago") {
            stage in
            let host = try await stage.account(1).id
            var sessions: [SessionID] = []
            for (number, count) in [(0, 3), (1, 0), (2, 4)] {
                let record = try await stage.meeting(
                    of: host, from: number, to: 60 + number, allowOverlap: true)
                sessions.append(record.session.id)
                stage.now = at(10)
                for person in 0..<count {
                    try await stage.perform(
                        CheckIn(
                            session: record.session.id, moment: at(10), method: .qr, grant: nil,
                            name: "Person \(person)", email: "p\(person)@example.org",
                            evidence: CheckInEvidence(device: hash(person), network: "192.0.2.0/24")))
                }
            }
            stage.now = at(70) + Retention().evidence
            var place: ForgetEvidence.Place?
            var commands = 0
            repeat {
                place = try await stage.perform(ForgetEvidence(from: place, mostRows: 2))
                commands += 1
            } while place != nil
            // Two commands for three attendees, one for none, and three for four.
            #expect(commands == 6)
            for session in sessions {
                #expect(try await stage.attendees(of: session).allSatisfy { $0.evidence == nil })
            }
        },
    ]
}
