import Meetings

/// A session that is cached or that the batch has used, with the changes of the batch and of its running
/// command. It is a class, so that one look-up by the id finds all of this. The flags show which of the large
/// values exist, because Swift copies a large value to compare it with nil.
final class BatchSession {
    /// The changes that the batch has collected so far, for the rooms and the metrics, without the news.
    struct Draft {
        /// Whether there are any changes.
        fileprivate var exists = false
        /// The changes as other nodes learn of them; `before` is not set.
        var note = CommitNote.Change(before: 0)
        var events: Int64 = 0
        var checkIns = 0
        var responses = 0
    }

    let id: SessionID
    /// The session with all changes of the batch; nil if it is not cached.
    private(set) var record: SessionRecord?
    private(set) var isCached = false
    private var draft = Draft()
    private var news: [News] = []
    /// Whether the session is one of `SessionCache.used`.
    var isUsed = false
    /// Whether the batch has changed the session.
    private var isAltered = false
    /// Whether the batch has changed more of the record than its counters.
    private var isEdited = false
    /// Whether the batch has changed the session's counters.
    private(set) var isCounted = false

    /// The record as it was before the running command, if `hasRecordBefore`.
    private var recordBefore: SessionRecord?
    private var hasRecordBefore = false
    /// The draft as it was before the running command, if `hasDraftBefore`.
    private var draftBefore = Draft()
    private var hasDraftBefore = false
    /// The number of news before the running command. A copy of the news would make each check-in of a large
    /// batch copy the news of all check-ins before it.
    private var newsBefore = 0

    init(_ id: SessionID) { self.id = id }

    /// Whether the running command has changed the record or the draft.
    var isChanged: Bool { hasRecordBefore || hasDraftBefore }

    /// Replaces the record without a copy for `revert`.
    func setRecord(_ record: SessionRecord?) {
        self.record = record
        isCached = record != nil
    }

    func replaceRecord(by record: SessionRecord?) {
        rememberRecord()
        setRecord(record)
    }

    /// Changes the record in place. It must be cached.
    /// - Parameter counting: whether `body` changes only the counters, which the commit then writes.
    func changeRecord<Result>(counting: Bool = false, _ body: (inout SessionRecord) -> Result) -> Result {
        rememberRecord()
        isAltered = true
        if counting { isCounted = true } else { isEdited = true }
        guard let result = record?.change(by: body) else { preconditionFailure("the record is not cached") }
        return result
    }

    private func rememberRecord() {
        if !hasRecordBefore { (recordBefore, hasRecordBefore) = (record, true) }
    }

    func changeDraft(_ body: (inout Draft) -> Void) {
        rememberDraft()
        body(&draft)
    }

    func publish(_ news: News) {
        rememberDraft()
        self.news.append(news)
    }

    private func rememberDraft() {
        if !hasDraftBefore { (draftBefore, newsBefore, hasDraftBefore) = (draft, news.count, true) }
        draft.exists = true
    }

    /// Reverts the changes of the running command.
    func revert() {
        if hasRecordBefore { setRecord(recordBefore) }
        guard hasDraftBefore else { return }
        draft = draftBefore
        news.removeLast(news.count - newsBefore)
    }

    /// Forgets what the session was before the last command.
    func forgetBefore() {
        if hasRecordBefore { (recordBefore, hasRecordBefore) = (nil, false) }
        hasDraftBefore = false
    }

    /// Forgets what the last batch has done.
    func forgetChanges() {
        forgetBefore()
        if draft.exists { (draft, draftBefore, news) = (Draft(), Draft(), []) }
        (isUsed, isAltered, isEdited, isCounted) = (false, false, false, false)
    }

    /// The session's part of the committed batch; nil if there is nothing for the rooms.
    var commit: SessionCommit? {
        guard draft.exists else { return nil }
        return SessionCommit(
            id: id, record: draft.note.isDeleted ? nil : record, news: news, draft.note,
            checkIns: draft.checkIns, responses: draft.responses)
    }

    /// The session's part of the note for other nodes. A change without news, such as a revert of a job, must
    /// still leave the memory of other nodes.
    var note: CommitNote.Change? {
        guard draft.exists || isAltered else { return nil }
        var note = draft.note
        note.before =
            draft.exists ? (record?.sequence ?? draft.events) - draft.events : record?.sequence ?? .max
        if let record, !isEdited, !note.isEdited, !note.isDeleted, !note.hasNewQuestions {
            note.counters = CommitNote.Change.Counters(
                sequence: record.sequence, headCount: record.headCount)
        }
        return note
    }
}

extension SessionRecord {
    /// Calls `body` with this record in place.
    fileprivate mutating func change<Result>(by body: (inout SessionRecord) -> Result) -> Result {
        body(&self)
    }
}

extension SessionCommit {
    init(
        id: SessionID, record: SessionRecord?, news: [News], _ note: CommitNote.Change, checkIns: Int = 0,
        responses: Int = 0
    ) {
        self.init(
            id: id, record: record, news: news, sets: note.sets, hasNewQuestions: note.hasNewQuestions,
            matching: note.matching, isEdited: note.isEdited, checkIns: checkIns, responses: responses)
    }
}
