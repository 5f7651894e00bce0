import Meetings

extension OtherCommits {
    /// Changes the sessions in the cache as other nodes have changed them, or removes them, and returns the
    /// commits for the rooms of this node.
    /// - Parameter rows: the rows as after the last of these commits.
    func batch(
        for rooms: (any RoomDirectory)?, from rows: any ReadableRows, changing cache: inout SessionCache
    ) throws(JournalError) -> CommittedBatch {
        if hasGap {
            cache.forgetAll()
            return CommittedBatch(sessions: [], hasGap: true)
        }
        var changes = note.sessions
        for (id, change) in changes { cache.take(change, of: id) }
        if !note.meetings.isEmpty {
            for id in cache.sessions(of: note.meetings) { cache.forget(id) }
            // The room of each session shows the meeting's name.
            for id in rooms?.shownSessions(of: note.meetings) ?? [] {
                changes[id, default: CommitNote.Change(before: .max)].isEdited = true
            }
        }
        var commits: [SessionCommit] = []
        for (id, change) in changes {
            let isShown = rooms?.shows(id) ?? false
            // Lists show changed sessions. The table of join codes needs new and edited ones.
            let isNeeded = isShown || change.isEdited || change.isDeleted || change.before == 0
            guard isNeeded || rooms?.hasLists == true else { continue }
            var record = change.isDeleted ? nil : cache.find(id)?.record
            if record == nil, !change.isDeleted { record = try rows.session(id) }
            commits.append(try change.commit(of: id, record, from: rows, withNews: isShown))
        }
        return CommittedBatch(
            sessions: commits, endedRights: note.endedRights, hasQueuedMail: note.hasQueuedMail)
    }
}

extension CommitNote.Change {
    /// Makes the commit that shows these changes of other nodes. They have counted check-ins and responses
    /// themselves.
    fileprivate func commit(
        of id: SessionID, _ record: SessionRecord?, from rows: any ReadableRows, withNews: Bool
    ) throws(JournalError) -> SessionCommit {
        let news =
            if withNews, let record, record.sequence > before {
                try News.read(from: rows, session: id, after: before, most: .max) ?? []
            } else { [News]() }
        return SessionCommit(id: id, record: record, news: news, self)
    }
}
