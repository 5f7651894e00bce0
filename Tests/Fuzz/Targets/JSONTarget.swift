import Meetings
import Wire

@testable import Server

private let bodies = RouteTable.all.compactMap { route -> (any (Readable & SendableMetatype).Type)? in
    switch route.body {
    case .json(let type), .upload(_, let type, _): type
    default: nil
    }
}

/// Parses the input as the JSON body of every route, and as a message from a room's client.
func fuzzJSON(_ bytes: [UInt8]) {
    _ = ClientMessage(bytes)
    guard let document = try? JSONDocument(bytes) else { return }
    walk(document.root, depth: 0)
    for body in bodies { read(body, document) }
}

private func read(_ type: (some Readable).Type, _ document: JSONDocument) {
    do throws(Refusal) {
        _ = try Fields.read(type, from: document)
    } catch {
        guard case .invalid(let errors) = error else {
            return must(false, "a body is refused by its fields alone")
        }
        must(!errors.isEmpty, "a refusal names a field")
        must(errors.count <= FieldError.mostReported, "a refusal has a bound")
        for error in errors {
            must(error.field.isEmpty || error.field.hasPrefix("/"), "a field is a JSON pointer")
        }
    }
}

private func walk(_ node: JSONNode, depth: Int) {
    _ = (node.string, node.integer, node.bool, node.isNull)
    guard depth < 50 else { return }
    for element in node.elements { walk(element, depth: depth + 1) }
    for member in node.members { walk(member.value, depth: depth + 1) }
}
