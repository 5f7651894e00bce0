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
    if document.root.isObject { compareInArray(document.root, bytes) }
    for body in bodies { read(body, document) }
}

/// Compares the texts of an object with the same object in an array, which Jansson always parses.
private func compareInArray(_ object: JSONNode, _ bytes: [UInt8]) {
    // The array adds a level and a value, so the limits may refuse it.
    guard let array = try? JSONDocument([UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")]) else {
        return must(object.members.contains { $0.value.string == nil }, "Jansson reads a plain object")
    }
    must(array.root.elements.count == 1, "an object is one value")
    let parsed = array.root.elements.first?.members ?? []
    must(object.members.map(\.key) == parsed.map(\.key), "both readers find the same names")
    must(object.members.map(\.value.string) == parsed.map(\.value.string), "and the same texts")
    // A long name has changed if it was not in stream-safe form.
    for (key, value) in parsed where key.utf8.count < 60 {
        must(object[key]?.string == value.string, "a name leads to its text")
    }
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
