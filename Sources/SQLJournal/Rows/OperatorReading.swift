package import Journal
package import Meetings

extension Query {
    fileprivate static let account = Query("find an account", "SELECT id FROM accounts WHERE email_key = ?")
    fileprivate static let people = Query(
        "find people by key", "SELECT id FROM people WHERE email_key = ?1 OR number_key = ?1 ORDER BY id")
    fileprivate static let attendees = Query(
        "find attendees by key",
        """
        SELECT a.id FROM attendees a WHERE a.key = ?1 AND NOT EXISTS (
            SELECT 1 FROM places p JOIN people o ON o.id = p.person
            WHERE p.attendee = a.id AND (o.email_key = ?1 OR o.number_key = ?1))
        UNION SELECT into_attendee FROM merged_attendees WHERE key = ?1
        """)
    // A set is over if its window is over and no host has opened it by hand (`Session.feedbackIsOpen`).
    fileprivate static let anonymousSets = Query(
        "list anonymous sets",
        """
        SELECT q.session, q.name, q.responses,
            (SELECT id FROM questions WHERE session = q.session AND set_name = q.name ORDER BY id LIMIT 1),
            s.ends_at + s.feedback_closes_hours_after * 3600000 < ?1 AND coalesce(q.open_by_hand, 0) <> 1
        FROM question_sets q CROSS JOIN sessions s ON s.id = q.session
        WHERE q.anonymous = 1 AND q.responses > 0
        """)
}

extension SQLConnection {
    private static var mostMails: Int { 1000 }

    package func search(for identity: String) throws(JournalError) -> PersonSearch {
        let key = IdentityKey(identity)
        return PersonSearch(
            account: try first(.account, key) { row throws(JournalError) in try row.id(0) },
            people: try all(.people, key) { row throws(JournalError) in try row.id(0) },
            attendees: try all(.attendees, key) { row throws(JournalError) in try row.id(0) })
    }

    package func mailQueue(in states: Set<MailDelivery.State>) throws(JournalError) -> MailQueue {
        MailQueue(
            counts: try mailCounts(),
            mails: try mails(in: states, after: nil, limit: Self.mostMails).sorted {
                ($0.delivery.nextAttempt, $0.id) < ($1.delivery.nextAttempt, $1.id)
            })
    }

    /// Returns the anonymous sets with responses, for a backup. Reads all question sets of the database.
    package func anonymousSets(at now: Instant) throws(JournalError) -> [AnonymousSetState] {
        try all(.anonymousSets, now) { row throws(JournalError) in
            let question: QuestionID? = row.idIfAny(3)
            return AnonymousSetState(
                session: try row.id(0), set: row.text(1), question: question?.text ?? "",
                responses: row.int(2), isOver: row.bool(4))
        }
    }
}
