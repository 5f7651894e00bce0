package import Journal
package import Meetings

extension Query {
    fileprivate static let jobs = Query(
        "list jobs", "SELECT id, kind, meeting, is_visible, done, total FROM jobs ORDER BY id")
    fileprivate static let plan = Query("find plan", "SELECT plan FROM job_plans WHERE job = ?")
    fileprivate static let insertJob = Query("insert job", "INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?)")
    fileprivate static let insertPlan = Query("insert plan", "INSERT INTO job_plans VALUES (?, ?)")
    fileprivate static let saveProgress = Query("save progress", "UPDATE jobs SET done = ?2 WHERE id = ?1")
    fileprivate static let deleteJob = Query("delete job", "DELETE FROM jobs WHERE id = ?")

    fileprivate static let move = Query(
        "move session",
        "UPDATE sessions SET meeting = ?2, round = ?3, code_kind = ?4, join_code = ?5 WHERE id = ?1")
    fileprivate static let deleteEmpty = Query("delete empty meeting", "DELETE FROM meetings WHERE id = ?")

    // A hidden session has a join code that nobody can type, does not rotate, and holds no evidence to
    // forget.
    private static let hidden = "join_code = ?3, code_kind = 0, holds_evidence = 0"
    private static let hiddenSet = "published_as = NULL, sealed = 1"

    fileprivate static let hideSession = Query(
        "hide session", "UPDATE sessions SET meeting = ?2, \(hidden) WHERE id = ?1")
    fileprivate static let hideSets = Query(
        "hide question sets", "UPDATE question_sets SET \(hiddenSet) WHERE session = ?")
    fileprivate static let hideLinks = Query(
        "hide presenter links", "DELETE FROM presenter_links WHERE session = ?")
    fileprivate static let noteErasing = Query("note erasing", "INSERT INTO erasures VALUES (?)")
    // A meeting may have 2,000 sessions with 50 sets each, so hiding the meeting changes no other row of
    // them. Few sets are published as forms.
    fileprivate static let endPublishing = Query(
        "end publishing",
        """
        UPDATE question_sets INDEXED BY question_sets_published SET published_as = NULL
        WHERE published_as IS NOT NULL AND session IN (SELECT id FROM sessions WHERE meeting = ?)
        """)
    fileprivate static let noteErasingSessions = Query(
        "note erasing sessions", "INSERT INTO erasures SELECT id FROM sessions WHERE meeting = ?")
    fileprivate static let hideMembers = Query("hide members", "DELETE FROM members WHERE meeting = ?")
    fileprivate static let hideInvitations = Query(
        "hide invitations", "DELETE FROM meeting_invitations WHERE meeting = ?")

    fileprivate static let sessionToErase = Query(
        "find session to erase", "SELECT id FROM sessions WHERE meeting = ? LIMIT 1")
    /// The deletions of the rows of one session, at most `?2` rows each.
    fileprivate static let eraseOfSession = [
        Query(
            "erase mails of session",
            "DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE session = ?1 LIMIT ?2)"),
        Query(
            "erase attendees",
            """
            DELETE FROM attendees WHERE session = ?1
                AND id IN (SELECT id FROM attendees WHERE session = ?1 LIMIT ?2)
            """),
        Query(
            "erase responses",
            """
            DELETE FROM responses WHERE (session, set_name, at, id) IN
                (SELECT session, set_name, at, id FROM responses WHERE session = ?1 LIMIT ?2)
            """),
        Query(
            "erase devices",
            """
            DELETE FROM answered_devices WHERE (session, set_name, device) IN
                (SELECT session, set_name, device FROM answered_devices WHERE session = ?1 LIMIT ?2)
            """),
        Query(
            "erase words",
            """
            DELETE FROM words WHERE (question, word) IN
                (SELECT w.question, w.word FROM questions q CROSS JOIN words w ON w.question = q.id
                WHERE q.session = ?1 LIMIT ?2)
            """),
        Query(
            "erase moderated texts",
            """
            DELETE FROM moderated_texts WHERE (question, response) IN
                (SELECT m.question, m.response FROM questions q
                    CROSS JOIN moderated_texts m ON m.question = q.id WHERE q.session = ?1 LIMIT ?2)
            """),
        Query(
            "erase moderated words",
            """
            DELETE FROM moderated_words WHERE (question, word) IN
                (SELECT m.question, m.word FROM questions q
                    CROSS JOIN moderated_words m ON m.question = q.id WHERE q.session = ?1 LIMIT ?2)
            """),
        Query(
            "erase votes",
            """
            DELETE FROM audience_votes WHERE (question, attendee) IN
                (SELECT v.question, v.attendee FROM audience_questions q
                    CROSS JOIN audience_votes v ON v.question = q.id WHERE q.session = ?1 LIMIT ?2)
            """),
        Query(
            "erase removed votes",
            """
            DELETE FROM removed_votes WHERE (session, attendee) IN
                (SELECT session, attendee FROM removed_votes WHERE session = ?1 LIMIT ?2)
            """),
        Query(
            "erase audience questions",
            """
            DELETE FROM audience_questions WHERE id IN
                (SELECT id FROM audience_questions WHERE session = ?1 LIMIT ?2)
            """),
        Query(
            "erase corrections",
            """
            DELETE FROM corrections WHERE (session, sequence) IN
                (SELECT session, sequence FROM corrections WHERE session = ?1 LIMIT ?2)
            """),
        Query(
            "erase traces",
            """
            DELETE FROM merged_attendees WHERE id IN
                (SELECT id FROM merged_attendees WHERE session = ?1 LIMIT ?2)
            """),
        Query(
            "erase events",
            """
            DELETE FROM events WHERE (session, sequence) IN
                (SELECT session, sequence FROM events WHERE session = ?1 LIMIT ?2)
            """),
        Query(
            "erase questions",
            "DELETE FROM questions WHERE id IN (SELECT id FROM questions WHERE session = ?1 LIMIT ?2)"),
        Query(
            "erase question sets",
            """
            DELETE FROM question_sets WHERE (session, name) IN
                (SELECT session, name FROM question_sets WHERE session = ?1 LIMIT ?2)
            """),
        Query(
            "erase passes of session",
            "DELETE FROM passes WHERE id IN (SELECT id FROM passes WHERE session = ?1 LIMIT ?2)"),
        Query(
            "erase entries of offline doors",
            """
            DELETE FROM door_entries WHERE (satellite, number) IN
                (SELECT satellite, number FROM door_entries WHERE session = ?1 LIMIT ?2)
            """),
        eraseDevices,
    ]
    fileprivate static let eraseSession = Query("erase session", "DELETE FROM sessions WHERE id = ?")
    fileprivate static let eraseMails = Query(
        "erase mails of meeting",
        "DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE meeting = ?1 LIMIT ?2)")
    // A person has up to a hundred passes, so they are not deleted with the person.
    fileprivate static let erasePasses = Query(
        "erase passes",
        """
        DELETE FROM passes WHERE id IN (SELECT p.id FROM people o CROSS JOIN passes p ON p.person = o.id
            WHERE o.meeting = ?1 LIMIT ?2)
        """)
    fileprivate static let eraseCertificates = Query(
        "erase certificates",
        """
        DELETE FROM certificates WHERE id IN (SELECT id FROM certificates WHERE meeting = ?1 LIMIT ?2)
        """)
    fileprivate static let erasePeople = Query(
        "erase people", "DELETE FROM people WHERE id IN (SELECT id FROM people WHERE meeting = ?1 LIMIT ?2)")
    fileprivate static let eraseMeeting = Query("erase meeting", "DELETE FROM meetings WHERE id = ?")
    fileprivate static let forgetErasing = Query("forget erasing", "DELETE FROM erasures WHERE id = ?")
}

