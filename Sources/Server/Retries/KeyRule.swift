/// What an `Idempotency-Key` does on a POST of the API.
enum KeyRule: Sendable, Hashable {
    /// The answer is kept for a day, and given again to who sends the request again.
    case kept
    /// The key is read, and does nothing.
    case passedOver(Reason)

    enum Reason: Sendable, Hashable {
        /// The request holds a password or the answer a token; neither is kept in any form but its own slow
        /// hash.
        case secret
        /// Sent again it does no more than before.
        case changesNothing
    }
}

extension Route {
    /// Whether a key may be sent at all.
    var mayHaveKey: Bool { method == .post && pattern.hasPrefix("/api/v1/") }
    /// Whether it does something.
    var keepsAnswer: Bool { mayHaveKey && keys == .kept }
}
