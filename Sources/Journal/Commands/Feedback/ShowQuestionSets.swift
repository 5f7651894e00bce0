package import Meetings

/// Stores that attendees see sets that the clock has not opened. This fixes `anonymous`. A set needs it once.
package struct ShowQuestionSets: Command {
    package let session: SessionID
    package let sets: [String]

    package init(session: SessionID, sets: [String]) {
        self.session = session
        self.sets = sets
    }

    /// The sets as they are now, which is what may be shown.
    package func run(in transaction: Transaction) throws(JournalError) -> [QuestionSet] {
        var shown: [QuestionSet] = []
        for name in sets {
            guard var set = try transaction.rows.questionSet(name, of: session) else { continue }
            if !set.anonymityIsFixed {
                set.anonymityIsFixed = true
                try transaction.saveSettings(of: set, in: session)
            }
            shown.append(set)
        }
        return shown
    }
}
