import Meetings
import Secrets

/// A person's own link to a reply. The server signs it and stores nothing, so mails can have it months later.
/// It ends with the reply.
struct ReplyLink: Hashable {
    let reply: ReplyID
    /// Whether the link was mailed to the address of the reply, so that its use proves the address. The link
    /// on the page proves nothing, and ends with the proof, because a stranger may have it.
    let isMailed: Bool

    /// Whether the link opens nothing any more, because the owner of the address has used a mailed one.
    func hasEnded(for reply: Reply) -> Bool { reply.isProved && !isMailed }

    private static let macLength = 16

    init(_ reply: ReplyID, isMailed: Bool) { (self.reply, self.isMailed) = (reply, isMailed) }

    /// Returns nil if this server did not make `text`.
    init?(_ text: String, keys: Keys) {
        guard text.utf8.count < 80, let bytes = Crockford.decode(text),
            bytes.count == 17 + Self.macLength, bytes[0] <= 1,
            let reply = ReplyID(bytes: bytes[1..<17])
        else { return nil }
        self.init(reply, isMailed: bytes[0] == 1)
        guard keys.unsubscribe.verifies(Array(bytes.suffix(Self.macLength)), of: signed) else { return nil }
    }

    /// Other texts that the key signs begin with another word, or have another length.
    private var signed: [UInt8] { Array("reply:".utf8) + content }
    private var content: [UInt8] { [isMailed ? 1 : 0] + reply.bytes }

    func path(keys: Keys) -> String {
        let text = Crockford.encode(content + keys.unsubscribe.mac(signed, length: Self.macLength))
        return "/R/own/\(text)"
    }
}

/// The part of the address of a session's page for replies that nobody can guess: 80 random bits.
enum ReplyCode {
    static func make() -> String {
        String(ReplyID.makeShort().text.suffix(ReplySettings.codeLength))
    }

    /// Returns the code in its stored form; nil if `text` is none.
    static func normalized(_ text: String) -> String? {
        guard text.utf8.count == ReplySettings.codeLength, ReplyID("0000000000" + text) != nil else {
            return nil
        }
        return text.uppercased()
    }
}
