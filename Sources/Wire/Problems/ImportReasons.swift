import Meetings
import Phrases

/// What is said of files of questions, and of forms that are published.
extension FieldReason {
    var saidOfImports: (code: String, phrase: Phrase, values: [String: String]) {
        switch self {
        case .notJSON: ("not_json", Phrase("This is not JSON from here on.", "여기부터 JSON이 아닙니다."), [:])
        case .tooDeep(let most): Self.said(.jsonTooDeep, most)
        case .keyTooLong(let most): Self.said(.jsonKeyTooLong, most)
        case .tooManyValues(let most): Self.said(.jsonTooManyValues, most)
        case .unknownFormat:
            (
                "unknown_format",
                Phrase(
                    "This is no file of questions: there are neither questions nor data.forms.",
                    "질문 파일이 아닙니다. questions도 data.forms도 없습니다."), [:]
            )
        case .unknownField:
            ("unknown_field", Phrase("There is no place for this field.", "이 항목을 둘 곳이 없습니다."), [:])
        case .ambiguousName:
            (
                "ambiguous_name",
                Phrase(
                    "More than one field or choice has this name. Rename one, or write $ before the name of "
                        + "the field.",
                    "같은 이름의 항목이나 선택지가 둘 이상입니다. 이름을 바꾸거나, 항목이면 이름 앞에 $를 쓰세요."), [:]
            )
        case .notRepresentable:
            (
                "not_representable", Phrase("The other format has nothing like this.", "상대 형식으로 나타낼 수 없습니다."),
                [:]
            )
        case .notAWebAddress:
            (
                "not_a_web_address",
                Phrase(
                    "Give an address such as https://example.org/questions.json, without a user name.",
                    "https://example.org/questions.json 같은 주소를 사용자 이름 없이 쓰세요."), [:]
            )
        case .notAFormName:
            (
                "not_a_form_name",
                Phrase(
                    "A form's name is 1 to 40 characters of A–Z, a–z, 0–9, - and _.",
                    "양식 이름은 A–Z, a–z, 0–9, -, _ 로 된 1~40자여야 합니다."), [:]
            )
        case .formNameTaken:
            (
                "form_name_taken",
                Phrase("Another form is published under this name.", "같은 이름으로 공개된 양식이 있습니다."), [:]
            )
        default: ("invalid", Phrase("This cannot be used.", "쓸 수 없는 값입니다."), [:])
        }
    }

    private static func said(_ code: ProblemCode, _ most: Int) -> (
        code: String, phrase: Phrase, values: [String: String]
    ) {
        (code.rawValue, code.phrases.detail, ["limit": String(most)])
    }
}
