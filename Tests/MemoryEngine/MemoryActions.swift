import Journal
import Meetings

extension MemoryRows {
    func actions(in meeting: MeetingID?, before cursor: ActionID?, limit: Int) throws(JournalError)
        -> [ActionRecord]
    {
        let found = try tables().actions.values.filter {
            (meeting == nil || $0.meeting == meeting) && $0.id < cursor ?? ID(high: .max, low: .max)
        }
        return Array(found.sorted { $1.id < $0.id }.prefix(limit))
    }

    func hasAction(before moment: Instant) throws(JournalError) -> Bool {
        try tables().actions.values.contains { $0.at < moment }
    }

    func insert(_ action: ActionRecord) throws(JournalError) {
        try change("insert action") { tables -> Void in tables.actions[action.id] = action }
    }

    func deleteActions(before moment: Instant, limit: Int) throws(JournalError) -> Int {
        try change("delete old actions") { tables in
            let old = tables.actions.values.filter { $0.at < moment }.sorted {
                ($0.at, $0.id) < ($1.at, $1.id)
            }
            .prefix(limit)
            for action in old { tables.actions[action.id] = nil }
            return old.count
        }
    }
}
