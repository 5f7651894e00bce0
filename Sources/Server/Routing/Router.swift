import HTTPServer
import Meetings

/// The table of all routes. Each feature declares its own routes. The API's description lists the paths in
/// this order.
enum RouteTable {
    static let all: [Route] = [
        operations, accounts, meetings, codesOfMeetings, sessionsOfMeetings, sessions, codesOfSessions,
        presenters, attendees, checkIn, ownRecord, feedback, checkInPages, feedbackPages, ownRecordPages,
        privacy, privacyPages,
        projectorPage, hostPage, corrections, members, meetingImages, review, roster, exports, questionFiles,
        resultFiles, forms, formPages, jobs, audienceQuestions, audiencePages, textModeration,
        matching, matchingPages, unsubscribing, devices, webhooks, passes, doors, satellites, offlineDoors,
        passPages, absences, certificates, certificatePages, kiosk, kioskPage, replies, replyPages,
        operators,
    ].flatMap(\.self)
}

/// Finds the route of a path in a tree of segments. A literal segment has precedence over a parameter.
struct Router: Sendable {
    enum Match: Sendable {
        case found(Route, parameters: [String: String])
        /// `isForAnyOrigin`: whether any route of this path may be used from any origin.
        case methodNotAllowed(allowed: [String], isForAnyOrigin: Bool)
        case notFound
    }

    private final class Node: Sendable {
        let children: [String: Node]
        let parameter: (name: String, node: Node)?
        let routes: [String: Route]

        init(_ routes: [(segments: ArraySlice<String>, route: Route)]) {
            var here: [String: Route] = [:]
            var literals: [String: [(segments: ArraySlice<String>, route: Route)]] = [:]
            var named: (name: String, routes: [(segments: ArraySlice<String>, route: Route)])?
            for (segments, route) in routes {
                guard let first = segments.first else {
                    precondition(
                        here[route.method.rawValue] == nil,
                        "two routes for \(route.method.rawValue) \(route.pattern)")
                    here[route.method.rawValue] = route
                    continue
                }
                if first.hasPrefix("{") {
                    let name = String(first.dropFirst().dropLast())
                    precondition(
                        named == nil || named?.name == name, "two names for one place: \(route.pattern)")
                    named = (name, (named?.routes ?? []) + [(segments.dropFirst(), route)])
                } else {
                    literals[first, default: []].append((segments.dropFirst(), route))
                }
            }
            self.routes = here
            children = literals.mapValues(Node.init)
            parameter = named.map { ($0.name, Node($0.routes)) }
        }
    }

    private let root: Node
    /// The nodes of the paths without parameters, by the whole path.
    private let fixed: [String: Node]

    init(_ routes: [Route]) {
        let root = Node(routes.map { (Self.segments(of: $0.pattern)[...], $0) })
        self.root = root
        let paths = Set(routes.map(\.pattern).filter { !$0.contains("{") })
        fixed = Dictionary(
            uniqueKeysWithValues: paths.compactMap { path in
                var node: Node? = root
                for segment in Self.segments(of: path) { node = node?.children[segment] }
                return node.map { (path, $0) }
            })
    }

    /// Returns the route for a method and a path without parameters; nil if there is no such path.
    func match(_ method: String, fixedPath path: String) -> Match? {
        fixed[path].map { match(method, at: $0, [:]) }
    }

    /// The first segments of the paths in QR codes. They match in upper and lower case, because a QR code of
    /// upper-case text is smaller.
    fileprivate static let ofCodes: Set<String> = ["a", "c", "m", "p", "r"]

    /// Returns the route for a method and a path. HEAD matches the route of GET.
    func match(_ method: String, path: String) -> Match {
        var path = path
        return path.withUTF8 { bytes in
            var position = Position(node: root)
            var rest = bytes[...]
            while !rest.isEmpty {
                let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
                if end > rest.startIndex {
                    guard let segment = Self.segment(rest[..<end]), position.enter(segment) else {
                        return .notFound
                    }
                }
                rest = rest[end...].dropFirst()
            }
            return match(method, at: position.node, position.parameters)
        }
    }

    /// Returns the route for a method and the decoded segments of a path.
    func match(_ method: String, _ segments: [String]) -> Match {
        var position = Position(node: root)
        for segment in segments where !position.enter(segment) { return .notFound }
        return match(method, at: position.node, position.parameters)
    }

    /// The position of a search in the tree.
    private struct Position {
        var node: Node
        var parameters: [String: String] = [:]
        private var isFirst = true

        init(node: Node) { self.node = node }

        /// Goes on to the node of the segment, and returns whether there is one.
        mutating func enter(_ written: String) -> Bool {
            let segment = isFirst && Router.ofCodes.contains(written) ? written.uppercased() : written
            isFirst = false
            if let child = node.children[segment] {
                node = child
                return true
            }
            guard let (name, child) = node.parameter, !segment.isEmpty else { return false }
            parameters[name] = segment
            node = child
            return true
        }
    }

    /// Returns the decoded segment; nil if it is malformed.
    private static func segment(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
        guard bytes.contains(UInt8(ascii: "%")) else { return text }
        // The tree compares the segments, on the HTTP loop.
        return PercentCoding.decode(text[...])?.streamSafe
    }

    private func match(_ method: String, at node: Node, _ parameters: [String: String]) -> Match {
        if let route = node.routes[method == "HEAD" ? "GET" : method] {
            return .found(route, parameters: parameters)
        }
        if node.routes.isEmpty { return .notFound }
        let allowed = node.routes.keys.sorted()
        return .methodNotAllowed(
            allowed: allowed.contains("GET") ? allowed + ["HEAD"] : allowed,
            isForAnyOrigin: node.routes.values.contains { $0.isForAnyOrigin })
    }

    private static func segments(of pattern: String) -> [String] {
        pattern.split(separator: "/").map(String.init)
    }
}
