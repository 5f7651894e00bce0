extension CommandPhrases {
    /// Of questions, their sets and files, and of answering them.
    package enum Forms {
        package static let sets = Phrase("the question sets of a session", "회차의 질문 묶음들")
        package static let edit = Phrase(
            "open, close, share or publish a question set", "질문 묶음 열기, 닫기, 결과 공유, 공개")
        package static let editPoll = Phrase(
            "starts a vote, and shows its results to all", "투표를 시작하고 결과를 모두에게 보여 줍니다")
        package static let editPublish = Phrase(
            "anybody may answer, without checking in", "체크인 없이 누구나 답할 수 있게 합니다")
        package static let open = Phrase("take answers now, or no more", "지금 답변 받기 또는 닫기")
        package static let share = Phrase("show results to those who are in", "참석자에게 결과 보이기")
        package static let anonymous = Phrase(
            "store no names; cannot change after the questions were opened or shown",
            "이름을 저장하지 않기. 질문이 열렸거나 보인 뒤에는 바꿀 수 없음")
        package static let publish = Phrase(
            "the form's name on this server; \"\" takes it back", "이 서버에서의 양식 이름, \"\"는 공개 취소")
        package static let language = Phrase(
            "language of a file that has one: ko, en, …", "한 언어로 된 파일의 언어: ko, en, …")
        package static let importFile = Phrase(
            "take questions from a file or an address, in any format that is read", "파일이나 주소에서 질문 가져오기")
        package static let importExample = Phrase("into a set of its own", "따로 둔 묶음으로")
        package static let importURL = Phrase("the server fetches it", "서버가 직접 가져옵니다")
        package static let importLanguage = Phrase("adds a language to the same questions", "같은 질문에 언어를 더합니다")
        package static let importNotes = Phrase(
            "All of it is taken, or nothing: what has no place here is named with its line. Formats: our "
                + "own, forms with rules (data.forms), questionnaires.",
            "전부 가져오거나 아무것도 가져오지 않습니다. 둘 곳이 없는 항목은 줄 번호와 함께 알려 줍니다. 형식: qring, 규칙이 있는 양식(data.forms), 설문지.")
        package static let source = Phrase(
            "a JSON file, - for standard input, or its address", "JSON 파일, -는 표준 입력, 또는 주소")
        package static let export = Phrase(
            "questions as a file that can be imported again", "다시 가져올 수 있는 파일로 질문 내보내기")
        package static let format = Phrase("the file's format (default qring)", "파일 형식 (기본 qring)")
        package static let output = Phrase("into a file", "파일로")
        package static let copy = Phrase("copy the questions of another session", "다른 회차의 질문 복사")
        package static let copyOne = Phrase("one set, under another name", "묶음 하나를 다른 이름으로")
        package static let copySet = Phrase("one set alone", "이 묶음만")
        package static let copyAs = Phrase("what the copy is called", "복사본의 이름")
        package static let csv = Phrase(
            "the answers as a table, into a file; - for standard output", "답변을 표로 파일에 저장, -는 표준 출력")
        package static let byteOrderMark = Phrase(
            "with a mark by which spreadsheets know UTF-8", "스프레드시트가 UTF-8을 알아보는 표시 붙이기")

        package static let headSet = Phrase("SET", "묶음")
        package static let headQuestions = Phrase("QUESTIONS", "질문")
        package static let headOpen = Phrase("OPEN", "열림")
        package static let headShared = Phrase("SHARED", "공유")
        package static let headNamed = Phrase("NAMED", "실명")
        package static let headPublished = Phrase("PUBLISHED AS", "공개 이름")
        package static let hidden = Phrase("asked no more", "더 묻지 않음")

        package static let otherText = Phrase("What is it? ", "직접 입력: ")
        package static let notRight = Phrase("{title}: {message}", "{title}: {message}")
        package static let goesOn = Phrase("There is more: {set}", "이어지는 질문: {set}")
        package static let ended = Phrase("Nothing was stored: {message}", "저장하지 않았습니다: {message}")
        package static let skipped = Phrase(
            "Left out, because no answer was found that its rules take: {title}",
            "규칙에 맞는 답을 찾지 못해 건너뛴 질문: {title}")
        package static let unanswerable = Phrase(
            "Nobody could answer: no answer was found that the rules of \"{title}\" take.",
            "\"{title}\"의 규칙에 맞는 답을 찾지 못해 아무도 답하지 못했습니다.")
    }
}
