/// RFC 6901.
package enum JSONPointer {
    /// A name as a pointer has it: `~` and `/` are escaped.
    package static func escaped(_ name: String) -> String {
        name.contains { $0 == "~" || $0 == "/" }
            ? name.replacing("~", with: "~0").replacing("/", with: "~1") : name
    }

    /// The names and indices that lead to the value.
    package static func steps(of pointer: String) -> [String] {
        pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init).map {
            step in
            step.contains("~") ? step.replacing("~1", with: "/").replacing("~0", with: "~") : step
        }
    }
}

/// What is wrong with one field of a request.
package struct FieldError: Error, Hashable, Sendable {
    /// A JSON pointer (RFC 6901) into the body, such as `/session/startsAt`; empty for the body itself.
    package let field: String
    package let reason: FieldReason
    /// Where it stands in a file that was sent, from 1.
    package let line: Int?

    /// An answer lists the first errors of a request: so many show what is wrong with it.
    package static let mostReported = 100

    package init(_ field: String, _ reason: FieldReason, line: Int? = nil) {
        self.field = field
        self.reason = reason
        self.line = line
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
    /// The number of characters is allowed, but the number of bytes is too large.
    case tooManyBytes
    case notATime
    case notADate
    case notAnEmail
    case notAnID
    case unknownZone
    case endsBeforeStart
    case tooLongASession(maxDays: Int)
    /// A session before 1970 or after 2199.
    case outsideTheYears
    case notOneOf([String])
    case repeated
    case unknownQuestion
    case unknownChoice

    // Answers to questions
    /// Missing, in the host's own words.
    case missingAsSaid(LocalizedText)
    case between(min: Double, max: Double)
    case decimals(most: Int)
    /// A text for "other", which was not chosen or is no choice.
    case otherNotChosen
    /// An answer breaks the host's rule.
    case rule(Rule)

    // Questions
    /// The engine's reason.
    case badPattern(String)
    /// A rule that says nothing of such a question.
    case ruleDoesNotApply
    /// The least is more than the most.
    case reversedBounds
    /// More than one choice takes a text.
    case oneOther
    case notALanguage
    case notASetName
    /// In an anonymous set an answer cannot lead elsewhere.
    case branchTellsAnswer
    /// The questions of the check-in.
    case namedAlways
    case noTimeOfTheAbsent
    case inTheFuture
    case outsideTheWindow
    case unknownAttendee
    /// The same person as in another entry of the request, by its pointer.
    case sameAs(String)
    /// Another person of the roster has it already.
    case ofAnotherPerson
    case noNameColumn
    case badQuotes
    case tooManyColumns(most: Int)
    case notUTF8

    // Files of questions
    case notJSON
    case tooDeep(most: Int)
    case keyTooLong(most: Int)
    case tooManyValues(most: Int)
    /// Of no format that is read.
    case unknownFormat
    case unknownField
    /// More than one thing of a file has the name that is meant.
    case ambiguousName
    /// The other format has nothing like it.
    case notRepresentable
    case notAWebAddress
    case notAFormName
    /// Another form is published under this name.
    case formNameTaken
}
