/// What the command line says. `Help` is in declarations, `Usage` about the line that was typed, `Fail` about
/// what went wrong, `Messages` the rest.
package enum CommandPhrases {
    package enum Usage {
        package static let didYouMean = Phrase("Did you mean {word}?", "혹시 {word}인가요?")
        package static let unknownCommand = Phrase("there is no command \"{word}\".", "\"{word}\" 명령이 없습니다.")
        package static let unknownOption = Phrase("there is no option {word}.", "{word} 옵션이 없습니다.")
        package static let missingValue = Phrase("{option} needs a value.", "{option}에는 값이 필요합니다.")
        package static let valueForFlag = Phrase("{option} takes no value.", "{option}에는 값을 쓰지 않습니다.")
        package static let notOneOf = Phrase(
            "{option} is one of {choices}, not \"{value}\".",
            "{option}에는 {choices} 중 하나를 쓰세요. \"{value}\"은(는) 안 됩니다.")
        package static let repeated = Phrase(
            "{option} can be given only once.", "{option}은(는) 한 번만 쓸 수 있습니다.")
        package static let unknownField = Phrase(
            "there is no field \"{field}\".", "\"{field}\" 필드가 없습니다.")
        package static let knownFields = Phrase("Known: {known}.", "쓸 수 있는 필드: {known}.")
        package static let unexpected = Phrase(
            "\"{word}\" is one word too many.", "\"{word}\"은(는) 필요 없는 단어입니다.")
        package static let missing = Phrase("{name} is missing.", "{name}이(가) 빠졌습니다.")
        package static let notReadable = Phrase(
            "{option} cannot be \"{value}\". Write it as in {expected}.",
            "{option}에 \"{value}\"은(는) 쓸 수 없습니다. 예: {expected}")
        package static let outOfRange = Phrase(
            "{option} must be a number from {least} to {most}.", "{option}에는 {least} 이상 {most} 이하의 수를 쓰세요.")
        package static let atLeast = Phrase(
            "{option} must be a number of at least {least}.", "{option}에는 {least} 이상의 수를 쓰세요.")
        package static let together = Phrase(
            "{one} and {other} exclude each other.", "{one}와(과) {other}은(는) 함께 쓸 수 없습니다.")
        package static let oneNeeded = Phrase("one of {options} is needed.", "{options} 중 하나가 필요합니다.")
    }

    package enum Fail {
        package static let unreachable = Phrase(
            "no connection to {url}: {detail}.", "{url}에 연결할 수 없습니다: {detail}")
        package static let timedOut = Phrase("{url} did not answer in time.", "{url}이(가) 제시간에 응답하지 않았습니다.")
        package static let notQRing = Phrase(
            "what answers at {url} is not a QRing server (status {status}).",
            "{url}에서 응답하는 것은 QRing 서버가 아닙니다(상태 {status}).")
        package static let line = Phrase("line {line}", "{line}행")
        package static let requestID = Phrase("request id: {id}", "요청 ID: {id}")
        package static let settingsUnreadable = Phrase(
            "{path} cannot be read: {reason}.", "{path}을(를) 읽을 수 없습니다: {reason}")
        package static let settingsUnwritable = Phrase(
            "{path} cannot be written: {reason}.", "{path}을(를) 쓸 수 없습니다: {reason}")
        package static let settingsBroken = Phrase(
            "{path} does not hold qring's settings; it was left as it is. Move it away, and sign in again.",
            "{path}에 qring 설정이 들어 있지 않아 그대로 두었습니다. 파일을 옮기고 다시 로그인하세요.")
        package static let notSignedIn = Phrase(
            "you are not signed in at {server}.", "{server}에 로그인하지 않았습니다.")
        package static let noTerminal = Phrase(
            "{what} is needed, and there is no terminal to ask on. Give {option}.",
            "{what}이(가) 필요하지만 물어볼 터미널이 없습니다. {option}을(를) 쓰세요.")
        package static let fileUnreadable = Phrase(
            "{path} cannot be read: {reason}.", "{path}을(를) 읽을 수 없습니다: {reason}")
        package static let fileUnwritable = Phrase(
            "{path} cannot be written: {reason}.", "{path}을(를) 쓸 수 없습니다: {reason}")
        package static let emptyPassword = Phrase("the password is empty.", "비밀번호가 비어 있습니다.")
        package static let passwordsDiffer = Phrase("the two passwords are not the same.", "두 비밀번호가 다릅니다.")
        package static let notFound = Phrase(
            "there is no session or meeting \"{text}\".", "\"{text}\" 회차나 모임이 없습니다.")
        package static let signInOver = Phrase("your sign-in is no longer valid.", "로그인이 더 이상 유효하지 않습니다.")
        package static let tokenRefused = Phrase(
            "the server does not accept the token in QRING_TOKEN.", "서버가 QRING_TOKEN의 토큰을 받아들이지 않습니다.")
        package static let noNearest = Phrase("no session is running or planned.", "진행 중이거나 예정된 회차가 없습니다.")
        package static let ambiguous = Phrase(
            "\"{text}\" can be several. Name one by its id:\n{candidates}",
            "\"{text}\"에 해당하는 것이 여럿입니다. ID로 고르세요:\n{candidates}")
        package static let notFoundNear = Phrase(
            "there is no session or meeting \"{text}\". Did you mean \"{near}\"?",
            "\"{text}\" 회차나 모임이 없습니다. 혹시 \"{near}\"인가요?")
        package static let leftAlone = Phrase("{name} was left as it is.", "{name}을(를) 그대로 두었습니다.")
        package static let watchTimeUp = Phrase("{time} are over.", "{time}이 지났습니다.")
        package static let notACode = Phrase(
            "\"{text}\" is neither a check-in code nor its address nor a join code.",
            "\"{text}\"은(는) 체크인 코드, 체크인 주소, 참여 코드가 아닙니다.")
        package static let alreadyIn = Phrase(
            "{name} is checked in already, from elsewhere; only there the record can be seen.",
            "{name} 님은 이미 다른 곳에서 체크인했습니다. 기록은 그곳에서만 볼 수 있습니다.")
        package static let noReceipt = Phrase("no check-in is saved here for that.", "여기에 저장된 체크인이 없습니다.")
        package static let notAnswers = Phrase(
            "{path} does not hold answers: a JSON object of question ids or numbers (\"1\", \"2\", …) and "
                + "values is expected.",
            "{path}에 답변이 없습니다. 질문 ID나 번호(\"1\", \"2\", …)와 값으로 된 JSON 객체가 필요합니다.")
        package static let confirmDelete = Phrase(
            "people have checked in, and deleting {name} deletes that, too: confirm it by the meeting's "
                + "name.",
            "체크인한 사람이 있습니다. {name}을(를) 삭제하면 기록도 삭제됩니다. 모임 이름으로 확인하세요.")
        package static let roomEnded = Phrase(
            "the room closed ({code}) {reason}", "룸이 닫혔습니다({code}) {reason}")
        package static let watchTimedOut = Phrase(
            "{goal} was not reached within {time}.", "{time} 안에 {goal}에 이르지 못했습니다.")
        package static let simulationFailed = Phrase(
            "{count} of {all} simulated attendees failed; first: {reason}",
            "모의 참석자 {all}명 중 {count}명이 실패했습니다. 첫 오류: {reason}")
        package static let demoSignUpClosed = Phrase(
            "this server takes no new accounts, and the demo needs one.", "이 서버는 새 계정을 받지 않아 데모를 할 수 없습니다.")
        package static let inputEnded = Phrase("the input ended.", "입력이 끝났습니다.")
        package static let nothingToChange = Phrase("nothing to change was given.", "바꿀 것이 없습니다.")
        package static let codeTooLong = Phrase(
            "the code cannot be drawn: {reason}.", "코드를 그릴 수 없습니다: {reason}")
    }
}
