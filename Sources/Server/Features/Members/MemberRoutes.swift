import Meetings
import Wire

extension RouteTable {
    /// The routes for a meeting's members and for invitations to join the meeting.
    static let members: [Route] = [
        Route(
            .get, "/api/v1/meetings/{id}/members", .member(.viewer, of: .meeting),
            does: "List a meeting's members and invitations",
            gives: .json(MembersBody.self), Members.list),
        Route(
            .post, "/api/v1/meetings/{id}/members", .member(.owner, of: .meeting),
            does: "Invite an e-mail address to a role",
            reading: InviteMemberRequest.self, gives: .json(MeetingInvitationBody.self, status: 201),
            refuses: [.alreadyMember, .limitReached], keys: .ignored(.secret), Members.invite),
        Route(
            .patch, "/api/v1/meetings/{id}/members/{accountId}", .member(.owner, of: .meeting),
            does: "Change a member's role",
            reading: ChangeRoleRequest.self, gives: .json(MemberBody.self),
            refuses: [.lastOwner],
            Members.changeRole),
        Route(
            .delete, "/api/v1/meetings/{id}/members/{accountId}", .member(.anyRole, of: .meeting),
            does: "Remove a member, or leave",
            gives: .noContent, refuses: [.lastOwner], Members.remove),
        Route(
            .delete, "/api/v1/meetings/{id}/invitations/{invitationId}", .member(.owner, of: .meeting),
            does: "Revoke an invitation",
            gives: .noContent, Members.revokeInvitation),
        Route(
            .get, "/api/v1/me/invitations", .signedIn, does: "List the caller's invitations to meetings",
            gives: .json(Page<MeetingInvitationBody>.self), Members.received),
        Route(
            .post, "/api/v1/me/invitations", .signedIn, does: "Accept an invitation to a meeting",
            reading: AcceptInvitationRequest.self,
            gives: .json(MeetingBody.self), refuses: [.invitationNotValid, .alreadyMember, .notFound],
            Members.accept),
        Route(
            .delete, "/api/v1/me/invitations/{invitationId}", .signedIn, does: "Decline an invitation",
            gives: .noContent, Members.decline),
    ]
}
