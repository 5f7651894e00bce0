extension CommandPhrases {
    /// Of `completion`.
    package enum Completion {
        package static let summary = Phrase("print a completion script for a shell", "셸 자동 완성 스크립트 출력")
        package static let shell = Phrase("bash, zsh or fish", "bash, zsh, fish 중 하나")
        package static let bashExample = Phrase(
            "for bash, with its package bash-completion", "bash용. bash-completion 패키지가 필요합니다")
        package static let zshExample = Phrase(
            "for zsh, where ~/.zfunc is in fpath", "zsh용. fpath에 ~/.zfunc가 있어야 합니다")
        package static let fishExample = Phrase("for fish", "fish용")
        package static let notes = Phrase(
            "For this shell alone: source <(qring completion bash), source <(qring completion zsh), qring "
                + "completion fish | source.\n"
                + "Commands, options, their values and files are completed, and the names and ids of your "
                + "meetings and sessions, asked from the server.",
            "지금 셸에서만: source <(qring completion bash), source <(qring completion zsh), qring completion "
                + "fish | source.\n"
                + "명령, 옵션, 값, 파일과 함께 서버에 물어본 모임과 회차의 이름과 ID도 완성합니다.")
    }

    /// Of the manual pages.
    package enum Manual {
        package static let option = Phrase("write manual pages into a folder, instead", "대신 폴더에 매뉴얼 쓰기")
        package static let example = Phrase("then: man ./qring.1", "그다음: man ./qring.1")
        package static let written = Phrase(
            "{count} pages in {folder}; read them with: man {first}", "{folder}에 {count}쪽. 읽기: man {first}")
        package static let title = Phrase("QRing manual", "QRing 매뉴얼")
        package static let name = Phrase("NAME", "이름")
        package static let synopsis = Phrase("SYNOPSIS", "사용법")
        package static let description = Phrase("DESCRIPTION", "설명")
        package static let options = Phrase("OPTIONS", "옵션")
        package static let commands = Phrase("COMMANDS", "명령")
        package static let exitStatus = Phrase("EXIT STATUS", "종료 코드")
        package static let environment = Phrase("ENVIRONMENT", "환경 변수")
        package static let times = Phrase("TIMES", "시각")
        package static let references = Phrase("MEETINGS AND SESSIONS", "모임과 회차")
        package static let formatting = Phrase("OUTPUT", "출력")
        package static let examples = Phrase("EXAMPLES", "예")
        package static let seeAlso = Phrase("SEE ALSO", "함께 보기")
        package static let jsonFields = Phrase("JSON FIELDS", "JSON 필드")
    }

    /// What stands behind `ETA` bars.
    package enum Progress {
        package static let attendees = Phrase("attendees", "참석자")
        package static let copying = Phrase("copying", "복사 중")
        package static let checking = Phrase("checking", "확인 중")
        package static let checkedIn = Phrase("checked in", "체크인")
        package static let responses = Phrase("answered", "답변")
    }
}
