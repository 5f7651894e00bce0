import HTTPServer
import Journal
import Meetings
import Secrets
import Wire

/// The handlers for presenter links. With such a link, the screen of a hall shows a session without an
/// account, or a kiosk checks its guests in.
enum Presenters {
    static func add(_ purpose: PresenterLink.Purpose, _ context: RequestContext) async throws -> HTTPResponse
    {
        let token = RandomToken()
        let session = context.record.session
        let link = try await context.storage.perform(
            AddPresenterLink(
                session: session.id, hash: token.storedHash, purpose: purpose, actor: context.accountID))
        let text: String
        let url: String
        switch purpose {
        case .hall:
            text = BearerToken.presenter + token.text
            url = context.address.presenterURL(session: session.id, token: text)
        case .kiosk:
            text = BearerToken.kiosk + token.text
            url = context.address.kioskURL(session: session.id, token: text)
        }
        return .json(
            PresenterLinkBody(id: link.id, url: url, token: text, expiresAt: session.endsAt),
            status: 201)
    }

    /// Lists the presenter links by id, which is the order in which they were created.
    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, session) = (try context.limit(), context.record.session.id)
        let after = try context.cursor { $0.words.first.flatMap { PresenterLinkID($0) } }
        let page = try await context.storage.read { rows throws(JournalError) -> Page<PresenterLinkSummary> in
            let found = try rows.presenterLinks(of: session).filter { link in
                after.map { link.id > $0 } ?? true
            }
            var items: [PresenterLinkSummary] = []
            for link in found.prefix(limit) {
                // The link of a former host is invalid, also before it is revoked.
                if try rows.session(shownBy: link) != nil, let creator = try rows.account(link.createdBy) {
                    items.append(PresenterLinkSummary(link, by: creator))
                }
            }
            return Page(
                items: items, nextCursor: found.count > limit ? Cursor(found[limit - 1].id.text).text : nil)
        }
        return .json(page)
    }

    static func revoke(_ context: RequestContext) async throws -> HTTPResponse {
        let link = try context.id(PresenterLink.self, .presenterLink, named: "linkId")
        try await context.storage.perform(
            RevokePresenterLink(session: context.record.session.id, link: link, actor: context.accountID))
        return .noContent
    }
}
