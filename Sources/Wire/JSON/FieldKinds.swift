package import Meetings

/// The functions that read each kind of request field. A function records an error and returns nil if the
/// field is malformed, or if the field is required and absent.
extension Fields {
    /// Reads a name or a line of text of 1 to `most` characters. The result is trimmed and in NFC. Control
    /// characters are errors.
    package func name(_ name: String, required: Bool = false, most: Int = 100) -> String? {
        value(
            name, required: required, .string(min: 1, max: most, format: nil, pattern: PersonalText.pattern)
        ) {
            guard let written = $0.string else {
                return .failure(FieldError("", .wrongType(expected: "string")))
            }
            return line(written, 1...most)
        }
    }

    /// Reads a line of text that may be empty.
    package func line(_ name: String, most: Int) -> String? {
        value(
            name, required: false,
            .string(min: 0, max: most, format: nil, pattern: PersonalText.emptyOrPattern)
        ) {
            guard let written = $0.string else {
                return .failure(FieldError("", .wrongType(expected: "string")))
            }
            if written.allSatisfy(\.isWhitespace) { return .success("") }
            return line(written, 0...most)
        }
    }

    private func line(_ written: String, _ length: ClosedRange<Int>) -> Result<String, FieldError> {
        Self.line(written, length).mapError { FieldError("", $0) }
    }

    static func line(_ written: String, _ length: ClosedRange<Int>) -> Result<String, FieldReason> {
        do throws(FieldReason) {
            return .success(try PersonalText.checked(written, limit: length.upperBound))
        } catch {
            guard case .length(_, let most) = error else { return .failure(error) }
            return .failure(.length(min: length.lowerBound, max: most))
        }
    }

    /// Reads a text without changing it. The number of its characters must be in `range`. Line breaks and
    /// tabs are allowed; other control characters are errors.
    package func text(_ name: String, required: Bool = false, _ range: ClosedRange<Int>) -> String? {
        value(
            name, required: required,
            .string(min: range.lowerBound, max: range.upperBound, format: nil, pattern: nil)
        ) {
            Self.text($0, range).mapError { FieldError("", $0) }
        }
    }

    static func text(_ node: JSONNode, _ range: ClosedRange<Int>) -> Result<String, FieldReason> {
        guard let text = node.string else { return .failure(.wrongType(expected: "string")) }
        // Each printable ASCII byte is a character.
        let isASCII = text.hasOnlyPrintableASCII
        guard range.contains(isASCII ? text.utf8.count : text.count) else {
            return .failure(.length(min: range.lowerBound, max: range.upperBound))
        }
        return isASCII || text.isPlainText ? .success(text) : .failure(.notText)
    }

    /// Reads an existing password. A password whose length no account can have is an error of the field; this
    /// does not depend on the account.
    package func password(_ name: String, required: Bool = false) -> String? {
        password(name, required: required, 1...PasswordText.mostCharacters)
    }

    func password(_ name: String, required: Bool, _ range: ClosedRange<Int>) -> String? {
        value(
            name, required: required,
            .string(min: range.lowerBound, max: range.upperBound, format: nil, pattern: nil)
        ) {
            Self.text($0, range).flatMap { PasswordText.fits($0) ? .success($0) : .failure(.tooManyBytes) }
                .mapError { FieldError("", $0) }
        }
    }

    /// Reads an e-mail address and normalizes it.
    package func email(_ name: String, required: Bool = false) -> String? {
        value(name, required: required, .string(min: 3, max: 254, format: "email", pattern: nil)) {
            guard let written = $0.string else {
                return .failure(FieldError("", .wrongType(expected: "string")))
            }
            return EmailAddress.normalized(written).map { .success($0) }
                ?? .failure(FieldError("", .notAnEmail))
        }
    }

    /// Reads a phone number and returns it in the form of E.164 (`PhoneNumber`).
    package func phoneNumber(_ name: String, required: Bool = false) -> String? {
        value(
            name, required: required,
            .string(min: 8, max: PhoneNumber.mostCharacters, format: nil, pattern: nil)
        ) {
            guard let written = $0.string else {
                return .failure(FieldError("", .wrongType(expected: "string")))
            }
            return PhoneNumber.normalized(written).map { .success($0) }
                ?? .failure(FieldError("", .notAPhoneNumber))
        }
    }

    /// Reads a whole number in `range`.
    package func integer(_ name: String, required: Bool = false, _ range: ClosedRange<Int>) -> Int? {
        value(name, required: required, .integer(min: range.lowerBound, max: range.upperBound)) {
            if let number = $0.integer, range.contains(number) { return .success(number) }
            // A whole number that is too large for `Int` is outside every range.
            guard let number = $0.number, number.rounded() == number else {
                return .failure(FieldError("", .wrongType(expected: "integer")))
            }
            return .failure(FieldError("", .range(min: range.lowerBound, max: range.upperBound)))
        }
    }

