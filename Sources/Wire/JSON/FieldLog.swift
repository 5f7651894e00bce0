import Meetings

/// Shared by the fields of one document: what is wrong with it, or what would be read.
final class FieldLog {
    let isRecording: Bool
    private(set) var errors: [FieldError] = []
    var fields: [Schema.Field] = []
    /// The objects by their pointers, with what was asked of each; empty where unread fields do not count.
    private var objects: [String: (node: JSONNode, names: Set<String>)] = [:]
    private let isWhole: Bool
    /// What patterns are judged by; nil where they are not.
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

    /// Errors that are reported only with other errors. They do not reject the request, because the code that
    /// uses the value reports them.
    private var deferred: [FieldError] = []

    /// Everything to tell of a request that is refused; empty if nothing refuses it.
    var refusal: [FieldError] {
        errors.isEmpty ? [] : Array((errors + deferred).prefix(FieldError.mostReported))
    }

    func deferred(_ pointer: String, _ reason: FieldReason) {
        guard deferred.count < FieldError.mostReported else { return }
        deferred.append(FieldError(pointer, reason))
    }

    /// Only the first errors are stored, as many as an answer lists.
    func note(_ pointer: @autoclosure () -> String, _ reason: @autoclosure () -> FieldReason) {
        guard !isRecording, errors.count < FieldError.mostReported else { return }
        errors.append(FieldError(pointer(), reason()))
    }

    /// Notes every field that nobody asked for.
    func noteUnread() {
        for (path, object) in objects.sorted(by: { $0.key < $1.key }) {
            for (name, value) in object.node.members where !object.names.contains(name) && !value.isNull {
                note("\(path)/\(JSONPointer.escaped(name))", .unknownField)
            }
        }
    }
}
