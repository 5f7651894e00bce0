import Journal
import Meetings

extension Query {
    private static let columns = "id, session, hash, created_at, created_by"

    fileprivate static let presenterLink = Query(
        "find presenter link", "SELECT \(columns) FROM presenter_links WHERE hash = ?")
    fileprivate static let presenterLinks = Query(
        "list presenter links", "SELECT \(columns) FROM presenter_links WHERE session = ? ORDER BY id")
    fileprivate static let linksOfCreator = Query(
        "list an account's presenter links",
        "SELECT \(columns) FROM presenter_links WHERE created_by = ? ORDER BY id")
    fileprivate static let insertLink = Query(
        "insert presenter link", "INSERT INTO presenter_links (\(columns)) VALUES (?, ?, ?, ?, ?)")
    fileprivate static let deleteLink = Query(
        "delete presenter link", "DELETE FROM presenter_links WHERE id = ?")
}

extension SQLiteRows {
    func presenterLink(hash: [UInt8]) throws(JournalError) -> PresenterLink? {
        try connection.first(.presenterLink, hash, read: Self.link)
    }

    func presenterLinks(of session: SessionID) throws(JournalError) -> [PresenterLink] {
        try connection.all(.presenterLinks, session, read: Self.link)
    }

    func presenterLinks(createdBy account: AccountID) throws(JournalError) -> [PresenterLink] {
        try connection.all(.linksOfCreator, account, read: Self.link)
    }

    func insert(_ link: PresenterLink) throws(JournalError) {
        try connection.run(.insertLink, link.id, link.sessionID, link.hash, link.createdAt, link.createdBy)
    }

    func delete(_ link: PresenterLinkID) throws(JournalError) { try connection.run(.deleteLink, link) }

    private static func link(_ row: Row) throws(JournalError) -> PresenterLink {
        PresenterLink(
            id: try row.id(0), sessionID: try row.id(1), hash: row.bytes(2), createdAt: row.instant(3),
            createdBy: try row.id(4))
    }
}
