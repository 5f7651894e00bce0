import Meetings
import Secrets

/// The server's keys. Each purpose has its own key, so that a signature for one purpose is never valid for
/// another.
struct Keys: Sendable {
    let checkInCode: MACKey
    let meetingCode: MACKey
    let joinCode: MACKey
    let grant: MACKey
    let receipt: MACKey
    let invitation: MACKey
    let idempotencyKey: MACKey
    let storedResponse: MACKey
    let membership: MACKey
    let device: MACKey
    let image: MACKey
    let renewal: MACKey
    let textPlace: MACKey

    init(_ secret: ServerSecret) {
        checkInCode = .derive(from: secret, purpose: MACPurpose("checkin"))
        meetingCode = .derive(from: secret, purpose: MACPurpose("meeting"))
        joinCode = .derive(from: secret, purpose: MACPurpose("joincode"))
        grant = .derive(from: secret, purpose: MACPurpose("grant"))
        receipt = .derive(from: secret, purpose: MACPurpose("receipt"))
        invitation = .derive(from: secret, purpose: MACPurpose("invite"))
        idempotencyKey = .derive(from: secret, purpose: MACPurpose("idemkey"))
        storedResponse = .derive(from: secret, purpose: MACPurpose("kept"))
        membership = .derive(from: secret, purpose: MACPurpose("member"))
        device = .derive(from: secret, purpose: MACPurpose("device"))
        image = .derive(from: secret, purpose: MACPurpose("image"))
        renewal = .derive(from: secret, purpose: MACPurpose("renewal"))
        textPlace = .derive(from: secret, purpose: MACPurpose("text"))
    }
}

/// The bytes that a MAC covers. All fields have a fixed width, so that two different records never give the
/// same bytes.
struct SignedBytes {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// Starts with the fields that the MAC of every code covers. A host renews a code by raising
    /// `codeVersion`.
    init<Of>(_ id: ID<Of>, codeVersion: Int) {
        put(id)
        put(UInt32(truncatingIfNeeded: codeVersion))
    }

    mutating func put<Of>(_ id: ID<Of>) { bytes += id.bytes }
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
