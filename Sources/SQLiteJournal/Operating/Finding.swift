package import Journal
package import Meetings

/// One thing that `Verification` found to be wrong.
package struct Finding: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        // The file.
        case commitsMissing, damagedFile, brokenReference, unreadable
        // The journal.
        case journalGap, counterDiffers, unknownEventData
        // The people.
        case headCountDiffers, arrivalWithoutEvent, arrivalLost, placeElsewhere, keyDiffers
        // Feedback.
        case responsesDiffer, publishedDiffer, marksDiffer, responseEventsDiffer, anonymousNamed,
            answerDoesNotFit, tallyDiffers
        // The lists.
        case latestSessionDiffers
    }

    package let kind: Kind
    /// Nil for what concerns the file as a whole.
    package let session: SessionID?
    /// What its sentence needs: counts, ids and names of columns, never what a person wrote.
    package let values: [String: String]

    init(_ kind: Kind, _ session: SessionID? = nil, _ values: [String: String] = [:]) {
        self.kind = kind
        self.session = session
        self.values = values
    }
}

extension Finding {
    /// `since` and `copy` are missing if they are not known.
    package init(_ loss: LostCommits) {
        var values = ["commits": "\(loss.commits)", "until": loss.until.rfc3339]
        values["since"] = loss.since?.rfc3339
        values["copy"] = loss.copy
        self.init(.commitsMissing, nil, values)
    }
}
