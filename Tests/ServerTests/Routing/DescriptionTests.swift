import Foundation
import Meetings
import Testing
import Wire

@testable import Server

/// Tests of the API descriptions that the server publishes.
@Suite struct DescriptionTests {
    @Test func `every route has a short summary`() {
        for route in RouteTable.all {
            let name = "\(route.method.rawValue) \(route.pattern)"
            #expect((3...80).contains(route.summary.count), "\(name): say what it does, with does:")
            #expect(
                route.summary.first?.isUppercase == true && !route.summary.hasSuffix("."),
                "\(name): “\(route.summary)”")
        }
    }

    @Test func `every operation has its own name`() {
        let names = RouteTable.all.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func `every response body with a version is also sent with an entity tag`() {
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

    @Test func `a route does not list a problem that its declaration already implies`() {
        for route in RouteTable.all {
            let bare = Route(
                route.method, route.pattern, route.access, body: route.body, gives: route.gives,
                keys: route.keys, route.handle)
            let twice = bare.problems.intersection(route.refuses).map(\.rawValue)
            #expect(twice.isEmpty, "\(route.method.rawValue) \(route.pattern): \(twice)")
        }
    }

    @Test func `every problem of the API can be returned by some route or room`() {
        let rooms: Set<ProblemCode> = [.unknownRoom, .notJoined, .tooManyRooms]
        let described = RouteTable.all.reduce(into: rooms.union([.methodNotAllowed])) {
            $0.formUnion($1.problems)
        }
        #expect(Set(ProblemCode.allCases).subtracting(described).map(\.rawValue) == [])
    }

    @Test func `the description lists the cookies and tags that a route's answer has`() throws {
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

    @Test func `an edit needs the tag that the client read, and the description says so`() throws {
        let edit = try #require(
            RouteTable.all.first { $0.method == .patch && $0.pattern == "/api/v1/sessions/{id}" })
        #expect(edit.takesVersion && edit.problems.contains(.versionMismatch))
        let own = try #require(
            RouteTable.all.first { $0.method == .patch && $0.pattern == "/api/v1/check-ins/current" })
        #expect(!own.takesVersion && !own.problems.contains(.versionMismatch))
    }

    @Test func `the document contains every route once, and everything that it refers to`() throws {
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

    @Test func `a route's description names the required proof, and an open route requires none`() {
        for route in RouteTable.all where route.access == .anyone {
            #expect(
                route.access.proofs.isEmpty
                    && !route.problems.subtracting(route.refuses).contains(.notSignedIn), "\(route.pattern)")
        }
        #expect(Access.attendee.proofs == [.receipt])
        #expect(Access.kiosk.proofs == [.kiosk])
        #expect(Access.memberOrPresenter.proofs == [.account, .cookie, .presenter])
        #expect(Access.member(.host, of: .session).proofs == [.account, .cookie])
    }
}
