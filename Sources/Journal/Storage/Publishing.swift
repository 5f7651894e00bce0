package import Meetings

// What a command tells the rooms, the connections and the senders of mails, after the commit.

extension Transaction {
    /// Publishes several changed attendees to the session's rooms. If there are more than
    /// `mostChangedAtOnce`, publishes none of them; then the edit makes the clients read their lists again.
    func publish(changed attendees: [Attendee], at event: Event) {
        guard attendees.count <= Self.mostChangedAtOnce else { return }
        for attendee in attendees { publish(.changed(attendee), at: event) }
    }

    /// Publishes to the session's rooms that the settings of the session or of its meeting have changed.
    package func publishEdit(of session: SessionID) { draft(session) { $0.note.isEdited = true } }

    /// Makes the session's rooms read the results of this question set again, after the commit.
    package func publishResults(of set: String, in session: SessionID) {
        draft(session) { $0.note.sets.insert(set) }
    }

    /// Makes the session's rooms read the questions from the audience again, after the commit.
    package func publishQuestions(of session: SessionID) { draft(session) { $0.note.hasNewQuestions = true } }

    /// Notifies phones and hosts, after the commit, that groups of interest have changed.
    /// - Parameters:
    ///   - attendees: the attendees whose own requests or state have changed.
    ///   - people: whether the people who take part have changed.
    ///   - settings: whether the host's settings have changed.
    ///   - reports: whether a report was made or dealt with.
    package func publishMatching(
        of session: SessionID, to attendees: Set<AttendeeID> = [], people: Bool = false,
        settings: Bool = false, reports: Bool = false
    ) {
        let news = MatchingNews(
            attendees: attendees, people: people, settings: settings, reports: reports)
        draft(session) { $0.note.matching.formUnion(news) }
    }

    /// Records that this command ended a right. After the commit, the server closes the connections that were
    /// opened with that right.
    package func endRights(of ended: EndedRight) { batch.running.note.endedRights.append(ended) }

    /// Records that this command made a mail due. After the commit, the server wakes the sender of mails.
    func noteQueuedMail() { batch.running.note.hasQueuedMail = true }
}
