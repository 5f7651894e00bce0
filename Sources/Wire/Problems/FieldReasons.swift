import Meetings
import Phrases

/// The machine code of a field's error, its message, and the values that fill the message.
typealias FieldMessage = (code: String, phrase: Phrase, values: [String: String])

extension FieldReason {
    /// Returns the host's own message in this language, or else in the nearest language; nil if the host
    /// wrote no message.
    func hostMessage(in language: Language) -> String? {
        switch self {
        case .missingWithMessage(let message): message.text(in: language.rawValue)
        case .rule(let rule): rule.message.isEmpty ? nil : rule.message.text(in: language.rawValue)
        default: nil
        }
    }

    /// Returns the server's own message for this error, with numbers as people write them in this language.
    func message(in language: Language) -> FieldMessage {
        switch self {
        // MARK: Values
        case .missing, .missingWithMessage:
            ("missing", Phrase("This is required."), [:])
        case .noAnswers:
            ("missing", Phrase("Answer at least one question."), [:])
        case .notAgreed:
            ("not_agreed", Phrase.Page.tickBox, [:])
        case .otherConsent:
            ("other_consent", Phrase("This text has changed. Read it, then tick the box again."), [:])
        case .wrongType(let expected): ("wrong_type", Self.typePhrase(expected), [:])
        case .length(let min, let max):
            (
                "length", Phrase("Enter {min} to {max} characters."),
                ["min": String(min), "max": String(max)]
            )
        case .range(let min, let max):
            (
                "range",
                Phrase("Enter a whole number from {min} to {max}."),
                ["min": String(min), "max": String(max)]
            )
        case .between(let min, let max):
            (
                "range", Rule.Test.numbers.both,
                ["min": language.number(Amount.text(min)), "max": language.number(Amount.text(max))]
            )
        case .decimals(let most):
            (
                "decimals",
                Phrase("Enter at most {most} decimals."),
                ["most": String(most)]
            )
        case .count(let min, let max):
            (
                "count", Phrase("Choose or enter {min} to {max} items."),
                ["min": String(min), "max": String(max)]
            )
        case .tooManyBytes:
            (
                "too_many_bytes",
                Phrase(
                    "This text is too long. Some characters (emoji) count more than once. Shorten it."), [:]
            )
        case .notText:
            (
                "not_text",
                Phrase(
                    "This contains an invisible character, perhaps from a copied text. "
                        + "Delete it and type it again."), [:]
            )
        case .notATime:
            (
                "not_a_time",
                Phrase("Enter a time such as 2026-11-21T19:00:00+09:00."), [:]
            )
        case .notADate:
            ("not_a_date", Phrase("Enter a date such as 2001-05-20."), [:])
        case .notAnEmail:
            (
                "not_an_email",
                Phrase.Page.emailWrong,
                [:]
            )
        case .notAPhoneNumber:
            (
                "not_a_phone_number",
                Phrase("Enter a phone number with its country's code, such as +82 10 1234 5678."), [:]
            )
        case .notAnID:
            (
                "not_an_id",
                Phrase("Enter an id of 26 letters and digits."),
                [:]
            )
        case .wellKnownPassword:
            (
                "well_known_password",
                Phrase("Many people use this password, so it is easy to guess. Choose another one."), [:]
            )
        case .passwordContainsAddress:
            (
                "password_contains_address",
                Phrase("This password contains your e-mail address. Choose another one."), [:]
            )
        case .unknownZone:
            (
                "unknown_zone",
                Phrase.Record.unknownZone, [:]
            )
        case .notOneOf(let values):
            (
                "not_one_of", Phrase("Use one of these: {values}."),
                ["values": values.joined(separator: ", ")]
            )
        case .dateOutside(let earliest, let latest):
            (
                "date_outside",
                Phrase("Choose a day from {earliest} to {latest}."),
                ["earliest": earliest, "latest": latest]
            )
        case .notTogether(let other):
            (
                "not_together",
                Phrase("This does not fit {field}. Leave one of them out."),
                ["field": other]
            )
        case .repeated: ("repeated", Phrase("This appears twice."), [:])
        case .reversedBounds:
            (
                "reversed_bounds",
                Phrase("The lower bound is above the upper one. Swap them."),
                [:]
            )
        case .notALanguage:
            (
                "not_a_language",
                Phrase("This is not a language tag such as ko or en."), [:]
            )

        // MARK: Times of sessions and attendance
        case .endsBeforeStart:
            ("ends_before_start", Phrase.Record.endBeforeStart, [:])
        case .tooLongASession(let days):
            (
                "too_long", Phrase("A session can last at most {days} days."),
                ["days": String(days)]
            )
        case .notALifetime(let days):
            (
                "not_a_lifetime",
                Phrase("Enter a time within the next {days} days."),
                ["days": String(days)]
            )
        case .outsideTheYears:
            (
                "outside_the_years",
                Phrase("Sessions can be from 1970 to 2199. Choose another time."), [:]
            )
        case .timeOfAbsentAttendee:
            (
                "no_time_of_the_absent",
                Phrase("Only attendees who arrived have an arrival time."),
                [:]
            )
        case .inTheFuture: ("in_the_future", Phrase("This time is in the future."), [:])
        case .outsideTheWindow:
            (
                "outside_the_window",
                Phrase("This time is outside the check-in window. Choose a status too."), [:]
            )
        case .unknownAttendee:
            (
                "unknown_attendee",
                Phrase("We can't find the other attendee in this session."), [:]
            )

        // MARK: Rosters
        case .sameAs(let other):
            (
                "same_as", Phrase("This is the same as in {other}."),
                ["other": other]
            )
        case .unknownPerson:
            (
                "unknown_person",
                Phrase("Nobody on this roster has this id."), [:]
            )
        case .notADoorEntry:
            (
                "not_a_door_entry",
                Phrase("This is no entry that an offline door of this session has signed."), [:]
            )
        case .notAPublicKey:
            ("not_a_public_key", Phrase("Send the 32 bytes of an Ed25519 key in base64url."), [:])
        case .sessionNotOver:
            (
                "session_not_over",
                Phrase("This session is not over. Wait for its end, or end it now."), [:]
            )
        case .takenByAnotherPerson:
            (
                "of_another_person",
                Phrase("Another person on the roster already has this e-mail address or number."), [:]
            )
        case .noNameColumn:
            (
                "no_name_column",
                Phrase(
                    "The first line must name the columns: name, and email or number if there are any."), [:]
            )
        case .badQuotes:
            (
                "bad_quotes",
                Phrase("The closing quotation mark is missing, or other characters follow it."), [:]
            )
        case .tooManyColumns(let most):
            (
                "too_many_columns",
                Phrase(
                    "This line has more than {max} columns. Delete the columns that you do not need."),
                ["max": String(most)]
            )
        case .notUTF8:
            (
                "not_utf8",
                Phrase(
                    "The file's letters cannot be read, because it is not UTF-8. In Excel, save it as "
                        + "\"CSV UTF-8 (Comma delimited)\"."), [:]
            )

        // MARK: Questions and answers
        case .unknownQuestion:
            ("unknown_question", Phrase("There is no such question here."), [:])
        case .unknownChoice: ("unknown_choice", Phrase("There is no such choice."), [:])
        case .otherNotChosen:
            (
                "other_not_chosen",
                Phrase(
                    "You typed your own answer but did not choose the choice above it. Choose it, "
                        + "or delete the text."),
                [:]
            )
        case .rule(let rule): rule.test.message(in: language)
        case .badPattern(let reason):
            ("bad_pattern", PatternReasons.phrase(for: reason), ["reason": reason])
        case .ruleDoesNotApply:
            (
                "rule_does_not_apply",
                Phrase("Questions of this type cannot have this rule. Choose another rule."), [:]
            )
        case .oneOther:
            (
                "one_other",
                Phrase("Only one choice can have a field for the attendee's own text."), [:]
            )
        case .notASetName:
            (
                "not_a_set_name",
                Phrase.Page.setNameRule, [:]
            )
        case .branchTellsAnswer:
            (
                "branch_tells_answer",
                Phrase(
                    "The next set would reveal who gave the answer. Show the names of this set's answers, or "
                        + "lead all attendees to the same next set."), [:]
            )
        case .anonymousAnswersStay:
            (
                "anonymous_answers_stay",
                Phrase(
                    "Anonymous answers cannot change, because nothing shows whose they are. Choose another "
                        + "promise first."), [:]
            )
        case .setBelongsToSession:
            (
                "set_belongs_to_session",
                Phrase(
                    "Every session has this set, so you cannot delete it. Remove its questions instead."), [:]
            )
        case .checkInIsAlwaysNamed:
            (
                "named_always",
                Phrase("Answers to check-in questions are always stored with the name."), [:]
            )

        // MARK: Files of questions and published forms
        case .notJSON:
            ("not_json", Phrase("The file is not valid JSON from here on."), [:])
        case .tooDeep(let most): Self.limit(.jsonTooDeep, most)
        case .keyTooLong(let most): Self.limit(.jsonKeyTooLong, most)
        case .tooManyValues(let most): Self.limit(.jsonTooManyValues, most)
        case .unknownFormat:
            (
                "unknown_format",
                Phrase("This is not a file of questions. It has neither questions nor data.forms."), [:]
            )
        case .unknownField:
            ("unknown_field", Phrase("This field is unknown."), [:])
        case .ambiguousName:
            (
                "ambiguous_name",
                Phrase(
                    "Several fields or choices have this name. Rename one, or write $ before the name of the "
                        + "field."), [:]
            )
        case .notRepresentable:
            (
                "not_representable",
                Phrase("The other format does not support this. Delete or change it."), [:]
            )
        case .notAWebAddress:
            (
                "not_a_web_address",
                Phrase(
                    "Enter an address such as https://example.org/questions.json, without a user name."), [:]
            )
        case .notAWebhookAddress:
            (
                "not_a_webhook_address",
                Phrase(
                    "Enter an address such as https://example.org/events, without a user name. Its port is "
                        + "443, or 1024 and above."), [:]
            )
        case .notAFormName:
            (
                "not_a_form_name",
                Phrase.Page.formNameRule, [:]
            )
        case .formNameTaken:
            (
                "form_name_taken",
                Phrase("Another form is published under this name."), [:]
            )
        }
    }

