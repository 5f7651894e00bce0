import Journal
import Meetings

extension MemoryRows {
    func presenterLink(hash: [UInt8], for purpose: PresenterLink.Purpose) throws(JournalError)
        -> PresenterLink?
    {
        try tables().links.values.first { $0.hash == hash && $0.purpose == purpose }
    }

    func presenterLinks(of session: SessionID) throws(JournalError) -> [PresenterLink] {
        try tables().links.values.filter { $0.sessionID == session }.sorted { $0.id < $1.id }
    }

    func presenterLinks(createdBy account: AccountID, limit: Int) throws(JournalError) -> [PresenterLink] {
        let found = try tables().links.values.filter { $0.createdBy == account }
        return Array(found.sorted { $0.id < $1.id }.prefix(limit))
    }

    func presenterLinks(
        createdBy account: AccountID, in meeting: MeetingID, fromRound round: Int, limit: Int
    ) throws(JournalError) -> [PresenterLink] {
        let tables = try tables()
        let found = tables.links.values.filter { $0.createdBy == account }.compactMap { link in
            tables.sessions[link.sessionID].map { (round: $0.session.round, $0.session.meetingID, link) }
        }
        .filter { $0.1 == meeting && $0.round >= round }
        return found.sorted { ($0.round, $0.2.id) < ($1.round, $1.2.id) }.prefix(limit).map { $0.2 }
    }

    func insert(_ link: PresenterLink) throws(JournalError) {
        try change("insert presenter link") { tables throws(JournalError) in
            guard tables.sessions[link.sessionID] != nil, tables.accounts[link.createdBy] != nil,
                tables.links[link.id] == nil,
                !tables.links.values.contains(where: { $0.hash == link.hash })
            else { throw conflict("insert presenter link", "not unique, or of no session or account") }
            tables.links[link.id] = link
        }
    }

    func delete(_ link: PresenterLinkID) throws(JournalError) {
        try change("delete presenter link") { $0.links[link] = nil }
    }
}
