import HTTPServer
import Journal
import Meetings
import Secrets

/// The `Idempotency-Key` of a request, bound to its caller and to the request's content. If two accounts send
/// the same text, the keys differ. If the caller is unknown, the key belongs to the route. The client must
/// then choose a key that nobody can guess, for example 128 random bits.
struct IdempotencyKey: Sendable {
    static let header = "Idempotency-Key"
    static let longest = 200

    let retryKey: RetryKey
    private let text: String
    private let keys: Keys

    /// Reads the key. Returns nil if the client sent no key, or if the route ignores keys.
    /// - Throws: `Refusal.invalid` if the key is malformed.
    init?(of context: RequestContext, on route: Route) throws {
        let headers = context.request.headers
        guard let text = headers.first(Self.header) else { return nil }
        guard (1...Self.longest).contains(text.utf8.count) else {
            throw Refusal.invalid([FieldError(Self.header, .length(min: 1, max: Self.longest))])
        }
        guard text.utf8.allSatisfy({ (33...126).contains($0) }) else {
            throw Refusal.invalid([FieldError(Self.header, .notText)])
        }
        guard headers.count(of: Self.header) == 1 else {
            throw Refusal.invalid([FieldError(Self.header, .repeated)])
        }
        guard route.storesAnswer else { return nil }
        self.text = text
        keys = context.services.keys
        let caller: Caller =
            if let token = context.caller.token {
                .account(token.accountID)
            } else if let receipt = context.caller.receipt {
                .attendee(receipt.attendeeID)
            } else if let link = context.caller.link {
                .link(link.id)
            } else {
                .nobody(route.pattern)
            }
        retryKey = RetryKey(
            id: Self.id(text, caller, keys), fingerprint: Self.fingerprint(of: context.request, keys))
    }

    private init(_ other: IdempotencyKey, id: [UInt8]) {
        (text, keys) = (other.text, other.keys)
        retryKey = RetryKey(id: id, fingerprint: other.retryKey.fingerprint)
    }

    /// Returns the same key for the holder of a grant. A client that has only a grant has no account and no
    /// receipt yet.
    func of(_ grant: Grant) -> IdempotencyKey {
        IdempotencyKey(self, id: Self.id(text, .grant(grant.id), keys))
    }

    /// The key that encrypts a stored response. Nobody can read the response without the client's key, even
    /// with the database and the server's secret.
    var sealingKey: [UInt8] { keys.storedResponse.mac(retryKey.id + Array(text.utf8)) }

    private enum Caller {
        case nobody(String)
        case account(AccountID)
        case attendee(AttendeeID)
        case link(PresenterLinkID)
        case grant([UInt8])
    }

    private static func id(_ text: String, _ caller: Caller, _ keys: Keys) -> [UInt8] {
        var message = SignedBytes()
        switch caller {
        case .nobody(let pattern): message.put(0 as UInt8, Array(pattern.utf8))
        case .account(let id): message.put(1 as UInt8, id.bytes)
        case .attendee(let id): message.put(2 as UInt8, id.bytes)
        case .grant(let id): message.put(3 as UInt8, id)
        case .link(let id): message.put(6 as UInt8, id.bytes)
        }
        message.put(Array(text.utf8))
        return keys.idempotencyKey.mac(message.bytes, length: 16)
    }

    /// Returns a keyed hash of the request. The hash has a key because a body may contain values that can be
    /// guessed.
    private static func fingerprint(of request: HTTPRequest, _ keys: Keys) -> [UInt8] {
        var message = SignedBytes()
        message.put(4 as UInt8, Array(request.path.utf8))
        message.put(5 as UInt8, Array(request.rawQuery.utf8))
        message.put(request.body)
        return keys.idempotencyKey.mac(message.bytes, length: 16)
    }
}

extension SignedBytes {
    /// Appends a field after its kind and its length, so that two different messages never give the same
    /// bytes.
    fileprivate mutating func put(_ kind: UInt8, _ raw: [UInt8]) {
        put(kind)
        put(UInt32(clamping: raw.count))
        put(raw)
    }
}

/// The effect of an `Idempotency-Key` on a POST of the API.
enum KeyRule: Sendable, Hashable {
    /// The answer is stored for a day and sent again if the client repeats the request.
    case stored
    /// The server checks that the key is well formed, and otherwise ignores it.
    case ignored(Reason)

    enum Reason: Sendable, Hashable {
        /// The request contains a password, or the answer contains a token; neither may be stored.
        case secret
        /// Repeating the request changes nothing, so the answer need not be stored.
        case changesNothing
    }
}

extension Route {
    /// Whether the route accepts a key at all.
    var mayHaveKey: Bool { method == .post && pattern.hasPrefix("/api/v1/") }
    /// Whether the key has an effect.
    var storesAnswer: Bool { mayHaveKey && keys == .stored }
}
