import Foundation
import Meetings
import Testing
import Wire

@testable import Server

/// What the server says of itself.
@Suite struct DescriptionTests {
    @Test func `every route says in a few words what it does`() {
        for route in RouteTable.all {
            let name = "\(route.method.rawValue) \(route.pattern)"
            #expect((3...80).contains(route.summary.count), "\(name): say what it does, with does:")
            #expect(
                route.summary.first?.isUppercase == true && !route.summary.hasSuffix("."),
                "\(name): “\(route.summary)”")
        }
    }

    @Test func `no two operations have one name`() {
        let names = RouteTable.all.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func `what has a version in its body says it as an entity tag`() {
        for route in RouteTable.all {
            guard case .json(let type, _, _, false) = route.gives,
                case .object(let fields) = SchemaRecorder.schema(of: type)
            else {
                continue
            }
            #expect(
                fields.contains { $0.name == "version" } == route.gives.isVersioned,
                "\(type): make it Versioned")
        }
    }

    @Test func `a route names no problem that its declaration brings already`() {
        for route in RouteTable.all {
            let bare = Route(
                route.method, route.pattern, route.access, body: route.body, gives: route.gives,
                keys: route.keys, route.handle)
            let twice = bare.problems.intersection(route.refuses).map(\.rawValue)
            #expect(twice.isEmpty, "\(route.method.rawValue) \(route.pattern): \(twice)")
        }
    }

    @Test func `every problem of the API is one that some route can give`() {
        let rooms: Set<ProblemCode> = [.unknownRoom, .notJoined, .tooManyRooms]
        let described = RouteTable.all.reduce(into: rooms.union([.methodNotAllowed])) {
            $0.formUnion($1.problems)
        }
        #expect(Set(ProblemCode.allCases).subtracting(described).map(\.rawValue) == [])
    }

    @Test func `cookies and tags that a route sends are described with its answer`() throws {
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(Description.openAPIText)) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        func isRequired(_ method: String, _ path: String, _ status: String, _ header: String) -> Bool? {
            let responses = paths[path]?[method]?["responses"] as? [String: [String: Any]]
            return (responses?[status]?["headers"] as? [String: [String: Any]])?[header]?["required"] as? Bool
        }
        #expect(isRequired("post", "/host/sign-in", "201", "Set-Cookie") == true)
        #expect(isRequired("post", "/host/renew", "201", "Set-Cookie") == true)
        #expect(isRequired("post", "/host/sign-out", "204", "Set-Cookie") == true)
        #expect(isRequired("get", "/C/{code}", "200", "Set-Cookie") == false)
        #expect(isRequired("put", "/api/v1/meetings/{id}/image", "204", "ETag") == true)
        #expect(isRequired("delete", "/api/v1/meetings/{id}/image", "204", "ETag") == nil)
    }

    @Test func `an edit takes the tag that was read, and its description says so`() throws {
        let edit = try #require(
            RouteTable.all.first { $0.method == .patch && $0.pattern == "/api/v1/sessions/{id}" })
        #expect(edit.takesVersion && edit.problems.contains(.versionMismatch))
        let own = try #require(
            RouteTable.all.first { $0.method == .patch && $0.pattern == "/api/v1/check-ins/current" })
        #expect(!own.takesVersion && !own.problems.contains(.versionMismatch))
    }

    @Test func `the document has every route once, and what it refers to is in it`() throws {
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(Description.openAPIText)) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        #expect(paths.values.map(\.count).reduce(0, +) == RouteTable.all.count)
        for route in RouteTable.all {
            #expect(paths[route.pattern]?[route.method.rawValue.lowercased()] != nil)
        }
        let references = Self.references(in: document)
        #expect(references.count > 30)
        for reference in references {
            let found = reference.dropFirst(2).split(separator: "/").reduce(document as Any?) {
                ($0 as? [String: Any])?[String($1)]
            }
            #expect(found != nil, "\(reference)")
        }
    }

    private static func references(in value: Any) -> Set<String> {
        if let array = value as? [Any] { return array.reduce(into: []) { $0.formUnion(references(in: $1)) } }
        guard let object = value as? [String: Any] else { return [] }
        let here = (object["$ref"] as? String).map { Set([$0]) } ?? []
        return object.values.reduce(into: here) { $0.formUnion(references(in: $1)) }
    }

    @Test func `who is asked for what they hold is told so, and nobody is where anyone may`() {
        for route in RouteTable.all where route.access == .anyone {
            #expect(
                route.access.proofs.isEmpty
                    && !route.problems.subtracting(route.refuses).contains(.notSignedIn), "\(route.pattern)")
        }
        #expect(Access.attendee.proofs == [.receipt])
        #expect(Access.memberOrPresenter.proofs == [.account, .cookie, .presenter])
        #expect(Access.member(.host, of: .session).proofs == [.account, .cookie])
    }
}
