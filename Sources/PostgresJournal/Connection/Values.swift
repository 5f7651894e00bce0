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

/// A row of a result. Columns count from 0. All values are in the binary format. Every function but
/// `withBytes` copies the value that it reads.
struct Row {
    let result: OpaquePointer
    let number: Int32

    func isNull(_ column: Int32) -> Bool { PQgetisnull(result, number, column) == 1 }

    /// Passes the bytes of a value to `body`, without a copy. A null has no bytes.
    func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(
            UnsafeRawBufferPointer(
                start: PQgetvalue(result, number, column), count: Int(PQgetlength(result, number, column))))
    }

    /// Reads a whole number or a truth value. Returns 0 for a null.
    func int64(_ column: Int32) -> Int64 {
        if isNull(column) { return 0 }
        let type = PQftype(result, column)
        return withBytes(column) { bytes in
            switch type {
            case ServerType.int8:
                Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
            case ServerType.int4:
                Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
            case ServerType.int2:
                Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
            case ServerType.bool: Int64(bytes[0])
            default: preconditionFailure("a number of the type \(type)")
            }
        }
    }

    func text(_ column: Int32) -> String { withBytes(column) { String(decoding: $0, as: UTF8.self) } }
    func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { [UInt8]($0) } }

    /// Reads an id. Returns nil if the column holds a null.
    func idIfAny<Of>(_ column: Int32) -> ID<Of>? {
        withBytes(column) { bytes in
            guard bytes.count == 16 else { return nil }
            return ID(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }

    func actor(_ column: Int32) throws(JournalError) -> Event.Actor {
        switch try id(column) as AccountID {
        case .ofAttendee: .attendee
        case .ofServer: .server
        case let id: .account(id)
        }
    }

    /// Returns an error that names the column, but never the column's value.
    func damaged(_ what: String, _ column: Int32) -> JournalError {
        let name = PQfname(result, column).map { String(cString: $0) } ?? "\(column)"
        return .failed(StorageFailure(.damaged, operation: "read \(name)", detail: what))
    }
}

/// The actors of events that are no accounts. No account has these ids: the first bits of an account's id are
/// a moment.
extension AccountID {
    fileprivate static var ofAttendee: AccountID { AccountID(high: 0, low: 0) }
    fileprivate static var ofServer: AccountID { AccountID(high: 0, low: 1) }
}

/// The values of the parameters of one statement, in the binary format.
struct Parameters: Hashable {
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

/// A value that can be a parameter of a statement. Each type has one type on the server, so that a statement
/// is prepared once.
protocol Bindable {
    static var type: Oid { get }
    func bind(to parameters: inout Parameters)
}

extension Int64: Bindable {
    static var type: Oid { ServerType.int8 }
    func bind(to parameters: inout Parameters) { parameters.append(self, as: Self.type) }
}

extension Int: Bindable {
    static var type: Oid { ServerType.int8 }
    func bind(to parameters: inout Parameters) { parameters.append(Int64(self), as: Self.type) }
}

/// Columns store truth values as 0 and 1.
extension Bool: Bindable {
    static var type: Oid { ServerType.int8 }
    func bind(to parameters: inout Parameters) { parameters.append(Int64(self ? 1 : 0), as: Self.type) }
}

extension String: Bindable {
    static var type: Oid { ServerType.text }
    func bind(to parameters: inout Parameters) { parameters.append(utf8, as: Self.type) }
}

extension [UInt8]: Bindable {
    static var type: Oid { ServerType.bytea }
    func bind(to parameters: inout Parameters) { parameters.append(self, as: Self.type) }
}

extension ID: Bindable {
    static var type: Oid { ServerType.uuid }
    func bind(to parameters: inout Parameters) { parameters.append((high, low)) }
}

/// Binds a moment as milliseconds since 1970.
extension Instant: Bindable {
    static var type: Oid { ServerType.int8 }
    func bind(to parameters: inout Parameters) { parameters.append(milliseconds, as: Self.type) }
}

extension IdentityKey: Bindable {
    static var type: Oid { ServerType.text }
    func bind(to parameters: inout Parameters) { text.bind(to: &parameters) }
}

extension Optional: Bindable where Wrapped: Bindable {
    static var type: Oid { Wrapped.type }
    func bind(to parameters: inout Parameters) {
        if let self { self.bind(to: &parameters) } else { parameters.appendNull(Self.type) }
    }
}

extension Event.Actor: Bindable {
    static var type: Oid { ServerType.uuid }
    func bind(to parameters: inout Parameters) {
        switch self {
        case .attendee: AccountID.ofAttendee.bind(to: &parameters)
        case .server: AccountID.ofServer.bind(to: &parameters)
        case .account(let id): id.bind(to: &parameters)
        }
    }
}