    private static func limit(_ code: ProblemCode, _ most: Int) -> FieldMessage {
        (code.rawValue, code.phrases.detail, ["limit": String(most)])
    }

    /// Returns the message for a value of a wrong type.
    /// - Parameter expected: JSON types such as `string, number or array`.
    private static func typePhrase(_ expected: String) -> Phrase {
        typePhrases[expected] ?? Phrase(verbatim: "This must be of type \(expected).")
    }

    private static let typePhrases: [String: Phrase] = [
        "array": Phrase("This must be of type array."),
        "array, string, number or object": Phrase("This must be of type array, string, number or object."),
        "boolean": Phrase("This must be of type boolean."),
        "integer": Phrase("This must be of type integer."),
        "integer or string": Phrase("This must be of type integer or string."),
        "number": Phrase("This must be of type number."),
        "number or \"-\"": Phrase("This must be of type number or \"-\"."),
        "number or null": Phrase("This must be of type number or null."),
        "object": Phrase("This must be of type object."),
        "string": Phrase("This must be of type string."),
        "string or number": Phrase("This must be of type string or number."),
        "string, number or array": Phrase("This must be of type string, number or array."),
        "string, number or boolean": Phrase("This must be of type string, number or boolean."),
    ]
}

extension Rule.Test {
    /// Returns the server's message if the host wrote no message for this rule.
    fileprivate func message(in language: Language) -> FieldMessage {
        switch self {
        case .not:
            (
                "rule_not",
                Phrase("This answer is not allowed here. Choose another."),
                [:]
            )
        case .minMax(let min, let max):
            bounded(
                "rule_min_max", min.map { language.number(Amount.text($0)) },
                max.map { language.number(Amount.text($0)) }, Self.numbers)
        case .minMaxLength(let min, let max):
            bounded("rule_min_max_length", min.map { String($0) }, max.map { String($0) }, Self.lengths)
        case .sameAs, .sameAsQuestion:
            ("rule_same_as", Phrase("The answer does not match."), [:])
        case .pattern:
            (
                "rule_pattern",
                Phrase("The answer does not have the required format."), [:]
            )
        }
    }

