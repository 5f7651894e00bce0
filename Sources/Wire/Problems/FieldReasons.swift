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

    /// The server's own message for this error.
    var message: FieldMessage {
        switch self {
        // MARK: Values
        case .missing, .missingWithMessage:
            ("missing", Phrase("This is required.", "필수 항목입니다."), [:])
        case .noAnswers:
            ("missing", Phrase("Answer at least one question.", "질문 하나 이상에 답하세요."), [:])
        case .wrongType(let expected): ("wrong_type", Self.typePhrase(expected), [:])
        case .length(let min, let max):
            (
                "length", Phrase("Enter {min} to {max} characters.", "{min}~{max}자로 입력하세요."),
                ["min": String(min), "max": String(max)]
            )
        case .range(let min, let max):
            (
                "range",
                Phrase("Enter a whole number from {min} to {max}.", "{min} 이상 {max} 이하의 정수를 입력하세요."),
                ["min": String(min), "max": String(max)]
            )
        case .between(let min, let max):
            (
                "range", Rule.Test.numbers.both,
                ["min": Amount.text(min), "max": Amount.text(max)]
            )
        case .decimals(let most):
            (
                "decimals",
                Phrase("Enter at most {most} decimals.", "소수점 아래 최대 {most}자리까지 입력하세요."),
                ["most": String(most)]
            )
        case .count(let min, let max):
            (
                "count", Phrase("Choose or enter {min} to {max} items.", "{min}~{max}개를 선택하거나 입력하세요."),
                ["min": String(min), "max": String(max)]
            )
        case .tooManyBytes:
            (
                "too_many_bytes",
                Phrase(
                    "This text is too long. Some characters (emoji) count more than once. Shorten it.",
                    "너무 깁니다. 이모지처럼 여러 글자로 계산되는 문자가 있습니다. 더 짧게 입력하세요."), [:]
            )
        case .notText:
            (
                "not_text",
                Phrase(
                    "This contains an invisible character, perhaps from a copied text. "
                        + "Delete it and type it again.",
                    "보이지 않는 문자가 있습니다. 복사한 내용이라면 지우고 직접 입력하세요."), [:]
            )
        case .notATime:
            (
                "not_a_time",
                Phrase(
                    "Enter a time such as 2026-11-21T19:00:00+09:00.",
                    "2026-11-21T19:00:00+09:00과 같은 시각을 입력하세요."), [:]
            )
        case .notADate:
            ("not_a_date", Phrase("Enter a date such as 2001-05-20.", "2001-05-20과 같은 날짜를 입력하세요."), [:])
        case .notAnEmail:
            (
                "not_an_email",
                Phrase.Page.emailWrong,
                [:]
            )
        case .notAPhoneNumber:
            (
                "not_a_phone_number",
                Phrase(
                    "Enter a phone number with its country's code, such as +82 10 1234 5678.",
                    "010-1234-5678 또는 +82 10 1234 5678과 같은 전화번호를 입력하세요."), [:]
            )
        case .notAnID:
            (
                "not_an_id",
                Phrase(
                    "Enter an id of 26 letters and digits.",
                    "영문자와 숫자 26자로 된 ID를 입력하세요."),
                [:]
            )
        case .wellKnownPassword:
            (
                "well_known_password",
                Phrase(
                    "Many people use this password, so it is easy to guess. Choose another one.",
                    "많은 사람이 쓰는 비밀번호라서 추측하기 쉽습니다. 다른 비밀번호를 입력하세요."), [:]
            )
        case .passwordContainsAddress:
            (
                "password_contains_address",
                Phrase(
                    "This password contains your e-mail address. Choose another one.",
                    "비밀번호에 이메일이 들어 있습니다. 다른 비밀번호를 입력하세요."), [:]
            )
        case .unknownZone:
            (
                "unknown_zone",
                Phrase.Record.unknownZone, [:]
            )
        case .notOneOf(let values):
            (
                "not_one_of", Phrase("Use one of these: {values}.", "다음 중 하나를 사용하세요: {values}."),
                ["values": values.joined(separator: ", ")]
            )
        case .dateOutside(let earliest, let latest):
            (
                "date_outside",
                Phrase(
                    "Choose a day from {earliest} to {latest}.", "{earliest}부터 {latest}까지의 날짜를 선택하세요."),
                ["earliest": earliest, "latest": latest]
            )
        case .notTogether(let other):
            (
                "not_together",
                Phrase(
                    "This does not fit {field}. Leave one of them out.",
                    "{field}와(과) 함께 쓸 수 없습니다. 하나만 보내세요."),
                ["field": other]
            )
        case .repeated: ("repeated", Phrase("This appears twice.", "중복되었습니다."), [:])
        case .reversedBounds:
            (
                "reversed_bounds",
                Phrase("The lower bound is above the upper one. Swap them.", "하한이 상한보다 큽니다. 두 값을 서로 바꾸세요."),
                [:]
            )
        case .notALanguage:
            (
                "not_a_language",
                Phrase("This is not a language tag such as ko or en.", "ko, en과 같은 언어 태그가 아닙니다."), [:]
            )

        // MARK: Times of sessions and attendance
        case .endsBeforeStart:
            ("ends_before_start", Phrase.Record.endBeforeStart, [:])
        case .tooLongASession(let days):
            (
                "too_long", Phrase("A session can last at most {days} days.", "회차는 최대 {days}일까지 가능합니다."),
                ["days": String(days)]
            )
        case .notALifetime(let days):
            (
                "not_a_lifetime",
                Phrase(
                    "Enter a time within the next {days} days.", "앞으로 {days}일 안의 시각을 입력하세요."),
                ["days": String(days)]
            )
        case .outsideTheYears:
            (
                "outside_the_years",
                Phrase(
                    "Sessions can be from 1970 to 2199. Choose another time.",
                    "회차는 1970년부터 2199년까지 만들 수 있습니다. 다른 시간을 선택하세요."), [:]
            )
        case .timeOfAbsentAttendee:
            (
                "no_time_of_the_absent",
                Phrase("Only attendees who arrived have an arrival time.", "출석하거나 지각한 참석자에게만 도착 시각이 있습니다."),
                [:]
            )
        case .inTheFuture: ("in_the_future", Phrase("This time is in the future.", "아직 오지 않은 시각입니다."), [:])
        case .outsideTheWindow:
            (
                "outside_the_window",
                Phrase(
                    "This time is outside the check-in window. Choose a status too.",
                    "체크인 시간 밖입니다. 출결 상태도 함께 선택하세요."), [:]
            )
        case .unknownAttendee:
            (
                "unknown_attendee",
                Phrase("We can't find the other attendee in this session.", "이 회차에서 다른 참석자를 찾을 수 없습니다."), [:]
            )

        // MARK: Rosters
        case .sameAs(let other):
            (
                "same_as", Phrase("This is the same as in {other}.", "다음 항목과 같습니다: {other}"),
                ["other": other]
            )
        case .unknownPerson:
            (
                "unknown_person",
                Phrase("Nobody on this roster has this id.", "이 명단에 이 ID를 가진 사람이 없습니다."), [:]
            )
        case .takenByAnotherPerson:
            (
                "of_another_person",
                Phrase(
                    "Another person on the roster already has this e-mail address or number.",
                    "명단의 다른 사람이 이 이메일 또는 번호를 이미 사용하고 있습니다."), [:]
            )
        case .noNameColumn:
            (
                "no_name_column",
                Phrase(
                    "The first line must name the columns: name, and email or number if there are any.",
                    "첫 줄에 열 이름이 있어야 합니다. 이름 열은 필수이고, 이메일 열과 번호 열은 있을 때만 씁니다."), [:]
            )
        case .badQuotes:
            (
                "bad_quotes",
                Phrase(
                    "The closing quotation mark is missing, or other characters follow it.",
                    "닫는 따옴표가 없거나 그 뒤에 다른 글자가 있습니다."), [:]
            )
        case .tooManyColumns(let most):
            (
                "too_many_columns",
                Phrase(
                    "This line has more than {max} columns. Delete the columns that you do not need.",
                    "이 줄의 열이 {max}개를 넘습니다. 필요 없는 열을 지우세요."), ["max": String(most)]
            )
        case .notUTF8:
            (
                "not_utf8",
                Phrase(
                    "The file's letters cannot be read, because it is not UTF-8. In Excel, save it as "
                        + "\"CSV UTF-8 (Comma delimited)\".",
                    "UTF-8이 아니어서 파일의 글자를 읽을 수 없습니다. 엑셀에서 \"CSV UTF-8(쉼표로 분리)\"로 저장하세요."), [:]
            )

        // MARK: Questions and answers
        case .unknownQuestion:
            ("unknown_question", Phrase("There is no such question here.", "여기에 없는 질문입니다."), [:])
        case .unknownChoice: ("unknown_choice", Phrase("There is no such choice.", "없는 선택지입니다."), [:])
        case .otherNotChosen:
            (
                "other_not_chosen",
                Phrase(
                    "You typed your own answer but did not choose the choice above it. Choose it, "
                        + "or delete the text.",
                    "직접 입력한 답변이 있지만 바로 위의 선택지를 고르지 않았습니다. 선택지를 고르거나 입력한 내용을 지우세요."),
                [:]
            )
        case .rule(let rule): rule.test.message
        case .badPattern(let reason):
            ("bad_pattern", PatternReasons.phrase(for: reason), ["reason": reason])
        case .ruleDoesNotApply:
            (
                "rule_does_not_apply",
                Phrase(
                    "Questions of this type cannot have this rule. Choose another rule.",
                    "이 유형의 질문에는 쓸 수 없는 규칙입니다. 다른 규칙을 선택하세요."), [:]
            )
        case .oneOther:
            (
                "one_other",
                Phrase(
                    "Only one choice can have a field for the attendee's own text.",
                    "직접 입력 선택지는 하나만 둘 수 있습니다."), [:]
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
                        + "lead all attendees to the same next set.",
                    "다음 묶음으로 넘어간 것만으로 누가 답했는지 드러납니다. 실명으로 바꾸거나 모두를 같은 묶음으로 보내세요."), [:]
            )
        case .anonymousAnswersStay:
            (
                "anonymous_answers_stay",
                Phrase(
                    "Anonymous answers cannot change, because nothing shows whose they are. Choose another "
                        + "promise first.",
                    "익명 답변은 누구의 것인지 알 수 없어 바꿀 수 없습니다. 먼저 다른 공개 방식을 선택하세요."), [:]
            )
        case .setBelongsToSession:
            (
                "set_belongs_to_session",
                Phrase(
                    "Every session has this set, so you cannot delete it. Remove its questions instead.",
                    "모든 회차에 있는 질문 묶음이라 삭제할 수 없습니다. 대신 질문을 지우세요."), [:]
            )
        case .checkInIsAlwaysNamed:
            (
                "named_always",
                Phrase(
                    "Answers to check-in questions are always stored with the name.",
                    "체크인 질문의 답변은 항상 이름과 함께 저장됩니다."), [:]
            )

        // MARK: Files of questions and published forms
        case .notJSON:
            ("not_json", Phrase("The file is not valid JSON from here on.", "여기부터 올바른 JSON이 아닙니다."), [:])
        case .tooDeep(let most): Self.limit(.jsonTooDeep, most)
        case .keyTooLong(let most): Self.limit(.jsonKeyTooLong, most)
        case .tooManyValues(let most): Self.limit(.jsonTooManyValues, most)
        case .unknownFormat:
            (
                "unknown_format",
                Phrase(
                    "This is not a file of questions. It has neither questions nor data.forms.",
                    "질문 파일이 아닙니다. questions도 data.forms도 없습니다."), [:]
            )
        case .unknownField:
            ("unknown_field", Phrase("This field is unknown.", "알 수 없는 항목입니다."), [:])
        case .ambiguousName:
            (
                "ambiguous_name",
                Phrase(
                    "Several fields or choices have this name. Rename one, or write $ before the name of the "
                        + "field.",
                    "같은 이름의 항목이나 선택지가 둘 이상입니다. 이름을 바꾸거나, 항목이면 이름 앞에 $를 쓰세요."), [:]
            )
        case .notRepresentable:
            (
                "not_representable",
                Phrase(
                    "The other format does not support this. Delete or change it.",
                    "다른 형식에서 지원하지 않는 항목입니다. 삭제하거나 변경하세요."), [:]
            )
        case .notAWebAddress:
            (
                "not_a_web_address",
                Phrase(
                    "Enter an address such as https://example.org/questions.json, without a user name.",
                    "https://example.org/questions.json 같은 주소를 입력하세요. 주소에 사용자 이름이나 비밀번호를 넣을 수 없습니다."), [:]
            )
        case .notAFormName:
            (
                "not_a_form_name",
                Phrase.Page.formNameRule, [:]
            )
        case .formNameTaken:
            (
                "form_name_taken",
                Phrase("Another form is published under this name.", "같은 이름으로 공개된 양식이 있습니다."), [:]
            )
        }
    }

    private static func limit(_ code: ProblemCode, _ most: Int) -> FieldMessage {
        (code.rawValue, code.phrases.detail, ["limit": String(most)])
    }

    /// Returns the message for a value of a wrong type.
    /// - Parameter expected: JSON types such as `string, number or array`.
    private static func typePhrase(_ expected: String) -> Phrase {
        let types = expected.replacing(" or ", with: ", ").split(separator: ", ").map(String.init)
        let korean = types.map { koreanTypes[$0] ?? $0 }
        let list = korean.dropLast().joined(separator: ", ")
        let all = list.isEmpty ? korean.last ?? "" : "\(list) 또는 \(korean.last ?? "")"
        return Phrase("This must be of type \(expected).", "\(all) 형식이어야 합니다.")
    }

    private static let koreanTypes = [
        "string": "텍스트", "number": "숫자", "integer": "정수", "boolean": "참/거짓", "array": "목록",
        "object": "객체", "null": "빈 값",
    ]
}

