import HTTPServer
import Meetings
import Pages
import Phrases

/// What a hall's screen shows. The page itself says nothing: what it shows comes through a room, for whoever holds a right to it.
enum ProjectorPage {
    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        let session = try context.id(Session.self, .session)
        let language = context.language
        let address = context.services.address.url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().joined(separator: "/")
        let page = Phrase.filled(
            String(decoding: PublicFiles.presentHTML, as: UTF8.self),
            [
                "language": language.rawValue, "session": session.text, "scan": Phrase.Page.scan.text(in: language),
                "orType": Phrase.Page.orType.text(in: language, ["address": address]),
                "checkedIn": Phrase.Page.checkedIn.text(in: language),
                "ofPlanned": Phrase.Page.ofPlanned.text(in: language), "live": Phrase.Page.live.text(in: language),
                "reconnecting": Phrase.Page.reconnecting.text(in: language), "linkOver": Phrase.Page.linkOver.text(in: language),
            ])
        return HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-cache"), ("Content-Security-Policy", PageSafety.policy),
                ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
            ],
            body: Array(page.utf8))
    }
}
