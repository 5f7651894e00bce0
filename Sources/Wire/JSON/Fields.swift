package import Meetings

/// Reads the fields of an object and records every error, so that one answer lists all errors. Without a
/// document, the same code records the fields that it would read. These fields are the schema in the API's
/// description, so the description always matches the code.
package struct Fields {
    private let node: JSONNode?
    private let path: String
    private let log: FieldLog

    private init(_ node: JSONNode?, path: String, log: FieldLog) {
        self.node = node
        self.path = path
        self.log = log
    }

    /// Reads `Value` from the root of a document.
    /// - Parameters:
    ///   - wholly: whether a field that no code reads is an error.
    ///   - patterns: the engine that checks the patterns of rules, so that a bad pattern is reported together
    ///     with all other errors; nil if the command checks the patterns later.
    /// - Throws: `Refusal.invalid` with all errors.
    package static func read<Value: Readable>(
        _ type: Value.Type, from document: JSONDocument, wholly: Bool = false,
        patterns: (any PatternMatching)? = nil
    ) throws(Refusal) -> Value {
        let log = FieldLog(wholly: wholly, patterns: patterns)
        guard document.root.isObject else { throw .invalid([FieldError("", .wrongType(expected: "object"))]) }
        let value = Value(reading: Fields(document.root, path: "", log: log))
        log.noteUnread()
        guard log.refusal.isEmpty else { throw .invalid(log.refusal) }
        return value
    }

    /// Returns the schema of the fields that `Value` reads.
    package static func schema(of type: (some Readable).Type) -> Schema {
        let log = FieldLog(recording: true)
        _ = type.init(reading: Fields(nil, path: "", log: log))
        return .object(log.fields)
    }

    /// Records an error of a field.
    package func fail(_ name: String, _ reason: FieldReason) {
        log.note(pointer(name), reason)
    }

    /// Records an error of a member of the object `name`. The error is reported only if another error rejects
    /// the request. The code that uses the object must therefore check this member too.
    package func deferFailure(of key: String, in name: String, _ reason: FieldReason) {
        log.deferred("\(pointer(name))/\(JSONPointer.escaped(key))", reason)
    }

    /// Returns the reason why the engine rejects the pattern; nil if the engine accepts the pattern, or if
    /// there is no engine.
    func refusal(ofPattern pattern: String) -> String? { log.patterns?.refusal(of: pattern) }

    /// Returns the JSON pointer of a field (RFC 6901, which escapes `~` and `/`).
    package func pointer(_ name: String) -> String {
        "\(path)/\(JSONPointer.escaped(name))"
    }

    /// Whether the field is present and not null.
    package func has(_ name: String) -> Bool { present(name) != nil }

    /// Whether the field is present and null. An edit reads this to empty a field.
    package func isNull(_ name: String) -> Bool { node?[name]?.isNull ?? false }

    /// Whether the field is an array. Fields that accept several types use this function.
    package func holdsArray(_ name: String) -> Bool { present(name)?.isArray ?? false }

    // A null counts as an absent field.
    private func present(_ name: String) -> JSONNode? {
        guard let found = node?[name], !found.isNull else { return nil }
        return found
    }

    /// Reads a field, and records the field for the schema and its error if there is one. Returns nil if the
    /// field is absent or malformed.
    package func value<Value>(
        _ name: String, required: Bool, _ schema: @autoclosure () -> Schema,
        _ read: (JSONNode) -> Result<Value, FieldError>
    ) -> Value? {
        if log.isRecording {
            log.fields.append(
                Schema.Field(name: name, isRequired: required, schema: required ? schema() : schema().orNull))
            return nil
        }
        if let node { log.read(name, of: node, at: path) }
        guard let found = present(name) else {
            if required { fail(name, .missing) }
            return nil
        }
        switch read(found) {
        case .success(let value): return value
        case .failure(let error):
            fail(name, error.reason)
            return nil
        }
    }

    /// Reads a nested object; nil if the field is absent or not an object.
    package func object<Value: Readable>(_ name: String, as type: Value.Type, required: Bool = false)
        -> Value?
    {
        let found: JSONNode? = value(name, required: required, Fields.schema(of: type)) {
            $0.isObject ? .success($0) : .failure(FieldError("", .wrongType(expected: "object")))
        }
        return found.map { Value(reading: Fields($0, path: pointer(name), log: log)) }
    }

    /// Reads an array of at most `most` objects.
    package func objects<Value: Readable>(
        _ name: String, of type: Value.Type, required: Bool = false, most: Int
    ) -> [Value]? {
        let found: [JSONNode]? = value(
            name, required: required, .array(Fields.schema(of: type), min: 0, max: most)
        ) {
            guard $0.isArray else { return .failure(FieldError("", .wrongType(expected: "array"))) }
            let elements = $0.elements
            return elements.count <= most
                ? .success(elements) : .failure(FieldError("", .count(min: 0, max: most)))
        }
        return found?.enumerated().compactMap { index, element in
            let path = "\(pointer(name))/\(index)"
            guard element.isObject else {
                log.note(path, .wrongType(expected: "object"))
                return nil
            }
            return Value(reading: Fields(element, path: path, log: log))
        }
    }

    /// Reads the members of an object whose keys are data. Members that are null are left out.
    package func members<Value>(
        _ name: String, required: Bool = false, of schema: @autoclosure () -> Schema, most: Int,
        _ read: (String, JSONNode) -> Result<Value, FieldReason>
    ) -> [Value]? {
        let found: [(key: String, value: JSONNode)]? = value(name, required: required, .map(schema().orNull))
        {
            guard $0.isObject else { return .failure(FieldError("", .wrongType(expected: "object"))) }
            let members = $0.members.filter { !$0.value.isNull }
            return members.count <= most
                ? .success(members) : .failure(FieldError("", .count(min: 0, max: most)))
        }
        guard let found else { return nil }
        let inner = Fields(nil, path: pointer(name), log: log)
        return found.compactMap { key, node in
            switch read(key, node) {
            case .success(let value): return value
            case .failure(let reason):
                inner.fail(key, reason)
                return nil
            }
        }
    }
}

