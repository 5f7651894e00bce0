/// What a form promises the attendee about the link between a response and a person. The server keeps the
/// promise, and nobody can change it after attendees saw or could have seen it
/// (`QuestionSet.hasFixedAnonymity`). The raw values are the names in JSON.
package enum AnswerPromise: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nobody can link a response to an attendee, not even with the file. Results move in groups of three,
    /// and an answer cannot change.
    case anonymous
    /// The file links a response to its attendee, so that it counts once and can change. No page, room,
    /// export or log shows the link, and results move at once.
    case hidden
    /// Members of the meeting see who gave each answer.
    case named

    /// Whether the file links a response to its attendee.
    package var linksResponses: Bool { self != .anonymous }
    /// Whether members see who responded.
    package var showsNames: Bool { self == .named }
}

/// The promise that a form showed, as the request of its response states it. A client can send the whole
/// promise, only whether the form was anonymous, or nothing.
package struct ShownPromise: Hashable, Sendable {
    package let anonymous: Bool?
    package let promise: AnswerPromise?

    package init(anonymous: Bool? = nil, promise: AnswerPromise? = nil) {
        self.anonymous = anonymous
        self.promise = promise
    }

    /// The value of a request that does not say what its form showed.
    package static let unknown = ShownPromise()

    /// Returns whether everything that the form showed is still true.
    package func agrees(with promise: AnswerPromise) -> Bool {
        (self.promise ?? promise) == promise
            && (anonymous ?? !promise.linksResponses) == !promise.linksResponses
    }
}

/// A host's choice of a promise. A client can set the whole promise, or only whether the set is anonymous.
package struct ChosenPromise: Hashable, Sendable {
    package let anonymous: Bool?
    package let promise: AnswerPromise?

    package init(anonymous: Bool? = nil, promise: AnswerPromise? = nil) {
        self.anonymous = anonymous
        self.promise = promise
    }

    /// The choice that leaves the promise unchanged.
    package static let unchanged = ChosenPromise()

    /// Returns the promise after this choice. `anonymous: false` makes an anonymous set named, and leaves
    /// other sets unchanged.
    package func promise(over current: AnswerPromise) -> AnswerPromise {
        if let promise { return promise }
        guard let anonymous, anonymous == current.linksResponses else { return current }
        return anonymous ? .anonymous : .named
    }

    /// Whether the choice can change a promise.
    package var isEmpty: Bool { anonymous == nil && promise == nil }
}
