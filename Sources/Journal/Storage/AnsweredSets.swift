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

    private var entries: [Key: Entry] = [:]
    /// The entries with unsaved changes.
    private var unsaved: [Entry] = []
    /// Whether the running command is a response, so that it uses these sets.
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
        if !entries.isEmpty { (entries, unsaved) = ([:], []) }
    }

    func set(_ name: String, of session: SessionID) -> QuestionSet? {
        isResponding ? entries[Key(session: session, set: name)]?.set : nil
    }

    /// Remembers a set as the rows have it.
    mutating func remember(_ set: QuestionSet, of session: SessionID) {
        if isResponding { entries[Key(session: session, set: set.name)] = Entry(set, of: session) }
    }

    func tallies(of session: SessionID, set: String) -> [QuestionID: TallyRecord]? {
        isResponding ? entries[Key(session: session, set: set)]?.tallies : nil
    }

    func remember(_ tallies: [QuestionID: TallyRecord], of session: SessionID, set: String) {
        if isResponding { entries[Key(session: session, set: set)]?.tallies = tallies }
    }

    /// Changes a tally. Returns false if the caller must write it.
    mutating func change(_ tally: TallyRecord, of question: QuestionID, in set: String, _ session: SessionID)
        -> Bool
    {
        guard isResponding, let entry = entries[Key(session: session, set: set)], entry.tallies != nil else {
            return false
        }
        note(entry)
        entry.tallies?[question] = tally
        entry.unsavedTallies.insert(question)
        return true
    }

    /// Changes the counts of the set. Returns false if the caller must write them.
    mutating func change(_ set: QuestionSet, of session: SessionID) -> Bool {
        guard isResponding, let entry = entries[Key(session: session, set: set.name)] else { return false }
        note(entry)
        entry.set = set
        entry.hasUnsavedCounts = true
        return true
    }

    private mutating func note(_ entry: Entry) {
        if !entry.hasUnsavedCounts, entry.unsavedTallies.isEmpty { unsaved.append(entry) }
    }

    /// Writes the unsaved changes.
    mutating func write(to rows: any WritableRows) throws(JournalError) {
        if unsaved.isEmpty { return }
        let all = unsaved
        unsaved = []
        for entry in all {
            for question in entry.unsavedTallies.sorted() {
                if let tally = entry.tallies?[question] { try rows.save(tally, of: question) }
            }
            if entry.hasUnsavedCounts { try rows.saveSettings(of: entry.set, in: entry.session) }
            (entry.unsavedTallies, entry.hasUnsavedCounts) = ([], false)
        }
    }
}
