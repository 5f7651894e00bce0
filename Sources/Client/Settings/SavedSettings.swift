package import Meetings
package import Phrases
package import Wire

/// What the command line remembers: `$XDG_CONFIG_HOME/qring/config.json`.
package struct SavedSettings: Codable, Hashable, Sendable {
    /// Where commands go without `--server` and `QRING_SERVER`.
    package var server: ServerAddress?
    package var language: Language?
    package var servers: [SavedServer]

    package init() { servers = [] }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        server = try container.decodeIfPresent(ServerAddress.self, forKey: .server)
        language = try container.decodeIfPresent(Language.self, forKey: .language)
        servers = try container.decodeIfPresent([SavedServer].self, forKey: .servers) ?? []
    }

    /// An entry that is changed is made where there was none; an empty one is taken away.
    package subscript(_ address: ServerAddress) -> SavedServer {
        get { servers.first { $0.url == address } ?? SavedServer(url: address) }
        set {
            servers.removeAll { $0.url == address }
            if !newValue.isEmpty { servers.append(newValue) }
        }
    }
}

package struct SavedServer: Codable, Hashable, Sendable {
    package let url: ServerAddress
    /// The e-mail address of the sign-in that commands use.
    package var current: String?
    package var signIns: [SavedSignIn]
    /// Newest last.
    package var receipts: [SavedReceipt]

    static let mostReceipts = 50

    package init(url: ServerAddress) {
        self.url = url
        signIns = []
        receipts = []
    }

    var isEmpty: Bool { signIns.isEmpty && receipts.isEmpty }

    package func signIn(email: String? = nil) -> SavedSignIn? {
        let wanted = email ?? current
        guard let key = wanted.map({ IdentityKey($0) }) else { return nil }
        return signIns.first { IdentityKey($0.email) == key }
    }

    /// Becomes the current one.
    package mutating func save(_ signIn: SavedSignIn) {
        signIns.removeAll { IdentityKey($0.email) == IdentityKey(signIn.email) }
        signIns.append(signIn)
        current = signIn.email
    }

    /// New tokens for a sign-in that is there; which one is current stays.
    package mutating func replace(_ signIn: SavedSignIn) {
        guard let index = signIns.firstIndex(where: { $0.email == signIn.email }) else { return }
        signIns[index] = signIn
    }

    /// The newest of those that are left becomes the current one.
    package mutating func forget(email: String) {
        signIns.removeAll { IdentityKey($0.email) == IdentityKey(email) }
        if let current, IdentityKey(current) == IdentityKey(email) { self.current = signIns.last?.email }
    }

    package mutating func save(_ receipt: SavedReceipt) {
        receipts.removeAll { $0.receipt == receipt.receipt }
        receipts.append(receipt)
        if receipts.count > Self.mostReceipts { receipts.removeFirst(receipts.count - Self.mostReceipts) }
    }
}

package struct SavedSignIn: Codable, Hashable, Sendable, CustomStringConvertible {
    package let email: String
    package let accessToken: String
    package let expiresAt: Instant
    package let refreshToken: String

    package init(email: String, _ token: TokenBody) {
        self.email = email
        accessToken = token.accessToken
        expiresAt = token.expiresAt
        refreshToken = token.refreshToken
    }

    func renewed(by token: TokenBody) -> SavedSignIn { SavedSignIn(email: email, token) }

    package var description: String { "sign-in of \(email)" }
}

/// What an attendee on this machine holds after check-in.
package struct SavedReceipt: Codable, Hashable, Sendable, CustomStringConvertible {
    package let sessionId: SessionID
    package let meetingName: String
    package let name: String
    package let receipt: String
    package let savedAt: Instant

    package init(sessionId: SessionID, meetingName: String, name: String, receipt: String, savedAt: Instant) {
        self.sessionId = sessionId
        self.meetingName = meetingName
        self.name = name
        self.receipt = receipt
        self.savedAt = savedAt
    }

    package var description: String { "receipt of \(name) for \(sessionId)" }
}
