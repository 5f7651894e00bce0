import CPostgres
import Journal
import Meetings

/// The types of parameters and columns, as the server numbers them (pg_type.dat, which never changes a
/// number).
enum ServerType {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
    static let uuid: Oid = 2950
}

/// The actors of events that are no accounts. No account has these ids: the first bits of an account's id are
/// a moment.
extension AccountID {
    static var ofAttendee: AccountID { AccountID(high: 0, low: 0) }
    static var ofServer: AccountID { AccountID(high: 0, low: 1) }
}

/// The values of the parameters of one statement, in the binary format.
struct ParameterValues: Hashable {
    private(set) var types: [Oid] = []
    private var bytes: [UInt8] = []
    /// The range of each value in `bytes`; nil for a null.
    private var ranges: [Range<Int>?] = []

    mutating func removeAll() {
        types.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        ranges.removeAll(keepingCapacity: true)
    }

    mutating func append(_ value: some Collection<UInt8>, as type: Oid) {
        types.append(type)
        let start = bytes.count
        bytes.append(contentsOf: value)
        ranges.append(start..<bytes.count)
    }

    mutating func append(_ value: some FixedWidthInteger, as type: Oid) {
        types.append(type)
        let start = bytes.count
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        ranges.append(start..<bytes.count)
    }

    mutating func append(_ id: (high: UInt64, low: UInt64)) {
        types.append(ServerType.uuid)
        let start = bytes.count
        withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { bytes.append(contentsOf: $0) }
        ranges.append(start..<bytes.count)
    }

    mutating func appendNull(_ type: Oid) {
        types.append(type)
        ranges.append(nil)
    }

    /// Passes the values to `body` as libpq takes them. An empty value needs a pointer that is not null,
    /// because a null pointer is a null.
    func withValues<Result>(
        _ body: (_ values: [UnsafePointer<CChar>?], _ lengths: [Int32]) -> Result
    ) -> Result {
        (bytes + [0]).withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { buffer in
                body(
                    ranges.map { range in range.flatMap { buffer.baseAddress! + $0.lowerBound } },
                    ranges.map { Int32(clamping: $0?.count ?? 0) })
            }
        }
    }
}
