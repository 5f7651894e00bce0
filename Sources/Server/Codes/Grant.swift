import Meetings
import Secrets

/// A signed permission to check in one person to one session. The client receives it when it sends a scanned
/// or typed code. The exchange happens at once, so that the code never expires while an attendee types. Only
/// the client stores the grant.
struct Grant: Hashable, Sendable {
    static let prefix = "qgr_"
    private static let length = 16 + 10 + 8 + 1 + 2 + 8
    /// The length of grants from before grants had a revocation.
    private static let olderLength = length - 8
    private static let macLength = 16
    private static let noAge = Int(UInt16.max)
    private static let neverRevoked = Int64.min

    let sessionID: SessionID
    /// Random bytes. A unique index allows one attendee per grant. Empty if no client receives the grant.
    let id: [UInt8]
    /// The time at which the code was exchanged. This time decides whether the attendee is late.
    let moment: Instant
    let method: CheckInMethod
    /// The age of the code when it was exchanged, in whole seconds. The server stores it as evidence. Nil if
    /// codes do not rotate.
    let codeAge: Int?
    /// The last renewal of all codes when the code was exchanged (`Meeting.codesRevokedAt`).
    let revocation: Instant?

    /// - Parameter isForClient: whether a client receives the grant. Random bytes take a system call.
    init(
        for record: SessionRecord, at moment: Instant, method: CheckInMethod, codeAge: Duration? = nil,
        isForClient: Bool = true
    ) {
        (sessionID, revocation) = (record.session.id, record.meeting.codesRevokedAt)
        id = isForClient ? Secrets.randomBytes(10) : []
        self.moment = moment
        self.method = method
        self.codeAge = codeAge.map { Int($0.components.seconds) }
    }

    func text(keys: Keys) -> String {
        var signed = signed
        signed.put(keys.grant.mac(signed.bytes, length: Self.macLength))
        return Crockford.encode(signed.bytes, after: Self.prefix)
    }

    private var signed: SignedBytes {
        var signed = SignedBytes()
        signed.put(sessionID)
        signed.put(id)
        signed.put(moment.milliseconds)
        signed.put(UInt8(CheckInMethod.allCases.firstIndex(of: method) ?? 0))
        signed.put(UInt16(clamping: codeAge ?? Self.noAge))
        signed.put(revocation?.milliseconds ?? Self.neverRevoked)
        return signed
    }

    /// Reads a grant. Returns nil if this server did not sign `text`.
    init?(_ text: String, keys: Keys) {
        guard text.hasPrefix(Self.prefix), text.utf8.count < 200,
            let bytes = Crockford.decode(text.dropFirst(Self.prefix.count)),
            [Self.length, Self.olderLength].contains(bytes.count - Self.macLength),
            keys.grant.verifies(
                Array(bytes.suffix(Self.macLength)), of: Array(bytes.dropLast(Self.macLength)))
        else { return nil }
        var reader = SignedReader(bytes.dropLast(Self.macLength))
        guard let session = SessionID(bytes: reader.take(16)) else { return nil }
        sessionID = session
        id = Array(reader.take(10))
        moment = Instant(milliseconds: reader.integer(Int64.self))
        let index = Int(reader.integer(UInt8.self))
        method = CheckInMethod.allCases.indices.contains(index) ? CheckInMethod.allCases[index] : .qr
        let age = Int(reader.integer(UInt16.self))
        codeAge = age == Self.noAge ? nil : age
        let revoked = reader.rest.isEmpty ? Self.neverRevoked : reader.integer(Int64.self)
        revocation = revoked == Self.neverRevoked ? nil : Instant(milliseconds: revoked)
    }
}

/// The text of a receipt: the attendee's id, the arrival, and a MAC over both. The server can compute a
/// receipt again, so it stores none.
extension Receipt {
    static let prefix = "qrc_"
    private static let macLength = 16

    func text(keys: Keys) -> String {
        var signed = SignedBytes()
        signed.put(attendeeID)
        signed.put(UInt32(clamping: arrival))
        signed.put(keys.receipt.mac(signed.bytes, length: Self.macLength))
        return Crockford.encode(signed.bytes, after: Self.prefix)
    }

    /// Reads a receipt. Receipts of older servers have no arrival. Returns nil if this server did not sign
    /// `text`.
    init?(_ text: String, keys: Keys) {
        guard text.hasPrefix(Self.prefix), text.utf8.count < 100,
            let bytes = Crockford.decode(text.dropFirst(Self.prefix.count)),
            [16, 20].contains(bytes.count - Self.macLength),
            keys.receipt.verifies(
                Array(bytes.suffix(Self.macLength)), of: Array(bytes.dropLast(Self.macLength)))
        else { return nil }
        var reader = SignedReader(bytes.dropLast(Self.macLength))
        guard let id = AttendeeID(bytes: reader.take(16)) else { return nil }
        self.init(for: id, arrival: reader.rest.isEmpty ? 0 : Int64(reader.integer(UInt32.self)))
    }
}

/// The tokens that the server stores as hashes. The prefix tells the kind of token, and lets secret scanners
/// find leaked tokens.
enum BearerToken {
    static let access = "qat_"
    static let refresh = "qrt_"
    static let presenter = "qpl_"
    static let kiosk = "qkl_"
    static let satellite = "qod_"

    /// Returns the hash of a token with this prefix; nil if `text` is not such a token.
    static func hash(_ text: String, prefix: String) -> [UInt8]? { token(text, prefix: prefix)?.storedHash }

    static func token(_ text: String, prefix: String) -> RandomToken? {
        text.hasPrefix(prefix) ? RandomToken(text: String(text.dropFirst(prefix.count))) : nil
    }
}
