import Journal
import Meetings
import Testing

extension Stage {
    /// Adds account `number` with this role to the meeting of `owner`.
    fileprivate func member(_ number: Int, _ role: Role, of meeting: MeetingID, by owner: AccountID)
        async throws -> AccountID
    {
        let account = try await account(number)
        let (invitation, _) = try await perform(
            InviteMember(meeting: meeting, email: account.email, role: role, actor: owner))
        try await perform(AcceptInvitation(invitation: invitation.id, hasLink: false, actor: account.id))
        return account.id
    }

    fileprivate func links(of session: SessionID) async throws -> [PresenterLink] {
        try await storage.read { rows throws(JournalError) in try rows.presenterLinks(of: session) }
    }

    /// Returns the events of presenter links as texts: kind, actor and link.
    fileprivate func linkEvents(of session: SessionID) async throws -> [String] {
        try await events(of: session).compactMap { event in
            event.data.link.map { "\(event.kind.rawValue) \(event.actor.text) \($0)" }
        }
    }
}

extension CommandRule {
    static let presenterRights: [CommandRule] = [
        CommandRule("links end with their creator's role in this meeting, and the journal records it") {
            stage in
            let (owner, record) = try await stage.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            let helper = try await stage.member(2, .host, of: meeting, by: owner)
            let own = try await stage.meeting(of: helper, name: "Own", from: 100, to: 160)
            let kept = try await stage.perform(
                AddPresenterLink(session: session, hash: hash(1), actor: owner))
            let elsewhere = try await stage.perform(
                AddPresenterLink(session: own.session.id, hash: hash(2), actor: helper))
            var expected = ["presenterLinkCreated \(owner.text) \(kept.id)"]
            for (number, role) in [Role.viewer, nil].enumerated() {
                let link = try await stage.perform(
                    AddPresenterLink(session: session, hash: hash(10 + number), actor: helper))
                #expect(link.createdBy == helper)
                if let role {
                    try await stage.perform(
                        ChangeRole(meeting: meeting, account: helper, role: role, actor: owner))
                } else {
                    try await stage.perform(RemoveMember(meeting: meeting, account: helper, actor: owner))
                }
                #expect(stage.announced.endedRights.contains(.presenterLink(link.id)))
                expected += [
                    "presenterLinkCreated \(helper.text) \(link.id)",
                    "presenterLinkRevoked \(owner.text) \(link.id)",
                ]
                if role != nil {
                    try await stage.perform(
                        ChangeRole(meeting: meeting, account: helper, role: .host, actor: owner))
                }
            }
            #expect(try await stage.linkEvents(of: session) == expected)
            #expect(try await stage.links(of: session) == [kept])
            #expect(try await stage.links(of: own.session.id) == [elsewhere])
            #expect(stage.announced.last(session)?.isEdited == true)
            try await stage.expectWhole(session)
        },
        CommandRule("links of a host who becomes an owner stay, and links of a deleted account end") {
            stage in
            let (owner, record) = try await stage.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            let helper = try await stage.member(2, .host, of: meeting, by: owner)
            let link = try await stage.perform(
                AddPresenterLink(session: session, hash: hash(1), actor: helper))
            try await stage.perform(ChangeRole(meeting: meeting, account: helper, role: .owner, actor: owner))
            #expect(stage.announced.endedRights.isEmpty)
            #expect(try await stage.links(of: session) == [link])
            // The account's own meeting is deleted with the account, so its journal has no event for the
            // link.
            let own = try await stage.meeting(of: helper, name: "Own", from: 100, to: 160)
            try await stage.perform(AddPresenterLink(session: own.session.id, hash: hash(2), actor: helper))
            try await stage.perform(
                DeleteAccount(id: helper, checked: "$2", confirmation: "host2@example.org"))
            #expect(stage.announced.endedRights == [.presenterLink(link.id), .account(helper)])
            #expect(try await stage.links(of: session).isEmpty)
            #expect(
                try await stage.linkEvents(of: session).last
                    == "presenterLinkRevoked \(helper.text) \(link.id)")
            try await stage.expectWhole(session)
        },
        CommandRule("a link shows its session only while its creator is a host or owner") {
            stage in
            let (owner, record) = try await stage.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            let helper = try await stage.member(2, .host, of: meeting, by: owner)
            let link = try await stage.perform(
                AddPresenterLink(session: session, hash: hash(1), actor: helper))
            func shown() async throws -> SessionID? {
                try await stage.storage.read { rows throws(JournalError) in
                    try rows.session(shownBy: link)?.session.id
                }
            }
            #expect(try await shown() == session)
            for role in [Role.viewer, nil] {
                try await stage.perform(SetRole(role: role, account: helper, meeting: meeting))
                #expect(try await shown() == nil)
            }
            try await stage.perform(SetRole(role: .owner, account: helper, meeting: meeting))
            #expect(try await shown() == session)
        },
        CommandRule("an edit revokes all links if the host requests it, with or without a new code") {
            stage in
            let (owner, record) = try await stage.planned()
            let session = record.session.id
            let links = [
                try await stage.perform(AddPresenterLink(session: session, hash: hash(1), actor: owner)),
                try await stage.perform(AddPresenterLink(session: session, hash: hash(2), actor: owner)),
            ]
            try await stage.perform(EditSession(id: session, renewsCode: true, actor: owner))
            #expect(stage.announced.endedRights.isEmpty)
            #expect(Set(try await stage.links(of: session)) == Set(links))
            let renewed = try await stage.perform(
                EditSession(id: session, renewsCode: true, revokesLinks: true, actor: owner))
            #expect(Set(stage.announced.endedRights) == Set(links.map { .presenterLink($0.id) }))
            #expect(try await stage.links(of: session).isEmpty)
            let last = try await stage.perform(
                AddPresenterLink(session: session, hash: hash(3), actor: owner))
            let edited = try await stage.perform(EditSession(id: session, revokesLinks: true, actor: owner))
            #expect(stage.announced.endedRights == [.presenterLink(last.id)])
            #expect(edited.record.session.version == renewed.record.session.version)
        },
        CommandRule("an event about a link cannot be undone") { stage in
            let (owner, record) = try await stage.planned()
            let session = record.session.id
            let link = try await stage.perform(
                AddPresenterLink(session: session, hash: hash(1), actor: owner))
            try await stage.perform(RevokePresenterLink(session: session, link: link.id, actor: owner))
            for sequence in try await stage.events(of: session).filter({ $0.data.link != nil }).map(
                \.sequence)
            {
                await expectRefused(.cannotBeUndone) {
                    try await stage.perform(
                        UndoCorrection(session: session, sequence: sequence, actor: owner))
                }
            }
        },
        CommandRule("an invitation ends when the account that made it no longer owns the meeting") { stage in
            let (owner, record) = try await stage.planned()
            let meeting = record.meeting.id
            let second = try await stage.member(2, .owner, of: meeting, by: owner)
            let guest = try await stage.account(3)
            func invite() async throws -> MeetingInvitation {
                try await stage.perform(
                    InviteMember(meeting: meeting, email: guest.email, role: .owner, actor: second)
                ).0
            }
            func expectGone(_ invitation: MeetingInvitation) async throws {
                await expectRefused(.invitationNotValid) {
                    try await stage.perform(
                        AcceptInvitation(invitation: invitation.id, hasLink: true, actor: guest.id))
                }
                #expect(
                    try await stage.storage.read { rows throws(JournalError) in
                        try rows.invitations(to: meeting).isEmpty
                    })
            }
            for role in [Role.host, nil] {
                let invitation = try await invite()
                #expect(invitation.invitedBy == second)
                if let role {
                    try await stage.perform(
                        ChangeRole(meeting: meeting, account: second, role: role, actor: owner))
                } else {
                    try await stage.perform(RemoveMember(meeting: meeting, account: second, actor: owner))
                }
                try await expectGone(invitation)
                try await stage.perform(SetRole(role: .owner, account: second, meeting: meeting))
            }
            // When the guest accepts the invitation, its creator must own the meeting. How the creator lost
            // the role does not matter.
            let invitation = try await invite()
            try await stage.perform(SetRole(role: .host, account: second, meeting: meeting))
            await expectRefused(.invitationNotValid) {
                try await stage.perform(
                    AcceptInvitation(invitation: invitation.id, hasLink: true, actor: guest.id))
            }
            try await stage.perform(SetRole(role: .owner, account: second, meeting: meeting))
            try await stage.perform(DeleteAccount(id: second, checked: "$2", confirmation: nil))
            try await expectGone(invitation)
        },
    ]
}

/// A command that sets a role directly. The product has no such command.
private struct SetRole: Command {
    let role: Role?
    let account: AccountID
    let meeting: MeetingID

    func run(in transaction: Transaction) throws(JournalError) {
        try transaction.rows.setRole(role, of: account, in: meeting)
    }
}
