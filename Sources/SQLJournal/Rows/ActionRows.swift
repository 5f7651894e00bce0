package import Journal
package import Meetings

enum ActionColumn: Int32, Columns {
    case id, at, kind, actor, meeting, account, role

    static let table = "actions"
    var writing: ColumnWriting { .once }

    func bind(_ action: ActionRecord, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(action.id)
        case .at: parameters.bind(action.at)
        case .kind: parameters.bind(action.kind.code)
        case .actor: parameters.bind(action.actor)
        case .meeting: parameters.bind(action.meeting)
        case .account: parameters.bind(action.account)
        case .role: parameters.bind(action.role?.code)
        }
    }
}

extension Writing where Column == ActionColumn {
    fileprivate static let insertAction = insert("insert action")
}

extension Query {
    private static let columns = ActionColumn.selected()

    fileprivate static let actions = Query(
        "list actions", "SELECT \(columns) FROM actions WHERE id < ? ORDER BY id DESC LIMIT ?")
    fileprivate static let actionsOfMeeting = Query(
        "list a meeting's actions",
        "SELECT \(columns) FROM actions WHERE meeting = ? AND id < ? ORDER BY id DESC LIMIT ?")
    fileprivate static let anyAction = Query(
        "find an old action", "SELECT 1 FROM actions INDEXED BY actions_by_time WHERE at < ? LIMIT 1")
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
        try connection.run(.insertAction, action)
    }

    package func deleteActions(before moment: Instant, limit: Int) throws(JournalError) -> Int {
        try connection.run(.deleteActions, moment, limit)
    }

    private static func action(_ row: Row) throws(JournalError) -> ActionRecord {
        let cells = Cells<ActionColumn>(row)
        return ActionRecord(
            id: try cells.id(.id), at: cells.instant(.at), kind: try cells.code(.kind),
            actor: try cells.actor(.actor), meeting: cells.idIfAny(.meeting),
            account: cells.idIfAny(.account), role: try cells.codeIfAny(.role))
    }
}

extension ActionRecord.Kind: Coded {
    package static let cases = allCases
    package var code: Int { rawValue }
}
