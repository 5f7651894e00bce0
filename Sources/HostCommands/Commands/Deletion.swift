internal import Client
internal import CommandLine
internal import Phrases
internal import Terminal
internal import Wire

/// Asks before an action that cannot be undone, and names the data that the action deletes.
enum Deletion {
    private typealias Messages = CommandPhrases.Messages

    /// Deletes a meeting, session or poll after a confirmation. If attendees have checked in or answered, the
    /// host must also type its name, and reads `warning` before. The question shows `what` and `data`; the
    /// host must type `name`.
    static func confirmed(
        _ call: Invocation, _ what: String, data: Phrase, name: String, again: String,
        _ warning: Phrase = CommandPhrases.Fail.confirmDelete,
        _ delete: (String?) async throws(APIError) -> Void
    ) async throws(CommandFailure) {
        let confirmation = call.arguments.value("confirm")
        if confirmation == nil { try await confirm(call, what, data: data) }
        do throws(APIError) {
            try await delete(confirmation)
        } catch {
            guard error.code == .confirmationNeeded, confirmation == nil else { throw .api(error) }
            guard call.mayAsk else {
                throw .said(
                    .conflict, warning, ["name": TerminalEscaping.safe(name)],
                    next: "qring \(again) --confirm \(Following.quoted(name))")
            }
            call.note(warning, ["name": TerminalEscaping.safe(name)])
            guard let typed = await call.console.ask(call.text(CommandPhrases.Messages.name), hidden: false)
            else {
                throw .failed(CommandPhrases.Fail.inputEnded)
            }
            try await calling { () async throws(APIError) in try await delete(typed) }
        }
        call.note(Messages.deleted, ["name": TerminalEscaping.safe(what)])
    }

    /// Returns only if the user agrees to delete `what` with its `data`.
    /// - Throws: `.said` if the user does not agree, or if the command may not ask and `--yes` is missing.
    static func confirm(_ call: Invocation, _ what: String, data: Phrase) async throws(CommandFailure) {
        let values = ["name": TerminalEscaping.safe(what), "data": call.text(data)]
        guard
            try await call.confirmed(
                Messages.reallyDelete, orElse: CommandPhrases.Fail.deletionNeedsYes, values)
        else { throw .failed(CommandPhrases.Fail.leftAlone, values) }
    }

    // MARK: The data that a deletion deletes

    static let ofMeeting = Phrase(
        "all its sessions with their check-ins, answers and questions, its roster and its image",
        "모든 회차와 체크인, 답변, 질문, 명단, 이미지")
    static let ofSession = Phrase(
        "its check-ins, answers, questions and change history", "체크인, 답변, 질문, 변경 기록")
    static let ofPoll = Phrase("its questions and answers", "질문과 답변")
    static let ofAttendee = Phrase(
        "the check-in, the answers with this name, the notes and the questions with this name",
        "체크인, 이름과 함께 저장된 답변, 메모, 이름과 함께 낸 청중 질문")
    static let ofPerson = Phrase(
        "the attendance in all sessions of the meeting, the answers with this name and the notes",
        "모임 전체의 출석 기록, 이름과 함께 저장된 답변, 메모")
    static let ofAccount = Phrase(
        "the account and the meetings that nobody else owns", "계정과 다른 소유자가 없는 모임")
    static let ofImage = Phrase("the image file", "이미지 파일")
}

extension CommandPhrases.Messages {
    static let reallyDelete = Phrase(
        "Delete {name}? This deletes {data}, and cannot be undone. [y/N]",
        "{name}을(를) 삭제할까요? 함께 삭제되는 내용: {data}. 되돌릴 수 없습니다. [y/N]")
}

extension CommandPhrases.Fail {
    static let leftAlone = Phrase("{name} was not deleted.", "{name}을(를) 삭제하지 않았습니다.")
    static let deletionNeedsYes = Phrase(
        "Deleting {name} deletes {data}, and cannot be undone. If you want this, add --yes.",
        "{name}을(를) 삭제하면 다음 내용도 삭제되며 되돌릴 수 없습니다: {data}. 그래도 삭제하려면 --yes를 추가하세요.")
    static let confirmDelete = Phrase(
        "people have checked in. Deleting {name} also deletes their records. To confirm, "
            + "enter the meeting's name.",
        "체크인한 사람이 있습니다. {name}을(를) 삭제하면 그 기록도 삭제됩니다. 진행하려면 모임 이름을 입력하세요.")
}
