import Meetings
import Secrets

/// An operator's permission for one e-mail address to sign up. It is signed and not stored. It works once,
/// because no second account can have the same address.
struct Invitation {
    static let prefix = "qin_"
    static let lifetime = Duration.hours(24 * 7)
    private static let macLength = 16

    static func text(for email: String, until expiresAt: Instant, keys: Keys) -> String {
        var signed = SignedBytes()
        signed.put(expiresAt.milliseconds)
        let mac = keys.invitation.mac(message(email, expiresAt), length: macLength)
        return prefix + Crockford.encode(signed.bytes + mac)
    }

    /// Whether this server made the invitation for this address, and it has not expired.
    static func isGood(_ text: String, for email: String, at now: Instant, keys: Keys) -> Bool {
        guard text.hasPrefix(prefix), text.utf8.count < 100,
            let bytes = Crockford.decode(text.dropFirst(prefix.count)),
            bytes.count == 8 + macLength
        else { return false }
        var reader = SignedReader(bytes)
        let expiresAt = Instant(milliseconds: reader.integer(Int64.self))
        return now <= expiresAt
            && keys.invitation.verifies(Array(bytes.suffix(macLength)), of: message(email, expiresAt))
    }

    private static func message(_ email: String, _ expiresAt: Instant) -> [UInt8] {
        var message = SignedBytes()
        message.put(expiresAt.milliseconds)
        message.put(Array(IdentityKey(email).text.utf8))
        return message.bytes
    }
}

/// The link that an invited person receives. Its signature covers the invitation's id and the e-mail address,
/// so nobody else can use the link.
enum MeetingInvitationLink {
    static let prefix = "qmi_"
    private static let macLength = 16

    static func text(of invitation: MeetingInvitation, keys: Keys) -> String {
        let mac = keys.membership.mac(message(invitation.id, invitation.email), length: macLength)
        return prefix + Crockford.encode(invitation.id.bytes + mac)
    }

    /// Returns the invitation's id in `text`; nil if the text is not a link of this server for `email`.
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
