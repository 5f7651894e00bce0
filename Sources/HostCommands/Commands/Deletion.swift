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
        "all its sessions with their check-ins, answers and questions, its roster and its image")
    static let ofSession = Phrase("its check-ins, answers, questions and change history")
    static let ofPoll = Phrase("its questions and answers")
    static let ofAttendee = Phrase(
        "the check-in, the answers with this name, the notes and the questions with this name")
    static let ofPerson = Phrase(
        "the attendance in all sessions of the meeting, the answers with this name and the notes")
    static let ofAccount = Phrase("the account and the meetings that nobody else owns")
    static let ofImage = Phrase("the image file")
}

extension CommandPhrases.Messages {
    static let reallyDelete = Phrase("Delete {name}? This deletes {data}, and cannot be undone. [y/N]")
}

extension CommandPhrases.Fail {
    static let leftAlone = Phrase("{name} was not deleted.")
    static let deletionNeedsYes = Phrase(
        "Deleting {name} deletes {data}, and cannot be undone. If you want this, add --yes.")
    static let confirmDelete = Phrase(
        "people have checked in. Deleting {name} also deletes their records. To confirm, "
            + "enter the meeting's name.")
}