extension SQLRows {
    package func jobs() throws(JournalError) -> [StoredJob] {
        try connection.all(.jobs) { row throws(JournalError) in
            StoredJob(
                id: try row.id(0), kind: try row.code(1), meeting: try row.id(2), isVisible: row.bool(3),
                done: row.int(4), total: row.int(5))
        }
    }

    package func plan(of job: JobID) throws(JournalError) -> [UInt8]? {
        try connection.first(.plan, job) { $0.bytes(0) }
    }

    package func insert(_ job: StoredJob, plan: [UInt8]) throws(JournalError) {
        try connection.run(
            .insertJob, job.id, job.kind.code, job.meeting, job.isVisible, job.done, job.total)
        try connection.run(.insertPlan, job.id, plan)
    }

    package func saveProgress(of job: JobID, done: Int) throws(JournalError) {
        try connection.run(.saveProgress, job, done)
    }

    package func delete(_ job: JobID) throws(JournalError) {
        // SQLite overwrites the plan (`secure_delete`). Its names are those of people on the roster, so no
        // person's data is deleted with it.
        try connection.run(.deleteJob, job)
    }

    package func move(_ session: Session) throws(JournalError) {
        try connection.run(
            .move, session.id, session.meetingID, session.round, session.codeKind.code, session.joinCode)
        try noteLatestSession(of: session.meetingID)
    }

    package func deleteEmpty(_ meeting: MeetingID) throws(JournalError) {
        try connection.run(.deleteEmpty, meeting)
    }

    // MARK: Erasure in slices

    package func hide(_ session: SessionID, under meeting: MeetingID) throws(JournalError) {
        guard let record = try self.session(session) else { return }
        try connection.run(.hideSession, session, meeting, "x\(session.text)")
        try connection.run(.hideSets, session)
        try connection.run(.hideLinks, session)
        try connection.run(.noteErasing, session)
        try noteLatestSession(of: record.meeting.id)
    }

    package func hide(_ meeting: MeetingID) throws(JournalError) {
        try connection.run(.endPublishing, meeting)
        try connection.run(.noteErasingSessions, meeting)
        try connection.run(.hideMembers, meeting)
        try connection.run(.hideInvitations, meeting)
        try connection.run(.noteErasing, meeting)
        try noteErasure()
    }

    package func eraseSome(of meeting: MeetingID, limit: Int) throws(JournalError) -> Bool {
        try noteErasure()
        var rest = limit
        while rest > 0 {
            let session: SessionID? = try connection.first(.sessionToErase, meeting) {
                row throws(JournalError) in try row.id(0)
            }
            guard let session else {
                var erased = try connection.run(.eraseMails, meeting, rest)
                if erased == 0 { erased = try connection.run(.erasePasses, meeting, rest) }
                if erased == 0 { erased = try connection.run(.eraseCertificates, meeting, rest) }
                if erased == 0 { erased = try connection.run(.erasePeople, meeting, rest) }
                rest -= erased
                guard erased == 0 else { continue }
                try connection.run(.eraseMeeting, meeting)
                try connection.run(.forgetErasing, meeting)
                return true
            }
            for query in Query.eraseOfSession + Query.eraseMatching + [.eraseReplies] where rest > 0 {
                rest -= try connection.run(query, session, rest)
            }
            guard rest > 0 else { return false }
            try connection.run(.eraseSession, session)
            try connection.run(.forgetErasing, session)
            // The session itself and its presenter links count as a few rows.
            rest -= 4
        }
        return false
    }
}

extension StoredJob.Kind: Coded {
    package static let cases: [StoredJob.Kind] = [
        .roster, .rekey, .erasure, .lateRule, .account, .links, .setDeletion, .leaving, .codes,
    ]
    package var code: Int { rawValue }
}
