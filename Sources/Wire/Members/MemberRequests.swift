package import Meetings

package struct InviteMemberRequest: Readable, Sendable {
    package let email: String
    package let role: Role

    package init(reading fields: Fields) {
        email = fields.email("email", required: true) ?? ""
        role = fields.choice("role", of: Role.self, required: true) ?? .viewer
    }
}

package struct ChangeRoleRequest: Readable, Sendable {
    package let role: Role

    package init(reading fields: Fields) {
        role = fields.choice("role", of: Role.self, required: true) ?? .viewer
    }
}

/// What was handed over, or the id of an invitation that is the account's own.
package struct AcceptInvitationRequest: Readable, Sendable {
    package let invitation: String

    package init(reading fields: Fields) {
        invitation = fields.text("invitation", required: true, 1...200) ?? ""
    }
}
