package import Meetings
package import Phrases
package import Wire

/// The saved settings of the command line, which are in `$XDG_CONFIG_HOME/qring/config.json`.
package struct SavedSettings: Codable, Hashable, Sendable {
    /// The server that commands use if neither `--server` nor `QRING_SERVER` is set.
    package var server: ServerAddress?
    package var language: Language?
    /// The name of the user's theme. The command line ignores a name that it does not know.
    package var theme: String?
    /// The command line of the user's pager; empty for none.
    package var pager: String?
    /// Whether the dashboard asks before a key changes all phones; nil for the default.
    package var confirm: Bool?
    /// The user's short names of command lines.
    package var aliases: [String: String] = [:]
    package var servers: [SavedServer]
    /// The names that the user gave to servers.
    private var named: [SavedContext]

    package init() {
        servers = []
        named = []
    }

    private enum CodingKeys: String, CodingKey {
        case server, language, theme, pager, confirm, aliases, servers
        case named = "contexts"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        server = try container.decodeIfPresent(ServerAddress.self, forKey: .server)
        language = try container.decodeIfPresent(Language.self, forKey: .language)
        theme = try container.decodeIfPresent(String.self, forKey: .theme)
        pager = try container.decodeIfPresent(String.self, forKey: .pager)
        confirm = try container.decodeIfPresent(Bool.self, forKey: .confirm)
        aliases = try container.decodeIfPresent([String: String].self, forKey: .aliases) ?? [:]
        servers = try container.decodeIfPresent([SavedServer].self, forKey: .servers) ?? []
        named = try container.decodeIfPresent([SavedContext].self, forKey: .named) ?? []
    }

    /// The saved entry of a server, or an empty entry if none is saved. Setting an entry adds or replaces it.
    /// Setting an empty entry removes it.
    package subscript(_ address: ServerAddress) -> SavedServer {
        get { servers.first { $0.url == address } ?? SavedServer(url: address) }
        set {
            servers.removeAll { $0.url == address }
            if !newValue.isEmpty { servers.append(newValue) }
        }
    }
}

// MARK: Contexts

/// A server with the name by which commands choose it.
package struct SavedContext: Codable, Hashable, Sendable {
    package var name: String
    package let server: ServerAddress
}

extension SavedSettings {
    /// The named servers, and then the servers with a sign-in. A server without a name has its host as name,
    /// with the port if it is not the usual one.
    package var contexts: [SavedContext] {
        let others = servers.filter { saved in
            !saved.signIns.isEmpty && !named.contains { $0.server == saved.url }
        }
        return named + others.map { SavedContext(name: $0.url.authority, server: $0.url) }
    }

    package func context(_ name: String) -> SavedContext? {
        contexts.first { $0.name.lowercased() == name.lowercased() }
    }

    /// Gives the server a name. An earlier name of the server is replaced.
    /// - Returns: whether the name was free; otherwise nothing changes.
    package mutating func name(_ server: ServerAddress, _ name: String) -> Bool {
        guard context(name).map({ $0.server == server }) ?? true else { return false }
        if let index = named.firstIndex(where: { $0.server == server }) {
            named[index].name = name
        } else {
            named.append(SavedContext(name: name, server: server))
        }
        return true
    }

    /// Deletes the server's name and its sign-ins from this machine. Its receipts stay, because nobody else
    /// has them.
    package mutating func remove(_ context: SavedContext) {
        named.removeAll { $0.server == context.server }
        self[context.server].forgetSignIns()
        if server == context.server { server = nil }
    }
}

