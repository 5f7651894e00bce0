import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// The handlers for a meeting's members and invitations.
enum Members {
    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let (meeting, isOwner) = (context.meeting.id, context.role == .owner)
        let body = try await context.storage.read { rows throws(JournalError) -> MembersBody in
            var members: [MemberBody] = []
            for (id, role) in try rows.members(of: meeting) {
                guard let account = try rows.account(id) else { continue }
                members.append(MemberBody(account, role: role))
            }
            let invitations =
                isOwner ? try rows.invitations(to: meeting).map { MeetingInvitationBody($0) } : nil
            return MembersBody(items: members, invitations: invitations)
        }
        return .json(body)
    }

    static func invite(_ context: RequestContext, _ request: InviteMemberRequest) async throws -> HTTPResponse
    {
        let keys = context.services.keys
        let language = context.languageForAll(of: context.meeting)
        let mail = InviteMember.Mail(language: language.rawValue) { invitation in
            // The invitation is in the fragment of the link, so that no log sees it.
            "/host#/invitation/\(MeetingInvitationLink.text(of: invitation, keys: keys))"
        }
        let (invitation, receiver) = try await context.storage.perform(
            InviteMember(
                meeting: context.meeting.id, email: request.email, role: request.role,
                actor: context.accountID, mail: request.sendMail ? mail : nil))
        var body = MeetingInvitationBody(invitation)
        body.accountName = receiver.account?.name
        body.mailed = receiver.isMailed
        body.invitation = MeetingInvitationLink.text(of: invitation, keys: keys)
        return .json(body, status: 201)
    }

    static func revokeInvitation(_ context: RequestContext) async throws -> HTTPResponse {
        let id = try context.id(MeetingInvitation.self, .invitation, named: "invitationId")
        try await context.storage.perform(
            RevokeInvitation(invitation: id, meeting: context.meeting.id, actor: context.accountID))
        return .noContent
    }

    static func changeRole(_ context: RequestContext, _ request: ChangeRoleRequest) async throws
        -> HTTPResponse
    {
        let id = try context.id(Account.self, .member, named: "accountId")
        let account = try await context.storage.perform(
            ChangeRole(
                meeting: context.meeting.id, account: id, role: request.role,
                expected: try context.expectedVersion(),
                actor: context.accountID))
        return .json(MemberBody(account, role: request.role))
    }

    /// Removes a member. Owners can remove any member; every member can leave the meeting.
    static func remove(_ context: RequestContext) async throws -> HTTPResponse {
        let id = try context.id(Account.self, .member, named: "accountId")
        try await context.storage.perform(
            RemoveMember(meeting: context.meeting.id, account: id, actor: context.accountID))
        return .noContent
    }

    // MARK: The caller's own invitations

    static func received(_ context: RequestContext) async throws -> HTTPResponse {
        let (account, now) = (context.accountID, context.now)
        let items = try await context.storage.read { rows throws(JournalError) -> [MeetingInvitationBody] in
            var items: [MeetingInvitationBody] = []
            for invitation in try rows.invitations(of: account) {
                guard try rows.isValid(invitation, at: now) else { continue }
                var body = MeetingInvitationBody(invitation)
                body.meetingName = try rows.meeting(invitation.meetingID)?.name
                items.append(body)
            }
            return items
        }
        return .json(Page(items: items, nextCursor: nil))
    }

    static func accept(_ context: RequestContext, _ request: AcceptInvitationRequest) async throws
        -> HTTPResponse
    {
        let account = context.accountID
        let found = try await context.storage.read { rows throws(JournalError) in try rows.account(account) }
        let linked = found.flatMap {
            MeetingInvitationLink.id(in: request.invitation, for: $0.email, keys: context.services.keys)
        }
        guard let id = linked ?? MeetingInvitationID(request.invitation) else {
            throw Refusal.invitationNotValid
        }
        return try await context.perform(
            AcceptInvitation(invitation: id, hasLink: linked != nil, actor: account)
        ) { record, role in
            .json(role.isReader ? context.meetingBody(record, role: role) : context.stewardBody(record))
        }
    }

    static func decline(_ context: RequestContext) async throws -> HTTPResponse {
        let id = try context.id(MeetingInvitation.self, .invitation, named: "invitationId")
        try await context.storage.perform(
            RevokeInvitation(invitation: id, meeting: nil, actor: context.accountID))
        return .noContent
    }
}