    fileprivate typealias Bounds = (both: Phrase, least: Phrase, most: Phrase)

    fileprivate static let numbers: Bounds = (
        Phrase("Enter a number from {min} to {max}."),
        Phrase("Enter a number of at least {min}."),
        Phrase("Enter a number of at most {max}.")
    )
    private static let lengths: Bounds = (
        Phrase("The answer needs {min} to {max} characters or choices."),
        Phrase("The answer needs at least {min} {min|character or choice|characters or choices}."),
        Phrase("The answer can have at most {max} {max|character or choice|characters or choices}.")
    )

    private func bounded(_ code: String, _ min: String?, _ max: String?, _ phrases: Bounds) -> FieldMessage {
        let phrase = min == nil ? phrases.most : max == nil ? phrases.least : phrases.both
        return (code, phrase, ["min": min ?? "", "max": max ?? ""])
    }
}

/// The messages for the pattern engine's errors, for hosts who do not know RE2. RE2's texts are in re2.cc,
/// `kErrorStrings`; after a colon, RE2 quotes the wrong part of the pattern.
private enum PatternReasons {
    static func phrase(for reason: String) -> Phrase {
        let known = known.first { reason.hasPrefix($0.beginning) }?.phrase
        return known
            ?? Phrase("This pattern cannot be used (RE2: {reason}).")
    }

    private static let known: [(beginning: String, phrase: Phrase)] = [
        (
            "missing )",
            Phrase("This pattern lacks a ) (RE2: {reason}).")
        ),
        (
            "unexpected )",
            Phrase("This pattern has a ) without a ( (RE2: {reason}).")
        ),
        (
            "missing ]",
            Phrase("This pattern lacks a ] (RE2: {reason}).")
        ),
        (
            "invalid escape",
            Phrase(
                "This character has no meaning after a backslash. Back references are not supported (RE2: "
                    + "{reason}).")
        ),
        (
            "invalid perl",
            Phrase("Look-ahead, look-behind and similar groups are not supported (RE2: {reason}).")
        ),
        (
            "no argument for repetition",
            Phrase("There is nothing to repeat before this (RE2: {reason}).")
        ),
        (
            "invalid repetition",
            Phrase("The repetition is malformed, or exceeds 1,000 in total (RE2: {reason}).")
        ),
        (
            "pattern too large",
            Phrase("This pattern is too large. Use fewer repetitions or kinds of characters (RE2: {reason}).")
        ),
    ]
}
