package import Meetings
package import Phrases

/// A problem in the caller's language (RFC 9457). It contains no secrets, so it may be shown and logged.
package struct Problem: Error, Codable, Hashable, Sendable {
    package let type: String
    package let title: String
    package let status: Int
    package let detail: String
    package let code: String
    package var requestId: String?
    package var errors: [FieldProblem]?
    /// The time at which the closed window opens.
    package var opensAt: Instant?
    package var closedAt: Instant?
    /// The overlapping sessions.
    package var overlaps: [OverlapBody]?
    /// The version that the server has now.
    package var current: Int?
    /// The attendee that already exists.
    package var attendeeId: AttendeeID?
    /// Whether answers are anonymous now, if this has changed since the attendee read the form.
    package var anonymous: Bool?
    /// The form's promise now, if it has changed since the attendee read the form.
    package var promise: AnswerPromise?
    /// The failure object of the format of published forms, for published forms only.
    package var data: FormOutcome?
    /// The value of the `Retry-After` header, in seconds. It is not part of the body.
    package var retryAfterSeconds: Int?

    private enum CodingKeys: String, CodingKey {
        case type, title, status, detail, code, requestId, errors, opensAt, closedAt, overlaps, current,
            attendeeId, anonymous, promise, data
    }

    /// - Parameter detail: a more specific text than the text of the code.
    package init(
        code: ProblemCode, in language: Language, _ values: [String: String] = [:],
        saying detail: Phrase? = nil
    ) {
        type = "urn:qring:problem:\(code.rawValue)"
        title = code.phrases.title.text(in: language, values)
        status = code.status
        self.detail = (detail ?? code.phrases.detail).text(in: language, values)
        self.code = code.rawValue
        retryAfterSeconds = code.status == 503 ? 2 : nil
    }
}

extension Problem {
    /// Makes the problem for a text that cannot be read as JSON.
    package init(_ fault: JSONFault, in language: Language) {
        let (code, reason): (ProblemCode, FieldReason) =
            switch fault.reason {
            case .notJSON: (.notJSON, .notJSON)
            case .tooDeep: (.jsonTooDeep, .tooDeep(most: JSONLimits.mostLevels))
            case .keyTooLong: (.jsonKeyTooLong, .keyTooLong(most: JSONLimits.mostKeyBytes))
            case .tooManyValues: (.jsonTooManyValues, .tooManyValues(most: JSONLimits.mostValues))
            }
        self.init(code: code, in: language, reason.message(in: language).values)
        errors = [FieldProblem(FieldError("", reason, line: fault.line), in: language)]
    }
}

/// An error of one field, in the caller's language.
package struct FieldProblem: Codable, Hashable, Sendable {
    /// A JSON pointer into the body, or the name of a query parameter (`?limit`) or of a header.
    package let field: String
    package let code: String
    package let message: String
    /// The line in an uploaded file, counted from 1.
    package let line: Int?

    package init(_ error: FieldError, in language: Language) {
        let message = error.reason.message(in: language)
        field = error.field
        line = error.line
        code = message.code
        self.message =
            error.reason.hostMessage(in: language) ?? message.phrase.text(in: language, message.values)
    }
}

/// A session that overlaps another session.
package struct OverlapBody: Codable, Hashable, Sendable {
    package let id: SessionID
    package let meetingName: String
    package let startsAt: Instant
    package let endsAt: Instant

    package init(_ overlap: Overlap) {
        id = overlap.session.id
        meetingName = overlap.meetingName
        startsAt = overlap.session.startsAt
        endsAt = overlap.session.endsAt
    }
}