/// The sign-ins and receipts for one server.
package struct SavedServer: Codable, Hashable, Sendable {
    package let url: ServerAddress
    /// The e-mail address of the sign-in that commands use.
    package var current: String?
    package var signIns: [SavedSignIn]
    /// The receipts of check-ins, the newest last.
    package var receipts: [SavedReceipt]
    /// The handles of requested codes, the newest last; nil if none is saved.
    private var handles: [SavedHandle]?
    /// The marks of earlier sign-ins, the newest last. A log-out deletes none.
    private var marks: [SavedMark]?

    /// The most receipts that are saved for one server.
    static let mostReceipts = 50
    /// The most marks that are saved for one server.
    static let mostMarks = 20

    package init(url: ServerAddress) {
        self.url = url
        signIns = []
        receipts = []
    }

    var isEmpty: Bool {
        signIns.isEmpty && receipts.isEmpty && (handles ?? []).isEmpty && (marks ?? []).isEmpty
    }

    /// Returns the sign-in of an e-mail address, or the current one; nil if there is none.
    package func signIn(email: String? = nil) -> SavedSignIn? {
        let wanted = email ?? current
        guard let key = wanted.map({ IdentityKey($0) }) else { return nil }
        return signIns.first { IdentityKey($0.email) == key }
    }

    /// Saves a sign-in, and makes it the current sign-in.
    package mutating func save(_ signIn: SavedSignIn) {
        signIns.removeAll { IdentityKey($0.email) == IdentityKey(signIn.email) }
        signIns.append(signIn)
        current = signIn.email
    }

    /// Returns the mark of the last sign-in with this e-mail address.
    package func mark(email: String) -> String? {
        marks?.last { IdentityKey($0.email) == IdentityKey(email) }?.mark
    }

    /// Saves a mark as the newest, and deletes the oldest beyond `mostMarks`.
    package mutating func save(mark: String, email: String) {
        let others = (marks ?? []).filter { IdentityKey($0.email) != IdentityKey(email) }
        marks = others.suffix(Self.mostMarks - 1) + [SavedMark(email: email, mark: mark)]
    }

    mutating func forgetSignIns() {
        signIns = []
        marks = nil
        current = nil
    }

    /// Replaces the tokens of a saved sign-in. The current sign-in does not change.
    package mutating func replace(_ signIn: SavedSignIn) {
        guard let index = signIns.firstIndex(where: { $0.email == signIn.email }) else { return }
        signIns[index] = signIn
    }

    /// Deletes the sign-in of an e-mail address. If it was the current sign-in, the newest remaining sign-in
    /// becomes the current one.
    package mutating func forget(email: String) {
        signIns.removeAll { IdentityKey($0.email) == IdentityKey(email) }
        if let current, IdentityKey(current) == IdentityKey(email) { self.current = signIns.last?.email }
    }

    /// Saves a receipt as the newest, and deletes the oldest beyond `mostReceipts`.
    package mutating func save(_ receipt: SavedReceipt) {
        receipts.removeAll { $0.receipt == receipt.receipt }
        receipts.append(receipt)
        if receipts.count > Self.mostReceipts { receipts.removeFirst(receipts.count - Self.mostReceipts) }
    }
}

extension SavedServer {
    /// The most handles that are saved for one server: those of a day for an address.
    private static let mostHandles = 10

    /// Saves the handle of a requested code, so that a later command can show it.
    package mutating func save(_ handle: SavedHandle) {
        let fresh = (handles ?? []).filter { !$0.isOld(at: handle.savedAt) }
        handles = Array((fresh + [handle]).suffix(Self.mostHandles))
    }

    /// Returns the handles of an address that may still be valid, the newest first.
    package func handles(for address: String, purpose: String, at now: Instant) -> [String] {
        (handles ?? []).reversed().filter {
            $0.purpose == purpose && IdentityKey($0.address) == IdentityKey(address) && !$0.isOld(at: now)
        }.map(\.handle)
    }
}

/// The handle of a code that a command requested, between the two runs of the command. It is no secret of the
/// account: without the code, it gives nothing.
package struct SavedHandle: Codable, Hashable, Sendable {
    package let address: String
    /// The command that requested the code.
    package let purpose: String
    package let handle: String
    package let savedAt: Instant

    package init(address: String, purpose: String, handle: String, savedAt: Instant) {
        self.address = address
        self.purpose = purpose
        self.handle = handle
        self.savedAt = savedAt
    }

    fileprivate func isOld(at now: Instant) -> Bool { now >= savedAt + AccountCode.lifetime }
}

/// The server's mark of an earlier sign-in. Its `description` does not contain it.
package struct SavedMark: Codable, Hashable, Sendable, CustomStringConvertible {
    package let email: String
    package let mark: String

    package var description: String { "mark of \(email)" }
}

/// The pair of tokens of one sign-in. Its `description` contains no token.
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

/// The receipt of an attendee who checked in on this machine.
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
