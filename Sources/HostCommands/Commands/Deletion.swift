internal import Client
internal import CommandLine
internal import Phrases
internal import Terminal
internal import Wire

/// Deletes a meeting, session or poll after a confirmation. If attendees have checked in or answered, the
/// host must also type its name, and reads `warning` before. The question shows `what`; the host must type
/// `name`.
enum Deletion {
    static func confirmed(
        _ call: Invocation, _ what: String, name: String, again: String,
        _ warning: Phrase = CommandPhrases.Fail.confirmDelete,
        _ delete: (String?) async throws(APIError) -> Void
    ) async throws(CommandFailure) {
        let confirmation = call.arguments.value("confirm")
        if confirmation == nil,
            await !call.confirmed(CommandPhrases.Messages.reallyDelete, ["name": TerminalEscaping.safe(what)])
        {
            throw .failed(CommandPhrases.Fail.leftAlone, ["name": TerminalEscaping.safe(what)])
        }
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
        call.note(CommandPhrases.Messages.deleted, ["name": TerminalEscaping.safe(what)])
    }
}

extension CommandPhrases.Messages {
    static let reallyDelete = Phrase("Delete {name}? [y/N]", "{name}을(를) 삭제할까요? [y/N]")
}

extension CommandPhrases.Fail {
    static let leftAlone = Phrase("{name} was not deleted.", "{name}을(를) 삭제하지 않았습니다.")
    static let confirmDelete = Phrase(
        "people have checked in. Deleting {name} also deletes their records. To confirm, "
            + "enter the meeting's name.",
        "체크인한 사람이 있습니다. {name}을(를) 삭제하면 그 기록도 삭제됩니다. 진행하려면 모임 이름을 입력하세요.")
}
