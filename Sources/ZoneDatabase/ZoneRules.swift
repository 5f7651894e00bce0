internal import Glibc
internal import Synchronization

/// The local time of a zone from one moment on.
package struct LocalTime: Hashable, Sendable {
    /// In seconds east of Greenwich.
    package let offset: Int
    package let isDaylight: Bool
    /// The abbreviation of the zone, such as `CEST`.
    package let abbreviation: String
}

/// The clock changes of one zone of this machine's zone database, as its file states them (RFC 8536).
///
/// The C library reads only one zone at a time, and that zone is a setting of the whole process. GLib ignores
/// the rule for later years. ICU is larger than this program.
package final class ZoneRules: Sendable {
    /// Each change, in ascending order: the first second at which its type applies.
    private let changes: [(at: Int64, type: Int)]
    private let types: [LocalTime]
    /// The rule for the moments after the last change.
    private let later: YearlyRule?

    /// Coordinated universal time, which needs no file.
    package static let utc = ZoneRules(
        changes: [], types: [LocalTime(offset: 0, isDaylight: false, abbreviation: "UTC")], later: nil)

    private init(changes: [(at: Int64, type: Int)], types: [LocalTime], later: YearlyRule?) {
        self.changes = changes
        self.types = types
        self.later = later
    }

    /// Returns the local time at a moment, in seconds since 1970.
    package func localTime(at second: Int64) -> LocalTime {
        // The first change after the moment.
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].at <= second { low = middle + 1 } else { high = middle }
        }
        if low == changes.count, let later { return later.localTime(at: second) }
        // RFC 8536 §3.2: type 0 applies before the first change.
        return low == 0 ? types[0] : types[changes[low - 1].type]
    }
}

extension ZoneRules {
    private static let folder = "/usr/share/zoneinfo"
    /// The zones that were read. Only names of existing files are stored, so the number of files bounds them.
    private static let known = Mutex<[String: ZoneRules]>([:])

    /// Returns the rules of a zone with the given IANA name; nil if the database has no such zone.
    package static func named(_ name: String) -> ZoneRules? {
        if let rules = known.withLock({ $0[name] }) { return rules }
        guard isName(name), let bytes = read("\(folder)/\(name)"), let rules = ZoneRules(file: bytes) else {
            return name == "UTC" ? utc : nil
        }
        return known.withLock { known in
            known[name] = known[name] ?? rules
            return known[name]
        }
    }

    /// Returns the IANA name of this machine's zone; nil if its zone has no such name. See tzset(3) and
    /// localtime(5).
    package static func nameOfThisMachine() -> String? {
        let given = getenv("TZ").map { String(cString: $0).drop { $0 == ":" } }
        if let given, let name = name(in: given) { return name }
        // The link names the zone. The file behind it can have another name.
        let target = [CChar](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            count = buffer.baseAddress.map { max(0, readlink("/etc/localtime", $0, buffer.count)) } ?? 0
        }
        return name(in: Substring(String(decoding: target.map(UInt8.init(bitPattern:)), as: UTF8.self)))
    }

    /// Returns the name of the zone that a name or a path such as `../usr/share/zoneinfo/Asia/Seoul` means.
    private static func name(in path: Substring) -> String? {
        let name = String(path.firstRange(of: "zoneinfo/").map { path[$0.upperBound...] } ?? path)
        return named(name) == nil ? nil : name
    }

    /// Returns the names of all zones, also old ones, in no order. See the compact form of zic(8): a zone's
    /// line is `Z NAME …`, a link's line `L TARGET NAME`.
    package static func names() -> [String] {
        String(decoding: read("\(folder)/tzdata.zi") ?? [], as: UTF8.self).split(separator: "\n")
            .compactMap { line in
                let words = line.split(separator: " ", maxSplits: 3)
                return switch words.first {
                case "Z" where words.count > 1: String(words[1])
                case "L" where words.count > 2: String(words[2])
                default: nil
                }
            }
    }

    /// Whether the name can be a zone's. A zone has only one name: no empty part, and no copy of the database
    /// with or without leap seconds.
    private static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return name.utf8.count <= 64 && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            && !["posix", "right"].contains(parts[0]) && parts.allSatisfy { !$0.isEmpty && $0.first != "." }
    }

    private static func read(_ path: String) -> [UInt8]? {
        let most = 1 << 20
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            count = fread(buffer.baseAddress, 1, most, file)
        }
        return ferror(file) == 0 ? bytes : nil
    }
}

extension ZoneRules {
    /// Reads a file of the zone database. Returns nil unless the file has the form of RFC 8536, version 2 or
    /// newer.
    package convenience init?(file bytes: [UInt8]) {
        var reader = Reader(bytes: bytes[...])
        // The first block has 32-bit times, for old readers.
        guard let old = reader.header(), reader.skip(old.size(ofTime: 4)), let counts = reader.header()
        else { return nil }
        var times: [Int64] = []
        for _ in 0..<counts.changes {
            guard let time = reader.integer(bytes: 8) else { return nil }
            times.append(time)
        }
        guard let indices = reader.take(counts.changes), indices.allSatisfy({ $0 < counts.types }),
            times.indices.dropFirst().allSatisfy({ times[$0 - 1] < times[$0] }),
            var records = Optional(Reader(bytes: reader.take(counts.types * 6) ?? [])),
            let names = reader.take(counts.letters), counts.types > 0
        else { return nil }
        var types: [LocalTime] = []
        for _ in 0..<counts.types {
            guard let offset = records.integer(bytes: 4), let isDaylight = records.integer(bytes: 1),
                let start = records.integer(bytes: 1).map({ Int($0 & 0xFF) }), start < names.count
            else { return nil }
            let name = names.dropFirst(start).prefix { $0 != 0 }
            types.append(
                LocalTime(
                    offset: Int(offset), isDaylight: isDaylight != 0,
                    abbreviation: String(decoding: name, as: UTF8.self)))
        }
        guard reader.skip(counts.leapSeconds * 12 + counts.standard + counts.universal) else { return nil }
        let rule = String(decoding: reader.bytes.dropFirst().prefix { $0 != 0x0A }, as: UTF8.self)
        let later = YearlyRule(rule)
        guard rule.isEmpty || later != nil else { return nil }
        self.init(changes: zip(times, indices).map { ($0, Int($1)) }, types: types, later: later)
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard bytes.count >= count else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            return bytes.prefix(count)
        }

        mutating func skip(_ count: Int) -> Bool { take(count) != nil }

        /// Reads a signed number; its first byte is the highest.
        mutating func integer(bytes count: Int) -> Int64? {
            guard let taken = take(count), let first = taken.first else { return nil }
            return taken.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
        }

        mutating func header() -> Counts? {
            guard take(4).map(Array.init) == Array("TZif".utf8), let version = take(1)?.first,
                version >= 0x32,
                skip(15)
            else { return nil }
            var counts: [Int] = []
            for _ in 0..<6 {
                guard let count = integer(bytes: 4), (0...1 << 20).contains(count) else { return nil }
                counts.append(Int(count))
            }
            return Counts(
                universal: counts[0], standard: counts[1], leapSeconds: counts[2], changes: counts[3],
                types: counts[4], letters: counts[5])
        }
    }

    /// The numbers of a block's parts.
    private struct Counts {
        let universal: Int, standard: Int, leapSeconds: Int, changes: Int, types: Int, letters: Int

        func size(ofTime bytes: Int) -> Int {
            changes * (bytes + 1) + types * 6 + letters + leapSeconds * (bytes + 4) + standard + universal
        }
    }
}