/// A type that can be read from an object. Its initializer must read every field before it branches on a
/// value, because the schema contains only the fields that it reads.
package protocol Readable {
    init(reading fields: Fields)
}

extension Fields {
    /// Reads a text with translations. The field `plain` has the text without a language (`title`), and the
    /// field `byLanguage` has texts by language (`titles`); a client may send either or both. Empty texts
    /// count as absent. A line is trimmed, in NFC, and without control characters; other texts are not
    /// changed. Returns nil if both fields are absent.
    package func localized(
        _ plain: String, _ byLanguage: String, required: Bool = false, most: Int, isLine: Bool = false
    ) -> LocalizedText? {
        let one = isLine ? line(plain, most: most) : text(plain, 0...most)
        let many = members(
            byLanguage, of: .string(min: 0, max: most, format: nil, pattern: nil),
            most: LocalizedText.mostLanguages
        ) {
            (key, node) -> Result<(tag: String, text: String), FieldReason> in
            guard let tag = LocalizedText.tag(key) else { return .failure(.notALanguage) }
            return Self.localized(node, most: most, isLine: isLine).map { (tag, $0) }
        }
        if let many, Set(many.map(\.tag)).count != many.count { fail(byLanguage, .repeated) }
        let texts = many.map { LocalizedText(Dictionary($0.map { ($0.tag, $0.text) }) { first, _ in first }) }
        let text = LocalizedText(plain: one?.isEmpty == true ? nil : one, byLanguage: texts)
        // If a field is malformed, its error is already recorded. This error is only for an absent text.
        if required, text.isEmpty, one != nil || !has(plain), texts != nil || !has(byLanguage) {
            fail(plain, has(plain) ? .length(min: 1, max: most) : .missing)
        }
        return has(plain) || has(byLanguage) ? text : nil
    }

    /// Checks a text of one language as the field without a language is checked.
    private static func localized(_ node: JSONNode, most: Int, isLine: Bool) -> Result<String, FieldReason> {
        guard isLine else { return text(node, 0...most) }
        guard let written = node.string else { return .failure(.wrongType(expected: "string")) }
        return written.allSatisfy(\.isWhitespace) ? .success("") : line(written, 0...most)
    }

    /// Reads a number within the bounds.
    package func number(_ name: String, within bounds: ClosedRange<Double>) -> Double? {
        value(name, required: false, .number) {
            guard let number = $0.number else {
                return .failure(FieldError("", .wrongType(expected: "number")))
            }
            return bounds.contains(number)
                ? .success(number)
                : .failure(FieldError("", .between(min: bounds.lowerBound, max: bounds.upperBound)))
        }
    }
}

/// The errors of one document, or its schema. All nested `Fields` share this object.
final class FieldLog {
    let isRecording: Bool
    private(set) var errors: [FieldError] = []
    var fields: [Schema.Field] = []
    /// The objects by their pointers, with the names of the fields that were read. Empty if unread fields are
    /// allowed.
    private var objects: [String: (node: JSONNode, names: Set<String>)] = [:]
    private let isWhole: Bool
    /// The engine for patterns; nil if patterns are not checked.
    let patterns: (any PatternMatching)?

    init(recording: Bool = false, wholly: Bool = false, patterns: (any PatternMatching)? = nil) {
        isRecording = recording
        isWhole = wholly
        self.patterns = patterns
    }

    func read(_ name: String, of node: JSONNode, at path: String) {
        guard isWhole else { return }
        objects[path, default: (node, [])].names.insert(name)
    }

    /// The errors that are reported only together with other errors. They do not reject the request; the code
    /// that uses the values reports them.
    private var deferred: [FieldError] = []

    /// The errors to report; empty if the request is valid.
    var refusal: [FieldError] {
        errors.isEmpty ? [] : Array((errors + deferred).prefix(FieldError.mostReported))
    }

    func deferred(_ pointer: String, _ reason: FieldReason) {
        guard deferred.count < FieldError.mostReported else { return }
        deferred.append(FieldError(pointer, reason))
    }

    /// Records an error. Only the first errors are stored, as many as an answer lists.
    func note(_ pointer: @autoclosure () -> String, _ reason: @autoclosure () -> FieldReason) {
        guard !isRecording, errors.count < FieldError.mostReported else { return }
        errors.append(FieldError(pointer(), reason()))
    }

    /// Records an error for every field that no code has read.
    func noteUnread() {
        for (path, object) in objects.sorted(by: { $0.key < $1.key }) {
            for (name, value) in object.node.members where !object.names.contains(name) && !value.isNull {
                note("\(path)/\(JSONPointer.escaped(name))", .unknownField)
            }
        }
    }
}
