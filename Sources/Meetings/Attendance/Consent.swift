/// The text that attendees of a meeting must agree to when they check in. The server stores the number of
/// the text with each check-in, and all texts with their numbers, so that a host can show the text to which
/// an attendee has agreed.
package struct Consent: Hashable, Sendable, Codable {
    /// The number of this text in its meeting: 1 for the first text. Two numbers never have the same text.
    package let number: Int
    /// The text in the host's words: 1–500 characters.
    package let text: String

    package static let lengths = 1...500
    /// The maximum number of texts of a meeting over its lifetime. They are deleted only with the meeting.
    package static let most = 50

    package init(number: Int, text: String) {
        self.number = number
        self.text = text
    }

    /// Returns why a check-in is refused; nil if the attendee has agreed to this text.
    /// - Parameter agreed: the number of the text that the attendee saw and agreed to; nil if there is none.
    package func refusal(of agreed: Int?) -> FieldError? {
        agreed == number ? nil : FieldError("/consentNumber", agreed == nil ? .notAgreed : .otherConsent)
    }
}

/// A text of `Consent` with the moment since which the meeting has had it.
package struct DatedConsent: Hashable, Sendable {
    package let consent: Consent
    package let since: Instant

    package init(_ consent: Consent, since: Instant) {
        self.consent = consent
        self.since = since
    }
}
