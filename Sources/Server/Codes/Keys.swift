import Meetings
import Secrets

/// The server's keys. Each purpose has its own key, so that a signature for one purpose is never valid for
/// another. They are one object, because a copy of them is a kilobyte.
final class Keys: Sendable {
    let checkInCode: SigningKey
    let meetingCode: SigningKey
    let joinCode: MACKey
    let grant: SigningKey
    let receipt: SigningKey
    let invitation: SigningKey
    let idempotencyKey: MACKey
    let storedResponse: MACKey
    let membership: SigningKey
    let device: MACKey
    let knownBrowser: SigningKey
    let image: MACKey
    let renewal: MACKey
    let textPlace: MACKey
    let accountCode: MACKey
    let unsubscribe: MACKey
    /// The key that seals the secrets of web hooks. A rotation does not change it, because they are stored.
    let webhookSecrets: [UInt8]
    /// The key that seals the keys of passes. A rotation does not change it, because passes are printed.
    let passKeys: [UInt8]
    /// The key that seals the keys of certificates. A rotation does not change it, because they are stored.
    let certificateKeys: [UInt8]
    let ticket: MACKey
    let attempts: MACKey
    let signInMark: SigningKey

    /// The end of the signatures that an earlier secret made; nil if there is no earlier secret.
    let graceEndsAt: Instant?
    private let secret: ServerSecret
    private let lasting: LastingKeys

    /// - Parameters:
    ///   - previous: the secret before the last rotation. Its signatures are valid until its end.
    ///   - lasting: the keys that rotations have left unchanged; nil if they are those of `secret`.
    ///   - clock: decides whether that end has come.
    init(
        _ secret: ServerSecret, previous: ServerSecret.Previous? = nil, lasting: LastingKeys? = nil,
        clock: any ServerClock = SystemClock()
    ) {
        let lasting = lasting ?? LastingKeys(from: secret)
        let graceEndsAt = previous.map { Instant(milliseconds: $0.endsAt) }
        func key(_ purpose: MACPurpose) -> SigningKey {
            SigningKey(
                current: .derive(from: secret, purpose: purpose),
                previous: previous.map { .derive(from: $0.secret, purpose: purpose) },
                isInGrace: { graceEndsAt.map { clock.now < $0 } ?? false })
        }
        self.graceEndsAt = graceEndsAt
        (self.secret, self.lasting) = (secret, lasting)
        checkInCode = key(MACPurpose("checkin"))
        meetingCode = key(MACPurpose("meeting"))
        joinCode = .derive(from: secret, purpose: MACPurpose("joincode"))
        grant = key(MACPurpose("grant"))
        receipt = key(MACPurpose("receipt"))
        invitation = key(MACPurpose("invite"))
        idempotencyKey = .derive(from: secret, purpose: MACPurpose("idemkey"))
        storedResponse = .derive(from: secret, purpose: MACPurpose("kept"))
        membership = key(MACPurpose("member"))
        device = lasting.device
        knownBrowser = key(MACPurpose("known"))
        image = .derive(from: secret, purpose: MACPurpose("image"))
        renewal = .derive(from: secret, purpose: MACPurpose("renewal"))
        textPlace = .derive(from: secret, purpose: MACPurpose("text"))
        accountCode = .derive(from: secret, purpose: MACPurpose("acctcode"))
        unsubscribe = lasting.unsubscribe
        // Links to unsubscribe have another length, so their signatures reveal nothing of this key.
        webhookSecrets = lasting.unsubscribe.mac(Array("secrets of web hooks".utf8))
        passKeys = lasting.unsubscribe.mac(Array("keys of passes".utf8))
        certificateKeys = lasting.unsubscribe.mac(Array("keys of certificates".utf8))
        ticket = .derive(from: secret, purpose: MACPurpose("ticket"))
        attempts = .derive(from: secret, purpose: MACPurpose("attempts"))
        signInMark = key(MACPurpose("signmark"))
    }
}

extension Keys {
    /// Reads the secrets of a data folder. Creates the secret if there is none.
    /// - Throws: as `ServerSecret.loadOrCreate`.
    convenience init(folder: String, clock: any ServerClock = SystemClock()) throws(SecretsError) {
        let path = "\(folder)/secret"
        let secret = try ServerSecret.loadOrCreate(at: path)
        self.init(
            secret, previous: try ServerSecret.loadPrevious(besides: path),
            lasting: try ServerSecret.loadLasting(besides: path), clock: clock)
    }

    /// The same keys without the previous secret, to find out which secret has signed something.
    var withoutPrevious: Keys { Keys(secret, lasting: lasting) }
}

/// A key that signs, with the key before a rotation, whose signatures are valid until the grace period ends.
struct SigningKey: Sendable {
    fileprivate let current: MACKey
    fileprivate let previous: MACKey?
    fileprivate let isInGrace: @Sendable () -> Bool

    fileprivate init(current: MACKey, previous: MACKey?, isInGrace: @escaping @Sendable () -> Bool) {
        (self.current, self.previous, self.isInGrace) = (current, previous, isInGrace)
    }

    /// Returns the first `length` bytes of the MAC, by the current key.
    func mac(_ message: [UInt8], length: Int) -> [UInt8] { current.mac(message, length: length) }

    /// Whether one of the two keys has made the MAC, and its signatures are still valid.
    func verifies(_ mac: [UInt8], of message: [UInt8]) -> Bool {
        if current.verifies(mac, of: message) { return true }
        guard let previous, isInGrace() else { return false }
        return previous.verifies(mac, of: message)
    }
}

/// The bytes that a MAC covers. All fields have a fixed width, so that two different records never give the
/// same bytes.
struct SignedBytes {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(64) }

    /// Starts with the fields that the MAC of every code covers. A host renews a code by raising
    /// `codeVersion`.
    init<Of>(_ id: ID<Of>, codeVersion: Int) {
        self.init()
        put(id)
        put(UInt32(truncatingIfNeeded: codeVersion))
    }

    mutating func put<Of>(_ id: ID<Of>) {
        put(id.high)
        put(id.low)
    }

    mutating func put(_ raw: [UInt8]) { bytes += raw }

    mutating func put(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
}

struct SignedReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(bytes) }

    /// Removes and returns the next `count` bytes. Traps if fewer bytes remain, so callers check the length
    /// first.
    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value {
        take(Value.bitWidth / 8).reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }
}
