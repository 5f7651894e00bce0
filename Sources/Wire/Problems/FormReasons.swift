import Meetings
import Phrases

/// What is said of questions and of answers to them.
extension FieldReason {
    /// The host's message, in the language or as near to it as there is one.
    func wordsOfHost(in language: Language) -> String? {
        switch self {
        case .missingWithMessage(let message): message.text(in: language.rawValue)
        case .rule(let rule): rule.message.isEmpty ? nil : rule.message.text(in: language.rawValue)
        default: nil
        }
    }

    var saidOfForms: (code: String, phrase: Phrase, values: [String: String]) {
        switch self {
        case .missingWithMessage: FieldReason.missing.said
        case .between(let min, let max):
            (
                "range", Phrase("This must be {min} to {max}.", "{min}에서 {max} 사이여야 합니다."),
                ["min": Amount.text(min), "max": Amount.text(max)]
            )
        case .decimals(let most):
            (
                "decimals",
                Phrase("Give at most {most} digits behind the point.", "소수점 아래 최대 {most}자리까지 쓰세요."),
                ["most": String(most)]
            )
        case .otherNotChosen:
            (
                "other_not_chosen",
                Phrase("A text is for the choice that asks for one.", "글은 직접 입력 선택지를 골랐을 때만 쓸 수 있습니다."), [:]
            )
        case .rule(let rule): rule.test.said
        case .badPattern(let reason):
            ("bad_pattern", PatternReasons.phrase(for: reason), ["reason": reason])
        case .reversedBounds:
            (
                "reversed_bounds",
                Phrase("The lower bound is above the upper one. Swap them.", "하한이 상한보다 큽니다. 둘을 바꿔 쓰세요."), [:]
            )
        case .ruleDoesNotApply:
            (
                "rule_does_not_apply",
                Phrase("This rule does not fit the question's kind.", "이 질문 종류에 맞지 않는 규칙입니다."), [:]
            )
        case .oneOther:
            ("one_other", Phrase("One choice may take a text, no more.", "직접 입력 선택지는 하나만 둘 수 있습니다."), [:])
        case .notALanguage:
            (
                "not_a_language",
                Phrase("This is not a language tag such as ko or en.", "ko, en 같은 언어 태그가 아닙니다."), [:]
            )
        case .notASetName:
            (
                "not_a_set_name",
                Phrase(
                    "A set's name is 1 to 40 characters of a–z, 0–9 and -.",
                    "묶음 이름은 a–z, 0–9, - 로 된 1~40자여야 합니다."), [:]
            )
        case .branchTellsAnswer:
            (
                "branch_tells_answer",
                Phrase(
                    "Who goes on to another set would tell what the anonymous answer was. Make the set "
                        + "named, or lead everybody on with next.",
                    "다른 묶음으로 넘어간 것만으로 익명 답변이 드러납니다. 실명으로 바꾸거나, next로 모두를 다음 묶음으로 보내세요."), [:]
            )
        case .checkInIsAlwaysNamed:
            (
                "named_always",
                Phrase("What is asked at check-in is kept with the name.", "체크인 때 묻는 질문은 항상 실명으로 저장됩니다."), [:]
            )
        default: ("invalid", Phrase("This cannot be used.", "쓸 수 없는 값입니다."), [:])
        }
    }
}

extension Rule.Test {
    /// What is said where the host said nothing.
    fileprivate var said: (code: String, phrase: Phrase, values: [String: String]) {
        switch self {
        case .not:
            (
                "rule_not",
                Phrase("This is not an answer here. Choose another.", "이 답은 쓸 수 없습니다. 다르게 답해 주세요."), [:]
            )
        case .minMax(let min, let max):
            bounded("rule_min_max", min.map(Amount.text), max.map(Amount.text), Self.numbers)
        case .minMaxLength(let min, let max):
            bounded("rule_min_max_length", min.map { String($0) }, max.map { String($0) }, Self.lengths)
        case .sameAs, .sameAsQuestion: ("rule_same_as", Phrase("This is not the same.", "일치하지 않습니다."), [:])
        case .pattern:
            ("rule_pattern", Phrase("This does not have the form that is asked for.", "형식이 올바르지 않습니다."), [:])
        }
    }

    private typealias Bounds = (both: Phrase, least: Phrase, most: Phrase)

    private static let numbers: Bounds = (
        Phrase("This must be {min} to {max}.", "{min}에서 {max} 사이여야 합니다."),
        Phrase("This must be at least {min}.", "{min} 이상이어야 합니다."),
        Phrase("This must be at most {max}.", "{max} 이하여야 합니다.")
    )
    private static let lengths: Bounds = (
        Phrase("The length must be {min} to {max}.", "길이가 {min}~{max}이어야 합니다."),
        Phrase("The length must be at least {min}.", "길이가 {min} 이상이어야 합니다."),
        Phrase("The length must be at most {max}.", "길이가 {max} 이하여야 합니다.")
    )

    private func bounded(
        _ code: String, _ min: String?, _ max: String?, _ phrases: Bounds
    ) -> (code: String, phrase: Phrase, values: [String: String]) {
        let phrase = min == nil ? phrases.most : max == nil ? phrases.least : phrases.both
        return (code, phrase, ["min": min ?? "", "max": max ?? ""])
    }
}

/// What the engine's words for a pattern mean (re2.cc, `kErrorStrings`; behind a colon it quotes the place),
/// for a host who knows no RE2.
private enum PatternReasons {
    static func phrase(for reason: String) -> Phrase {
        let said = known.first { reason.hasPrefix($0.beginning) }?.phrase
        return said ?? Phrase("This pattern cannot be used (RE2: {reason}).", "쓸 수 없는 패턴입니다(RE2: {reason}).")
    }

    private static let known: [(beginning: String, phrase: Phrase)] = [
        (
            "missing )",
            Phrase("A ) is missing in this pattern (RE2: {reason}).", "패턴에 닫는 )가 없습니다(RE2: {reason}).")
        ),
        (
            "unexpected )",
            Phrase("A ) of this pattern closes nothing (RE2: {reason}).", "패턴에 짝이 없는 )가 있습니다(RE2: {reason}).")
        ),
        (
            "missing ]",
            Phrase("A ] is missing in this pattern (RE2: {reason}).", "패턴에 닫는 ]가 없습니다(RE2: {reason}).")
        ),
        (
            "invalid escape",
            Phrase(
                "This means nothing behind a backslash here; back references are not taken (RE2: {reason}).",
                "역슬래시 뒤에 쓸 수 없는 문자입니다. 역참조도 쓸 수 없습니다(RE2: {reason}).")
        ),
        (
            "invalid perl",
            Phrase(
                "Look-ahead, look-behind and their like are not taken (RE2: {reason}).",
                "전방 탐색, 후방 탐색 같은 구문은 쓸 수 없습니다(RE2: {reason}).")
        ),
        (
            "no argument for repetition",
            Phrase(
                "There is nothing to repeat before this (RE2: {reason}).", "앞에 반복할 것이 없습니다(RE2: {reason}).")
        ),
        (
            "invalid repetition",
            Phrase(
                "This is repeated wrongly, or more than 1,000 times in all (RE2: {reason}).",
                "반복 횟수가 잘못되었거나, 모두 합쳐 1,000번이 넘습니다(RE2: {reason}).")
        ),
        (
            "pattern too large",
            Phrase(
                "This pattern is too large: repeat less, or ask for fewer kinds of characters (RE2: "
                    + "{reason}).",
                "패턴이 너무 큽니다. 반복이나 문자 종류를 줄이세요(RE2: {reason}).")
        ),
    ]
}
