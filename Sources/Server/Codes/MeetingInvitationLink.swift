import Meetings
import Secrets

/// What is handed to who is invited to a meeting: the invitation's id, signed together with the address, so
/// that it is of no use to another.
enum MeetingInvitationLink {
    static let prefix = "qmi_"
    private static let macLength = 16

    static func text(of invitation: MeetingInvitation, keys: Keys) -> String {
        let mac = keys.membership.mac(message(invitation.id, invitation.email), length: macLength)
        return prefix + Crockford.encode(invitation.id.bytes + mac)
    }

    /// The id that the text names; nil for what is no link of this server for `email`.
    static func id(in text: String, for email: String, keys: Keys) -> MeetingInvitationID? {
        guard text.hasPrefix(prefix), text.utf8.count < 100,
            let bytes = Crockford.decode(text.dropFirst(prefix.count)),
            bytes.count == 16 + macLength, let id = MeetingInvitationID(bytes: bytes.prefix(16)),
            keys.membership.verifies(Array(bytes.suffix(macLength)), of: message(id, email))
        else { return nil }
        return id
    }

    private static func message(_ id: MeetingInvitationID, _ email: String) -> [UInt8] {
        id.bytes + Array(IdentityKey(email).text.utf8)
    }
}