    /// Reads `true` or `false`.
    package func bool(_ name: String, required: Bool = false) -> Bool? {
        value(name, required: required, .boolean) {
            $0.bool.map { .success($0) } ?? .failure(FieldError("", .wrongType(expected: "boolean")))
        }
    }

    /// Reads a time in the format of RFC 3339 with an offset, in the years 1970–2199.
    package func instant(_ name: String, required: Bool = false) -> Instant? {
        value(name, required: required, .string(min: nil, max: 40, format: "date-time", pattern: nil)) {
            guard let text = $0.string else {
                return .failure(FieldError("", .wrongType(expected: "string")))
            }
            guard text.utf8.count <= 40, let instant = Instant(rfc3339: text), instant.isSensible else {
                return .failure(FieldError("", .notATime))
            }
            return .success(instant)
        }
    }

    /// Reads a date such as `2001-05-20`.
    package func date(_ name: String) -> String? {
        value(name, required: false, .string(min: nil, max: 10, format: "date", pattern: nil)) {
            guard let text = $0.string else {
                return .failure(FieldError("", .wrongType(expected: "string")))
            }
            return CivilDate(text) == nil ? .failure(FieldError("", .notADate)) : .success(text)
        }
    }

    /// Reads a time zone of the IANA database, such as `Asia/Seoul`.
    package func zone(_ name: String) -> Zone? {
        value(name, required: false, .string(min: 3, max: 64, format: nil, pattern: nil)) {
            guard let text = $0.string else {
                return .failure(FieldError("", .wrongType(expected: "string")))
            }
            return Zone(text).map { .success($0) } ?? .failure(FieldError("", .unknownZone))
        }
    }

    /// Reads a case of an enumeration by its raw value.
    package func choice<Choice>(_ name: String, of type: Choice.Type, required: Bool = false) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        let names = Choice.allCases.map(\.rawValue)
        return value(name, required: required, .oneOf(names)) {
            guard let text = $0.string else {
                return .failure(FieldError("", .wrongType(expected: "string")))
            }
            return Choice.allCases.first { $0.rawValue == text }.map { .success($0) }
                ?? .failure(FieldError("", .notOneOf(names)))
        }
    }

    /// Reads a choice of an edit, which null removes.
    package func replacement<Choice>(_ name: String, of type: Choice.Type) -> Replacement<Choice>?
    where Choice: RawRepresentable<String> & CaseIterable & Hashable & Sendable {
        isNull(name) ? .removed : choice(name, of: type).map { .value($0) }
    }

    /// Reads an id.
    package func id<Of>(_ name: String, of type: Of.Type, required: Bool = false) -> ID<Of>? {
        value(
            name, required: required,
            .string(min: 26, max: 26, format: nil, pattern: "^[0-9A-HJKMNP-TV-Z]{26}$")
        ) {
            guard let text = $0.string else {
                return .failure(FieldError("", .wrongType(expected: "string")))
            }
            return ID<Of>(text).map { .success($0) } ?? .failure(FieldError("", .notAnID))
        }
    }

    /// Reads `count` short texts of 1 to `characters` characters each.
    package func names(
        _ name: String, required: Bool = false, _ count: ClosedRange<Int>, characters: Int
    ) -> [String]? {
        let element = Schema.string(min: 1, max: characters, format: nil, pattern: PersonalText.pattern)
        return value(name, required: required, .array(element, min: count.lowerBound, max: count.upperBound))
        {
            guard $0.isArray else { return .failure(FieldError("", .wrongType(expected: "array"))) }
            let elements = $0.elements
            guard count.contains(elements.count) else {
                return .failure(FieldError("", .count(min: count.lowerBound, max: count.upperBound)))
            }
            var texts: [String] = []
            for element in elements {
                guard let written = element.string else {
                    return .failure(FieldError("", .length(min: 1, max: characters)))
                }
                switch line(written, 1...characters) {
                case .success(let text): texts.append(text)
                case .failure(let error): return .failure(error)
                }
            }
            return .success(texts)
        }
    }
}

extension PersonalText {
    private static let seen =
        #"[^\s\u0000-\u001f\u007f-\u009f]([^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f])?"#

    /// The pattern of a name in the API's description (ECMA-262): at least one character that is not a space,
    /// and no control characters between the first and the last such character.
    package static let pattern = #"^\s*\#(seen)\s*$"#
    /// The pattern of a name in the API's description that may also be blank.
    package static let emptyOrPattern = #"^\s*(\#(seen))?\s*$"#
}
