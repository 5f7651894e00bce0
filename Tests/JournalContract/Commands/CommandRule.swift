package import Journal

/// One thing that commands do, on every engine. An engine's tests run `CommandRule.all`, each on an engine of
/// its own that is still empty.
package struct CommandRule: Sendable, CustomStringConvertible {
    package let description: String
    package let check: @Sendable (any Engine) async throws -> Void

    init(_ description: String, on check: @escaping @Sendable (any Engine) async throws -> Void) {
        self.description = description
        self.check = check
    }

    /// A rule of commands alone: it gets a stage over the engine, before any account was made.
    init(_ description: String, _ check: @escaping @Sendable (Stage) async throws -> Void) {
        self.init(description) { engine in
            let stage = try Stage(engine)
            do {
                try await check(stage)
            } catch {
                await stage.storage.close()
                throw error
            }
            await stage.storage.close()
        }
    }

    package static let all: [CommandRule] =
        windowsOfCheckIn + repeats + crowds + ownRecords + commandBatches + failures + overlapRefusals
        + sessionEdits + statusRecomputes
        + meetingEdits + continuing + deletions + questionEdits + promises + responding + anonymousFeedback
        + smallGroups + secondRounds
        + namedFeedback
        + sealing
        + forms
        + publishedForms + checkInQuestions + followUps + accountCommands + signIns + presenterCommands
        + presenterRights + corrections
        + undoing
        + correctedPlaces + anyOrder
        + membership + keys + endedRights
        + rosterEdits + rosterImports + rosterPlaces + namesAsKeys + series
}
