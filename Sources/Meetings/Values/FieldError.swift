/// What is wrong with one field of a request.
package struct FieldError: Error, Hashable, Sendable {
    /// A JSON pointer (RFC 6901) into the body, such as `/session/startsAt`; empty for the body itself.
    package let field: String
    package let reason: FieldReason

    package init(_ field: String, _ reason: FieldReason) {
        self.field = field
        self.reason = reason
    }
}

package enum FieldReason: Error, Hashable, Sendable {
    case missing
    /// `expected` is a JSON type: `string`, `integer`, `boolean`, `array`, `object`.
    case wrongType(expected: String)
    case length(min: Int, max: Int)
    case range(min: Int, max: Int)
    case count(min: Int, max: Int)
    case notText
    case notATime
    case notADate
    case notAnEmail
    case notAnID
    case unknownZone
    case endsBeforeStart
    case tooLongASession(maxDays: Int)
    case notOneOf([String])
    case repeated
    case unknownQuestion
    case unknownChoice
}
