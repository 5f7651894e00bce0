package import Journal
package import Meetings

extension Query {
    private static let columns = "id, at, kind, actor, meeting, account, role"

    fileprivate static let actions = Query(
        "list actions", "SELECT \(columns) FROM actions WHERE id < ? ORDER BY id DESC LIMIT ?")
    fileprivate static let actionsOfMeeting = Query(
        "list a meeting's actions",
        "SELECT \(columns) FROM actions WHERE meeting = ? AND id < ? ORDER BY id DESC LIMIT ?")
    fileprivate static let anyAction = Query(
        "find an old action", "SELECT 1 FROM actions INDEXED BY actions_by_time WHERE at < ? LIMIT 1")
    fileprivate static let insertAction = Query(
        "insert action", "INSERT INTO actions (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
    fileprivate static let deleteActions = Query(
        "delete old actions",
        """
        DELETE FROM actions WHERE id IN
            (SELECT id FROM actions INDEXED BY actions_by_time WHERE at < ? ORDER BY at LIMIT ?)
        """)
}

extension SQLRows {
    package func actions(in meeting: MeetingID?, before cursor: ActionID?, limit: Int) throws(JournalError)
        -> [ActionRecord]
    {
        let last = cursor ?? ActionID(high: .max, low: .max)
        guard let meeting else { return try connection.all(.actions, last, limit, read: Self.action) }
        return try connection.all(.actionsOfMeeting, meeting, last, limit, read: Self.action)
    }

    package func hasAction(before moment: Instant) throws(JournalError) -> Bool {
        try connection.first(.anyAction, moment) { _ in true } ?? false
    }

    package func insert(_ action: ActionRecord) throws(JournalError) {
        try connection.run(
            .insertAction, action.id, action.at, action.kind.code, action.actor, action.meeting,
            action.account, action.role?.code)
    }

    package func deleteActions(before moment: Instant, limit: Int) throws(JournalError) -> Int {
        try connection.run(.deleteActions, moment, limit)
    }

    private static func action(_ row: Row) throws(JournalError) -> ActionRecord {
        ActionRecord(
            id: try row.id(0), at: row.instant(1), kind: try row.code(2), actor: try row.actor(3),
            meeting: row.idIfAny(4), account: row.idIfAny(5), role: try row.codeIfAny(6))
    }
}

extension ActionRecord.Kind: Coded {
    package static let cases = allCases
    package var code: Int { rawValue }
}
