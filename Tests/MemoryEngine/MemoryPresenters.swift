import Journal
import Meetings

extension MemoryRows {
    func presenterLink(hash: [UInt8]) throws(JournalError) -> PresenterLink? {
        try tables().links.values.first { $0.hash == hash }
    }

    func presenterLinks(of session: SessionID) throws(JournalError) -> [PresenterLink] {
        try tables().links.values.filter { $0.sessionID == session }.sorted { $0.id < $1.id }
    }

    func presenterLinks(createdBy account: AccountID) throws(JournalError) -> [PresenterLink] {
        try tables().links.values.filter { $0.createdBy == account }.sorted { $0.id < $1.id }
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