extension Rule.Test {
    /// The server's message if the host wrote no message for this rule.
    fileprivate var message: FieldMessage {
        switch self {
        case .not:
            (
                "rule_not",
                Phrase("This answer is not allowed here. Choose another.", "이 답은 사용할 수 없습니다. 다르게 답해 주세요."),
                [:]
            )
        case .minMax(let min, let max):
            bounded("rule_min_max", min.map(Amount.text), max.map(Amount.text), Self.numbers)
        case .minMaxLength(let min, let max):
            bounded("rule_min_max_length", min.map { String($0) }, max.map { String($0) }, Self.lengths)
        case .sameAs, .sameAsQuestion:
            ("rule_same_as", Phrase("The answer does not match.", "답변이 일치하지 않습니다."), [:])
        case .pattern:
            (
                "rule_pattern",
                Phrase("The answer does not have the required format.", "형식이 올바르지 않습니다."), [:]
            )
        }
    }

    fileprivate typealias Bounds = (both: Phrase, least: Phrase, most: Phrase)

    fileprivate static let numbers: Bounds = (
        Phrase("Enter a number from {min} to {max}.", "{min} 이상 {max} 이하의 수를 입력하세요."),
        Phrase("Enter a number of at least {min}.", "{min} 이상의 수를 입력하세요."),
        Phrase("Enter a number of at most {max}.", "{max} 이하의 수를 입력하세요.")
    )
    private static let lengths: Bounds = (
        Phrase(
            "The answer needs {min} to {max} characters or choices.",
            "글자나 선택 항목이 {min}개 이상 {max}개 이하여야 합니다."),
        Phrase(
            "The answer needs at least {min} {min|character or choice|characters or choices}.",
            "글자나 선택 항목이 {min}개 이상이어야 합니다."),
        Phrase(
            "The answer can have at most {max} {max|character or choice|characters or choices}.",
            "글자나 선택 항목이 {max}개 이하여야 합니다.")
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
            ?? Phrase("This pattern cannot be used (RE2: {reason}).", "사용할 수 없는 패턴입니다(RE2: {reason}).")
    }

