import Journal
import Meetings
import Secrets

/// The text in the QR code of a personal pass: the payload in Crockford's base32, after `…/P/`. All
/// characters are in the alphanumeric mode of QR codes.
enum PassCode {
    /// The longest scanned text that is read.
    static let mostCharacters = 500

    /// A key that signs passes, with its number.
    struct Signer {
        let number: UInt16
        let meeting: MeetingID
        private let key: Ed25519Key

        /// Opens a stored key. Returns nil if another secret of a server has sealed it.
        init?(_ stored: PassKey, keys: Keys) {
            guard
                let key = Ed25519Key(
                    sealed: stored.secret, for: stored.meeting.bytes, publicKey: stored.publicKey,
                    with: keys.passKeys),
                let number = UInt16(exactly: stored.number)
            else { return nil }
            (self.number, meeting, self.key) = (number, stored.meeting, key)
        }

        /// Returns the text of a pass.
        func text(of pass: PassID) -> String {
            Crockford.encode(
                PassPayload(key: number, meeting: meeting, pass: pass, signedBy: key.signature).bytes)
        }
    }

    /// Makes the first or next key of a meeting.
    /// - Parameter replaced: the number of the newest key, if its secret cannot be opened any more.
    static func newKey(of meeting: MeetingID, keys: Keys, replacing replaced: Int? = nil)
        -> NewSigningKey
    {
        let key = Ed25519Key()
        return NewSigningKey(
            publicKey: key.publicKey, secret: key.sealed(for: meeting.bytes, with: keys.passKeys),
            replacing: replaced)
    }

    /// Reads the payload of a scanned text: the address of a pass, or its last part alone. Returns nil if
    /// the text is something else. `isGenuine` decides whether the server has issued the pass.
    static func payload(in scanned: String) -> PassPayload? {
        guard scanned.utf8.count <= mostCharacters else { return nil }
        return Crockford.decode(scanned, after: "p").flatMap { PassPayload(bytes: $0) }
    }

    /// Whether the owner of this key has signed the payload.
    static func isGenuine(_ payload: PassPayload, by key: PassKey) -> Bool {
        Int(payload.key) == key.number && payload.meeting == key.meeting
            && Ed25519Key.verifies(payload.signature, of: payload.message, by: key.publicKey)
    }
}
