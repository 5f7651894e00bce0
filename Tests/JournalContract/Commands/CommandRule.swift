package import Journal

/// A rule about commands that every engine must fulfil. An engine's tests run each rule of `CommandRule.all`
/// on a new, empty engine.
package struct CommandRule: Sendable, CustomStringConvertible {
    package let description: String
    package let check: @Sendable (any Engine) async throws -> Void

    init(_ description: String, on check: @escaping @Sendable (any Engine) async throws -> Void) {
        self.description = description
        self.check = check
    }

    /// Creates a rule that needs only commands. The rule gets a stage over the engine, which has no accounts
    /// yet.
    /// - Parameters:
    ///   - slices: the size of the slices of long commands.
    ///   - limits: the limits of each account.
    init(
        _ description: String, slices: SliceSize = .adaptive,
        limits: AccountLimits = AccountLimits(),
        _ check: @escaping @Sendable (Stage) async throws -> Void
    ) {
        self.init(description) { engine in
            let stage = try Stage(engine, slices: slices, limits: limits)
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
        absences + windowsOfCheckIn + repeats + crowds + ownRecords + strangers + commandBatches + failures
        + overlapRefusals
        + sessionEdits + statusRecomputes
        + meetingEdits + continuing + deletions + questionEdits + promises + polls + largeSets + responding
        + anonymousFeedback
        + smallGroups + secondRounds
        + namedFeedback
        + sealing
        + forms
        + publishedForms + checkInQuestions + followUps + accountCommands + signIns + namedTokens
        + accountStates
        + accountCodes
        + presenterCommands
        + presenterRights + corrections
        + undoing + undoingSteps
        + correctedSlots + anyOrder
        + membership + keys + endedRights
        + rosterEdits + rosterImports + rosterPlaces + namesAsKeys + series + regulars
        + jobs + endingJobs + jobReports + audienceQuestions + keptPromises + moderatedTexts + mails
        + mailings + codeRevocations
        + matching + privacy + devices + webhooks + nameRetention + passes + doors + satellites + replies
        + presence + certificates + kiosks + batchedResponses
}
