/// One statement of SQL, prepared once a connection. Its identity is its key, so that finding the prepared
/// statement costs no text hashing.
final class Query: Sendable {
    /// What a failure says was attempted, such as `insert attendee`.
    let operation: String
    let text: String

    init(_ operation: String, _ text: String) {
        self.operation = operation
        self.text = text
    }
}
