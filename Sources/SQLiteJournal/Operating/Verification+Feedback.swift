import Journal
import Meetings
import SQLJournal

/// Checks the responses, the marks in `answered`, and the tallies. A mark records that an attendee has
/// answered a set.
///
/// Responses to a published form have neither a mark nor an attendee. The set counts these responses
/// (`without_receipt`). If a set was deleted and another one has its name now, only the events after the
/// deletion count. An event of changed answers (`fields`) belongs to no new response.
/// - In a **named** set, the responses, the marks, and the events with an existing attendee belong to the
///   same people. If an attendee withdraws, the response and the mark are deleted, and the event remains.
/// - In an **anonymous** set and a set that **hides names**, responses cannot be deleted, and each response
///   has one event without an
///   attendee. A mark is deleted with its attendee. Therefore the number of marks is the number of responses,
///   minus one for each attendee who answered and later left. The data does not reveal these attendees, so
///   the check only requires that the difference is at most the number of attendees who left. In a set that
///   hides names, the responses of present attendees have a link.
extension Connection {
    private static let most = Verification.mostOfAKind
    private static let leaving = leavingKinds
    private static let responded = Event.Kind.responded.code
    private static let edited = Event.Kind.edited.code
    /// The last deletion of each set, by its name. A table of its own is read once, and not for each event.
    private static let deletions = """
        deletions(session, name, sequence) AS MATERIALIZED (
            SELECT session, set_name, max(sequence) FROM events
            WHERE kind = \(edited) AND fields = '\(QuestionSet.deletedField)' GROUP BY session, set_name)
        """

    // Read every table once, for any number of sets in a session. Follow a chain of merges from the remaining
    // attendee; following it from each merged record would take quadratic time.
    private static let sets = Query(
        "recount responses",
        """
        WITH RECURSIVE behind(id, now) AS (
            SELECT m.id, m.into_attendee FROM merged_attendees m JOIN attendees a ON a.id = m.into_attendee
            UNION SELECT m.id, b.now FROM behind b JOIN merged_attendees m ON m.into_attendee = b.id),
        given(session, name, all_of_them, published, named) AS MATERIALIZED (
            SELECT session, set_name, count(*), count(*) FILTER (WHERE published = 1), count(attendee)
            FROM responses GROUP BY session, set_name),
        marks(session, name, count) AS MATERIALIZED (
            SELECT a.session, m.set_name, count(*) FROM answered m JOIN attendees a ON a.id = m.attendee
                GROUP BY a.session, m.set_name),
        \(deletions),
        recorded(session, name, nobodys, of_people) AS MATERIALIZED (
            SELECT e.session, e.set_name,
                count(*) FILTER (WHERE e.attendee IS NULL AND e.fields IS NULL), count(DISTINCT a.id)
                FROM events e
            LEFT JOIN deletions x ON x.session = e.session AND x.name = e.set_name
            LEFT JOIN behind b ON b.id = e.attendee
                LEFT JOIN attendees a ON a.session = e.session AND a.id IN (e.attendee, b.now)
            WHERE e.kind = \(responded) AND e.sequence > coalesce(x.sequence, 0)
                GROUP BY e.session, e.set_name),
        departures(session, count) AS MATERIALIZED (
            SELECT session, count(*) FROM events WHERE kind IN \(leaving) GROUP BY session)
        SELECT q.session, q.name, q.anonymous, q.responses, q.published_responses,
            coalesce(g.all_of_them, 0), coalesce(g.published, 0), coalesce(g.named, 0), coalesce(m.count, 0),
            coalesce(t.nobodys, 0), coalesce(t.of_people, 0), coalesce(d.count, 0), q.without_receipt,
            q.names_hidden
        FROM question_sets q
        LEFT JOIN given g ON g.session = q.session AND g.name = q.name
        LEFT JOIN marks m ON m.session = q.session AND m.name = q.name
        LEFT JOIN recorded t ON t.session = q.session AND t.name = q.name
        LEFT JOIN departures d ON d.session = q.session
        ORDER BY q.session, q.name
        """)
    private static let unmarked = Query(
        "check marks",
        """
        SELECT r.session, r.set_name, count(*) FROM responses r
            LEFT JOIN attendees a ON a.id = r.attendee AND a.session = r.session
        LEFT JOIN answered m ON m.attendee = r.attendee AND m.set_name = r.set_name
        WHERE r.attendee IS NOT NULL AND (a.id IS NULL OR m.attendee IS NULL) GROUP BY r.session, r.set_name
            LIMIT \(most)
        """)
    private static let named = Query(
        "check anonymity",
        """
        WITH \(deletions)
        SELECT e.session, e.set_name, count(*) FROM events e
        JOIN question_sets q ON q.session = e.session AND q.name = e.set_name
            AND (q.anonymous = 1 OR q.names_hidden = 1)
        JOIN attendees a ON a.session = e.session AND a.id = e.attendee
        LEFT JOIN deletions x ON x.session = e.session AND x.name = e.set_name
        WHERE e.kind = \(responded) AND e.sequence > coalesce(x.sequence, 0)
        GROUP BY e.session, e.set_name LIMIT \(most)
        """)

