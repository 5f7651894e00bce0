import FoundationEssentials
import Meetings
import Outbound
import Phrases

/// The requests to the operator's service for push messages. It gets them as `PhoneHook` sends codes.
enum PushHook {
    /// The body of the request. `id` stays the same if a message is sent again.
    struct Message: Encodable {
        let id: String
        let platform: Device.Platform
        let token: String
        let language: String
        let kind: String
        /// The meeting's name, with the session's title.
        let title: String
        let text: String
        /// The page that the message leads to; nil if there is none for the receiver.
        let url: String?
        let session: SessionID
        /// Of messages with the same value, a device needs to show only the last one.
        let collapse: String
        /// The moment from which on the message is of no use.
        let expiresAt: Instant
    }

    /// Whether the answer says that the platform knows the token no more: by its status 410, or by the body
    /// `{"gone": true}`.
    static func isGone(_ answer: OutboundResponse) -> Bool {
        if answer.status == 410 { return true }
        struct Body: Decodable { let gone: Bool }
        guard answer.status < 500, answer.body.count <= 1000 else { return false }
        return (try? JSONDecoder().decode(Body.self, from: Data(answer.body)))?.gone == true
    }
}

extension PushMessage {
    /// The text, which names no person, because a locked screen may show it.
    func text(in language: Language) -> String {
        let phrase =
            switch self {
            case .matched: Phrase.Push.matched
            case .declined: Phrase.Push.declined
            case .sessionStarts: Phrase.Push.sessionStarts
            case .checkInOpens: Phrase.Push.checkInOpens
            }
        return phrase.text(in: language)
    }

    /// Returns the path of the page that the message leads to.
    func path(for device: Device, about session: SessionID) -> String? {
        guard case .attendee = device.owner else { return nil }
        switch self {
        case .matched, .declined: return "/me/\(session)/groups"
        case .sessionStarts, .checkInOpens: return "/me/\(session)"
        }
    }
}
