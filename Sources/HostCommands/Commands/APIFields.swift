internal import CommandLine
internal import Wire

/// The body or query that `qring api` builds from its fields: `-f name=Kim`, `-F plannedCount=20`,
/// `-f session[startsAt]=…`, `-f choices[][label]=A`.
struct APIFields {
    private var root = Node.object([])
    private(set) var isEmpty = true

    private indirect enum Node {
        case object([(key: String, value: Node)])
        case array([Node])
        /// JSON, as it is sent.
        case leaf([UInt8])
    }

    /// Adds the text of a field.
    mutating func add(text field: String) throws(UsageError) {
        let (key, value) = try Self.split(field, "--raw-field")
        try add(key, WireJSON.bytes(value), written: field)
    }

    /// Adds a field whose value is `true`, `false`, `null` or a number of JSON, or else a text.
    /// - Parameter read: returns the content of a file, for a value that begins with `@`.
    mutating func add(
        typed field: String, _ read: (String) async throws(CommandFailure) -> String
    ) async throws(CommandFailure) {
        do throws(UsageError) {
            let (key, value) = try Self.split(field, "--field")
            if value.first == "@" {
                let content: String
                do throws(CommandFailure) { content = try await read(String(value.dropFirst())) } catch {
                    throw UsageError.notReadable("--field", field, expected: "text=@answer.txt")
                }
                try add(key, WireJSON.bytes(content), written: field)
            } else {
                let isLiteral = ["true", "false", "null"].contains(value) || Self.isNumber(value)
                try add(key, isLiteral ? Array(value.utf8) : WireJSON.bytes(value), written: field)
            }
        } catch {
            throw .usage(error)
        }
    }

    /// The fields as a JSON object.
    var json: [UInt8] { Self.encoded(root) }

    /// The fields as items of a query. Objects and lists are not possible there.
    func query() throws(UsageError) -> [(name: String, value: String)] {
        guard case .object(let members) = root else { return [] }
        var items: [(name: String, value: String)] = []
        for (key, value) in members {
            guard case .leaf(let json) = value else {
                throw .notReadable("--field", "\(key)[…]", expected: "limit=20")
            }
            let text =
                (try? WireJSON.decode(String.self, from: json)) ?? String(decoding: json, as: UTF8.self)
            items.append((key, text))
        }
        return items
    }

    private static func split(_ field: String, _ option: String) throws(UsageError)
        -> (key: String, value: String)
    {
        guard let equals = field.firstIndex(of: "="), equals != field.startIndex else {
            throw .notReadable(option, field, expected: "name=Kim, session[startsAt]=2026-11-28T19:00:00Z")
        }
        return (String(field[..<equals]), String(field[field.index(after: equals)...]))
    }

    /// Whether the text is a number of JSON (RFC 8259 §6).
    private static func isNumber(_ text: String) -> Bool {
        guard let first = text.first, first == "-" || first.isASCII && first.isNumber,
            (try? JSONDocument(Array("[\(text)]".utf8))) != nil
        else { return false }
        return text.allSatisfy { "0123456789+-.eE".contains($0) }
    }

    private mutating func add(_ key: String, _ value: [UInt8], written: String) throws(UsageError) {
        let parts = key.split(separator: "[", omittingEmptySubsequences: false)
        var path = [String(parts[0])]
        for part in parts.dropFirst() {
            guard part.last == "]" else { throw Self.unreadable(written) }
            path.append(String(part.dropLast()))
        }
        guard !path[0].isEmpty, Self.insert(value, at: path[...], into: &root) else {
            throw Self.unreadable(written)
        }
        isEmpty = false
    }

    private static func unreadable(_ field: String) -> UsageError {
        .notReadable("--field", field, expected: "name=Kim, session[startsAt]=…, choices[][label]=A")
    }

    /// Returns false if the path leads through a value of another kind.
    private static func insert(_ value: [UInt8], at path: ArraySlice<String>, into node: inout Node) -> Bool {
        guard let key = path.first else {
            node = .leaf(value)
            return true
        }
        let rest = path.dropFirst()
        switch node {
        case .leaf: return false
        case .array(var elements):
            guard key.isEmpty else { return false }
            // A field that the last object of the list does not have yet belongs to this object.
            if let last = elements.last, case .object = last, !Self.hasLeaf(at: rest, in: last) {
                guard insert(value, at: rest, into: &elements[elements.count - 1]) else { return false }
            } else {
                var new = empty(for: rest)
                guard insert(value, at: rest, into: &new) else { return false }
                elements.append(new)
            }
            node = .array(elements)
        case .object(var members):
            guard !key.isEmpty else { return false }
            let index = members.firstIndex { $0.key == key } ?? members.count
            if index == members.count { members.append((key, empty(for: rest))) }
            guard insert(value, at: rest, into: &members[index].value) else { return false }
            node = .object(members)
        }
        return true
    }

    /// Whether a value that cannot be extended is at the path. A list can always be extended.
    private static func hasLeaf(at path: ArraySlice<String>, in node: Node) -> Bool {
        guard let key = path.first else { return true }
        guard case .object(let members) = node, let found = members.first(where: { $0.key == key }) else {
            return false
        }
        return hasLeaf(at: path.dropFirst(), in: found.value)
    }

    /// Returns the empty value into which the rest of a path leads.
    private static func empty(for rest: ArraySlice<String>) -> Node {
        rest.first.map { $0.isEmpty ? .array([]) : .object([]) } ?? .leaf([])
    }

    private static func encoded(_ node: Node) -> [UInt8] {
        switch node {
        case .leaf(let json): return json
        case .array(let elements):
            return Array("[".utf8) + elements.map(encoded).joined(separator: [44]) + [93]
        case .object(let members):
            let written = members.map { WireJSON.bytes($0.key) + [58] + encoded($0.value) }
            return Array("{".utf8) + written.joined(separator: [44]) + Array("}".utf8)
        }
    }
}
