import Meetings
import Wire

@testable import Server

private let bodies = RouteTable.all.compactMap { route -> (any (Readable & SendableMetatype).Type)? in
    guard case .json(let type) = route.body else { return nil }
    return type
}

/// A request's body, as every route would read it, and what a client says in a room.
func fuzzJSON(_ bytes: [UInt8]) {
    _ = ClientMessage(bytes)
    guard let document = JSONDocument(bytes) else { return }
    walk(document.root, depth: 0)
    for body in bodies { read(body, document) }
}

private func read(_ type: (some Readable).Type, _ document: JSONDocument) {
    do throws(Refusal) {
        _ = try Fields.read(type, from: document)
    } catch {
        guard case .invalid(let errors) = error else { return must(false, "a body is refused by its fields alone") }
        must(!errors.isEmpty, "a refusal names a field")
        for error in errors { must(error.field.isEmpty || error.field.hasPrefix("/"), "a field is a JSON pointer") }
    }
}

private func walk(_ node: JSONNode, depth: Int) {
    _ = (node.string, node.integer, node.bool, node.isNull)
    guard depth < 50 else { return }
    for element in node.elements { walk(element, depth: depth + 1) }
    for member in node.members { walk(member.value, depth: depth + 1) }
}
