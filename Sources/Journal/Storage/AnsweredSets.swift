import Meetings

/// The question sets that the responses of a batch have read, with their tallies. So a batch of responses
/// reads each set once, and writes its counts once. The transaction writes the counts before any other kind
/// of command, and before the commit.
///
/// A refused command reverts nothing here: after a change the batch begins again with savepoints, and then
/// the counts are written in the savepoint of each command.
struct AnsweredSets {
    /// A set as the batch has changed it.
    private final class Entry {
        let session: SessionID
        var set: QuestionSet
        /// Nil until a response was counted.
        var tallies: [QuestionID: TallyRecord]?
        /// The questions whose tallies are not in the rows.
        var unsavedTallies: Set<QuestionID> = []
        var hasUnsavedCounts = false

        init(_ set: QuestionSet, of session: SessionID) { (self.set, self.session) = (set, session) }
    }

    private struct Key: Hashable {
        let session: SessionID
        let set: String
    }

    /// Empty while another command than a response runs.
    private var entries: [Key: Entry] = [:]
    /// Whether the running command is a response, whose sets are remembered.
    private var isResponding = false

    /// The most sets of a batch, which bounds the memory for their questions.
    private static let mostSets = 64

    /// Begins a command. Writes the changes of earlier commands if the command is no response, or if there
    /// are many sets.
    mutating func begin(responds: Bool, in rows: any WritableRows) throws(JournalError) {
        if !responds || entries.count >= Self.mostSets {
            try write(to: rows)
            forgetAll()
        }
        isResponding = responds
    }

    /// Forgets the sets, whose changes are written or rolled back.
    mutating func forgetAll() {
        isResponding = false
        if !entries.isEmpty { entries = [:] }
    }

    func set(_ name: String, of session: SessionID) -> QuestionSet? {
        entries[Key(session: session, set: name)]?.set
    }

    /// Remembers a set as the rows have it.
    mutating func remember(_ set: QuestionSet, of session: SessionID) {
        if isResponding { entries[Key(session: session, set: set.name)] = Entry(set, of: session) }
    }

    func tallies(of session: SessionID, set: String) -> [QuestionID: TallyRecord]? {
        entries[Key(session: session, set: set)]?.tallies
    }

    func remember(_ tallies: [QuestionID: TallyRecord], of session: SessionID, set: String) {
        entries[Key(session: session, set: set)]?.tallies = tallies
    }

    /// Changes a tally. Returns false if the caller must write it.
    func change(_ tally: TallyRecord, of question: QuestionID, in set: String, _ session: SessionID) -> Bool {
        guard let entry = entries[Key(session: session, set: set)], entry.tallies != nil else { return false }
        entry.tallies?[question] = tally
        entry.unsavedTallies.insert(question)
        return true
    }

    /// Changes the counts of the set. Returns false if the caller must write them.
    func change(_ set: QuestionSet, of session: SessionID) -> Bool {
        guard let entry = entries[Key(session: session, set: set.name)] else { return false }
        entry.set = set
        entry.hasUnsavedCounts = true
        return true
    }

    /// Writes the unsaved changes.
    func write(to rows: any WritableRows) throws(JournalError) {
        for entry in entries.values {
            for question in entry.unsavedTallies {
                if let tally = entry.tallies?[question] { try rows.save(tally, of: question) }
            }
            if entry.hasUnsavedCounts { try rows.saveSettings(of: entry.set, in: entry.session) }
            (entry.unsavedTallies, entry.hasUnsavedCounts) = ([], false)
        }
    }
}