    func responseDifferences() throws(JournalError) -> [Fault] {
        let found: [[Fault]] = try all(Self.sets) { row in
            let session: SessionID? = row.idIfAny(0)
            let set = row.text(1)
            let isAnonymous = row.bool(2)
            let withoutReceipt = row.int(12)
            let (responses, published, withPerson, marks) = (row.int(5), row.int(6), row.int(7), row.int(8))
            let withReceipt = responses - withoutReceipt
            func differs(_ kind: Fault.Kind, _ stored: Int, _ counted: Int) -> Fault {
                Fault(kind, session, ["set": set, "stored": "\(stored)", "counted": "\(counted)"])
            }
            var faults: [Fault] = []
            if row.int(3) != responses { faults.append(differs(.responsesDiffer, row.int(3), responses)) }
            if row.int(4) != published { faults.append(differs(.publishedDiffer, row.int(4), published)) }
            let hidesNames = row.bool(13)
            if isAnonymous || hidesNames {
                if isAnonymous, withPerson > 0 {
                    faults.append(
                        Fault(.anonymousNamed, session, ["set": set, "count": "\(withPerson)"]))
                }
                if !(0...row.int(11)).contains(withReceipt - marks) {
                    faults.append(differs(.marksDiffer, marks, withReceipt))
                }
            } else if marks != withReceipt {
                faults.append(differs(.marksDiffer, marks, withReceipt))
            }
            // Events of responses without a receipt have no attendee. This is also true in a named set.
            let events =
                isAnonymous || hidesNames ? row.int(9) : row.int(10) + min(row.int(9), withoutReceipt)
            if events != responses { faults.append(differs(.responseEventsDiffer, events, responses)) }
            return faults
        }
        return Array(found.joined())
    }

    func markDifferences() throws(JournalError) -> [Fault] {
        try all(Self.unmarked) { row in
            Fault(
                .marksDiffer, row.idIfAny(0), ["set": row.text(1), "stored": "0", "counted": "\(row.int(2))"])
        }
    }

    func namedAnonymousEvents() throws(JournalError) -> [Fault] {
        try all(Self.named) {
            Fault(.anonymousNamed, $0.idIfAny(0), ["set": $0.text(1), "count": "\($0.int(2))"])
        }
    }

    // MARK: Tallies

    private static let setNames = Query(
        "list question sets", "SELECT session, name, anonymous FROM question_sets ORDER BY session, name")
    private static let questions = Query(
        "list questions",
        """
        SELECT q.body, t.published, t.pending, t.waiting FROM questions q
            LEFT JOIN tallies t ON t.question = q.id
        WHERE q.session = ? AND q.set_name = ? ORDER BY q.position
        """)
    private static let words = Query("list words", "SELECT word, count FROM words WHERE question = ?")
    private static let answers = Query(
        "list answers", "SELECT answers, published, id FROM responses WHERE session = ? AND set_name = ?")

    private struct Recount {
        let question: Question
        var stored: TallyRecord
        var counted: TallyRecord

        /// Whether the stored tally agrees with the recount. Bins do not become narrower when answers are
        /// removed, so a recount can have narrower bins.
        var agrees: Bool {
            stored.published.agrees(with: counted.published) && stored.pending.agrees(with: counted.pending)
        }
    }

    func tallyDifferences() throws(JournalError) -> [Fault] {
        var faults: [Fault] = []
        let sets: [(session: SessionID, set: String, promise: AnswerPromise)] = try all(Self.setNames) {
            row throws(JournalError) in
            // Tallies of sets that link responses are alike, whether names are hidden or not.
            (try row.id(0), row.text(1), row.bool(2) ? .anonymous : .hidden)
        }
        for (session, set, promise) in sets where faults.count < Self.most {
            faults += try tallyDifferences(in: session, set, promise)
        }
        return faults
    }

    private func tallyDifferences(
        in session: SessionID, _ set: String, _ promise: AnswerPromise
    ) throws(JournalError) -> [Fault] {
        var recounts: [QuestionID: Recount] = [:]
        let listed: [Recount] = try all(Self.questions, session, set) { row throws(JournalError) in
            let question: Question = try row.json(0)
            let none = TallyRecord(for: question, promise)
            let stored = row.isNull(1) ? none : try row.tally(1)
            return Recount(question: question, stored: stored, counted: none)
        }
        for var recount in listed {
            if recount.question.countsWords {
                recount.stored.published.add(
                    try all(Self.words, recount.question.id) {
                        WordCount(word: $0.text(0), count: $0.int(1))
                    })
            }
            recounts[recount.question.id] = recount
        }
        var unfit = 0
        _ = try all(Self.answers, session, set) { row throws(JournalError) in
            let given: [String: Answer] = try row.json(0)
            let response: ResponseID = try row.id(2)
            for (text, answer) in given {
                guard let id = QuestionID(text), let recount = recounts[id], answer.fits(recount.question)
                else {
                    unfit += 1
                    continue
                }
                let question = recount.question
                if row.bool(1), !recount.stored.waiting.contains(response) {
                    recounts[id]?.counted.published.add(answer, to: question)
                } else {
                    recounts[id]?.counted.pending.add(answer, to: question)
                }
            }
        }
        var faults = recounts.values.filter { !$0.agrees }.sorted { $0.question.id < $1.question.id }.map {
            recount in
            Fault(
                .tallyDiffers, session,
                [
                    "set": set, "question": recount.question.id.text,
                    "stored": "\(recount.stored.published.figures)+\(recount.stored.pending.figures)",
                    "counted": "\(recount.counted.published.figures)+\(recount.counted.pending.figures)",
                ])
        }
        if unfit > 0 {
            faults.append(Fault(.answerDoesNotFit, session, ["set": set, "count": "\(unfit)"]))
        }
        return faults
    }
}

extension TallyCount {
    /// A short description of the tally for a fault. All bins of a number question would fill pages.
    fileprivate var figures: String {
        numbers.map { "[\($0.count) numbers, sum \($0.sum), \($0.bins.count) bins of \($0.width)]" }
            ?? "\(counts)"
    }
}