    private static let known: [(beginning: String, phrase: Phrase)] = [
        (
            "missing )",
            Phrase("This pattern lacks a ) (RE2: {reason}).", "패턴에 닫는 )가 없습니다(RE2: {reason}).")
        ),
        (
            "unexpected )",
            Phrase("This pattern has a ) without a ( (RE2: {reason}).", "패턴에 짝이 없는 )가 있습니다(RE2: {reason}).")
        ),
        (
            "missing ]",
            Phrase("This pattern lacks a ] (RE2: {reason}).", "패턴에 닫는 ]가 없습니다(RE2: {reason}).")
        ),
        (
            "invalid escape",
            Phrase(
                "This character has no meaning after a backslash. Back references are not supported (RE2: "
                    + "{reason}).",
                "역슬래시 뒤에 사용할 수 없는 문자입니다. 역참조도 사용할 수 없습니다(RE2: {reason}).")
        ),
        (
            "invalid perl",
            Phrase(
                "Look-ahead, look-behind and similar groups are not supported (RE2: {reason}).",
                "전방 탐색, 후방 탐색 같은 구문은 사용할 수 없습니다(RE2: {reason}).")
        ),
        (
            "no argument for repetition",
            Phrase(
                "There is nothing to repeat before this (RE2: {reason}).", "앞에 반복할 것이 없습니다(RE2: {reason}).")
        ),
        (
            "invalid repetition",
            Phrase(
                "The repetition is malformed, or exceeds 1,000 in total (RE2: {reason}).",
                "반복 횟수가 잘못되었거나, 모두 합쳐 1,000번이 넘습니다(RE2: {reason}).")
        ),
        (
            "pattern too large",
            Phrase(
                "This pattern is too large. Use fewer repetitions or kinds of characters (RE2: {reason}).",
                "패턴이 너무 큽니다. 반복이나 문자 종류를 줄이세요(RE2: {reason}).")
        ),
    ]
}
